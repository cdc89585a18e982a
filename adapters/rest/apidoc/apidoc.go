// Package apidoc is the description of Vezne's REST API and its callbacks, for people and for machines: a page at /docs
// and OpenAPI 3.1 at /docs/openapi.json. openapi.yaml is written by hand; openapi.json is made from it.
package apidoc

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
)

//go:generate go test -run TestJSONIsMadeFromYAML -update .

// Path is where the description is mounted.
const Path = "/docs"

//go:embed openapi.json page.html page.css page.js assets/redoc.standalone.js
var files embed.FS

// policy lets the page load its own files and nothing else. Redoc writes its styles into the page and searches in a
// worker that it makes itself; the pictures are inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// New is the router to be mounted at Path.
func New() *chi.Mux {
	router := rest.Routes()
	for path, file := range map[string]http.HandlerFunc{
		"/":                    serve("page.html", "text/html; charset=utf-8"),
		"/openapi.json":        serve("openapi.json", "application/json; charset=utf-8"),
		"/page.css":            serve("page.css", "text/css; charset=utf-8"),
		"/page.js":             serve("page.js", "text/javascript; charset=utf-8"),
		"/redoc.standalone.js": serve("assets/redoc.standalone.js", "text/javascript; charset=utf-8"),
	} {
		router.Get(path, file)
		router.Head(path, file)
	}
	return router
}

// OpenAPI is the description as JSON.
func OpenAPI() []byte { return read("openapi.json") }

// serve answers with an embedded file; a browser that has it already is told so.
func serve(name, contentType string) http.HandlerFunc {
	content := read(name)
	sum := sha256.Sum256(content)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentType)
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", etag)
		if strings.HasPrefix(contentType, "text/html") { // no page of this host that opens it reaches into it
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(content) // a client that has gone is nobody to tell
	}
}

func read(name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the compiler has embedded it
	}
	return content
}
