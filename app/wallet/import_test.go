package wallet_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

func TestWhatTheBankBooksIsInTheLedgerOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in, out := w.receive(lira(250), stranger, "rent"), w.take(lira(30))
	var saved atomic.Int64
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		saved.Add(int64(len(core.RowsOf[wallet.BankLine](c))))
		return nil
	}}
	for range 40 { // as long as it is read again, and beyond
		w.round()
	}
	w.hours(3)
	w.holds(opening+220, 0)
	w.entries(ledger.EntryIncoming, ledger.EntryOutgoing)
	w.is(out, wallet.LineUnmatched)
	if l := w.is(in, wallet.LineUnmatched); l.Text != "rent" || l.Party != stranger || l.Amount != lira(250) || l.Version != 1 {
		t.Errorf("imported as %+v", l)
	}
	if n := saved.Load(); n != 2 {
		t.Errorf("%d lines are saved", n)
	}
	if f := w.feed(); f.FailureCount != 0 || f.Trouble != "" || !f.ReadUntil.Equal(w.Clock.Now()) || f.BankBalance != lira(opening+220) {
		t.Errorf("the feed is %+v", f)
	}
}

func TestEveryPageIsReadAlsoWhenRowsArriveBetween(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pages(2)
	for range 7 {
		w.receive(lira(1), stranger, "")
	}
	var asked atomic.Int64
	w.Bank.Fault = func(call gateway.Capability, _ gateway.Ref) apptest.Fault {
		if n := asked.Add(1); call == gateway.CanReadStatement && n%2 == 0 && n < 12 {
			w.receive(lira(1), stranger, "arrived between two pages")
		}
		return apptest.NoFault
	}
	w.round()
	w.round()
	if got := len(w.lines()); got != 12 {
		t.Errorf("%d lines are imported, want 12", got)
	}
	w.holds(opening+12, 0)
}

func TestALineThatIsListedTwiceIsOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.receive(lira(100), stranger, "")
	w.listAgain(id)
	w.round()
	w.round()
	w.entries(ledger.EntryIncoming)
	w.holds(opening+100, 0)
}

func TestAnIDIsOneWalletsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.Bank.Receive("acc-2", lira(7), stranger, "", w.Clock.Now())
	w.receive(lira(5), stranger, "")
	w.odd().read = func(_ gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		for i := range page.Lines {
			page.Lines[i].ID = id
		}
		return page, nil
	}
	w.round()
	w.holds(opening+5, 0)
	if other := w.Held(t, w.OtherWallet); other.AvailableBalance != lira(opening+7) {
		t.Errorf("the other wallet has %s", other.AvailableBalance)
	}
}

func TestALineThatIsBookedLateIsStillFound(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]struct {
		by   time.Duration
		wait time.Duration // until it has to be there
	}{
		"within a quarter of an hour, by the next round": {10 * time.Minute, 30 * time.Second},
		"within a day, within the hour":                  {20 * time.Hour, time.Hour},
		"days later, by the night":                       {60 * time.Hour, 24 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.hours(72)
			w.round()
			id := w.Bank.Receive("acc-1", lira(50), stranger, "late", w.Clock.Now().Add(-late.by))
			if late.wait > time.Hour {
				w.round()
				w.unknown(id)
			}
			for waited := time.Duration(0); waited < late.wait; waited += min(late.wait, time.Hour) {
				w.later(min(late.wait, time.Hour))
			}
			w.is(id, wallet.LineUnmatched)
			w.hours(25)
			w.agree()
			w.holds(opening+50, 0)
		})
	}
}

func TestALineThatIsMissingForAWhileIsImportedWhenItIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.receive(lira(1), stranger, ""), w.receive(lira(2), stranger, "")
	w.Bank.Hide(first, true)
	w.round()
	w.unknown(first)
	w.is(second, wallet.LineUnmatched)
	w.Bank.Hide(first, false)
	w.round()
	w.is(first, wallet.LineUnmatched)
	w.Bank.Hide(second, true) // what is imported stays
	w.round()
	w.holds(opening+3, 0)
}

func TestALineMayComeBeforeTheOneThatItTakesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartTransfer(t, lira(250))
	w.Work(t)
	ref := w.operation(p).Reference
	w.Bank.Settle(ref)
	w.later(10 * time.Second)
	w.has(p, payment.Completed)
	line := w.Bank.LineOf(ref)
	odd := w.odd()
	odd.read = func(_ gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		back := gateway.StatementLine{
			ID: "back", Direction: gateway.Incoming, Amount: lira(250).Decimal(), Asset: gateway.TRY, BookedAt: w.Clock.Now(),
			Reverses: line,
		}
		page.Lines = append([]gateway.StatementLine{back}, page.Lines...)
		return page, nil
	}
	w.round()
	w.is("back", wallet.LineMatched)
	w.entries(ledger.EntryReserve, ledger.EntryPost, ledger.EntryReturn)
}

func TestALineThatCantBeOfTheWalletKeepsNoOtherOut(t *testing.T) {
	t.Parallel()
	now := apptest.Start
	good := gateway.StatementLine{
		ID: "good", Direction: gateway.Incoming, Amount: lira(1).Decimal(), Asset: gateway.TRY, BookedAt: now.Add(time.Second),
	}
	for name, spoil := range map[string]func(*gateway.StatementLine){
		"no id":              func(l *gateway.StatementLine) { l.ID = "" },
		"endless id":         func(l *gateway.StatementLine) { l.ID = strings.Repeat("9", 1000) },
		"broken id":          func(l *gateway.StatementLine) { l.ID = "1\x00" },
		"another currency":   func(l *gateway.StatementLine) { l.Asset.Code = "USD" },
		"zero":               func(l *gateway.StatementLine) { l.Amount = money.Decimal{} },
		"negative":           func(l *gateway.StatementLine) { l.Amount = money.MustDecimal("-5") },
		"parts of a kuruş":   func(l *gateway.StatementLine) { l.Amount = money.MustDecimal("5.001") },
		"all money there is": func(l *gateway.StatementLine) { l.Amount = money.MustDecimal("99999999999999999999") },
		"no direction":       func(l *gateway.StatementLine) { l.Direction = "" },
		"no time":            func(l *gateway.StatementLine) { l.BookedAt = time.Time{} },
		"in a year":          func(l *gateway.StatementLine) { l.BookedAt = now.AddDate(1, 0, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			bad := good
			bad.ID, bad.Amount = "bad", lira(5).Decimal()
			spoil(&bad)
			odd := w.odd()
			odd.read = func(gateway.StatementQuery, gateway.StatementPage) (gateway.StatementPage, error) {
				return gateway.StatementPage{Lines: []gateway.StatementLine{bad, good, bad}}, nil
			}
			w.round()
			w.is("good", wallet.LineUnmatched)
			w.holds(opening+1, 0)
			if f := w.feed(); f.FailureCount != 0 || !strings.HasPrefix(f.Trouble, "line ") || len(f.Trouble) > 300 {
				t.Errorf("the feed says %q after %d failures", f.Trouble, f.FailureCount)
			}
			w.round()
			odd.read = nil
			w.round()
			if f := w.feed(); f.Trouble == "" {
				t.Error("the trouble is forgotten before the next sweep")
			}
			w.hours(1)
			if f := w.feed(); f.Trouble != "" {
				t.Errorf("what is no more is still said: %s", f.Trouble)
			}
			if n := strings.Count(w.Logs.String(), "a line of a statement can't be taken"); n != 1 {
				t.Errorf("it is logged %d times", n)
			}
		})
	}
}

func TestWhatTheBankSaysOfALineIsKeptInBounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	endless := strings.Repeat("ş ", 1_000_000)
	id := w.receive(lira(1), stranger, "")
	w.odd().read = func(_ gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		for i := range page.Lines {
			l := &page.Lines[i]
			l.Text, l.EndToEnd, l.Reverses = "a\nb\x00c\xff"+endless, endless, endless
			l.Party = gateway.Party{Name: endless, IBAN: endless, Wallet: endless, NationalID: endless}
		}
		return page, nil
	}
	w.round()
	l := w.line(id)
	size := len(l.Text) + len(l.EndToEndID) + len(l.Party.Name) + len(l.Party.IBAN) + len(l.Party.Wallet) + len(l.Party.NationalID)
	if size > 2000 || !strings.HasPrefix(l.Text, "a b c") || l.ReversesLineID != "" {
		t.Errorf("%d bytes are kept: %.200q", size, fmt.Sprint(l))
	}
}

func TestALineBeforeTheWalletIsNotItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.Bank.Receive("acc-1", lira(1), stranger, "", w.feed().OpenedAt.Add(-time.Minute))
	at := w.Bank.Receive("acc-1", lira(1), stranger, "", w.feed().OpenedAt)
	w.round()
	w.hours(1)
	w.unknown(before)
	w.unknown(at)
	w.entries()
}

func TestADowntimeOfDaysIsMadeUpFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.no(w.Statements.Stop(t.Context()))
	for day := range 6 {
		w.Clock.Advance(24 * time.Hour)
		w.receive(lira(int64(day+1)), stranger, "")
	}
	w.restart()
	w.round()
	w.holds(opening+21, 0)
	w.agree()
}

func TestASweepThatFailsHalfwayLosesNoGround(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hours(30)
	read := w.feed().ReadUntil
	odd := w.odd()
	odd.read = func(q gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		if q.To.After(w.Clock.Now().Add(-6 * time.Hour)) {
			return page, &gateway.Error{Class: gateway.Retryable}
		}
		return page, nil
	}
	for range 20 {
		w.hours(1)
		if f := w.feed(); f.ReadUntil.Before(read) || f.FailureCount == 0 {
			t.Fatalf("it was read until %s, and now is %+v", read, f)
		}
	}
	odd.read = nil
	id := w.receive(lira(1), stranger, "")
	w.hours(1)
	w.is(id, wallet.LineUnmatched)
}
