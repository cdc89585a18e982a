package operation_test

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TestAStartIsCalledNotMadeOnlyOnTheSecondLook after the settling time, by a gateway that looks by our reference.
func TestAStartIsCalledNotMadeOnlyOnTheSecondLook(t *testing.T) {
	t.Parallel()
	type look struct {
		after time.Duration // since the start
		class gateway.Class
	}
	gone, down := gateway.NotFound, gateway.Retryable
	tests := []struct {
		name   string
		keys   gateway.KeyTraits
		looks  []look
		isDead bool
	}{
		{"one look", coretest.Findable, []look{{2 * time.Minute, gone}}, false},
		{"two looks", coretest.Findable, []look{{61 * time.Second, gone}, {62 * time.Second, gone}}, true},
		{"the second look at the settling time", coretest.Findable, []look{{1, gone}, {time.Minute, gone}}, true},
		{"both before the settling time", coretest.Findable, []look{{1, gone}, {time.Minute - 1, gone}}, false},
		{"something else in between", coretest.Findable, []look{{2 * time.Minute, gone}, {3 * time.Minute, down}, {4 * time.Minute, gone}}, false},
		{"it can't look by our reference", gateway.KeyTraits{}, []look{{2 * time.Minute, gone}, {3 * time.Minute, gone}}, false},
		{"it can't be asked", coretest.Findable, []look{{2 * time.Minute, down}, {3 * time.Minute, down}, {4 * time.Minute, down}}, false},
	}
	for _, m := range []payment.Method{payment.CreditCard, payment.BankDeposit} {
		for _, tt := range tests {
			b, id := coretest.Begun(t, m)
			start := b.Now
			for _, l := range tt.looks {
				b.Now = start.Add(l.after)
				b.Take(t, id, silent(l.class, tt.keys))
			}
			o := b.Operation(id)
			if isDead := o.Phase == operation.Closed; isDead != tt.isDead || isDead != (b.Payment.Gateway.OperationID == "") {
				t.Errorf("%s, %s: %s, the payment at %q", m, tt.name, o.Phase, b.Payment.Gateway.OperationID)
			}
			if b.Payment.Status != m.Kind().FirstStatus() || len(b.Callbacks) != 0 {
				t.Errorf("%s, %s: the payment is %s", m, tt.name, b.Payment.Status)
			}
		}
	}
}

// TestWhatTheGatewayHasNamedExists: not found is no news of what it gave an id of its own.
func TestWhatTheGatewayHasNamedExists(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.CreditCard)
	for range 4 {
		b.Now = b.Now.Add(2 * time.Minute)
		b.Take(t, id, silent(gateway.NotFound, coretest.Findable))
	}
	if o := b.Operation(id); o.Phase != operation.Open || o.NotFound != 4 {
		t.Errorf("after four looks %+v", o)
	}
	b.Observe(t, id, coretest.Answered(gateway.Waiting))
	if o := b.Operation(id); o.NotFound != 0 {
		t.Errorf("found, and %d looks have not found it", o.NotFound)
	}
}

// TestAnUnknownOutcomeIsSettledOverADay: ever more seldom; then staff are told, while the questions go on.
func TestAnUnknownOutcomeIsSettledOverADay(t *testing.T) {
	t.Parallel()
	b, id := coretest.Begun(t, payment.CreditCard)
	b.Payment.ExpiresAt = time.Time{}
	b.Operations[0].DeadlineAt = time.Time{}
	want := []time.Duration{
		10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour,
		6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 24 * time.Hour,
	}
	for i, wait := range want {
		b.Take(t, id, silent(gateway.Retryable, coretest.Findable))
		o := b.Operation(id)
		if got := o.NextAt.Sub(b.Now); got != wait || o.Phase != operation.Calling {
			t.Errorf("after question %d: %s, asked again in %s, want %s", i+1, o.Phase, got, wait)
		}
		if isTold := len(b.Kinds(id)) == 1; isTold != (i >= 10) {
			t.Errorf("after question %d, %s: staff are told %v", i+1, b.Now.Sub(o.CreatedAt), isTold)
		}
		b.Now = o.NextAt
	}
	b.Observe(t, id, coretest.Answered(gateway.Waiting))
	if got := b.Kinds(id); !slices.Equal(got, []string{"unknown settled"}) {
		t.Errorf("the gateway answers at last, and there is %q", got)
	}
}

// TestTheDeadlineIsKept: questions come at the payment's end, and at the end of the minute after it at the latest.
func TestTheDeadlineIsKept(t *testing.T) {
	t.Parallel()
	for _, make := range []func(coretest.T, payment.Method) (*coretest.Store, core.ID){coretest.Begun, coretest.Opened} {
		b, id := make(t, payment.CreditCard)
		end := b.Payment.ExpiresAt
		b.Operations[0].Checks = 8 // so that the schedules' waits are long
		tests := []struct {
			at, want   time.Time
			retryAfter time.Duration
		}{
			{end.Add(-30 * time.Second), end, 0},
			{end.Add(-30 * time.Second), end, 40 * time.Minute},
			{end, end.Add(time.Minute), 0},
			{end.Add(59 * time.Second), end.Add(time.Minute), time.Hour},
		}
		for _, tt := range tests {
			d := b.Decision(core.System, "")
			d.At = tt.at
			asked := operation.Asked{Err: &gateway.Error{Class: gateway.RateLimited, RetryAfter: tt.retryAfter}}
			change, err := operation.DecideNoAnswer(b.CaseOf(id), asked, d)
			if err != nil {
				t.Fatal(err)
			}
			if got := core.RowsOf[operation.Operation](change)[0].NextAt; !got.Equal(tt.want) || len(core.RowsOf[payment.Payment](change)) != 0 {
				t.Errorf("%s at %s of its end: asked again at %s", b.Operation(id).Phase, tt.at.Sub(end), got.Sub(end))
			}
		}
		b.Now = end.Add(time.Minute)
		b.Take(t, id, silent(gateway.Retryable, gateway.KeyTraits{}))
		if b.Payment.Status != payment.Failed || b.Payment.Failure.Code != "TIMEOUT" || len(b.Callbacks) != 1 {
			t.Errorf("a minute after its end, with a silent gateway: %s %+v", b.Payment.Status, b.Payment.Failure)
		}
	}
}

// TestAGatewayMayAskForTime, by an hour at most, and brings no question forward.
func TestAGatewayMayAskForTime(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]time.Duration{
		0: 2 * time.Minute, time.Second: 2 * time.Minute, 5 * time.Minute: 5 * time.Minute, 100 * time.Hour: time.Hour,
	} {
		b, id := coretest.Opened(t, payment.BankDeposit)
		b.Operations[0].DeadlineAt, b.Operations[0].Checks = time.Time{}, 9
		b.Take(t, id, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
			return operation.DecideNoAnswer(c, operation.Asked{Err: &gateway.Error{Class: gateway.RateLimited, RetryAfter: wait}}, d)
		})
		if got := b.Operation(id).NextAt.Sub(b.Now); got != want {
			t.Errorf("wait %s: asked again in %s, want %s", wait, got, want)
		}
	}
	b, id := coretest.Begun(t, payment.BankDeposit)
	b.Operations[0].DeadlineAt, b.Operations[0].Checks = time.Time{}, 9
	b.Take(t, id, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNoAnswer(c, operation.Asked{Err: &gateway.Error{Class: gateway.RateLimited, RetryAfter: 48 * time.Hour}}, d)
	})
	if got := b.Operation(id).NextAt.Sub(b.Now); got != 12*time.Hour {
		t.Errorf("the next question is at 12 h; asked to wait 48 h, the gateway is asked in %s", got)
	}
}

// TestTheDeadline: what is over for whom.
func TestTheDeadline(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		make   func(t coretest.T) (*coretest.Store, core.ID)
		before time.Duration
		status payment.Status
		phase  operation.Phase
	}{
		{"a nanosecond before", coretest.After(payment.CreditCard), 1, payment.Pending, operation.Open},
		{"a card", coretest.After(payment.CreditCard), 0, payment.Failed, operation.Late},
		{"a deposit", coretest.After(payment.WalletDeposit), 0, payment.Expired, operation.Late},
		{"a start whose outcome is unknown", called(payment.CreditCard), 0, payment.Failed, operation.Calling},
		{"a deposit whose money was seen", coretest.After(payment.WalletDeposit, coretest.Answered(gateway.Processing)), 0, payment.Processing, operation.Open},
		{"a card that was seen", coretest.After(payment.CreditCard, coretest.Answered(gateway.Processing)), 0, payment.Failed, operation.Late},
		{"a card that is partly paid", coretest.After(payment.CreditCard, coretest.Answered(gateway.PartPaid, coretest.AtGateway(100))), 0, payment.Pending, operation.Open},
		{"a card under review", coretest.After(payment.CreditCard, coretest.Answered(gateway.Review)), 0, payment.Pending, operation.Open},
		{"an earlier try", elsewhere(payment.CreditCard), 0, payment.Pending, operation.Late},
		{"a paid one", coretest.After(payment.CreditCard, coretest.Answered(gateway.Paid, coretest.AtGateway(25000))), 0, payment.Success, operation.Closed},
	}
	for _, tt := range tests {
		b, id := tt.make(t)
		b.Now = b.Payment.ExpiresAt.Add(-tt.before)
		b.Take(t, id, deadline)
		o := b.Operation(id)
		if b.Payment.Status != tt.status || o.Phase != tt.phase {
			t.Errorf("%s: %s, the operation %s, want %s and %s", tt.name, b.Payment.Status, o.Phase, tt.status, tt.phase)
		}
		if isWatched := !o.NextAt.IsZero(); isWatched != (o.Phase != operation.Closed) {
			t.Errorf("%s: %s, asked again at %s", tt.name, o.Phase, o.NextAt)
		}
		callbacks := len(b.Callbacks)
		b.Take(t, id, deadline)
		if b.Payment.Status != tt.status || len(b.Callbacks) != callbacks {
			t.Errorf("%s: decided twice, it is %s with %d callbacks", tt.name, b.Payment.Status, len(b.Callbacks))
		}
	}
}

// TestLateMoneyIsWatchedFor ever more seldom, to the end of the time in which it can come, and once more then.
func TestLateMoneyIsWatchedFor(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.CreditCard)
	b.Observe(t, id, coretest.Answered(gateway.Canceled))
	var waits []time.Duration
	for b.Operation(id).Phase == operation.Late {
		next := b.Operation(id).NextAt
		waits = append(waits, next.Sub(b.Now))
		b.Now = next
		b.Observe(t, id, coretest.Answered(gateway.Canceled))
	}
	// It ended a minute after its creation, lives for 30, and money can come for two hours after that.
	want := []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 68 * time.Minute}
	if !slices.Equal(waits, want) || !b.Operation(id).NextAt.IsZero() || b.Operation(id).Phase != operation.Closed {
		t.Errorf("asked after %v, want %v; then %s", waits, want, b.Operation(id).Phase)
	}
	b.Now = b.Now.AddDate(1, 0, 0)
	b.Observe(t, id, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))
	if got := b.Kinds(id); !slices.Equal(got, []string{"late open"}) {
		t.Errorf("paid a year later: %q", got)
	}
}

// TestAnOpenDepositIsAskedAbout often at first.
func TestAnOpenDepositIsAskedAbout(t *testing.T) {
	t.Parallel()
	b, id := coretest.Opened(t, payment.WalletDeposit)
	var waits []time.Duration
	for range 8 {
		waits = append(waits, b.Operation(id).NextAt.Sub(b.Now))
		b.Now = b.Operation(id).NextAt
		b.Observe(t, id, coretest.Answered(gateway.Waiting))
	}
	want := []time.Duration{
		5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 2 * time.Minute, 2 * time.Minute,
	}
	if !slices.Equal(waits, want) {
		t.Errorf("asked after %v, want %v", waits, want)
	}
}
