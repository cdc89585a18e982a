package wallet_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/wallet"
)

// feed has read everything until the evening, and swept half an hour before it.
func feed() wallet.Feed {
	return wallet.Feed{
		WalletID: 3, GatewayID: 9, Version: 4, OpenedAt: coretest.Evening.AddDate(0, 0, -30), ReadUntil: coretest.Evening,
		SweptAt: coretest.Evening.Add(-30 * time.Minute), NextReadAt: coretest.Evening, LeaseUntil: coretest.Evening.Add(5 * time.Minute), ReconciledTo: "2026-03-08",
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
		f.OpenedAt, f.ReadUntil = coretest.Evening.Add(c.opened), coretest.Evening.Add(c.read)
		from, isSweep := f.From(coretest.Evening.Add(c.now))
		if !from.Equal(coretest.Evening.Add(c.from)) || isSweep != c.isSweep {
			t.Errorf("%s: from %s, sweep %v", name, from.Sub(coretest.Evening), isSweep)
		}
	}
}

func TestAFeedThatWasRead(t *testing.T) {
	t.Parallel()
	f, now := feed(), coretest.Evening.Add(time.Minute)
	f.FailureCount, f.Trouble = 3, "before"
	for _, isSweep := range []bool{false, true} {
		want := f
		want.Version, want.FailureCount, want.Trouble, want.LeaseUntil = 5, 0, "", time.Time{}
		want.ReadUntil, want.NextReadAt = now.Add(-time.Second), now.Add(30*time.Second)
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
		f = f.Failed("down", 30*time.Second, coretest.Evening)
		want := before
		want.Version, want.FailureCount, want.Trouble, want.LeaseUntil = before.Version+1, i+1, "down", time.Time{}
		want.NextReadAt = coretest.Evening.Add(wait)
		if f != want {
			t.Fatalf("%d: %+v, want %+v", i, f, want)
		}
	}
	if f = f.Read(coretest.Evening, false, time.Minute, coretest.Evening).Failed("down", time.Minute, coretest.Evening); f.FailureCount != 1 {
		t.Errorf("after it was read: %d failures", f.FailureCount)
	}
}

// TestWhatAFeedHolds: what was booked until the wallet's opening is in its opening balance.
func TestWhatAFeedHolds(t *testing.T) {
	t.Parallel()
	f := wallet.Feed{OpenedAt: coretest.Evening}
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
	due.LeaseUntil, off.LeaseUntil, off.NextReadAt = time.Time{}, time.Time{}, time.Time{}
	change := core.Changeset{leased, due, off}
	if got, want := change.WakeUps(), []core.WakeUp{{Kind: core.DueStatements, At: coretest.Evening}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestAFeedThatIsToldOfLines is read at once, from the earliest line of the last day on.
func TestAFeedThatIsToldOfLines(t *testing.T) {
	t.Parallel()
	at := func(ago time.Duration) gateway.StatementLine {
		return gateway.StatementLine{BookedAt: coretest.Evening.Add(-ago)}
	}
	for name, tt := range map[string]struct {
		lines []gateway.StatementLine
		ago   time.Duration // of ReadUntil afterwards
	}{
		"none":               {nil, time.Minute},
		"one just booked":    {[]gateway.StatementLine{at(0)}, time.Minute},
		"one of yesterday":   {[]gateway.StatementLine{at(0), at(20 * time.Hour), at(time.Hour)}, 20 * time.Hour},
		"one of last week":   {[]gateway.StatementLine{at(200 * time.Hour)}, time.Minute},
		"one without a time": {[]gateway.StatementLine{{}}, time.Minute},
	} {
		f := wallet.Feed{
			Version: 3, ReadUntil: coretest.Evening.Add(-time.Minute), NextReadAt: coretest.Evening.Add(time.Hour), LeaseUntil: coretest.Evening.Add(-time.Hour),
		}
		got := f.Told(tt.lines, coretest.Evening)
		if got.Version != 4 || !got.NextReadAt.Equal(coretest.Evening) || !got.LeaseUntil.IsZero() || !got.ReadUntil.Equal(coretest.Evening.Add(-tt.ago)) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestALedgerThatAddsUp holds what its entries say, sums to zero, and has nothing less than nothing.
func TestALedgerThatAddsUp(t *testing.T) {
	t.Parallel()
	right := wallet.LedgerSum{
		Available: coretest.Lira(700), Reserved: coretest.Lira(300), Outside: coretest.Lira(-1000),
		SumAvailable: coretest.Lira(700), SumReserved: coretest.Lira(300), SumOutside: coretest.Lira(-1000),
	}
	if !right.IsRight() || !(wallet.LedgerSum{}).IsRight() {
		t.Errorf("%+v is wrong, or an empty one", right)
	}
	for name, spoil := range map[string]func(*wallet.LedgerSum){
		"available differs": func(s *wallet.LedgerSum) { s.SumAvailable = coretest.Lira(701) },
		"reserved differs":  func(s *wallet.LedgerSum) { s.SumReserved = coretest.Lira(0) },
		"outside differs":   func(s *wallet.LedgerSum) { s.SumOutside = coretest.Lira(-999) },
		"no zero": func(s *wallet.LedgerSum) {
			s.Outside, s.SumOutside = coretest.Lira(-999), coretest.Lira(-999)
		},
		"available is less than nothing": func(s *wallet.LedgerSum) {
			s.Available, s.SumAvailable, s.Reserved, s.SumReserved = coretest.Lira(-1), coretest.Lira(-1), coretest.Lira(1001), coretest.Lira(1001)
		},
		"reserved is less than nothing": func(s *wallet.LedgerSum) {
			s.Available, s.SumAvailable, s.Reserved, s.SumReserved = coretest.Lira(1001), coretest.Lira(1001), coretest.Lira(-1), coretest.Lira(-1)
		},
	} {
		s := right
		spoil(&s)
		if s.IsRight() {
			t.Errorf("%s: right", name)
		}
	}
}
