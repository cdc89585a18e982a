// Package guide serves the guide for integrators at /docs: pages of docs/, in English and Turkish, beside the reference that
// package apidoc makes. Pages are rendered once, when the first is asked for.
package guide

import (
	"embed"
	"io/fs"
	"net/http"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/core/lang"
)

//go:embed assets page.html
var files embed.FS

// Sources are what the pages are made of.
type Sources struct {
	Docs      fs.FS  // the folder docs/ of the repository
	Libraries []byte // sdk/README.md
}

// policy has a page load its own files and ask nothing of anybody.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const html = "text/html; charset=utf-8"

// Add puts the guide into the router that is mounted at /docs.
func Add(router chi.Router, from Sources) {
	site := sync.OnceValue(func() map[string]http.HandlerFunc { return build(from) })
	for path, find := range map[string]func(*http.Request) string{
		"/": func(r *http.Request) string { return string(rest.LanguageOf(r, lang.EN)) },
		"/{language}": func(r *http.Request) string {
			return r.PathValue("language")
		},
		"/{language}/{page}": func(r *http.Request) string { return r.PathValue("language") + "/" + r.PathValue("page") },
	} {
		answer := func(w http.ResponseWriter, r *http.Request) {
			handler, isThere := site()[find(r)]
			if !isThere {
				rest.NotFound(w, r)
				return
			}
			if path == "/" {
				w.Header().Set("Vary", "Accept-Language")
			}
			handler(w, r)
		}
		router.Get(path, answer)
		router.Head(path, answer)
	}
}

// build renders everything, by its path below /docs without the slash at its beginning.
func build(from Sources) map[string]http.HandlerFunc {
	site := map[string]http.HandlerFunc{}
	for _, name := range []string{"guide.css", "guide.js"} {
		site["assets/"+name] = rest.File(read("assets/"+name), typeOf(name), policy)
	}
	b := newBuilder(from)
	for _, tag := range lang.Tags() {
		for _, p := range pages {
			site[p.key(tag)] = rest.File(b.page(p, tag), html, policy)
		}
	}
	return site
}

func typeOf(name string) string {
	switch name[len(name)-3:] {
	case "css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	default:
		return "application/json; charset=utf-8"
	}
}

func read(name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the compiler has embedded it
	}
	return content
}
