package operation_test

import (
	"fmt"
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
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestAPayoutIsPlannedWithItsPayment, and is due at once or waits for staff.
func TestAPayoutIsPlannedWithItsPayment(t *testing.T) {
	t.Parallel()
	for from, isDue := range map[int64]bool{0: false, 25000: false, 25001: true} {
		b := newPayout(t, payment.WalletWithdrawal, coretest.Lira(from))
		o := b.Operations[0]
		want := operation.Operation{
			ID: o.ID, Version: 1, PaymentID: b.Payment.ID, TrackingCode: "TPWW-0123456789ABCDEF", Kind: operation.PayoutOperation,
			Number: 1, GatewayID: 9, GatewayKind: gateway.Wallet, Reference: "TPWW0123456789ABCDEF", Key: gateway.Key(strings.ToLower(string(o.ID))),
			Why: "chosen by the provider", Amount: coretest.AtGateway(25000), Due: coretest.AtGateway(25000), Asset: gateway.TRY,
			Fields: map[string]string{"iban": "TR33"}, Phase: operation.Planned, CreatedAt: coretest.Evening,
		}
		if isDue {
			want.NextAt = coretest.Evening
		}
		if diff := cmp.Diff(want, o, coretest.Exactly); diff != "" {
			t.Errorf("approval from %d (-want +got):\n%s", from, diff)
		}
		if b.Payment.Gateway != (payment.GatewayState{GatewayID: 9}) || b.Payment.Status != payment.Showing {
			t.Errorf("the payment is %s at %+v", b.Payment.Status, b.Payment.Gateway)
		}
	}
}

// TestApproval lets a waiting payout leave, once, and never one that is called off.
func TestApproval(t *testing.T) {
	t.Parallel()
	b := newPayout(t, payment.BankWithdrawal, money.Amount{})
	id := b.Operations[0].ID
	if err := b.Order(t, id, operation.DecideApprovePayout); err != nil || !b.Operation(id).NextAt.Equal(b.Now) {
		t.Errorf("approved: %v, %+v", err, b.Operation(id))
	}
	version := b.Operation(id).Version
	if err := b.Order(t, id, operation.DecideApprovePayout); err != nil || b.Operation(id).Version != version {
		t.Errorf("approved again: %v, version %d", err, b.Operation(id).Version)
	}
	off := newPayout(t, payment.BankWithdrawal, money.Amount{})
	id = off.Operations[0].ID
	d := off.Decision(core.System, "")
	approval, err := operation.DecideApprovePayout(off.CaseOf(id), d)
	if err != nil {
		t.Fatal(err)
	}
	cancel, err := payment.Decide(off.Payment, payment.Cancel, d)
	if err != nil {
		t.Fatal(err)
	}
	off.Apply(t, cancel)
	if off.Commits(approval) {
		t.Error("called off and approved at the same moment")
	}
	if err := off.Order(t, id, operation.DecideApprovePayout); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("approving what is called off: %v", err)
	}
}

// TestSending commits first: payment and operation say that it may have left.
func TestSending(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	o := b.Operation(id)
	if o.Phase != operation.Calling || o.Tries != 1 || !o.StartedAt.Equal(b.Now) || !o.NextAt.Equal(b.Now.Add(time.Minute)) || !o.LeaseUntil.Equal(o.NextAt) {
		t.Errorf("sent as %+v", o)
	}
	if b.Payment.Status != payment.Processing || b.Payment.Gateway.OperationID != id || b.Payment.Reason != "" {
		t.Errorf("the payment is %s: %+v", b.Payment.Status, b.Payment)
	}
	if b.Send(t, id) || b.Operation(id).Version != o.Version {
		t.Error("sent again while the outcome is unknown")
	}
}

// TestNothingIsSentForWhatHasEnded. TestWhoStopsAndWhoSendsCanNotBothCommit has the races.
func TestNothingIsSentForWhatHasEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []payment.Command{payment.Cancel, payment.Reject, payment.Expire} {
		b, id := planned(t)
		change, err := payment.Decide(b.Payment, c, b.Decision(core.System, ""))
		if err != nil {
			t.Fatal(err)
		}
		b.Apply(t, change)
		if b.Send(t, id) || b.Operation(id).Phase != operation.Closed {
			t.Errorf("after %s: sent, or still there: %+v", c, b.Operation(id))
		}
	}
}

// TestAnswersToAPayout writes what each state of the gateway's does where. testdata/payouts.golden was read against the
// rule that a payout ends as the gateway says, once, and that whatever it says after that is for staff.
func TestAnswersToAPayout(t *testing.T) {
	t.Parallel()
	make := func(states ...gateway.PayoutState) func(t coretest.T) (*coretest.Store, core.ID) {
		return func(t coretest.T) (*coretest.Store, core.ID) {
			b, id := sent(t)
			for _, s := range states {
				b.Report(t, id, s)
			}
			return b, id
		}
	}
	off := func(t coretest.T) (*coretest.Store, core.ID) {
		b, id := planned(t)
		change, err := payment.Decide(b.Payment, payment.Cancel, b.Decision(core.System, ""))
		if err != nil {
			t.Fatalf("%v", err)
		}
		b.Apply(t, change)
		return b, id
	}
	byStaff := func(r operation.Resolution) func(t coretest.T) (*coretest.Store, core.ID) {
		return func(t coretest.T) (*coretest.Store, core.ID) {
			b, id := sent(t)
			b.Now = b.Now.Add(time.Hour)
			b.Take(t, id, coretest.Unanswered(gateway.NotFound))
			b.Take(t, id, coretest.Unanswered(gateway.NotFound))
			if err := b.Resolve(t, discrepancy.MissingPayout, r, money.Amount{}); err != nil {
				t.Fatalf("%v", err)
			}
			return b, id
		}
	}
	var table strings.Builder
	for _, s := range []situation{
		{"planned", planned}, {"sent", make()}, {"under way", make(gateway.PayoutSent)}, {"wants a code", make(gateway.PayoutNeedsApproval)},
		{"done", make(gateway.PayoutDone)}, {"failed", make(gateway.PayoutFailed)}, {"returned", make(gateway.PayoutDone, gateway.PayoutReturned)},
		{"called off", off}, {"failed by staff", byStaff(operation.WriteOff)}, {"completed by staff", byStaff(operation.AcceptMoney)},
	} {
		fmt.Fprintf(&table, "%s\n", s.name)
		for _, state := range gateway.PayoutStates() {
			b, id := s.make(t)
			before, callbacks, known := b.Payment.Status, len(b.Callbacks), len(b.Discrepancies)
			b.Report(t, id, state)
			fmt.Fprintf(&table, "  %s: %s\n", state, outcomeOf(b, id, before, callbacks, known))
			first := *b
			b.Report(t, id, state)
			if diff := cmp.Diff(first.Operation(id), b.Operation(id), coretest.Exactly, ignoringBookkeeping); diff != "" || len(b.Callbacks) != len(first.Callbacks) {
				t.Errorf("%s, %s told twice:\n%s", s.name, state, diff)
			}
			if diff := cmp.Diff(first.Discrepancies, b.Discrepancies, coretest.Exactly); diff != "" {
				t.Errorf("%s, %s told twice:\n%s", s.name, state, diff)
			}
		}
	}
	coretest.CheckGolden(t, "payouts.golden", []byte(table.String()))
}

// TestWhatAReportKeeps of a payout: its proof, the gateway's id and reason, for the history of a failure, too.
func TestWhatAReportKeeps(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	b.Take(t, id, coretest.Reported(gateway.PayoutReport{
		State: gateway.PayoutSent, Trust: gateway.Answered, External: gateway.ExternalRef{ID: "x"}, Proof: "hash", Raw: "SENT",
	}))
	b.Take(t, id, coretest.Reported(gateway.PayoutReport{
		State: gateway.PayoutFailed, Trust: gateway.Answered, External: gateway.ExternalRef{ID: "y", Alt: map[string]string{"batch": "7"}}, Raw: "REJECTED",
		Reason: &gateway.Reason{Code: gateway.NameMismatch, RawCode: "77"},
	}))
	o := b.Operation(id)
	if o.External.ID != "x" || o.External.Alt["batch"] != "7" || o.Proof != "hash" || o.RawState != "REJECTED" || o.Reason.Code != gateway.NameMismatch || !o.EndedAt.Equal(b.Now) {
		t.Errorf("kept %+v", o)
	}
	if last := b.Moves[len(b.Moves)-1]; last.To != payment.Failed || last.Reason != "NAME_MISMATCH 77" {
		t.Errorf("history says %+v", last)
	}
}

// TestACallWithoutEffect: a refusal fails the payment; anything else waits and is sent again, with the same key.
func TestACallWithoutEffect(t *testing.T) {
	t.Parallel()
	classes := map[gateway.Class]bool{
		gateway.Refused: true, gateway.Invalid: true, gateway.Unsupported: true, gateway.Retryable: false, gateway.RateLimited: false,
		gateway.Maintenance: false, gateway.OutOfFunds: false, gateway.Misconfigured: false, gateway.Unauthenticated: false,
	}
	notSent := func(e *gateway.Error) coretest.Decide {
		return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideNotSent(c, e, d)
		}
	}
	for class, isEnd := range classes {
		b, id := sent(t)
		before := b.Operation(id)
		e := &gateway.Error{Class: class, Effect: gateway.EffectNone, RawCode: "E1", Reason: &gateway.Reason{Code: gateway.InvalidTarget}}
		b.Take(t, id, notSent(e))
		o := b.Operation(id)
		if isEnd && (b.Payment.Status != payment.Failed || o.Phase != operation.Closed || len(b.Callbacks) != 1) {
			t.Errorf("%s: %s, %s", class, b.Payment.Status, o.Phase)
		}
		if !isEnd && (b.Payment.Status != payment.Processing || o.Phase != operation.Planned || !o.NextAt.Equal(b.Now.Add(30*time.Second))) {
			t.Errorf("%s: %s, %s, again at %s", class, b.Payment.Status, o.Phase, o.NextAt)
		}
		if o.RawState != "E1" || o.Reason.Code != gateway.InvalidTarget {
			t.Errorf("%s: kept %q, %+v", class, o.RawState, o.Reason)
		}
		if !isEnd && (!b.Send(t, id) || b.Operation(id).Key != before.Key || b.Operation(id).Reference != before.Reference || b.Operation(id).Tries != 2) {
			t.Errorf("%s: sent again as %+v", class, b.Operation(id))
		}
	}
	b, id := sent(t)
	b.Take(t, id, notSent(&gateway.Error{Class: gateway.RateLimited, Effect: gateway.EffectNone, RetryAfter: 90 * time.Minute}))
	if got := b.Operation(id).NextAt.Sub(b.Now); got != time.Hour {
		t.Errorf("asked to wait for an hour and a half: %s", got)
	}
}

// TestAPayoutThatTheGatewayHasIsNotSentAgain, whatever the call itself came back with.
func TestAPayoutThatTheGatewayHasIsNotSentAgain(t *testing.T) {
	t.Parallel()
	for _, state := range gateway.PayoutStates() {
		if state == gateway.PayoutUnknown {
			continue
		}
		b, id := sent(t)
		b.Report(t, id, state)
		change := b.Take(t, id, coretest.NotSent(gateway.Retryable))
		if len(change) > 0 || b.Send(t, id) {
			t.Errorf("%s, and then no effect: %+v", state, change)
		}
		early, id := planned(t)
		early.Report(t, id, state)
		if early.Send(t, id) {
			t.Errorf("the gateway says %s of what was not sent, and it is sent", state)
		}
	}
}

// TestAMissingPayoutIsForStaff: two looks that find nothing, after the settling time since it was sent and not since the
// payment was made.
func TestAMissingPayoutIsForStaff(t *testing.T) {
	t.Parallel()
	b, id := planned(t)
	b.Now = b.Now.Add(20 * time.Hour)
	b.Send(t, id)
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	if got := b.Kinds(id); len(got) != 0 {
		t.Errorf("a moment after it was sent: %q", got)
	}
	b.Now = b.Now.Add(time.Minute)
	b.Take(t, id, coretest.Unanswered(gateway.Retryable))
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	if got := b.Kinds(id); len(got) != 0 {
		t.Errorf("after one look in a row: %q", got)
	}
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	if got := b.Kinds(id); !slices.Equal(got, []string{"missing_payout open"}) {
		t.Errorf("after two: %q", got)
	}
	if b.Payment.Status != payment.Processing || b.Operation(id).NextAt.IsZero() || b.Send(t, id) {
		t.Errorf("%s, asked again at %s", b.Payment.Status, b.Operation(id).NextAt)
	}
	b.Report(t, id, gateway.PayoutSent)
	b.Now = b.Now.Add(time.Hour)
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	if got := b.Kinds(id); !slices.Equal(got, []string{"missing_payout settled", "missing_payout open"}) {
		t.Errorf("found, and lost again: %q", got)
	}
	b.Report(t, id, gateway.PayoutDone)
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	b.Take(t, id, coretest.Unanswered(gateway.NotFound))
	if got := b.Kinds(id); !slices.Equal(got, []string{"missing_payout settled", "missing_payout settled"}) || b.Payment.Status != payment.Completed {
		t.Errorf("done, and forgotten by the gateway: %q, %s", got, b.Payment.Status)
	}
}

// TestASilentGatewayIsForStaffAfterADay, and the questions go on.
func TestASilentGatewayIsForStaffAfterADay(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	start := b.Now
	for len(b.Kinds(id)) == 0 {
		b.Now = b.Operation(id).NextAt
		b.Take(t, id, coretest.Unanswered(gateway.Retryable))
	}
	if got := b.Now.Sub(start); got < 22*time.Hour || got > 48*time.Hour || b.Operation(id).NextAt.IsZero() {
		t.Errorf("staff are told after %s, asked again at %s", got, b.Operation(id).NextAt)
	}
	b.Report(t, id, gateway.PayoutSent)
	if got := b.Kinds(id); !slices.Equal(got, []string{"unknown settled"}) || b.Payment.Status != payment.Processing {
		t.Errorf("it is under way after all: %q", got)
	}
}

// TestACodeIsAskedForAgain: each time the gateway wants one, staff are told.
func TestACodeIsAskedForAgain(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	for _, s := range []gateway.PayoutState{
		gateway.PayoutNeedsApproval, gateway.PayoutNeedsApproval, gateway.PayoutQueued, gateway.PayoutNeedsApproval,
	} {
		b.Report(t, id, s)
	}
	if got := b.Kinds(id); !slices.Equal(got, []string{"code_wanted settled", "code_wanted open"}) {
		t.Errorf("%q", got)
	}
}

// TestWhatStaffSayOfAPayout is watched: the gateway may still show that it was otherwise.
func TestWhatStaffSayOfAPayout(t *testing.T) {
	t.Parallel()
	for resolution, want := range map[operation.Resolution]payment.Status{operation.AcceptMoney: payment.Completed, operation.WriteOff: payment.Failed} {
		b, id := sent(t)
		b.Report(t, id, gateway.PayoutNeedsApproval)
		if err := b.Resolve(t, discrepancy.CodeWanted, resolution, coretest.Lira(24_999)); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s with another amount: %v", resolution, err)
		}
		if err := b.Resolve(t, discrepancy.CodeWanted, resolution, money.Amount{}); err != nil {
			t.Fatal(err)
		}
		o := b.Operation(id)
		if b.Payment.Status != want || o.Phase != operation.Late || o.NextAt.IsZero() || b.Payment.Failure != (payment.Failure{}) {
			t.Errorf("%s: %s, %s, asked again at %s", resolution, b.Payment.Status, o.Phase, o.NextAt)
		}
		if err := b.Resolve(t, discrepancy.CodeWanted, resolution, money.Amount{}); !fault.Is(err, fault.AlreadyFinal) {
			t.Errorf("%s again: %v", resolution, err)
		}
	}
	late, id := sent(t)
	late.Report(t, id, gateway.PayoutFailed)
	late.Report(t, id, gateway.PayoutDone)
	if err := late.Resolve(t, discrepancy.LatePayout, operation.AcceptMoney, money.Amount{}); err != nil || late.Payment.Status != payment.Completed || len(late.Callbacks) != 2 {
		t.Errorf("a late payout accepted: %v, %s, %d callbacks", err, late.Payment.Status, len(late.Callbacks))
	}
}
