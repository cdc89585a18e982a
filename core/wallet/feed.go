package wallet

import (
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

// Feed is the import of a wallet's statement: how far it has come, and when it goes on.
type Feed struct {
	WalletID     int64
	GatewayID    int64
	Version      int
	OpenedAt     time.Time // what the bank booked until then is in the wallet's opening balance
	ReadUntil    time.Time // everything that the bank listed as booked before is imported
	SweptAt      time.Time // when a whole day was last read again, for lines that the bank lists late
	NextReadAt   time.Time // zero: the wallet is switched off
	LeaseUntil   time.Time
	FailureCount int    // reads that failed since the last one that did not
	Trouble      string // why the last read failed, or what it could not take; empty: nothing

	BankBalance   money.Amount // what the bank last said that the account holds
	BankBalanceAt time.Time    // when that was true; zero: not read yet
	CheckedAt     time.Time    // when the ledger was last added up
	IsLedgerOff   bool         // it did not add up: somebody has to look
	ReconciledTo  core.Day     // the last day that was reconciled; empty: none
}

// Due is the feed as one that is to be read at once, whoever has leased it: after a restore that reader is of another past.
func (f Feed) Due(at time.Time) Feed {
	f.Version++
	f.NextReadAt, f.LeaseUntil = at, time.Time{}
	return f
}

// Identity implements Row.
func (f Feed) Identity() core.Identity {
	return core.Identity{Table: "feeds", Key: strconv.FormatInt(f.WalletID, 10), Version: f.Version}
}

// WakeUps implements Waking: the reading of the statement.
func (f Feed) WakeUps() []core.WakeUp {
	if f.NextReadAt.IsZero() || !f.LeaseUntil.IsZero() {
		return nil
	}
	return []core.WakeUp{{Kind: core.DueStatements, At: f.NextReadAt}}
}

// Times of importing.
const (
	feedOverlap = 15 * time.Minute // read again at every round: banks list a line some time after they book it
	feedSweep   = 26 * time.Hour   // read again every hour: lines that are booked into yesterday
	SweepEvery  = time.Hour
	maxFeedWait = 15 * time.Minute // between reads of a bank that fails
)

// From is from when on the statement is read at a moment, and whether that is a whole day's sweep.
func (f Feed) From(now time.Time) (from time.Time, isSweep bool) {
	overlap := feedOverlap
	if isSweep = now.Sub(f.SweptAt) >= SweepEvery; isSweep {
		overlap = feedSweep
	}
	if from = f.ReadUntil.Add(-overlap); from.Before(f.OpenedAt) {
		from = f.OpenedAt
	}
	return from, isSweep
}

// Read is the feed after everything until a moment was imported.
func (f Feed) Read(until time.Time, isSweep bool, every time.Duration, now time.Time) Feed {
	f.Version++
	f.ReadUntil, f.NextReadAt, f.LeaseUntil = until, now.Add(every), time.Time{}
	f.FailureCount, f.Trouble = 0, ""
	if isSweep {
		f.SweptAt = now
	}
	return f
}

// Told is the feed after the bank told of lines: it is read now, from the earliest of them on. What they say themselves is
// not believed.
func (f Feed) Told(lines []gateway.StatementLine, now time.Time) Feed {
	f.Version++
	f.NextReadAt, f.LeaseUntil = now, time.Time{}
	for _, l := range lines {
		isLately := l.BookedAt.After(now.Add(-feedSweep))
		if isLately && l.BookedAt.Before(f.ReadUntil) {
			f.ReadUntil = l.BookedAt.UTC()
		}
	}
	return f
}

// Failed is the feed after a read that failed: the next one comes ever later.
func (f Feed) Failed(why string, every time.Duration, now time.Time) Feed {
	f.Version++
	f.FailureCount++
	f.Trouble, f.LeaseUntil = why, time.Time{}
	f.NextReadAt = now.Add(min(every<<min(f.FailureCount, 10), maxFeedWait))
	return f
}

// Holds reports whether a line belongs to what the feed imports.
func (f Feed) Holds(l BankLine) bool { return l.BookedAt.After(f.OpenedAt) }

// FeedHealth is how the import of all wallets stands, for metrics.
type FeedHealth struct {
	Troubled      int       // feeds whose last read failed
	LedgerOff     int       // wallets whose ledger did not add up
	OldestRead    time.Time // the least ReadUntil of the feeds that are on; zero: there are none
	WaitingLines  int       // unmatched, doubtful and unbooked ones, up to a bound
	OpenDays      int       // reconciliations with differences that nobody has explained
	OldestWaiting time.Time // ImportedAt of the oldest waiting line; zero: there is none
}

// LedgerSum is what a wallet's entries add up to, beside the balances that are kept of them.
type LedgerSum struct {
	Available, Reserved, Outside          money.Amount // kept
	SumAvailable, SumReserved, SumOutside money.Amount // added up
}

// IsRight reports whether the balances are what the entries say, sum to zero, and none of the wallet's own is negative.
func (s LedgerSum) IsRight() bool {
	return s.Available.Equal(s.SumAvailable) && s.Reserved.Equal(s.SumReserved) && s.Outside.Equal(s.SumOutside) &&
		s.Available.Minor()+s.Reserved.Minor()+s.Outside.Minor() == 0 && s.Available.Minor() >= 0 && s.Reserved.Minor() >= 0
}

// BankLineQuery asks for a page of a wallet's statement lines.
type BankLineQuery struct {
	WalletID    int64
	From, Until time.Time
	Skip, Limit int
}

// CandidateQuery asks for E-IBAN deposits that were shown an account and created in [From, Until), newest first, in
// whatever status but completed.
type CandidateQuery struct {
	Account     owner.AccountKey
	From, Until time.Time
	Limit       int
}
