package storetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

const receiver = "site/1/deposit"

func claimSentences() []sentence {
	return []sentence{
		{"claiming raises the version, sets the lease and changes nothing else", claimChanges},
		{"the earliest due callbacks are claimed first", earliestFirst},
		{"a callback is due from the moment of its next attempt", dueFromNextAttempt},
		{"only the receiver's own waiting callbacks are claimed", onlyOwnWaiting},
		{"a leased callback is not given again until its lease is over", leaseIsRespected},
		{"no callback is given while an earlier one of its payment waits", earlierFirst},
		{"a result with the version of before the claim is a conflict", oldVersionConflicts},
		{"the late result of a lost lease is a conflict", lostLease},
		{"concurrent claimers get disjoint callbacks and together all of them", disjointClaims},
		{"due receivers come once each, in order of their bytes", receiversInOrder},
		{"due receivers are read on from a name, to the end", receiversByPage},
		{"receivers with nothing to claim are not due", idleReceivers},
		{"thousands of callbacks of one receiver do not hide the others", crowdedReceiver},
	}
}

func claimChanges(w *world) {
	c := w.callback(w.payment().ID, receiver)
	w.commit(core.Changeset{c})
	now := c.NextAttemptAt.Add(time.Second)
	claimed := w.claim(receiver, now, 10)
	c.Version, c.LeaseUntil = 2, now.Add(time.Minute)
	w.same([]payment.Callback{c}, claimed)
	w.same([]payment.Callback{c}, w.callbacksOf(c.PaymentID))
}

func earliestFirst(w *world) {
	minutes := []int{4, 1, 6, 3, 5, 2, 0}
	for _, m := range minutes {
		w.commit(core.Changeset{w.due(receiver, epoch.Add(time.Duration(m)*time.Minute))})
	}
	now := epoch.Add(time.Hour)
	for _, want := range [][]int{{0, 1, 2}, {3, 4, 5}, {6}, {}} {
		claimed := w.claim(receiver, now, 3)
		var got []int
		for _, c := range claimed {
			got = append(got, int(c.NextAttemptAt.Sub(epoch)/time.Minute))
		}
		w.same(want, got)
	}
}

func dueFromNextAttempt(w *world) {
	c := w.due(receiver, epoch)
	w.commit(core.Changeset{c})
	w.same(0, len(w.claim(receiver, epoch.Add(-time.Microsecond), 10)))
	w.same(0, len(w.dueReceivers(epoch.Add(-time.Microsecond), "", 10)))
	w.same([]string{receiver}, w.dueReceivers(epoch, "", 10))
	w.same([]core.ID{c.ID}, callbackIDs(w.claim(receiver, epoch, 10)))
}

func onlyOwnWaiting(w *world) {
	own := w.due(receiver, epoch)
	others := []payment.Callback{w.due("site/10/deposit", epoch), w.due("Site/1/deposit", epoch), w.due("", epoch)}
	for _, state := range payment.CallbackStates() {
		for _, at := range []time.Time{epoch, {}} {
			c := w.due(receiver, at)
			if c.State = state; state == payment.Superseded {
				c.SupersededAt = epoch
			}
			if state != payment.Waiting {
				others = append(others, c)
			}
		}
	}
	w.commit(core.Rows(append(others, own)))
	w.same([]core.ID{own.ID}, callbackIDs(w.claim(receiver, epoch.Add(time.Hour), 100)))
}

func leaseIsRespected(w *world) {
	c := w.due(receiver, epoch)
	w.commit(core.Changeset{c})
	leaseUntil := w.claim(receiver, epoch, 10)[0].LeaseUntil
	for _, now := range []time.Time{epoch, epoch.Add(30 * time.Second), leaseUntil} {
		w.same(0, len(w.claim(receiver, now, 10)))
		w.same(0, len(w.dueReceivers(now, "", 10)))
	}
	again := w.claim(receiver, leaseUntil.Add(time.Microsecond), 10)
	w.same([]core.ID{c.ID}, callbackIDs(again))
	w.same(3, again[0].Version)
}

// earlierFirst: an earlier one waits for another attempt, for another receiver or with a worker. Of another payment it
// holds nothing up.
func earlierFirst(w *world) {
	now := epoch.Add(time.Hour)
	for _, state := range payment.CallbackStates() {
		for _, wait := range []func(first *payment.Callback){
			func(first *payment.Callback) { first.NextAttemptAt = now.Add(time.Hour) },
			func(first *payment.Callback) { first.Receiver = "provider/9/deposit" },
			func(first *payment.Callback) { first.LeaseUntil = now.Add(time.Minute) },
		} {
			to := "site/" + string(w.payment().ID)
			first := w.due(to, epoch)
			second, other := w.callback(first.PaymentID, to), w.due(to, epoch)
			second.NextAttemptAt, second.LeaseUntil = epoch, time.Time{}
			if wait(&first); state != payment.Waiting {
				first.State, first.NextAttemptAt, first.FinishedAt = state, time.Time{}, epoch
			}
			if state == payment.Superseded {
				first.SupersededAt = epoch
			}
			w.commit(core.Changeset{first, second, other})
			want := []core.ID{second.ID, other.ID}
			if state == payment.Waiting {
				want = []core.ID{other.ID}
			}
			w.same(want, callbackIDs(w.claim(to, now, 10)))
			w.same(false, slices.Contains(w.dueReceivers(now, "", 1000), to)) // who waits is nobody's work yet
		}
	}
}

func oldVersionConflicts(w *world) {
	c := w.due(receiver, epoch)
	w.commit(core.Changeset{c})
	claimed := w.claim(receiver, epoch, 1)[0]
	c.Version, c.State = 2, payment.Skipped
	w.refused(fault.Conflict, core.Changeset{c, w.attempt(c.ID)})
	w.same([]payment.Callback{claimed}, w.callbacksOf(c.PaymentID))
	w.same(0, len(w.attemptsOf(c)))
	claimed.Version, claimed.State, claimed.LeaseUntil = 3, payment.Delivered, time.Time{}
	w.commit(core.Changeset{claimed})
	w.same(0, len(w.claim(receiver, epoch.Add(time.Hour), 1)))
}

func lostLease(w *world) {
	c := w.due(receiver, epoch)
	w.commit(core.Changeset{c})
	slow := w.claim(receiver, epoch, 1)[0]
	quick := w.claim(receiver, epoch.Add(time.Hour), 1)[0]
	slow.Version++
	w.refused(fault.Conflict, core.Changeset{slow})
	quick.Version++
	w.commit(core.Changeset{quick})
}

func disjointClaims(w *world) {
	const rows, claimers, batch = 120, 8, 7
	var change core.Changeset
	for i := range rows {
		change = append(change, w.due(receiver, epoch.Add(time.Duration(i)*time.Second)))
	}
	w.commit(change)
	w.disjoint(rows, claimers, func() ([]core.ID, error) {
		claimed, err := w.store.ClaimCallbacks(w.ctx, receiver, epoch.Add(time.Hour), epoch.Add(2*time.Hour), batch)
		return callbackIDs(claimed), err
	})
}

func receiversInOrder(w *world) {
	names := []string{
		"provider/2/x", "site/1/deposit", "provider/10/x", "Site/1/deposit", "site/1_deposit", "site/é", "site/z",
		"provider/1/x",
	}
	for _, name := range names {
		w.commit(core.Changeset{w.due(name, epoch), w.due(name, epoch.Add(-time.Hour))})
	}
	slices.Sort(names)
	w.same(names, w.dueReceivers(epoch, "", 100))
}

func receiversByPage(w *world) {
	var names []string
	for i := range 25 {
		name := fmt.Sprintf("site/%d/deposit", i)
		names = append(names, name)
		w.commit(core.Changeset{w.due(name, epoch)})
	}
	slices.Sort(names)
	var seen []string
	after := ""
	for range names {
		page := w.dueReceivers(epoch, after, 4)
		if len(page) == 0 {
			break
		}
		if len(page) > 4 {
			w.t.Fatalf("%d receivers, the limit is 4", len(page))
		}
		seen = append(seen, page...)
		after = page[len(page)-1]
	}
	w.same(names, seen)
}

func idleReceivers(w *world) {
	now := epoch.Add(time.Hour)
	later, delivered, leased, due := w.due("a", now.Add(time.Second)), w.due("b", epoch), w.due("c", epoch), w.due("d", epoch)
	delivered.State = payment.Delivered
	leased.LeaseUntil = now.Add(time.Minute)
	w.commit(core.Changeset{later, delivered, leased, due})
	w.same([]string{"d"}, w.dueReceivers(now, "", 10))
}

func crowdedReceiver(w *world) {
	const crowd, batches = 500, 6
	for range batches {
		var change core.Changeset
		for range crowd {
			change = append(change, w.due("site/1/deposit", epoch))
		}
		w.commit(change)
	}
	late, early := w.due("site/2/deposit", epoch.Add(time.Minute)), w.due("site/3/deposit", epoch)
	w.commit(core.Changeset{late, early})
	now := epoch.Add(time.Hour)
	w.same([]string{"site/1/deposit", "site/2/deposit"}, w.dueReceivers(now, "", 2))
	w.same([]string{"site/3/deposit"}, w.dueReceivers(now, "site/2/deposit", 2))
	w.same(1, len(w.claim("site/2/deposit", now, 100)))
	w.same(100, len(w.claim("site/1/deposit", now, 100)))
}
