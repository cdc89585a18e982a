package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
)

func notificationSentences() []sentence {
	return []sentence{
		{"national ids are not kept", nationalIDs},
		{"a key is kept once within its gateway account", notificationKeys},
		{"each filter narrows, newest first, page by page", notificationFilters},
		{"the oldest waiting notifications are claimed first", oldestNotifications},
	}
}

// notificationIs reads the one notification of its gateway account.
func (w *world) notificationIs(want operation.Notification) {
	w.t.Helper()
	w.same([]operation.Notification{want}, w.notifications(operation.NotificationQuery{GatewayID: want.GatewayID, Limit: 2}))
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
	kept := w.notifications(operation.NotificationQuery{Limit: 2})
	for _, id := range of() {
		w.same("12345678950", *id)
		*id = ""
	}
	w.same([]operation.Notification{n}, kept)
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

func notificationFilters(w *world) {
	var all []operation.Notification
	for i := range 24 {
		n := w.bareNotification()
		n.GatewayID, n.State = int64(1+i%3), notificationStates()[i%4]
		n.ReceivedAt = epoch.Add(-time.Duration(i) * time.Minute)
		all = append(all, n)
	}
	w.commit(core.Rows(all))
	slices.Reverse(all)
	some, kept := all[9], []operation.NotificationState{operation.NotificationForged, operation.NotificationUnknown}
	for says, f := range map[string]struct {
		query operation.NotificationQuery
		keeps func(n operation.Notification) bool
	}{
		"nothing": {operation.NotificationQuery{}, func(operation.Notification) bool { return true }},
		"gateway": {operation.NotificationQuery{GatewayID: 2}, func(n operation.Notification) bool { return n.GatewayID == 2 }},
		"states": {operation.NotificationQuery{States: kept}, func(n operation.Notification) bool {
			return slices.Contains(kept, n.State)
		}},
		"older than one": {operation.NotificationQuery{After: some.ID}, func(n operation.Notification) bool { return n.ID < some.ID }},
		"everything at once": {operation.NotificationQuery{GatewayID: 3, States: kept, After: some.ID}, func(n operation.Notification) bool {
			return n.GatewayID == 3 && slices.Contains(kept, n.State) && n.ID < some.ID
		}},
		"an unknown gateway": {operation.NotificationQuery{GatewayID: 4}, func(operation.Notification) bool { return false }},
	} {
		w.t.Run(says, func(t *testing.T) {
			w := w.in(t)
			want := slices.DeleteFunc(slices.Clone(all), func(n operation.Notification) bool { return !f.keeps(n) })
			for _, limit := range []int{core.MaxPage, 2, 1, 0} {
				f.query.Limit = limit
				w.same(want[:min(limit, len(want))], w.notifications(f.query))
			}
		})
	}
}

func oldestNotifications(w *world) {
	var own []core.ID
	var change core.Changeset
	for range 5 {
		for _, state := range notificationStates() {
			n := w.waiting()
			n.State = state
			change = append(change, n)
			if state == operation.NotificationWaiting {
				own = append(own, n.ID)
			}
		}
	}
	slices.Reverse(core.RowsOf[operation.Notification](change))
	w.commit(change)
	w.same(0, len(w.claimNotifications(epoch, 0)))
	for _, want := range [][]core.ID{own[:2], own[2:4], own[4:], nil} {
		w.same(want, notificationIDs(w.claimNotifications(epoch, 2)))
	}
}

func (w *world) notifications(query operation.NotificationQuery) []operation.Notification {
	w.t.Helper()
	found, err := w.store.Notifications(w.ctx, query)
	w.no(err)
	return found
}

// claimNotifications leases for a minute.
func (w *world) claimNotifications(now time.Time, limit int) []operation.Notification {
	w.t.Helper()
	found, err := w.store.ClaimNotifications(w.ctx, now, now.Add(time.Minute), limit)
	w.no(err)
	return found
}
