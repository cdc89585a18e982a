package conformance

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

func notificationCases(s suite) []testCase {
	list := []testCase{
		{"a notification is read without a call, by any gateway of the same configuration", readsWithoutCall},
		{"the same message has the same ID each time", sameMessageSameID},
		{"different events have different IDs", differentEventsDiffer},
		{"a hostile body never causes a panic and is never trusted", hostileBodies},
		{"random changes of a right message never cause a panic and are never trusted", randomChanges},
		{"a wrong method or content type is refused or changes nothing", wrongEnvelope},
		{"a reply says success, refusal or try again", repliesAreRight},
		{"a message of a type that nobody documented is no error, and decides nothing", unknownTypeDecidesNothing},
	}
	for _, o := range s.orderTypes() {
		list = append(list, testCase{"a notification of " + o.name + " names it and does not contradict it", o.isNamedIn})
	}
	if s.d.Deposit != nil {
		list = append(list, testCase{"a status that nobody documented is no error, and Unknown", unlistedIsNoError})
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
	w.clock.advance(later)
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
		for _, s := range []Situation{IsProcessing, IsPaid} {
			if w.set(d.order.Ref, s) {
				isNew("an order that is "+string(s), d.order.Ref)
			}
		}
	}
}

// isNamedIn checks notifications of an order in each situation that has a contradiction.
func (t orderType) isNamedIn(w *world) {
	for situation, never := range t.contradictions {
		o, r := t.send(w)
		if !w.set(o.ref, situation) {
			continue
		}
		in, ok := w.notificationOf(o.ref)
		if !ok {
			continue
		}
		n, err := w.readNotification(in)
		w.ok(fmt.Sprintf("ReadNotification of %s that is %s", t.name, situation), err)
		for _, got := range reportsOf(n) {
			w.check(got.ref == o.ref || got.ref == "" && haveSameName(got.external, r.external),
				"a notification of %s reports Ref %q and External %v: it must name the order by our reference or by what sending "+
					"it gave", o.ref, got.ref, got.external)
			w.check(!isOneOf(got.state, never...), "a notification of %s that is %s reports %s", t.name, situation, got.state)
			isDue := got.amount == nil || o.isFor(r, *got.amount)
			w.check(situation != t.final || got.state != t.finalState || isDue,
				"a notification of %s that is %s reports %v, and %s is due", t.name, situation, got.amount, r.due)
			w.check(got.trust <= w.d.Notify.Trust, "a notification is trusted as %q, more than Notify.Trust", got.trust)
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

// haveSameName reports whether an event has one of the names that the answer to its order had.
func haveSameName(event, sent gateway.ExternalRef) bool {
	if event.ID != "" && event.ID == sent.ID {
		return true
	}
	for name, value := range event.Alt {
		if value != "" && sent.Alt[name] == value {
			return true
		}
	}
	return false
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

// hostile are bodies that no gateway sends.
var hostile = map[string][]byte{
	"nothing":               nil,
	"a blank":               []byte(" "),
	"a megabyte of letters": bytes.Repeat([]byte("a"), 1<<20),
	"a megabyte of JSON":    []byte(`{"a":"` + strings.Repeat("b", 1<<20) + `"}`),
	"deep arrays":           []byte(strings.Repeat("[", 100_000)),
	"deep objects":          []byte(strings.Repeat(`{"a":`, 50_000) + "1" + strings.Repeat("}", 50_000)),
	"an array":              []byte(`[]`),
	"an array of nulls":     []byte(`[null,null]`),
	"null":                  []byte(`null`),
	"a number":              []byte(`1e999999999`),
	"an empty object":       []byte(`{}`),
	"objects for texts":     []byte(`{"id":{},"status":{},"amount":{},"type":[],"data":null,"payment":7}`),
	"numbers for texts":     []byte(`{"id":1,"status":2,"amount":1e400,"currency":3,"type":4,"data":5}`),
	"broken UTF-8":          []byte("{\"id\":\"\xff\xfe\",\"status\":\"\xc3\x28\"}"),
	"NUL bytes":             []byte("{\"id\":\"a\\u0000b\",\"status\":\"\x00\"}"),
	"half an object":        []byte(`{"id":"1","status":`),
	"a form":                []byte(claims),
	"a broken form":         []byte("%zz=%1&&=&;"),
	"XML":                   []byte(`<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`),
}

func hostileBodies(w *world) {
	in, n := w.signedNotification()
	for what, body := range hostile {
		changed := in
		changed.Body = body
		w.isHarmless("the body "+what, changed, n)
		changed.Header = nil
		w.isHarmless("no headers and the body "+what, changed, n)
		changed.Query = joined(changed.Query, "%zz=;&"+claims)
		w.isHarmless("a broken query and the body "+what, changed, n)
	}
}

// randomChanges changes a right message the same way in every run.
func randomChanges(w *world) {
	in, n := w.signedNotification()
	random := rand.New(rand.NewPCG(20260302, 7))
	for range 500 {
		changed := in
		changed.Body = randomlyChanged(random, in.Body)
		if !w.isHarmless(fmt.Sprintf("its body changed to %.200q", changed.Body), changed, n) {
			return
		}
	}
}

func randomlyChanged(random *rand.Rand, body []byte) []byte {
	b := bytes.Clone(body)
	for range 1 + random.IntN(4) {
		if len(b) == 0 {
			return b
		}
		from := random.IntN(len(b))
		to := min(len(b), from+1+random.IntN(16))
		switch random.IntN(4) {
		case 0:
			b[from] = byte(random.IntN(256))
		case 1:
			b = append(b[:from], b[to:]...)
		case 2:
			b = append(b[:to:to], b[from:]...)
		default:
			b = append(b[:from:from], append([]byte(`":{[null,-1e9,"`)[:1+random.IntN(14)], b[from:]...)...)
		}
	}
	return b
}

func wrongEnvelope(w *world) {
	in, n := w.signedNotification()
	for _, method := range []string{"GET", "PUT", "DELETE", "", "POST\r\n"} {
		changed := in
		changed.Method = method
		w.isHarmless(fmt.Sprintf("the method %q", method), changed, n)
	}
	for i, f := range in.Header {
		if !strings.EqualFold(f.Name, "Content-Type") {
			continue
		}
		for _, kind := range []string{"", "text/html", "application/xml", "multipart/form-data; boundary=x", "\xff"} {
			changed := in
			changed.Header = withHeader(in.Header, i, kind)
			w.isHarmless(fmt.Sprintf("the content type %q", kind), changed, n)
		}
	}
}

func repliesAreRight(w *world) {
	names := [...]string{"Stored", "Duplicate", "UnknownRef", "BadSignature", "TryAgain"}
	for _, d := range gateway.Dispositions() {
		reply, name := w.acknowledge(d), names[d]
		isSuccess := reply.Status >= 200 && reply.Status < 300
		switch d {
		case gateway.Stored, gateway.Duplicate, gateway.UnknownRef:
			w.check(isSuccess, "Acknowledge(%s) answers %d: what is kept is acknowledged with 2xx, or the gateway sends it for ever",
				name, reply.Status)
		case gateway.BadSignature:
			w.check(!isSuccess, "Acknowledge(%s) answers %d: a forger would be told that it worked", name, reply.Status)
		case gateway.TryAgain:
			w.check(reply.Status >= 500 && reply.Status < 600,
				"Acknowledge(%s) answers %d: only 5xx makes every gateway send again, and a 4xx makes some give up", name, reply.Status)
		}
		w.check(reply.Body == "" || reply.ContentType != "", "Acknowledge(%s) has a body and no ContentType", name)
		if want, ok := w.Replies[d]; ok {
			w.check(reply == want, "Acknowledge(%s) answers %+v, and the gateway demands %+v, byte for byte", name, reply, want)
		}
	}
}
