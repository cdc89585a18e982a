package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

func callbackSentences() []sentence {
	return []sentence{
		{"no two callbacks of a payment have the same number", numbersOnce},
		{"of concurrent callbacks of a payment with the same number one wins", numbersOnceTogether},
		{"attempts are one callback's, oldest first", attemptsInOrder},
		{"an empty outbox has no backlog", func(w *world) { w.same(core.Backlog{}, w.backlog(epoch)) }},
		{"the backlog counts what is due and how long the oldest waits", backlogCounts},
	}
}

func numbersOnce(w *world) {
	c := w.callback(w.payment().ID, receiver)
	w.commit(core.Changeset{c})
	twin, other := w.callback(c.PaymentID, receiver), w.callback(w.payment().ID, receiver)
	twin.Sequence, other.Sequence = c.Sequence, c.Sequence
	w.refused(fault.Conflict, core.Changeset{twin})
	w.same([]payment.Callback{c}, w.callbacksOf(c.PaymentID))
	w.commit(core.Changeset{other})
	twin.Sequence++
	w.commit(core.Changeset{twin})
}

func numbersOnceTogether(w *world) {
	const writers = 20
	p := w.payment()
	errs := together(writers, func(int) error {
		c := w.callback(p.ID, receiver)
		c.Sequence = 1
		return w.store.Commit(w.ctx, core.Changeset{c})
	})
	if won := w.won(errs, fault.Conflict); won != 1 || len(w.callbacksOf(p.ID)) != 1 {
		w.t.Fatalf("%d of %d callbacks with the same number are there", won, writers)
	}
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

func backlogCounts(w *world) {
	now := epoch.Add(24 * time.Hour)
	var change core.Changeset
	for i := range 9 {
		receiver := []string{"site/1/deposit", "site/2/deposit"}[i%2]
		change = append(change, w.due(receiver, now.Add(-time.Duration(i)*10*time.Minute)))
	}
	change = append(change, w.due("site/1/deposit", now.Add(time.Microsecond)))
	for _, state := range []payment.CallbackStatus{payment.Delivered, payment.Undeliverable, payment.Skipped} {
		over := w.due("site/1/deposit", now.Add(-10*time.Hour))
		over.Status = state
		change = append(change, over)
	}
	w.commit(change)
	w.same(core.Backlog{Due: 9, OldestDue: 80 * time.Minute}, w.backlog(now))
}
