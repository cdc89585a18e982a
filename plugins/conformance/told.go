package conformance

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vezne/vezne/core/gateway"
)

// told is a notification that the fake sends of a paid deposit (or a payout or transfer that is done), and what it says.
func (w *world) told() (gateway.Inbound, gateway.Notification) {
	w.t.Helper()
	in, ok := w.tells(w.done())
	if !ok {
		w.t.Fatal("Fake.Notification gives nothing of an order that is paid or done, and the descriptor speaks of " +
			"notifications")
	}
	n, err := w.readNotification(in)
	w.ok("ReadNotification of a right notification", err)
	if len(facts(n)) == 0 {
		w.t.Fatal("a notification of an order that is paid or done reports nothing")
	}
	return in, n
}

// done is an order that came to its good end.
func (w *world) done() gateway.Ref {
	w.t.Helper()
	if w.d.Deposit != nil {
		return w.paid().order.Ref
	}
	r := transferRail
	if w.d.Payout != nil {
		r = payoutRail
	}
	s, _ := r(w.kit).sent(w)
	w.mustSet(s.ref, IsDone)
	return s.ref
}

// tells is the notification that the fake sends of an order now.
func (w *world) tells(ref gateway.Ref) (gateway.Inbound, bool) {
	w.t.Helper()
	if w.fake.Notification == nil {
		w.t.Fatal("Fake.Notification is missing, and the descriptor speaks of notifications")
	}
	in, ok := w.fake.Notification(ref)
	return w.arrived(in), ok
}

// fact is what a notification reports, as far as money depends on it.
type fact struct{ what, ref, id, state, money string }

// facts are everything that a notification reports, and how far each is to be trusted.
func facts(n gateway.Notification) map[fact]gateway.Trust {
	all := map[fact]gateway.Trust{}
	for _, e := range n.Events {
		all[fact{"deposit", string(e.Ref), e.External.ID, string(e.State), fmt.Sprint(e.Paid, e.Refunded)}] = e.Trust
	}
	for _, p := range n.Payouts {
		all[fact{"payout", string(p.Ref), p.External.ID, string(p.State), fmt.Sprint(p.Sent)}] = p.Trust
	}
	for _, r := range n.Refunds {
		all[fact{"refund", string(r.RefundRef), r.External.ID, string(r.State), fmt.Sprint(r.Amount)}] = r.Trust
	}
	for _, l := range n.Lines {
		text, _ := json.Marshal(l) // plain data always is JSON
		all[fact{"statement line", "", l.ID, "", string(text)}] = gateway.Signed
	}
	return all
}

// trustOf is the best trust of what a notification reports.
func trustOf(n gateway.Notification) gateway.Trust {
	best := gateway.Hint
	for _, t := range facts(n) {
		best = max(best, t)
	}
	return best
}

// isHarmless checks what a changed message is taken for: an error, less trust, or nothing but what the honest one says.
func (w *world) isHarmless(change string, in gateway.Inbound, honest gateway.Notification) bool {
	w.t.Helper()
	n, err := w.readNotification(in)
	if err != nil {
		return w.isReadError(change, err)
	}
	said := facts(honest)
	for f, trust := range facts(n) {
		if _, isSame := said[f]; trust >= gateway.Signed && !isSame {
			w.t.Errorf("a notification with %s is believed: it reports %+v with trust %q. Check the signature over the exact "+
				"bytes before anything is decoded, and report only what it covers", change, f, trust)
			return false
		}
	}
	return true
}

func (w *world) isReadError(change string, err error) bool {
	w.t.Helper()
	class := gateway.ErrorOf(err).Class
	ok := slices.Contains([]gateway.Class{gateway.Unauthenticated, gateway.Invalid}, class)
	w.check(ok,
		"a notification with %s gave an error of class %q: it is %q where the signature is wrong, %q where it is no "+
			"notification", change, class, gateway.Unauthenticated, gateway.Invalid)
	return ok
}

// isLessTrusted checks that a message is refused, or trusted less than an honest one.
func (w *world) isLessTrusted(change string, in gateway.Inbound, honest gateway.Trust) bool {
	w.t.Helper()
	n, err := w.readNotification(in)
	if err != nil {
		return w.isReadError(change, err)
	}
	if trustOf(n) >= honest {
		w.t.Errorf("a notification with %s is trusted as %q: it must be an error of class %q, or no more than a hint", change,
			trustOf(n), gateway.Unauthenticated)
		return false
	}
	return true
}

// isWorthLess tells the same without complaint.
func (w *world) isWorthLess(in gateway.Inbound, honest gateway.Trust) bool {
	w.t.Helper()
	n, err := w.readNotification(in)
	return err != nil || trustOf(n) < honest
}
