package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// wire is the plugin's Doer: it reaches the fake for every host that the plugin may reach, notes what goes over it, and
// makes trouble when a sentence wants it.
type wire struct {
	server *url.URL
	client *http.Client
	hosts  []string
	plain  []string // hosts that the configuration names with http
	ear    *ear

	mu      sync.Mutex
	sent    []gateway.Request
	stray   []string
	trouble *trouble
	acted   func() bool // the trouble begins with the request that makes this true; nil: at once
	hanging *hanging
}

// hanging is a gateway that does not answer.
type hanging struct {
	first   chan context.Context // of the first request that waits
	release chan struct{}
}

var _ ports.Doer = (*wire)(nil)

func newWire(
	t *testing.T, d gateway.Descriptor, environment string, c gateway.Config, handler http.Handler, listener *ear,
) *wire {
	t.Helper()
	server := httptest.NewServer(handler)
	transport := &http.Transport{DisableCompression: true}
	x := &wire{
		server: address(server.URL), hosts: d.Hosts(environment, c), plain: plainHosts(d, c), ear: listener,
		client: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
	t.Cleanup(func() {
		x.heal()
		transport.CloseIdleConnections()
		server.Close()
	})
	return x
}

func plainHosts(d gateway.Descriptor, c gateway.Config) []string {
	var hosts []string
	for _, f := range d.Config {
		if u, err := url.Parse(c.Text(f.Name)); f.Type == gateway.URLField && err == nil && u.Scheme == "http" {
			hosts = append(hosts, u.Host)
		}
	}
	return hosts
}

// Do implements ports.Doer.
func (x *wire) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	if err := ctx.Err(); err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: err}
	}
	target, err := x.target(r)
	if err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone, Err: err}
	}
	x.note(r)
	now, hanging := x.present()
	if hanging != nil {
		return gateway.Response{}, hanging.hold(ctx)
	}
	if now != nil && !now.acts {
		return now.answer(gateway.Response{})
	}
	response, err := x.send(ctx, target, r)
	if now, _ := x.present(); err == nil && now != nil && now.acts && x.hasActed() {
		return now.answer(response)
	}
	return response, err
}

// target is where the fake takes the request: path and query stay as they are, byte for byte.
func (x *wire) target(r gateway.Request) (*url.URL, error) {
	u, err := url.Parse(r.URL)
	switch {
	case err != nil:
		return nil, x.astray("%s %q is no URL", r.Method, r.URL)
	case u.User != nil || u.Fragment != "":
		return nil, x.astray("%s %q: a URL carries no credentials and no fragment", r.Method, r.URL)
	case !slices.ContainsFunc(x.hosts, func(h string) bool { return strings.EqualFold(h, u.Host) }):
		return nil, x.astray("%s %q reaches the host %q, and only %v are named: list the host in Descriptor.Environments, or "+
			"take it from a configuration field of type url", r.Method, r.URL, u.Host, x.hosts)
	case u.Scheme != "https" && !slices.Contains(x.plain, u.Host):
		return nil, x.astray("%s %q must go over https", r.Method, r.URL)
	}
	for _, f := range r.Header {
		if slices.ContainsFunc(connectionHeaders(), func(name string) bool { return strings.EqualFold(name, f.Name) }) {
			return nil, x.astray("%s %q sets the header %s, which is the connection's own", r.Method, r.URL, f.Name)
		}
	}
	u.Scheme, u.Host = x.server.Scheme, x.server.Host
	return u, nil
}

// connectionHeaders are not for a plugin to set.
func connectionHeaders() []string {
	return []string{
		"Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
		"Transfer-Encoding", "Upgrade",
	}
}

func (x *wire) send(ctx context.Context, target *url.URL, r gateway.Request) (gateway.Response, error) {
	unknown := func(err error) error {
		return &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown, Err: err}
	}
	request, err := http.NewRequestWithContext(ctx, r.Method, target.String(), bytes.NewReader(r.Body))
	if err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	for _, f := range r.Header {
		request.Header.Add(f.Name, f.Value)
	}
	if u, err := url.Parse(r.URL); err == nil {
		request.Host = u.Host
	}
	answer, err := x.client.Do(request)
	if err != nil {
		return gateway.Response{}, unknown(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, gateway.MaxAnswerBytes+1))
	if err != nil || len(body) > gateway.MaxAnswerBytes {
		return gateway.Response{}, unknown(errors.Join(err, errors.New("the answer broke off, or is too long")))
	}
	return gateway.Response{Status: answer.StatusCode, Header: fields(answer.Header), Body: body}, nil
}

func fields(h http.Header) gateway.Header {
	var list gateway.Header
	for name, values := range h {
		for _, v := range values {
			list = append(list, gateway.Field{Name: name, Value: v})
		}
	}
	slices.SortStableFunc(list, func(a, b gateway.Field) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// hold keeps a request waiting until its context ends, or the sentence does.
func (h *hanging) hold(ctx context.Context) error {
	select {
	case h.first <- ctx:
	default:
	}
	err := io.ErrUnexpectedEOF
	select {
	case <-ctx.Done():
		err = ctx.Err()
	case <-h.release:
	}
	return &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectUnknown, Err: err}
}

// hang lets every request from now on wait. The channel gives the context of the first.
func (x *wire) hang() <-chan context.Context {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.hanging = &hanging{first: make(chan context.Context, 1), release: make(chan struct{})}
	return x.hanging.first
}

// down makes trouble from now on; with acted, from the request on that makes it true.
func (x *wire) down(now trouble, acted func() bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.trouble, x.acted = &now, acted
}

// heal ends all trouble.
func (x *wire) heal() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.hanging != nil {
		close(x.hanging.release)
	}
	x.trouble, x.acted, x.hanging = nil, nil, nil
}

func (x *wire) present() (*trouble, *hanging) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.trouble, x.hanging
}

func (x *wire) hasActed() bool {
	x.mu.Lock()
	acted := x.acted
	x.mu.Unlock()
	return acted == nil || acted()
}

func (x *wire) note(r gateway.Request) {
	x.mu.Lock()
	x.sent = append(x.sent, r)
	x.mu.Unlock()
	x.ear.hearURL(r.URL)
}

// requests returns what was sent so far.
func (x *wire) requests() []gateway.Request {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.sent)
}

func (x *wire) astray(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	x.mu.Lock()
	defer x.mu.Unlock()
	if !slices.Contains(x.stray, err.Error()) {
		x.stray = append(x.stray, err.Error())
	}
	return err
}

func (x *wire) strays() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.stray)
}
