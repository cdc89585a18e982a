// Package apidoc is the description of Vezne's REST API and its callbacks, for people and for machines: a page at /docs/reference
// and OpenAPI 3.1 at /docs/openapi.json. openapi.yaml is written by hand; openapi.json is made from it.
package apidoc

import (
	"bytes"
	"embed"
	"encoding/json"
	"net/http"

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

// exampleServer is the address in the description. It is nobody's: who reads the description from a running Vezne is told that one's.
const exampleServer = "https://pay.vezne.example"

// New is the router to be mounted at Path of the installation at baseURL ("https://pay.example.com", without a slash at its end), which the
// description that it serves names as its server.
func New(baseURL string) *chi.Mux {
	router := rest.Routes()
	for path, file := range map[string]http.HandlerFunc{
		"/openapi.json":                  rest.File(at(baseURL, OpenAPI()), "application/json; charset=utf-8", policy),
		"/reference":                     rest.File(read("page.html"), "text/html; charset=utf-8", policy),
		"/reference/page.css":            rest.File(read("page.css"), "text/css; charset=utf-8", policy),
		"/reference/page.js":             rest.File(read("page.js"), "text/javascript; charset=utf-8", policy),
		"/reference/redoc.standalone.js": rest.File(read("assets/redoc.standalone.js"), "text/javascript; charset=utf-8", policy),
	} {
		router.Get(path, file)
		router.Head(path, file)
	}
	return router
}

// OpenAPI is the description as JSON.
func OpenAPI() []byte { return read("openapi.json") }

// at is the description with the address of an installation as its server.
func at(baseURL string, description []byte) []byte {
	server, err := json.Marshal(baseURL)
	if err != nil {
		panic(err) // a text always encodes
	}
	return bytes.Replace(description, []byte(`"`+exampleServer+`"`), server, 1)
}

func read(name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the compiler has embedded it
	}
	return content
}
