package plugkit_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/plugkit"
)

// newSession counts the tokens that it was given, which are "1", "2", …, each for an hour.
func newSession(clock *conformance.Clock) (*plugkit.Session, *atomic.Int32) {
	var begun atomic.Int32
	return plugkit.NewSession(clock, func(_ context.Context, now time.Time) (string, time.Time, error) {
		return strconv.Itoa(int(begun.Add(1))), now.Add(time.Hour), nil
	}), &begun
}

// TestASessionIsBegunOnceForAll, and again once it has ended.
func TestASessionIsBegunOnceForAll(t *testing.T) {
	t.Parallel()
	clock := conformance.NewClock(conformance.Opening)
	s, begun := newSession(clock)
	for life := range 3 {
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				if err := s.Do(t.Context(), func(token string) error {
					if want := strconv.Itoa(life + 1); token != want {
						t.Errorf("a call got the token %q, and not %q", token, want)
					}
					return nil
				}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if int(begun.Load()) != life+1 {
			t.Errorf("%d tokens were asked for in life %d", begun.Load(), life)
		}
		clock.Advance(time.Hour)
	}
}

// TestARefusedTokenIsRenewedOnce, where the call that met that did nothing.
func TestARefusedTokenIsRenewedOnce(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		err   error
		calls int
	}{
		"Unauthenticated":                 {plugkit.Refuse(gateway.Unauthenticated, "token"), 2},
		"status 401":                      {plugkit.Classify(gateway.Response{Status: 401}), 2},
		"status 403":                      {plugkit.Classify(gateway.Response{Status: 403}), 1},
		"Unauthenticated, effect unknown": {plugkit.Distrust(gateway.Unauthenticated, "token"), 1},
		"something else":                  {errors.New("no answer in time"), 1},
		"nothing":                         {nil, 1},
	} {
		s, begun := newSession(conformance.NewClock(conformance.Opening))
		var tokens []string
		err := s.Do(t.Context(), func(token string) error { tokens = append(tokens, token); return c.err })
		if !errors.Is(err, c.err) || len(tokens) != c.calls || int(begun.Load()) != c.calls {
			t.Errorf("%s: the call was made with %q, %d tokens were asked for, and the error is %v", what, tokens, begun.Load(), err)
		}
	}
}

// TestWithoutATokenNothingWasDone: that a token was not had says nothing of the call that it is for.
func TestWithoutATokenNothingWasDone(t *testing.T) {
	t.Parallel()
	s := plugkit.NewSession(conformance.NewClock(conformance.Opening), func(context.Context, time.Time) (string, time.Time, error) {
		return "", time.Time{}, &gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectUnknown}
	})
	err := s.Do(t.Context(), func(string) error { t.Error("the call was made without a token"); return nil })
	if !gateway.IsClass(err, gateway.Maintenance) || !gateway.HasNoEffect(err) {
		t.Errorf("the error is %v", err)
	}
}

// TestACallWaitsForASessionNoLongerThanItsContext while another call begins it.
func TestACallWaitsForASessionNoLongerThanItsContext(t *testing.T) {
	t.Parallel()
	begins, goesOn := make(chan struct{}), make(chan struct{})
	s := plugkit.NewSession(conformance.NewClock(conformance.Opening), func(context.Context, time.Time) (string, time.Time, error) {
		close(begins)
		<-goesOn
		return "1", conformance.Opening.Add(time.Hour), nil
	})
	nothing := func(string) error { return nil }
	first := make(chan error)
	go func() { first <- s.Do(t.Context(), nothing) }()
	<-begins
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Do(over, nothing); !errors.Is(err, context.Canceled) || !gateway.HasNoEffect(err) {
		t.Errorf("a call whose context is over gave %v", err)
	}
	close(goesOn)
	if err := <-first; err != nil {
		t.Error(err)
	}
}
