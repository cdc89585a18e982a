// Package apidoc is the description of Vezne's REST API and its callbacks, in English and Turkish, for people and for machines: pages at
// /docs/en/reference and /docs/tr/reference, and OpenAPI 3.1 at /docs/openapi.json and /docs/openapi.tr.json. openapi.yaml is written by
// hand, and so are its texts in Turkish, openapi.tr.yaml; openapi.json and openapi.tr.json are made from them.
package apidoc

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"net/http"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/core/lang"
)

//go:generate go test -run TestJSONIsMadeFromYAML -update .

// Path is where the description is mounted.
const Path = "/docs"

//go:embed openapi.json openapi.tr.json page.html page.css page.js assets/redoc.standalone.js.gz
var files embed.FS

// policy lets the page load its own files and nothing else. Redoc writes its styles into the page and searches in a
// worker that it makes itself; the pictures are inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// exampleServer is the address in the description. It is nobody's: who reads the description from a running Vezne is told that one's.
const exampleServer = "https://pay.vezne.example"

// page is the template of the page. "say" picks what is in the page's language.
var page = template.Must(template.New("page.html").Funcs(template.FuncMap{"say": say}).ParseFS(files, "page.html"))

// say picks what is in a language.
func say(tag lang.Tag, en, tr string) string {
	if tag == lang.TR {
		return tr
	}
	return en
}

// shown is what the page is made of.
type shown struct {
	Tag      lang.Tag
	Sections string
}

// heading is one that begins a section. Those of parts of a section have more number signs.
var heading = regexp.MustCompile(`(?m)^# (.+)$`)

// sections are the names of the description's sections, with a space between them, as addresses have them in either language: Redoc makes
// them of the English headings, and page.js finds those that it makes of the Turkish ones.
func sections() string {
	var description struct {
		Info struct {
			Description string `json:"description"`
		} `json:"info"`
	}
	if err := json.Unmarshal(OpenAPI(lang.EN), &description); err != nil {
		panic(err) // the tests have read it
	}
	var names []string
	for _, found := range heading.FindAllStringSubmatch(description.Info.Description, -1) {
		names = append(names, strings.ReplaceAll(found[1], " ", "-"))
	}
	return strings.Join(names, " ")
}

// New is the router to be mounted at Path of the installation at baseURL ("https://pay.example.com", without a slash at its end), which the
// descriptions that it serves name as their server.
func New(baseURL string) *chi.Mux {
	pages, names := map[lang.Tag]http.HandlerFunc{}, sections()
	served := map[string]http.HandlerFunc{
		"/reference": func(w http.ResponseWriter, r *http.Request) { // in English where the reader's language is unknown, as the guide is
			w.Header().Set("Vary", "Accept-Language")
			pages[rest.LanguageOf(r, lang.EN)](w, r)
		},
		"/reference/page.css":            rest.File(read("page.css"), "text/css; charset=utf-8", policy),
		"/reference/page.js":             rest.File(read("page.js"), "text/javascript; charset=utf-8", policy),
		"/reference/redoc.standalone.js": rest.Zipped(files, "assets/redoc.standalone.js.gz", "text/javascript; charset=utf-8", policy),
	}
	for _, tag := range lang.Tags() {
		var made bytes.Buffer
		if err := page.Execute(&made, shown{tag, names}); err != nil {
			panic(err) // the tests have rendered it
		}
		pages[tag] = rest.File(made.Bytes(), "text/html; charset=utf-8", policy)
		served["/"+string(tag)+"/reference"] = pages[tag]
		served["/"+file(tag)] = rest.File(at(baseURL, OpenAPI(tag)), "application/json; charset=utf-8", policy)
	}
	router := rest.Routes()
	for path, answer := range served {
		router.Get(path, answer)
		router.Head(path, answer)
	}
	return router
}

// OpenAPI is the description as JSON, with its texts in a language.
func OpenAPI(tag lang.Tag) []byte { return read(file(tag)) }

func file(tag lang.Tag) string { return say(tag, "openapi.json", "openapi.tr.json") }

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
