package owner_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// chosen is the account that a payment of this amount is offered; 0: none.
func chosen(amount money.Amount, held owner.OfferedAccount, loads ...owner.DailyUsage) int64 {
	load, err := owner.ChooseAccount(loads, amount, held)
	if err != nil && !fault.Is(err, fault.NoAccount) {
		return -1
	}
	return load.ID
}

// TestAccountBounds: minimum, maximum and both daily limits are met exactly and never passed. Amounts of different currencies
// are never compared, so that none of them fits.
func TestAccountBounds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*owner.DailyUsage)
		amount int64
		fits   bool
	}{
		{"minimum", nil, 10_000, true},
		{"under the minimum", nil, 9_999, false},
		{"maximum", nil, 90_000, true},
		{"over the maximum", nil, 90_001, false},
		{"inactive", func(l *owner.DailyUsage) { l.IsActive = false }, 10_000, false},
		{"daily limit used up exactly", func(l *owner.DailyUsage) { l.DailyLimit, l.Used = coretest.Lira(100_000), coretest.Lira(60_000) }, 40_000, true},
		{"a kuruş over the daily limit", func(l *owner.DailyUsage) { l.DailyLimit, l.Used = coretest.Lira(100_000), coretest.Lira(60_001) }, 40_000, false},
		{"no daily limit", func(l *owner.DailyUsage) { l.Used = coretest.Lira(90 * money.MaxMinor) }, 40_000, true},
		{"last of the daily count", func(l *owner.DailyUsage) { l.DailyCount, l.Count = 3, 2 }, 40_000, true},
		{"daily count used up", func(l *owner.DailyUsage) { l.DailyCount, l.Count = 3, 3 }, 40_000, false},
		{"no daily count", func(l *owner.DailyUsage) { l.Count = 1_000_000 }, 40_000, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := coretest.Account(1)
			l.Min, l.Max = coretest.Lira(10_000), coretest.Lira(90_000)
			if tt.change != nil {
				tt.change(&l)
			}
			if got := chosen(coretest.Lira(tt.amount), owner.OfferedAccount{}, l); (got == 1) != tt.fits {
				t.Errorf("chose %d", got)
			}
		})
	}
	for _, amount := range []money.Amount{{}, money.New(50_000, money.Currency{Code: "XTS", Decimals: 2})} {
		if got := chosen(amount, owner.OfferedAccount{}, coretest.Account(1)); got != 0 {
			t.Errorf("%s %q was offered account %d", amount, amount.Currency().Code, got)
		}
	}
}

// TestDaySumFits: a day's load can't wrap around, even with a thousand of the greatest offers in every second of it, and
// a limit is still held then.
func TestDaySumFits(t *testing.T) {
	t.Parallel()
	const offers = 1000 * 24 * 60 * 60
	l := coretest.Account(1)
	l.Used, l.DailyLimit = coretest.Lira(offers*money.MaxMinor), coretest.Lira((offers+1)*money.MaxMinor)
	if got := chosen(coretest.Lira(money.MaxMinor), owner.OfferedAccount{}, l); got != 1 {
		t.Errorf("up to the limit: chose %d", got)
	}
	l.Used = coretest.Lira(l.Used.Minor() + 1)
	if got := chosen(coretest.Lira(money.MaxMinor), owner.OfferedAccount{}, l); got != 0 {
		t.Errorf("a kuruş over the limit: chose %d", got)
	}
}

// TestAccountOrder: the least loaded, then the least recently offered, then the smallest id (D2).
func TestAccountOrder(t *testing.T) {
	t.Parallel()
	load := func(id, used int64, last time.Time) owner.DailyUsage {
		l := coretest.Account(id)
		l.Used, l.LastOfferedAt = coretest.Lira(used), last
		return l
	}
	early, late := coretest.Evening, coretest.Evening.Add(time.Second)
	tests := []struct {
		name  string
		loads []owner.DailyUsage
		want  int64
	}{
		{"least loaded, though offered last", []owner.DailyUsage{load(1, 500, early), load(2, 499, late)}, 2},
		{"equally loaded: offered longest ago", []owner.DailyUsage{load(1, 500, late), load(2, 500, early)}, 2},
		{"never offered comes first", []owner.DailyUsage{load(1, 500, early), load(2, 500, time.Time{})}, 2},
		{"all equal: the smaller id", []owner.DailyUsage{load(2, 500, early), load(1, 500, early)}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := chosen(coretest.Lira(100), owner.OfferedAccount{}, tt.loads...); got != tt.want {
				t.Errorf("chose %d, want %d", got, tt.want)
			}
			slices.Reverse(tt.loads)
			if got := chosen(coretest.Lira(100), owner.OfferedAccount{}, tt.loads...); got != tt.want {
				t.Errorf("in the other order: chose %d, want %d", got, tt.want)
			}
		})
	}
}

// TestAccountIsKept: a customer who changes the amount pays to the account already seen, as long as it fits with what
// the payment itself holds of it counted out.
func TestAccountIsKept(t *testing.T) {
	t.Parallel()
	full := coretest.Account(1) // the payment's own 300.00 fill both of its limits
	full.Used, full.Count, full.DailyLimit, full.DailyCount = coretest.Lira(100_000), 1, coretest.Lira(100_000), 1
	free := coretest.Account(2)
	held := owner.OfferedAccount{AccountID: 1, Day: full.Day, Held: coretest.Lira(30_000)}
	tests := []struct {
		name   string
		held   owner.OfferedAccount
		amount int64
		want   int64
	}{
		{"less", held, 20_000, 1},
		{"the same", held, 30_000, 1},
		{"a kuruş more than fits", held, 30_001, 2},
		{"held on another day", owner.OfferedAccount{AccountID: 1, Day: "2026-03-08", Held: coretest.Lira(30_000)}, 20_000, 2},
		{"held of another account", owner.OfferedAccount{AccountID: 3, Day: full.Day, Held: coretest.Lira(30_000)}, 20_000, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := chosen(coretest.Lira(tt.amount), tt.held, free, full); got != tt.want {
				t.Errorf("chose %d, want %d", got, tt.want)
			}
		})
	}
}

// TestOffersSpread: 500 offers in a row leave the accounts' loads at most one offer's amount apart.
func TestOffersSpread(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		loads := make([]owner.DailyUsage, rapid.IntRange(2, 7).Draw(t, "accounts"))
		for i := range loads {
			loads[i] = coretest.Account(int64(i + 1))
		}
		greatest := rapid.Int64Range(100, 1_000_000).Draw(t, "greatest")
		amounts := rapid.SliceOfN(rapid.Int64Range(100, greatest), 1, 20).Draw(t, "amounts")
		for i := range 500 {
			offerTo(loads, coretest.Lira(amounts[i%len(amounts)]), coretest.Evening.Add(time.Duration(i)*time.Second))
		}
		byUse := func(a, b owner.DailyUsage) int { return cmp.Compare(a.Used.Minor(), b.Used.Minor()) }
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
		loads := make([]owner.DailyUsage, rapid.IntRange(1, 4).Draw(t, "accounts"))
		for i := range loads {
			loads[i] = coretest.Account(int64(i + 1))
			loads[i].Min = coretest.Lira(rapid.Int64Range(100, 5_000).Draw(t, "min"))
			loads[i].Max = coretest.Lira(rapid.Int64Range(5_000, 50_000).Draw(t, "max"))
			loads[i].DailyLimit = coretest.Lira(rapid.Int64Range(0, 400_000).Draw(t, "daily limit"))
			loads[i].DailyCount = rapid.IntRange(0, 30).Draw(t, "daily count")
		}
		for i, minor := range rapid.SliceOfN(rapid.Int64Range(1, 60_000), 100, 100).Draw(t, "amounts") {
			want := fitting(loads, minor)
			got := offerTo(loads, coretest.Lira(minor), coretest.Evening.Add(time.Duration(i)*time.Second))
			if (got == 0) != (len(want) == 0) || got != 0 && !slices.Contains(want, got) {
				t.Fatalf("%d was offered account %d of the fitting %v", minor, got, want)
			}
		}
	})
}

// fitting says again, from D2's words, which accounts may take an amount.
func fitting(loads []owner.DailyUsage, minor int64) (ids []int64) {
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
func offerTo(loads []owner.DailyUsage, amount money.Amount, at time.Time) int64 {
	id := chosen(amount, owner.OfferedAccount{}, loads...)
	for i := range loads {
		if l := &loads[i]; l.ID == id {
			l.Used, l.Count, l.LastOfferedAt = coretest.Lira(l.Used.Minor()+amount.Minor()), l.Count+1, at
		}
	}
	return id
}

func TestOfferRange(t *testing.T) {
	t.Parallel()
	load := func(low, high int64, isActive bool) owner.DailyUsage {
		l := coretest.Account(1)
		l.Min, l.Max, l.IsActive = coretest.Lira(low), coretest.Lira(high), isActive
		return l
	}
	tests := []struct {
		loads []owner.DailyUsage
		want  string
	}{
		{nil, "0 0 false"},
		{[]owner.DailyUsage{load(1, 9, false)}, "0 0 false"},
		{[]owner.DailyUsage{load(500, 900, true)}, "5.00 9.00 true"},
		{[]owner.DailyUsage{load(500, 900, true), load(100, 700, true), load(1, 9_000, false)}, "1.00 9.00 true"},
		{[]owner.DailyUsage{load(100, 700, true), load(500, 900, true)}, "1.00 9.00 true"},
	}
	for _, tt := range tests {
		low, high, ok := owner.OfferRange(tt.loads)
		if got := fmt.Sprint(low, high, ok); got != tt.want {
			t.Errorf("OfferRange(%+v) = %s, want %s", tt.loads, got, tt.want)
		}
	}
}

// TestOnePersonsWordIsBoundedByTheAccountsDay: what the deposit holds of it is there for it, and nothing that others hold.
func TestOnePersonsWordIsBoundedByTheAccountsDay(t *testing.T) {
	t.Parallel()
	shown := owner.OfferedAccount{AccountID: 1, Held: coretest.Lira(25_000)}
	l := owner.DailyUsage{Account: owner.Account{ID: 1, Max: coretest.Lira(500_000), DailyLimit: coretest.Lira(100_000)}, Used: coretest.Lira(90_000)}
	unlimited := l
	unlimited.DailyLimit = coretest.Lira(0)
	for name, c := range map[string]struct {
		loads []owner.DailyUsage
		want  int64
	}{
		"its day has little left": {[]owner.DailyUsage{{Account: owner.Account{ID: 2}}, l}, 35_000},
		"no limit of the day":     {[]owner.DailyUsage{unlimited}, 500_000},
		"it is gone":              {nil, 0},
	} {
		if got, _ := owner.HandMax(c.loads, shown); got.Minor() != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAccountCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*owner.Account)
		want   string
	}{
		{"good", func(*owner.Account) {}, ""},
		{"one amount only", func(a *owner.Account) { a.Max = a.Min }, ""},
		{"maximum under minimum", func(a *owner.Account) { a.Max = coretest.Lira(99) }, "field.min"},
		{"minimum under 1", func(a *owner.Account) { a.Min = coretest.Lira(99) }, "field.min"},
		{"no amounts", func(a *owner.Account) { a.Min, a.Max = money.Amount{}, money.Amount{} }, "field.min"},
		{"IBAN with a wrong digit", func(a *owner.Account) { a.IBAN = "TR330006100519786457841327" }, "field.iban"},
		{"no bank", func(a *owner.Account) { a.BankName = "" }, "field.required"},
		{"no holder", func(a *owner.Account) { a.Holder = " " }, "field.required"},
	}
	for _, tt := range tests {
		a := coretest.Account(1).Account
		tt.change(&a)
		if got := coretest.FailedField(t, a.Check()); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestWhatIsLeftOfADay(t *testing.T) {
	t.Parallel()
	l := owner.DailyUsage{Account: owner.Account{DailyLimit: coretest.Lira(100), DailyCount: 3}, Used: coretest.Lira(30), Count: 1}
	amount, ok := l.AmountLeft()
	if count, isCounted := l.CountLeft(); !ok || !isCounted || amount != coretest.Lira(70) || count != 2 {
		t.Errorf("%s %d", amount, count)
	}
	l.Used, l.Count = coretest.Lira(130), 5
	amount, _ = l.AmountLeft()
	if count, _ := l.CountLeft(); !amount.IsZero() || count != 0 {
		t.Errorf("beyond the limits: %s %d", amount, count)
	}
	if _, ok := (owner.DailyUsage{}).AmountLeft(); ok {
		t.Error("there is something left of no limit")
	}
	if _, ok := (owner.DailyUsage{}).CountLeft(); ok {
		t.Error("there is something left of no limit")
	}
}
