package operation_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// argOf is what a fault says besides its code.
func argOf(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Args) != 1 {
		return ""
	}
	return fmt.Sprint(f.Args[0])
}

// noEffect is a try that is known to have had none.
func noEffect(t coretest.T, b *coretest.Store, id core.ID) {
	t.Helper()
	if !b.Send(t, id) {
		t.Fatalf("not sent: %+v", b.Operation(id))
	}
	b.Take(t, id, coretest.NotSent(gateway.OutOfFunds))
}

// TestWhatHasNotLeftCanBeStopped: before its first try by reject and cancel, after one by fail, and the refusal says which;
// never what has left.
func TestWhatHasNotLeftCanBeStopped(t *testing.T) {
	t.Parallel()
	tried := func(t coretest.T) (*coretest.Store, core.ID) {
		b, id := planned(t)
		noEffect(t, b, id)
		return b, id
	}
	tests := []struct {
		name    string
		make    func(coretest.T) (*coretest.Store, core.ID)
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
			err := b.Order(t, id, callOff(command))
			want, may := tt.ends[command]
			switch {
			case may && (err != nil || b.Payment.Status != want || b.Operation(id).Phase != operation.Closed || len(b.Callbacks) != 1):
				t.Errorf("%s: %s: %v, %s, %s", tt.name, command, err, b.Payment.Status, b.Operation(id).Phase)
			case !may && (!fault.Is(err, fault.NotAllowed) || argOf(err) != tt.instead):
				t.Errorf("%s: %s is refused with %v %q, want %q", tt.name, command, err, argOf(err), tt.instead)
			}
			if may && b.Send(t, id) {
				t.Errorf("%s: sent after %s", tt.name, command)
			}
			if err := b.Order(t, id, callOff(command)); may && !fault.Is(err, fault.AlreadyFinal) {
				t.Errorf("%s: %s again: %v", tt.name, command, err)
			}
		}
	}
}

// TestWhoStopsAndWhoSendsCanNotBothCommit, whoever is first: staff, the provider or the clock, at the first try and after one
// without effect, of a payout and of a refund.
func TestWhoStopsAndWhoSendsCanNotBothCommit(t *testing.T) {
	t.Parallel()
	tried := func(t coretest.T) (*coretest.Store, core.ID) {
		b, id := planned(t)
		noEffect(t, b, id)
		return b, id
	}
	refund := func(t coretest.T) (*coretest.Store, core.ID) {
		b, of := bought(t, payment.CreditCard)
		id, err := b.Refund(t, of, operation.RefundPlan{})
		if err != nil {
			t.Fatalf("%v", err)
		}
		return b, id
	}
	for name, tt := range map[string]struct {
		make func(coretest.T) (*coretest.Store, core.ID)
		stop coretest.Decide
	}{
		"canceled": {planned, ended(payment.Cancel)}, "rejected": {planned, ended(payment.Reject)},
		"expired": {planned, ended(payment.Expire)}, "called off": {planned, callOff(payment.Cancel)},
		"failed after a try": {tried, ended(payment.Fail)}, "called off after a try": {tried, callOff(payment.Fail)},
		"a refund called off": {refund, operation.DecideCancelRefund},
	} {
		b, id := tt.make(t)
		d := b.Decision(core.System, "")
		stop, err := tt.stop(b.CaseOf(id), d)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		send, ok, err := operation.DecideSend(b.CaseOf(id), d, time.Minute)
		if !ok || err != nil {
			t.Fatalf("%s: not sent: %v", name, err)
		}
		for _, order := range [][]core.Changeset{{stop, send}, {send, stop}} {
			race := *b
			race.Apply(t, order[0])
			if race.Commits(order[1]) {
				t.Errorf("%s: stopped and sent", name)
			}
		}
	}
}

// TestAPayoutThatDoesNotLeaveIsToldAndStops: staff hear of it after five tries or an hour, and after a day it waits for them.
func TestAPayoutThatDoesNotLeaveIsToldAndStops(t *testing.T) {
	t.Parallel()
	b, id := planned(t)
	b.Payment.ExpiresAt = time.Time{}
	for i := range 5 {
		if len(b.Kinds(id)) != 0 {
			t.Errorf("told after %d tries: %q", i, b.Kinds(id))
		}
		b.Now = later(b.Operation(id).NextAt, b.Now)
		noEffect(t, b, id)
	}
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck open"}) || b.Operation(id).NextAt.IsZero() {
		t.Errorf("after five tries: %q", got)
	}
	for b.Operation(id).NextAt.Sub(b.Operation(id).CreatedAt) < 24*time.Hour {
		b.Now = b.Operation(id).NextAt
		noEffect(t, b, id)
	}
	b.Now = b.Operation(id).NextAt
	if b.Send(t, id) || !b.Operation(id).NextAt.IsZero() || b.Payment.Status != payment.Processing {
		t.Fatalf("after a day: %s, %+v", b.Payment.Status, b.Operation(id))
	}
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck open"}) {
		t.Errorf("told again: %q", got)
	}
	b.Now = b.Now.AddDate(0, 0, 30)
	if b.Send(t, id) {
		t.Fatal("it leaves weeks later")
	}
	failed := *b
	if err := failed.Order(t, id, callOff(payment.Fail)); err != nil || failed.Payment.Status != payment.Failed {
		t.Errorf("given up: %v, %s", err, failed.Payment.Status)
	}
	if got := failed.Kinds(id); !slices.Equal(got, []string{"stuck settled"}) {
		t.Errorf("given up, and %q", got)
	}
	if err := b.Order(t, id, operation.DecideApprovePayout); err != nil || !b.Send(t, id) {
		t.Errorf("let go anew: %v", err)
	}
	b.Report(t, id, gateway.PayoutDone)
	if b.Payment.Status != payment.Completed || !slices.Equal(b.Kinds(id), []string{"stuck settled"}) {
		t.Errorf("%s, %q", b.Payment.Status, b.Kinds(id))
	}
}

// TestAPayoutWhoseAccountIsOff is told of after an hour, stops after a day even where staff wrote that off, and an approval
// begins a new day.
func TestAPayoutWhoseAccountIsOff(t *testing.T) {
	t.Parallel()
	b, id := planned(t)
	b.Payment.ExpiresAt = time.Time{}
	b.Now = b.Operation(id).CreatedAt.Add(time.Hour - 1)
	if change := b.Take(t, id, stuck); len(change) > 0 {
		t.Errorf("before an hour: %+v", change)
	}
	b.Now = b.Now.Add(1)
	b.Take(t, id, stuck)
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck open"}) || !b.Operation(id).NextAt.After(b.Now) {
		t.Errorf("after an hour: %q", got)
	}
	if err := b.Resolve(t, discrepancy.StuckOperation, operation.WriteOff, b.Payment.Gateway.Refunded); err != nil || b.Payment.Status != payment.Showing {
		t.Errorf("written off: %v, %s", err, b.Payment.Status)
	}
	b.Now = b.Operation(id).CreatedAt.Add(24 * time.Hour)
	b.Take(t, id, stuck)
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck written_off", "stuck open"}) || !b.Operation(id).NextAt.IsZero() {
		t.Errorf("after a day: %q, %+v", got, b.Operation(id))
	}
	for _, r := range []operation.Resolution{operation.WriteOff, operation.AcceptMoney} { // or nobody would know that it waits
		if err := b.Resolve(t, discrepancy.StuckOperation, r, coretest.Lira(0)); !fault.Is(err, fault.NotAllowed) {
			t.Errorf("%s of what waits for staff alone: %v", r, err)
		}
	}
	b.Now = b.Now.Add(time.Hour)
	if err := b.Order(t, id, operation.DecideApprovePayout); err != nil {
		t.Fatal(err)
	}
	b.Now = b.Now.Add(23 * time.Hour)
	if !b.Send(t, id) {
		t.Error("approved, and does not leave within a day")
	}
}

// TestARefundIsCalledOff before it leaves, and the discrepancy is open again; one that does not leave for a day has failed,
// and staff know.
func TestARefundIsCalledOff(t *testing.T) {
	t.Parallel()
	plannedRefund := func() (*coretest.Store, core.ID, core.ID) {
		b, of := coretest.After(payment.CreditCard, coretest.Answered(gateway.Failed), coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))(t)
		id, err := b.Refund(t, of, operation.RefundPlan{Discrepancy: b.Discrepancy(t, discrepancy.LateMoney).ID})
		if err != nil {
			t.Fatal(err)
		}
		return b, of, id
	}
	b, of, id := plannedRefund()
	if err := b.Order(t, id, operation.DecideCancelRefund); err != nil || b.Operation(id).Phase != operation.Closed || b.Send(t, id) {
		t.Errorf("called off: %v, %+v", err, b.Operation(id))
	}
	if got := b.Kinds(of); !slices.Equal(got, []string{"late open"}) {
		t.Errorf("called off, and its discrepancy is %q", got)
	}
	if err := b.Order(t, id, operation.DecideCancelRefund); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("again: %v", err)
	}
	if err := b.Order(t, of, operation.DecideCancelRefund); !fault.Is(err, fault.WrongMethod) {
		t.Errorf("of a deposit: %v", err)
	}
	if _, err := b.Refund(t, of, operation.RefundPlan{Discrepancy: b.Discrepancy(t, discrepancy.LateMoney).ID}); err != nil {
		t.Errorf("made anew: %v", err)
	}
	b, of, id = plannedRefund()
	b.Send(t, id)
	if err := b.Order(t, id, operation.DecideCancelRefund); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("of one that may have left: %v", err)
	}
	b.Take(t, id, coretest.NotSent(gateway.Maintenance))
	b.Now = b.Now.Add(24 * time.Hour)
	if b.Send(t, id) {
		t.Error("made after a day")
	}
	if o := b.Operation(id); o.Status != string(gateway.RefundFailed) || !slices.Equal(b.Kinds(id), []string{"stuck open"}) {
		t.Errorf("after a day: %s %q", o.Status, b.Kinds(id))
	}
	if got := b.Kinds(of); !slices.Equal(got, []string{"late open"}) {
		t.Errorf("after a day, and its discrepancy is %q", got)
	}
}

// TestWhatIsUnderWayForDaysIsTold, and so is a gateway that has a payout or refund and does not answer.
func TestWhatIsUnderWayForDaysIsTold(t *testing.T) {
	t.Parallel()
	b, id := sent(t)
	b.Report(t, id, gateway.PayoutSent)
	b.Now = b.Now.Add(71 * time.Hour)
	b.Report(t, id, gateway.PayoutSent)
	if got := b.Kinds(id); len(got) != 0 {
		t.Errorf("a payout, after less than three days: %q", got)
	}
	for range 2 {
		b.Now = b.Now.Add(time.Hour)
		b.Report(t, id, gateway.PayoutSent)
	}
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck open"}) {
		t.Errorf("a payout, after three days: %q", got)
	}
	b.Report(t, id, gateway.PayoutDone)
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck settled"}) {
		t.Errorf("a payout, done: %q", got)
	}
	b, of := bought(t, payment.CreditCard)
	id = b.GiveBack(t, of, operation.RefundPlan{}, gateway.RefundPending)
	b.Now = b.Now.AddDate(0, 0, 14)
	b.RefundReport(t, id, gateway.RefundPending)
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck open"}) {
		t.Errorf("a refund, after two weeks: %q", got)
	}
	b.RefundReport(t, id, gateway.RefundDone)
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck settled"}) {
		t.Errorf("a refund, done: %q", got)
	}
	b, id = sent(t)
	b.Report(t, id, gateway.PayoutSent)
	b.Now = b.Now.Add(24 * time.Hour)
	b.Take(t, id, coretest.Unanswered(gateway.Retryable))
	if got := b.Kinds(id); !slices.Equal(got, []string{"stuck open"}) {
		t.Errorf("a silent gateway that has a payout: %q", got)
	}
	if err := b.Resolve(t, discrepancy.StuckOperation, operation.WriteOff, b.Payment.Gateway.Refunded); err != nil || b.Payment.Status != payment.Processing {
		t.Errorf("staff fail what is under way: %v, %s", err, b.Payment.Status)
	}
}
