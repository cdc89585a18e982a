package wallet_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// ordered is a deposit that was begun at a third party's gateway.
func (w *world) ordered(n int64) payment.Payment {
	w.t.Helper()
	p := w.Start(w.t, payment.Request{Method: payment.BankDeposit, Amount: lira(n)})
	p, _, err := w.Operations.Begin(w.t.Context(), operation.Begin{Token: p.Token, Kind: gateway.Bank})
	w.no(err)
	return p
}

// TestALineThatNamesAGatewaysOrderIsTheGateways: the customer has a deposit of each kind and pays once.
func TestALineThatNamesAGatewaysOrderIsTheGateways(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]func(code string) string{
		"its code":        func(code string) string { return "HAVALE " + code },
		"its order id":    func(code string) string { return strings.ReplaceAll(code, "-", "") },
		"spoiled":         func(code string) string { return strings.ToLower(strings.ReplaceAll(code, "0", "o")) + " nolu" },
		"spread":          func(code string) string { return code[:9] + " " + code[9:14] + "/" + code[14:] },
		"behind others":   func(code string) string { return "TPBD-0000000000000000 CC-1111111111111111 " + code },
		"a second order":  func(code string) string { return strings.ReplaceAll(code, "-", "") + "N2" },
		"beside ours too": func(code string) string { return "%s " + code },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			order, p := w.ordered(733), w.claimed(w.offered(lira(733), owner.Customer{}))
			w.Clock.Advance(time.Second)
			id := w.receive(lira(733), ayse, strings.ReplaceAll(text(order.TrackingCode), "%s", p.TrackingCode))
			w.round()
			w.isOrders(id, order, p)
			w.hours(2)
			w.isOrders(id, order, p)
			_, err := w.Statements.SetAside(t.Context(), app.Request{Staff: w.Operator, Reason: "third party"}, w.Wallet.WalletID, id)
			w.no(err)
			_, err = w.Statements.BringBack(t.Context(), app.Request{Staff: w.Operator, Reason: "or not"}, w.Wallet.WalletID, id)
			w.no(err)
			w.round()
			w.fails(w.credit(w.Operator, id, p), fault.LineOfOrder)
			w.has(p, payment.Processing)
		})
	}
}

// isOrders checks that a line waits for staff as a gateway's, and that nobody credits a deposit with it.
func (w *world) isOrders(id string, order, p payment.Payment) {
	w.t.Helper()
	w.has(p, payment.Processing)
	l := w.is(id, wallet.LineUnmatched)
	if !strings.HasPrefix(l.Note, "names "+order.TrackingCode+", a deposit through gateway ") {
		w.t.Errorf("it says %q", l.Note)
	}
	for _, staff := range []staff.Staff{w.Operator, w.DealerStaff, w.Admin} {
		w.fails(w.credit(staff, id, p), fault.LineOfOrder)
	}
	listed, err := w.Statements.Candidates(w.t.Context(), w.Operator, l)
	if w.no(err); len(listed[l.ID]) > 0 {
		w.t.Errorf("its candidates are %+v", listed[l.ID])
	}
}

func TestALineWhoseReferenceIsAGatewaysOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order, p := w.ordered(733), w.claimed(w.offered(lira(733), owner.Customer{}))
	operations, err := w.Store.OperationsOf(t.Context(), order.ID)
	w.no(err)
	w.Clock.Advance(time.Second)
	id := w.Bank.BookLine(w.Wallet.BankAccountID, gateway.StatementLine{
		Direction: gateway.Incoming, Amount: lira(733).Decimal(), Party: ayse, EndToEnd: string(operations[0].Reference),
	})
	w.round()
	w.isOrders(id, order, p)
}

func TestALineThatWasDoubtfulBeforeIsTheGatewaysToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	order, p := w.ordered(733), w.claimed(w.offered(lira(733), owner.Customer{}))
	w.Clock.Advance(time.Second)
	id := w.receive(lira(733), ayse, order.TrackingCode)
	w.Statements.AutoScore = 0
	w.round()
	l := w.line(id)
	l.Version++
	l.Status, l.Note = wallet.LineDoubtful, "as an earlier program left it"
	w.no(w.Store.Commit(t.Context(), core.Changeset{l}))
	w.round()
	w.isOrders(id, order, p)
}

func TestATextThatNamesTooMuchIsForStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.claimed(w.offered(lira(250), owner.Customer{}))
	w.Clock.Advance(time.Second)
	text := ""
	for _, c := range "23456789A" {
		text += "TPBD-" + strings.Repeat(string(c), 16) + " "
	}
	id := w.receive(lira(250), ayse, text)
	w.round()
	w.has(p, payment.Processing)
	w.is(id, wallet.LineUnmatched)
	w.no(w.credit(w.Operator, id, p)) // a person has read it
}

// TestATransferIsKnownByItsText: a bank that drops our reference leaves the transfer's code in the text of what has left.
// What comes in proves nothing by a text that anybody may write.
func TestATransferIsKnownByItsText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	w.Bank.Settle(w.operation(p).Reference)
	w.later(time.Minute)
	w.has(p, payment.Completed)
	deposit := w.claimed(w.offered(lira(250), owner.Customer{}))
	w.Clock.Advance(time.Second)
	in := w.receive(lira(250), ayse, "IADE "+p.TrackingCode)
	w.round()
	w.has(deposit, payment.Processing)
	if l := w.is(in, wallet.LineUnmatched); l.Note != "names "+p.TrackingCode {
		t.Errorf("it says %q", l.Note)
	}
	w.no(w.credit(w.Operator, in, deposit))
	if l := w.line(in); l.PaymentID != deposit.ID {
		t.Errorf("it is of %q", l.PaymentID)
	}
	again := w.transfer(lira(100))
	out := w.Bank.BookLine(w.Wallet.BankAccountID, gateway.StatementLine{
		Direction: gateway.Outgoing, Amount: lira(100).Decimal(), Text: "EFT " + strings.ToLower(again.TrackingCode),
	})
	w.round()
	w.is(out, wallet.LineUnbooked) // until the bank says what became of it
}
