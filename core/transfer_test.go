package core_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// transferBooks has a transfer of 250.00 that is due, and what began it.
func transferBooks(t testingT) (*books, core.ID, core.Changeset) {
	t.Helper()
	b := &books{now: evening.Add(time.Minute), ids: newIDs(t, evening)}
	change := wallet.DecideTransfer(
		payment.Start{
			Method: payment.EIBANTransfer, Dealer: owner.Dealer{ID: 5}, Customer: owner.Customer{UserID: "W-1", Fullname: "Ayşe Yılmaz"},
			Amount: lira(25000), IBAN: "TR330006100519786457841326",
		},
		wallet.TransferPlan{
			Wallet: wallet.Wallet{ID: 3, BankAccount: "acc-1"}, Gateway: owner.GatewayAccount{ID: 9}, Recipient: "Ayşe Yılmaz",
			Description: "rent",
		},
		payment.Birth{At: evening, TrackingCode: "TRF-0123456789ABCDEF", IDs: b.ids},
	)
	b.payment, b.operations = core.RowsOf[payment.Payment](change)[0], core.RowsOf[operation.Operation](change)
	return b, b.operations[0].ID, change
}

func sentTransfer(t testingT) (*books, core.ID) {
	t.Helper()
	b, id, _ := transferBooks(t)
	if !b.send(t, id) {
		t.Fatalf("not sent: %+v", b.operations[0])
	}
	return b, id
}

// kindsOf lists the kinds of a changeset's entries.
func kindsOf(c core.Changeset) string {
	var kinds []string
	for _, e := range core.RowsOf[ledger.LedgerEntry](c) {
		kinds = append(kinds, string(e.Kind))
	}
	return strings.Join(kinds, " ")
}

// TestATransferIsPlannedWithItsPayment, due at once whatever its amount, and reserved in the same commit.
func TestATransferIsPlannedWithItsPayment(t *testing.T) {
	t.Parallel()
	b, id, change := transferBooks(t)
	want := operation.Operation{
		ID: id, Version: 1, PaymentID: b.payment.ID, TrackingCode: "TRF-0123456789ABCDEF", Kind: operation.PayoutOperation,
		Number: 1, GatewayID: 9, GatewayKind: gateway.Account, Ref: "TRF0123456789ABCDEF",
		Key: gateway.Key(strings.ToLower(string(id))), Why: "the wallet's bank", Amount: atGateway(25000), Due: atGateway(25000), Asset: gateway.TRY, Phase: operation.Planned,
		CreatedAt: evening, NextAt: evening, Fields: map[string]string{
			"account": "acc-1", "iban": "TR330006100519786457841326", "account_holder": "Ayşe Yılmaz", "description": "rent",
		},
	}
	if diff := cmp.Diff(want, b.operations[0], exactly); diff != "" {
		t.Errorf("the operation (-want +got):\n%s", diff)
	}
	payee := payment.Payee{WalletID: 3, Recipient: "Ayşe Yılmaz", Description: "rent"}
	if p := b.payment; p.Status != payment.Pending || p.Payee != payee || p.DealerID != 5 || !p.ExpiresAt.IsZero() || p.Token != "" {
		t.Errorf("the payment is %+v", p)
	}
	reserve := ledger.LedgerEntry{
		ID: core.RowsOf[ledger.LedgerEntry](change)[0].ID, WalletID: 3, Kind: ledger.EntryReserve, At: evening, PaymentID: b.payment.ID,
		Available: lira(-25000), Reserved: lira(25000), Outside: lira(0),
	}
	if diff := cmp.Diff([]ledger.LedgerEntry{reserve}, core.RowsOf[ledger.LedgerEntry](change), exactly); diff != "" {
		t.Errorf("the entries (-want +got):\n%s", diff)
	}
}

// TestAnswersToATransfer: what each state of the bank's does to the transfer, to its ledger, and what staff are told; told
// again it does nothing more.
func TestAnswersToATransfer(t *testing.T) {
	t.Parallel()
	type outcome struct {
		status  payment.Status
		entries string
		told    []string
	}
	under := outcome{status: payment.Pending}
	failed := outcome{payment.Failed, "release", nil}
	returned := outcome{payment.Completed, "", []string{"returned open"}}
	still := outcome{status: payment.Failed}
	completed, late := outcome{status: payment.Completed}, outcome{payment.Failed, "", []string{"late_payout open"}}
	for name, c := range map[string]struct {
		first gateway.PayoutState
		want  map[gateway.PayoutState]outcome
	}{
		"sent": {"", map[gateway.PayoutState]outcome{
			gateway.PayoutQueued: under, gateway.PayoutSent: under, gateway.PayoutUnknown: under,
			gateway.PayoutNeedsApproval: {payment.Pending, "", []string{"code_wanted open"}},
			gateway.PayoutDone:          {payment.Completed, "post", nil},
			gateway.PayoutRejected:      failed, gateway.PayoutFailed: failed, gateway.PayoutReturned: failed,
			gateway.PayoutCanceled: {payment.Cancelled, "release", nil},
		}},
		"done": {gateway.PayoutDone, map[gateway.PayoutState]outcome{
			gateway.PayoutSent: completed, gateway.PayoutUnknown: completed, gateway.PayoutDone: completed,
			gateway.PayoutFailed: returned, gateway.PayoutCanceled: returned, gateway.PayoutReturned: returned,
		}},
		"failed": {gateway.PayoutFailed, map[gateway.PayoutState]outcome{
			gateway.PayoutSent: still, gateway.PayoutUnknown: still, gateway.PayoutCanceled: still, gateway.PayoutReturned: still,
			gateway.PayoutDone: late,
		}},
	} {
		for state, want := range c.want {
			b, id := sentTransfer(t)
			if c.first != "" {
				b.report(t, id, c.first)
			}
			change := b.report(t, id, state)
			got := outcome{b.payment.Status, kindsOf(change), b.kinds(id)}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("%s, and then %s (-want +got):\n%s", name, state, diff)
			}
			if again := b.report(t, id, state); len(core.RowsOf[payment.Payment](again))+len(core.RowsOf[ledger.LedgerEntry](again))+len(core.RowsOf[discrepancy.Discrepancy](again))+len(core.RowsOf[payment.Move](again)) != 0 {
				t.Errorf("%s, and then %s told twice: %+v", name, state, again)
			}
			if len(b.callbacks) != 0 {
				t.Errorf("%s, and then %s: %d callbacks; a transfer has none", name, state, len(b.callbacks))
			}
		}
	}
}

// TestATransferWithoutEffect: a refusal fails it and gives back, too little at the bank as well; anything else is sent
// again with the same key, and its history says once that it was sent.
func TestATransferWithoutEffect(t *testing.T) {
	t.Parallel()
	ends := []gateway.Class{gateway.Refused, gateway.Invalid, gateway.Unsupported, gateway.OutOfFunds}
	for _, class := range []gateway.Class{
		gateway.Refused, gateway.Invalid, gateway.Unsupported, gateway.OutOfFunds, gateway.Retryable, gateway.RateLimited,
		gateway.Maintenance, gateway.Misconfigured, gateway.Unauthenticated,
	} {
		b, id := sentTransfer(t)
		key := b.operation(id).Key
		change := b.take(t, id, notSent(&gateway.Error{Class: class, Effect: gateway.EffectNone}))
		if slices.Contains(ends, class) {
			if b.payment.Status != payment.Failed || kindsOf(change) != "release" || b.operation(id).Phase != operation.Closed {
				t.Errorf("%s: %s with %q, %s", class, b.payment.Status, kindsOf(change), b.operation(id).Phase)
			}
			continue
		}
		if b.payment.Status != payment.Pending || len(core.RowsOf[ledger.LedgerEntry](change)) != 0 || !b.send(t, id) || b.operation(id).Key != key {
			t.Errorf("%s: %s with %q, then %+v", class, b.payment.Status, kindsOf(change), b.operation(id))
		}
		if len(b.moves) != 1 || b.payment.Version != 3 {
			t.Errorf("%s: history %+v, version %d", class, b.moves, b.payment.Version)
		}
	}
}

// TestWhoCallsATransferOffAndWhoSendsItCanNotBothCommit, whoever is first, at the first try and after one without effect.
func TestWhoCallsATransferOffAndWhoSendsItCanNotBothCommit(t *testing.T) {
	t.Parallel()
	cancel := func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideCallOff(c, payment.Cancel, d)
	}
	again := func() (*books, core.ID) {
		b, id := sentTransfer(t)
		b.take(t, id, notSent(&gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone}))
		return b, id
	}
	first := func() (*books, core.ID) { b, id, _ := transferBooks(t); return b, id }
	for name, make := range map[string]func() (*books, core.ID){"first": first, "again": again} {
		b, id := make()
		d := b.decision(core.System, "")
		end, err := cancel(b.caseOf(id), d)
		if err != nil || kindsOf(end) != "release" {
			t.Fatalf("%s: called off with %q: %v", name, kindsOf(end), err)
		}
		send, ok, err := operation.DecideSend(b.caseOf(id), d, time.Minute)
		if !ok || err != nil {
			t.Fatalf("%s: not sent: %v", name, err)
		}
		for _, order := range [][]core.Changeset{{end, send}, {send, end}} {
			race := *b
			race.apply(t, order[0])
			if race.commits(order[1]) {
				t.Errorf("%s: sent and called off", name)
			}
		}
		called := *b
		called.apply(t, end)
		if called.send(t, id) || called.operation(id).Phase != operation.Closed {
			t.Errorf("%s: called off, and sent", name)
		}
		b.apply(t, send)
		if err := b.order(t, id, cancel); !fault.Is(err, fault.NotAllowed) {
			t.Errorf("%s: calling off what may have left: %v", name, err)
		}
	}
}

// TestNothingLeadsOutOfATransfersEnd: staff can't accept what left after it failed; what they say of an unknown outcome is
// booked in full.
func TestNothingLeadsOutOfATransfersEnd(t *testing.T) {
	t.Parallel()
	late, id := sentTransfer(t)
	late.report(t, id, gateway.PayoutFailed)
	late.report(t, id, gateway.PayoutDone)
	if err := late.resolve(t, discrepancy.LatePayout, operation.AcceptMoney, money.Amount{}); !fault.Is(err, fault.WrongMethod) {
		t.Errorf("a late one accepted: %v", err)
	}
	if err := late.resolve(t, discrepancy.LatePayout, operation.WriteOff, money.Amount{}); err != nil || late.payment.Status != payment.Failed {
		t.Errorf("a late one written off: %v, %s", err, late.payment.Status)
	}
	for resolution, want := range map[operation.Resolution]string{operation.AcceptMoney: "post", operation.WriteOff: "release"} {
		b, id := sentTransfer(t)
		b.now = b.now.Add(time.Hour)
		b.noAnswer(t, id, gateway.NotFound)
		b.noAnswer(t, id, gateway.NotFound)
		known := b.discrepancy(t, discrepancy.MissingPayout)
		d := b.decision(core.Actor{Kind: core.ByStaff}, "")
		change, err := operation.DecideResolution(b.caseOf(id), known.ID, resolution, money.Amount{}, d)
		if err != nil || kindsOf(change) != want || core.RowsOf[ledger.LedgerEntry](change)[0].Reserved != lira(-25000) {
			t.Errorf("%s: %+v, %v", resolution, core.RowsOf[ledger.LedgerEntry](change), err)
		}
	}
}
