package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/payment"
)

func dueWorkSentences() []sentence {
	return []sentence{
		{"what is due is counted from its moment on, and stuck when it is due too long and nobody has it", workBecomesStuck},
		{"callbacks that were given up are counted apart", callbacksGivenUp},
		{"notifications that nobody knows are failed", strangeNotifications},
		{"wallets whose last read failed are failed, due or not", troubledFeeds},
		{"a payment that a gateway has, and one that does not expire, are not overdue", notOverdue},
	}
}

func (w *world) dueWork(now time.Time) map[core.WorkKind]core.DueWork {
	w.t.Helper()
	list, err := w.store.DueWork(w.ctx, now)
	w.no(err)
	byKind := map[core.WorkKind]core.DueWork{}
	var kinds []core.WorkKind
	for _, work := range list {
		byKind[work.Kind] = work
		kinds = append(kinds, work.Kind)
	}
	w.same(core.WorkKinds(), kinds)
	return byKind
}

// workAt makes one row of each kind, due at a moment, which somebody may have.
func (w *world) workAt(at, leaseUntil time.Time) core.Changeset {
	c, p, o := w.due("receiver", at), w.showing(at), w.operation(core.ID("P"))
	n, f := w.notification(), w.dueFeed(at)
	c.LeaseUntil, f.LeaseUntil = leaseUntil, leaseUntil
	o.NextAt, o.LeaseUntil = at, leaseUntil
	n.Status, n.ReceivedAt, n.LeaseUntil = notification.Waiting, at, leaseUntil
	return core.Changeset{
		c,
		p,
		o,
		n,
		f,
	}
}

func workBecomesStuck(w *world) {
	later := epoch.Add(time.Minute)
	w.commit(w.workAt(epoch, time.Time{}), w.workAt(later, time.Time{}), w.workAt(later.Add(time.Hour), time.Time{}))
	for _, c := range []struct {
		now        time.Time
		due, stuck int
		oldest     time.Time
	}{
		{epoch.Add(-time.Microsecond), 0, 0, time.Time{}},
		{epoch, 1, 0, epoch},
		{later, 2, 0, epoch},
		{epoch.Add(core.StuckAfter - time.Microsecond), 2, 0, epoch},
		{epoch.Add(core.StuckAfter), 2, 1, epoch},
		{later.Add(core.StuckAfter), 2, 2, epoch},
	} {
		for kind, got := range w.dueWork(c.now) {
			w.same(core.DueWork{Kind: kind, DueCount: c.due, StuckCount: c.stuck, OldestDueAt: c.oldest}, got)
		}
	}
	now := later.Add(core.StuckAfter)
	w.commit(w.workAt(epoch, now), w.workAt(epoch, now.Add(time.Second)))
	for kind, got := range w.dueWork(now) {
		want := core.DueWork{Kind: kind, DueCount: 4, StuckCount: 3, OldestDueAt: epoch} // of the two with a lease, one is over
		if kind == core.ExpiryWork {
			want.StuckCount = 4 // nobody takes leases on payments
		}
		w.same(want, got)
	}
}

func callbacksGivenUp(w *world) {
	var all []payment.Callback
	for i, state := range []payment.CallbackStatus{payment.Undeliverable, payment.Undeliverable, payment.Skipped, payment.Delivered} {
		c := w.due("receiver", epoch.Add(time.Duration(i)))
		c.Status = state
		stale := w.due("receiver", epoch.Add(time.Duration(i)))
		stale.Status, stale.SupersededAt = state, epoch
		all = append(all, c, stale) // of what does not hold any more staff need not know
	}
	w.commit(core.Rows(all))
	w.same(core.DueWork{Kind: core.CallbackWork, FailedCount: 2, SkippedCount: 1}, w.dueWork(tomorrowAt(9))[core.CallbackWork])
}

func strangeNotifications(w *world) {
	var all []notification.Notification
	for _, state := range []notification.Status{
		notification.Unknown, notification.Unknown, notification.Done, notification.Forged,
	} {
		n := w.notification()
		n.Status = state
		all = append(all, n)
	}
	w.commit(core.Rows(all))
	w.same(core.DueWork{Kind: core.NotificationWork, FailedCount: 2}, w.dueWork(tomorrowAt(9))[core.NotificationWork])
}

func troubledFeeds(w *world) {
	off, due := w.dueFeed(time.Time{}), w.dueFeed(epoch)
	off.FailureCount, due.FailureCount = 1, 2
	w.commit(core.Changeset{off, due, w.dueFeed(tomorrowAt(9))})
	w.same(core.DueWork{Kind: core.StatementWork, DueCount: 1, OldestDueAt: epoch, FailedCount: 2}, w.dueWork(epoch)[core.StatementWork])
}

func notOverdue(w *world) {
	atGateway, endless, claimed := w.showing(epoch), w.showing(time.Time{}), w.showing(epoch)
	atGateway.Gateway.OperationID = "O"
	claimed.Status = payment.Processing
	w.commit(core.Changeset{atGateway, endless, claimed})
	w.same(core.DueWork{Kind: core.ExpiryWork}, w.dueWork(tomorrowAt(9))[core.ExpiryWork])
}
