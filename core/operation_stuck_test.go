package core_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

func callOff(command payment.Command) decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideCallOff(c, command, d)
	}
}

func stuck(c operation.Case, d payment.Decision) (core.Changeset, error) {
	return operation.DecideStuck(c, "off", d)
}

// argOf is what a fault says besides its code.
func argOf(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Args) != 1 {
		return ""
	}
	return fmt.Sprint(f.Args[0])
}

// noEffect is a try that is known to have had none.
func (b *books) noEffect(t testingT, id core.ID) {
	t.Helper()
	if !b.send(t, id) {
		t.Fatalf("not sent: %+v", b.operation(id))
	}
	b.take(t, id, notSent(&gateway.Error{Class: gateway.OutOfFunds, Effect: gateway.EffectNone}))
}

// TestWhatHasNotLeftCanBeStopped: before its first try by reject and cancel, after one by fail, and the refusal says which;
// never what has left.
func TestWhatHasNotLeftCanBeStopped(t *testing.T) {
	t.Parallel()
	tried := func(t testingT) (*books, core.ID) {
		b, id := planned(t)
		b.noEffect(t, id)
		return b, id
	}
	tests := []struct {
		name    string
		make    func(testingT) (*books, core.ID)
		ends    map[payment.Command]payment.Status
		instead string
	}{
		{"never tried", planned, map[payment.Command]payment.Status{payment.Reject: payment.Rejected, payment.Cancel: payment.Canceled}, "showing → cancel, reject"},
		{"tried without effect", tried, map[payment.Command]payment.Status{payment.Fail: payment.Failed}, "processing → fail"},
		{"sent", sent, nil, "processing"},
	}
	for _, tt := range tests {
		for _, command := range []payment.Command{payment.Reject, payment.Cancel, payment.Fail} {
			b, id := tt.make(t)
			err := b.order(t, id, callOff(command))
			want, may := tt.ends[command]
			switch {
			case may && (err != nil || b.payment.Status != want || b.operation(id).Phase != operation.Closed || len(b.callbacks) != 1):
				t.Errorf("%s: %s: %v, %s, %s", tt.name, command, err, b.payment.Status, b.operation(id).Phase)
			case !may && (!fault.Is(err, fault.NotAllowed) || argOf(err) != tt.instead):
				t.Errorf("%s: %s is refused with %v %q, want %q", tt.name, command, err, argOf(err), tt.instead)
			}
			if may && b.send(t, id) {
				t.Errorf("%s: sent after %s", tt.name, command)
			}
			if err := b.order(t, id, callOff(command)); may && !fault.Is(err, fault.AlreadyFinal) {
				t.Errorf("%s: %s again: %v", tt.name, command, err)
			}
		}
	}
}

// TestWhoStopsAndWhoSendsCanNotBothCommit, whoever is first.
func TestWhoStopsAndWhoSendsCanNotBothCommit(t *testing.T) {
	t.Parallel()
	b, id := planned(t)
	b.noEffect(t, id)
	bought, of := bought(t, payment.CreditCard)
	refund, err := bought.refund(t, of, operation.RefundPlan{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		*books
		id   core.ID
		stop decide
	}{{b, id, callOff(payment.Fail)}, {bought, refund, operation.DecideCancelRefund}} {
		d := tt.decision(core.System, "")
		stop, err := tt.stop(tt.caseOf(tt.id), d)
		if err != nil {
			t.Fatal(err)
		}
		send, ok, err := operation.DecideSend(tt.caseOf(tt.id), d, time.Minute)
		if !ok || err != nil {
			t.Fatalf("not sent: %v", err)
		}
		for _, order := range [][]core.Changeset{{stop, send}, {send, stop}} {
			race := *tt.books
			race.apply(t, order[0])
			if race.commits(order[1]) {
				t.Error("stopped and sent")
			}
		}
	}
}

// TestAPayoutThatDoesNotLeaveIsToldAndStops: staff hear of it after five tries or an hour, and after a day it waits for them.
func TestAPayoutThatDoesNotLeaveIsToldAndStops(t *testing.T) {
	t.Parallel()
	b, id := planned(t)
	b.payment.ExpiresAt = time.Time{}
	for i := range 5 {
		if len(b.kinds(id)) != 0 {
			t.Errorf("told after %d tries: %q", i, b.kinds(id))
		}
		b.now = later(b.operation(id).NextAt, b.now)
		b.noEffect(t, id)
	}
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck open"}) || b.operation(id).NextAt.IsZero() {
		t.Errorf("after five tries: %q", got)
	}
	for b.operation(id).NextAt.Sub(b.operation(id).CreatedAt) < 24*time.Hour {
		b.now = b.operation(id).NextAt
		b.noEffect(t, id)
	}
	b.now = b.operation(id).NextAt
	if b.send(t, id) || !b.operation(id).NextAt.IsZero() || b.payment.Status != payment.Processing {
		t.Fatalf("after a day: %s, %+v", b.payment.Status, b.operation(id))
	}
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck open"}) {
		t.Errorf("told again: %q", got)
	}
	b.now = b.now.AddDate(0, 0, 30)
	if b.send(t, id) {
		t.Fatal("it leaves weeks later")
	}
	failed := *b
	if err := failed.order(t, id, callOff(payment.Fail)); err != nil || failed.payment.Status != payment.Failed {
		t.Errorf("given up: %v, %s", err, failed.payment.Status)
	}
	if got := failed.kinds(id); !slices.Equal(got, []string{"stuck settled"}) {
		t.Errorf("given up, and %q", got)
	}
	if err := b.order(t, id, operation.DecideApprovePayout); err != nil || !b.send(t, id) {
		t.Errorf("let go anew: %v", err)
	}
	b.report(t, id, gateway.PayoutDone)
	if b.payment.Status != payment.Completed || !slices.Equal(b.kinds(id), []string{"stuck settled"}) {
		t.Errorf("%s, %q", b.payment.Status, b.kinds(id))
	}
}

// TestAPayoutWhoseAccountIsOff is told of after an hour, stops after a day even where staff wrote that off, and an approval
// begins a new day.
func TestAPayoutWhoseAccountIsOff(t *testing.T) {
	t.Parallel()
	b, id := planned(t)
	b.payment.ExpiresAt = time.Time{}
	b.now = b.operation(id).CreatedAt.Add(time.Hour - 1)
	if change := b.take(t, id, stuck); !isNothing(change) {
		t.Errorf("before an hour: %+v", change)
	}
	b.now = b.now.Add(1)
	b.take(t, id, stuck)
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck open"}) || !b.operation(id).NextAt.After(b.now) {
		t.Errorf("after an hour: %q", got)
	}
	if err := b.resolve(t, discrepancy.StuckOperation, operation.WriteOff, b.payment.AtGate.Refunded); err != nil || b.payment.Status != payment.Showing {
		t.Errorf("written off: %v, %s", err, b.payment.Status)
	}
	b.now = b.operation(id).CreatedAt.Add(24 * time.Hour)
	b.take(t, id, stuck)
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck written_off", "stuck open"}) || !b.operation(id).NextAt.IsZero() {
		t.Errorf("after a day: %q, %+v", got, b.operation(id))
	}
	for _, r := range []operation.Resolution{operation.WriteOff, operation.AcceptMoney} { // or nobody would know that it waits
		if err := b.resolve(t, discrepancy.StuckOperation, r, lira(0)); !fault.Is(err, fault.NotAllowed) {
			t.Errorf("%s of what waits for staff alone: %v", r, err)
		}
	}
	b.now = b.now.Add(time.Hour)
	if err := b.order(t, id, operation.DecideApprovePayout); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(23 * time.Hour)
	if !b.send(t, id) {
		t.Error("approved, and does not leave within a day")
	}
}

// TestATransferThatDoesNotLeave fails after a day: what was reserved goes back to its dealer. Staff may stop it before.
func TestATransferThatDoesNotLeave(t *testing.T) {
	t.Parallel()
	for _, command := range []payment.Command{payment.Cancel, payment.Fail} {
		b, id := sentTransfer(t)
		b.take(t, id, notSent(&gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectNone}))
		change, err := operation.DecideCallOff(b.caseOf(id), command, b.decision(core.Actor{Kind: core.ByStaff}, ""))
		if err != nil || kindsOf(change) != "release" {
			t.Errorf("%s: %q, %v", command, kindsOf(change), err)
		}
	}
	b, id := sentTransfer(t)
	b.take(t, id, notSent(&gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectNone}))
	b.now = b.now.Add(2 * time.Hour)
	b.take(t, id, stuck)
	b.now = b.now.Add(22 * time.Hour)
	change := b.take(t, id, stuck)
	if kindsOf(change) != "release" || b.payment.Status != payment.Failed || b.operation(id).Phase != operation.Closed {
		t.Errorf("after a day: %q, %s, %s", kindsOf(change), b.payment.Status, b.operation(id).Phase)
	}
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck settled"}) {
		t.Errorf("%q", got)
	}
}

// TestARefundIsCalledOff before it leaves, and the discrepancy is open again; one that does not leave for a day has failed,
// and staff know.
func TestARefundIsCalledOff(t *testing.T) {
	t.Parallel()
	plannedRefund := func() (*books, core.ID, core.ID) {
		b, of := after(payment.CreditCard, answered(gateway.Failed), answered(gateway.Paid, atGateway(25000)))(t)
		id, err := b.refund(t, of, operation.RefundPlan{Discrepancy: b.discrepancy(t, discrepancy.LateMoney).ID})
		if err != nil {
			t.Fatal(err)
		}
		return b, of, id
	}
	b, of, id := plannedRefund()
	if err := b.order(t, id, operation.DecideCancelRefund); err != nil || b.operation(id).Phase != operation.Closed || b.send(t, id) {
		t.Errorf("called off: %v, %+v", err, b.operation(id))
	}
	if got := b.kinds(of); !slices.Equal(got, []string{"late open"}) {
		t.Errorf("called off, and its discrepancy is %q", got)
	}
	if err := b.order(t, id, operation.DecideCancelRefund); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("again: %v", err)
	}
	if err := b.order(t, of, operation.DecideCancelRefund); !fault.Is(err, fault.WrongMethod) {
		t.Errorf("of a deposit: %v", err)
	}
	if _, err := b.refund(t, of, operation.RefundPlan{Discrepancy: b.discrepancy(t, discrepancy.LateMoney).ID}); err != nil {
		t.Errorf("made anew: %v", err)
	}
	b, of, id = plannedRefund()
	b.send(t, id)
	if err := b.order(t, id, operation.DecideCancelRefund); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("of one that may have left: %v", err)
	}
	b.take(t, id, notSent(&gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectNone}))
	b.now = b.now.Add(24 * time.Hour)
	if b.send(t, id) {
		t.Error("made after a day")
	}
	if o := b.operation(id); o.State != string(gateway.RefundFailed) || !slices.Equal(b.kinds(id), []string{"stuck open"}) {
		t.Errorf("after a day: %s %q", o.State, b.kinds(id))
	}
	if got := b.kinds(of); !slices.Equal(got, []string{"late open"}) {
		t.Errorf("after a day, and its discrepancy is %q", got)
	}
}

// TestWhatIsUnderWayForDaysIsTold, and so is a gateway that has a payout or refund and does not answer.
func TestWhatIsUnderWayForDaysIsTold(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	b.report(t, id, gateway.PayoutSent)
	b.now = b.now.Add(71 * time.Hour)
	b.report(t, id, gateway.PayoutSent)
	if got := b.kinds(id); len(got) != 0 {
		t.Errorf("a payout, after less than three days: %q", got)
	}
	for range 2 {
		b.now = b.now.Add(time.Hour)
		b.report(t, id, gateway.PayoutSent)
	}
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck open"}) {
		t.Errorf("a payout, after three days: %q", got)
	}
	b.report(t, id, gateway.PayoutDone)
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck settled"}) {
		t.Errorf("a payout, done: %q", got)
	}
	b, of := bought(t, payment.CreditCard)
	id = b.giveBack(t, of, operation.RefundPlan{}, gateway.RefundPending)
	b.now = b.now.AddDate(0, 0, 14)
	b.refundReport(t, id, gateway.RefundPending)
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck open"}) {
		t.Errorf("a refund, after two weeks: %q", got)
	}
	b.refundReport(t, id, gateway.RefundDone)
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck settled"}) {
		t.Errorf("a refund, done: %q", got)
	}
	b, id = sent(t)
	b.report(t, id, gateway.PayoutSent)
	b.now = b.now.Add(24 * time.Hour)
	b.noAnswer(t, id, gateway.Retryable)
	if got := b.kinds(id); !slices.Equal(got, []string{"stuck open"}) {
		t.Errorf("a silent gateway that has a payout: %q", got)
	}
	if err := b.resolve(t, discrepancy.StuckOperation, operation.WriteOff, b.payment.AtGate.Refunded); err != nil || b.payment.Status != payment.Processing {
		t.Errorf("staff fail what is under way: %v, %s", err, b.payment.Status)
	}
}
