package wallet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// discrepancies checks what staff are told of a transfer, in any order.
func (w *world) discrepancies(p payment.Payment, want ...discrepancy.Kind) {
	w.t.Helper()
	all, err := w.Store.DiscrepanciesOf(w.t.Context(), p.Key())
	w.no(err)
	var got []discrepancy.Kind
	for _, d := range all {
		got = append(got, d.Kind)
	}
	if !sameSet(got, want) {
		w.t.Errorf("staff are told %q, want %q", got, want)
	}
}

func TestTheLineOfACompletedTransferBooksNothingMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	w.Bank.Settle(w.operation(p).Reference)
	w.later(10 * time.Second)
	w.has(p, payment.Completed)
	w.holds(opening-250, 0)
	w.round()
	line := w.Bank.LineOf(w.operation(p).Reference)
	if l := w.is(line, wallet.LineMatched); l.PaymentID != p.ID {
		t.Errorf("it is matched with %q", l.PaymentID)
	}
	w.entries(ledger.EntryReserve, ledger.EntryPost)
	w.holds(opening-250, 0)
}

func TestTheLineOfAPendingTransferHasTheBankAskedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	w.hours(9) // by now it is asked about once an hour
	w.Clock.Advance(5 * time.Minute)
	w.Bank.Settle(w.operation(p).Reference)
	w.Clock.Advance(w.Statements.Every)
	w.Statements.Wake()
	w.no(w.Statements.Wait(t.Context()))
	line := w.Bank.LineOf(w.operation(p).Reference)
	w.is(line, wallet.LineUnbooked)
	w.holds(opening-250, 250)
	w.Work(t)
	w.has(p, payment.Completed)
	w.round()
	w.is(line, wallet.LineMatched)
	w.entries(ledger.EntryReserve, ledger.EntryPost)
	w.holds(opening-250, 0)
}

func TestATransferThatFailedAndLeftAllTheSameIsBooked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	ref := w.operation(p).Reference
	w.Bank.Happen(ref, bank.Failed)
	w.later(10 * time.Second)
	w.has(p, payment.Failed)
	w.holds(opening, 0)
	w.Bank.Settle(ref)
	w.round()
	line := w.Bank.LineOf(ref)
	w.is(line, wallet.LineMatched)
	w.entries(ledger.EntryReserve, ledger.EntryRelease, ledger.EntryOutgoing)
	w.holds(opening-250, 0)
	w.discrepancies(p, discrepancy.LatePayout)
	w.hours(15)
	w.agree()
}

func TestATransferThatComesBackIsBookedAndStaffAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	ref := w.operation(p).Reference
	w.Bank.Settle(ref)
	w.later(10 * time.Second)
	w.hours(20)
	back := w.Bank.Return(ref)
	w.round()
	if l := w.is(back, wallet.LineMatched); l.PaymentID != p.ID {
		t.Errorf("it is matched with %q", l.PaymentID)
	}
	w.has(p, payment.Completed)
	w.entries(ledger.EntryReserve, ledger.EntryPost, ledger.EntryReturn)
	w.holds(opening, 0)
	w.discrepancies(p, discrepancy.ReturnedPayout)
	w.hours(20)
	w.agree()
}

func TestAReturnIsKnownAlsoByTheLineThatItTakesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	ref := w.operation(p).Reference
	w.Bank.Settle(ref)
	w.later(10 * time.Second)
	w.round()
	line := w.Bank.LineOf(ref)
	back := w.Bank.BookLine("acc-1", gateway.StatementLine{
		Direction: gateway.Incoming, Amount: lira(250).Decimal(), Reverses: line,
	})
	w.round()
	w.is(back, wallet.LineMatched)
	w.entries(ledger.EntryReserve, ledger.EntryPost, ledger.EntryReturn)
}

func TestATransferThatCameBackBeforeItWasKnownToHaveLeftComesToNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	back := w.Bank.Return(w.operation(p).Reference)
	w.round()
	w.round()
	w.has(p, payment.Failed)
	w.is(back, wallet.LineMatched)
	w.entries(ledger.EntryReserve, ledger.EntryRelease, ledger.EntryOutgoing, ledger.EntryIncoming)
	w.holds(opening, 0)
	w.hours(15)
	w.agree()
}

func TestAReturnThatIsListedFirstHasTheBankAskedToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	w.hours(9)
	w.Clock.Advance(5 * time.Minute)
	ref := w.operation(p).Reference
	back := w.Bank.Return(ref)
	line := w.Bank.LineOf(ref)
	w.Bank.Hide(line, true)
	w.round()
	w.has(p, payment.Failed)
	w.Bank.Hide(line, false)
	w.round()
	w.is(back, wallet.LineMatched)
	w.is(line, wallet.LineMatched)
	w.holds(opening, 0)
}

func TestMoneyThatTheLedgerDoesNotHaveWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.transfer(lira(9_900))
	fee := w.take(lira(300))
	small := w.take(lira(40))
	w.round()
	w.is(fee, wallet.LineUnbooked)
	w.is(small, wallet.LineUnmatched)
	w.holds(60, 9_900)
	w.hours(2)
	if n := strings.Count(w.Logs.String(), "the bank took money that the ledger does not have"); n != 1 {
		t.Errorf("it is logged %d times", n)
	}
	w.receive(lira(239), stranger, "")
	w.round()
	w.is(fee, wallet.LineUnbooked)
	w.receive(lira(1), stranger, "")
	w.round()
	w.is(fee, wallet.LineUnmatched)
	w.holds(0, 9_900)
}

func TestALateTransferWhoseMoneyIsSpentWaitsAndStaffAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(6_000))
	ref := w.operation(p).Reference
	w.Bank.Happen(ref, bank.Failed)
	w.later(10 * time.Second)
	w.has(p, payment.Failed)
	w.transfer(lira(5_000))
	w.Bank.Settle(ref)
	w.round()
	line := w.Bank.LineOf(ref)
	w.is(line, wallet.LineUnbooked)
	w.discrepancies(p, discrepancy.LatePayout)
	w.receive(lira(1_000), stranger, "")
	w.round()
	if l := w.is(line, wallet.LineMatched); l.PaymentID != p.ID {
		t.Errorf("it is matched with %q", l.PaymentID)
	}
	w.holds(0, 5_000)
}

func TestHoweverManyLinesWaitAllAreBookedWhenTheyCanBe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.transfer(lira(9_999))
	for range 450 {
		w.take(lira(2))
	}
	w.round()
	w.holds(1, 9_999)
	w.receive(lira(899), stranger, "")
	w.round()
	w.holds(0, 9_999)
}

func TestALineThatNamesATransferInAnotherAmountIsNotItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	ref := string(w.operation(p).Reference)
	other := w.Bank.BookLine("acc-1", gateway.StatementLine{Direction: gateway.Outgoing, Amount: lira(249).Decimal(), EndToEnd: ref})
	w.round()
	if l := w.is(other, wallet.LineUnmatched); !strings.Contains(l.Note, p.TrackingCode) {
		t.Errorf("the note is %q", l.Note)
	}
	w.holds(opening-250-249, 250)
}

func TestATransferHasOneLineInEachDirection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	ref := w.operation(p).Reference
	w.Bank.Settle(ref)
	w.later(10 * time.Second)
	twice := gateway.StatementLine{Direction: gateway.Outgoing, Amount: lira(250).Decimal(), EndToEnd: string(ref)}
	inOnePage := w.Bank.BookLine("acc-1", twice)
	w.round()
	later := w.Bank.BookLine("acc-1", twice)
	w.round()
	w.is(inOnePage, wallet.LineUnmatched)
	w.is(later, wallet.LineUnmatched)
	w.entries(ledger.EntryReserve, ledger.EntryPost, ledger.EntryOutgoing, ledger.EntryOutgoing)
	w.holds(opening-750, 0)
}

func TestAnotherWalletsTransferIsNotThisOnes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	w.Bank.BookLine("acc-2", gateway.StatementLine{
		Direction: gateway.Outgoing, Amount: lira(250).Decimal(), EndToEnd: string(w.operation(p).Reference),
	})
	w.round()
	if other := w.Held(t, w.OtherWallet); other.AvailableBalance != lira(opening-250) {
		t.Errorf("the other wallet has %s", other.AvailableBalance)
	}
	w.holds(opening-250, 250)
	w.has(p, payment.Pending)
}

func TestWhatCameBackOfATransferPaysNoDeposit(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]gateway.StatementLine{
		"in another amount":           {Amount: money.MustDecimal("249.00")},
		"of a line that nobody knows": {Amount: money.MustDecimal("249.00"), Reverses: "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.transfer(lira(250))
			if l.Reverses == "" {
				l.EndToEnd = string(w.operation(p).Reference)
			}
			deposit := w.claimed(w.offered(lira(249), owner.Customer{}))
			w.Clock.Advance(time.Second)
			l.Direction, l.Party = gateway.Incoming, ayse
			id := w.Bank.BookLine("acc-1", l)
			w.round()
			w.is(id, wallet.LineUnmatched)
			w.has(deposit, payment.Processing)
		})
	}
}
