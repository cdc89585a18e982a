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
		{"every field of a notification comes back, what came byte for byte", everyNotificationField},
		{"a notification's empty fields come back empty", emptyNotificationFields},
		{"saving a notification replaces every field", notificationSavedWhole},
		{"national ids are not kept", nationalIDs},
		{"a key is kept once within its gateway account", notificationKeys},
		{"each filter narrows, newest first, page by page", notificationFilters},
		{"claiming raises the version, sets the lease and changes nothing else", notificationClaimChanges},
		{"the oldest waiting notifications are claimed first", oldestNotifications},
		{"a leased notification is not given again until its lease is over", notificationLease},
		{"concurrent claimers get disjoint notifications and together all of them", disjointNotifications},
		{"what a caller does to its copy does not reach the store", notificationAliases},
	}
}

func everyNotificationField(w *world) {
	n := w.notification()
	n.Parsed.Events[0].Payer.NationalID, n.Parsed.Lines[0].Party.NationalID = "x", "x"
	n = full(w, n)
	n.Parsed.Events[0].Payer.NationalID, n.Parsed.Lines[0].Party.NationalID = "", ""
	w.commit(core.Changeset{w.notification(), n})
	w.notificationIs(n)
}

// notificationIs reads the one notification of its gateway account.
func (w *world) notificationIs(want operation.Notification) {
	w.t.Helper()
	w.same([]operation.Notification{want}, w.notifications(operation.NotificationQuery{GatewayID: want.GatewayID, Limit: 2}))
}

func emptyNotificationFields(w *world) {
	n := w.bareNotification()
	w.commit(core.Changeset{n})
	w.notificationIs(n)
}

func notificationSavedWhole(w *world) {
	filled, bare := w.notification(), w.bareNotification()
	bare.ID, bare.GatewayID, bare.Version = filled.ID, filled.GatewayID, 2
	w.commit(
		core.Changeset{filled}, core.Changeset{bare},
	)
	w.notificationIs(bare)
	filled.Version = 3
	w.commit(core.Changeset{filled})
	w.notificationIs(filled)
}

func nationalIDs(w *world) {
	n := w.notification()
	n.Parsed.Events[0].Payer.NationalID, n.Parsed.Lines[0].Party.NationalID = "12345678950", "12345678950"
	w.commit(core.Changeset{n})
	want := n
	want.Parsed = parsed(n.Parsed.ID, n.Parsed.Events[0].At)
	w.notificationIs(want)
	w.same([]operation.Notification{want}, w.notifications(operation.NotificationQuery{Limit: 2}))
	w.same("12345678950", n.Parsed.Lines[0].Party.NationalID)
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

func notificationStates() []operation.NotificationState {
	return []operation.NotificationState{
		operation.NotificationWaiting, operation.NotificationDone, operation.NotificationUnknown, operation.NotificationForged,
	}
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

func notificationClaimChanges(w *world) {
	n := w.notification()
	w.commit(core.Changeset{n})
	claimed := w.claimNotifications(epoch, 10)
	n.Version, n.LeaseUntil = 2, epoch.Add(time.Minute)
	w.same([]operation.Notification{n}, claimed)
	w.notificationIs(n)
	done := n
	done.Version, done.State = 2, operation.NotificationDone
	w.refused(fault.Conflict, core.Changeset{done})
	done.Version = 3
	w.commit(core.Changeset{done})
	w.notificationIs(done)
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

func notificationLease(w *world) {
	n := w.waiting()
	w.commit(core.Changeset{n})
	leaseUntil := w.claimNotifications(epoch, 10)[0].LeaseUntil
	for _, now := range []time.Time{epoch, leaseUntil.Add(-time.Microsecond)} {
		w.same(0, len(w.claimNotifications(now, 10)))
	}
	again := w.claimNotifications(leaseUntil, 10)
	w.same([]core.ID{n.ID}, notificationIDs(again))
	w.same(3, again[0].Version)
}

func disjointNotifications(w *world) {
	const rows, claimers, batch = 60, 8, 7
	var change core.Changeset
	for range rows {
		change = append(change, w.waiting())
	}
	w.commit(change)
	w.disjoint(rows, claimers, func() ([]core.ID, error) {
		claimed, err := w.store.ClaimNotifications(w.ctx, epoch.Add(time.Hour), epoch.Add(2*time.Hour), batch)
		return notificationIDs(claimed), err
	})
}

// notificationAliases changes what was committed, and then what was read, behind every pointer, map and list.
func notificationAliases(w *world) {
	n := w.waiting()
	w.commit(core.Changeset{n})
	spoil := func(n operation.Notification) {
		event, payout, refund, line := &n.Parsed.Events[0], &n.Parsed.Payouts[0], &n.Parsed.Refunds[0], &n.Parsed.Lines[0]
		*event.Paid, *event.Refunded, *event.Fee = tether("9"), tether("9"), tether("9")
		event.Reason.Code, event.Payer.Name, event.External.Alt["spoilt"], event.External.State[0] = "x", "x", "x", 'x'
		*payout.Sent, *payout.Fee, payout.Reason.Code, payout.External.State[0] = tether("9"), tether("9"), "x", 'x'
		*refund.Amount, refund.Reason.Code, refund.External.Alt["spoilt"] = tether("9"), "x", "x"
		*line.BalanceAfter, line.Text, n.Inbound.Body[0], n.Inbound.Header[0].Value = line.Amount, "spoilt", 'x', "x"
	}
	want := n
	want.Parsed, want.Inbound = parsed(n.Parsed.ID, n.ReceivedAt), inbound(n.ReceivedAt)
	spoil(n)
	query := operation.NotificationQuery{Limit: 1}
	for _, read := range []func() []operation.Notification{
		func() []operation.Notification { return w.notifications(query) },
		func() []operation.Notification { return w.notifications(query) },
		func() []operation.Notification {
			want.Version, want.LeaseUntil = 2, epoch.Add(time.Minute)
			return w.claimNotifications(epoch, 1)
		},
		func() []operation.Notification { return w.notifications(query) },
	} {
		found := read()
		w.same([]operation.Notification{want}, found)
		spoil(found[0])
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
