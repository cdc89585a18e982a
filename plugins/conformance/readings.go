package conformance

import (
	"context"
	"fmt"

	"github.com/vezne/vezne/core/gateway"
)

// reading is a call that only asks.
type reading struct {
	name string
	do   func(w *world) error
}

// readingSentences says what holds for questions that meet trouble. Prepare makes what there is to ask for, all of it
// paid or done.
func readingSentences(prepare func(w *world) []reading) []sentence {
	var list []sentence
	for _, t := range troubles() {
		says := fmt.Sprintf("%s is never taken for an answer", t.says)
		list = append(list, sentence{says, func(w *world) { w.neverAnswers(prepare(w), t) }})
	}
	return append(list,
		sentence{"refused keys are no answer to a question", func(w *world) { w.neverTells(prepare(w)) }},
		sentence{"a question ends with its context", func(w *world) { w.allEnd(prepare(w)) }},
		sentence{"asking changes nothing", func(w *world) { w.changesNothing(prepare(w)) }},
	)
}

func (w *world) neverAnswers(all []reading, t trouble) {
	w.t.Helper()
	for _, r := range all {
		before := len(w.wire.requests())
		w.wire.down(t, nil)
		err := r.do(w)
		w.wire.heal()
		if len(w.wire.requests()) > before {
			w.isTrouble(r.name, err, t)
		}
	}
}

func (w *world) neverTells(all []reading) {
	w.t.Helper()
	w.refuse()
	for _, r := range all {
		before := len(w.wire.requests())
		err := r.do(w)
		if len(w.wire.requests()) > before {
			w.isKeyTrouble(r.name, err)
		}
	}
}

func (w *world) allEnd(all []reading) {
	w.t.Helper()
	over, cancel := context.WithCancel(w.ctx)
	cancel()
	for _, r := range all {
		w.endsAtOnce(r.name, r.do)
		w.wire.heal()
		before := len(w.wire.requests())
		_ = r.do(w.under(over)) // what needs no call may well answer
		w.check(len(w.wire.requests()) == before,
			"%s under a context that is over reached the gateway: hand the caller's context on to HTTP.Do", r.name)
	}
}

func (w *world) changesNothing(all []reading) {
	w.t.Helper()
	for _, r := range all {
		before := w.fake.Writes()
		if err := r.do(w); err != nil {
			w.t.Errorf("%s failed: %v", r.name, err)
		}
		w.check(w.fake.Writes() == before,
			"%s changed something at the gateway: a question may be asked at any time, as often as one likes", r.name)
	}
}

// only drops the report of a call whose error is all that matters.
func only[R any](_ R, err error) error { return err }

// depositReadings are the questions about deposits.
func depositReadings(w *world) []reading {
	w.t.Helper()
	d := w.paid()
	list := []reading{{"ReadDeposit", func(w *world) error { return only(w.readDeposit(d.key())) }}}
	if w.d.Deposit.Keys.Find {
		list = append(list, reading{"ReadDeposit by Ref alone", func(w *world) error { return only(w.readDeposit(d.blind())) }})
	}
	if w.has(gateway.CanListDeposits) {
		span := gateway.Window{From: opening.AddDate(0, 0, -1), To: opening.AddDate(0, 0, 1)}
		list = append(list, reading{"ListDeposits", func(w *world) error { return only(w.listDeposits(span, "")) }})
	}
	if w.has(gateway.CanListOptions) {
		list = append(list, reading{"ListOptions", func(w *world) error { return only(w.listOptions()) }})
	}
	if w.has(gateway.CanQuote) {
		q := gateway.QuoteRequest{From: d.order.Amount, To: w.quotedAsset()}
		list = append(list, reading{"Quote", func(w *world) error { return only(w.quote(q)) }})
	}
	return list
}
