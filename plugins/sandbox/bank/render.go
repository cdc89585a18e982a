package bank

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/vezne/vezne/core/lang"
)

//go:embed pages
var files embed.FS

const stylePath = "/assets/sandbox.css"

// parsedPages are parsed once, whatever the number of banks.
var parsedPages = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(files, "pages/*.gohtml")) })

func serveStyle(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "public, max-age=300")
	http.ServeFileFS(w, r, files, "pages/sandbox.css")
}

// page is what a template sees.
type page struct {
	Lang     lang.Tag
	View     string
	Root     string // the way from this page to where the handler is mounted
	Path     string // of the order's page, from there
	Chosen   string // "?lang=en" where a link asked for it
	Kind     string
	Amount   string
	Status   string
	CanRetry bool
	Stays    bool // the browser does not go back
	Problems map[string]string
	Typed    map[string]string
	Back     string // the merchant's address
	Left     int    // tries of the code
	Branch   *branchView

	kept   url.Values // what the page in the other language shall have, too
	goTo   string
	origin string // of the merchant's address, for the page's policy
}

func newPage(r *http.Request, v *visit, o outcome) page {
	p := page{
		Lang: languageOf(r, v.language), View: o.view, Path: "/pay/" + v.Reference + "/" + v.token, Kind: v.Kind,
		Amount: v.Amount.Value.Fixed(2) + " " + v.Amount.Currency, Status: v.Status, CanRetry: v.Status == Failed && v.CanRetry,
		Stays: v.isLeft || v.scenario.returns == staysHere, Problems: o.problems, Typed: o.typed, Back: v.returnTo(),
		Left: maxWrongCodes - v.wrongCodes, goTo: o.goTo, origin: originOf(v.returnURL),
	}
	p.Root = rootFrom(r)
	p.choose(r)
	switch o.goTo {
	case pageItself:
		p.goTo = p.Root + p.Path + p.Chosen
	case pageBack:
		p.goTo = p.Root + p.Path + "/" + pageBack + p.Chosen
	}
	return p
}

// choose stays with the language that a link asked for.
func (p *page) choose(r *http.Request) {
	if chosen, ok := lang.Parse(r.URL.Query().Get("lang")); ok {
		p.Chosen = "?lang=" + string(chosen)
	}
}

// rootFrom is the relative way from a request's path to where the handler is mounted, wherever that is.
func rootFrom(r *http.Request) string {
	return cmp.Or(strings.TrimSuffix(strings.Repeat("../", strings.Count(r.URL.Path, "/")-1), "/"), ".")
}

// originOf is the scheme and host of an address.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Action is where a form of the page goes.
func (p page) Action(name string) string { return p.Root + p.Path + "/" + name + p.Chosen }

// Other is the page in the other language.
func (p page) Other() string {
	p.Chosen = "?lang=en"
	if p.Lang == lang.EN {
		p.Chosen = "?lang=tr"
	}
	return p.Here(p.kept)
}

// Here is the page itself with a query, in the language that was chosen.
func (p page) Here(query url.Values) string {
	address := p.Root + p.Path + p.Chosen
	switch {
	case len(query) == 0:
		return address
	case p.Chosen == "":
		return address + "?" + query.Encode()
	default:
		return address + "&" + query.Encode()
	}
}

// Field is one field of a form.
type Field struct {
	Name, Label, Keyboard, Value, Problem string
	Max                                   int
	IsOptional                            bool
}

// Field returns a field with what was typed and what is wrong with it.
func (p page) Field(name, keyboard string, most int) Field {
	return Field{
		Name: name, Label: p.T(name), Keyboard: keyboard, Max: most, Value: p.Typed[name], Problem: p.Problem(name),
	}
}

// Problem says what is wrong with a field; empty: nothing.
func (p page) Problem(name string) string {
	if key := p.Problems[name]; key != "" {
		return p.T(key)
	}
	return ""
}

// Optional returns a field that may stay empty.
func (p page) Optional(name, keyboard string, most int) Field {
	f := p.Field(name, keyboard, most)
	f.IsOptional = true
	return f
}

// Ending is the key of the sentence on how the order ended.
func (p page) Ending() string {
	if _, ok := sentences["end."+p.Status]; ok {
		return "end." + p.Status
	}
	return "end.other"
}

// T returns a sentence.
func (p page) T(key string) string {
	s, ok := sentences[key]
	switch {
	case !ok:
		return key
	case p.Lang == lang.EN:
		return s.en
	default:
		return s.tr
	}
}

// Hint is a test card or wallet, for the list below the form.
type Hint struct{ Number, Key string }

// Hints lists a few test numbers.
func (p page) Hints() []Hint {
	if p.Kind == KindWallet {
		return []Hint{
			{TestWallet("00"), "hint.paid"}, {TestWallet("03"), "hint.cancel"}, {TestWallet("04"), "hint.leave"},
			{TestWallet("10"), "hint.funds"},
		}
	}
	return []Hint{
		{TestCard("00"), "hint.paid"}, {TestCard("01"), "hint.code"}, {TestCard("07"), "hint.soft"},
		{TestCard("10"), "hint.funds"}, {TestCard("15"), "hint.stolen"}, {TestCard("04"), "hint.leave"},
	}
}

// secure sets the headers of every page. A form may go to the page itself and, by a redirect, to the merchant.
func secure(w http.ResponseWriter, origin string) {
	h := w.Header()
	h.Set("Content-Security-Policy", strings.TrimSpace("default-src 'none'; style-src 'self'; frame-ancestors 'none'; "+
		"base-uri 'none'; form-action 'self' "+origin))
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin") // under no-referrer a form has the origin null
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Robots-Tag", "noindex, nofollow")
}

func (b *Bank) render(w http.ResponseWriter, p page) {
	if p.View == "back" {
		w.Header().Set("Refresh", "3; url="+p.Back) // scenario 22; without it the link does
	}
	secure(w, p.origin)
	status := http.StatusOK
	if len(p.Problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	b.write(w, status, p)
}

func (b *Bank) renderFailure(w http.ResponseWriter, r *http.Request, status int) {
	secure(w, "")
	p := page{Lang: languageOf(r, ""), View: "failure", Root: rootFrom(r)}
	p.Status = map[int]string{http.StatusNotFound: "missing", http.StatusServiceUnavailable: "down"}[status]
	if p.Status == "" {
		p.Status = "broken"
	}
	b.write(w, status, p)
}

func (b *Bank) write(w http.ResponseWriter, status int, p page) {
	var body bytes.Buffer
	if err := parsedPages().ExecuteTemplate(&body, "layout", p); err != nil {
		b.config.Log.Error("a page can't be rendered", "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the browser has gone: nothing to be done
}
