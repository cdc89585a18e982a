package storetest

import (
	"cmp"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/payment"
)

const (
	receiver = "site/1/deposit"
	gate     = 7 // a gateway account
)

// claimable is one kind of work, for the test cases that hold for every kind.
type claimable struct {
	due    func(w *world, at time.Time) core.Row // nobody has it
	others func(w *world) []core.Row             // what is due, and not for who claims
	claim  func(w *world, now, until time.Time, limit int) ([]core.Row, error)
	next   string        // the field with the moment from which it is due; empty: it is due at once
	after  time.Duration // how long after its lease a row may be claimed
}

func claimables() map[string]claimable {
	return map[string]claimable{
		"callbacks": {
			func(w *world, at time.Time) core.Row { return w.due(receiver, at) }, othersCallbacks,
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimCallbacks(w.ctx, receiver, now, until, limit)
				return core.Rows(rows), err
			}, "NextAttemptAt", time.Microsecond,
		},
		"operations": {
			func(w *world, at time.Time) core.Row { return w.dueOperation(gate, at) },
			func(w *world) []core.Row { return []core.Row{w.dueOperation(gate+1, epoch), w.dueOperation(0, epoch)} },
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimOperations(w.ctx, gate, now, until, limit)
				return core.Rows(rows), err
			}, "NextAt", 0,
		},
		"disputes": {
			func(w *world, at time.Time) core.Row { return w.dueDispute(gate, at) },
			func(w *world) []core.Row { return []core.Row{w.dueDispute(gate+1, epoch), w.dueDispute(0, epoch)} },
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimDisputes(w.ctx, gate, now, until, limit)
				return core.Rows(rows), err
			}, "NextAt", 0,
		},
		"notifications": {
			func(w *world, _ time.Time) core.Row { return w.waiting() }, handledNotifications,
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimNotifications(w.ctx, now, until, limit)
				return core.Rows(rows), err
			}, "", 0,
		},
		"feeds": {
			func(w *world, at time.Time) core.Row { return w.dueFeed(at) }, nothingElse,
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimFeeds(w.ctx, now, until, limit)
				return core.Rows(rows), err
			}, "NextReadAt", 0,
		},
		"jobs": {
			func(w *world, at time.Time) core.Row { return w.dueJob(at) }, nothingElse,
			func(w *world, now, until time.Time, limit int) ([]core.Row, error) {
				rows, err := w.store.ClaimJobs(w.ctx, now, until, limit)
				return core.Rows(rows), err
			}, "NextAt", 0,
		},
	}
}

func nothingElse(*world) []core.Row { return nil }

func othersCallbacks(w *world) []core.Row {
	others := []core.Row{w.due("site/10/deposit", epoch), w.due("Site/1/deposit", epoch), w.due("", epoch)}
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
	return others
}

func handledNotifications(w *world) (others []core.Row) {
	for _, state := range notification.Statuses() {
		n := w.waiting()
		if n.Status = state; state != notification.Waiting {
			others = append(others, n)
		}
	}
	return others
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

// earliestFirst makes rows in another order than they are due in. What is due at once is claimed by its ID.
func earliestFirst(w *world, c claimable) {
	due := make([]core.Row, 7)
	for _, i := range []int{4, 1, 6, 3, 5, 2, 0} {
		due[i] = c.due(w, epoch.Add(time.Duration(i)*time.Minute))
	}
	w.commit(due[4:], due[:4])
	if c.next == "" {
		slices.SortFunc(due, func(a, b core.Row) int { return cmp.Compare(a.Identity().Key, b.Identity().Key) })
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

func onlyOwnWork(w *world, c claimable) {
	own := c.due(w, epoch)
	w.commit(append(c.others(w), own))
	w.same([]core.Identity{unversioned(own)}, identities(c.claims(w, epoch.Add(time.Hour), 100)))
}

// disjointClaims claims with several claimers until nothing is left: each row must have been claimed by one of them.
func disjointClaims(w *world, c claimable) {
	const rows, claimers, batch = 60, 8, 7
	var change core.Changeset
	for i := range rows {
		change = append(change, c.due(w, epoch.Add(time.Duration(i)*time.Second)))
	}
	w.commit(change)
	claimed := make([][]core.Row, claimers)
	errs := together(claimers, func(i int) error {
		for range rows { // enough rounds for one claimer to get every row one by one
			found, err := c.claim(w, epoch.Add(time.Hour), epoch.Add(2*time.Hour), batch)
			if err != nil || len(found) == 0 {
				return err
			}
			claimed[i] = append(claimed[i], found...)
		}
		return nil
	})
	w.same(claimers, w.won(errs, ""))
	byIdentity := func(a, b core.Identity) int { return cmp.Compare(a.Key, b.Key) }
	want, got := identities(change), identities(slices.Concat(claimed...))
	slices.SortFunc(want, byIdentity)
	slices.SortFunc(got, byIdentity)
	w.same(want, got)
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

func dueReceivers(w *world) {
	names := []string{
		"provider/2/x", "site/1/deposit", "provider/10/x", "Site/1/deposit", "site/1_deposit", "site/é", "site/z",
		"provider/1/x",
	}
	for _, name := range names {
		w.commit(core.Changeset{w.due(name, epoch), w.due(name, epoch.Add(-time.Hour))})
	}
	later, delivered, leased := w.due("a", epoch.Add(time.Second)), w.due("b", epoch), w.due("c", epoch)
	delivered.Status, leased.LeaseUntil = payment.Delivered, epoch.Add(time.Minute)
	w.commit(core.Changeset{later, delivered, leased})
	slices.Sort(names)
	w.same(names, w.dueReceivers(epoch, "", 100))
}

func dueGateways(w *world) {
	ids := []int64{11, 2, firstNumber, 1, 9, 10}
	for _, id := range ids {
		w.commit(core.Changeset{
			w.dueOperation(id, epoch),
			w.dueOperation(id, epoch.Add(-time.Hour)),
			w.dueOperation(id, epoch.Add(time.Hour)),
		})
	}
	leased := w.dueOperation(3, epoch)
	leased.LeaseUntil = epoch.Add(time.Minute)
	w.commit(core.Changeset{w.dueOperation(4, epoch.Add(time.Second)), w.dueOperation(5, time.Time{}), leased})
	slices.Sort(ids)
	w.same(ids, read(w, w.store.DueGateways, epoch))
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

func attemptsInOrder(w *world) {
	c, other := w.due(receiver, epoch), w.due(receiver, epoch)
	first, second, third := w.attempt(c.ID), w.attempt(c.ID), w.attempt(c.ID)
	w.commit(
		core.Changeset{c, other, third, w.attempt(other.ID)},
		core.Changeset{second, first},
	)
	w.same([]payment.Attempt{first, second, third}, w.attemptsOf(c))
}
