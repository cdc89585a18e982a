package wallet_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestATransferThatDoesNotLeave fails after a day: what was reserved goes back to its dealer. Staff may stop it before.
func TestATransferThatDoesNotLeave(t *testing.T) {
	t.Parallel()
	for _, command := range []payment.Command{payment.Cancel, payment.Fail} {
		b, id := sentTransfer(t)
		b.Take(t, id, coretest.NotSent(gateway.Maintenance))
		change, err := operation.DecideCallOff(b.CaseOf(id), command, b.Decision(core.Actor{Kind: core.ByStaff}, ""))
		if err != nil || kindsOf(change) != "release" {
			t.Errorf("%s: %q, %v", command, kindsOf(change), err)
		}
	}
	stuck := func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideStuck(c, "off", d)
	}
	b, id := sentTransfer(t)
	b.Take(t, id, coretest.NotSent(gateway.Maintenance))
	b.Now = b.Now.Add(2 * time.Hour)
	b.Take(t, id, stuck)
	b.Now = b.Now.Add(22 * time.Hour)
	change := b.Take(t, id, stuck)
	if kindsOf(change) != "release" || b.Payment.Status != payment.Failed || b.Operation(id).Phase != operation.Closed {
		t.Errorf("after a day: %q, %s, %s", kindsOf(change), b.Payment.Status, b.Operation(id).Phase)
	}
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck settled"}) {
		t.Errorf("%q", got)
	}
}

// TestATransferIsPlannedWithItsPayment, due at once whatever its amount, and reserved in the same commit.
func TestATransferIsPlannedWithItsPayment(t *testing.T) {
	t.Parallel()
	b, id, change := transferBooks(t)
	want := operation.Operation{
		ID: id, Version: 1, PaymentID: b.Payment.ID, TrackingCode: "TRF-0123456789ABCDEF", Kind: operation.PayoutOperation,
		Number: 1, GatewayID: 9, GatewayKind: gateway.Account, Reference: "TRF0123456789ABCDEF",
		Key: gateway.Key(strings.ToLower(string(id))), Why: "the wallet's bank", Amount: coretest.AtGateway(25000), Due: coretest.AtGateway(25000), Asset: gateway.TRY, Phase: operation.Planned,
		CreatedAt: coretest.Evening, NextAt: coretest.Evening, Fields: map[string]string{
			"account": "acc-1", "iban": "TR330006100519786457841326", "account_holder": "Ayşe Yılmaz", "description": "rent",
		},
	}
	if diff := cmp.Diff(want, b.Operations[0], coretest.Exactly); diff != "" {
		t.Errorf("the operation (-want +got):\n%s", diff)
	}
	payee := payment.Payee{WalletID: 3, Recipient: "Ayşe Yılmaz", Description: "rent"}
	if p := b.Payment; p.Status != payment.Pending || p.Payee != payee || p.DealerID != 5 || !p.ExpiresAt.IsZero() || p.Token != "" {
		t.Errorf("the payment is %+v", p)
	}
	reserve := ledger.Entry{
		ID: core.RowsOf[ledger.Entry](change)[0].ID, WalletID: 3, Kind: ledger.EntryReserve, At: coretest.Evening, PaymentID: b.Payment.ID,
		Available: coretest.Lira(-25000), Reserved: coretest.Lira(25000), Outside: coretest.Lira(0),
	}
	if diff := cmp.Diff([]ledger.Entry{reserve}, core.RowsOf[ledger.Entry](change), coretest.Exactly); diff != "" {
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
				b.Report(t, id, c.first)
			}
			change := b.Report(t, id, state)
			got := outcome{b.Payment.Status, kindsOf(change), b.Kinds(id)}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("%s, and then %s (-want +got):\n%s", name, state, diff)
			}
			if again := b.Report(t, id, state); len(core.RowsOf[payment.Payment](again))+len(core.RowsOf[ledger.Entry](again))+len(core.RowsOf[discrepancy.Discrepancy](again))+len(core.RowsOf[payment.Transition](again)) != 0 {
				t.Errorf("%s, and then %s told twice: %+v", name, state, again)
			}
			told := 0 // the dealer, of the transfer's end
			if b.Payment.Status.IsFinal() {
				told = 1
			}
			if len(b.Callbacks) != told {
				t.Errorf("%s, and then %s: %d callbacks, want %d", name, state, len(b.Callbacks), told)
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
		key := b.Operation(id).Key
		change := b.Take(t, id, coretest.NotSent(class))
		if slices.Contains(ends, class) {
			if b.Payment.Status != payment.Failed || kindsOf(change) != "release" || b.Operation(id).Phase != operation.Closed {
				t.Errorf("%s: %s with %q, %s", class, b.Payment.Status, kindsOf(change), b.Operation(id).Phase)
			}
			continue
		}
		if b.Payment.Status != payment.Pending || len(core.RowsOf[ledger.Entry](change)) != 0 || !b.Send(t, id) || b.Operation(id).Key != key {
			t.Errorf("%s: %s with %q, then %+v", class, b.Payment.Status, kindsOf(change), b.Operation(id))
		}
		if len(b.Moves) != 1 || b.Payment.Version != 3 {
			t.Errorf("%s: history %+v, version %d", class, b.Moves, b.Payment.Version)
		}
	}
}

// TestWhoCallsATransferOffAndWhoSendsItCanNotBothCommit, whoever is first, at the first try and after one without effect.
func TestWhoCallsATransferOffAndWhoSendsItCanNotBothCommit(t *testing.T) {
	t.Parallel()
	cancel := func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideCallOff(c, payment.Cancel, d)
	}
	again := func() (*coretest.Store, core.ID) {
		b, id := sentTransfer(t)
		b.Take(t, id, coretest.NotSent(gateway.Retryable))
		return b, id
	}
	first := func() (*coretest.Store, core.ID) { b, id, _ := transferBooks(t); return b, id }
	for name, make := range map[string]func() (*coretest.Store, core.ID){"first": first, "again": again} {
		b, id := make()
		d := b.Decision(core.System, "")
		end, err := cancel(b.CaseOf(id), d)
		if err != nil || kindsOf(end) != "release" {
			t.Fatalf("%s: called off with %q: %v", name, kindsOf(end), err)
		}
		send, ok, err := operation.DecideSend(b.CaseOf(id), d, time.Minute)
		if !ok || err != nil {
			t.Fatalf("%s: not sent: %v", name, err)
		}
		for _, order := range [][]core.Changeset{{end, send}, {send, end}} {
			race := *b
			race.Apply(t, order[0])
			if race.Commits(order[1]) {
				t.Errorf("%s: sent and called off", name)
			}
		}
		called := *b
		called.Apply(t, end)
		if called.Send(t, id) || called.Operation(id).Phase != operation.Closed {
			t.Errorf("%s: called off, and sent", name)
		}
		b.Apply(t, send)
		if err := b.Order(t, id, cancel); !fault.Is(err, fault.NotAllowed) {
			t.Errorf("%s: calling off what may have left: %v", name, err)
		}
	}
}

// TestNothingLeadsOutOfATransfersEnd: staff can't accept what left after it failed; what they say of an unknown outcome is
// booked in full.
func TestNothingLeadsOutOfATransfersEnd(t *testing.T) {
	t.Parallel()
	late, id := sentTransfer(t)
	late.Report(t, id, gateway.PayoutFailed)
	late.Report(t, id, gateway.PayoutDone)
	if err := late.Resolve(t, discrepancy.LatePayout, operation.AcceptMoney, money.Amount{}); !fault.Is(err, fault.WrongMethod) {
		t.Errorf("a late one accepted: %v", err)
	}
	if err := late.Resolve(t, discrepancy.LatePayout, operation.WriteOff, money.Amount{}); err != nil || late.Payment.Status != payment.Failed {
		t.Errorf("a late one written off: %v, %s", err, late.Payment.Status)
	}
	for resolution, want := range map[operation.Resolution]string{operation.AcceptMoney: "post", operation.WriteOff: "release"} {
		b, id := sentTransfer(t)
		b.Now = b.Now.Add(time.Hour)
		b.Take(t, id, coretest.Unanswered(gateway.NotFound))
		b.Take(t, id, coretest.Unanswered(gateway.NotFound))
		known := b.Discrepancy(t, discrepancy.MissingPayout)
		d := b.Decision(core.Actor{Kind: core.ByStaff}, "")
		change, err := operation.DecideResolution(b.CaseOf(id), known.ID, resolution, money.Amount{}, d)
		if err != nil || kindsOf(change) != want || core.RowsOf[ledger.Entry](change)[0].Reserved != coretest.Lira(-25000) {
			t.Errorf("%s: %+v, %v", resolution, core.RowsOf[ledger.Entry](change), err)
		}
	}
}
