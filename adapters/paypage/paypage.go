// Package paypage is the hosted payment page, {base_url}/pay/<token>: the only part of Vezne that end customers see.
// Manual and E-IBAN deposits are paid to an account that it shows; cards and third-party deposits through a gateway, to
// whose own page it leads, or whose instructions it shows. It is rendered on the server and works without JavaScript; a
// small script of its own adds copying, the countdown and the live state.
//
// The token in the address is the capability: whoever has it may look at the payment, settle its amount, pick a way to
// pay, say that it is paid and call it off, and nothing else. There are no cookies and no sessions, so no request of another site can
// borrow a customer's authority; the cross-origin check of the POSTs is a second line. The token is a secret of the
// customer's: it is never logged, never in a Referer and never cached. An access log is to write Request.Pattern, not
// the path.
package paypage

import (
	"context"
	"fmt"
	"html/template"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/paypage/format"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	corepayment "github.com/vezne/vezne/core/payment"
)

// Bounds of what comes from outside.
const (
	maxBodyBytes  = 8 << 10
	maxTokenBytes = 64
	maxTypedBytes = 64 // of an amount given back to be corrected
)

// Config is what the page works with. All of it is required.
type Config struct {
	Deposits   *payment.Deposits
	Operations *operation.Service // the payments at gateways
	Zone       *time.Location     // in which times are shown
	Log        *slog.Logger
	BaseURL    string                         // where customers come to
	ClientAddr func(*http.Request) netip.Addr // finds where a request comes from
	// UsualWait is within which time a deposit such as this one is usually decided; 0: not known.
	UsualWait func(context.Context, corepayment.Payment) time.Duration
	// Take counts events of a key and reports whether they are within the rate: it bounds how often forms are sent.
	Take func(ctx context.Context, key string, n int, rate core.Rate) core.Allowance
}

// handler answers everything under /pay/.
type handler struct {
	Config
	assets *assets
	shells map[string]*template.Template // by name of the file in templates/
	origin *http.CrossOriginProtection
}

// New is the handler of everything under /pay/; mount it there, without stripping the prefix.
func New(c Config) http.Handler {
	h := &handler{Config: c, assets: newAssets(), shells: parseShells(), origin: http.NewCrossOriginProtection()}
	mux := http.NewServeMux()
	for _, route := range []struct {
		method, path string
		serve        http.HandlerFunc
	}{
		{http.MethodGet, "/pay/{token}", h.page},
		{http.MethodGet, "/pay/{token}/state", h.state},
		{http.MethodPost, "/pay/{token}/continue", h.post(toAccount(h.settle))},
		{http.MethodPost, "/pay/{token}/paid", h.post(toAccount(h.claimPaid))},
		{http.MethodPost, "/pay/{token}/begin", h.begin},
		{http.MethodGet, "/pay/{token}/go", h.leave},
		{http.MethodGet, "/pay/{token}/logo", h.logo},
		{http.MethodPost, "/pay/{token}/cancel", h.post(h.cancel)},
		{http.MethodGet, assetsPath + "{hash}/{name}", h.assets.serve},
	} {
		mux.HandleFunc(route.method+" "+route.path, route.serve)
		mux.HandleFunc(route.path, h.wrongMethod(route.method))
	}
	mux.HandleFunc("/pay/", func(w http.ResponseWriter, r *http.Request) {
		h.fail(w, r, fault.New("paypage", fault.NotFound))
	})
	outer := http.NewServeMux() // of its own, since return/{token} would clash with {token}/state
	outer.HandleFunc(returnPath, h.comeBack)
	outer.Handle("/pay/", mux)
	return h.secured(h.unfrozen(outer))
}

// unfrozen answers nobody while no money may move: a payment that seems open may have been paid already.
func (h *handler) unfrozen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := h.Deposits.UnitOfWork.MayMove()
		if fault.Is(err, fault.Frozen) && !strings.HasPrefix(r.URL.Path, assetsPath) {
			h.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// contentPolicy lets the page use nothing but its own files. data: is for what a browser's own tools embed.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// plainHost is a host that a policy can name: of addresses browsers know this one only (CSP 3, 6.7.2.8).
var plainHost = regexp.MustCompile(`^(127\.0\.0\.1|localhost|[A-Za-z0-9.-]+\.[A-Za-z][A-Za-z0-9-]*)(:[0-9]+)?$`)

// narrowed is a policy with which the page's script asks the pages of payments and nothing else of this host: the back office is on
// it too, and its cookie would go along with whatever a script of this origin asks.
func (h *handler) narrowed(policy string, r *http.Request) string {
	hosts := []string{r.Host}
	if u, err := url.Parse(h.BaseURL); err == nil && u.Host != r.Host { // a proxy may have changed the request's
		hosts = append(hosts, u.Host)
	}
	to := ""
	for _, host := range hosts {
		if plainHost.MatchString(host) {
			to += " " + host + "/pay/"
		}
	}
	if to == "" {
		return policy
	}
	return strings.Replace(policy, "connect-src 'self'", "connect-src"+to, 1)
}

// secured sets what every answer carries, errors too.
func (h *handler) secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", h.narrowed(contentPolicy, r))
		header.Set("Cache-Control", "no-store")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("X-Robots-Tag", "noindex, nofollow")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		// Shops that open the page in a window go on to hear of it. A window of the back office that this page opens is cut off by
		// that one's own header.
		header.Set("Cross-Origin-Opener-Policy", "unsafe-none")
		header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)")
		next.ServeHTTP(w, r)
	})
}

// wrongMethod answers any other method than the one of a path.
func (h *handler) wrongMethod(method string) http.HandlerFunc {
	allow := method
	if method == http.MethodGet { // and what goes with it
		allow = "GET, HEAD"
	}
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", allow)
		h.fail(w, r, fault.New("paypage", fault.MethodNotAllowed))
	}
}

// token is the request's token; one that cannot exist is not found without asking the store.
func token(r *http.Request) (string, error) {
	t := r.PathValue("token")
	if t == "" || len(t) > maxTokenBytes {
		return "", fault.New("paypage.token", fault.NotFound)
	}
	return t, nil
}

// view finds what the request's token is about.
func (h *handler) view(r *http.Request, find finder) (payment.View, error) {
	t, err := token(r)
	if err != nil {
		return payment.View{}, err
	}
	return find(r.Context(), t)
}

// page shows where the payment stands.
func (h *handler) page(w http.ResponseWriter, r *http.Request) {
	v, err := h.view(r, h.Deposits.View)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	if isAtGateway(v.Payment) {
		h.showGateway(w, r)
		return
	}
	if isToOffer(r, v) {
		if v, err = h.offer(r, v); fault.Is(err, fault.NoAccount) {
			see(w, address(v.Payment.Token, "", chosenLanguage(r), refused(h.newPage(r, v).Typed, format.NoAccount)))
			return
		}
		if err != nil {
			h.fail(w, r, err)
			return
		}
	}
	p := h.newPage(r, v)
	if err := h.dress(r, &p.frame); err != nil {
		h.fail(w, r, err)
		return
	}
	h.write(w, r, http.StatusOK, p.shell(), p)
}

// chosenLanguage is the language that a link of the page asked for; empty when none did.
func chosenLanguage(r *http.Request) lang.Tag { return languageIn(r.URL.Query()) }

func languageIn(query url.Values) lang.Tag {
	t, ok := lang.Parse(query.Get("lang"))
	if !ok {
		return ""
	}
	return t
}

// address is the address of the page or of something below it, with the language chosen.
func address(token, below string, chosen lang.Tag, query url.Values) string {
	if chosen != "" {
		if query = maps.Clone(query); query == nil {
			query = url.Values{}
		}
		query.Set("lang", string(chosen))
	}
	path := "/pay/" + url.PathEscape(token)
	if below != "" {
		path += "/" + below
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// logged is an error as it may be logged: whatever a driver put into it, without the request's token.
func logged(err error, r *http.Request) string {
	text := fmt.Sprint(err)
	for _, name := range []string{"token", "return"} {
		if secret := r.PathValue(name); secret != "" {
			text = strings.ReplaceAll(text, secret, "<token>")
		}
	}
	return text
}
