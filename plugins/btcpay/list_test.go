package btcpay_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// pages lists a window, and counts each reference.
func pages(t *testing.T, s *shop, w gateway.Window, between func()) (seen map[gateway.Ref]int, count int) {
	t.Helper()
	seen = map[gateway.Ref]int{}
	for cursor := gateway.Cursor(""); ; count++ {
		page, err := s.ListDeposits(t.Context(), w, cursor)
		if err != nil || count > 20 {
			t.Fatal(count, err)
		}
		for _, o := range page.Items {
			seen[o.Ref]++
		}
		if cursor = page.Next; cursor == "" {
			return seen, count + 1
		}
		between()
	}
}

func TestAListingHasEveryInvoiceOfItsWindow(t *testing.T) {
	t.Parallel()
	s := opened(t)
	const all = 60
	for n := range all {
		o := order(fmt.Sprintf("R%d", n), "100")
		o.ExpiresAt = s.Clock.Now().Add(time.Hour)
		if _, err := s.StartDeposit(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(time.Duration(n%2) * 30 * time.Second)
	}
	s.server.invoices[7].isArchived = true
	s.bring("R3", "Settled", "None", came("0.001", "Settled"))
	window := gateway.Window{From: conformance.Opening, To: s.Clock.Now().Add(time.Hour)}
	seen, count := pages(t, s, window, func() {})
	if len(seen) != all || count != 3 {
		t.Errorf("%d deposits on %d pages", len(seen), count)
	}
	// An invoice that is made while the pages are read shows another one twice, and hides none.
	news := 0
	seen, _ = pages(t, s, window, func() {
		news++
		o := order(fmt.Sprintf("N%d", news), "100")
		o.ExpiresAt = s.Clock.Now().Add(time.Hour)
		if _, err := s.StartDeposit(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	})
	for n := range all {
		if seen[gateway.Ref(fmt.Sprintf("R%d", n))] == 0 {
			t.Errorf("R%d is missing", n)
		}
	}
}

func TestAListingIsHalfOpen(t *testing.T) {
	t.Parallel()
	s := opened(t)
	for _, ref := range []string{"R0", "R1", "R2"} {
		s.started(t, ref, "100")
		s.Clock.Advance(time.Minute)
	}
	seen, _ := pages(t, s, gateway.Window{From: conformance.Opening.Add(time.Minute), To: conformance.Opening.Add(2 * time.Minute)}, func() {})
	if len(seen) != 1 || seen["R1"] != 1 {
		t.Errorf("%v", seen)
	}
}

// TestInvoicesOfOthersAreListedAsTheyAre: another shop may use the same store.
func TestInvoicesOfOthersAreListedAsTheyAre(t *testing.T) {
	t.Parallel()
	s := opened(t)
	s.started(t, "R1", "100")
	const others = `{"status":"New","additionalStatus":"None","amount":"5","currency":"EUR","createdTime":1772442000,"metadata":`
	s.Answer("GET", "/invoices", 200, `[`+others+`null,"id":"a"},`+others+`{"orderId":17},"id":"b"},`+others+
		`{"orderId":"pos-app_346KRC5BjXXXo8cRFKwTBmdR6ZJ4-and-more-of-it"},"id":"c"},`+others+`[],"id":"d","checkout":null}]`)
	page, err := s.ListDeposits(t.Context(), gateway.Window{From: conformance.Opening.Add(-time.Hour), To: conformance.Opening.Add(time.Hour)}, "")
	if err != nil || len(page.Items) != 4 {
		t.Fatal(page, err)
	}
	for _, o := range page.Items {
		if o.Ref != "" || o.State != gateway.Waiting || o.External.ID == "" {
			t.Errorf("%+v", o)
		}
	}
}

func TestACursorOfSomebodyElseIsRefused(t *testing.T) {
	t.Parallel()
	s := opened(t)
	for _, c := range []gateway.Cursor{"-1", "x", "1e3", "99999999999999999999", "2000000"} {
		_, err := s.ListDeposits(t.Context(), gateway.Window{From: conformance.Opening, To: conformance.Opening.Add(time.Hour)}, c)
		checkError(t, err, gateway.Invalid, gateway.EffectNone)
	}
	if len(s.Sent()) > 0 {
		t.Errorf("%d calls", len(s.Sent()))
	}
}
