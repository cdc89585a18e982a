package check_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// project reads the compose file as compose does.
func project(t *testing.T, env ...string) (*types.Project, error) {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../compose/compose.yaml"}, cli.WithEnv(env))
	if err != nil {
		t.Fatal(err)
	}
	return options.LoadProject(t.Context())
}

// TestTheComposeFile: nothing writes to its file system, has rights of the kernel's, or shows a port, but the proxy.
func TestTheComposeFile(t *testing.T) {
	t.Parallel()
	if _, err := project(t); err == nil || !strings.Contains(err.Error(), "required variable") {
		t.Errorf("without the name of the host and of the image: %v", err)
	}
	p, err := project(t, "PUBLIC_HOST=pay.example.com", "IMAGE=localhost/vezne:1")
	if err != nil {
		t.Fatal(err)
	}
	manual, made := read(t, "../../docs/operators.md"), read(t, "../compose/secrets.sh")
	for name, s := range p.Services {
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.MemLimit == 0 || s.PidsLimit == 0 {
			t.Errorf("%s may write, has rights that it does not need, or no bound", name)
		}
		if len(s.Ports) > 0 && name != "proxy" {
			t.Errorf("%s is reached from outside", name)
		}
		for variable := range s.Environment {
			isSecret := regexp.MustCompile(`^VEZNE_(DATABASE_URL|REDIS_URL|MASTER_KEY|AUDIT_KEY)$|PASSWORD$`).MatchString(variable)
			isOurs := strings.HasPrefix(variable, "VEZNE_") && name != "proxy"
			if isSecret || isOurs && !strings.Contains(manual, "`"+variable+"`") {
				t.Errorf("%s has %s, which is a secret or no setting", name, variable)
			}
		}
		for variable, value := range s.Environment {
			if path, isFile := strings.CutPrefix(*value, "/run/secrets/"); isFile && !slices.ContainsFunc(s.Secrets, func(of types.ServiceSecretConfig) bool { return of.Source == path }) {
				t.Errorf("%s of %s names %s, which it is not given", variable, name, path)
			}
		}
		if name != "worker" && slices.ContainsFunc(s.Secrets, func(of types.ServiceSecretConfig) bool { return of.Source == "audit_key" }) {
			t.Errorf("%s has the audit key, which it does not need", name)
		}
	}
	for name, of := range p.Secrets {
		if !strings.Contains(made, "put "+filepath.Base(of.File)+" ") {
			t.Errorf("secrets.sh does not make %s", name)
		}
	}
	for _, name := range []string{"postgres", "redis"} {
		for of := range p.Services[name].Networks {
			if !p.Networks[of].Internal {
				t.Errorf("%s is in the network %s, which leads outside", name, of)
			}
		}
	}
	api, proxy := p.Services["api"], p.Services["proxy"]
	if trusted := *api.Environment["VEZNE_TRUSTED_PROXIES"]; trusted != proxy.Networks["front"].Ipv4Address {
		t.Errorf("the proxy that is believed is %s, and the proxy's address %s", trusted, proxy.Networks["front"].Ipv4Address)
	}
	if _, both := proxy.Networks["back"]; both {
		t.Error("the proxy reaches the database")
	}
	for _, m := range proxy.Volumes {
		if m.Type == types.VolumeTypeBind && read(t, m.Source) == "" {
			t.Errorf("%s is empty", m.Source)
		}
	}
}
