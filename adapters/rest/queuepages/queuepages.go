// Package queuepages lets admins' browsers into the queue library's own web pages. A browser has no bearer token to show
// there: it comes with a ticket, which is good once, and gets a cookie, which is good as long as the session whose it is.
package queuepages

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"path"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/rest"
	"github.com/vezne/vezne/app/queues"
	"github.com/vezne/vezne/core/fault"
)

// cookieName is the pass's. Browsers send it below Path only, and never along with what another site makes them ask.
const cookieName = "vezne_queues"

// staticAge is how long browsers keep the pages' scripts, whose names change with them.
const staticAge = "private, max-age=86400"

// Config is what the pages are made of.
type Config struct {
	Queues *queues.Service
	Pages  http.Handler // the library's, rooted at queues.Path
	// IsSecure keeps the cookie to https; it is off only where there is none.
	IsSecure bool
}

// New is the router to be mounted at queues.Path. It answers GET only.
func New(c Config) *chi.Mux {
	index := withoutStrangers(indexOf(c.Pages))
	d := door{Config: c, index: index, policy: policyFor(index)}
	router := rest.Routes()
	router.Get("/open", d.open)
	router.Get("/api/metrics", rest.NotFound) // would ask a Prometheus that nobody has configured
	router.Get("/", d.show)
	router.Get("/*", d.show)
	return router
}

type door struct {
	Config
	index  []byte // the one HTML file, which shows every page
	policy string
}

// open takes the ticket and returns the cookie. It answers with a page that leads on, not with a redirect: browsers send a
// strict cookie only with what our own page has asked for.
func (d door) open(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	pass, err := d.Queues.Enter(r.Context(), r.URL.Query().Get("ticket"))
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // Secure is set wherever the pages are reached by https
		Name: cookieName, Value: pass, Path: queues.Path, HttpOnly: true, Secure: d.IsSecure, SameSite: http.SameSiteStrictMode,
	})
	write(w, http.StatusOK, `<meta http-equiv="refresh" content="0; url=`+queues.Path+`/">`, "Opening the queues.",
		`<a href="`+queues.Path+`/">Go on</a>`)
}

// show returns the library's pages to whom the cookie lets in.
func (d door) show(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		d.refuse(w, r, fault.E("queuepages.show", fault.Unauthenticated, err))
		return
	}
	staff, err := d.Queues.Admit(r.Context(), cookie.Value)
	if err != nil {
		d.refuse(w, r, err)
		return
	}
	rest.Of(r).Caller = "staff/" + staff.Actor("").ID
	w.Header().Set("Content-Security-Policy", d.policy)
	w.Header().Set("Cross-Origin-Opener-Policy", "same-origin") // no page of this host that opens it reaches into it
	switch {
	case strings.HasPrefix(r.URL.Path, queues.Path+"/static/"):
		w.Header().Set("Cache-Control", staticAge)
		d.Pages.ServeHTTP(w, r)
	case strings.HasPrefix(r.URL.Path, queues.Path+"/api/"), path.Ext(r.URL.Path) != "":
		d.Pages.ServeHTTP(w, r)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(d.index) // a browser that has gone is nobody to tell
	}
}

// refuse says to a person what to do; anything else than a lack of rights is answered as everywhere.
func (d door) refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch fault.CodeOf(err) {
	case fault.Unauthenticated, fault.Forbidden:
		write(w, http.StatusUnauthorized, "", "Not signed in",
			"Open the queues from the back office: the mutation <code>openQueues</code> gives an admin an address that works once, within a minute.")
	default:
		rest.Fail(w, r, rest.LanguageOf(r, ""), err)
	}
}

func write(w http.ResponseWriter, status int, head, title, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(`<!doctype html><html lang="en"><meta charset="utf-8">` + head + `<title>Vezne: ` + title + // a browser that has gone is nobody to tell
		`</title><h1>` + title + `</h1><p>` + text + `</p></html>`))
}

// withoutStrangers takes out the style sheets that the page would have the browser load from elsewhere: nobody else is to
// know when an admin looks at the queues. Without them the pages use the machine's own fonts.
func withoutStrangers(index []byte) []byte {
	return regexp.MustCompile(`<link [^>]*href="https?://[^>]*>`).ReplaceAll(index, nil)
}

// policyFor lets the pages load their own files and run the scripts that are written into their one HTML file, which are
// known by their hashes. Their styles are made in the page.
func policyFor(index []byte) string {
	scripts, inline := "'self'", regexp.MustCompile(`(?s)<script>(.*?)</script>`)
	for _, script := range inline.FindAllSubmatch(index, -1) {
		sum := sha256.Sum256(script[1])
		scripts += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; script-src " + scripts + "; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
		"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

func indexOf(pages http.Handler) []byte {
	rendered := &page{header: http.Header{}}
	r, err := http.NewRequest(http.MethodGet, queues.Path+"/", nil) //nolint:noctx // it goes nowhere
	if err != nil {
		panic(err) // the path is a constant
	}
	pages.ServeHTTP(rendered, r)
	return rendered.Bytes()
}

// page takes what a handler writes.
type page struct {
	bytes.Buffer
	header http.Header
}

// Header implements http.ResponseWriter.
func (p *page) Header() http.Header { return p.header }

// WriteHeader implements http.ResponseWriter.
func (p *page) WriteHeader(int) {}
