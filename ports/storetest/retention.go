package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// prunable are rows of one kind: those that are older than epoch, and those that stay.
type prunable struct {
	kind       core.Prunable
	gone, stay core.Changeset
}

func prunables(w *world) []prunable {
	before := epoch.Add(-time.Millisecond)
	job := func(finishedAt time.Time) report.Job {
		j := w.job()
		j.FinishedAt = finishedAt
		return j
	}
	invitation := func(expiresAt time.Time) staff.Invitation {
		return made(w.maker, staff.Invitation{ExpiresAt: expiresAt})
	}
	call := func(at time.Time) operation.GatewayCall {
		return made(w.maker, operation.GatewayCall{ID: w.idAt(at)})
	}
	note := func(at time.Time, status notification.Status) notification.Notification {
		n := w.waiting()
		n.ID, n.Status = w.idAt(at), status
		return n
	}
	return []prunable{
		{
			core.Jobs, core.Changeset{job(before), job(before), job(before)},
			core.Changeset{job(epoch), job(time.Time{})},
		},
		{
			core.Invitations, core.Changeset{invitation(before), invitation(before), invitation(before)},
			core.Changeset{invitation(epoch)},
		},
		{core.GatewayCalls, core.Changeset{call(before), call(before), call(before)}, core.Changeset{call(epoch)}},
		{
			core.Notifications,
			core.Changeset{note(before, notification.Done), note(before, notification.Unknown), note(before, notification.Forged)},
			core.Changeset{note(before, notification.Waiting), note(epoch, notification.Done)},
		},
	}
}

func onlyOldRowsArePruned(w *world) {
	kinds := prunables(w)
	for _, k := range kinds {
		w.commit(k.gone, k.stay)
	}
	for _, k := range kinds {
		for _, c := range []struct{ limit, pruned int }{{0, 0}, {2, 2}, {2, 1}, {2, 0}} {
			pruned, err := w.store.Prune(w.ctx, k.kind, epoch, c.limit)
			w.no(err)
			w.same(c.pruned, pruned)
		}
	}
	for _, k := range kinds {
		w.nothingThere(k.gone...)
		w.isStored(k.stay...)
	}
}

// attemptsPruned: what counts is when an attempt was made, and that nobody sends its callback any more.
func attemptsPruned(w *world) {
	before := epoch.Add(-time.Millisecond)
	callback := func(at time.Time, status payment.CallbackStatus) payment.Callback {
		c := w.due("receiver", epoch)
		c.ID, c.Status = w.idAt(at), status
		if status != payment.Waiting {
			c.NextAttemptAt, c.FinishedAt = time.Time{}, at
		}
		return c
	}
	attempt := func(of payment.Callback, at time.Time) payment.Attempt {
		a := w.attempt(of.ID)
		a.ID = w.idAt(at)
		return a
	}
	ended, again := callback(before, payment.Delivered), callback(before, payment.Delivered)
	waits, fresh := callback(before, payment.Waiting), callback(epoch, payment.Delivered)
	waited, sentAgain, sent := attempt(waits, before), attempt(again, epoch), attempt(fresh, epoch)
	w.commit(core.Changeset{
		ended, again, waits, fresh, attempt(ended, before), attempt(ended, before), attempt(again, before), waited, sentAgain, sent,
	})
	for _, want := range []int{2, 1, 0} {
		pruned, err := w.store.Prune(w.ctx, core.CallbackAttempts, epoch, 2)
		w.no(err)
		w.same(want, pruned)
	}
	for _, left := range []struct {
		of       payment.Callback
		attempts []payment.Attempt
	}{
		{ended, nil}, {again, []payment.Attempt{sentAgain}}, {waits, []payment.Attempt{waited}}, {fresh, []payment.Attempt{sent}},
	} {
		w.isStored(left.of)
		w.same(left.attempts, w.attemptsOf(left.of))
	}
}

// historiesPruned: those of a month go together, when all of it is old and nothing of it can change or waits for anybody.
func historiesPruned(w *world) {
	before := epoch.AddDate(-1, 0, 0)
	old := func(months int) payment.Payment {
		p := w.payment()
		p.ID, p.Status = w.idAt(before.AddDate(0, -months, 0)), payment.Completed
		return p
	}
	move := func(of payment.Payment, at time.Time) payment.Transition {
		return made(w.maker, payment.Transition{ID: w.idAt(at), PaymentID: of.ID})
	}
	var all []payment.Payment
	var rows, stay, gone core.Changeset
	for months := range 10 {
		p := old(months)
		if months == 2 {
			p.Status = payment.Processing
		}
		all = append(all, p)
		first, second := move(p, before.AddDate(0, -months, 0)), move(p, before.AddDate(0, -months, 0))
		rows = append(rows, p, first, second)
		switch months {
		case 1, 9:
			gone = append(gone, first, second)
		default:
			stay = append(stay, first, second)
		}
	}
	waits, doubt, dispute, request, late := w.callback(all[3].ID, "r"), w.discrepancy(all[5].ID), w.dispute(all[6].ID), w.approval(), move(all[8], epoch)
	doubt.Status, dispute.State = discrepancy.Open, gateway.DisputeNeedsResponse
	request.Guards[0].Subject = "payment/" + all[7].TrackingCode
	w.commit(rows, core.Changeset{waits, w.operation(all[4].ID), doubt, dispute, request, late})
	for _, want := range []int{3, 1, 0} {
		pruned, err := w.store.Prune(w.ctx, core.Histories, before, 3)
		w.no(err)
		if pruned > want { // a database that drops months as a whole counts none of them
			w.t.Fatalf("%d moves were pruned, not %d", pruned, want)
		}
	}
	w.isStored(stay...)
	w.isStored(late)
	w.nothingThere(gone...)
}

// entriesPruned: nothing of the audit log is deleted before the log says so, and no more than it says.
func entriesPruned(w *world) {
	old := []core.AuditEntry{w.auditAt(epoch.AddDate(-1, 0, 0)), w.auditAt(epoch.AddDate(0, -2, 0)), w.auditAt(epoch.Add(-time.Hour))}
	young := w.auditAt(epoch)
	w.commit(core.Rows(old), core.Changeset{young})
	prune := func(before time.Time) int {
		pruned, err := w.store.Prune(w.ctx, core.AuditEntries, before, 2)
		w.no(err)
		return pruned
	}
	w.same(0, prune(epoch.AddDate(1, 0, 0)))
	said := w.auditAt(epoch.Add(time.Second))
	said.Action, said.Target = audit.DropAction, audit.LogTarget
	said.After = audit.Dropped{Until: core.FirstID(epoch), Through: audit.Head{No: 4}}.Sign(auditKeys.Signer()).State()
	w.commit(core.Changeset{said})
	w.same(0, prune(epoch.AddDate(-1, -1, 0)))
	for _, want := range []int{2, 1, 0} {
		w.same(want, prune(epoch.AddDate(1, 0, 0)))
	}
	var left []core.ID
	for _, r := range read(w, w.store.AuditEntries, core.AuditQuery{Paging: core.Paging[core.ID]{Limit: 9}}) {
		left = append(left, r.ID)
	}
	w.same([]core.ID{said.ID, young.ID}, left)
}

func unknownKindIsAFault(w *world) {
	if _, err := w.store.Prune(w.ctx, "payments", epoch, 1); err == nil {
		w.t.Error("payments were pruned")
	}
}

// roomMade: a clock that is far from others' loses nothing.
func roomMade(w *world) {
	for range 2 {
		until, err := w.store.MakeRoom(w.ctx, epoch)
		w.no(err)
		if !until.IsZero() && until.Before(epoch.AddDate(0, 3, 0)) {
			w.t.Errorf("there is room until %s only", until)
		}
	}
	var rows core.Changeset
	for _, at := range []time.Time{time.UnixMilli(0), epoch.AddDate(-20, 0, 0), epoch.AddDate(0, 7, 0), epoch.AddDate(40, 0, 0), epoch.AddDate(41, 1, 0)} {
		rows = append(rows, made(w.maker, operation.GatewayCall{ID: w.idAt(at)}), w.move(w.idAt(at)))
	}
	w.commit(rows)
	w.isStored(rows...)
}
