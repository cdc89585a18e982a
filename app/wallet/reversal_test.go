package wallet_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// takeBack books at the bank that a line is taken back, in part where an amount says so.
func (w *world) takeBack(id string, amount money.Amount) (lineID string) {
	return w.Bank.BookLine(w.Wallet.BankAccountID, gateway.StatementLine{
		Direction: gateway.Outgoing, Amount: amount.Decimal(), Text: "storno", Party: ayse, Reverses: id,
	})
}

// reversed checks that a line is taken back and credits nothing, nor can be brought to.
func (w *world) reversed(id, by string, deposits ...payment.Payment) {
	w.t.Helper()
	l := w.is(id, wallet.LineReversed)
	if l.ReversedByLineID != by || l.MayCredit() {
		w.t.Errorf("line %s is reversed by %q, may credit: %t", id, l.ReversedByLineID, l.MayCredit())
	}
	w.is(by, wallet.LineReversed)
	for _, p := range deposits {
		w.fails(w.credit(w.Operator, id, p), fault.LineReversed)
	}
	listed, err := w.Statements.Candidates(w.t.Context(), w.Operator, l)
	if w.no(err); len(listed[l.ID]) > 0 {
		w.t.Errorf("its candidates are %+v", listed[l.ID])
	}
	_, err = w.Statements.BringBack(w.t.Context(), app.Request{Staff: w.Operator, Reason: "why"}, w.Wallet.WalletID, id)
	w.fails(err, fault.NotAllowed)
}

// owed checks what discrepancies a deposit has: what each says was taken back, in lira, and its state.
func (w *world) owed(p payment.Payment, want ...discrepancy.Discrepancy) []discrepancy.Discrepancy {
	w.t.Helper()
	all, err := w.Store.DiscrepanciesOf(w.t.Context(), p.Key())
	if w.no(err); len(all) != len(want) {
		w.t.Fatalf("discrepancies %+v, want %+v", all, want)
	}
	for i, d := range all {
		isLines := d.Kind == discrepancy.ReversedMoney && d.OperationID == "" && d.GatewayID == 0 && d.WalletID == w.Wallet.ID &&
			d.DealerID == p.DealerID && d.ProviderID == p.ProviderID && d.TrackingCode == p.TrackingCode
		if !isLines || d.LineID != want[i].LineID || d.Seen != want[i].Seen || d.Status != want[i].Status {
			w.t.Errorf("discrepancy %+v, want %+v", d, want[i])
		}
	}
	return all
}

func taken(id string, n int64, state discrepancy.Status) discrepancy.Discrepancy {
	return discrepancy.Discrepancy{LineID: id, Seen: gateway.Lira(lira(n)), Status: state}
}

func TestMoneyThatWasTakenBackBeforeItWasCreditedCreditsNothing(t *testing.T) {
	t.Parallel()
	for name, book := range map[string]func(w *world) (id, by string){
		"both in one read": func(w *world) (id, by string) {
			id = w.receive(lira(250), ayse, "")
			return id, w.takeBack(id, lira(250))
		},
		"on pages of one line": func(w *world) (id, by string) {
			w.pages(1)
			id = w.receive(lira(250), ayse, "")
			return id, w.takeBack(id, lira(250))
		},
		"the reversal is listed first": func(w *world) (id, by string) {
			id = w.Bank.Receive(w.Wallet.BankAccountID, lira(250), ayse, "", w.Clock.Now().Add(time.Second))
			return id, w.takeBack(id, lira(250))
		},
		"in part": func(w *world) (id, by string) {
			id = w.receive(lira(250), ayse, "")
			return id, w.takeBack(id, lira(1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.offered(lira(250), owner.Customer{})
			w.Clock.Advance(time.Second)
			id, by := book(w)
			w.round()
			w.has(p, payment.Showing)
			w.reversed(id, by, p)
			w.hours(3)
			w.has(p, payment.Expired)
			w.owed(p)
			w.entries(ledger.EntryIncoming, ledger.EntryOutgoing)
		})
	}
}

func TestALineThatWaitsAndIsTakenBackPaysNoDepositAfterwards(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.receive(lira(250), ayse, "")
	aside := w.receive(lira(250), ayse, "")
	w.round()
	w.is(id, wallet.LineUnmatched)
	_, err := w.Statements.SetAside(t.Context(), app.Request{Staff: w.Operator, Reason: "why"}, w.Wallet.WalletID, aside)
	w.no(err)
	back, backAside := w.takeBack(id, lira(250)), w.takeBack(aside, lira(250))
	w.round()
	p := w.offered(lira(250), owner.Customer{})
	w.round()
	w.has(p, payment.Showing)
	w.reversed(id, back, p)
	w.reversed(aside, backAside, p)
	w.holds(opening, 0)
}

func TestAReversalThatIsReadBeforeItsLineStopsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.receive(lira(250), ayse, "")
	w.Bank.Hide(id, true)
	by := w.takeBack(id, lira(250))
	w.round()
	w.is(by, wallet.LineUnmatched)
	w.hours(30) // the reversal is no line that is looked at again
	p := w.offered(lira(250), owner.Customer{})
	w.Bank.Hide(id, false)
	w.hours(1)
	w.round()
	w.reversed(id, by, p)
	w.owed(p)
}

func TestMoneyTakenBackAfterItsCreditIsADiscrepancy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	id := w.receive(lira(250), ayse, "")
	w.round()
	w.has(p, payment.Completed)
	first := w.takeBack(id, lira(50))
	w.round()
	w.owed(p, taken(id, 50, discrepancy.Open))
	rest := w.takeBack(id, lira(200))
	w.round()
	w.owed(p, taken(id, 250, discrepancy.Open))
	w.reversed(id, first)
	if l := w.is(rest, wallet.LineReversed); l.Note != "takes back "+id {
		t.Errorf("the second says %q", l.Note)
	}
	w.hours(30) // the statement is read over and over
	w.restart()
	w.hours(2)
	w.owed(p, taken(id, 250, discrepancy.Open))
	w.has(p, payment.Completed)
	if l := w.line(id); l.PaymentID != p.ID {
		t.Errorf("the line is of %q", l.PaymentID)
	}
	other := w.offered(lira(250), owner.Customer{}) // what was taken back proves nobody's IBAN
	w.Clock.Advance(time.Second)
	nameless := w.receive(lira(250), gateway.Party{IBAN: ayse.IBAN}, other.TrackingCode)
	w.round()
	w.is(nameless, wallet.LineDoubtful)
}

func TestMoneyTakenBackThatTheLedgerLacksIsADiscrepancyAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(5000), owner.Customer{})
	w.Clock.Advance(time.Second)
	id := w.receive(lira(5000), ayse, "")
	w.round()
	w.has(p, payment.Completed)
	sent := w.transfer(lira(14_000)) // the dealer has sent it on
	w.Bank.Settle(w.operation(sent).Reference)
	w.later(time.Minute)
	by := w.takeBack(id, lira(5000))
	w.round()
	w.is(by, wallet.LineUnbooked)
	w.owed(p, taken(id, 5000, discrepancy.Open))
	w.receive(lira(9000), stranger, "")
	w.round()
	w.round()
	w.is(by, wallet.LineReversed)
	w.is(id, wallet.LineReversed)
	w.owed(p, taken(id, 5000, discrepancy.Open))
}

func TestAReversalThatIsTakenBackItself(t *testing.T) {
	t.Parallel()
	giveBack := func(w *world, by string) string {
		return w.Bank.BookLine(w.Wallet.BankAccountID, gateway.StatementLine{
			Direction: gateway.Incoming, Amount: lira(250).Decimal(), Party: ayse, Reverses: by,
		})
	}
	t.Run("of money that was credited", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		p := w.offered(lira(250), owner.Customer{})
		w.Clock.Advance(time.Second)
		id := w.receive(lira(250), ayse, "")
		w.round()
		by := w.takeBack(id, lira(250))
		w.round()
		again := giveBack(w, by)
		w.round()
		w.owed(p, taken(id, 250, discrepancy.Settled))
		w.is(again, wallet.LineReversed)
		other := w.offered(lira(250), owner.Customer{})
		w.fails(w.credit(w.Operator, again, other), fault.NotAllowed)
		w.fails(w.credit(w.Operator, id, other), fault.LineReversed)
	})
	t.Run("of money that was not", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		p := w.offered(lira(250), owner.Customer{})
		w.Clock.Advance(time.Second)
		id := w.receive(lira(250), ayse, "")
		by := w.takeBack(id, lira(250))
		w.round()
		again := giveBack(w, by)
		w.round()
		w.is(again, wallet.LineUnmatched)
		w.has(p, payment.Showing)
		w.fails(w.credit(w.Operator, id, p), fault.LineReversed)
		w.no(w.credit(w.Operator, again, p))
		w.owed(p)
	})
}

func TestAReversalOfNothingThatIsKnownChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	foreign := w.Bank.Receive("acc-2", lira(250), ayse, "", time.Time{})
	id := w.receive(lira(249), ayse, "")
	same := w.Bank.BookLine(w.Wallet.BankAccountID, gateway.StatementLine{ // moves money the same way
		Direction: gateway.Incoming, Amount: lira(1).Decimal(), Reverses: id,
	})
	unknown, other := w.takeBack("no such line", lira(250)), w.takeBack(foreign, lira(250))
	w.round()
	for _, l := range []string{unknown, other, same} {
		if got := w.is(l, wallet.LineUnmatched); got.Note != "takes back "+got.ReversesLineID+", which is not on this statement" {
			t.Errorf("%s says %q", l, got.Note)
		}
	}
	if l, err := w.Store.BankLine(t.Context(), w.OtherWallet.ID, foreign); err != nil || l.ReversedByLineID != "" {
		t.Errorf("the other wallet's line is %+v (%v)", l, err)
	}
	if l := w.line(id); l.ReversedByLineID != "" || l.Status != wallet.LineDoubtful {
		t.Errorf("the line is %+v", l)
	}
	w.no(w.credit(w.Operator, id, p))
}

func TestACreditAndAReversalAtOnce(t *testing.T) {
	t.Parallel()
	for range 40 {
		w := newWorld(t)
		w.Statements.AutoScore = 0
		p := w.offered(lira(250), owner.Customer{})
		w.Clock.Advance(time.Second)
		id := w.receive(lira(250), ayse, "")
		w.round()
		by := w.takeBack(id, lira(250))
		w.Clock.Advance(w.Statements.Every)
		done := make(chan error)
		go func() { done <- w.credit(w.Operator, id, p) }()
		w.another().Wake()
		w.Statements.Wake()
		err := <-done
		w.no(w.Statements.Wait(t.Context()))
		w.round()
		switch now := w.Reload(t, p); {
		case err == nil && now.Status == payment.Completed:
			w.owed(p, taken(id, 250, discrepancy.Open))
		case now.Status == payment.Showing:
			w.fails(err, fault.LineReversed)
			w.owed(p)
		default:
			t.Fatalf("%v, and the deposit is %s", err, now.Status)
		}
		w.reversed(id, by)
	}
}

// TestACreditThatIsOvertakenByItsReversal has the reversal come in the moment before the credit's commit, and the credit in
// the moment before the reversal's.
func TestACreditThatIsOvertakenByItsReversal(t *testing.T) {
	t.Parallel()
	for name, isFirst := range map[string]bool{"the reversal is first": true, "the credit is first": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.Statements.AutoScore = 0
			p := w.offered(lira(250), owner.Customer{})
			w.Clock.Advance(time.Second)
			id := w.receive(lira(250), ayse, "")
			w.round()
			by := w.takeBack(id, lira(250))
			if isFirst {
				w.before(isCredit, w.round)
				w.fails(w.credit(w.Operator, id, p), fault.LineReversed)
				w.owed(p)
			} else {
				isReversal := func(c core.Changeset) bool { return len(core.RowsOf[wallet.BankLine](c)) == 2 }
				w.before(isReversal, func() { w.no(w.credit(w.Operator, id, p)) })
				w.round()
				w.owed(p, taken(id, 250, discrepancy.Open))
			}
			w.reversed(id, by)
		})
	}
}
