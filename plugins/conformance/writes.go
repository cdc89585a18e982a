package conformance

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// write is a call that changes something at the gateway: a start, a payout, a transfer, a refund, a cancellation.
type write struct {
	do    func(w *world) error // makes the same order each time: same Ref, same Key
	count func() int           // how often the fake has done it
	find  func() error         // asks for it by our reference alone; nil: the descriptor does not promise that
	keys  gateway.KeyTraits
}

func (x write) acted() bool { return x.count() > 0 }

// writeSentences says what holds for a write that meets trouble. Prepare makes what it needs, at the fake and before
// the trouble.
func writeSentences(what string, prepare func(w *world) write) []sentence {
	var list []sentence
	for _, t := range troubles() {
		says := fmt.Sprintf("%s that meets %s has no effect and can be sent again", what, t.says)
		if t.acts {
			says = fmt.Sprintf("%s that meets %s has an unknown effect, is found again and not made twice", what, t.says)
		}
		list = append(list, sentence{says, func(w *world) { w.meets(what, prepare(w), t) }})
	}
	return append(list,
		sentence{what + " with refused keys is misconfigured, not declined", func(w *world) { w.isRefused(what, prepare(w)) }},
		sentence{what + " under a context that is over has no effect", func(w *world) { w.isOver(what, prepare(w)) }},
		sentence{what + " that hangs ends with its context", func(w *world) { w.endsAtOnce(what, prepare(w).do) }},
	)
}

func (w *world) meets(what string, x write, t trouble) {
	w.t.Helper()
	acted := x.acted
	if !t.acts {
		acted = nil
	}
	before := len(w.wire.requests())
	w.wire.down(t, acted)
	err := x.do(w)
	w.wire.heal()
	if len(w.wire.requests()) == before {
		w.t.Logf("%s makes no call, so that nothing can go wrong on the way", what)
		return
	}
	if t.acts && !x.acted() {
		w.t.Fatalf("%s did not reach the fake, or the fake does not count it (Fake.Deposits, Payouts, Transfers or Writes): "+
			"the call gave %v", what, err)
	}
	w.isTrouble(what, err, t)
	if got := gateway.ErrorOf(err).Effect; err != nil && got != t.effect {
		w.t.Errorf("%s that meets %s has effect %s in its error, and it must be %s: %s", what, t.says, got, t.effect,
			effectAdvice(t.effect))
	}
	if t.acts {
		w.isSettled(what, x)
	} else {
		w.isSentAgain(what, x)
	}
}

func effectAdvice(e gateway.Effect) string {
	if e == gateway.EffectNone {
		return "the gateway certainly did nothing, and the core may try another one"
	}
	return "the gateway may have acted, and the core must look before it does anything else"
}

// isTrouble checks the error of a call that met trouble.
func (w *world) isTrouble(what string, err error, t trouble) {
	w.t.Helper()
	if err == nil {
		w.t.Errorf("%s succeeded though it met %s: check status, content and envelope of every answer before it is believed",
			what, t.says)
		return
	}
	failure := gateway.ErrorOf(err)
	w.check(slices.Contains(t.classes, failure.Class), "%s that meets %s is of class %q, and must be one of %q (%v)", what,
		t.says, failure.Class, t.classes, err)
	w.check(failure.Class != gateway.RateLimited || failure.RetryAfter == retryAfter,
		"%s that meets %s must give the Retry-After of the answer, %s, in RetryAfter and not %s", what, t.says, retryAfter,
		failure.RetryAfter)
}

// isSettled finds out what became of a write of unknown effect, as the core does.
func (w *world) isSettled(what string, x write) {
	w.t.Helper()
	w.clock.advance(x.keys.Settle)
	if x.find != nil {
		if err := x.find(); err != nil {
			w.t.Errorf("%s of unknown effect must be found by Ref alone (External is empty: after a timeout that is all we "+
				"have), or the descriptor says Keys.Find=false; the question gave %v", what, err)
		}
	}
	if !isKeyed(x.keys) {
		return
	}
	before := x.count()
	err := x.do(w)
	w.takesAgain(what, x.keys, err)
	if got := x.count(); got != before {
		w.t.Errorf("%s sent again with the same Ref and Key was made %d times more: Keys.Mode %q promises that it is made "+
			"once", what, got-before, x.keys.Mode)
	}
}

// takesAgain checks what comes of an order that the gateway has already.
func (w *world) takesAgain(what string, keys gateway.KeyTraits, err error) {
	w.t.Helper()
	isKnown := keys.Mode == gateway.RefKey && gateway.IsClass(err, gateway.Conflicting)
	if err != nil && !isKnown {
		w.t.Errorf("%s sent again with the same Ref and Key gave %v: give what is there, or an error of class %q where the "+
			"gateway says that the reference was used", what, err, gateway.Conflicting)
	}
}

func isKeyed(k gateway.KeyTraits) bool {
	return k.Mode == gateway.HeaderKey || k.Mode == gateway.RefKey
}

// isSentAgain repeats a write that had no effect.
func (w *world) isSentAgain(what string, x write) {
	w.t.Helper()
	w.check(!x.acted(), "%s that did not get through shows at the gateway all the same", what)
	if err := x.do(w); err != nil {
		w.t.Errorf("%s must succeed once the trouble is over: %v", what, err)
	}
	w.check(x.acted(), "%s does not show at the gateway: Fake.Deposits, Payouts, Transfers or Writes must count it", what)
}

func (w *world) isRefused(what string, x write) {
	w.t.Helper()
	w.refuse()
	before := len(w.wire.requests())
	err := x.do(w)
	if len(w.wire.requests()) == before {
		return
	}
	w.isKeyTrouble(what, err)
	w.check(err == nil || gateway.HasNoEffect(err), "%s with refused keys has no effect, and its error must say so: %v",
		what, err)
	w.check(!x.acted(), "the fake did %s in spite of refused keys", what)
}

func (w *world) refuse() {
	w.t.Helper()
	if w.fake.RefuseCredentials == nil {
		w.t.Fatal("Fake.RefuseCredentials is missing: every gateway refuses wrong keys")
	}
	w.fake.RefuseCredentials()
}

func (w *world) isKeyTrouble(what string, err error) {
	w.t.Helper()
	isRight := gateway.IsClass(err, gateway.Misconfigured) || gateway.IsClass(err, gateway.Unauthenticated)
	w.check(isRight,
		"%s with refused keys must be an error of class %q or %q, so that staff hear of it and the customer is not told of a "+
			"decline: %v", what, gateway.Misconfigured, gateway.Unauthenticated, err)
}

func (w *world) isOver(what string, x write) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	before := len(w.wire.requests())
	err := x.do(w.under(ctx))
	w.check(len(w.wire.requests()) == before && !x.acted(),
		"%s under a context that is over reached the gateway: hand the caller's context on to HTTP.Do", what)
	w.check(err == nil || gateway.HasNoEffect(err),
		"%s under a context that is over left nothing behind, and its error must have effect none: %v", what, err)
}

// watchdog ends a sentence whose call never comes back.
const watchdog = 10 * time.Second

// endsAtOnce lets a call hang and cancels its context.
func (w *world) endsAtOnce(what string, do func(w *world) error) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	waits, ended := w.wire.hang(), make(chan error, 1)
	go w.guarded(func() {
		defer close(ended)
		ended <- do(w.under(ctx))
	})
	select {
	case inner := <-waits:
		cancel()
		if inner.Err() == nil {
			w.t.Errorf("%s does not hand its caller's context on to HTTP.Do: a canceled call would hang", what)
			w.wire.heal()
		}
	case err := <-ended:
		w.t.Logf("%s makes no call that could hang (%v)", what, err)
		return
	}
	select {
	case err := <-ended:
		w.check(err != nil, "%s succeeded though its context ended before the gateway answered", what)
	case <-time.After(watchdog):
		w.t.Errorf("%s goes on after its context ended", what)
		w.wire.heal()
	}
}
