package conformance

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// mutation is a call that changes something at the gateway: it sends or cancels an order, or refunds a deposit.
type mutation struct {
	do    func(w *world) error // makes the same order each time: same Ref, same Key
	count func() int           // how often the fake has done it
	find  func() error         // asks for it by our reference alone; nil: the descriptor does not promise that
	keys  gateway.KeyTraits
}

func (x mutation) isDone() bool { return x.count() > 0 }

// mutationCases holds a mutation to what must be true when it fails. Prepare makes what it needs at the fake, before the
// failure.
func mutationCases(what string, prepare func(w *world) mutation) []testCase {
	var list []testCase
	for _, m := range failureModes() {
		name := fmt.Sprintf("%s that meets %s has no effect", what, m.name)
		if m.isDelivered {
			name = fmt.Sprintf("%s that meets %s has an unknown effect, is found again and not made twice", what, m.name)
		}
		list = append(list, testCase{name, func(w *world) { w.mutationFails(what, prepare(w), m) }})
	}
	return append(list,
		testCase{what + " ends with its context", func(w *world) {
			x := prepare(w)
			err := w.stopsBeforeCall(what, x.do)
			w.check(err == nil || gateway.HasNoEffect(err),
				"%s under a context that is over left nothing behind, and its error must have effect none: %v", what, err)
			w.check(!x.isDone(), "%s under a context that is over was made", what)
			w.endsWithContext(what, x.do)
		}},
	)
}

func (w *world) mutationFails(what string, x mutation, m failureMode) {
	before := w.transport.count()
	w.meet(m, x.isDone)
	err := x.do(w)
	w.transport.restore()
	if w.transport.count() == before {
		w.t.Logf("%s makes no call, so that nothing can fail on the way", what)
		return
	}
	if m.isDelivered && !x.isDone() {
		w.t.Fatalf("%s did not reach the fake, or the fake does not count it (Fake.Deposits, Payouts, Transfers or Mutations): "+
			"the call gave %v", what, err)
	}
	w.checkFailure(what, err, m)
	if got := gateway.ErrorOf(err).Effect; err != nil && got != m.effect() {
		advice := "the gateway may have acted, and the core must look before it does anything else"
		if !m.isDelivered {
			advice = "the gateway certainly did nothing, and the core may try another one"
		}
		w.t.Errorf("%s that meets %s has effect %s in its error, and it must be %s: %s", what, m.name, got, m.effect(), advice)
	}
	if m.isDelivered {
		w.check(x.count() <= 1, "%s that meets %s was made %d times by one call: what may have been carried out is not sent again. Report "+
			"the failure with effect %s, and the core asks what became of it", what, m.name, x.count(), gateway.EffectUnknown)
		w.findAgain(what, x)
		return
	}
	w.check(!x.isDone(), "%s that did not get through shows at the gateway all the same", what)
	if m.name == refusedKeys {
		return
	}
	err = x.do(w)
	w.check(err == nil, "%s must succeed once the failure is over: %v", what, err)
	w.check(x.isDone(), "%s does not show at the gateway: Fake.Deposits, Payouts, Transfers or Mutations must count it", what)
}

// findAgain finds out what became of a mutation of unknown effect, as the core does.
func (w *world) findAgain(what string, x mutation) {
	w.clock.Advance(x.keys.Settle)
	if x.find != nil {
		err := x.find()
		w.check(err == nil, "%s of unknown effect must be found by Ref alone (External is empty: after a timeout that is all we "+
			"have), or the descriptor says Keys.Find=false; the question gave %v", what, err)
	}
	if isKeyed(x.keys) {
		w.isMadeOnce(what, x)
	}
}

// isMadeOnce makes a mutation again that was made, with the same Ref and Key.
func (w *world) isMadeOnce(what string, x mutation) {
	before := x.count()
	err := x.do(w)
	w.check(err == nil || x.keys.Mode != gateway.HeaderKey && gateway.IsClass(err, gateway.Conflicting),
		"%s sent again with the same Ref and Key gave %v: give what is there, or an error of class %q where the gateway says "+
			"that the reference was used", what, err, gateway.Conflicting)
	w.check(x.count() == before,
		"%s sent again with the same Ref and Key was made %d times more: Keys %q: it must be made once. Send Key "+
			"(or Ref) as the gateway's own key; a gateway that knows none (%q) is asked for an earlier one first", what, x.count()-before,
		x.keys.Mode, gateway.NoKey)
}

// sentWithKey checks that one of the requests since before had the key in a header. Two that are on their way at the same time are told
// apart by nothing else, however well a plugin looks for an earlier one.
func (w *world) sentWithKey(what string, key gateway.Key, before int) {
	hasKey := func(f gateway.Field) bool { return strings.Contains(f.Value, string(key)) }
	for _, r := range w.transport.sent()[before:] {
		if slices.ContainsFunc(r.Header, hasKey) {
			return
		}
	}
	w.t.Errorf("Keys are %q, and no request of %s has the order's Key in a header: send it with the call that changes something, or say %q",
		gateway.HeaderKey, what, gateway.NoKey)
}

func isKeyed(k gateway.KeyTraits) bool {
	return k.Mode == gateway.HeaderKey || k.Mode == gateway.RefKey
}

// stopsBeforeCall makes a call under a context that is over: it must not reach the gateway.
func (w *world) stopsBeforeCall(what string, do func(w *world) error) error {
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	before := w.transport.count()
	err := do(w.under(ctx))
	w.check(w.transport.count() == before,
		"%s under a context that is over reached the gateway: hand the caller's context on to HTTP.Do", what)
	return err
}

// watchdog ends a test case whose call never comes back.
const watchdog = 10 * time.Second

// endsWithContext lets a call hang and cancels its context.
func (w *world) endsWithContext(what string, do func(w *world) error) {
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	defer w.transport.restore()
	waits, ended := w.transport.hang(), make(chan error, 1)
	go w.guarded(func() {
		defer close(ended)
		ended <- do(w.under(ctx))
	})
	select {
	case inner := <-waits:
		cancel()
		if inner.Err() == nil {
			w.t.Errorf("%s does not hand its caller's context on to HTTP.Do: a canceled call would hang", what)
			w.transport.restore()
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
	}
}
