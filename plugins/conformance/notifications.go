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

func notificationSentences(k kit) []sentence {
	list := []sentence{
		{"a notification is read without a call, by any gateway of the same configuration", readsWithoutCall},
		{"the same message has the same ID each time", sameMessageSameID},
		{"different events have different IDs", differentEventsDiffer},
		{"a hostile body never causes a panic and is never trusted", hostileBodies},
		{"random changes of a right message never cause a panic and are never trusted", randomChanges},
		{"a wrong method or content type is refused or changes nothing", wrongEnvelope},
		{"a reply says success, refusal or try again", repliesAreRight},
	}
	if k.d.Deposit != nil {
		list = append(list,
			sentence{"a notification names its order and does not contradict it", notificationNamesOrder},
			sentence{"a status that nobody documented is no error, and Unknown", unlistedIsNoError})
	}
	if k.d.Payout != nil {
		list = append(list, sentence{"a notification of a payout names it", func(w *world) { namesSending(w, payoutRail(w.kit)) }})
	}
	if k.d.Account != nil {
		list = append(list, sentence{"a notification of a transfer names it",
			func(w *world) { namesSending(w, transferRail(w.kit)) }})
	}
	return append(list,
		sentence{"a message of a type that nobody documented is no error, and decides nothing", strangeDecidesNothing})
}

func readsWithoutCall(w *world) {
	in, n := w.told() // judged by the ear
	quiet := w.on(w.open(w.config, silence{w}))
	again, err := quiet.readNotification(in)
	w.ok("ReadNotification by a gateway that was just opened", err)
	w.check(maps.Equal(facts(again), facts(n)),
		"a gateway that was just opened reads %v, and the one that started the order %v: a notification is read from its "+
			"bytes and the configuration alone", facts(again), facts(n))
}

func sameMessageSameID(w *world) {
	in, n := w.told()
	w.check(n.ID != "",
		"Notification.ID is empty: where the gateway sends none, derive it from the content (plugkit.ContentID)")
	quiet := w.on(w.open(w.config, silence{w}))
	later := 30 * time.Minute
	if w.StaleAfter > 0 {
		later = w.StaleAfter / 2
	}
	w.clock.advance(later)
	in.Arrived = w.clock.Now()
	for _, reader := range []*world{w, quiet, w} {
		again, err := reader.readNotification(in)
		w.ok("ReadNotification of a message that comes again", err)
		w.check(again.ID == n.ID, "a message that comes again has the ID %q, and had %q: a repetition would count twice",
			again.ID, n.ID)
	}
}

func differentEventsDiffer(w *world) {
	seen := map[string]string{}
	hear := func(what string, ref gateway.Ref) {
		w.t.Helper()
		in, ok := w.tells(ref)
		if !ok {
			return
		}
		n, err := w.readNotification(in)
		w.ok("ReadNotification", err)
		w.check(seen[n.ID] == "", "%s has the same ID as %s, %q: the second would be taken for a repetition", what, seen[n.ID],
			n.ID)
		seen[n.ID] = what
	}
	hear("one order's end", w.done())
	hear("another order's end", w.done())
	if w.d.Deposit != nil {
		d := w.start()
		for _, s := range []Situation{IsProcessing, IsPaid} {
			if w.set(d.order.Ref, s) {
				hear("an order that is "+string(s), d.order.Ref)
			}
		}
	}
}

func notificationNamesOrder(w *world) {
	never := map[Situation][]gateway.State{
		IsWaiting:    {gateway.Paid, gateway.OverPaid, gateway.PartPaid},
		IsProcessing: {gateway.Paid, gateway.OverPaid},
		IsPaid:       {gateway.Failed, gateway.Canceled, gateway.Expired, gateway.Waiting, gateway.PartPaid},
		IsInReview:   {gateway.Paid, gateway.OverPaid},
		IsFailed:     {gateway.Paid, gateway.OverPaid, gateway.PartPaid},
		IsCanceled:   {gateway.Paid, gateway.OverPaid, gateway.PartPaid},
		IsExpired:    {gateway.Paid, gateway.OverPaid},
		IsMarkedPaid: {gateway.Paid, gateway.OverPaid},
	}
	for situation, states := range never {
		d := w.start()
		if !w.set(d.order.Ref, situation) {
			continue
		}
		in, ok := w.tells(d.order.Ref)
		if !ok {
			continue
		}
		n, err := w.readNotification(in)
		w.ok(fmt.Sprintf("ReadNotification of a deposit that is %s", situation), err)
		for _, e := range n.Events {
			w.check(e.Ref == d.order.Ref || e.Ref == "" && isOneOf(e.External, d.started.External),
				"a notification of %s reports Ref %q and External %v: it must name the order by our reference or by what "+
					"StartDeposit gave", d.order.Ref, e.Ref, e.External)
			for _, s := range states {
				w.check(e.State != s || e.Trust < gateway.Signed, "a notification of a deposit that is %s reports %s", situation,
					e.State)
			}
			isDue := e.Paid == nil || isSame(*e.Paid, d.due())
			w.check(situation != IsPaid || e.State != gateway.Paid || isDue,
				"a notification of a deposit that is paid reports %v, and %s is due", e.Paid, d.due())
			w.check(e.Trust <= w.d.Notify.Trust, "a notification is trusted as %q, more than Notify.Trust", e.Trust)
		}
	}
}

// isOneOf reports whether one of the names that an event gives is one that a start gave.
func isOneOf(event, start gateway.ExternalRef) bool {
	if event.ID != "" && event.ID == start.ID {
		return true
	}
	for name, value := range event.Alt {
		if value != "" && start.Alt[name] == value {
			return true
		}
	}
	return false
}

func unlistedIsNoError(w *world) {
	d := w.start()
	w.mustSet(d.order.Ref, IsUnlisted)
	in, ok := w.tells(d.order.Ref)
	if !ok {
		return
	}
	n, err := w.readNotification(in)
	if err != nil {
		w.t.Errorf("a notification of a status that nobody documented is no error, or the gateway would give up: %v", err)
		return
	}
	for _, e := range n.Events {
		w.check(e.State == gateway.Unknown, "a notification of a status that nobody documented reports %s, and must report %s",
			e.State, gateway.Unknown)
	}
}

func namesSending(w *world, r rail) {
	s, report := r.sent(w)
	w.mustSet(s.ref, IsDone)
	in, ok := w.tells(s.ref)
	if !ok {
		return
	}
	n, err := w.readNotification(in)
	w.ok("ReadNotification", err)
	for _, p := range n.Payouts {
		w.check(p.Ref == s.ref || p.Ref == "" && isOneOf(p.External, report.External),
			"a notification of %s reports Ref %q and External %v", s.ref, p.Ref, p.External)
		isUndone := p.State == gateway.PayoutFailed || p.State == gateway.PayoutRejected || p.State == gateway.PayoutReturned
		w.check(!isUndone, "a notification of what is done reports %s", p.State)
	}
}

func strangeDecidesNothing(w *world) {
	if w.fake.Strange == nil {
		return
	}
	in, ok := w.fake.Strange()
	if !ok {
		return
	}
	n, err := w.readNotification(w.arrived(in))
	if err != nil {
		w.t.Errorf("a message of a type that nobody documented is no error, or the gateway would give up: %v", err)
		return
	}
	for f := range facts(n) {
		isUndecided := f.state == string(gateway.Unknown) || f.state == string(gateway.Waiting)
		w.check(isUndecided, "a message of a type that nobody documented reports %+v", f)
	}
}

// hostile are bodies that no gateway sends.
func hostile() map[string][]byte {
	return map[string][]byte{
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
}

func hostileBodies(w *world) {
	in, n := w.told()
	for what, body := range hostile() {
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
	in, n := w.told()
	dice := rand.New(rand.NewPCG(20260302, 7))
	for range 500 {
		changed := in
		changed.Body = mutated(dice, in.Body)
		if !w.isHarmless(fmt.Sprintf("its body changed to %.200q", changed.Body), changed, n) {
			return
		}
	}
}

func mutated(dice *rand.Rand, body []byte) []byte {
	b := bytes.Clone(body)
	for range 1 + dice.IntN(4) {
		if len(b) == 0 {
			return b
		}
		from := dice.IntN(len(b))
		to := min(len(b), from+1+dice.IntN(16))
		switch dice.IntN(4) {
		case 0:
			b[from] = byte(dice.IntN(256))
		case 1:
			b = append(b[:from], b[to:]...)
		case 2:
			b = append(b[:to:to], b[from:]...)
		default:
			b = append(b[:from:from], append([]byte(`":{[null,-1e9,"`)[:1+dice.IntN(14)], b[from:]...)...)
		}
	}
	return b
}

func wrongEnvelope(w *world) {
	in, n := w.told()
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

// nameOf is a disposition in words.
func nameOf(d gateway.Disposition) string {
	return [...]string{"Stored", "Duplicate", "UnknownRef", "BadSignature", "TryAgain"}[d]
}

func repliesAreRight(w *world) {
	for _, d := range gateway.Dispositions() {
		reply, name := w.acknowledge(d), nameOf(d)
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
