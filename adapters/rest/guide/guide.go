// Package guide serves the guide for integrators at /docs: pages of docs/, in English and Turkish, beside the reference that
// package apidoc makes. Pages are rendered once, when the first is asked for.
package guide

import (
	"bytes"
	"embed"
	"encoding/json"
	"io/fs"
	"net/http"
	"path"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/core/lang"
)

//go:embed assets page.html checker.html search.html calls.html
var files embed.FS

// Sources are what the pages are made of.
type Sources struct {
	Docs fs.FS // the folder docs/ of the repository
	SDK  fs.FS // the folder sdk/

	BaseURL string // of the installation that is documented, which the Postman collection calls
}

// policy has a page load its own files and ask nothing of anybody. The search alone loads its index. The checker does not even send a form:
// also a script that somebody got into it could send nothing away.
func policy(form string) string {
	connect, action := "'none'", "'self'"
	switch form {
	case "checker":
		action = "'none'"
	case "search":
		connect = "'self'"
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src " + connect + "; form-action " + action +
		"; base-uri 'none'; frame-ancestors 'none'"
}

const html = "text/html; charset=utf-8"

// Add puts the guide into the router that is mounted at /docs.
func Add(router chi.Router, from Sources) {
	site := sync.OnceValue(func() map[string]http.HandlerFunc { return build(from) })
	for pattern, find := range map[string]func(*http.Request) string{
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
			if pattern == "/" {
				w.Header().Set("Vary", "Accept-Language")
			}
			handler(w, r)
		}
		router.Get(pattern, answer)
		router.Head(pattern, answer)
	}
}

// exampleServer is the address in the Postman collection, which is nobody's.
const exampleServer = "https://pay.vezne.example"

// build renders everything, by its path below /docs without the slash at its beginning.
func build(from Sources) map[string]http.HandlerFunc {
	site := map[string]http.HandlerFunc{}
	entries, err := files.ReadDir("assets")
	if err != nil {
		panic(err) // the compiler has embedded it
	}
	for _, entry := range entries {
		name := "assets/" + entry.Name()
		if path.Ext(name) == ".css" {
			site[name] = rest.File(read(name), "text/css; charset=utf-8", policy(""))
		} else {
			site[name] = rest.File(lean(read(name)), "text/javascript; charset=utf-8", policy(""))
		}
	}
	server, err := json.Marshal(from.BaseURL)
	if err != nil {
		panic(err) // a text always encodes
	}
	calls := bytes.Replace(from.read("sdk/postman.json"), []byte(`"`+exampleServer+`"`), server, 1)
	site["postman.json"] = rest.File(calls, "application/json", policy(""))
	for _, file := range downloads {
		site["sdk/"+path.Base(file)] = rest.File(from.read(file), "text/plain; charset=utf-8", policy(""))
	}
	b := newBuilder(from)
	for _, tag := range lang.Tags() {
		for _, p := range pages {
			site[p.key(tag)] = rest.File(b.page(p, tag), html, policy(p.form))
		}
		site[search.key(tag)] = rest.File(b.page(search, tag), html, policy(search.form))
		site[search.key(tag)+".json"] = rest.File(b.index(tag), "application/json", policy(""))
	}
	return site
}

// lean is a script without what only its readers need: comments on lines of their own, and what lines begin with. No text of ours goes over
// several lines.
func lean(script []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(script) {
		line = bytes.TrimLeft(line, " ")
		if isComment := bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("/*")) || bytes.HasPrefix(line, []byte("* ")) || bytes.HasPrefix(line, []byte("*/")); !isComment && len(line) > 1 {
			out.Write(line)
		}
	}
	return out.Bytes()
}

func read(name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the compiler has embedded it
	}
	return content
}
