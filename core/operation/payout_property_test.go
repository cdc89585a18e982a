package operation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// payoutLife drives a payout: staff approve it or don't, everybody may call it off, the gateway does anything.
type payoutLife struct {
	gateLife
	maySend bool // it was never sent, or the last time is known to have had no effect
	sends   int
	last    gateway.PayoutState // that the gateway told for certain and that counts: not told out of order
}

// TestMoneyPaidOut: whatever happens, a payout is sent again only when it is known not to have been sent, nothing ends but
// by the gateway's word or a person's, and what the gateway says otherwise than the payment stands as a discrepancy.
func TestMoneyPaidOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom([]money.Amount{{}, never}).Draw(t, "approval from")
		l := &payoutLife{gateLife: gateLife{Store: newPayout(t, payment.BankWithdrawal, from)}, maySend: true}
		t.Repeat(map[string]func(*rapid.T){
			"":        l.check,
			"approve": l.approves,
			"send":    l.sends1,
			"no":      l.notSent,
			"report":  l.reports,
			"again":   l.reports,
			"silence": l.silence,
			"resolve": l.resolves,
			"end":     l.ended,
			"stop":    l.stops,
			"wait": func(t *rapid.T) {
				l.Now = l.Now.Add(time.Duration(rapid.IntRange(1, 20_000).Draw(t, "seconds")) * time.Second)
			},
		})
		l.drain(t)
	})
}

func (l *payoutLife) id() core.ID { return l.Operations[0].ID }

func (l *payoutLife) approves(t *rapid.T) { l.byStaff(t, l.id(), operation.DecideApprovePayout) }

// sends1 is one worker's try at sending: it takes only what is due.
func (l *payoutLife) sends1(t *rapid.T) {
	isDue := func(o operation.Operation) bool { return o.MaySend() && !o.NextAt.IsZero() && !o.NextAt.After(l.Now) }
	if !isDue(l.Operation(l.id())) {
		return
	}
	var wasOpen, isSent bool
	l.work(t, l.id(), func(c operation.Case, d payment.Decision) (change core.Changeset, err error) {
		wasOpen = !c.Payment.Status.IsFinal() && isDue(c.Operation) && !isTooLate(c.Operation, l.Now)
		change, isSent, err = operation.DecideSend(c, d, time.Minute)
		return change, err
	})
	if isSent != wasOpen {
		t.Fatalf("the payment is open and its payout due: %v, and it is sent %v", wasOpen, isSent)
	}
	if !isSent {
		return
	}
	if !l.maySend || l.last != "" {
		t.Fatalf("sent again, although it may have been sent before, and the gateway says %q: %+v", l.last, l.Operation(l.id()))
	}
	l.maySend = false
	l.sends++
}

// isTooLate: it was let go a day ago.
func isTooLate(o operation.Operation, now time.Time) bool {
	return now.Sub(o.CreatedAt) >= 24*time.Hour && now.Sub(o.ReleasedAt) >= 24*time.Hour
}

// stops is staff who call off what has not left.
func (l *payoutLife) stops(t *rapid.T) {
	c := rapid.SampledFrom([]payment.Command{payment.Cancel, payment.Reject, payment.Fail}).Draw(t, "command")
	wasHere, wasOver := l.maySend && l.last == "", l.Payment.Status.IsFinal()
	l.byStaff(t, l.id(), func(x operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideCallOff(x, c, d)
	})
	if isOver := l.Payment.Status.IsFinal(); isOver && !wasOver && !wasHere {
		t.Fatalf("%s of what may be at the gateway: %+v", c, l.Operation(l.id()))
	}
}

// notSent is a call that is known to have had no effect.
func (l *payoutLife) notSent(t *rapid.T) {
	class := drawClass(t)
	if l.Operation(l.id()).Phase == operation.Calling {
		l.maySend = true
	}
	l.work(t, l.id(), coretest.NotSent(class))
}

// reports has the gateway say anything, twice.
func (l *payoutLife) reports(t *rapid.T) {
	r := gateway.PayoutReport{
		State: rapid.SampledFrom(gateway.PayoutStates()).Draw(t, "state"),
		Trust: rapid.SampledFrom([]gateway.Trust{gateway.Hint, gateway.SharedSecret, gateway.Signed, gateway.Answered, gateway.Answered}).Draw(t, "trust"),
	}
	before := *l.Store
	l.work(t, l.id(), coretest.Reported(r))
	if r.Trust < gateway.Signed {
		l.checkSame(t, before, l.id(), "an untrusted report")
	} else if l.Operation(l.id()).Status == string(r.State) {
		l.last = r.State
	}
	first := *l.Store
	l.Now = l.Now.Add(time.Second)
	l.work(t, l.id(), coretest.Reported(r))
	l.checkSame(t, first, l.id(), "the same report again")
}

func (l *payoutLife) silence(t *rapid.T) {
	asked := operation.Asked{Err: &gateway.Error{Class: drawClass(t)}, Keys: coretest.Findable}
	if o := l.Operation(l.id()); o.Phase == operation.Planned {
		return // nobody asks about what was not sent
	}
	before := l.Payment.Status
	l.work(t, l.id(), func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecidePayoutNoAnswer(c, asked, d), nil
	})
	if l.Payment.Status != before {
		t.Fatalf("a silent gateway moved the payment from %s to %s", before, l.Payment.Status)
	}
}

// ended is anybody who calls off what has not left, or the clock.
func (l *payoutLife) ended(t *rapid.T) {
	c := rapid.SampledFrom([]payment.Command{payment.Cancel, payment.Reject, payment.Expire}).Draw(t, "command")
	_, err := l.decide(t, "", func(seen *coretest.Store) (core.Changeset, error) {
		return payment.Decide(seen.Payment, c, l.Decision(core.System, ""))
	})
	if isSent := l.sends > 0; isSent && err == nil {
		t.Fatalf("%s of what has left", c)
	}
	if err != nil && !fault.Is(err, fault.NotAllowed) && !fault.Is(err, fault.AlreadyFinal) {
		t.Fatalf("%s: %v", c, err)
	}
}

func (l *payoutLife) check(t *rapid.T) {
	if len(l.Callbacks) != l.ends || !l.staffActed && l.ends > 1 || l.ends == 0 == l.Payment.Status.IsFinal() {
		t.Fatalf("%s: %d callbacks of %d ends, staff acted %v", l.Payment.Status, len(l.Callbacks), l.ends, l.staffActed)
	}
	o := l.Operation(l.id())
	isStopped := isTooLate(o, l.Now) && slices.ContainsFunc(l.Discrepancies, func(d discrepancy.Discrepancy) bool { return d.Kind == discrepancy.StuckOperation })
	isWaiting := o.Phase == operation.Planned && (l.Payment.Status == payment.Showing || isStopped) || l.Payment.Status.IsFinal()
	if o.Phase != operation.Closed && o.NextAt.IsZero() && !isWaiting {
		t.Fatalf("nobody looks after %+v", o)
	}
	if o.Phase == operation.Closed && !l.Payment.Status.IsFinal() {
		t.Fatalf("%s, and its payout is closed: %+v", l.Payment.Status, o)
	}
	l.checkTold(t)
}

// checkTold: where the payment and the gateway differ, staff know.
func (l *payoutLife) checkTold(t *rapid.T) {
	knows := func(kind discrepancy.Kind) bool {
		return slices.ContainsFunc(l.Kinds(l.id()), func(k string) bool { return strings.HasPrefix(k, string(kind)+" ") })
	}
	status := l.Payment.Status
	switch l.last {
	case gateway.PayoutDone:
		if status != payment.Completed && !knows(discrepancy.LatePayout) {
			t.Fatalf("paid out, and the payment is %s: %q", status, l.Kinds(l.id()))
		}
	case gateway.PayoutFailed, gateway.PayoutRejected, gateway.PayoutCanceled, gateway.PayoutReturned:
		if !status.IsFinal() || status == payment.Completed && !knows(discrepancy.ReturnedPayout) {
			t.Fatalf("%s, and the payment is %s: %q", l.last, status, l.Kinds(l.id()))
		}
	case "":
		if status == payment.Completed && !l.staffActed {
			t.Fatal("completed, and the gateway has not said so")
		}
	case gateway.PayoutQueued, gateway.PayoutSent, gateway.PayoutNeedsApproval, gateway.PayoutUnknown:
	}
}

// drain has the gateway do what it was asked, once it is asked: everything ends.
func (l *payoutLife) drain(t *rapid.T) {
	for range 10 {
		l.Now = l.Now.Add(24 * time.Hour)
		for range 2 { // one that is too late is let go anew
			l.approves(t)
			l.sends1(t)
		}
		if p := l.Payment; p.Status == payment.Showing && !l.Now.Before(p.ExpiresAt) {
			change, err := payment.Decide(p, payment.Expire, l.Decision(core.System, ""))
			if err != nil {
				t.Fatalf("it can't expire: %v", err)
			}
			l.keep(t, change)
		}
		if o := l.Operation(l.id()); !o.MaySend() && !o.NextAt.IsZero() {
			l.work(t, l.id(), coretest.Reported(gateway.PayoutReport{State: gateway.PayoutDone, Trust: gateway.Answered}))
			if l.Operation(l.id()).Status == string(gateway.PayoutDone) {
				l.last = gateway.PayoutDone
			}
		}
		l.check(t)
		if l.Payment.Status.IsFinal() {
			return
		}
	}
	t.Fatalf("never ends: %s, %+v", l.Payment.Status, l.Operation(l.id()))
}
