package core_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/wallet"
)

// feed has read everything until the evening, and swept half an hour before it.
func feed() wallet.Feed {
	return wallet.Feed{
		WalletID: 3, GatewayID: 9, Version: 4, OpenedAt: evening.AddDate(0, 0, -30), ReadUntil: evening,
		SweptAt: evening.Add(-30 * time.Minute), NextAt: evening, LeaseUntil: evening.Add(5 * time.Minute), ReconciledTo: "2026-03-08",
	}
}

// TestFromWhenOnAStatementIsRead: a quarter of an hour again each time, a day and two hours again once an hour, and nothing
// from before the wallet was made.
func TestFromWhenOnAStatementIsRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		now     time.Duration // since the evening
		opened  time.Duration
		read    time.Duration
		from    time.Duration
		isSweep bool
	}{
		"again":                   {0, -1000 * time.Hour, 0, -15 * time.Minute, false},
		"just before the hour":    {30*time.Minute - 1, -1000 * time.Hour, 0, -15 * time.Minute, false},
		"after an hour":           {30 * time.Minute, -1000 * time.Hour, 0, -26 * time.Hour, true},
		"after days without":      {50 * time.Hour, -1000 * time.Hour, 0, -26 * time.Hour, true},
		"a new wallet":            {0, 0, 0, 0, false},
		"a wallet of ten minutes": {0, -10 * time.Minute, 0, -10 * time.Minute, false},
		"a wallet of yesterday":   {time.Hour, -20 * time.Hour, 0, -20 * time.Hour, true},
		"far behind":              {0, -1000 * time.Hour, -9 * time.Hour, -9*time.Hour - 15*time.Minute, false},
	} {
		f := feed()
		f.OpenedAt, f.ReadUntil = evening.Add(c.opened), evening.Add(c.read)
		from, isSweep := f.From(evening.Add(c.now))
		if !from.Equal(evening.Add(c.from)) || isSweep != c.isSweep {
			t.Errorf("%s: from %s, sweep %v", name, from.Sub(evening), isSweep)
		}
	}
}

func TestAFeedThatWasRead(t *testing.T) {
	t.Parallel()
	f, now := feed(), evening.Add(time.Minute)
	f.Failures, f.Trouble = 3, "before"
	for _, isSweep := range []bool{false, true} {
		want := f
		want.Version, want.Failures, want.Trouble, want.LeaseUntil = 5, 0, "", time.Time{}
		want.ReadUntil, want.NextAt = now.Add(-time.Second), now.Add(30*time.Second)
		if isSweep {
			want.SweptAt = now
		}
		if got := f.Read(now.Add(-time.Second), isSweep, 30*time.Second, now); got != want {
			t.Errorf("sweep %v: %+v, want %+v", isSweep, got, want)
		}
	}
}

// TestAFeedThatFails is read ever later, at most a quarter of an hour, and loses nothing of where it was.
func TestAFeedThatFails(t *testing.T) {
	t.Parallel()
	f := feed()
	waits := []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 15 * time.Minute}
	for i := range 100 {
		before, wait := f, waits[min(i, len(waits)-1)]
		f = f.Failed("down", 30*time.Second, evening)
		want := before
		want.Version, want.Failures, want.Trouble, want.LeaseUntil = before.Version+1, i+1, "down", time.Time{}
		want.NextAt = evening.Add(wait)
		if f != want {
			t.Fatalf("%d: %+v, want %+v", i, f, want)
		}
	}
	if f = f.Read(evening, false, time.Minute, evening).Failed("down", time.Minute, evening); f.Failures != 1 {
		t.Errorf("after it was read: %d failures", f.Failures)
	}
}

// TestWhatAFeedHolds: what was booked until the wallet's opening is in its opening balance.
func TestWhatAFeedHolds(t *testing.T) {
	t.Parallel()
	f := wallet.Feed{OpenedAt: evening}
	for offset, want := range map[time.Duration]bool{-time.Second: false, 0: false, time.Microsecond: true, time.Hour: true} {
		if got := f.Holds(bankLine(bookedIn(offset))); got != want {
			t.Errorf("%s after its opening: %v", offset, got)
		}
	}
}

// TestAFeedRingsWhenItIsDue, unless it is switched off, or somebody reads it.
func TestAFeedRingsWhenItIsDue(t *testing.T) {
	t.Parallel()
	leased := feed()
	due, off := leased, leased
	due.LeaseUntil, off.LeaseUntil, off.NextAt = time.Time{}, time.Time{}, time.Time{}
	change := core.Changeset{leased, due, off}
	if got, want := change.WakeUps(), []core.WakeUp{{Kind: core.DueStatements, At: evening}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestALedgerThatAddsUp holds what its entries say, sums to zero, and has nothing less than nothing.
func TestALedgerThatAddsUp(t *testing.T) {
	t.Parallel()
	right := wallet.LedgerSum{
		Available: lira(700), Reserved: lira(300), Outside: lira(-1000),
		SumAvailable: lira(700), SumReserved: lira(300), SumOutside: lira(-1000),
	}
	if !right.IsRight() || !(wallet.LedgerSum{}).IsRight() {
		t.Errorf("%+v is wrong, or an empty one", right)
	}
	for name, spoil := range map[string]func(*wallet.LedgerSum){
		"available differs": func(s *wallet.LedgerSum) { s.SumAvailable = lira(701) },
		"reserved differs":  func(s *wallet.LedgerSum) { s.SumReserved = lira(0) },
		"outside differs":   func(s *wallet.LedgerSum) { s.SumOutside = lira(-999) },
		"no zero": func(s *wallet.LedgerSum) {
			s.Outside, s.SumOutside = lira(-999), lira(-999)
		},
		"available is less than nothing": func(s *wallet.LedgerSum) {
			s.Available, s.SumAvailable, s.Reserved, s.SumReserved = lira(-1), lira(-1), lira(1001), lira(1001)
		},
		"reserved is less than nothing": func(s *wallet.LedgerSum) {
			s.Available, s.SumAvailable, s.Reserved, s.SumReserved = lira(1001), lira(1001), lira(-1), lira(-1)
		},
	} {
		s := right
		spoil(&s)
		if s.IsRight() {
			t.Errorf("%s: right", name)
		}
	}
}
