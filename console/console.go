// Package console is the app in which staff work in a browser, at /console. It is written in TypeScript, in src; dist is
// what `make console` makes of it. It speaks the GraphQL API only, as any other client does.
package console

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
)

// Path is where the console is mounted. Its files name each other by it.
const Path = "/console"

//go:embed dist
var files embed.FS

// policy lets the app load its own files and ask this host, and nothing else: neither inline scripts and styles nor eval.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// permissions switches off what the app never asks a browser for.
const permissions = "camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)"

// page is what every address shows that is no file's: the app reads the address itself.
const page = "index.html"

// New is the handler of Path and of everything below it.
func New() http.Handler {
	contents := make(map[string]file)
	err := fs.WalkDir(files, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		contents[strings.TrimPrefix(name, "dist/")] = newFile(name)
		return nil
	})
	if err != nil {
		panic("console: embedded files: " + err.Error()) // cannot happen: they are in the binary
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, Path), "/")
		found, ok := contents[name]
		if !ok && path.Ext(name) == "" {
			found, ok = contents[page], true
		}
		if !ok { // a file of another version: the page in its place would be taken for a script
			http.Error(w, http.StatusText(http.StatusNotFound), http.StatusNotFound)
			return
		}
		found.serve(w, r)
	})
}

// secure sets what every answer carries: nothing of the app is framed, or told to others.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", permissions)
}

// file is a file of dist. Its content stays in the program's file until it is asked for: most of a process's life nobody opens the console.
type file struct {
	name, contentType string
	zipped            func() []byte // made once
	etag              string        // without its quotes
}

func newFile(name string) file {
	sum := sha256.New()
	if _, err := io.Copy(sum, open(name)); err != nil {
		panic("console: " + err.Error()) // cannot happen: it is in memory
	}
	return file{
		name: name, contentType: contentType(name), etag: hex.EncodeToString(sum.Sum(nil)[:16]),
		zipped: sync.OnceValue(func() []byte { return zip(open(name)) }),
	}
}

// open returns a file of dist, which is copied piece by piece: who asks for it and does not read it costs no memory.
func open(name string) io.ReadSeeker {
	content, err := files.Open(name)
	if err != nil {
		panic("console: embedded files: " + err.Error()) // cannot happen: they are in the binary
	}
	return content.(io.ReadSeeker) //nolint:forcetypeassert // as embed documents
}

// contentType knows the sorts of files that dist has; the machine's own table of types is not asked.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	default:
		return "text/plain; charset=utf-8"
	}
}

func zip(content io.Reader) []byte {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := io.Copy(w, content); err != nil {
		panic("console: " + err.Error()) // cannot happen: memory takes everything
	}
	if err := w.Close(); err != nil {
		panic("console: " + err.Error())
	}
	return zipped.Bytes()
}

// serve answers with the file; a browser that has it already is told so.
func (f file) serve(w http.ResponseWriter, r *http.Request) {
	h, etag := w.Header(), f.etag
	var content io.ReadSeeker
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		content, etag = bytes.NewReader(f.zipped()), f.etag+"-gzip"
		h.Set("Content-Encoding", "gzip")
	} else {
		content = open(f.name)
	}
	h.Set("Content-Type", f.contentType)
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", `"`+etag+`"`)
	http.ServeContent(w, r, "", time.Time{}, content)
}
