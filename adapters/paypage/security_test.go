package paypage_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/paypage"
	"github.com/vezne/vezne/adapters/paypage/sentences"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// TestHeaders: every answer under /pay/, of whatever kind, is locked down.
func TestHeaders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	want := map[string]string{
		"Content-Security-Policy":    s.narrowed(strictPolicy),
		"Cross-Origin-Opener-Policy": "unsafe-none", "Cross-Origin-Resource-Policy": "same-origin",
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		"X-Frame-Options": "DENY", "X-Robots-Tag": "noindex, nofollow",
	}
	answers := map[string]answer{
		"page": s.get(path(p)), "state": s.get(path(p) + "/state"), "unknown": s.get("/pay/NOPE"), "nothing": s.get("/pay/"),
		"wrong method": s.post(path(p), nil), "redirect": s.post(path(p)+"/paid", nil), "no asset": s.get("/pay/assets/x/y"),
	}
	for name, got := range answers {
		for header, value := range want {
			if got.header.Get(header) != value {
				t.Errorf("%s: %s is %q", name, header, got.header.Get(header))
			}
		}
		if got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s sets a cookie", name)
		}
	}
	if !strings.Contains(answers["page"].header.Get("Permissions-Policy"), "camera=()") {
		t.Error("no Permissions-Policy")
	}
}

// narrowed is a policy with which a script asks the pages of payments alone.
func (s *stage) narrowed(policy string) string {
	return strings.Replace(policy, "connect-src 'self'", "connect-src "+strings.TrimPrefix(s.server.URL, "http://")+"/pay/", 1)
}

// TestTheScriptAsksPaymentPagesAlone: the back office is on the same host, and a cookie of its staff would go along. Hosts that no
// policy can name are left as they are.
func TestTheScriptAsksPaymentPagesAlone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ base, host, want string }{
		{"https://pay.vezne.test", "pay.vezne.test", "pay.vezne.test/pay/"},
		{"https://pay.vezne.test", "10.0.0.1:8080", "pay.vezne.test/pay/"},
		{"https://pay.vezne.test", "inner:8080", "pay.vezne.test/pay/"},
		{"https://pay.vezne.test", "inner.test:8080", "inner.test:8080/pay/ pay.vezne.test/pay/"},
		{"http://127.0.0.1:8080", "localhost:8080", "localhost:8080/pay/ 127.0.0.1:8080/pay/"},
		{"", "evil.test;script-src", "'self'"},
		{"", "[::1]:8080", "'self'"},
		{"https://10.0.0.1", "10.0.0.1", "'self'"},
	} {
		s := newStage(t)
		s.config.BaseURL = tt.base
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/pay/NOPE", nil)
		r.Host = tt.host
		answer := httptest.NewRecorder()
		paypage.New(s.config).ServeHTTP(answer, r)
		want := strings.Replace(strictPolicy, "connect-src 'self'", "connect-src "+tt.want, 1)
		if got := answer.Header().Get("Content-Security-Policy"); got != want {
			t.Errorf("%s at %s: %s", tt.host, tt.base, got)
		}
	}
}

// TestNothingInline: no page has a script, a style or a handler of its own, nor anything of another host.
func TestNothingInline(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	bad := regexp.MustCompile(`(?i)<script>|<style|\sstyle=|\son[a-z]+=|javascript:|(?:src|href|action)="(?:https?:)?//`)
	for phase, p := range s.inEachPhase() {
		if found := bad.FindString(s.get(path(p)).body); found != "" {
			t.Errorf("%s has %q", phase, found)
		}
	}
}

// assetOf matches the page's assets.
var assetOf = regexp.MustCompile(`(?:src|href)="(/pay/assets/[0-9a-f]{16}/[a-z.]+)"`)

// TestSize: the page in all is under 25 KB, in every state and language.
func TestSize(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for phase, p := range s.inEachPhase() {
		for _, tag := range []string{"tr", "en"} {
			page := s.get(path(p) + "?lang=" + tag)
			total := len(page.body)
			assets := assetOf.FindAllStringSubmatch(page.body, -1)
			if len(assets) != 3 {
				t.Fatalf("%s: want style, script and icon, got %v", phase, assets)
			}
			for _, asset := range assets {
				got := s.get(asset[1])
				if got.status != http.StatusOK || got.header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
					t.Errorf("%s: %d, %s", asset[1], got.status, got.header.Get("Cache-Control"))
				}
				total += len(got.body)
			}
			if total >= 30_000 {
				t.Errorf("%s in %s weighs %d bytes", phase, tag, total)
			}
			t.Logf("%s in %s: %d bytes, of which HTML %d", phase, tag, total, len(page.body))
		}
	}
}

// TestAssetOfAnotherVersion: while versions mix during a rollout, an asset is found by any hash, and not kept.
func TestAssetOfAnotherVersion(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	got := s.get("/pay/assets/0123456789abcdef/page.css")
	if got.status != http.StatusOK || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d, %s", got.status, got.header.Get("Cache-Control"))
	}
	if !strings.HasPrefix(got.header.Get("Content-Type"), "text/css") {
		t.Errorf("Content-Type is %s", got.header.Get("Content-Type"))
	}
}

// TestUnknown: an unknown token, whatever its shape, is the same friendly page.
func TestUnknown(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	first := s.get("/pay/" + strings.Repeat("0", len(p.Token)))
	if first.status != http.StatusNotFound || !strings.Contains(first.text(), "Bu ödeme sayfası bulunamadı") {
		t.Fatalf("%d\n%s", first.status, first.text())
	}
	for _, at := range []string{
		"/pay/x", "/pay/" + p.TrackingCode, "/pay/" + strings.Repeat("0", 5000), "/pay/" + p.Token + "/nothing", "/pay/",
		"/pay/%00", "/pay/" + p.Token + "%00", "/pay/" + strings.ToLower(p.Token),
	} {
		if got := s.get(at); got.status != http.StatusNotFound || got.text() != first.text() {
			t.Errorf("%.60s: %d\n%s", at, got.status, got.text())
		}
	}
	for _, action := range []string{"continue", "paid", "cancel"} {
		if got := s.post("/pay/x/"+action, url.Values{"amount": {"250"}}); got.status != http.StatusNotFound {
			t.Errorf("%s of nothing: %d", action, got.status)
		}
	}
	if got := s.get("/pay/x/state"); got.status != http.StatusNotFound || got.body != "" {
		t.Errorf("state of nothing: %d %q", got.status, got.body)
	}
	inEnglish := s.request(http.MethodGet, "/pay/x", nil)
	inEnglish.Header.Set("Accept-Language", "en-GB,en;q=0.8")
	if got := s.send(inEnglish); !strings.Contains(got.text(), "This payment page was not found") {
		t.Errorf("not in English:\n%s", got.text())
	}
}

// TestWrongMethod: 405 with Allow, as a page that leads back.
func TestWrongMethod(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	tests := []struct{ method, below, allow string }{
		{http.MethodPost, "", "GET, HEAD"}, {http.MethodDelete, "", "GET, HEAD"}, {http.MethodPut, "/state", "GET, HEAD"},
		{http.MethodGet, "/continue", "POST"}, {http.MethodGet, "/paid", "POST"}, {http.MethodGet, "/cancel", "POST"},
	}
	for _, tt := range tests {
		got := s.send(s.request(tt.method, path(p)+tt.below, nil))
		if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != tt.allow {
			t.Errorf("%s %s: %d, Allow %q", tt.method, tt.below, got.status, got.header.Get("Allow"))
		}
		if !strings.Contains(got.body, `href="/pay/`+p.Token+`"`) {
			t.Errorf("%s %s: no way back", tt.method, tt.below)
		}
	}
	if got := s.send(s.request(http.MethodHead, path(p), nil)); got.status != http.StatusOK || got.body != "" {
		t.Errorf("HEAD: %d", got.status)
	}
	if now := s.Reload(t, p); now.Status != payment.Showing {
		t.Errorf("now %s", now.Status)
	}
}

// TestCrossSite: no other site can send a form of the page.
func TestCrossSite(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	tests := []struct {
		site, origin string
		want         int
	}{
		{"cross-site", "", http.StatusForbidden},
		{"same-site", "", http.StatusForbidden},
		{"cross-site", "null", http.StatusForbidden},
		{"", "https://evil.example", http.StatusForbidden},
		{"same-origin", "", http.StatusSeeOther},
		{"same-origin", "null", http.StatusSeeOther}, // what our Referrer-Policy makes of it
		{"", s.server.URL, http.StatusSeeOther},
		{"", "null", http.StatusSeeOther}, // the same, of a browser without Sec-Fetch-Site
		{"", "", http.StatusSeeOther},
	}
	for _, tt := range tests {
		r := s.request(http.MethodPost, path(p)+"/continue", url.Values{"amount": {"300"}})
		for header, value := range map[string]string{"Sec-Fetch-Site": tt.site, "Origin": tt.origin} {
			if value != "" {
				r.Header.Set(header, value)
			}
		}
		if got := s.send(r); got.status != tt.want {
			t.Errorf("Sec-Fetch-Site %q, Origin %q: %d, want %d", tt.site, tt.origin, got.status, tt.want)
		}
		if tt.want == http.StatusForbidden && !s.Reload(t, p).Amount.Equal(lira(250)) {
			t.Errorf("Sec-Fetch-Site %q, Origin %q changed the amount", tt.site, tt.origin)
		}
	}
}

// TestForms: what is no form of the page is refused and changes nothing.
func TestForms(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.deposit()
	huge := url.Values{"amount": {"250"}, "more": {strings.Repeat("x", 9000)}}
	if got := s.post(path(p)+"/continue", huge); got.status != http.StatusRequestEntityTooLarge {
		t.Errorf("9 KB: %d", got.status)
	}
	broken := s.request(http.MethodPost, path(p)+"/continue", nil)
	broken.Body, broken.ContentLength = io.NopCloser(strings.NewReader("amount=%zz")), -1
	if got := s.send(broken); got.status != http.StatusBadRequest {
		t.Errorf("broken encoding: %d", got.status)
	}
	json := s.request(http.MethodPost, path(p)+"/continue", nil)
	json.Header.Set("Content-Type", "application/json")
	json.Body, json.ContentLength = io.NopCloser(strings.NewReader(`{"amount":"250"}`)), -1
	if got := s.send(json); got.status != http.StatusSeeOther || !strings.Contains(got.header.Get("Location"), "problem=empty") {
		t.Errorf("JSON: %d to %s", got.status, got.header.Get("Location"))
	}
	if now := s.Reload(t, p); now.Version != p.Version {
		t.Errorf("the payment changed: %+v", now)
	}
}

// TestOutage: without the database the page is a friendly 503 that tries again, and what is unexpected a 500.
func TestOutage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	s.fails(errOutage)
	got := s.get(path(p) + "?lang=en")
	if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" ||
		!strings.Contains(got.text(), "We cannot answer right now") {
		t.Errorf("%d\n%s", got.status, got.text())
	}
	if want := `content="5;url=/pay/` + p.Token + `?lang=en"`; !strings.Contains(got.body, want) {
		t.Errorf("the page does not try again by %s:\n%s", want, got.body)
	}
	if got := s.post(path(p)+"/paid", nil); got.status != http.StatusServiceUnavailable {
		t.Errorf("paid: %d", got.status)
	}
	if got := s.get(path(p) + "/state"); got.status != http.StatusServiceUnavailable {
		t.Errorf("state: %d", got.status)
	}
	s.fails(errors.New("index corrupted"))
	if got := s.get(path(p)); got.status != http.StatusInternalServerError || strings.Contains(got.body, "corrupted") {
		t.Errorf("%d\n%s", got.status, got.text())
	}
	s.fails(fault.New("store", fault.Conflict))
	if got := s.get(path(p)); got.status != http.StatusServiceUnavailable {
		t.Errorf("lost races: %d", got.status)
	}
	s.fails(nil)
	if got := s.get(path(p)); got.status != http.StatusOK {
		t.Errorf("after the outage: %d", got.status)
	}
}

// TestTokenIsNotLogged: whatever goes wrong, the token stays out of the logs, and of the pattern an access log writes.
func TestTokenIsNotLogged(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.offered()
	s.fails(errOutage)
	for _, below := range []string{"", "/state"} {
		s.get(path(p) + below)
	}
	for _, action := range []string{"/continue", "/paid", "/cancel"} {
		s.post(path(p)+action, url.Values{"amount": {"250"}})
	}
	logs := s.Logs.String()
	if strings.Contains(logs, p.Token) {
		t.Errorf("the token is in\n%s", logs)
	}
	if n := strings.Count(logs, "/pay/{token}"); n != 5 || !strings.Contains(logs, "fault=UNAVAILABLE") {
		t.Errorf("want five lines with their pattern, got %d in\n%s", n, logs)
	}
}

// TestSentences: every sentence exists in both languages with the same arguments, is used, and every key used exists.
func TestSentences(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	for _, dir := range []string{".", "templates"} {
		for _, entry := range must(os.ReadDir(dir))(t) {
			name := dir + "/" + entry.Name()
			isSource := strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".go")
			if isSource && !strings.HasSuffix(name, "_test.go") {
				source.Write(must(os.ReadFile(name))(t))
			}
		}
	}
	used := source.String()
	verbs := regexp.MustCompile(`%.`)
	all := sentences.All()
	for key, s := range all {
		if s[0] == "" || s[1] == "" {
			t.Errorf("%s lacks a language", key)
		}
		if tr, en := verbs.FindAllString(s[0], -1), verbs.FindAllString(s[1], -1); !slices.Equal(tr, en) {
			t.Errorf("%s has the arguments %v in Turkish and %v in English", key, tr, en)
		}
		family, _, _ := strings.Cut(key, ".")
		isChosen := slices.Contains([]string{"problem", "notice", "failure", "need", "wrong", "wait", "way"}, family)
		if !isChosen && !strings.Contains(used, `"`+key+`"`) {
			t.Errorf("nothing says %s", key)
		}
	}
	for _, call := range regexp.MustCompile(`(?:\.T|\.Copy) "([^"]+)"`).FindAllStringSubmatch(used, -1) {
		if _, ok := all[call[1]]; !ok {
			t.Errorf("there is no sentence %s", call[1])
		}
	}
}
