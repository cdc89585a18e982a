package storetest

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

const (
	receiver = "site/1/deposit"
	gate     = 7 // a gateway account
)

// claimable is one kind of work, to the sentences that hold for every kind.
type claimable struct {
	due   func(w *world, at time.Time) core.Row // nobody has it
	claim func(w *world, now, until time.Time, limit int) ([]core.Row, error)
	next  string        // the field with the moment from which it is due; empty: it is due at once
	after time.Duration // how long after its lease a row may be claimed
}

func claimables() map[string]claimable {
	return map[string]claimable{
		"callbacks": {
			func(w *world, at time.Time) core.Row { return w.due(receiver, at) },
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimCallbacks(w.ctx, receiver, now, until, limit)
				return core.Rows(rows), err
			}, "NextAttemptAt", time.Microsecond,
		},
		"operations": {
			func(w *world, at time.Time) core.Row { return w.dueOperation(gate, at) },
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimOperations(w.ctx, gate, now, until, limit)
				return core.Rows(rows), err
			}, "NextAt", 0,
		},
		"notifications": {
			func(w *world, at time.Time) core.Row { return w.waiting() },
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimNotifications(w.ctx, now, until, limit)
				return core.Rows(rows), err
			}, "", 0,
		},
		"feeds": {
			func(w *world, at time.Time) core.Row { return w.dueFeed(at) },
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimFeeds(w.ctx, now, until, limit)
				return core.Rows(rows), err
			}, "NextReadAt", 0,
		},
		"jobs": {
			func(w *world, at time.Time) core.Row { return w.dueJob(at) },
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimJobs(w.ctx, now, until, limit)
				return core.Rows(rows), err
			}, "NextAt", 0,
		},
	}
}

func claimSentences() []sentence {
	return []sentence{
		{"claiming raises the version, sets the lease and changes nothing else", forEachClaimable(claimChanges)},
		{"the earliest due are claimed first, at most as many as asked for", forEachClaimable(earliestFirst)},
		{"what is due is due from its moment, and never without one", forEachClaimable(dueFromItsMoment)},
		{"what is leased is not claimed again until its lease is over", forEachClaimable(leaseIsRespected)},
		{"a result from before the claim, or of a lost lease, is a conflict and leaves nothing", forEachClaimable(lostLease)},
		{"concurrent claimers get disjoint rows and together all of them", forEachClaimable(disjointClaims)},
	}
}

// forEachClaimable tests every kind of work, each in the same store.
func forEachClaimable(test func(w *world, c claimable)) func(w *world) {
	return func(w *world) {
		for name, c := range claimables() {
			w.t.Run(name, func(t *testing.T) { test(w.in(t), c) })
		}
	}
}

// claims leases for a minute.
func (c claimable) claims(w *world, now time.Time, limit int) []core.Row {
	w.t.Helper()
	rows, err := c.claim(w, now, now.Add(time.Minute), limit)
	w.no(err)
	return rows
}

// set is the row with another value in a field.
func set[V any](row core.Row, field string, value V) core.Row {
	changed := reflect.New(reflect.TypeOf(row)).Elem()
	changed.Set(reflect.ValueOf(row))
	changed.FieldByName(field).Set(reflect.ValueOf(value))
	return changed.Interface().(core.Row)
}

// identities name rows, as whatever version.
func identities(rows []core.Row) []core.Identity { return idsOf(rows, unversioned) }

func claimChanges(w *world, c claimable) {
	row := c.due(w, epoch)
	full := set(kindOf(row).full(w, w.filling(), row), "LeaseUntil", epoch.Add(-time.Hour))
	w.commit(core.Changeset{full})
	now := epoch.Add(time.Second)
	claimed := set(set(full, "Version", 2), "LeaseUntil", now.Add(time.Minute))
	w.same([]core.Row{claimed}, c.claims(w, now, 10))
	kindOf(row).isThere(w, claimed, false)
}

func earliestFirst(w *world, c claimable) {
	var due []core.Row
	for i := range 7 {
		due = append(due, c.due(w, epoch.Add(time.Duration(i)*time.Minute)))
	}
	for _, i := range []int{4, 1, 6, 3, 5, 2, 0} {
		w.commit(core.Changeset{due[i]})
	}
	now := epoch.Add(time.Hour)
	w.same(0, len(c.claims(w, now, 0)))
	for _, want := range [][]core.Row{due[:3], due[3:6], due[6:], nil} {
		w.same(identities(want), identities(c.claims(w, now, 3)))
	}
}

func dueFromItsMoment(w *world, c claimable) {
	if c.next == "" {
		return
	}
	row, never := c.due(w, epoch), c.due(w, time.Time{})
	if _, isCallback := row.(payment.Callback); !isCallback { // one that waits has a moment
		w.commit(core.Changeset{never})
	}
	w.commit(core.Changeset{row})
	w.same(0, len(c.claims(w, epoch.Add(-time.Microsecond), 10)))
	w.same([]core.Identity{unversioned(row)}, identities(c.claims(w, epoch, 10)))
}

func leaseIsRespected(w *world, c claimable) {
	row := c.due(w, epoch)
	w.commit(core.Changeset{row})
	free := epoch.Add(time.Minute).Add(c.after)
	w.same(1, len(c.claims(w, epoch, 10)))
	for _, now := range []time.Time{epoch, epoch.Add(30 * time.Second), free.Add(-time.Microsecond)} {
		w.same(0, len(c.claims(w, now, 10)))
	}
	again := c.claims(w, free, 10)
	w.same([]core.Identity{unversioned(row)}, identities(again))
	w.same(3, again[0].Identity().Version)
}

func lostLease(w *world, c claimable) {
	row, p := c.due(w, epoch), w.payment()
	w.commit(core.Changeset{row})
	slow := c.claims(w, epoch, 1)[0]
	w.refused(fault.Conflict, core.Changeset{set(row, "Version", 2), p})
	quick := c.claims(w, epoch.Add(time.Hour), 1)[0]
	w.refused(fault.Conflict, core.Changeset{set(slow, "Version", slow.Identity().Version+1), p})
	w.nothingThere(p)
	w.commit(core.Changeset{set(quick, "Version", quick.Identity().Version+1), p})
}

func disjointClaims(w *world, c claimable) {
	const rows, claimers, batch = 60, 8, 7
	var change core.Changeset
	for i := range rows {
		change = append(change, c.due(w, epoch.Add(time.Duration(i)*time.Second)))
	}
	w.commit(change)
	w.disjoint(rows, claimers, func() ([]core.Identity, error) {
		claimed, err := c.claim(w, epoch.Add(time.Hour), epoch.Add(2*time.Hour), batch)
		return identities(claimed), err
	})
}

func callbackClaimSentences() []sentence {
	return []sentence{
		{"only the receiver's own waiting callbacks are claimed", onlyOwnWaiting},
		{"no callback is given while an earlier one of its payment waits", earlierFirst},
		{"due receivers come once each, in order of their bytes, and are read on from a name to the end", receiversInOrder},
		{"receivers with nothing to claim are not due", idleReceivers},
		{"thousands of callbacks of one receiver do not hide the others", crowdedReceiver},
	}
}

func onlyOwnWaiting(w *world) {
	own := w.due(receiver, epoch)
	others := []payment.Callback{w.due("site/10/deposit", epoch), w.due("Site/1/deposit", epoch), w.due("", epoch)}
	for _, state := range payment.CallbackStatuses() {
		for _, at := range []time.Time{epoch, {}} {
			c := w.due(receiver, at)
			if c.Status = state; state == payment.Superseded {
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

// earlierFirst: an earlier one waits for another attempt, for another receiver or with a worker. Of another payment it
// holds nothing up.
func earlierFirst(w *world) {
	now := epoch.Add(time.Hour)
	for _, state := range payment.CallbackStatuses() {
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
				first.Status, first.NextAttemptAt, first.FinishedAt = state, time.Time{}, epoch
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

func idleReceivers(w *world) {
	now := epoch.Add(time.Hour)
	later, delivered, leased, due := w.due("a", now.Add(time.Second)), w.due("b", epoch), w.due("c", epoch), w.due("d", epoch)
	delivered.Status = payment.Delivered
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
