package wallet_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// Hours from the worlds' noon until the days that follow were compared.
const (
	untilNight = 14 // 02:00
	aDay       = 24
)

// day returns a wallet's day as it was compared last.
func (w *world) day(d core.Day) wallet.Reconciliation {
	w.t.Helper()
	r, err := w.Store.Reconciliation(w.t.Context(), w.Wallet.DealerID, w.Wallet.ID, d)
	w.no(err)
	return r
}

// differs checks what is open of a day.
func (w *world) differs(d core.Day, want ...wallet.DifferenceKind) wallet.Reconciliation {
	w.t.Helper()
	r := w.day(d)
	var got []wallet.DifferenceKind
	for _, one := range r.Differences {
		if one.Reason == "" {
			got = append(got, one.Kind)
		}
	}
	if !sameSet(got, want) || r.OpenCount() != len(want) {
		w.t.Fatalf("%s differs in %q, want %q: %+v", d, got, want, r)
	}
	return r
}

// today is the day of the world's clock.
func (w *world) today() core.Day { return core.DayOf(w.Clock.Now(), w.Zone) }

func TestADayThatAgreesIsClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	p := w.transfer(lira(400))
	w.Bank.Settle(w.operation(p).Reference)
	w.receive(lira(1_000), stranger, "")
	w.take(lira(5))
	w.hours(untilNight)
	r := w.differs(day)
	want := wallet.Reconciliation{
		WalletID: w.Wallet.ID, Day: day, Version: 1, DealerID: w.Dealer.ID, ReconciledAt: r.ReconciledAt, MatchedCount: 3,
		LedgerIn: lira(1_000), LedgerOut: lira(405), Adjusted: lira(0), LedgerClosing: lira(opening + 595),
		BankIn: lira(1_000), BankOut: lira(405), BankClosing: lira(opening + 595), HasBank: true,
	}
	if fmt.Sprint(r) != fmt.Sprint(want) {
		t.Errorf("the day is %+v, want %+v", r, want)
	}
	if f := w.feed(); f.ReconciledTo != day {
		t.Errorf("the feed is %+v", f)
	}
}

func TestADayIsComparedAnHourAfterItsEndAndInTheNightsOfAWeek(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.today()
	w.hours(12) // until 00:00
	if got := len(w.days()); got != 1 {
		t.Errorf("%d days", got)
	}
	w.hours(2)
	if r := w.day(first); r.Version != 1 || !r.HasBank || r.MatchedCount != 0 || r.BankClosing != lira(opening) {
		t.Errorf("a day with nothing: %+v", r)
	}
	w.hours(20)
	if r := w.day(first); r.Version != 1 {
		t.Errorf("compared %d times within a day", r.Version)
	}
	w.hours(9 * aDay)
	if r := w.day(first); r.Version != 7 {
		t.Errorf("compared %d times", r.Version)
	}
	w.agree()
}

func TestDaysOfADowntimeAreComparedInOneGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.today()
	for n := range 12 {
		w.receive(lira(int64(n)+1), stranger, "")
		w.Clock.Advance(aDay * time.Hour)
	}
	w.round()
	w.agree()
	if r := w.day(first); !r.HasBank || r.BankClosing != lira(opening+1) {
		t.Errorf("the first day is %+v", r)
	}
	if r := w.day(first.Add(11)); r.LedgerClosing != lira(opening+78) {
		t.Errorf("the last day is %+v", r)
	}
	if got := len(w.days()); got != 13 {
		t.Errorf("%d days", got)
	}
}

func TestWhatIsMissingHereIsFoundByTheBalance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.Bank.Hide(w.receive(lira(70), stranger, ""), true)
	w.hours(untilNight)
	r := w.differs(day, wallet.BalanceDiffers)
	if d := r.Differences[0]; d.Ours != lira(opening) || d.Theirs != lira(opening+70) {
		t.Errorf("the difference is %+v", d)
	}
	if !strings.Contains(w.Logs.String(), "a wallet's day does not agree with the bank") {
		t.Error("nobody is told")
	}
}

func TestWhatWaitsToBeBookedIsMissingHere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.transfer(lira(9_900))
	fee := w.take(lira(500))
	w.hours(untilNight)
	if r := w.differs(day, wallet.MissingHere, wallet.BalanceDiffers); r.Differences[1].LineID != fee {
		t.Errorf("the differences are %+v", r.Differences)
	}
	w.receive(lira(400), stranger, "")
	w.hours(2)
	w.differs(day)
}

func TestATransferWithoutALineIsMissingThereUntilItsLineComes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	p := w.transfer(lira(250))
	ref := w.operation(p).Reference
	w.Bank.Settle(ref)
	line := w.Bank.LineOf(ref)
	w.Bank.Hide(line, true)
	w.later(10 * time.Second)
	w.has(p, payment.Completed)
	w.hours(untilNight)
	if r := w.differs(day, wallet.MissingThere); r.Differences[0].PaymentID != p.ID || r.BankClosing != lira(opening-250) {
		t.Errorf("the day is %+v", r)
	}
	w.hours(3 * aDay)
	w.differs(day, wallet.MissingThere)
	w.differs(day.After())
	w.Bank.Hide(line, false)
	w.hours(1)
	w.differs(day)
	w.is(line, wallet.LineMatched)
	w.agree()
}

func TestADayThatIsOpenForAWeekIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	id := w.receive(lira(70), stranger, "")
	w.round()
	w.Bank.Hide(id, true)
	w.hours(8 * aDay)
	left := w.differs(day, wallet.MissingThere)
	w.Bank.Hide(id, false)
	w.hours(2)
	if after := w.day(day); after.Version != left.Version {
		t.Errorf("it was compared again: %+v", after)
	}
	compared, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, day)
	w.no(err)
	if compared.OpenCount() != 0 || !compared.HasBank {
		t.Errorf("staff get %+v", compared)
	}
}

func TestALineInAnotherAmountThanWasImportedDiffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	id := w.receive(lira(70), stranger, "")
	w.round()
	odd := w.odd()
	odd.read = func(_ gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		for i := range page.Lines {
			page.Lines[i].Amount = lira(7).Decimal()
		}
		return page, nil
	}
	w.hours(untilNight)
	r := w.differs(day, wallet.AmountDiffers)
	if d := r.Differences[0]; d.LineID != id || d.Ours != lira(70) || d.Theirs != lira(7) {
		t.Errorf("the difference is %+v", d)
	}
	w.holds(opening+70, 0)
}

func TestABalanceThatLagsOrComesLateIsReckonedWith(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bank.Lag(20 * time.Minute)
	for range 40 {
		w.receive(lira(3), stranger, "")
		w.later(time.Hour)
	}
	w.agree()
	w.receive(lira(11), stranger, "")
	w.Clock.Advance(time.Minute)
	r, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, w.today())
	w.no(err)
	if r.OpenCount() != 0 || r.BankClosing != lira(opening+131) {
		t.Errorf("today is %+v", r)
	}
}

func TestABalanceThatIsNoneTellsNothing(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*gateway.Balance){
		"another currency": func(b *gateway.Balance) { b.Asset.Code = "USD" },
		"parts of a kuruş": func(b *gateway.Balance) { b.Total = money.MustDecimal("1.001") },
		"of no moment":     func(b *gateway.Balance) { b.At = time.Time{} },
		"of last year":     func(b *gateway.Balance) { b.At = b.At.AddDate(-1, 0, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			day := w.today()
			odd := w.odd()
			odd.balance = func(b gateway.Balance) (gateway.Balance, error) {
				spoil(&b)
				return b, nil
			}
			w.receive(lira(1), stranger, "")
			w.hours(untilNight)
			if r := w.differs(day); r.HasBank || r.MatchedCount != 1 {
				t.Errorf("the day is %+v", r)
			}
			if f := w.feed(); f.FailureCount != 0 || f.ReconciledTo != day {
				t.Errorf("the feed is %+v", f)
			}
		})
	}
}

func TestWhatTheBankOnceSaidOfAWholeDayStands(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.today()
	w.receive(lira(1), stranger, "")
	w.hours(untilNight)
	w.Clock.Advance(time.Minute)
	today := w.today()
	_, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, today)
	w.no(err)
	odd := w.odd()
	odd.balance = func(b gateway.Balance) (gateway.Balance, error) {
		b.Asset.Code = "USD"
		return b, nil
	}
	w.receive(lira(2), stranger, "")
	w.hours(aDay)
	if r := w.differs(first); r.Version != 2 || !r.HasBank || r.BankClosing != lira(opening+1) {
		t.Errorf("the first day is %+v", r)
	}
	if r := w.differs(today); r.Version != 2 || r.HasBank || r.LedgerClosing != lira(opening+3) {
		t.Errorf("the second day is %+v", r)
	}
}

func TestALineThatIsListedTwiceCountsOnceInTheBalance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pages(1)
	w.hours(12)
	id := w.receive(lira(5), stranger, "")
	w.receive(lira(1), stranger, "") // on a page of its own, with which the other comes again
	w.listAgain(id)
	w.hours(2)
	w.hours(aDay)
	w.agree()
}

func TestAnOverdrawnAccountIsReckonedWith(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.take(lira(opening + 50))
	w.hours(untilNight)
	if r := w.differs(day, wallet.MissingHere, wallet.BalanceDiffers); r.BankClosing != lira(-50) {
		t.Errorf("the day is %+v", r)
	}
}
