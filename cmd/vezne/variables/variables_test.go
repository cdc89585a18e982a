package variables_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/cmd/vezne/variables"
)

var known = []string{
	"VEZNE_BASE_URL", "VEZNE_DATABASE_URL", "VEZNE_DATA_DIR", "VEZNE_LISTEN", "VEZNE_LOG_FORMAT", "VEZNE_MASTER_KEY",
	"VEZNE_REDIS_URL", "VEZNE_ROLE", "VEZNE_TRUSTED_PROXIES",
}

func TestAMisspeltVariableIsFoundWithTheNearestName(t *testing.T) {
	t.Parallel()
	for name, nearest := range map[string]string{
		"VEZNE_DATABSE_URL": "VEZNE_DATABASE_URL", "VEZNE_DATABASE_URI": "VEZNE_DATABASE_URL", "VEZNE_DATABASEURL": "VEZNE_DATABASE_URL",
		"VEZNE_REDIS": "VEZNE_REDIS_URL", "VEZNE_PROXIES": "VEZNE_TRUSTED_PROXIES", "VEZNE_URL": "", "VEZNE_TRUSTED_PROXY": "VEZNE_TRUSTED_PROXIES", "VEZNE_LITSEN": "VEZNE_LISTEN",
		"vezne_listen": "VEZNE_LISTEN", "Vezne_Role": "VEZNE_ROLE", "VEZNE_ROLES": "VEZNE_ROLE", "VEZNE_": "", "VEZNE_X": "",
		"VEZNE_SOMETHING_COMPLETELY_ELSE": "", "VEZNE_" + strings.Repeat("A", 100_000): "",
	} {
		want := []variables.Unknown{{Name: name, Nearest: nearest}}
		if found := variables.Find([]string{"PATH=/bin", name + "=secret"}, known); !slices.Equal(found, want) {
			t.Errorf("%.50s: %.100v, want %.100v", name, found, want)
		}
	}
}

func TestWhatIsNoSettingIsLeftAlone(t *testing.T) {
	t.Parallel()
	environment := []string{
		"PATH=/bin", "VEZNE=1", "VEZNEX_LISTEN=1", "=C:=C:\\", "", "VEZNE_LISTEN=:80", "VEZNE_TEST_DATABASE_URL=postgres://", "VEZNE_TEST_ANYTHING=1",
	}
	if found := variables.Find(environment, known); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if found := variables.Find([]string{"vezne_test_x=1", "VEZNE_TESTS=1"}, known); len(found) != 2 {
		t.Errorf("of names that only look like the tests' own %v was found", found)
	}
}

// TestAPodMayHaveServicesOfOurName: Kubernetes sets variables for them, which nobody has misspelt.
func TestAPodMayHaveServicesOfOurName(t *testing.T) {
	t.Parallel()
	links := []string{
		"VEZNE_SERVICE_HOST=10.0.0.1", "VEZNE_SERVICE_PORT=80", "VEZNE_SERVICE_PORT_HTTP=80", "VEZNE_PORT=tcp://10.0.0.1:80",
		"VEZNE_PORT_80_TCP=tcp://10.0.0.1:80", "VEZNE_PORT_80_TCP_PROTO=tcp", "VEZNE_API_SERVICE_HOST=10.0.0.2",
		"VEZNE_API_PORT=udp://10.0.0.2:53", "VEZNE_API_PORT_53_UDP_ADDR=10.0.0.2",
	}
	pod := append(slices.Clone(links), "KUBERNETES_SERVICE_HOST=10.0.0.254")
	if found := variables.Find(pod, known); len(found) > 0 {
		t.Errorf("in a pod %v is found", found)
	}
	if found := variables.Find(links, known); len(found) != len(links) {
		t.Errorf("elsewhere only %v is found", found)
	}
	for _, pair := range []string{"VEZNE_PORT=8080", "VEZNE_DATABASE_URI=x", "VEZNE_SERVICE=1"} {
		if found := variables.Find(append(pod, pair), known); len(found) != 1 {
			t.Errorf("in a pod with %s, %v is found", pair, found)
		}
	}
}
