package conformance

import (
	"encoding/json"
	"fmt"

	"github.com/vezne/vezne/core/gateway"
)

// signedNotification is a notification that the fake sends of an order whose money has moved, and what the plugin reads.
func (w *world) signedNotification() (gateway.Inbound, gateway.Notification) {
	in, ok := w.notificationOf(w.finalOrder())
	if !ok {
		w.t.Fatal("Fake.Notification gives nothing of an order that is paid or done, and Descriptor.Notify is set")
	}
	n, err := w.readNotification(in)
	w.ok("ReadNotification of a right notification", err)
	if len(facts(n)) == 0 {
		w.t.Fatal("a notification of an order that is paid or done reports nothing")
	}
	return in, n
}

// orderTypes are the types of order that the gateway has.
func (s suite) orderTypes() []orderType {
	var all []orderType
	if s.d.Deposit != nil {
		all = append(all, depositType(s))
	}
	if s.d.Payout != nil {
		all = append(all, payoutType(s))
	}
	if s.d.Account != nil {
		all = append(all, transferType(s))
	}
	return all
}

// finalOrder is an order whose money has moved.
func (w *world) finalOrder() gateway.Ref {
	t := w.orderTypes()[0]
	o, _ := t.send(w)
	w.set(o.ref, t.final)
	return o.ref
}

// notificationOf is the notification that the fake sends of an order now. It reports false when there is none.
func (w *world) notificationOf(ref gateway.Ref) (gateway.Inbound, bool) {
	if w.fake.Notification == nil {
		w.t.Fatal("Fake.Notification is missing, and Descriptor.Notify is set")
	}
	in, ok := w.fake.Notification(ref)
	return w.received(in), ok
}

// fact is one report in a notification, as far as money depends on it.
type fact struct{ what, ref, id, state, money string }

// facts returns all reports of a notification, and the trust of each.
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

// trustOf is the highest trust of the reports of a notification.
func trustOf(n gateway.Notification) gateway.Trust {
	best := gateway.Hint
	for _, t := range facts(n) {
		best = max(best, t)
	}
	return best
}

// isHarmless checks what a changed message is taken for: an error, less trust, or nothing but what the right one says.
func (w *world) isHarmless(change string, in gateway.Inbound, right gateway.Notification) bool {
	n, err := w.readNotification(in)
	if err != nil {
		return w.isReadError(change, err)
	}
	reported := facts(right)
	for f, trust := range facts(n) {
		if _, isSame := reported[f]; trust >= gateway.Signed && !isSame {
			w.t.Errorf("a notification with %s is believed: it reports %+v with trust %q. Check the signature over the exact "+
				"bytes before anything is decoded, and report only what it covers", change, f, trust)
			return false
		}
	}
	return true
}

func (w *world) isReadError(change string, err error) bool {
	class := gateway.ErrorOf(err).Class
	ok := isOneOf(class, gateway.Unauthenticated, gateway.Invalid)
	w.check(ok,
		"a notification with %s gave an error of class %q: it is %q where the signature is wrong, %q where it is no "+
			"notification", change, class, gateway.Unauthenticated, gateway.Invalid)
	return ok
}

// isLessTrusted checks that a message is refused, or trusted less than the right one.
func (w *world) isLessTrusted(change string, in gateway.Inbound, right gateway.Trust) {
	n, err := w.readNotification(in)
	if err != nil {
		w.isReadError(change, err)
		return
	}
	w.check(trustOf(n) < right,
		"a notification with %s is trusted as %q: it must be an error of class %q, or no more than a hint", change, trustOf(n),
		gateway.Unauthenticated)
}

// losesTrust reports whether a message is refused, or trusted less than the right one.
func (w *world) losesTrust(in gateway.Inbound, right gateway.Trust) bool {
	n, err := w.readNotification(in)
	return err != nil || trustOf(n) < right
}
