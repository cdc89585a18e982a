package paypage_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// TestAPaymentsFormsAreBounded sends a thousand forms that each change the amount: no more than the rate is done, and the page says
// so in words.
func TestAPaymentsFormsAreBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.StartDeposit(t, payment.ManualDeposit, lira(250))
	for i := range 100 {
		got := s.post(path(p)+"/continue", url.Values{"amount": {strconv.Itoa(250 + i%2)}})
		isSlow := strings.Contains(got.header.Get("Location"), "notice=slow")
		if got.status != http.StatusSeeOther || isSlow != (i >= 20) {
			t.Fatalf("form %d: %d to %s", i, got.status, got.header.Get("Location"))
		}
	}
	if moves := s.movesOf(p); moves > 20 {
		t.Errorf("the history has %d rows", moves)
	}
	page := s.get(path(p) + "?notice=slow")
	if page.status != http.StatusOK || !strings.Contains(page.body, "wait a few minutes") {
		t.Errorf("%d, %s", page.status, page.body)
	}
	other := s.StartDeposit(t, payment.ManualDeposit, lira(250))
	if got := s.post(path(other)+"/continue", url.Values{"amount": {"250"}}); strings.Contains(got.header.Get("Location"), "slow") {
		t.Error("another payment's form was refused")
	}
	s.Clock.Advance(10 * time.Minute)
	if got := s.post(path(p)+"/cancel", nil); strings.Contains(got.header.Get("Location"), "slow") || s.Reload(t, p).Status != payment.Canceled {
		t.Errorf("ten minutes later: %d to %s", got.status, got.header.Get("Location"))
	}
}

// TestRepeatedFormsWriteNothing: the same button, pressed again.
func TestRepeatedFormsWriteNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.StartDeposit(t, payment.ManualDeposit, lira(250))
	for _, form := range []string{"/continue", "/paid", "/cancel"} {
		fields := url.Values{"amount": {"250"}}
		s.post(path(p)+form, fields)
		before, moves := s.Reload(t, p), s.movesOf(p)
		for range 3 {
			s.post(path(p)+form, fields)
		}
		if after := s.Reload(t, p); after != before || s.movesOf(p) != moves {
			t.Errorf("%s again: %+v after %+v, %d rows after %d", form, after, before, s.movesOf(p), moves)
		}
	}
}

// TestAnAddressesFormsAreBounded: whoever has many payments' tokens is bounded too.
func TestAnAddressesFormsAreBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	slow := 0
	for range 65 {
		p := s.StartDeposit(t, payment.ManualDeposit, lira(250))
		for range 10 {
			if got := s.post(path(p)+"/continue", url.Values{"amount": {"0"}}); strings.Contains(got.header.Get("Location"), "slow") {
				slow++
			}
		}
	}
	if slow != 50 {
		t.Errorf("%d of 650 forms were refused, want 50", slow)
	}
}

func (s *stage) movesOf(p payment.Payment) int {
	s.t.Helper()
	moves, err := s.Store.MovesOf(s.t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	if err != nil {
		s.t.Fatal(err)
	}
	return len(moves)
}
