package invite_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/graph/invite"
)

// ask is one request to the page.
func ask(t *testing.T, method, target, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	invite.New(false).ServeHTTP(w, r)
	return w
}

func TestEveryAnswerIsKeptFramedAndToldToNobody(t *testing.T) {
	t.Parallel()
	for path, contentType := range map[string]string{
		"/invite": "text/html; charset=utf-8", "/invite/page.js": "text/javascript; charset=utf-8",
		"/invite/page.css": "text/css; charset=utf-8", "/invite/icon.svg": "image/svg+xml", "/invite/nothing": "",
	} {
		w := ask(t, http.MethodGet, path, "")
		if contentType != "" && (w.Code != http.StatusOK || w.Header().Get("Content-Type") != contentType) {
			t.Errorf("%s: %d %q", path, w.Code, w.Header().Get("Content-Type"))
		}
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s %q", path, name, got)
			}
		}
		policy := w.Header().Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none';", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, part) || strings.Contains(policy, "unsafe") {
				t.Errorf("%s: policy %q", path, policy)
			}
		}
	}
	if w := ask(t, http.MethodGet, "/invite/", ""); w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != "/invite" {
		t.Errorf("a slash too many: %d %q", w.Code, w.Header().Get("Location"))
	}
	if w := ask(t, http.MethodPost, "/invite", ""); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("a post: %d", w.Code)
	}
}

func TestThePageSpeaksTheReadersLanguage(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"": "tr", "tr-TR,tr;q=0.9,en;q=0.8": "tr", "en-GB": "en", "de-DE": "tr", "de,en;q=0.5": "en",
	} {
		body := ask(t, http.MethodGet, "/invite", "", "Accept-Language", header).Body.String()
		if !strings.Contains(body, `<html lang="`+want+`">`) {
			t.Errorf("%q is answered %.60q", header, body)
		}
	}
	for _, tag := range []string{"tr", "en"} {
		body := ask(t, http.MethodGet, "/invite?lang="+tag, "", "Accept-Language", "de").Body.String()
		if !strings.Contains(body, `<html lang="`+tag+`">`) {
			t.Errorf("the switch to %s gives %.60q", tag, body)
		}
	}
}

var said = regexp.MustCompile(`data-say="([^"]+)">([^<]*)<`)

func TestEverySentenceIsInBothLanguages(t *testing.T) {
	t.Parallel()
	texts := map[string][]string{}
	for _, tag := range []string{"tr", "en"} {
		for _, found := range said.FindAllStringSubmatch(ask(t, http.MethodGet, "/invite?lang="+tag, "").Body.String(), -1) {
			texts[found[1]] = append(texts[found[1]], found[2])
		}
	}
	if len(texts) < 40 {
		t.Fatalf("the page says %d sentences", len(texts))
	}
	for key, both := range texts {
		n := len(both) / 2
		if len(both)%2 != 0 || both[0] == "" || both[n] == "" || both[0] == both[n] {
			t.Errorf("%s is said as %q", key, both)
		}
	}
}

func TestNoScriptOrStyleIsInThePage(t *testing.T) {
	t.Parallel()
	body := ask(t, http.MethodGet, "/invite", "").Body.String()
	for _, found := range regexp.MustCompile(`<script[^>]*>[^<]|<style|style=|\son[a-z]+=|https?://`).FindAllString(body, -1) {
		t.Errorf("the page has %q", found)
	}
}

func TestOnlyAnAuthenticatorsAddressIsDrawn(t *testing.T) {
	t.Parallel()
	const uri = "otpauth://totp/Vezne:a@b.example?issuer=Vezne&secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	w := ask(t, http.MethodPost, "/invite/qr", uri)
	var code struct {
		Size int
		Path string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &code); err != nil || code.Size < 30 || !strings.HasPrefix(code.Path, "M") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, text := range []string{"", "https://example.com", uri + strings.Repeat("x", 512)} {
		if w := ask(t, http.MethodPost, "/invite/qr", text); w.Code != http.StatusBadRequest {
			t.Errorf("%.30q is answered %d", text, w.Code)
		}
	}
	if w := ask(t, http.MethodGet, "/invite/qr", uri); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("a get is answered %d", w.Code)
	}
}
