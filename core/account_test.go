package core_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// chosen is the account that a new payment of this amount is offered; 0: none.
func chosen(t testingT, amount money.Amount, held owner.OfferedAccount, loads ...owner.AccountLoad) int64 {
	t.Helper()
	p := started(t, payment.ManualDeposit)
	p.Account, p.Amount = held, lira(1) // another amount than any asked for, so that no offer is a repetition
	change, err := payment.DecideOffer(p, amount, loads, loads[0].Day, decision(t))
	if fault.Is(err, fault.NoAccount) {
		return 0
	}
	if err != nil {
		t.Fatalf("DecideOffer: %v", err)
	}
	return core.RowsOf[payment.Payment](change)[0].Account.AccountID
}

// TestAccountBounds: minimum, maximum and both daily limits are met exactly and never passed.
func TestAccountBounds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*owner.AccountLoad)
		amount int64
		fits   bool
	}{
		{"minimum", nil, 10_000, true},
		{"under the minimum", nil, 9_999, false},
		{"maximum", nil, 90_000, true},
		{"over the maximum", nil, 90_001, false},
		{"inactive", func(l *owner.AccountLoad) { l.IsActive = false }, 10_000, false},
		{"daily limit used up exactly", func(l *owner.AccountLoad) { l.DailyLimit, l.Used = lira(100_000), lira(60_000) }, 40_000, true},
		{"a kuruş over the daily limit", func(l *owner.AccountLoad) { l.DailyLimit, l.Used = lira(100_000), lira(60_001) }, 40_000, false},
		{"no daily limit", func(l *owner.AccountLoad) { l.Used = lira(90 * money.MaxMinor) }, 40_000, true},
		{"last of the daily count", func(l *owner.AccountLoad) { l.DailyCount, l.Count = 3, 2 }, 40_000, true},
		{"daily count used up", func(l *owner.AccountLoad) { l.DailyCount, l.Count = 3, 3 }, 40_000, false},
		{"no daily count", func(l *owner.AccountLoad) { l.Count = 1_000_000 }, 40_000, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := account(1)
			l.Min, l.Max = lira(10_000), lira(90_000)
			if tt.change != nil {
				tt.change(&l)
			}
			if got := chosen(t, lira(tt.amount), owner.OfferedAccount{}, l); (got == 1) != tt.fits {
				t.Errorf("chose %d", got)
			}
		})
	}
}

// TestDaySumFits: a day's load can't wrap around, even with a thousand of the greatest offers in every second of it, and
// a limit is still held then.
func TestDaySumFits(t *testing.T) {
	t.Parallel()
	const offers = 1000 * 24 * 60 * 60
	l := account(1)
	l.Used, l.DailyLimit = lira(offers*money.MaxMinor), lira((offers+1)*money.MaxMinor)
	if got := chosen(t, lira(money.MaxMinor), owner.OfferedAccount{}, l); got != 1 {
		t.Errorf("up to the limit: chose %d", got)
	}
	l.Used = lira(l.Used.Minor() + 1)
	if got := chosen(t, lira(money.MaxMinor), owner.OfferedAccount{}, l); got != 0 {
		t.Errorf("a kuruş over the limit: chose %d", got)
	}
}

// TestAccountOfAnotherCurrency: amounts of different currencies are never compared, so none of them fits.
func TestAccountOfAnotherCurrency(t *testing.T) {
	t.Parallel()
	for _, amount := range []money.Amount{{}, money.New(50_000, money.Currency{Code: "XTS", Decimals: 2})} {
		if got := chosen(t, amount, owner.OfferedAccount{}, account(1)); got != 0 {
			t.Errorf("%s %q was offered account %d", amount, amount.Currency().Code, got)
		}
	}
}

// TestAccountOrder: the least loaded, then the least recently offered, then the smallest id (D2).
func TestAccountOrder(t *testing.T) {
	t.Parallel()
	load := func(id, used int64, last time.Time) owner.AccountLoad {
		l := account(id)
		l.Used, l.LastOfferedAt = lira(used), last
		return l
	}
	early, late := evening, evening.Add(time.Second)
	tests := []struct {
		name  string
		loads []owner.AccountLoad
		want  int64
	}{
		{"least loaded, though offered last", []owner.AccountLoad{load(1, 500, early), load(2, 499, late)}, 2},
		{"equally loaded: offered longest ago", []owner.AccountLoad{load(1, 500, late), load(2, 500, early)}, 2},
		{"never offered comes first", []owner.AccountLoad{load(1, 500, early), load(2, 500, time.Time{})}, 2},
		{"all equal: the smaller id", []owner.AccountLoad{load(2, 500, early), load(1, 500, early)}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := chosen(t, lira(100), owner.OfferedAccount{}, tt.loads...); got != tt.want {
				t.Errorf("chose %d, want %d", got, tt.want)
			}
			slices.Reverse(tt.loads)
			if got := chosen(t, lira(100), owner.OfferedAccount{}, tt.loads...); got != tt.want {
				t.Errorf("in the other order: chose %d, want %d", got, tt.want)
			}
		})
	}
}

// TestAccountIsKept: a customer who changes the amount pays to the account already seen, as long as it fits with what
// the payment itself holds of it counted out.
func TestAccountIsKept(t *testing.T) {
	t.Parallel()
	full := account(1) // the payment's own 300.00 fill both of its limits
	full.Used, full.Count, full.DailyLimit, full.DailyCount = lira(100_000), 1, lira(100_000), 1
	free := account(2)
	held := owner.OfferedAccount{AccountID: 1, Day: full.Day, Held: lira(30_000)}
	tests := []struct {
		name   string
		held   owner.OfferedAccount
		amount int64
		want   int64
	}{
		{"less", held, 20_000, 1},
		{"the same", held, 30_000, 1},
		{"a kuruş more than fits", held, 30_001, 2},
		{"held on another day", owner.OfferedAccount{AccountID: 1, Day: "2026-03-08", Held: lira(30_000)}, 20_000, 2},
		{"held of another account", owner.OfferedAccount{AccountID: 3, Day: full.Day, Held: lira(30_000)}, 20_000, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := chosen(t, lira(tt.amount), tt.held, free, full); got != tt.want {
				t.Errorf("chose %d, want %d", got, tt.want)
			}
		})
	}
}

// TestOffersSpread: 500 offers in a row leave the accounts' loads at most one offer's amount apart.
func TestOffersSpread(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		loads := make([]owner.AccountLoad, rapid.IntRange(2, 7).Draw(t, "accounts"))
		for i := range loads {
			loads[i] = account(int64(i + 1))
		}
		greatest := rapid.Int64Range(100, 1_000_000).Draw(t, "greatest")
		amounts := rapid.SliceOfN(rapid.Int64Range(100, greatest), 1, 20).Draw(t, "amounts")
		for i := range 500 {
			offerTo(t, loads, lira(amounts[i%len(amounts)]), evening.Add(time.Duration(i)*time.Second))
		}
		byUse := func(a, b owner.AccountLoad) int { return cmp.Compare(a.Used.Minor(), b.Used.Minor()) }
		low, high := slices.MinFunc(loads, byUse).Used.Minor(), slices.MaxFunc(loads, byUse).Used.Minor()
		if high-low > slices.Max(amounts) {
			t.Fatalf("loads from %d to %d, offers up to %d", low, high, slices.Max(amounts))
		}
	})
}

// TestOffersKeepLimits: no sequence of offers passes a limit, and one is refused only when no account fits.
func TestOffersKeepLimits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		loads := make([]owner.AccountLoad, rapid.IntRange(1, 4).Draw(t, "accounts"))
		for i := range loads {
			loads[i] = account(int64(i + 1))
			loads[i].Min = lira(rapid.Int64Range(100, 5_000).Draw(t, "min"))
			loads[i].Max = lira(rapid.Int64Range(5_000, 50_000).Draw(t, "max"))
			loads[i].DailyLimit = lira(rapid.Int64Range(0, 400_000).Draw(t, "daily limit"))
			loads[i].DailyCount = rapid.IntRange(0, 30).Draw(t, "daily count")
		}
		for i, minor := range rapid.SliceOfN(rapid.Int64Range(1, 60_000), 100, 100).Draw(t, "amounts") {
			want := fitting(loads, minor)
			got := offerTo(t, loads, lira(minor), evening.Add(time.Duration(i)*time.Second))
			if (got == 0) != (len(want) == 0) || got != 0 && !slices.Contains(want, got) {
				t.Fatalf("%d was offered account %d of the fitting %v", minor, got, want)
			}
		}
	})
}

// fitting says again, from D2's words, which accounts may take an amount.
func fitting(loads []owner.AccountLoad, minor int64) (ids []int64) {
	for _, l := range loads {
		isInBounds := l.Min.Minor() <= minor && minor <= l.Max.Minor()
		isInLimit := l.DailyLimit.IsZero() || l.DailyLimit.Minor()-l.Used.Minor() >= minor
		if isInBounds && isInLimit && (l.DailyCount == 0 || l.Count < l.DailyCount) {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// offerTo offers an account to a new payment and counts it, as a store would.
func offerTo(t testingT, loads []owner.AccountLoad, amount money.Amount, at time.Time) int64 {
	t.Helper()
	id := chosen(t, amount, owner.OfferedAccount{}, loads...)
	for i := range loads {
		if l := &loads[i]; l.ID == id {
			l.Used, l.Count, l.LastOfferedAt = lira(l.Used.Minor()+amount.Minor()), l.Count+1, at
		}
	}
	return id
}

func TestOfferRange(t *testing.T) {
	t.Parallel()
	load := func(low, high int64, isActive bool) owner.AccountLoad {
		l := account(1)
		l.Min, l.Max, l.IsActive = lira(low), lira(high), isActive
		return l
	}
	tests := []struct {
		loads []owner.AccountLoad
		want  string
	}{
		{nil, "0 0 false"},
		{[]owner.AccountLoad{load(1, 9, false)}, "0 0 false"},
		{[]owner.AccountLoad{load(500, 900, true)}, "5.00 9.00 true"},
		{[]owner.AccountLoad{load(500, 900, true), load(100, 700, true), load(1, 9_000, false)}, "1.00 9.00 true"},
		{[]owner.AccountLoad{load(100, 700, true), load(500, 900, true)}, "1.00 9.00 true"},
	}
	for _, tt := range tests {
		low, high, ok := owner.OfferRange(tt.loads)
		if got := fmt.Sprint(low, high, ok); got != tt.want {
			t.Errorf("OfferRange(%+v) = %s, want %s", tt.loads, got, tt.want)
		}
	}
}

// TestDayOf: the day changes at midnight of the service's time zone, not of UTC.
func TestDayOf(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 3, 9, 21, 0, 0, 0, time.UTC)
	if got := core.DayOf(midnight.Add(-1), istanbul); got != "2026-03-09" {
		t.Errorf("a nanosecond before midnight: %s", got)
	}
	if got := core.DayOf(midnight, istanbul); got != "2026-03-10" {
		t.Errorf("at midnight: %s", got)
	}
}
