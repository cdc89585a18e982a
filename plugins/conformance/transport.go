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

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// transport is the plugin's Doer. It reaches the fake for every host that the plugin may reach, records the requests,
// and fails when a test case wants that.
type transport struct {
	server string // the fake's host and port; empty: requests go to the gateway itself
	client *http.Client
	hosts  []string
	plain  []string // hosts that the configuration names with http
	leaks  *leakDetector
	facts  *Documents

	mu       sync.Mutex
	requests []gateway.Request
	mode     *failureMode
	acted    func() bool // a delivered request fails once this is true; nil: at once
	hanging  *hanging
	tape     []gateway.Response // what came since record
	played   []gateway.Response // what is given instead of the fake's answers
	isPlayed bool
	between  Exchange // in the way of every request; nil: nothing
}

// hanging is a gateway that does not answer.
type hanging struct {
	first   chan context.Context // of the first request that waits
	release chan struct{}
}

var _ ports.Doer = (*transport)(nil)

func newTransport(w *world) *transport {
	x := &transport{
		hosts: w.d.Hosts(w.Environment, w.config), leaks: w.leaks, facts: w.Documents,
		client: &http.Client{
			Timeout:       ports.CallTimeout,
			Transport:     &http.Transport{DisableCompression: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	for _, f := range w.d.Config {
		if u, err := url.Parse(w.config.Text(f.Name)); f.Type == gateway.URLField && err == nil && u.Scheme == "http" {
			x.plain = append(x.plain, u.Host)
		}
	}
	if w.fake.Handler != nil {
		server := httptest.NewServer(w.fake.Handler)
		w.t.Cleanup(server.Close)
		x.server = server.Listener.Addr().String()
	}
	w.t.Cleanup(func() {
		x.restore()
		x.client.CloseIdleConnections()
	})
	return x
}

// Do implements ports.Doer.
func (x *transport) Do(ctx context.Context, r gateway.Request) (gateway.Response, error) {
	if err := ctx.Err(); err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, Err: err}
	}
	target, err := x.target(r)
	if err != nil {
		x.leaks.add(err.Error(), "%s", err)
		return gateway.Response{}, &gateway.Error{Class: gateway.Misconfigured, Effect: gateway.EffectNone, Err: err}
	}
	x.leaks.checkURL(r.URL)
	x.mu.Lock()
	x.requests = append(x.requests, r)
	mode, acted, hanging, between := x.mode, x.acted, x.hanging, x.between
	played, isPlayed := x.next()
	x.mu.Unlock()
	if isPlayed {
		return played, nil
	}
	if between != nil {
		return between(r, func() (gateway.Response, error) { return x.send(ctx, target, r) })
	}
	switch {
	case hanging != nil:
		return gateway.Response{}, hanging.wait(ctx)
	case mode != nil && !mode.isDelivered:
		return mode.answer(gateway.Response{})
	}
	response, err := x.send(ctx, target, r)
	if err == nil && x.facts != nil {
		for _, problem := range x.facts.Problems(r, response) {
			x.leaks.add(problem, "%s", problem)
		}
	}
	if err == nil {
		x.mu.Lock()
		x.tape = append(x.tape, response)
		x.mu.Unlock()
	}
	if err == nil && mode != nil && (acted == nil || acted()) {
		return mode.answer(response)
	}
	return response, err
}

// connectionHeaders belong to the connection; a plugin must not set them.
var connectionHeaders = []string{
	"Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade",
}

// target is the request's URL at the fake. Path and query stay as they are, byte for byte.
func (x *transport) target(r gateway.Request) (*url.URL, error) {
	u, err := url.Parse(r.URL)
	isSame := func(name string) func(string) bool {
		return func(other string) bool { return strings.EqualFold(name, other) }
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s %q is no URL", r.Method, r.URL)
	case u.User != nil || u.Fragment != "":
		return nil, fmt.Errorf("%s %q: a URL carries no credentials and no fragment", r.Method, r.URL)
	case !slices.ContainsFunc(x.hosts, isSame(u.Host)):
		return nil, fmt.Errorf("%s %q reaches the host %q, and only %v are named: list the host in Descriptor.Environments, or "+
			"take it from a configuration field of type url", r.Method, r.URL, u.Host, x.hosts)
	case u.Scheme != "https" && !slices.Contains(x.plain, u.Host):
		return nil, fmt.Errorf("%s %q must go over https", r.Method, r.URL)
	}
	for _, f := range r.Header {
		if slices.ContainsFunc(connectionHeaders, isSame(f.Name)) {
			return nil, fmt.Errorf("%s %q sets the header %s, which is the connection's own", r.Method, r.URL, f.Name)
		}
	}
	return u, nil
}

// send sends the request to the fake, which sees the host that the plugin meant, or to the gateway itself.
func (x *transport) send(ctx context.Context, target *url.URL, r gateway.Request) (gateway.Response, error) {
	at := *target
	if x.server != "" {
		at.Scheme, at.Host = "http", x.server
	}
	request, err := http.NewRequestWithContext(ctx, r.Method, at.String(), bytes.NewReader(r.Body))
	if err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Invalid, Effect: gateway.EffectNone, Err: err}
	}
	for _, f := range r.Header {
		request.Header.Add(f.Name, f.Value)
	}
	request.Host = target.Host
	answer, err := x.client.Do(request)
	if err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Err: err}
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, gateway.MaxAnswerBytes+1))
	if err == nil && len(body) > gateway.MaxAnswerBytes {
		err = errors.New("the answer is too long")
	}
	if err != nil {
		return gateway.Response{}, &gateway.Error{Class: gateway.Retryable, Err: err}
	}
	if x.server == "" {
		body = x.leaks.blot(body) // a failure of a real account is printed, and some gateways say which key was wrong
	}
	response := gateway.Response{Status: answer.StatusCode, Body: body}
	for name, values := range answer.Header {
		for _, v := range values {
			response.Header = append(response.Header, gateway.Field{Name: name, Value: v})
		}
	}
	return response, nil
}

// wait keeps a request waiting until its context ends, or the test case does.
func (h *hanging) wait(ctx context.Context) error {
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

// hang lets every request from now on wait. The channel carries the context of the first.
func (x *transport) hang() <-chan context.Context {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.hanging = &hanging{first: make(chan context.Context, 1), release: make(chan struct{})}
	return x.hanging.first
}

// fail makes requests fail from now on. Where they are delivered, those fail that acted is true after; nil: all.
func (x *transport) fail(m failureMode, acted func() bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.mode, x.acted = &m, acted
}

// record begins to keep what is answered.
func (x *transport) record() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.tape = nil
}

// replay returns what was kept once more, instead of the fake's answers; after that, or where nothing was kept, the last again.
func (x *transport) replay() []gateway.Response {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.played, x.isPlayed = slices.Clone(x.tape), len(x.tape) > 0
	return x.played
}

// next is the next answer of a replay. The caller holds x.mu.
func (x *transport) next() (gateway.Response, bool) {
	if !x.isPlayed {
		return gateway.Response{}, false
	}
	answer := x.played[0]
	if len(x.played) > 1 {
		x.played = x.played[1:]
	}
	return answer, true
}

// restore ends all failures.
func (x *transport) restore() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.hanging != nil {
		close(x.hanging.release)
	}
	x.mode, x.acted, x.hanging, x.isPlayed = nil, nil, nil, false
}

// sent returns the requests so far.
func (x *transport) sent() []gateway.Request {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.requests)
}

// count returns how many requests were made so far.
func (x *transport) count() int { return len(x.sent()) }
