package payment_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// TestOfferUses: what an offer takes of an account's day, and what it gives back of an earlier one.
func TestOfferUses(t *testing.T) {
	t.Parallel()
	at := coretest.Decision(t).At
	today, tomorrow := coretest.Account(1).Day, core.DayOf(coretest.Evening.Add(time.Hour), coretest.Istanbul)
	tests := []struct {
		name   string
		held   owner.OfferedAccount // by an earlier offer
		choice int64                // the only account there is
		day    core.Day
		want   []owner.LimitUsage
	}{
		{"first", owner.OfferedAccount{}, 1, today, []owner.LimitUsage{
			{AccountID: 1, Day: today, Amount: coretest.Lira(30000), Count: 1, Expect: 4, At: at},
		}},
		{"same account, other amount", owner.OfferedAccount{AccountID: 1, Day: today, Held: coretest.Lira(50000)}, 1, today, []owner.LimitUsage{
			{AccountID: 1, Day: today, Amount: coretest.Lira(-20000), Count: 0, Expect: 4, At: at},
		}},
		{"same account, next day", owner.OfferedAccount{AccountID: 1, Day: today, Held: coretest.Lira(50000)}, 1, tomorrow, []owner.LimitUsage{
			{AccountID: 1, Day: tomorrow, Amount: coretest.Lira(30000), Count: 1, Expect: 4, At: at},
			{AccountID: 1, Day: today, Amount: coretest.Lira(-50000), Count: -1, Expect: owner.AnyVersion},
		}},
		{"other account", owner.OfferedAccount{AccountID: 2, Day: today, Held: coretest.Lira(50000)}, 1, today, []owner.LimitUsage{
			{AccountID: 1, Day: today, Amount: coretest.Lira(30000), Count: 1, Expect: 4, At: at},
			{AccountID: 2, Day: today, Amount: coretest.Lira(-50000), Count: -1, Expect: owner.AnyVersion},
		}},
		{"nothing new", owner.OfferedAccount{AccountID: 1, Day: today, Held: coretest.Lira(30000)}, 1, today, nil},
		{"same amount, next day", owner.OfferedAccount{AccountID: 1, Day: today, Held: coretest.Lira(30000)}, 1, tomorrow, []owner.LimitUsage{
			{AccountID: 1, Day: tomorrow, Amount: coretest.Lira(30000), Count: 1, Expect: 4, At: at},
			{AccountID: 1, Day: today, Amount: coretest.Lira(-30000), Count: -1, Expect: owner.AnyVersion},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			load := coretest.Account(tt.choice)
			load.Day, load.LoadVersion = tt.day, 4
			p := coretest.Started(t, payment.ManualDeposit)
			if p.Account = tt.held; tt.held.AccountID != 0 {
				p.Amount = tt.held.Held
			}
			change, err := payment.DecideOffer(p, coretest.Lira(30000), []owner.DailyUsage{load}, tt.day, coretest.Decision(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, core.RowsOf[owner.LimitUsage](change), coretest.Exactly); diff != "" {
				t.Errorf("uses (-want +got):\n%s", diff)
			}
			if (!core.Has[payment.Payment](change)) != (tt.want == nil) {
				t.Errorf("saves %d payments", len(core.RowsOf[payment.Payment](change)))
			}
		})
	}
}

// TestOfferShows: the payment keeps the account as it was when it was shown.
func TestOfferShows(t *testing.T) {
	t.Parallel()
	load := coretest.Account(9)
	change, err := payment.DecideOffer(coretest.Started(t, payment.ManualDeposit), coretest.Lira(30000), []owner.DailyUsage{load}, load.Day, coretest.Decision(t))
	if err != nil {
		t.Fatal(err)
	}
	p := core.RowsOf[payment.Payment](change)[0]
	want := owner.OfferedAccount{
		AccountID: 9, BankName: load.BankName, Holder: load.Holder, IBAN: load.IBAN, Day: load.Day, Held: coretest.Lira(30000),
	}
	if p.Account != want || !p.Amount.Equal(coretest.Lira(30000)) || !p.RequestedAmount.Equal(coretest.Lira(25000)) {
		t.Errorf("shown %+v, amount %s of requested %s", p.Account, p.Amount, p.RequestedAmount)
	}
}

// TestOfferEnds: the last moment of a payment is the one before ExpiresAt; without ExpiresAt there is none.
func TestOfferEnds(t *testing.T) {
	t.Parallel()
	p := coretest.Started(t, payment.ManualDeposit)
	offer := func(p payment.Payment, at time.Time) error {
		d := coretest.Decision(t)
		d.At = at
		_, err := payment.DecideOffer(p, coretest.Lira(30000), []owner.DailyUsage{coretest.Account(1)}, coretest.Account(1).Day, d)
		return err
	}
	if err := offer(p, p.ExpiresAt.Add(-1)); err != nil {
		t.Errorf("a nanosecond before the end: %v", err)
	}
	if err := offer(p, p.ExpiresAt); !fault.Is(err, fault.Expired) {
		t.Errorf("at the end: %v, want %s", err, fault.Expired)
	}
	p.ExpiresAt = time.Time{}
	if err := offer(p, coretest.Evening.AddDate(9, 0, 0)); err != nil {
		t.Errorf("of a payment that never expires: %v", err)
	}
}
