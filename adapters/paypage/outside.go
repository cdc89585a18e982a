package paypage

import (
	"errors"
	"net/url"
	"strings"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
)

// outside reads an address that a gateway sends the customer to. Only http and https lead out of the page, and only to
// a plain host: anything else might run here, or change what a policy says.
func outside(address string) (*url.URL, error) {
	const op = "paypage.outside"
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, fault.E(op, fault.GatewayUnusable, errors.New("the gateway's address cannot be read")) // err quotes it
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, fault.E(op, fault.GatewayUnusable, errors.New("the gateway's address has the scheme "+u.Scheme))
	case !isPlainHost(u) || u.User != nil:
		return nil, fault.E(op, fault.GatewayUnusable, errors.New("the gateway's address has no plain host"))
	}
	return u, nil
}

func isPlainHost(u *url.URL) bool {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]"
	return strings.Trim(u.Host, plain) == "" && strings.Trim(u.Hostname(), ".-:") != ""
}

// originOf is what a policy calls the host of an address.
func originOf(u *url.URL) string { return u.Scheme + "://" + u.Host }

// leavePolicy lets the page that sends a form to a gateway send it there and nowhere else.
func leavePolicy(action *url.URL) string {
	return strings.Replace(contentPolicy, "form-action 'self'", "form-action "+originOf(action), 1)
}

// documentPolicy is for a document of a gateway's. It is its whole page, so that it may post to the bank as one; the
// sandbox puts it into an origin of its own, where it can neither read nor ask anything of ours. It reaches only the hosts
// that the plugin names.
func documentPolicy(html *gateway.HostedHTML) (string, error) {
	var origins []string
	for _, text := range html.Origins {
		u, err := outside(text)
		if err != nil {
			return "", err
		}
		if strings.TrimSuffix(text, "/") != originOf(u) {
			return "", fault.E("paypage.documentPolicy", fault.GatewayUnusable, errors.New("one of the document's origins is no origin"))
		}
		origins = append(origins, originOf(u))
	}
	to := strings.Join(origins, " ")
	if to == "" {
		to = "'none'"
	}
	policy := []string{"default-src 'none'", "sandbox allow-forms allow-scripts", "base-uri 'none'", "frame-ancestors 'none'"}
	for _, directive := range []string{"connect-src", "font-src", "frame-src", "form-action"} {
		policy = append(policy, directive+" "+to)
	}
	to = strings.Join(origins, " ")
	policy = append(policy, strings.TrimSpace("img-src data: "+to))
	for _, directive := range []string{"script-src", "style-src"} {
		policy = append(policy, strings.TrimSpace(directive+" 'unsafe-inline' "+to))
	}
	return strings.Join(policy, "; "), nil
}
