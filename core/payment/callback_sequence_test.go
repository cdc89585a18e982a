package payment_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// Times of a worker, as app/payment has them.
const (
	attemptTimeout = 10 * time.Second
	startMargin    = 5 * time.Second
	callbackLease  = attemptTimeout + 2*startMargin
)

// post is one payment with its outbox, the workers who deliver it, and what its receiver has seen.
type post struct {
	now       time.Time
	ids       *core.IDs
	payment   payment.Payment
	callbacks []payment.Callback // by number
	attempts  int
	late      []core.Changeset // decided about rows as they were, and not committed yet
	hands     []*hand
	seen      []payment.Callback // by the receiver
}

// hand is a worker's hold on a callback.
type hand struct {
	callback payment.Callback
	until    time.Time // when an attempt that was begun is over; zero: none was
	isGone   bool      // the worker crashed; what it had begun to send may arrive all the same
}

// TestReceiversLastWordIsTheNewest: whatever is decided, delivered, lost and sent again in whatever order, by however many
// workers that crash between any two steps, a receiver sees a payment's callbacks in the order of their numbers, each with
// one content; and in the end the last thing that it has seen is the newest.
func TestReceiversLastWordIsTheNewest(t *testing.T) {
	t.Parallel()
	const lives = 30 // in each of rapid's checks, which alone are too few to meet the rare orders
	rapid.Check(t, func(t *rapid.T) {
		for range lives {
			lived(t)
		}
	})
}

func lived(t *rapid.T) {
	p := &post{now: coretest.Evening, ids: coretest.NewIDs(t, coretest.Evening), payment: coretest.Started(t, payment.CreditCard)}
	steps := []func(*rapid.T){
		func(t *rapid.T) { p.commit(p.decision(t)) },
		func(t *rapid.T) { p.late = append(p.late, p.decision(t)) },
		func(t *rapid.T) { p.commit(p.resend(t)) },
		func(t *rapid.T) { p.late = append(p.late, p.resend(t)) },
		p.commitLate, p.claim, p.claim, p.begin, p.begin, p.arrive, p.arrive, p.answer, p.answer, p.crash, p.wait,
	}
	for range 60 {
		rapid.SampledFrom(steps).Draw(t, "step")(t)
		p.check(t)
	}
	p.settle(t)
}

// decision ends the payment, ends it otherwise, or gives it back; one that ended is made anew now and then, as if a
// correction had come, so that there are many callbacks.
func (p *post) decision(t *rapid.T) core.Changeset {
	before := p.payment
	if before.Status.IsFinal() && rapid.Bool().Draw(t, "otherwise") {
		before.Status = payment.Failed
	}
	d := payment.Decision{
		At: p.now, IDs: p.ids, Schedule: payment.DefaultRetrySchedule, Callbacks: slices.Clone(p.callbacks),
		Target: payment.Target{Receiver: "r", URL: "https://example.com"},
	}
	c := rapid.SampledFrom([]payment.Command{payment.Fail, payment.Cancel, payment.Succeed, payment.Accept, payment.Refund}).Draw(t, "command")
	change, err := payment.Decide(before, c, d)
	if err != nil {
		return core.Changeset{}
	}
	return change
}

func (p *post) resend(t *rapid.T) core.Changeset {
	if len(p.callbacks) == 0 {
		return core.Changeset{}
	}
	c := rapid.SampledFrom(p.callbacks).Draw(t, "callback")
	if c.Status == payment.Waiting {
		return core.Changeset{}
	}
	change, err := payment.DecideResend(c, p.callbacks, p.payment, core.System, "", p.now, p.ids)
	isLast := c.Sequence == len(p.callbacks)
	switch {
	case !isLast && !fault.Is(err, fault.Replaced), isLast && !c.SupersededAt.IsZero() && !fault.Is(err, fault.Outdated),
		isLast && c.SupersededAt.IsZero() && err != nil:
		t.Fatalf("resending %+v of %d: %v", c, len(p.callbacks), err)
	}
	return change
}

// commit is a store's: every version must be the next, and no number comes twice.
func (p *post) commit(change core.Changeset) bool {
	for _, c := range core.RowsOf[payment.Callback](change) {
		at := slices.IndexFunc(p.callbacks, func(known payment.Callback) bool { return known.ID == c.ID })
		isNew := at < 0 && c.Version == 1 && c.Sequence == len(p.callbacks)+1
		isNext := at >= 0 && p.callbacks[at].Version == c.Version-1
		if !isNew && !isNext {
			return false
		}
	}
	for _, after := range core.RowsOf[payment.Payment](change) {
		if after.Version != p.payment.Version+1 {
			return false
		}
		p.payment = after
	}
	for _, c := range core.RowsOf[payment.Callback](change) {
		if c.Version == 1 {
			p.callbacks = append(p.callbacks, c)
		} else {
			p.callbacks[c.Sequence-1] = c
		}
	}
	p.attempts += len(core.RowsOf[payment.Attempt](change))
	return true
}

func (p *post) commitLate(t *rapid.T) {
	if len(p.late) == 0 {
		return
	}
	at := rapid.IntRange(0, len(p.late)-1).Draw(t, "which")
	p.commit(p.late[at])
	p.late = slices.Delete(p.late, at, at+1)
}

// claim is a store's: due, not leased, and nothing of the payment waits before it.
func (p *post) claim(*rapid.T) {
	for i := range p.callbacks {
		c := &p.callbacks[i]
		if c.Status != payment.Waiting {
			continue
		}
		if !c.NextAttemptAt.After(p.now) && c.LeaseUntil.Before(p.now) {
			c.Version++
			c.LeaseUntil = p.now.Add(callbackLease)
			p.hands = append(p.hands, &hand{callback: *c})
		}
		return
	}
}

// anyHand is a worker's; where nobody has anything, one that has been through with it for long.
func (p *post) anyHand(t *rapid.T) *hand {
	if len(p.hands) == 0 {
		return &hand{isGone: true}
	}
	return rapid.SampledFrom(p.hands).Draw(t, "hand")
}

// begin starts an attempt, unless the lease is too old for one.
func (p *post) begin(t *rapid.T) {
	h := p.anyHand(t)
	if isTooLate := p.now.After(h.callback.LeaseUntil.Add(startMargin - callbackLease)); h.isGone || !h.until.IsZero() || isTooLate {
		return
	}
	h.until = p.now.Add(attemptTimeout)
}

// arrive has the receiver see what is being sent, or see it again.
func (p *post) arrive(t *rapid.T) {
	h := p.anyHand(t)
	if h.until.IsZero() || p.now.After(h.until) {
		return
	}
	p.seen = append(p.seen, h.callback)
}

// answer ends an attempt, however late its outcome comes. What the receiver takes, it has seen.
func (p *post) answer(t *rapid.T) {
	h := p.anyHand(t)
	if h.until.IsZero() || h.isGone {
		return
	}
	answered := payment.DeliveryResult{HTTPStatus: rapid.SampledFrom([]int{0, 200, 500}).Draw(t, "status")}
	if hasSeen := slices.ContainsFunc(p.seen, func(c payment.Callback) bool { return c.ID == h.callback.ID }); !hasSeen {
		answered.HTTPStatus = 0
	}
	p.commit(payment.DecideAttempt(h.callback, "https://example.com", answered, payment.DefaultRetrySchedule, p.now, p.ids))
	p.hands = slices.DeleteFunc(p.hands, func(other *hand) bool { return other == h })
}

func (p *post) crash(t *rapid.T) { p.anyHand(t).isGone = true }

// wait is as long as an attempt or a lease takes, or much longer; hands of which nothing can arrive any more are let go.
func (p *post) wait(t *rapid.T) {
	p.now = p.now.Add(rapid.SampledFrom([]time.Duration{
		time.Second, startMargin, attemptTimeout, callbackLease + 1, time.Minute, 48 * time.Hour,
	}).Draw(t, "wait"))
	p.hands = slices.DeleteFunc(p.hands, func(h *hand) bool { return h.isGone && p.now.After(h.until) })
}

func (p *post) check(t *rapid.T) {
	last := 0
	for _, c := range p.seen {
		if c.Sequence < last {
			t.Fatalf("number %d came after %d", c.Sequence, last)
		}
		last = c.Sequence
		if kept := p.callbacks[c.Sequence-1]; kept.ID != c.ID || kept.Payload != c.Payload {
			t.Fatalf("number %d came as %+v and is %+v", c.Sequence, c, kept)
		}
	}
	for i, c := range p.callbacks {
		isLatest := i == len(p.callbacks)-1
		if c.Sequence != i+1 || !isLatest && (c.Status == payment.Waiting || c.SupersededAt.IsZero()) {
			t.Fatalf("number %d of %d: %+v", i+1, len(p.callbacks), c)
		}
		if isLatest && p.payment.Status == payment.Refunded && (c.Status == payment.Waiting || c.SupersededAt.IsZero()) {
			t.Fatalf("of a payment that was given back %+v", c)
		}
	}
}

// settle ends all faults: what waits is delivered, the next day at the latest.
func (p *post) settle(t *rapid.T) {
	p.hands, p.late = nil, nil
	for range payment.DefaultRetrySchedule {
		p.now = p.now.Add(48 * time.Hour)
		if p.claim(t); len(p.hands) == 0 {
			break
		}
		h := p.hands[0]
		p.hands, p.seen = nil, append(p.seen, h.callback)
		if !p.commit(payment.DecideAttempt(h.callback, "", payment.DeliveryResult{HTTPStatus: 200}, payment.DefaultRetrySchedule, p.now, p.ids)) {
			t.Fatal("nobody else has it, and its outcome is lost")
		}
		p.check(t)
	}
	if len(p.callbacks) == 0 {
		return
	}
	latest := p.callbacks[len(p.callbacks)-1]
	if latest.Status == payment.Waiting {
		t.Fatalf("it waits for ever: %+v", latest)
	}
	isDelivered := latest.Status == payment.Delivered
	if isDelivered && (len(p.seen) == 0 || p.seen[len(p.seen)-1].ID != latest.ID) {
		t.Fatalf("the receiver's last word is not number %d: %+v", latest.Sequence, p.seen)
	}
}

// TestACallbackSupersedesTheOneBefore, whatever became of that: one that waits is not sent any more, and any other is
// changed too, so that whoever is about to send it again loses the race.
func TestACallbackSupersedesTheOneBefore(t *testing.T) {
	t.Parallel()
	at := coretest.Decision(t).At
	for _, state := range []payment.CallbackStatus{payment.Waiting, payment.Delivered, payment.Undeliverable, payment.Skipped} {
		p := coretest.Started(t, payment.CreditCard)
		p.Status = payment.Failed
		old := payment.Callback{ID: "A", Version: 4, PaymentID: p.ID, Sequence: 2, Status: state, LeaseUntil: at.Add(time.Second)}
		d := coretest.Decision(t)
		d.Callbacks = []payment.Callback{old, {ID: "9", Version: 2, PaymentID: p.ID, Sequence: 1, Status: payment.Superseded, LeaseUntil: at.Add(time.Minute), SupersededAt: at}}
		change, err := transition(p, payment.Accept, p.Amount, d)
		if err != nil || len(core.RowsOf[payment.Callback](change)) != 2 {
			t.Fatalf("%+v, %v", core.RowsOf[payment.Callback](change), err)
		}
		next, stale := core.RowsOf[payment.Callback](change)[0], core.RowsOf[payment.Callback](change)[1]
		if next.Sequence != 3 || next.Status != payment.Waiting || !next.NextAttemptAt.Equal(at.Add(time.Minute)) {
			t.Errorf("%s: the next one %+v is sent while a worker may be sending another", state, next)
		}
		want := old
		want.Version, want.SupersededAt = 5, at
		if state == payment.Waiting {
			want.Status, want.FinishedAt = payment.Superseded, at
		}
		if stale != want {
			t.Errorf("%s: %+v, want %+v", state, stale, want)
		}
	}
}
