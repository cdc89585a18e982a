package conformance

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

func notificationCases(s suite) []testCase {
	list := []testCase{
		{"a notification is read without a call, by any gateway of the same configuration", readsWithoutCall},
		{"the same message has the same ID each time", sameMessageSameID},
		{"different events have different IDs", differentEventsDiffer},
		{"a hostile body never causes a panic and is never believed", neverBelieved(hostileBodies)},
		{"a changed body never causes a panic and is never believed", neverBelieved(changedBodies)},
		{"a changed method or header never causes a panic and is never believed", neverBelieved(changedHeaders)},
		{"a message that is sent again to another order's address stays with its order", replayedStays},
		{"a reply says success, refusal or try again", repliesAreRight},
		{"a message of a type that nobody documented is no error, and decides nothing", unknownTypeDecidesNothing},
	}
	for _, o := range s.orderTypes() {
		list = append(list, testCase{"a notification of " + o.name + " names it and does not contradict it", o.isNamedIn})
	}
	if s.d.Deposit != nil {
		list = append(list, testCase{"a notification that is believed says what really came", saysWhatCame},
			testCase{"a status that nobody documented is no error, and Unknown", unlistedIsNoError},
			testCase{"a message of the other mode, test or live, moves no money", otherModeMovesNothing})
	}
	return list
}

func readsWithoutCall(w *world) {
	in, n := w.signedNotification() // the leak detector finds a call
	other := w.on(w.open(w.config, noCalls{w}))
	again, err := other.readNotification(in)
	w.ok("ReadNotification by a gateway that was just opened", err)
	w.check(maps.Equal(facts(again), facts(n)),
		"a gateway that was just opened reads %v, and the one that started the order %v: a notification is read from its "+
			"bytes and the configuration alone", facts(again), facts(n))
}

func sameMessageSameID(w *world) {
	in, n := w.signedNotification()
	w.check(n.ID != "",
		"Notification.ID is empty: where the gateway sends none, derive it from the content (plugkit.ContentID)")
	later := 30 * time.Minute
	if w.StaleAfter > 0 {
		later = w.StaleAfter / 2
	}
	w.clock.Advance(later)
	in.Arrived = w.clock.Now()
	for _, reader := range []*world{w, w.on(w.open(w.config, noCalls{w})), w} {
		again, err := reader.readNotification(in)
		w.ok("ReadNotification of a message that comes again", err)
		w.check(again.ID == n.ID, "a message that comes again has the ID %q, and had %q: a repetition would count twice",
			again.ID, n.ID)
	}
}

func differentEventsDiffer(w *world) {
	seen := map[string]string{}
	isNew := func(what string, ref gateway.Ref) {
		in, ok := w.notificationOf(ref)
		if !ok {
			return
		}
		n, err := w.readNotification(in)
		w.ok("ReadNotification", err)
		w.check(seen[n.ID] == "", "%s has the same ID as %s, %q: the second would be taken for a repetition", what, seen[n.ID],
			n.ID)
		seen[n.ID] = what
	}
	isNew("one order's end", w.finalOrder())
	isNew("another order's end", w.finalOrder())
	if w.d.Deposit != nil {
		d := w.start()
		for _, s := range []Situation{IsProcessing, IsFailed, IsPaid} {
			if w.set(d.order.Ref, s) {
				w.clock.Advance(time.Minute)
				isNew("an order that is "+string(s)+", after it was something else", d.order.Ref)
			}
		}
		w.triesAreNew(w.start())
	}
}

// triesAreNew checks that two cards which failed on one page are two events, where the gateway tells of each.
func (w *world) triesAreNew(d deposit) {
	var bodies, ids []string
	for range 2 {
		if !w.set(d.order.Ref, IsFailed) {
			return
		}
		in, ok := w.notificationOf(d.order.Ref)
		if !ok {
			return
		}
		n, err := w.readNotification(in)
		w.ok("ReadNotification", err)
		bodies, ids = append(bodies, string(in.Body)), append(ids, n.ID)
		w.clock.Advance(time.Minute)
	}
	w.check(bodies[0] == bodies[1] || ids[0] != ids[1], "two failures of one order, a minute apart, are told by different messages and have "+
		"the same ID %q: the second would be taken for a repetition. Where the gateway sends no ID, derive it from all that differs, "+
		"with status and time", ids[0])
}

// isNamedIn checks notifications of an order in each situation that has a contradiction.
func (t orderType) isNamedIn(w *world) {
	for situation, never := range t.contradictions {
		o, r := t.send(w)
		if !w.set(o.ref, situation) {
			continue
		}
		if asked, err := o.read(w, r); err == nil { // the core has asked by then, and knows what that taught
			r.external = r.external.Learn(asked.external)
		}
		in, ok := w.notificationOf(o.ref)
		if !ok {
			continue
		}
		n, err := w.readNotification(in)
		w.ok(fmt.Sprintf("ReadNotification of %s that is %s", t.name, situation), err)
		for _, got := range reportsOf(n) {
			w.check(got.ref == o.ref || got.ref == "" && haveSameName(got.external, r.external),
				"a notification of %s reports Ref %q and External %v: it must name the order by our reference, or by the External.ID or "+
					"Alt[gateway.AltPayment] that sending it or asking about it gave: no other name is looked for", o.ref, got.ref, got.external)
			isHint := t.final == IsPaid && got.trust < gateway.Signed // the core only asks then
			w.check(isHint || !isOneOf(got.state, never...), "a notification of %s that is %s reports %s", t.name, situation,
				got.state)
			isDue := got.amount == nil || o.isFor(r, *got.amount)
			w.check(situation != t.final || got.state != t.finalState || isDue,
				"a notification of %s that is %s reports %v, and %s is due", t.name, situation, got.amount, r.due)
			w.isInTime("a notification of "+t.name, got.at)
			w.check(got.trust <= w.d.Notify.Trust, "a notification is trusted as %q, more than Notify.Trust", got.trust)
		}
	}
}

// saysWhatCame holds the amount of a notification that the core takes in to what reading the deposit must report.
func saysWhatCame(w *world) {
	t := depositType(w.suite)
	for _, e := range t.expectations {
		if !isOneOf(e.situation, IsPaid, IsPaidAmongFailures, IsPaidLess, IsPaidMore, IsPaidInOtherCurrency) {
			continue
		}
		o, r := t.send(w)
		if !w.set(o.ref, e.situation) {
			continue
		}
		in, ok := w.notificationOf(o.ref)
		if !ok {
			continue
		}
		n, err := w.readNotification(in)
		w.ok("ReadNotification", err)
		for _, seen := range n.Events {
			if seen.IsCue() {
				continue
			}
			got, _ := reportOfDeposit(seen, nil)
			problem := e.amount(o, r, got)
			w.check(problem == "", "a notification of a deposit that is %s is believed, and reports the amount %v: %s. Where a message tells of a "+
				"part of what came, or only of what was asked for, report gateway.Processing: the core asks", e.situation, got.amount, problem)
		}
	}
}

// reportsOf are the reports of orders in a notification.
func reportsOf(n gateway.Notification) []report {
	var all []report
	for _, e := range n.Events {
		got, _ := reportOfDeposit(e, nil)
		all = append(all, got)
	}
	for _, p := range n.Payouts {
		got, _ := reportOfPayout(p, nil)
		all = append(all, got)
	}
	return all
}

// haveSameName reports whether an event has one of the names by which the core finds an order.
func haveSameName(event, known gateway.ExternalRef) bool {
	return slices.ContainsFunc(event.Names(), func(name string) bool { return slices.Contains(known.Names(), name) })
}

func unlistedIsNoError(w *world) {
	d, _ := w.startIn(IsUnlisted)
	in, ok := w.notificationOf(d.order.Ref)
	if !ok {
		return
	}
	n, err := w.readNotification(in)
	w.check(err == nil, "a notification of a status that nobody documented is no error, or the gateway would give up: %v", err)
	for _, e := range n.Events {
		w.check(e.State == gateway.Unknown, "a notification of a status that nobody documented reports %s, and must report %s",
			e.State, gateway.Unknown)
	}
}

func unknownTypeDecidesNothing(w *world) {
	if w.fake.UnknownType == nil {
		return
	}
	in, ok := w.fake.UnknownType()
	if !ok {
		return
	}
	n, err := w.readNotification(w.received(in))
	w.check(err == nil, "a message of a type that nobody documented is no error, or the gateway would give up: %v", err)
	for f := range facts(n) {
		w.check(isOneOf(f.state, states(gateway.Unknown, gateway.Waiting)...),
			"a message of a type that nobody documented reports %+v", f)
	}
}

func repliesAreRight(w *world) {
	names := [...]string{"Stored", "Duplicate", "UnknownRef", "BadSignature", "TryAgain"}
	for _, d := range gateway.Dispositions() {
		reply, name := w.acknowledge(d), names[d]
		switch d {
		case gateway.BadSignature:
			w.check(reply.Status/100 != 2, "Acknowledge(%s) answers %d: a forger would be told that it worked", name, reply.Status)
		case gateway.TryAgain:
			w.check(reply.Status/100 == 5,
				"Acknowledge(%s) answers %d: only 5xx makes every gateway send again, and a 4xx makes some give up", name, reply.Status)
		default:
			w.check(reply.Status/100 == 2,
				"Acknowledge(%s) answers %d: what is kept is acknowledged with 2xx, or the gateway sends it for ever", name,
				reply.Status)
		}
		w.check(reply.Body == "" || reply.ContentType != "", "Acknowledge(%s) has a body and no ContentType", name)
		if want, ok := w.Replies[d]; ok {
			w.check(reply == want, "Acknowledge(%s) answers %+v, and the gateway demands %+v, byte for byte", name, reply, want)
		}
	}
}
