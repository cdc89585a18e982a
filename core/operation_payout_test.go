package core_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// never is an amount from which on staff approve payouts, and which none of the tests' payouts has.
var never = lira(1_000_000)

// planned is a payout that is due, and sent one that the gateway has not answered.
func planned(t testingT) (*books, core.ID) {
	t.Helper()
	b := payoutBooks(t, payment.BankWithdrawal, never)
	return b, b.operations[0].ID
}

func sent(t testingT) (*books, core.ID) {
	t.Helper()
	b, id := planned(t)
	if !b.send(t, id) {
		t.Fatalf("not sent: %+v", b.operations[0])
	}
	return b, id
}

func (b *books) report(t testingT, id core.ID, s gateway.PayoutState) core.Changeset {
	t.Helper()
	return b.take(t, id, reported(gateway.PayoutReport{State: s, Trust: gateway.Answered, Raw: "raw " + string(s)}))
}

func reported(r gateway.PayoutReport) decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecidePayoutReported(c, r, d)
	}
}

func notSent(e *gateway.Error) decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNotSent(c, e, d)
	}
}

func (b *books) noAnswer(t testingT, id core.ID, class gateway.Class) {
	t.Helper()
	b.take(t, id, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecidePayoutNoAnswer(c, operation.Asked{Err: &gateway.Error{Class: class}, Keys: findable}, d), nil
	})
}

// TestAPayoutIsPlannedWithItsPayment, and is due at once or waits for staff.
func TestAPayoutIsPlannedWithItsPayment(t *testing.T) {
	t.Parallel()
	for from, isDue := range map[int64]bool{0: false, 25000: false, 25001: true} {
		b := payoutBooks(t, payment.WalletWithdrawal, lira(from))
		o := b.operations[0]
		want := operation.Operation{
			ID: o.ID, Version: 1, PaymentID: b.payment.ID, TrackingCode: "TPWW-0123456789ABCDEF", Kind: operation.PayoutOperation,
			Number: 1, GatewayID: 9, GatewayKind: gateway.Wallet, Ref: "TPWW0123456789ABCDEF", Key: gateway.Key(strings.ToLower(string(o.ID))),
			Why: "chosen by the provider", Amount: atGateway(25000), Due: atGateway(25000), Asset: gateway.TRY,
			Fields: map[string]string{"iban": "TR33"}, Phase: operation.Planned, CreatedAt: evening,
		}
		if isDue {
			want.NextAt = evening
		}
		if diff := cmp.Diff(want, o, exactly); diff != "" {
			t.Errorf("approval from %d (-want +got):\n%s", from, diff)
		}
		if b.payment.AtGate != (payment.AtGateway{GatewayID: 9}) || b.payment.Status != payment.Showing {
			t.Errorf("the payment is %s at %+v", b.payment.Status, b.payment.AtGate)
		}
	}
}

// TestApproval lets a waiting payout leave, once, and never one that is called off.
func TestApproval(t *testing.T) {
	t.Parallel()
	b := payoutBooks(t, payment.BankWithdrawal, money.Amount{})
	id := b.operations[0].ID
	if err := b.order(t, id, operation.DecideApprovePayout); err != nil || !b.operation(id).NextAt.Equal(b.now) {
		t.Errorf("approved: %v, %+v", err, b.operation(id))
	}
	version := b.operation(id).Version
	if err := b.order(t, id, operation.DecideApprovePayout); err != nil || b.operation(id).Version != version {
		t.Errorf("approved again: %v, version %d", err, b.operation(id).Version)
	}
	off := payoutBooks(t, payment.BankWithdrawal, money.Amount{})
	id = off.operations[0].ID
	d := off.decision(core.System, "")
	approval, err := operation.DecideApprovePayout(off.caseOf(id), d)
	if err != nil {
		t.Fatal(err)
	}
	cancel, err := payment.Decide(off.payment, payment.Cancel, d)
	if err != nil {
		t.Fatal(err)
	}
	off.apply(t, cancel)
	if off.commits(approval) {
		t.Error("called off and approved at the same moment")
	}
	if err := off.order(t, id, operation.DecideApprovePayout); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("approving what is called off: %v", err)
	}
}

// TestSending commits first: payment and operation say that it may have left.
func TestSending(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	o := b.operation(id)
	if o.Phase != operation.Calling || o.Tries != 1 || !o.StartedAt.Equal(b.now) || !o.NextAt.Equal(b.now.Add(time.Minute)) || !o.LeaseUntil.Equal(o.NextAt) {
		t.Errorf("sent as %+v", o)
	}
	if b.payment.Status != payment.Processing || b.payment.AtGate.OperationID != id || b.payment.Reason != "" {
		t.Errorf("the payment is %s: %+v", b.payment.Status, b.payment)
	}
	if b.send(t, id) || b.operation(id).Version != o.Version {
		t.Error("sent again while the outcome is unknown")
	}
}

// TestNothingIsSentForWhatHasEnded, even in a race: whoever ends a payment at the moment of sending, or of sending again,
// and the sender can not both commit.
func TestNothingIsSentForWhatHasEnded(t *testing.T) {
	t.Parallel()
	for _, c := range []payment.Command{payment.Cancel, payment.Reject, payment.Expire} {
		b, id := planned(t)
		change, err := payment.Decide(b.payment, c, b.decision(core.System, ""))
		if err != nil {
			t.Fatal(err)
		}
		b.apply(t, change)
		if b.send(t, id) || b.operation(id).Phase != operation.Closed {
			t.Errorf("after %s: sent, or still there: %+v", c, b.operation(id))
		}
	}
	again := func(t testingT) (*books, core.ID) {
		b, id := sent(t)
		b.take(t, id, notSent(&gateway.Error{Class: gateway.OutOfFunds, Effect: gateway.EffectNone}))
		return b, id
	}
	for name, make := range map[string]func(testingT) (*books, core.ID){"first": planned, "again": again} {
		for _, c := range []payment.Command{payment.Cancel, payment.Reject, payment.Expire, payment.Fail} {
			b, id := make(t)
			d := b.decision(core.System, "")
			end, err := payment.Decide(b.payment, c, d)
			if err != nil {
				continue // not from this status
			}
			send, ok, err := operation.DecideSend(b.caseOf(id), d, time.Minute)
			if !ok || err != nil {
				t.Fatalf("not sent: %v", err)
			}
			for i, order := range [][]core.Changeset{{end, send}, {send, end}} {
				race := *b
				race.apply(t, order[0])
				if race.commits(order[1]) {
					t.Errorf("%s sending and %s both commit (order %d)", name, c, i)
				}
			}
		}
	}
}

// TestAnswersToAPayout writes what each state of the gateway's does where. testdata/payouts.golden was read against the
// rule that a payout ends as the gateway says, once, and that whatever it says after that is for staff.
func TestAnswersToAPayout(t *testing.T) {
	t.Parallel()
	make := func(states ...gateway.PayoutState) func(t testingT) (*books, core.ID) {
		return func(t testingT) (*books, core.ID) {
			b, id := sent(t)
			for _, s := range states {
				b.report(t, id, s)
			}
			return b, id
		}
	}
	off := func(t testingT) (*books, core.ID) {
		b, id := planned(t)
		change, err := payment.Decide(b.payment, payment.Cancel, b.decision(core.System, ""))
		if err != nil {
			t.Fatalf("%v", err)
		}
		b.apply(t, change)
		return b, id
	}
	byStaff := func(r operation.Resolution) func(t testingT) (*books, core.ID) {
		return func(t testingT) (*books, core.ID) {
			b, id := sent(t)
			b.now = b.now.Add(time.Hour)
			b.noAnswer(t, id, gateway.NotFound)
			b.noAnswer(t, id, gateway.NotFound)
			if err := b.resolve(t, discrepancy.MissingPayout, r, money.Amount{}); err != nil {
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
			before, callbacks, known := b.payment.Status, len(b.callbacks), len(b.discrepancies)
			b.report(t, id, state)
			fmt.Fprintf(&table, "  %s: %s\n", state, outcomeOf(b, id, before, callbacks, known))
			first := *b
			b.report(t, id, state)
			if diff := cmp.Diff(first.operation(id), b.operation(id), exactly, ignoringBookkeeping); diff != "" || len(b.callbacks) != len(first.callbacks) {
				t.Errorf("%s, %s told twice:\n%s", s.name, state, diff)
			}
			if diff := cmp.Diff(first.discrepancies, b.discrepancies, exactly); diff != "" {
				t.Errorf("%s, %s told twice:\n%s", s.name, state, diff)
			}
		}
	}
	checkGolden(t, "payouts.golden", []byte(table.String()))
}

// TestUntrustedReportsOfAPayout have the gateway asked, and move nothing.
func TestUntrustedReportsOfAPayout(t *testing.T) {
	t.Parallel()
	for _, trust := range []gateway.Trust{gateway.Hint, gateway.SharedSecret} {
		for _, state := range gateway.PayoutStates() {
			b, id := sent(t)
			before := b.operation(id)
			change := b.take(t, id, reported(gateway.PayoutReport{State: state, Trust: trust}))
			before.Version, before.CueVersion, before.CuedAt, before.NextAt = before.Version+1, before.Version+1, b.now, b.now
			if diff := cmp.Diff(before, b.operation(id), exactly); diff != "" || len(core.RowsOf[payment.Payment](change))+len(core.RowsOf[discrepancy.Discrepancy](change)) != 0 {
				t.Errorf("%s %s: (-want +got):\n%s", trust, state, diff)
			}
			waiting, id := planned(t)
			if change := waiting.take(t, id, reported(gateway.PayoutReport{State: state, Trust: trust})); !isNothing(change) {
				t.Errorf("%s %s of what was not sent: %+v", trust, state, change)
			}
		}
	}
}

// TestWhatAReportKeeps of a payout: its proof, the gateway's id and reason, for the history of a failure, too.
func TestWhatAReportKeeps(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	b.take(t, id, reported(gateway.PayoutReport{
		State: gateway.PayoutSent, Trust: gateway.Answered, External: gateway.ExternalRef{ID: "x"}, Proof: "hash", Raw: "SENT",
	}))
	b.take(t, id, reported(gateway.PayoutReport{
		State: gateway.PayoutFailed, Trust: gateway.Answered, External: gateway.ExternalRef{ID: "y"}, Raw: "REJECTED",
		Reason: &gateway.Reason{Code: gateway.NameMismatch, RawCode: "77"},
	}))
	o := b.operation(id)
	if o.External.ID != "x" || o.Proof != "hash" || o.Raw != "REJECTED" || o.Reason.Code != gateway.NameMismatch || !o.EndedAt.Equal(b.now) {
		t.Errorf("kept %+v", o)
	}
	if last := b.moves[len(b.moves)-1]; last.To != payment.Failed || last.Reason != "NAME_MISMATCH 77" {
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
	for class, isEnd := range classes {
		b, id := sent(t)
		before := b.operation(id)
		e := &gateway.Error{Class: class, Effect: gateway.EffectNone, RawCode: "E1", Reason: &gateway.Reason{Code: gateway.InvalidTarget}}
		b.take(t, id, notSent(e))
		o := b.operation(id)
		if isEnd && (b.payment.Status != payment.Failed || o.Phase != operation.Closed || len(b.callbacks) != 1) {
			t.Errorf("%s: %s, %s", class, b.payment.Status, o.Phase)
		}
		if !isEnd && (b.payment.Status != payment.Processing || o.Phase != operation.Planned || !o.NextAt.Equal(b.now.Add(30*time.Second))) {
			t.Errorf("%s: %s, %s, again at %s", class, b.payment.Status, o.Phase, o.NextAt)
		}
		if o.Raw != "E1" || o.Reason.Code != gateway.InvalidTarget {
			t.Errorf("%s: kept %q, %+v", class, o.Raw, o.Reason)
		}
		if !isEnd && (!b.send(t, id) || b.operation(id).Key != before.Key || b.operation(id).Ref != before.Ref || b.operation(id).Tries != 2) {
			t.Errorf("%s: sent again as %+v", class, b.operation(id))
		}
	}
	b, id := sent(t)
	b.take(t, id, notSent(&gateway.Error{Class: gateway.RateLimited, Effect: gateway.EffectNone, RetryAfter: 90 * time.Minute}))
	if got := b.operation(id).NextAt.Sub(b.now); got != time.Hour {
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
		b.report(t, id, state)
		change := b.take(t, id, notSent(&gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone}))
		if !isNothing(change) || b.send(t, id) {
			t.Errorf("%s, and then no effect: %+v", state, change)
		}
		early, id := planned(t)
		early.report(t, id, state)
		if early.send(t, id) {
			t.Errorf("the gateway says %s of what was not sent, and it is sent", state)
		}
	}
}

// TestAMissingPayoutIsForStaff: two looks that find nothing, after the settling time since it was sent and not since the
// payment was made.
func TestAMissingPayoutIsForStaff(t *testing.T) {
	t.Parallel()
	b, id := planned(t)
	b.now = b.now.Add(20 * time.Hour)
	b.send(t, id)
	b.noAnswer(t, id, gateway.NotFound)
	b.noAnswer(t, id, gateway.NotFound)
	if got := b.kinds(id); len(got) != 0 {
		t.Errorf("a moment after it was sent: %q", got)
	}
	b.now = b.now.Add(time.Minute)
	b.noAnswer(t, id, gateway.Retryable)
	b.noAnswer(t, id, gateway.NotFound)
	if got := b.kinds(id); len(got) != 0 {
		t.Errorf("after one look in a row: %q", got)
	}
	b.noAnswer(t, id, gateway.NotFound)
	b.noAnswer(t, id, gateway.NotFound)
	if got := b.kinds(id); !slices.Equal(got, []string{"missing_payout open"}) {
		t.Errorf("after two: %q", got)
	}
	if b.payment.Status != payment.Processing || b.operation(id).NextAt.IsZero() || b.send(t, id) {
		t.Errorf("%s, asked again at %s", b.payment.Status, b.operation(id).NextAt)
	}
	b.report(t, id, gateway.PayoutSent)
	b.now = b.now.Add(time.Hour)
	b.noAnswer(t, id, gateway.NotFound)
	b.noAnswer(t, id, gateway.NotFound)
	if got := b.kinds(id); !slices.Equal(got, []string{"missing_payout settled", "missing_payout open"}) {
		t.Errorf("found, and lost again: %q", got)
	}
	b.report(t, id, gateway.PayoutDone)
	b.noAnswer(t, id, gateway.NotFound)
	b.noAnswer(t, id, gateway.NotFound)
	if got := b.kinds(id); !slices.Equal(got, []string{"missing_payout settled", "missing_payout settled"}) || b.payment.Status != payment.Completed {
		t.Errorf("done, and forgotten by the gateway: %q, %s", got, b.payment.Status)
	}
}

// TestASilentGatewayIsForStaffAfterADay, and the questions go on.
func TestASilentGatewayIsForStaffAfterADay(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	start := b.now
	for len(b.kinds(id)) == 0 {
		b.now = b.operation(id).NextAt
		b.noAnswer(t, id, gateway.Retryable)
	}
	if got := b.now.Sub(start); got < 22*time.Hour || got > 48*time.Hour || b.operation(id).NextAt.IsZero() {
		t.Errorf("staff are told after %s, asked again at %s", got, b.operation(id).NextAt)
	}
	b.report(t, id, gateway.PayoutSent)
	if got := b.kinds(id); !slices.Equal(got, []string{"unknown settled"}) || b.payment.Status != payment.Processing {
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
		b.report(t, id, s)
	}
	if got := b.kinds(id); !slices.Equal(got, []string{"code_wanted settled", "code_wanted open"}) {
		t.Errorf("%q", got)
	}
}

// TestWhatStaffSayOfAPayout is watched: the gateway may still show that it was otherwise.
func TestWhatStaffSayOfAPayout(t *testing.T) {
	t.Parallel()
	for resolution, want := range map[operation.Resolution]payment.Status{operation.AcceptMoney: payment.Completed, operation.WriteOff: payment.Failed} {
		b, id := sent(t)
		b.report(t, id, gateway.PayoutNeedsApproval)
		if err := b.resolve(t, discrepancy.CodeWanted, resolution, money.Amount{}); err != nil {
			t.Fatal(err)
		}
		o := b.operation(id)
		if b.payment.Status != want || o.Phase != operation.Late || o.NextAt.IsZero() || b.payment.Failure != (payment.Failure{}) {
			t.Errorf("%s: %s, %s, asked again at %s", resolution, b.payment.Status, o.Phase, o.NextAt)
		}
		if err := b.resolve(t, discrepancy.CodeWanted, resolution, money.Amount{}); !fault.Is(err, fault.AlreadyFinal) {
			t.Errorf("%s again: %v", resolution, err)
		}
	}
	late, id := sent(t)
	late.report(t, id, gateway.PayoutFailed)
	late.report(t, id, gateway.PayoutDone)
	if err := late.resolve(t, discrepancy.LatePayout, operation.AcceptMoney, money.Amount{}); err != nil || late.payment.Status != payment.Completed || len(late.callbacks) != 2 {
		t.Errorf("a late payout accepted: %v, %s, %d callbacks", err, late.payment.Status, len(late.callbacks))
	}
}
