package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
)

func callbackSentences() []sentence {
	return []sentence{
		{"every field of a callback comes back", everyCallbackField},
		{"saving a callback replaces every field", callbackSavedWhole},
		{"every kind and state of a callback comes back", everyCallbackWord},
		{"a payment's callbacks come oldest first", callbacksInOrder},
		{"every field of an attempt comes back", everyAttemptField},
		{"attempts are one callback's, oldest first", attemptsInOrder},
		{"an empty outbox has no backlog", func(w *world) { w.same(core.Backlog{}, w.backlog(epoch)) }},
		{"the backlog counts what is due and how long the oldest waits", backlogCounts},
	}
}

func everyCallbackField(w *world) {
	c := full(w, w.callback(w.payment().ID, longName))
	w.commit(core.Changeset{Callbacks: []core.Callback{c}})
	w.same([]core.Callback{c}, w.callbacksOf(c.PaymentID))
}

func callbackSavedWhole(w *world) {
	c := w.callback(w.payment().ID, "site/1/deposit")
	w.commit(core.Changeset{Callbacks: []core.Callback{c}})
	bare := core.Callback{
		ID: c.ID, Version: 2, PaymentID: c.PaymentID, ProviderID: 1, Kind: core.DepositCallback, State: core.Skipped,
		Receiver: "provider/1/deposit", Payload: core.Payload{TrackingCode: "MAN-1", Status: core.Canceled, Amount: lira(1)},
		CreatedAt: c.CreatedAt,
	}
	w.commit(core.Changeset{Callbacks: []core.Callback{bare}})
	w.same([]core.Callback{bare}, w.callbacksOf(c.PaymentID))
}

func everyCallbackWord(w *world) {
	p := w.payment()
	var written []core.Callback
	for _, kind := range []core.CallbackKind{
		core.DepositCallback, core.EIBANDepositCallback, core.WithdrawalCallback, core.CreditCardCallback,
		core.DealerCardCallback,
	} {
		for _, state := range []core.CallbackState{core.Waiting, core.Delivered, core.Undeliverable, core.Skipped} {
			c := w.callback(p.ID, "site/1/"+string(kind))
			c.Kind, c.State = kind, state
			written = append(written, c)
		}
	}
	w.commit(core.Changeset{Callbacks: written})
	w.same(written, w.callbacksOf(p.ID))
}

func callbacksInOrder(w *world) {
	p, other := w.payment(), w.payment()
	first, second, third := w.callback(p.ID, "b"), w.callback(p.ID, "c"), w.callback(p.ID, "a")
	w.commit(
		core.Changeset{Callbacks: []core.Callback{third, first}},
		core.Changeset{Callbacks: []core.Callback{w.callback(other.ID, "a"), second}},
	)
	w.same([]core.Callback{first, second, third}, w.callbacksOf(p.ID))
}

func everyAttemptField(w *world) {
	answered := full(w, w.attempt(w.payment().ID))
	unanswered := w.attempt(answered.CallbackID)
	unanswered.Duration, unanswered.HTTPStatus, unanswered.Error, unanswered.Answer = 0, 0, "", ""
	w.commit(core.Changeset{Attempts: []core.Attempt{answered, unanswered}})
	w.same([]core.Attempt{answered, unanswered}, w.attemptsOf(answered.CallbackID))
}

func attemptsInOrder(w *world) {
	callback, other := w.payment().ID, w.payment().ID
	first, second, third := w.attempt(callback), w.attempt(callback), w.attempt(callback)
	w.commit(
		core.Changeset{Attempts: []core.Attempt{third, w.attempt(other)}},
		core.Changeset{Attempts: []core.Attempt{second, first}},
	)
	w.same([]core.Attempt{first, second, third}, w.attemptsOf(callback))
}

func backlogCounts(w *world) {
	now := epoch.Add(24 * time.Hour)
	var change core.Changeset
	for i := range 9 {
		receiver := []string{"site/1/deposit", "site/2/deposit"}[i%2]
		change.Callbacks = append(change.Callbacks, w.due(receiver, now.Add(-time.Duration(i)*10*time.Minute)))
	}
	change.Callbacks = append(change.Callbacks, w.due("site/1/deposit", now.Add(time.Microsecond)))
	for _, state := range []core.CallbackState{core.Delivered, core.Undeliverable, core.Skipped} {
		over := w.due("site/1/deposit", now.Add(-10*time.Hour))
		over.State = state
		change.Callbacks = append(change.Callbacks, over)
	}
	w.commit(change)
	w.same(core.Backlog{Due: 9, OldestDue: 80 * time.Minute}, w.backlog(now))
}
