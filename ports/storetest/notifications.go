package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/notification"
)

func notificationSentences() []sentence {
	return []sentence{
		{"national ids are not kept", nationalIDs},
		{"a key is kept once within its gateway account", notificationKeys},
		{"the oldest waiting notifications are claimed first", oldestNotifications},
	}
}

// notificationIs reads the one notification of its gateway account.
func (w *world) notificationIs(want notification.Notification) {
	w.t.Helper()
	w.same([]notification.Notification{want}, w.notifications(notification.Query{GatewayID: want.GatewayID, Paging: core.Paging[core.ID]{Limit: 2}}))
}

func nationalIDs(w *world) {
	n := w.notification()
	of := func() []*string {
		return []*string{&n.Parsed.Events[0].Payer.NationalID, &n.Parsed.Lines[0].Party.NationalID}
	}
	for _, id := range of() {
		*id = "12345678950"
	}
	w.commit(core.Changeset{n})
	kept := w.notifications(notification.Query{Paging: core.Paging[core.ID]{Limit: 2}})
	for _, id := range of() {
		w.same("12345678950", *id)
		*id = ""
	}
	w.same([]notification.Notification{n}, kept)
}

func notificationKeys(w *world) {
	first, again, elsewhere := w.notification(), w.notification(), w.notification()
	again.GatewayID, again.Key, elsewhere.Key = first.GatewayID, first.Key, first.Key
	w.commit(core.Changeset{first})
	w.commit(core.Changeset{elsewhere})
	w.refused(fault.Conflict, core.Changeset{again})
	w.notificationIs(first)
	one, other := w.bareNotification(), w.bareNotification()
	other.GatewayID = one.GatewayID
	w.commit(core.Changeset{one, other})
}

func oldestNotifications(w *world) {
	var own []core.ID
	var change core.Changeset
	for range 5 {
		for _, state := range notification.Statuses() {
			n := w.waiting()
			n.Status = state
			change = append(change, n)
			if state == notification.Waiting {
				own = append(own, n.ID)
			}
		}
	}
	slices.Reverse(core.RowsOf[notification.Notification](change))
	w.commit(change)
	w.same(0, len(w.claimNotifications(epoch, 0)))
	for _, want := range [][]core.ID{own[:2], own[2:4], own[4:], nil} {
		w.same(want, notificationIDs(w.claimNotifications(epoch, 2)))
	}
}

func (w *world) notifications(query notification.Query) []notification.Notification {
	w.t.Helper()
	found, err := w.store.Notifications(w.ctx, query)
	w.no(err)
	return found
}

// claimNotifications leases for a minute.
func (w *world) claimNotifications(now time.Time, limit int) []notification.Notification {
	w.t.Helper()
	found, err := w.store.ClaimNotifications(w.ctx, now, now.Add(time.Minute), limit)
	w.no(err)
	return found
}
