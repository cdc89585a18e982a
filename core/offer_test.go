package core_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// sameMoney lets cmp compare amounts by their own Equal, and account uses with them.
var sameMoney = cmp.Comparer(money.Amount.Equal)

// TestOfferUses: what an offer takes of an account's day, and what it gives back of an earlier one.
func TestOfferUses(t *testing.T) {
	t.Parallel()
	at := decision(t).At
	today, tomorrow := account(1).Day, core.DayOf(evening.Add(time.Hour), istanbul)
	tests := []struct {
		name   string
		held   core.OfferedAccount // by an earlier offer
		choice int64               // the only account there is
		day    core.Day
		want   []core.AccountUse
	}{
		{"first", core.OfferedAccount{}, 1, today, []core.AccountUse{
			{AccountID: 1, Day: today, Amount: lira(30000), Count: 1, Expect: 4, At: at},
		}},
		{"same account, other amount", core.OfferedAccount{AccountID: 1, Day: today, Held: lira(50000)}, 1, today, []core.AccountUse{
			{AccountID: 1, Day: today, Amount: lira(-20000), Count: 0, Expect: 4, At: at},
		}},
		{"same account, next day", core.OfferedAccount{AccountID: 1, Day: today, Held: lira(50000)}, 1, tomorrow, []core.AccountUse{
			{AccountID: 1, Day: tomorrow, Amount: lira(30000), Count: 1, Expect: 4, At: at},
			{AccountID: 1, Day: today, Amount: lira(-50000), Count: -1, Expect: core.AnyVersion},
		}},
		{"other account", core.OfferedAccount{AccountID: 2, Day: today, Held: lira(50000)}, 1, today, []core.AccountUse{
			{AccountID: 1, Day: today, Amount: lira(30000), Count: 1, Expect: 4, At: at},
			{AccountID: 2, Day: today, Amount: lira(-50000), Count: -1, Expect: core.AnyVersion},
		}},
		{"nothing new", core.OfferedAccount{AccountID: 1, Day: today, Held: lira(30000)}, 1, today, nil},
		{"same amount, next day", core.OfferedAccount{AccountID: 1, Day: today, Held: lira(30000)}, 1, tomorrow, []core.AccountUse{
			{AccountID: 1, Day: tomorrow, Amount: lira(30000), Count: 1, Expect: 4, At: at},
			{AccountID: 1, Day: today, Amount: lira(-30000), Count: -1, Expect: core.AnyVersion},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			load := account(tt.choice)
			load.Day, load.LoadVersion = tt.day, 4
			p := started(t, core.ManualDeposit)
			if p.Account = tt.held; tt.held.AccountID != 0 {
				p.Amount = tt.held.Held
			}
			change, err := core.DecideOffer(p, lira(30000), []core.AccountLoad{load}, tt.day, decision(t))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, core.RowsOf[core.AccountUse](change), sameMoney); diff != "" {
				t.Errorf("uses (-want +got):\n%s", diff)
			}
			if (!core.Has[core.Payment](change)) != (tt.want == nil) {
				t.Errorf("saves %d payments", len(core.RowsOf[core.Payment](change)))
			}
		})
	}
}

// TestOfferShows: the payment keeps the account as it was when it was shown.
func TestOfferShows(t *testing.T) {
	t.Parallel()
	load := account(9)
	change, err := core.DecideOffer(started(t, core.ManualDeposit), lira(30000), []core.AccountLoad{load}, load.Day, decision(t))
	if err != nil {
		t.Fatal(err)
	}
	p := core.RowsOf[core.Payment](change)[0]
	want := core.OfferedAccount{
		AccountID: 9, BankName: load.BankName, Holder: load.Holder, IBAN: load.IBAN, Day: load.Day, Held: lira(30000),
	}
	if p.Account != want || !p.Amount.Equal(lira(30000)) || !p.Requested.Equal(lira(25000)) {
		t.Errorf("shown %+v, amount %s of requested %s", p.Account, p.Amount, p.Requested)
	}
}

// TestOfferEnds: the last moment of a payment is the one before ExpiresAt; without ExpiresAt there is none.
func TestOfferEnds(t *testing.T) {
	t.Parallel()
	p := started(t, core.ManualDeposit)
	offer := func(p core.Payment, at time.Time) error {
		d := decision(t)
		d.At = at
		_, err := core.DecideOffer(p, lira(30000), []core.AccountLoad{account(1)}, account(1).Day, d)
		return err
	}
	if err := offer(p, p.ExpiresAt.Add(-1)); err != nil {
		t.Errorf("a nanosecond before the end: %v", err)
	}
	if err := offer(p, p.ExpiresAt); !fault.Is(err, fault.Expired) {
		t.Errorf("at the end: %v, want %s", err, fault.Expired)
	}
	p.ExpiresAt = time.Time{}
	if err := offer(p, evening.AddDate(9, 0, 0)); err != nil {
		t.Errorf("of a payment that never expires: %v", err)
	}
}
