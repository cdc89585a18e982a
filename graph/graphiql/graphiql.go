// Package graphiql is the page on which staff write queries by hand: GraphiQL, served by Vezne itself with all of its
// files. What it shows of the schema is what the API lets it read.
package graphiql

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
)

// Path is where the page is mounted. Its files name each other by it.
const Path = "/graphiql"

//go:embed page.html page.css page.js
//go:embed assets/*.gz
var files embed.FS

// policy lets the page load its own files and ask this host, and nothing else: neither inline scripts and styles nor eval.
// Its pictures are inline in its style sheet.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// New is the handler of Path and of everything below it.
func New() http.Handler {
	pages := http.NewServeMux()
	pages.Handle("GET "+Path, serve("page.html", "text/html; charset=utf-8"))
	pages.Handle("GET "+Path+"/{$}", http.RedirectHandler(Path, http.StatusMovedPermanently))
	pages.Handle("GET "+Path+"/page.css", serve("page.css", styles))
	pages.Handle("GET "+Path+"/page.js", serve("page.js", script))
	pages.Handle("GET "+Path+"/assets/graphiql.min.css", serve("assets/graphiql.min.css.gz", styles))
	for _, name := range []string{"graphiql.min.js", "react.production.min.js", "react-dom.production.min.js"} {
		pages.Handle("GET "+Path+"/assets/"+name, serve("assets/"+name+".gz", script))
	}
	return pages
}

const (
	styles = "text/css; charset=utf-8"
	script = "text/javascript; charset=utf-8"
)

// serve answers with an embedded file; a browser that has it already is told so. What is embedded compressed is sent so: every browser
// takes it.
func serve(name, contentType string) http.HandlerFunc {
	sum := sha256.New()
	if _, err := io.Copy(sum, open(name)); err != nil {
		panic(err) // it is in memory
	}
	etag := `"` + hex.EncodeToString(sum.Sum(nil)[:16]) + `"`
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", contentType)
		if strings.HasSuffix(name, ".gz") {
			h.Set("Content-Encoding", "gzip")
		}
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin") // no page of this host that opens it reaches into it
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = io.Copy(w, open(name)) // a client that has gone is nobody to tell
	}
}

// open returns a file, which is copied piece by piece: who asks for it and does not read it costs no memory.
func open(name string) io.Reader {
	content, err := files.Open(name)
	if err != nil {
		panic(err) // the compiler has embedded it
	}
	return content
}
