// Package invite is the page that an invitation's link leads to: whoever was invited chooses a password there, and sets up
// an authenticator app. It asks the API as any other client does.
package invite

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"io"
	"net/http"
	"strings"

	"github.com/vezne/vezne/adapters/qrcode"
	"github.com/vezne/vezne/core/lang"
)

// Path is where the page is mounted. It names what it needs relative to itself, so that it may be behind a prefix.
const Path = "/invite"

//go:embed page.html page.css page.js icon.svg
var files embed.FS

// policy lets the page load its own files and ask this host, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// maxURIBytes bounds what is drawn as a QR code.
const maxURIBytes = 512

// New is the handler of Path and of everything below it.
func New(hasGraphiQL bool) http.Handler {
	page := template.Must(template.ParseFS(files, "page.html"))
	mux := http.NewServeMux()
	for _, t := range lang.Tags() {
		_ = render(page, t, hasGraphiQL) // a page that cannot be made is found at the start
	}
	mux.HandleFunc("GET "+Path, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Vary", "Accept-Language")
		send(w, "text/html; charset=utf-8", render(page, languageOf(r), hasGraphiQL))
	})
	mux.Handle("GET "+Path+"/{$}", http.RedirectHandler(Path, http.StatusMovedPermanently))
	for name, contentType := range map[string]string{
		"page.css": "text/css; charset=utf-8", "page.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
	} {
		content, err := files.ReadFile(name)
		if err != nil {
			panic(err) // the compiler has embedded it
		}
		mux.HandleFunc("GET "+Path+"/"+name, func(w http.ResponseWriter, _ *http.Request) { send(w, contentType, content) })
	}
	mux.HandleFunc("POST "+Path+"/qr", draw)
	return secured(mux)
}

// secured sets what every answer carries: nothing of the page is kept, framed or told to others.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("X-Robots-Tag", "noindex, nofollow")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)")
		next.ServeHTTP(w, r)
	})
}

func send(w http.ResponseWriter, contentType string, content []byte) {
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(content) // a client that has gone is nobody to tell
}

// languageOf is the one that the switch asks for, or else the browser's.
func languageOf(r *http.Request) lang.Tag {
	if t, ok := lang.Parse(r.URL.Query().Get("lang")); ok {
		return t
	}
	return lang.FromHeader(r.Header.Get("Accept-Language"), lang.TR)
}

// view is what the template shows.
type view struct {
	Lang, Other lang.Tag
	HasGraphiQL bool
}

// Say is a sentence that the switch finds by its key.
func (v view) Say(key string) (template.HTML, error) {
	text, err := sentence(v.Lang, key)
	quoted := template.HTMLEscapeString
	return template.HTML(`<span data-say="` + quoted(key) + `">` + quoted(text) + `</span>`), err //nolint:gosec // both are escaped
}

// Text is a sentence for an attribute or a title.
func (v view) Text(key string) (string, error) { return sentence(v.Lang, key) }

// Words are the sentences that the script alone says.
func (v view) Words() []string { return spoken() }

func render(page *template.Template, t lang.Tag, hasGraphiQL bool) []byte {
	v := view{Lang: t, Other: lang.EN, HasGraphiQL: hasGraphiQL}
	if t == lang.EN {
		v.Other = lang.TR
	}
	var text bytes.Buffer
	if err := page.Execute(&text, v); err != nil {
		panic("invite: " + err.Error()) // New has made both pages
	}
	return text.Bytes()
}

// draw answers with the QR code of an authenticator app's address. The address is a secret: it comes in the body, is not
// kept, and is in no log.
func draw(w http.ResponseWriter, r *http.Request) {
	uri, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxURIBytes))
	if err != nil || !strings.HasPrefix(string(uri), "otpauth://totp/") {
		http.Error(w, http.StatusText(http.StatusBadRequest), http.StatusBadRequest)
		return
	}
	code, err := qrcode.Draw(string(uri))
	if err != nil {
		http.Error(w, http.StatusText(http.StatusBadRequest), http.StatusBadRequest)
		return
	}
	answer, err := json.Marshal(map[string]any{"size": code.Size, "path": code.Path})
	if err != nil {
		panic(err) // cannot happen: a number and a text
	}
	send(w, "application/json", answer)
}
