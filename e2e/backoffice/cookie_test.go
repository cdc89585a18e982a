package backoffice_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// askByCookie sends an operation as a page of the installation's own origin does, with some headers of its own, and reads what it
// gives.
func askByCookie(t *testing.T, p *harness.Process, cookie, query string, own map[string]string, data any) harness.Answer {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.URL+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	header := map[string]string{
		"Content-Type": "application/json", "X-Vezne-Session": "cookie", "Sec-Fetch-Site": "same-origin", "Origin": p.URL, "Cookie": cookie,
	}
	maps.Copy(header, own)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	answer, err := harness.Send(r)
	if err == nil && data != nil {
		err = json.Unmarshal(answer.Body, &struct{ Data any }{data})
	}
	if err != nil {
		t.Fatalf("%v: %s", err, answer.Body)
	}
	return answer
}

// TestAConsoleSignsInByCookie through the real binary: what it needs to know, an export by a link that opens once, and the end. That
// no process logs the session the harness sees to.
func TestAConsoleSignsInByCookie(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		p := in.Serve()
		payment := in.Provider(p).Create(t, "start-manual-deposit", "250.00")
		m := in.Keys.Staff[0]
		login, err := json.Marshal(map[string]string{"email": m.Email, "password": m.Password})
		if err != nil {
			t.Fatal(err)
		}
		input := strings.NewReplacer(`"email":`, "email:", `"password":`, "password:").Replace(string(login))
		answer := askByCookie(t, p, "", `mutation { login(input: `+input+`) { token secondFactor { challenge } } }`, nil, nil)
		cookie, attributes, _ := strings.Cut(answer.Header.Get("Set-Cookie"), "; ")
		_, token, _ := strings.Cut(cookie, "=")
		if harness.KeepSecret("a staff session's token", token); token == "" ||
			attributes != "Path=/graphql; Max-Age=43200; HttpOnly; SameSite=Strict" ||
			strings.TrimSpace(string(answer.Body)) != `{"data":{"login":{"token":null,"secondFactor":null}}}` {
			t.Fatalf("signing in is answered %s, with %q", answer.Body, attributes)
		}
		var told struct {
			Me           struct{ Email string }
			Installation struct {
				IsDemo   bool
				TimeZone string
			}
		}
		askByCookie(t, p, cookie, `{ me { email } installation { isDemo timeZone } }`, nil, &told)
		if told.Me.Email != m.Email || told.Installation.TimeZone == "" || told.Installation.IsDemo {
			t.Errorf("it is told %+v", told)
		}
		for name, own := range map[string]map[string]string{
			"another name": {"Sec-Fetch-Site": "same-site"}, "no word": {"X-Vezne-Session": ""},
		} {
			if a := askByCookie(t, p, cookie, `{ me { email } }`, own, nil); strings.Contains(string(a.Body), m.Email) {
				t.Errorf("%s is answered %s", name, a.Body)
			}
		}
		checkPages(t, p, payment)
		for range 2 { // it is over after the first
			answer = askByCookie(t, p, cookie, `mutation { logout { session { id } } }`, nil, nil)
			if want := "vezne_session=; Path=/graphql; Max-Age=0; HttpOnly; SameSite=Strict"; answer.Header.Get("Set-Cookie") != want {
				t.Errorf("signing out is answered %s, with %q", answer.Body, answer.Header.Get("Set-Cookie"))
			}
		}
		if !strings.Contains(string(answer.Body), "UNAUTHENTICATED") {
			t.Errorf("signing out again is answered %s", answer.Body)
		}
		p.Stop(t)
	})
}

// checkPages: a script that somebody got into a payment page asks the back office nothing, and reaches into none of its pages.
func checkPages(t *testing.T, p *harness.Process, payment harness.Payment) {
	t.Helper()
	shown := harness.Get(t, payment.At(p).Page)
	host := strings.TrimPrefix(p.URL, "http://")
	if policy := shown.Header.Get("Content-Security-Policy"); shown.Status != http.StatusOK || !strings.Contains(policy, "connect-src "+host+"/pay/;") {
		t.Errorf("the payment page is answered %d, %s", shown.Status, policy)
	}
	for path, want := range map[string]string{"/docs": "same-origin", "/graphiql": "same-origin", "/invite": "same-origin"} {
		if a := harness.Get(t, p.URL+path); a.Status == http.StatusOK && a.Header.Get("Cross-Origin-Opener-Policy") != want {
			t.Errorf("%s: %q", path, a.Header.Get("Cross-Origin-Opener-Policy"))
		}
	}
}
