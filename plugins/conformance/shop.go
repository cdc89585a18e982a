package conformance

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

// Opening is the time at which every test begins: a Monday at noon in Istanbul.
var Opening = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

// Shop is a gateway that is opened on its fake, for a plugin's own tests: what its makers say and no promise of the kit is about.
type Shop struct {
	Gateway ports.Gateway
	Config  gateway.Config
	Clock   *Clock
	Fake    Fake

	transport *transport
}

// Open opens a subject with its own configuration, changed by names and values in turn. Its requests reach the fake for every host
// that they may go to. What the fake answers is not held against Subject.Documents: a test may have it say anything.
func Open(t testing.TB, s Subject, changes ...string) *Shop {
	t.Helper()
	s.Documents = nil
	values := maps.Clone(s.Config)
	for i := 0; i+1 < len(changes); i += 2 {
		values[changes[i]] = changes[i+1]
	}
	if err := gateway.CheckConfig(s.Plugin.Describe().Config, values); err != nil {
		t.Fatalf("the configuration is not valid: %v", err)
	}
	w := newWorldWith(t, s, values, "")
	return &Shop{Gateway: w.gateway, Config: w.config, Clock: w.clock, Fake: w.fake, transport: w.transport}
}

// Sent returns the requests so far.
func (s *Shop) Sent() []gateway.Request { return s.transport.sent() }

// SentTo returns the requests so far that are of a method, and whose path ends in suffix.
func (s *Shop) SentTo(method, suffix string) []gateway.Request {
	return slices.DeleteFunc(s.Sent(), func(r gateway.Request) bool { return !isTo(r, method, suffix) })
}

func isTo(r gateway.Request, method, suffix string) bool {
	u, err := url.Parse(r.URL)
	return err == nil && r.Method == method && strings.HasSuffix(u.Path, suffix)
}

// Exchange gives a plugin the answer of a request. Send has the fake answer it.
type Exchange func(r gateway.Request, send func() (gateway.Response, error)) (gateway.Response, error)

// Between puts x in the way of every request from now on; nil: the fake answers again.
func (s *Shop) Between(x Exchange) {
	s.transport.mu.Lock()
	defer s.transport.mu.Unlock()
	s.transport.between = x
}

// Answer answers requests of a method whose path ends in suffix from now on, and the fake gets none of them.
func (s *Shop) Answer(method, suffix string, status int, body string) {
	s.instead(method, suffix, func(func() (gateway.Response, error)) (gateway.Response, error) {
		return gateway.Response{Status: status, Body: []byte(body)}, nil
	})
}

// Lose has the fake carry out such requests from now on, and loses its answers.
func (s *Shop) Lose(method, suffix string) {
	s.instead(method, suffix, func(send func() (gateway.Response, error)) (gateway.Response, error) {
		_, _ = send()
		return fails(gateway.EffectUnknown, "no answer in time")(gateway.Response{})
	})
}

func (s *Shop) instead(method, suffix string, answer func(send func() (gateway.Response, error)) (gateway.Response, error)) {
	s.Between(func(r gateway.Request, send func() (gateway.Response, error)) (gateway.Response, error) {
		if isTo(r, method, suffix) {
			return answer(send)
		}
		return send()
	})
}

// Lira is an amount of Turkish lira.
func Lira(amount string) gateway.Money { return lira(money.MustDecimal(amount)) }

// IsFailure reports whether an error is of a class and an effect.
func IsFailure(err error, class gateway.Class, effect gateway.Effect) bool {
	e := gateway.ErrorOf(err)
	return err != nil && e.Class == class && e.Effect == effect
}
