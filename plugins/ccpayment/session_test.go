package ccpayment_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// TestATokenIsFetchedOnceForAll: many calls at once need one token.
func TestATokenIsFetchedOnceForAll(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for round := 1; round <= 2; round++ {
		var all sync.WaitGroup
		for range 40 {
			all.Go(func() {
				if _, err := s.ReadDeposit(t.Context(), gateway.DepositKey{Ref: "NOBODY"}); !gateway.IsClass(err, gateway.NotFound) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if s.brand.made != round {
			t.Errorf("%d tokens were made for the calls of %d lives", s.brand.made, round)
		}
		s.Clock.Advance(2 * time.Hour)
	}
}

// TestATokenIsRenewedBeforeItsEnd, whatever the answer says of that.
func TestATokenIsRenewedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		says func(end time.Time) string
		made int // by questions at the start, and after 1, 117 and 119 minutes
	}{
		"as documented":       {func(end time.Time) string { return end.Add(3 * time.Hour).UTC().Format(time.DateTime) }, 2},
		"in another zone":     {func(end time.Time) string { return end.UTC().Format(time.DateTime) }, 4},
		"never":               {func(time.Time) string { return "2099-01-01 00:00:00" }, 2},
		"nothing":             {func(time.Time) string { return "" }, 4},
		"in another notation": {func(end time.Time) string { return end.Format(time.RFC3339) }, 4},
	} {
		s := newShop(t)
		s.brand.expiresAt = c.says
		k, _ := s.paid("R1", "1")
		for _, wait := range []time.Duration{time.Minute, 116 * time.Minute, 2 * time.Minute} {
			s.Clock.Advance(wait)
			if o := s.read(k); o.State != gateway.Paid {
				t.Errorf("%s: %+v", what, o)
			}
		}
		if s.brand.made != c.made {
			t.Errorf("an end that is %s: %d tokens", what, s.brand.made)
		}
		for _, r := range s.Sent() {
			if strings.Contains(r.URL, "eyJ0eXAi") {
				t.Errorf("a token is in %s", r.URL)
			}
		}
	}
}

// TestATokenThatIsRefusedIsRenewedOnce: the call that met that did nothing, and is made again.
func TestATokenThatIsRefusedIsRenewedOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	k, _ := s.paid("R1", "1")
	clear(s.brand.tokens)
	if o := s.read(k); o.State != gateway.Paid || s.brand.made != 2 {
		t.Errorf("%+v, %d tokens", o, s.brand.made)
	}
	clear(s.brand.tokens)
	s.started("R2", "1")
	if len(s.brand.orders) != 2 {
		t.Errorf("%d orders", len(s.brand.orders))
	}
	before := len(s.SentTo("POST", "/checkstatus"))
	s.Answer("POST", "/checkstatus", 401, `{"message":"Unauthenticated."}`)
	_, err := s.ReadDeposit(t.Context(), k)
	if tries := len(s.SentTo("POST", "/checkstatus")) - before; !conformance.IsFailure(err, gateway.Misconfigured, gateway.EffectNone) || tries != 2 {
		t.Errorf("%v after %d tries", err, tries)
	}
}

// TestATokenThatCannotBeHadHasNoEffect: nothing was asked for yet.
func TestATokenThatCannotBeHadHasNoEffect(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.Lose("POST", "/api/token")
	if _, err := s.StartDeposit(t.Context(), s.order("R1", "1")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectNone) {
		t.Errorf("%v", err)
	}
	s.Answer("POST", "/api/token", 200, `{"status_code":100,"status_description":"ok","data":{"token":""}}`)
	if _, err := s.StartDeposit(t.Context(), s.order("R1", "1")); !conformance.IsFailure(err, gateway.Retryable, gateway.EffectNone) {
		t.Errorf("an empty token: %v", err)
	}
	s.Between(nil)
	s.started("R1", "1")
}

// TestWaitingForATokenEndsWithItsContext: whoever waits for somebody else's call does not wait longer than for its own.
func TestWaitingForATokenEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	isAsked, goesOn := make(chan struct{}), make(chan struct{})
	s.brand.beforeToken = func() { close(isAsked); <-goesOn }
	first := make(chan error, 1)
	go func() {
		_, err := s.ReadDeposit(t.Context(), gateway.DepositKey{Ref: "R1"})
		first <- err
	}()
	<-isAsked
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() {
		_, err := s.StartDeposit(ctx, s.order("R2", "1"))
		second <- err
	}()
	cancel()
	if err := <-second; !conformance.IsFailure(err, gateway.Retryable, gateway.EffectNone) {
		t.Errorf("%v", err)
	}
	close(goesOn)
	if err := <-first; !gateway.IsClass(err, gateway.NotFound) {
		t.Errorf("%v", err)
	}
}
