package storetest

import (
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

func concurrencySentences() []sentence {
	return []sentence{
		{"of fifty writers of one version one wins and the others conflict", oneWriterWins},
		{"of concurrent twins of an idempotency key one commits and the others are duplicates", twins},
		{"a neighbor's fault never spoils a changeset that is fine", badNeighbors},
		{"changesets that touch the same accounts in opposite orders all commit", oppositeUses},
		{"a changeset is seen whole or not at all", seenWhole},
	}
}

func oneWriterWins(w *world) {
	const writers, rounds = 50, 4
	p := w.payment()
	w.commit(core.Changeset{p})
	for version := 2; version < 2+rounds; version++ {
		moves := make([]payment.Transition, writers)
		errs := together(writers, func(i int) error {
			next := p
			next.Version, next.Reason = version, fmt.Sprint("writer ", i)
			moves[i] = w.move(p.ID)
			return w.store.Commit(w.ctx, core.Changeset{next}.Merge(core.Rows(moves[i:i+1])))
		})
		if won := w.won(errs, fault.Conflict); won != 1 {
			w.t.Fatalf("%d writers of version %d won, want 1", won, version)
		}
		w.winnerIsThere(p, version, errs, moves)
	}
	if n := len(w.moves(p.ID)); n != rounds {
		w.t.Fatalf("%d moves after %d saves", n, rounds)
	}
}

func (w *world) winnerIsThere(p payment.Payment, version int, errs []error, moves []payment.Transition) {
	w.t.Helper()
	for i, err := range errs {
		if err != nil {
			continue
		}
		p.Version, p.Reason = version, fmt.Sprint("writer ", i)
		w.same(p, w.byCode(p.TrackingCode))
		stored := w.moves(p.ID)
		found := false
		for _, m := range stored {
			found = found || m.ID == moves[i].ID
		}
		if !found {
			w.t.Fatal("the winner's move is not there")
		}
	}
}

func twins(w *world) {
	const callers = 30
	record := w.record()
	payments := make([]payment.Payment, callers)
	errs := together(callers, func(i int) error {
		payments[i] = w.payment()
		return w.store.Commit(w.ctx, core.Changeset{record}.Merge(core.Rows(payments[i:i+1])))
	})
	if won := w.won(errs, fault.Duplicate); won != 1 {
		w.t.Fatalf("%d twins committed, want 1", won)
	}
	for i, p := range payments {
		_, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
		if errs[i] == nil {
			w.no(err)
		} else {
			w.fails(fault.NotFound, err)
		}
	}
}

// badNeighbors sends changesets that are fine together with as many that each break another rule: an adapter that puts
// several into one transaction must not let them share their fate.
func badNeighbors(w *world) {
	const callers = 80
	bad := []fault.Code{fault.Conflict, fault.Duplicate, fault.Blocked, "", "", ""}
	taken := w.everything()
	w.commit(taken)
	changes := make([]core.Changeset, callers)
	errs := together(callers, func(i int) error {
		changes[i] = w.everything()
		switch bad[i%len(bad)] {
		case fault.Conflict:
			changes[i] = changes[i].Merge(core.Rows(core.RowsOf[payment.Callback](taken)))
		case fault.Duplicate:
			changes[i] = repeating(changes[i], taken)
		case fault.Blocked:
			changes[i] = append(core.Without[owner.NotBlocked](changes[i]), owner.NotBlocked(core.RowsOf[owner.Block](taken)[0].CustomerKey))
		}
		return w.store.Commit(w.ctx, changes[i])
	})
	for i, err := range errs {
		want, p := bad[i%len(bad)], core.RowsOf[payment.Payment](changes[i])[0]
		w.fails(want, err)
		if want == "" {
			w.same(p, w.byCode(p.TrackingCode))
			continue
		}
		_, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
		w.fails(fault.NotFound, err)
	}
}

func oppositeUses(w *world) {
	const callers = 60
	one, other := w.account(1), w.account(2)
	w.commit(core.Changeset{one, other})
	errs := together(callers, func(i int) error {
		uses := []owner.LimitUsage{use(one.ID, owner.AnyVersion), use(other.ID, owner.AnyVersion)}
		if i%2 == 1 {
			uses[0], uses[1] = uses[1], uses[0]
		}
		return w.store.Commit(w.ctx, core.Rows(uses))
	})
	if won := w.won(errs, ""); won != callers {
		w.t.Fatalf("%d of %d committed", won, callers)
	}
	for _, a := range []owner.Account{one, other} {
		if l := w.load(a, today); l.Count != callers || l.LoadVersion != callers {
			w.t.Fatalf("count %d at version %d after %d uses", l.Count, l.LoadVersion, callers)
		}
	}
}

// seenWhole reads while others write: who has seen a version of the payment also finds the moves that came with it.
func seenWhole(w *world) {
	const saves, readers = 40, 4
	p := w.payment()
	w.commit(core.Changeset{p})
	errs := together(1+readers, func(i int) error {
		if i == 0 {
			return w.saveWithMoves(p, saves)
		}
		return w.readWithMoves(p, saves)
	})
	for _, err := range errs {
		w.no(err)
	}
}

func (w *world) saveWithMoves(p payment.Payment, saves int) error {
	for range saves {
		p.Version++
		change := core.Changeset{p, w.move(p.ID)}
		if err := w.store.Commit(w.ctx, change); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) readWithMoves(p payment.Payment, reads int) error {
	for range reads {
		seen, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
		if err != nil {
			return err
		}
		moves, err := w.store.MovesOf(w.ctx, p.ID)
		if err != nil {
			return err
		}
		if len(moves) < seen.Version-1 {
			return fmt.Errorf("version %d is there with %d moves", seen.Version, len(moves))
		}
	}
	return nil
}
