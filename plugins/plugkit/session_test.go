package plugkit_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/plugkit"
)

// answering is a gateway that gives an answer to what a request carries.
type answering func(authorization []string) (gateway.Response, error)

// Do implements ports.Doer.
func (a answering) Do(_ context.Context, r gateway.Request) (gateway.Response, error) {
	return a(r.Header.Values("Authorization"))
}

func takesAll([]string) (gateway.Response, error) { return gateway.Response{Status: 200}, nil }

// tokens are "1", "2", …, each for an hour.
func tokens(clock *conformance.Clock) (*plugkit.Session, *atomic.Int32) {
	var begun atomic.Int32
	return plugkit.NewSession(clock, func(_ context.Context, now time.Time) (string, time.Time, error) {
		return strconv.Itoa(int(begun.Add(1))), now.Add(time.Hour), nil
	}), &begun
}

// TestASessionIsBegunOnceForAllCalls, and again once it has ended.
func TestASessionIsBegunOnceForAllCalls(t *testing.T) {
	t.Parallel()
	clock := conformance.NewClock(conformance.Opening)
	session, begun := tokens(clock)
	for life := 1; life <= 3; life++ {
		client := plugkit.Client{Session: session, HTTP: answering(func(carried []string) (gateway.Response, error) {
			if want := []string{"Bearer " + strconv.Itoa(life)}; !slices.Equal(carried, want) {
				t.Errorf("a call carries %q, and not %q", carried, want)
			}
			return takesAll(nil)
		})}
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				if err := client.Call(t.Context(), "GET", "/", nil, nil); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if int(begun.Load()) != life {
			t.Errorf("%d tokens were asked for in life %d", begun.Load(), life)
		}
		clock.Advance(time.Hour)
	}
}

// TestARefusedTokenIsRenewedOnce, where the call that met that did nothing.
func TestARefusedTokenIsRenewedOnce(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		status  int
		explain error
		calls   int
	}{
		"status 401":                     {401, nil, 2},
		"a code for an ended token":      {400, plugkit.Refuse(gateway.Unauthenticated, "token"), 2},
		"status 403":                     {403, nil, 1},
		"an ended token, effect unknown": {400, plugkit.Distrust(gateway.Unauthenticated, "token"), 1},
		"status 500":                     {500, nil, 1},
		"success":                        {200, nil, 1},
	} {
		session, begun := tokens(conformance.NewClock(conformance.Opening))
		var carried []string
		client := plugkit.Client{
			Session: session, Explain: func(gateway.Response) error { return c.explain },
			HTTP: answering(func(authorization []string) (gateway.Response, error) {
				carried = append(carried, authorization...)
				return gateway.Response{Status: c.status}, nil
			}),
		}
		err := client.Call(t.Context(), "GET", "/", nil, nil)
		if (err == nil) != (c.status == 200) || len(carried) != c.calls || int(begun.Load()) != c.calls {
			t.Errorf("%s: the call was made with %q, %d tokens were asked for, and the error is %v", what, carried, begun.Load(), err)
		}
	}
}

// TestWithoutATokenNothingWasDone: that a token was not had says nothing of the call that it is for.
func TestWithoutATokenNothingWasDone(t *testing.T) {
	t.Parallel()
	client := plugkit.Client{
		HTTP: answering(func([]string) (gateway.Response, error) {
			t.Error("the call was made without a token")
			return takesAll(nil)
		}),
		Session: plugkit.NewSession(conformance.NewClock(conformance.Opening), func(context.Context, time.Time) (string, time.Time, error) {
			return "", time.Time{}, &gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectUnknown}
		}),
	}
	if err := client.Call(t.Context(), "GET", "/", nil, nil); !gateway.IsClass(err, gateway.Maintenance) || !gateway.HasNoEffect(err) {
		t.Errorf("the error is %v", err)
	}
}

// TestACallWaitsForASessionNoLongerThanItsContext while another call begins it.
func TestACallWaitsForASessionNoLongerThanItsContext(t *testing.T) {
	t.Parallel()
	begins, goesOn := make(chan struct{}), make(chan struct{})
	client := plugkit.Client{
		HTTP: answering(takesAll),
		Session: plugkit.NewSession(conformance.NewClock(conformance.Opening), func(context.Context, time.Time) (string, time.Time, error) {
			close(begins)
			<-goesOn
			return "1", conformance.Opening.Add(time.Hour), nil
		}),
	}
	first := make(chan error)
	go func() { first <- client.Call(t.Context(), "GET", "/", nil, nil) }()
	<-begins
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := client.Call(over, "GET", "/", nil, nil); !errors.Is(err, context.Canceled) || !gateway.HasNoEffect(err) {
		t.Errorf("a call whose context is over gave %v", err)
	}
	close(goesOn)
	if err := <-first; err != nil {
		t.Error(err)
	}
}
