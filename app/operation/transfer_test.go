package operation_test

import (
	"testing"
	"time"

	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"

	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func TestATransferIsTakenAtOnceAndPostedWhenTheBankConfirmsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartTransfer(t, lira(250))
	w.holds(9750, 250)
	w.Work(t) // no approval, whatever its amount
	w.is(p, payment.Pending)
	o := w.operations(p)[0]
	want := `{"reference":"` + string(o.Reference) + `","account_id":"acc-1","amount":{"value":"250","currency":"TRY"},` +
		`"to":{"name":"Ayşe Yılmaz","iban":"TR330006100519786457841326"},"text":"Invoice 7"}`
	sent := w.Bank.Orders(o.Reference)
	if len(sent) != 1 || string(sent[0].Body) != want || sent[0].Header.Get(bank.IdempotencyHeader) != string(o.Key) {
		t.Fatalf("the bank was asked for %s, want %s", sent, want)
	}
	w.Bank.Settle(o.Reference)
	w.later(time.Minute)
	p = w.is(p, payment.Completed)
	w.holds(9750, 0)
	w.booked(p, ledger.EntryReserve, ledger.EntryPost)
	if told := w.callbacks(p); p.FinishedAt.IsZero() || len(told) != 1 || told[0].Status != payment.Skipped {
		t.Errorf("it ended at %s with the callbacks %+v; the dealer has no URL for them", p.FinishedAt, told)
	}
}

func TestATransferThatTheBankEndsIsGivenBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(w *world, ref gateway.Ref)
		want payment.Status
	}{
		"failed":   {func(w *world, ref gateway.Ref) { w.Bank.Happen(ref, bank.Failed) }, payment.Failed},
		"canceled": {func(w *world, ref gateway.Ref) { w.Bank.Happen(ref, bank.Canceled) }, payment.Cancelled},
		"rejected": {func(w *world, ref gateway.Ref) {
			w.Bank.Happen(ref, bank.Rejected)
		}, payment.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p, ref := w.transfer()
			c.end(w, ref)
			w.later(time.Minute)
			w.is(p, c.want)
			w.holds(10_000, 0)
			w.booked(p, ledger.EntryReserve, ledger.EntryRelease)
		})
	}
}

func TestATransferThatTheBankRefusesFailsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.bankFaults(gateway.CanTransfer, apptest.Refusing)
	p, _ := w.transfer()
	if p = w.is(p, payment.Failed); p.Reason != "INSUFFICIENT_FUNDS insufficient_funds" {
		t.Errorf("it failed because of %q", p.Reason)
	}
	w.booked(p, ledger.EntryReserve, ledger.EntryRelease)
	// The bank holds less than the ledger: somebody took money there, and the line is not imported yet.
	w.Bank.BookLine("acc-1", gateway.StatementLine{Direction: gateway.Outgoing, Amount: money.MustDecimal("9999")})
	p, ref := w.transfer()
	w.is(p, payment.Failed)
	w.holds(10_000, 0)
	if _, ok := w.Bank.FindPayout(string(ref)); ok {
		t.Error("the bank has it")
	}
}

func TestATransferThatWasNotSentIsSentAgainUnderTheSameKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.bankFaults(gateway.CanTransfer, apptest.NotSent, apptest.NotSent)
	p, ref := w.transfer()
	w.is(p, payment.Pending)
	w.holds(9750, 250)
	before := w.operations(p)[0]
	w.later(time.Minute)
	w.later(time.Minute)
	after := w.operations(p)[0]
	sent := w.Bank.Orders(ref)
	if after.Tries != 3 || len(sent) != 1 || sent[0].Header.Get(bank.IdempotencyHeader) != string(before.Key) {
		t.Errorf("sent %d times, the last one as %+v", after.Tries, sent)
	}
	moves, err := w.Store.MovesOf(t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	w.no(err)
	if len(moves) != 1 || moves[0].Command != payment.Send {
		t.Errorf("its history is %+v, want one sending", moves)
	}
	w.Bank.Settle(ref)
	w.later(time.Minute)
	w.is(p, payment.Completed)
	w.booked(p, ledger.EntryReserve, ledger.EntryPost)
}

func TestATransferOfUnknownOutcomeStaysPendingAndIsSettledByAsking(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.bankFaults(gateway.CanTransfer, apptest.Lost)
	p, ref := w.transfer()
	w.Bank.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Broken }
	for range 10 {
		w.later(time.Minute)
	}
	w.is(p, payment.Pending)
	w.holds(9750, 250)
	w.Bank.Fault = nil
	w.Bank.Settle(ref)
	w.later(time.Hour)
	w.is(p, payment.Completed)
	if sent := w.Bank.Orders(ref); len(sent) != 1 {
		t.Errorf("sent %d times", len(sent))
	}
	w.booked(p, ledger.EntryReserve, ledger.EntryPost)
}

// TestATransferThatTheBankDoesNotKnowIsForStaff: it is neither sent again nor called failed, and keeps its money.
func TestATransferThatTheBankDoesNotKnowIsForStaff(t *testing.T) {
	t.Parallel()
	for resolution, want := range map[operation.Resolution]payment.Status{operation.AcceptMoney: payment.Completed, operation.WriteOff: payment.Failed} {
		w := newWorld(t)
		w.bankFaults(gateway.CanTransfer, apptest.Broken)
		p, ref := w.transfer()
		for range 5 {
			w.later(10 * time.Minute)
		}
		w.is(p, payment.Pending)
		w.holds(9750, 250)
		if sent := w.Bank.Orders(ref); len(sent) != 0 {
			t.Fatalf("sent %d times more", len(sent))
		}
		d := w.discrepancy(p, discrepancy.MissingPayout)
		_, err := w.Operations.Resolve(t.Context(), byOf(w, p), d.ID, resolution, lira(100))
		w.fails(err, fault.Invalid) // the ledger holds 250.00 for it, and no other amount
		w.holds(9750, 250)
		_, err = w.Operations.Resolve(t.Context(), byOf(w, p), d.ID, resolution, lira(250))
		w.no(err)
		w.is(p, want)
		entry := map[payment.Status]ledger.EntryKind{payment.Completed: ledger.EntryPost, payment.Failed: ledger.EntryRelease}
		w.booked(p, ledger.EntryReserve, entry[want])
	}
}

// TestACompletedTransferThatComesBackIsTold, and is booked when the statement says so.
func TestACompletedTransferThatComesBackIsTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, ref := w.transfer()
	w.Bank.Settle(ref)
	w.later(time.Minute)
	w.is(p, payment.Completed)
	w.Bank.Return(ref)
	in := w.Bank.Inform("n-1", ref, gateway.Signed)
	for range 2 {
		_, err := w.Operations.Notify(t.Context(), w.BankGateway.HookToken, in)
		w.no(err)
		w.Work(t)
	}
	w.is(p, payment.Completed)
	d := w.discrepancy(p, discrepancy.ReturnedPayout)
	w.holds(9750, 0)
	w.booked(p, ledger.EntryReserve, ledger.EntryPost)
	_, err := w.Operations.Resolve(t.Context(), byOf(w, p), d.ID, operation.WriteOff, money.Amount{})
	w.no(err)
	w.booked(p, ledger.EntryReserve, ledger.EntryPost)
	w.later(time.Minute)
	w.is(p, payment.Completed)
	w.holds(10_000, 0)
	w.booked(p, ledger.EntryReserve, ledger.EntryPost, ledger.EntryReturn)
}

// TestATransferThatCameBackBeforeItWasSeenToLeaveFails: its money is given back here, and what the statement says of it
// comes to nothing.
func TestATransferThatCameBackBeforeItWasSeenToLeaveFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, ref := w.transfer()
	w.Bank.Return(ref)
	w.later(time.Minute)
	w.is(p, payment.Failed)
	w.booked(p, ledger.EntryReserve, ledger.EntryRelease)
	w.later(time.Minute)
	w.holds(10_000, 0)
	w.booked(p, ledger.EntryReserve, ledger.EntryRelease)
}

// TestATransferThatLeftAfterItCountedAsFailedIsTold: it stays failed, and what it took is booked when the statement says
// so, as money that left without Vezne.
func TestATransferThatLeftAfterItCountedAsFailedIsTold(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(w *world, p payment.Payment, ref gateway.Ref){
		"by the bank": func(w *world, _ payment.Payment, ref gateway.Ref) {
			w.Bank.Happen(ref, bank.Failed)
			w.later(time.Minute)
		},
		"by staff": func(w *world, p payment.Payment, _ gateway.Ref) {
			w.Bank.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
				return map[gateway.Capability]apptest.Fault{apptest.ReadingTransfer: apptest.Broken}[c]
			}
			for range 40 {
				w.later(6 * time.Hour)
			}
			w.Bank.Fault = nil
			d := w.discrepancy(p, discrepancy.UnknownOutcome)
			_, err := w.Operations.Resolve(w.t.Context(), byOf(w, p), d.ID, operation.WriteOff, money.Amount{})
			w.no(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.bankFaults(gateway.CanTransfer, apptest.Lost)
			p, ref := w.transfer()
			fail(w, p, ref)
			w.is(p, payment.Failed)
			w.Bank.Settle(ref)
			_, err := w.Operations.Notify(t.Context(), w.BankGateway.HookToken, w.Bank.Inform("n-1", ref, gateway.Signed))
			w.no(err)
			w.Work(t)
			w.is(p, payment.Failed)
			w.booked(p, ledger.EntryReserve, ledger.EntryRelease)
			w.holds(10_000, 0)
			late := w.latest(p, discrepancy.LatePayout)
			_, err = w.Operations.Resolve(t.Context(), byOf(w, p), late.ID, operation.AcceptMoney, money.Amount{})
			w.fails(err, fault.WrongMethod) // nothing leads out of a transfer's end
			_, err = w.Operations.Resolve(t.Context(), byOf(w, p), late.ID, operation.WriteOff, money.Amount{})
			w.no(err)
			w.later(time.Minute)
			w.is(p, payment.Failed)
			w.booked(p, ledger.EntryReserve, ledger.EntryRelease)
			w.holds(9750, 0)
		})
	}
}

func TestNothingLeavesThroughABankThatWasSwitchedOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartTransfer(t, lira(250))
	off, on := false, true
	_, err := w.GatewayAdmin.Update(t.Context(), adminOf(w), directory.GatewayUpdate{ID: w.BankGateway.ID, GatewayPatch: owner.GatewayPatch{IsEnabled: &off}})
	w.no(err)
	w.later(time.Hour)
	w.is(p, payment.Pending)
	ref := w.operations(p)[0].Reference
	if _, ok := w.Bank.FindPayout(string(ref)); ok {
		t.Fatal("it left")
	}
	w.holds(9750, 250)
	w.Bank.AtOnce = true
	_, err = w.GatewayAdmin.Update(t.Context(), adminOf(w), directory.GatewayUpdate{ID: w.BankGateway.ID, GatewayPatch: owner.GatewayPatch{IsEnabled: &on}})
	w.no(err)
	w.later(time.Hour)
	w.is(p, payment.Completed)
}

// TestAHintOfTheBankHasItAsked, and proves nothing by itself.
func TestAHintOfTheBankHasItAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, ref := w.transfer()
	w.Bank.Settle(ref)
	w.Bank.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Broken }
	_, err := w.Operations.Notify(t.Context(), w.BankGateway.HookToken, w.Bank.Inform("n-1", ref, gateway.Signed))
	w.no(err)
	w.Work(t)
	w.is(p, payment.Pending)
	w.Bank.Fault = nil
	_, err = w.Operations.Notify(t.Context(), w.BankGateway.HookToken, w.Bank.Inform("n-2", ref, gateway.Hint))
	w.no(err)
	w.Work(t)
	w.is(p, payment.Completed)
}

func TestTransfersAtOnceNeverTakeMoreThanThereIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bank.AtOnce = true
	const senders = 8
	sent := make(chan error, senders)
	for range senders {
		go func() {
			_, err := w.Create(t.Context(), w.asking(lira(3000)))
			sent <- err
		}()
	}
	taken := 0
	for range senders {
		if err := <-sent; err == nil {
			taken++
		} else {
			w.fails(err, fault.Insufficient)
		}
	}
	if taken != 3 {
		t.Errorf("%d transfers of 3000.00 left a wallet of 10000.00", taken)
	}
	w.Work(t)
	w.holds(1000, 0)
}
