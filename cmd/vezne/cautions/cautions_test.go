package cautions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/cmd/vezne/cautions"
)

// sound is an installation that nothing is said of.
func sound(change func(*cautions.Facts)) cautions.Facts {
	f := cautions.Facts{
		Listen: "0.0.0.0:8080", BaseURL: "https://pay.example.com", Role: "all", HasRedis: true, HasTrustedProxies: true,
	}
	if change != nil {
		change(&f)
	}
	return f
}

func TestCautions(t *testing.T) {
	t.Parallel()
	type facts = cautions.Facts
	for name, c := range map[string]struct {
		change func(*facts)
		want   string
	}{
		"a sound installation": {nil, ""},
		"a trial on this machine": {func(f *facts) {
			*f = facts{Listen: "127.0.0.1:0", BaseURL: "http://localhost:8080", Role: "all", IsEmbedded: true}
		}, ""},
		"a trial without a base URL": {func(f *facts) {
			*f = facts{Listen: "[::1]:0", BaseURL: "http://[::1]:8080", Role: "all", IsEmbedded: true}
		}, "passkeys"},
		"https without a proxy's name":      {func(f *facts) { f.Listen, f.HasTrustedProxies = "127.0.0.1:8080", false }, "proxies"},
		"all addresses without a proxy":     {func(f *facts) { f.Listen, f.HasTrustedProxies = ":8080", false }, "proxies"},
		"a worker, whom no client calls":    {func(f *facts) { f.Role, f.HasTrustedProxies = "worker", false }, ""},
		"a private address without a proxy": {func(f *facts) { f.Listen, f.HasTrustedProxies = "10.1.2.3:8080", false }, "proxies"},
		"test payments":                     {func(f *facts) { f.TakesTests = true }, "test payments"},
		"everybody is a proxy":              {func(f *facts) { f.TrustsEverybody = true }, "proxies"},
		"plain http":                        {func(f *facts) { f.BaseURL = "http://pay.example.com" }, "base URL"},
		"plain http on this machine":        {func(f *facts) { f.BaseURL = "http://pay.localhost:8080" }, ""},
		"passwords alone":                   {func(f *facts) { f.PasswordMovesMoney = []string{"dealer"} }, "second factor"},
		"passwords alone on this machine":   {func(f *facts) { f.PasswordMovesMoney, f.BaseURL = []string{"admin"}, "http://LOCALHOST.:80" }, ""},
		"a base URL that is an address":     {func(f *facts) { f.BaseURL = "https://203.0.113.7:8443" }, "passkeys"},
		"one that is an address of IPv6":    {func(f *facts) { f.BaseURL = "https://[2001:db8::7]" }, "passkeys"},
		"PostgreSQL alone":                  {func(f *facts) { f.HasRedis = false }, "processes"},
		"embedded without Redis":            {func(f *facts) { f.IsEmbedded, f.HasRedis = true, false }, ""},
		"a role in the embedded database":   {func(f *facts) { f.IsEmbedded, f.Role = true, "api" }, "role"},
		"everything at once": {func(f *facts) {
			*f = facts{Listen: "[::]:80", BaseURL: "http://192.0.2.1", Role: "all", PasswordMovesMoney: []string{"admin"}}
		}, "proxies,base URL,second factor,passkeys,processes"},
		"a name that only begins like ours":   {func(f *facts) { f.BaseURL = "http://localhost.example.com" }, "base URL"},
		"an address of this machine, in IPv6": {func(f *facts) { f.BaseURL, f.Listen = "http://[::ffff:127.0.0.1]:80", "[::ffff:127.0.0.1]:80" }, "passkeys"},
	} {
		var subjects []string
		for _, found := range cautions.Of(sound(c.change)) {
			subjects = append(subjects, found.Subject)
			if !strings.Contains(found.Text, found.Setting) && found.Setting != "VEZNE_BASE_URL" {
				t.Errorf("%s: the text does not name %s: %s", name, found.Setting, found.Text)
			}
		}
		if want := strings.FieldsFunc(c.want, func(r rune) bool { return r == ',' }); !slices.Equal(subjects, want) {
			t.Errorf("%s: %q, want %q", name, subjects, want)
		}
	}
}

// TestACautionHasNoPassword that somebody has put into the base URL.
func TestACautionHasNoPassword(t *testing.T) {
	t.Parallel()
	for _, c := range cautions.Of(sound(func(f *cautions.Facts) { f.BaseURL = "https://me:pw-in-url@203.0.113.7" })) {
		if strings.Contains(c.Text, "pw-in-url") {
			t.Errorf("%s", c.Text)
		}
	}
}

func TestReachesOthers(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string]bool{
		"127.0.0.1:8080": false, "127.9.9.9:0": false, "localhost:80": false, "[::1]:80": false, "[::ffff:127.0.0.1]:80": false,
		":8080": true, "0.0.0.0:80": true, "[::]:80": true, "10.0.0.1:80": true, "vezne.internal:80": true, "[fe80::1%eth0]:80": true,
	} {
		if got := cautions.ReachesOthers(listen); got != want {
			t.Errorf("%s: %t, want %t", listen, got, want)
		}
	}
}

func TestCautionsOfAServer(t *testing.T) {
	t.Parallel()
	const mega = 1 << 20
	for name, c := range map[string]struct {
		is   bunstore.Server
		want string
	}{
		"an embedded database":             {bunstore.Server{}, ""},
		"as it is installed":               {bunstore.Server{BufferBytes: 128 * mega, DatabaseBytes: 4096 * mega}, ""},
		"as it is installed, after a year": {bunstore.Server{BufferBytes: 128 * mega, DatabaseBytes: 35_000 * mega}, "memory: 128 MB, 34 GB"},
		"with memory":                      {bunstore.Server{BufferBytes: 129 * mega, DatabaseBytes: 35_000 * mega}, ""},
		"hasty":                            {bunstore.Server{Off: "synchronous_commit"}, "durability: PostgreSQL's synchronous_commit is off"},
		"hasty and without memory": {bunstore.Server{Off: "fsync, full_page_writes", DatabaseBytes: 5000 * mega},
			"durability: PostgreSQL's fsync, full_page_writes is off; memory: 0 MB, 4 GB"},
	} {
		var wants []string
		if c.want != "" {
			wants = strings.Split(c.want, "; ")
		}
		list := cautions.OfServer(c.is)
		if len(list) != len(wants) {
			t.Errorf("%s: %+v, want %q", name, list, c.want)
			continue
		}
		for i, want := range wants {
			subject, parts, _ := strings.Cut(want, ": ")
			for part := range strings.SplitSeq(parts, ", ") {
				if list[i].Subject != subject || !strings.Contains(list[i].Text, part) {
					t.Errorf("%s: %+v, want %q", name, list[i], want)
				}
			}
		}
	}
}
