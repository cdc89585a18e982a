package console_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/console"
)

// firstScreenBytes bounds what a browser loads, compressed, before it shows the first screen.
const firstScreenBytes = 300_000

func ask(t *testing.T, method, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	console.New().ServeHTTP(w, r)
	return w
}

func dist(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("dist", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFilesAreServed(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]struct{ file, contentType string }{
		"/console":                    {"index.html", "text/html; charset=utf-8"},
		"/console/":                   {"index.html", "text/html; charset=utf-8"},
		"/console/transactions":       {"index.html", "text/html; charset=utf-8"},
		"/console/transactions/A-B-C": {"index.html", "text/html; charset=utf-8"},
		"/console/app.js":             {"app.js", "text/javascript; charset=utf-8"},
		"/console/app.css":            {"app.css", "text/css; charset=utf-8"},
		"/console/icon.svg":           {"icon.svg", "image/svg+xml"},
		"/console/LICENSES.txt":       {"LICENSES.txt", "text/plain; charset=utf-8"},
	} {
		answer := ask(t, http.MethodGet, path)
		if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != want.contentType {
			t.Errorf("%s: %d %v", path, answer.Code, answer.Header())
		}
		if answer.Body.String() != dist(t, want.file) {
			t.Errorf("%s is not %s", path, want.file)
		}
		checkHeaders(t, path, answer.Header())
	}
	for _, path := range []string{
		"/console/old-chunk.js", "/console/index.html/x.js", "/console/../console.go", "/console/dist/app.js",
	} {
		if answer := ask(t, http.MethodGet, path); answer.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, answer.Code)
		}
	}
	answer := ask(t, http.MethodPost, "/console")
	if answer.Code != http.StatusMethodNotAllowed || answer.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", answer.Code, answer.Header())
	}
}

func checkHeaders(t *testing.T, path string, h http.Header) {
	t.Helper()
	policy := h.Get("Content-Security-Policy")
	for _, part := range []string{
		"default-src 'none';", "script-src 'self';", "style-src 'self';", "connect-src 'self';", "frame-ancestors 'none'",
	} {
		if !strings.Contains(policy, part) {
			t.Errorf("%s: the policy lacks %s: %s", path, part, policy)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "*") {
		t.Errorf("%s: policy %s", path, policy)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
		"Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-cache",
	} {
		if h.Get(name) != want {
			t.Errorf("%s: %s is %q", path, name, h.Get(name))
		}
	}
}

func TestABrowserThatHasAFileIsNotSentItAgain(t *testing.T) {
	t.Parallel()
	plain := ask(t, http.MethodGet, "/console/app.js").Header().Get("ETag")
	zipped := ask(t, http.MethodGet, "/console/app.js", "Accept-Encoding", "gzip").Header().Get("ETag")
	if plain == "" || zipped == "" || plain == zipped {
		t.Fatalf("the two forms have the tags %s and %s", plain, zipped)
	}
	again := ask(t, http.MethodGet, "/console/app.js", "Accept-Encoding", "gzip", "If-None-Match", zipped)
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("a second time: %d", again.Code)
	}
	if other := ask(t, http.MethodGet, "/console/app.js", "If-None-Match", `"other"`); other.Code != http.StatusOK {
		t.Errorf("of another version: %d", other.Code)
	}
}

func TestFilesAreCompressed(t *testing.T) {
	t.Parallel()
	answer := ask(t, http.MethodGet, "/console/app.js", "Accept-Encoding", "br, gzip")
	if answer.Header().Get("Content-Encoding") != "gzip" || answer.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("%v", answer.Header())
	}
	unzipped, err := gzip.NewReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil || string(text) != dist(t, "app.js") {
		t.Errorf("it is another file: %v", err)
	}
}

// What the page loads at once, and what a script imports at once.
var (
	named    = regexp.MustCompile(`(?:src|href)="/console/([\w.-]+)"`)
	imported = regexp.MustCompile(`(?:from|import)"\./([\w.-]+)"`)
)

// TestTheFirstScreenIsWithinItsBound: what the page loads at once, and what that imports, is small enough for a phone.
func TestTheFirstScreenIsWithinItsBound(t *testing.T) {
	t.Parallel()
	var todo []string
	for _, m := range named.FindAllStringSubmatch(dist(t, "index.html"), -1) {
		todo = append(todo, m[1])
	}
	todo = append(todo, "tr.js") // one of the languages: both are as large
	seen, size := map[string]bool{}, 0
	for ; len(todo) > 0; todo = todo[1:] {
		name := todo[0]
		if seen[name] {
			continue
		}
		seen[name] = true
		text := dist(t, name)
		size += zippedSize(t, text)
		if filepath.Ext(name) == ".js" {
			for _, m := range imported.FindAllStringSubmatch(text, -1) {
				todo = append(todo, m[1])
			}
		}
	}
	if !seen["app.js"] || !seen["app.css"] {
		t.Fatalf("the page loads %v", seen)
	}
	if size > firstScreenBytes {
		t.Errorf("the first screen takes %d bytes, more than %d: %v", size, firstScreenBytes, seen)
	}
	t.Logf("%d of %d bytes: %v", size, firstScreenBytes, seen)
}

func zippedSize(t *testing.T, text string) int {
	t.Helper()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return zipped.Len()
}

// TestTheBuildNamesNoOtherPlace: nothing of what is committed says where, when or from what it was built.
func TestTheBuildNamesNoOtherPlace(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("dist")
	if err != nil {
		t.Fatal(err)
	}
	hashed := regexp.MustCompile(`[-.][A-Z0-9]{8}\.`)
	for _, e := range entries {
		if e.IsDir() || hashed.MatchString(e.Name()) {
			t.Errorf("%s is no plain name", e.Name())
		}
		if text := dist(t, e.Name()); strings.Contains(text, "node_modules/") || strings.Contains(text, "sourceMappingURL") {
			t.Errorf("%s has a path of the build", e.Name())
		}
	}
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if regexp.MustCompile(`"resolved": "https?:`).Match(lock) {
		t.Error("the lockfile names a registry: npm asks the one that the machine is set up for")
	}
}
