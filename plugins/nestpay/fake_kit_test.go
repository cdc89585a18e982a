package nestpay_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
)

// newFake returns the bank to the conformance kit.
func newFake(_ testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
	b := newBank(c.Text, now)
	return conformance.Fake{
		Handler: b, Deposits: b.deposits, Set: b.set, Notification: b.notification, Return: b.comeBack,
		Mutations: func() int {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.writes
		},
		Addresses: func(ref gateway.Ref) (back, notify string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if o := b.byOID(string(ref)); o != nil {
				back, notify = o.okURL, o.callbackURL
			}
			return back, notify
		},
		RefuseCredentials: func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.isShut = true
		},
	}
}

// set brings an order into a situation.
func (b *bank) set(ref gateway.Ref, s conformance.Situation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.byOID(string(ref))
	if o == nil {
		return false
	}
	paid := func() *line {
		for _, l := range o.lines {
			if l.kind == "S" && l.code == "00" {
				return l
			}
		}
		return b.charge(o, "C", "00")
	}
	situations := map[conformance.Situation]func(){
		conformance.IsWaiting:    func() { o.lines = nil },
		conformance.IsProcessing: func() { b.charge(o, "PN", "") },
		conformance.IsPaid:       func() { b.charge(o, "C", "00") },
		conformance.IsPaidLess:   func() { l := b.charge(o, "C", "00"); l.kurus /= 2 },
		conformance.IsPaidMore:   func() { l := b.charge(o, "C", "00"); l.kurus += l.kurus / 2 },
		conformance.IsFailed:     func() { b.charge(o, "D", "51") },
		conformance.IsUnlisted:   func() { b.charge(o, "PARTLY", "00") },
		conformance.IsCanceled:   func() { b.charge(o, "CNCL", "00") },
		conformance.IsPaidAmongFailures: func() {
			b.charge(o, "D", "51")
			b.charge(o, "C", "00")
			b.charge(o, "ERR", "99")
		},
		conformance.IsRefunded:     func() { paid().status = "V" },
		conformance.IsPartRefunded: func() { l := paid(); o.lines = append(o.lines, &line{"C", "C", "00", b.id(), l.kurus / 5}) },
		conformance.IsPastVoidTime: func() { paid(); o.isOld = true },
	}
	change, isKnown := situations[s]
	if isKnown {
		change()
	}
	return isKnown
}

// lacks is what this platform does not have, or what no source tells how it looks.
var lacks = map[conformance.Situation]string{
	conformance.IsOfOtherMode:         "test banks are other hosts, with store keys of their own",
	conformance.IsNotFound:            "the bank knows no order before a card was tried, so that one whose form was given out waits",
	conformance.IsPaidInOtherCurrency: "a history has no currency; that of the form is signed, and only the lira is ever asked for",
	conformance.IsInReview:            "no recorded answer shows a payment that is held",
	conformance.IsExpired:             "a form has no end",
	conformance.IsDisputed:            "a chargeback shows in no recorded answer",
	conformance.IsMarkedPaid:          "nobody marks an order by hand",
	conformance.StartIsRefused:        "a start reaches no network",
	conformance.RefundIsPending:       "a refund is answered once, done or refused",
	conformance.RefundFails:           "a refund is answered once, done or refused",
}

func (b *bank) inbound(fields map[string]string) gateway.Inbound {
	return gateway.Inbound{
		Method: "POST", Path: "/hook/nestpay", Body: encode(fields), Peer: netip.MustParseAddr("203.0.113.40"), Arrived: b.now(),
		Header: gateway.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}},
	}
}

// notification is what the bank posts to callbackUrl once a card was tried.
func (b *bank) notification(ref gateway.Ref) (gateway.Inbound, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.byOID(string(ref))
	if o == nil || len(o.lines) == 0 || o.lines[len(o.lines)-1].status == "PN" {
		return gateway.Inbound{}, false
	}
	return b.inbound(b.result(o)), true
}

// comeBack is what the browser posts: a failure in 3-D Secure where no card was charged.
func (b *bank) comeBack(ref gateway.Ref) (gateway.Inbound, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.byOID(string(ref))
	if o == nil {
		return gateway.Inbound{}, false
	}
	return b.inbound(b.result(o)), true
}
