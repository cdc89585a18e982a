package iyzico_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// listed returns every deposit of a window, and how many pages it took.
func (s *shop) listed(w gateway.Window) (all map[gateway.Ref]gateway.Observation, pages int) {
	s.t.Helper()
	all = map[gateway.Ref]gateway.Observation{}
	for c := gateway.Cursor(""); pages < 50; {
		page, err := s.ListDeposits(s.t.Context(), w, c)
		if err != nil {
			s.t.Fatalf("ListDeposits at %q: %v", c, err)
		}
		pages++
		for _, o := range page.Items {
			if _, isThere := all[o.Ref]; isThere {
				s.t.Errorf("%s is listed twice", o.Ref)
			}
			all[o.Ref] = o
		}
		if c = page.Next; c == "" {
			return all, pages
		}
	}
	s.t.Fatal("the listing does not end")
	return nil, 0
}

func TestAListingHasEveryPaymentOfItsWindowOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for i := range 5 {
		s.paid(fmt.Sprintf("CC%d", i), "22")
	}
	s.started("UNPAID", "22")
	s.refunded(refundOf(s.paid("CC5", "22"), "RF1", "5")) // its refund is a line of its own, and no deposit
	all, pages := s.listed(gateway.Window{From: conformance.Opening.Add(-time.Hour), To: conformance.Opening.Add(time.Hour)})
	if len(all) != 6 || pages != 4 {
		t.Errorf("%d payments on %d pages: %v", len(all), pages, sortedKeys(asText(all)))
	}
	for ref, o := range all {
		if o.State != gateway.Paid || o.Trust != gateway.Answered || *o.Paid != conformance.Lira("22") || !o.At.Equal(conformance.Opening) {
			t.Errorf("%s: %+v", ref, o)
		}
	}
}

func asText(m map[gateway.Ref]gateway.Observation) map[string]bool {
	keys := map[string]bool{}
	for k := range m {
		keys[string(k)] = true
	}
	return keys
}

func TestAListingKeepsToItsWindowAcrossDays(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for i := range 4 { // conformance.Opening of four days
		s.paid(fmt.Sprintf("DAY%d", i), "22")
		s.Clock.Advance(24 * time.Hour)
	}
	all, _ := s.listed(gateway.Window{From: conformance.Opening.Add(24 * time.Hour), To: conformance.Opening.Add(72 * time.Hour)})
	if len(all) != 2 || all["DAY1"].Ref == "" || all["DAY2"].Ref == "" {
		t.Errorf("a half-open window has %v", sortedKeys(asText(all)))
	}
	if all, _ = s.listed(gateway.Window{From: conformance.Opening.Add(time.Second), To: conformance.Opening.Add(24 * time.Hour)}); len(all) != 0 {
		t.Errorf("between two payments there are %v", sortedKeys(asText(all)))
	}
	for _, empty := range []gateway.Window{{From: conformance.Opening, To: conformance.Opening}, {From: conformance.Opening, To: conformance.Opening.Add(-time.Hour)}} {
		if page, err := s.ListDeposits(t.Context(), empty, ""); err != nil || len(page.Items) != 0 || page.Next != "" {
			t.Errorf("%v: %+v, %v", empty, page, err)
		}
	}
}

// TestTheDaysOfAListingAreIstanbuls: 21:00 in London is the next day there.
func TestTheDaysOfAListingAreIstanbuls(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.Clock.Advance(12*time.Hour + time.Minute)
	s.paid("LATE", "22")
	at := conformance.Opening.Add(12 * time.Hour)
	if all, _ := s.listed(gateway.Window{From: at, To: at.Add(2 * time.Minute)}); len(all) != 1 {
		t.Errorf("a minute after midnight: %v", sortedKeys(asText(all)))
	}
	if all, _ := s.listed(gateway.Window{From: at.Add(-time.Hour), To: at}); len(all) != 0 {
		t.Errorf("before midnight: %v", sortedKeys(asText(all)))
	}
}

func TestEveryStatusOfTheListing(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]gateway.State{
		"0": gateway.Review, "-1": gateway.Failed, "1": gateway.Paid, "2": gateway.Paid, "9": gateway.Unknown,
	} {
		s := newShop(t)
		s.paid("CC1", "22")
		s.form("CC1", func(f *form) { f.last().fraud, f.last().paid = raw, money.MustDecimal("22.5") })
		all, _ := s.listed(gateway.Window{From: conformance.Opening, To: conformance.Opening.Add(time.Second)})
		o := all["CC1"]
		isMoney := o.Paid != nil && *o.Paid == conformance.Lira("22.5")
		if o.State != want || o.Raw != raw || isMoney != (want != gateway.Failed) {
			t.Errorf("%s: %s, %v, want %s", raw, o.State, o.Paid, want)
		}
	}
}

func TestALineThatCanNotBeReadIsNotMoney(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const listing = "/v2/reporting/payment/transactions"
	line := func(price, date string) string {
		return `{"status":"success","totalPageCount":1,"transactions":[{"transactionType":"PAYMENT","transactionStatus":1,` +
			`"paidPrice":` + price + `,"transactionCurrency":"TRY","conversationId":"CC1","transactionDate":"` + date + `"}]}`
	}
	w := gateway.Window{From: conformance.Opening, To: conformance.Opening.Add(time.Hour)}
	s.Answer("GET", listing, 200, line("null", "2026-03-02 12:00:00"))
	if all, _ := s.listed(w); all["CC1"].State != gateway.Unknown || all["CC1"].Paid != nil {
		t.Errorf("without an amount: %+v", all)
	}
	s.Answer("GET", listing, 200, line("22.0", "today"))
	if _, err := s.ListDeposits(t.Context(), w, ""); !gateway.IsClass(err, gateway.Retryable) {
		t.Errorf("without a date: %v", err)
	}
}

func TestACursorIsChecked(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for _, c := range []gateway.Cursor{
		"x", "2026-03-02", "2026-03-02/0", "2026-03-02/-1", "2026-13-02/1", "2026-03-02/1/1", "2026-03-02/9999999",
	} {
		_, err := s.ListDeposits(t.Context(), gateway.Window{From: conformance.Opening, To: conformance.Opening.Add(time.Hour)}, c)
		if !conformance.IsFailure(err, gateway.Invalid, gateway.EffectNone) {
			t.Errorf("%q: %v", c, err)
		}
	}
	if len(s.Sent()) != 0 {
		t.Errorf("%d calls were made", len(s.Sent()))
	}
}
