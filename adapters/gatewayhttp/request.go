package gatewayhttp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/gateway"
)

// What bounds a request.
const (
	maxURLBytes    = 8 << 10
	maxHeaderBytes = 32 << 10
	maxBodyBytes   = 3 << 20 // a file of evidence, also where it stands in JSON
)

// methods that gateways take.
func methods() []string {
	return []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
}

// connectionHeaders are about the connection and the message's framing, which are not a plugin's.
func connectionHeaders() []string {
	return []string{
		"Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
		"Transfer-Encoding", "Upgrade",
	}
}

// unsent is a failure of a request that was not sent.
func unsent(class gateway.Class, err error) error {
	return &gateway.Error{Class: class, Effect: gateway.EffectNone, Err: err}
}

// parse reads an address. It is never quoted, and the URL is never nil.
func parse(address string) (*url.URL, error) {
	if len(address) > maxURLBytes {
		return &url.URL{}, unsent(gateway.Invalid, fmt.Errorf("the URL is longer than %d bytes", maxURLBytes))
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http":
		return &url.URL{}, unsent(gateway.Misconfigured, errors.New("the URL is not one of http or https"))
	case u.User != nil:
		return u, unsent(gateway.Misconfigured, errors.New("the URL has a user or password in it"))
	case strings.IndexFunc(u.RawQuery, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0:
		return u, unsent(gateway.Invalid, errors.New("the query of the URL is not escaped"))
	}
	return u, nil
}

// check holds a request to the bounds, and to the hosts of the account.
func (d *doer) check(u *url.URL, r gateway.Request) error {
	switch {
	case !d.pins.has(u):
		return unsent(gateway.Misconfigured, errors.New(d.blot("the host "+u.Host+" is none of those that the gateway may reach")))
	case !slices.Contains(methods(), r.Method):
		return unsent(gateway.Invalid, fmt.Errorf("the method is none of %s", strings.Join(methods(), ", ")))
	case len(r.Body) > maxBodyBytes:
		return unsent(gateway.Invalid, fmt.Errorf("the body is longer than %d bytes", maxBodyBytes))
	}
	return checkHeader(r.Header)
}

// checkHeader quotes no value: one of them is a key.
func checkHeader(header gateway.Header) error {
	size := 0
	for _, f := range header {
		size += len(f.Name) + len(f.Value)
		switch {
		case size > maxHeaderBytes:
			return unsent(gateway.Invalid, fmt.Errorf("the headers are longer than %d bytes", maxHeaderBytes))
		case f.Name == "" || strings.IndexFunc(f.Name, isNoToken) >= 0:
			return unsent(gateway.Invalid, errors.New("the name of a header has characters that HTTP does not allow"))
		case strings.IndexFunc(f.Value, isControl) >= 0:
			return unsent(gateway.Invalid, fmt.Errorf("the header %s has a control character in it", f.Name))
		case slices.Contains(connectionHeaders(), http.CanonicalHeaderKey(f.Name)):
			return unsent(gateway.Invalid, fmt.Errorf("the header %s is not for a plugin to set", f.Name))
		}
	}
	return nil
}

// isNoToken reports whether a character may not stand in a header's name (RFC 9110, 5.6.2).
func isNoToken(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// request has no GetBody, so that the transport cannot send its body again.
func (d *doer) request(u *url.URL, r gateway.Request) *http.Request {
	request := &http.Request{Method: r.Method, URL: u, Host: u.Host, Header: http.Header{}}
	for _, f := range r.Header {
		request.Header.Add(f.Name, f.Value)
	}
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", d.userAgent)
	}
	if len(r.Body) > 0 {
		request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(r.Body)), int64(len(r.Body))
	}
	return request
}

// pins are the hosts of an account as "host:port", and as "host:" where the scheme's own port is meant.
type pins map[string]bool

func pinsOf(hosts []string) pins {
	p := pins{}
	for _, host := range hosts {
		if u, err := url.Parse("//" + host); err == nil && u.Host == host && u.Hostname() != "" {
			p[pin(u, u.Port())] = true
		}
	}
	return p
}

func (p pins) has(u *url.URL) bool {
	own := "443"
	if u.Scheme == "http" {
		own = "80"
	}
	if port := u.Port(); port != "" && port != own {
		return p[pin(u, port)]
	}
	return p[pin(u, own)] || p[pin(u, "")]
}

func pin(u *url.URL, port string) string {
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
