package owner

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/vezne/vezne/core"
)

// maxReturnOrigins bounds a list.
const maxReturnOrigins = 20

// maxReturnURLBytes bounds an address that customers are led back to.
const maxReturnURLBytes = 2000

// originOf is scheme, host and port of an address that a browser may be led to, in the one way of writing them. Not ok: the address is
// none, or one that browsers and this program may read differently: another scheme, a user name, a backslash, a control or invisible
// character, a host with other letters than ASCII's or none, a port that is no number.
func originOf(text string) (origin string, ok bool) {
	isHidden := func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }
	if len(text) > maxReturnURLBytes || strings.IndexFunc(text, isHidden) >= 0 || !core.IsCleanText(text) {
		return "", false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.Opaque != "" || !isPlainHost(u.Hostname()) {
		return "", false
	}
	// The text has to begin as it was read: "https:host" and "https:///host" do not.
	if !strings.HasPrefix(strings.ToLower(text), u.Scheme+"://"+strings.ToLower(u.Host)) || strings.HasSuffix(u.Host, ":") {
		return "", false
	}
	port := u.Port()
	if n, err := strconv.Atoi(port); port != "" && (err != nil || n < 1 || n > 65535) {
		return "", false
	}
	if u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		port = ""
	}
	origin = u.Scheme + "://" + strings.ToLower(u.Hostname())
	if port != "" {
		origin += ":" + port
	}
	return origin, true
}

// isPlainHost reports whether a host is a name or an IPv4 address: letters, digits, hyphens and dots of ASCII. A name in another script
// is sent in its xn-- form, so that no two names look alike here.
func isPlainHost(host string) bool {
	isOther := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '.'
	}
	return host != "" && len(host) <= 253 && strings.IndexFunc(host, isOther) < 0 && !strings.HasPrefix(host, ".") && !strings.HasSuffix(host, ".")
}

// Returns is where the customers of a site, or of a dealer's own card payments, may be led back to.
type Returns struct {
	ReturnOrigins []string // where a return_url may lead: "https://shop.example"; empty: nowhere
	HomeURL       string   // where the payment page leads back to without one; empty: nowhere
}

func (r Returns) leadsBackTo(to Returns) bool {
	return r.HomeURL == to.HomeURL && slices.Equal(r.ReturnOrigins, to.ReturnOrigins)
}

// ReturnsPatch changes where customers may be led back to; nil fields stay as they are.
type ReturnsPatch struct {
	ReturnOrigins *[]string // "https://shop.example", with a port where it is another one
	HomeURL       *string   // an empty text takes it away
}

func (c ReturnsPatch) apply(form *core.Form, r *Returns) {
	if c.ReturnOrigins != nil {
		r.ReturnOrigins = returnOrigins(form, "returnOrigins", *c.ReturnOrigins)
	}
	form.URL("homeUrl", c.HomeURL, &r.HomeURL)
}

// returnOrigins reads a list: addresses without path, query and fragment.
func returnOrigins(form *core.Form, name string, items []string) []string {
	var list []string
	for _, item := range items {
		item = strings.TrimSuffix(strings.TrimSpace(item), "/")
		origin, ok := originOf(item)
		if !ok || !strings.EqualFold(item, origin) || len(items) > maxReturnOrigins {
			form.Fail(name, "field.origin")
			return nil
		}
		if !slices.Contains(list, origin) {
			list = append(list, origin)
		}
	}
	return list
}

// AllowsReturn reports whether customers may be led to an address: scheme, host and port are those of one that was allowed,
// exactly. The path is free.
func (r Returns) AllowsReturn(address string) bool {
	origin, ok := originOf(address)
	return ok && slices.Contains(r.ReturnOrigins, origin)
}
