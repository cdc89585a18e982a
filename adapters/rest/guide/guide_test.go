package guide_test

import (
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/adapters/rest/apidoc"
	"github.com/vezne/vezne/adapters/rest/guide"
	"github.com/vezne/vezne/docs"
	"github.com/vezne/vezne/sdk"
)

// handler is what answers below /docs, as the program puts it together.
func handler() http.Handler {
	edge := &rest.Edge{Log: slog.New(slog.DiscardHandler), Now: time.Now, Random: rand.Reader}
	root := rest.Routes()
	root.Use(edge.Handler)
	documents := apidoc.New("https://odeme.test")
	guide.Add(documents, guide.Sources{Docs: docs.Files, SDK: sdk.Pages, BaseURL: "https://odeme.test"})
	root.Mount(apidoc.Path, documents)
	root.Get("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return root
}

func ask(h http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

var (
	reference = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
	named     = regexp.MustCompile(`\bid="([^"]*)"`)
)

// crawl reads every page that links lead to from /docs, by its path.
func crawl(t *testing.T, h http.Handler) map[string]string {
	t.Helper()
	found := map[string]string{}
	for next := []string{"/docs"}; len(next) > 0; next = next[1:] {
		path := next[0]
		if _, isKnown := found[path]; isKnown {
			continue
		}
		w := ask(h, http.MethodGet, path)
		if w.Code >= 300 {
			t.Errorf("%s is answered with %d", path, w.Code)
		}
		found[path] = w.Body.String()
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			continue
		}
		for _, link := range reference.FindAllStringSubmatch(found[path], -1) {
			to, _, _ := strings.Cut(link[1], "#")
			if strings.HasPrefix(to, "/") {
				next = append(next, to)
			}
		}
	}
	return found
}

// isReference reports whether a path is package apidoc's: its page in either language, what that loads, and the description.
func isReference(path string) bool {
	return strings.HasPrefix(path, "/docs/reference/") || strings.HasPrefix(path, "/docs/openapi.") || strings.HasSuffix(path, "/reference")
}

// TestEveryLinkLeadsSomewhere follows each link, to the heading that it names.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	found := crawl(t, handler())
	if len(found) < 30 {
		t.Errorf("only %d pages are linked to", len(found))
	}
	for path, text := range found {
		if !strings.HasPrefix(text, "<!doctype html>") {
			continue
		}
		for _, link := range reference.FindAllStringSubmatch(text, -1) {
			to, anchor, _ := strings.Cut(link[1], "#")
			anchor, err := url.PathUnescape(anchor)
			if err != nil {
				t.Errorf("%s links to %s: %v", path, link[1], err)
			}
			if to == "" {
				to = path
			}
			if file, isOurs := strings.CutPrefix(to, "https://github.com/vezne/vezne/blob/main/"); isOurs {
				if _, err := os.Stat(filepath.Join("../../..", file)); err != nil {
					t.Errorf("%s links to %s, which the repository lacks", path, file)
				}
				continue
			}
			if anchor == "" || !strings.HasPrefix(to, "/") || isReference(to) {
				continue
			}
			if !strings.Contains(found[to], `id="`+anchor+`"`) {
				t.Errorf("%s links to %s, which %s lacks", path, link[1], to)
			}
		}
		seen := map[string]bool{}
		for _, id := range named.FindAllStringSubmatch(text, -1) {
			if seen[id[1]] {
				t.Errorf("%s has #%s twice", path, id[1])
			}
			seen[id[1]] = true
		}
	}
}

// inline is what the policy refuses.
var inline = regexp.MustCompile(`(?i)<style|<script>| style="| on[a-z]+="|javascript:`)

// TestPages: each may be kept, says what it loads, and has nothing in it that its own policy refuses.
func TestPages(t *testing.T) {
	t.Parallel()
	h := handler()
	for path := range crawl(t, h) {
		if !strings.HasPrefix(path, "/docs") || isReference(path) {
			continue
		}
		w := ask(h, http.MethodGet, path)
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self';") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
			t.Errorf("%s: policy %s", path, policy)
		}
		if again := ask(h, http.MethodGet, path, "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s a second time: %d", path, again.Code)
		}
		if head := ask(h, http.MethodHead, path); head.Code != http.StatusOK {
			t.Errorf("HEAD %s: %d", path, head.Code)
		}
		text := w.Body.String()
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			continue
		}
		if w.Header().Get("Cross-Origin-Opener-Policy") != "same-origin" {
			t.Errorf("%s may be reached into", path)
		}
		if bad := inline.FindString(text); bad != "" {
			t.Errorf("%s has %s", path, bad)
		}
		if strings.Count(text, "<h1") != 1 || strings.Contains(text, "raw HTML") || strings.Contains(text, "tested:") {
			t.Errorf("%s is not rendered as it should be", path)
		}
	}
	for _, path := range []string{"/docs/nothing", "/docs/de", "/docs/en/nothing", "/docs/en/../../x", "/docs/assets", "/docs/assets/page.html", "/docs/en/README.md"} {
		if w := ask(h, http.MethodGet, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := ask(h, http.MethodPost, "/docs/en"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

// TestTheCollectionCallsWhoServesIt: it is that of the libraries, with the address of this installation.
func TestTheCollectionCallsWhoServesIt(t *testing.T) {
	t.Parallel()
	var made struct {
		Variable []struct{ Key, Value string } `json:"variable"`
	}
	w := ask(handler(), http.MethodGet, "/docs/postman.json")
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || len(made.Variable) == 0 || made.Variable[0].Key != "base_url" || made.Variable[0].Value != "https://odeme.test" {
		t.Errorf("%v: %+v", err, made)
	}
}

// TestTheLibrariesAreHandedOut to whoever has nothing but a running Vezne, where the page of libraries leads to.
func TestTheLibrariesAreHandedOut(t *testing.T) {
	t.Parallel()
	h := handler()
	page := ask(h, http.MethodGet, "/docs/en/libraries").Body.String()
	for _, file := range []string{"php/Vezne.php", "typescript/vezne.mjs", "typescript/vezne.d.mts", "python/vezne.py", "csharp/Vezne.cs"} {
		want, err := os.ReadFile(filepath.Join("../../../sdk", file))
		if err != nil {
			t.Fatal(err)
		}
		address := "/docs/sdk/" + filepath.Base(file)
		w := ask(h, http.MethodGet, address)
		if w.Code != http.StatusOK || w.Body.String() != string(want) || !strings.Contains(page, `href="`+address+`"`) {
			t.Errorf("%s: HTTP %d, %d bytes of %d", address, w.Code, w.Body.Len(), len(want))
		}
	}
}

// TestTheFirstPageIsInTheReadersLanguage, and in English where that is unknown: who integrates reads it.
func TestTheFirstPageIsInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	h := handler()
	for accept, want := range map[string]string{"": "en", "de": "en", "en-GB, tr;q=0.5": "en", "tr-TR,tr;q=0.9,en;q=0.8": "tr"} {
		w := ask(h, http.MethodGet, "/docs", "Accept-Language", accept)
		if !strings.Contains(w.Body.String(), `<html lang="`+want+`">`) || w.Header().Get("Vary") != "Accept-Language" {
			t.Errorf("%q: not in %s", accept, want)
		}
	}
}
