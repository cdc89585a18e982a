package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

func (w *world) dueWork(now time.Time) map[report.WorkKind]report.DueWork {
	w.t.Helper()
	list, err := w.store.DueWork(w.ctx, now)
	w.no(err)
	byKind := map[report.WorkKind]report.DueWork{}
	var kinds []report.WorkKind
	for _, work := range list {
		byKind[work.Kind] = work
		kinds = append(kinds, work.Kind)
	}
	w.same(report.WorkKinds(), kinds)
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
		{epoch.Add(report.StuckAfter - time.Microsecond), 2, 0, epoch},
		{epoch.Add(report.StuckAfter), 2, 1, epoch},
		{later.Add(report.StuckAfter), 2, 2, epoch},
	} {
		for kind, got := range w.dueWork(c.now) {
			w.same(report.DueWork{Kind: kind, DueCount: c.due, StuckCount: c.stuck, OldestDueAt: c.oldest}, got)
		}
	}
	now := later.Add(report.StuckAfter)
	w.commit(w.workAt(epoch, now), w.workAt(epoch, now.Add(time.Second)))
	for kind, got := range w.dueWork(now) {
		want := report.DueWork{Kind: kind, DueCount: 4, StuckCount: 3, OldestDueAt: epoch} // of the two with a lease, one is over
		if kind == report.ExpiryWork {
			want.StuckCount = 4 // nobody takes leases on payments
		}
		w.same(want, got)
	}
}

// workThatFailed has callbacks that were given up, notifications that nobody knows, wallets whose last read failed, due or
// not, and payments that a gateway has, that somebody has or that do not expire.
func workThatFailed(w *world) {
	var change core.Changeset
	for _, state := range []payment.CallbackStatus{payment.Undeliverable, payment.Undeliverable, payment.Skipped, payment.Delivered} {
		c, stale := w.due("receiver", epoch), w.due("receiver", epoch)
		c.Status, stale.Status, stale.SupersededAt = state, state, epoch
		change = append(change, c, stale) // of what does not hold any more staff need not know
	}
	for _, state := range []notification.Status{
		notification.Unknown, notification.Unknown, notification.Done, notification.Forged,
	} {
		n := w.notification()
		n.Status = state
		change = append(change, n)
	}
	off, due, later := w.dueFeed(time.Time{}), w.dueFeed(epoch), w.dueFeed(epoch.Add(time.Hour))
	off.FailureCount, due.FailureCount = 1, 2
	atGateway, endless, claimed := w.showing(epoch), w.showing(time.Time{}), w.showing(epoch)
	atGateway.Gateway.OperationID, claimed.Status = "O", payment.Processing
	w.commit(append(change, off, due, later, atGateway, endless, claimed))
	for kind, got := range w.dueWork(epoch) {
		want := report.DueWork{Kind: kind}
		switch kind {
		case report.CallbackWork:
			want.FailedCount, want.SkippedCount = 2, 1
		case report.NotificationWork:
			want.FailedCount = 2
		case report.StatementWork:
			want.DueCount, want.OldestDueAt, want.FailedCount = 1, epoch, 2
		}
		w.same(want, got)
	}
}
