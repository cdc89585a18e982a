package akbank_test

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// newFake returns the bank to the conformance kit.
func newFake(_ testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
	b := newBank(c.Text, now)
	return conformance.Fake{
		Handler: b, Deposits: b.deposits, Set: b.set, Return: b.comeBack,
		Mutations: func() int {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.writes
		},
		Addresses: func(ref gateway.Ref) (back, notify string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if o := b.byID(string(ref)); o != nil {
				back = o.back
			}
			return back, ""
		},
		RefuseCredentials: func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.isShut = true
		},
	}
}

func (b *bank) deposits(ref gateway.Ref) []gateway.Money {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []gateway.Money
	for _, o := range b.orders {
		if o.id == string(ref) {
			all = append(all, gateway.Money{Amount: money.MustDecimal(o.amount), Asset: gateway.TRY})
		}
	}
	return all
}

// set brings an order into a situation.
func (b *bank) set(ref gateway.Ref, s conformance.Situation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.byID(string(ref))
	if o == nil {
		return false
	}
	const done, declined = "VPS-0000", "VPS-1005"
	paid := func() *line {
		for _, l := range o.lines {
			if l.txn == "1000" && l.code == done {
				return l
			}
		}
		return b.charge(o, "N", done)
	}
	situations := map[conformance.Situation]func(){
		conformance.IsWaiting:             func() { o.lines = nil },
		conformance.IsProcessing:          func() { b.charge(o, "N", "") },
		conformance.IsPaid:                func() { b.charge(o, "N", done) },
		conformance.IsPaidLess:            func() { b.charge(o, "N", done).kurus /= 2 },
		conformance.IsPaidMore:            func() { l := b.charge(o, "N", done); l.kurus += l.kurus / 2 },
		conformance.IsPaidInOtherCurrency: func() { b.charge(o, "N", done).currency = 840 },
		conformance.IsFailed:              func() { b.charge(o, "N", declined) },
		conformance.IsUnlisted:            func() { b.charge(o, "Q", done) },
		conformance.IsCanceled:            func() { b.charge(o, "R", "") },
		conformance.IsPaidAmongFailures: func() {
			b.charge(o, "N", declined)
			b.charge(o, "N", done)
			b.charge(o, "N", declined)
		},
		conformance.IsRefunded:     func() { paid().status = "V" },
		conformance.IsPartRefunded: func() { o.lines = append(o.lines, b.line("1002", "N", done, paid().kurus/5)) },
	}
	change, isKnown := situations[s]
	if isKnown {
		change()
	}
	return isKnown
}

// lacks is what this bank does not have, or what no source tells how it looks.
var lacks = map[conformance.Situation]string{
	conformance.IsOfOtherMode:   "the test system is another host, with keys of its own",
	conformance.IsNotFound:      "the bank knows no order before a card was tried, so that one whose form was given out waits",
	conformance.IsInReview:      "no recorded answer shows a payment that is held",
	conformance.IsExpired:       "no source says when a form ends",
	conformance.IsDisputed:      "a chargeback shows in no recorded answer",
	conformance.IsMarkedPaid:    "nobody marks an order by hand",
	conformance.IsPastVoidTime:  "no source records how a refund is refused that comes too late",
	conformance.StartIsRefused:  "a start reaches no network",
	conformance.RefundIsPending: "a refund is answered once, done or refused",
	conformance.RefundFails:     "a refund is answered once, done or refused",
}

func (b *bank) inbound(form url.Values) gateway.Inbound {
	return gateway.Inbound{
		Method: "POST", Path: "/return/9f8c2d7be1a04c55", Body: []byte(form.Encode()), Peer: netip.MustParseAddr("203.0.113.40"),
		Arrived: b.now(), Header: gateway.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}},
	}
}

// comeBack is what the browser posts: a failure in 3-D Secure where no card was charged.
func (b *bank) comeBack(ref gateway.Ref) (gateway.Inbound, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.byID(string(ref))
	if o == nil {
		return gateway.Inbound{}, false
	}
	return b.inbound(b.result(o)), true
}

// signed adds the list of the fields that have a value, and the hash over them.
func (b *bank) signed(fields ...[2]string) url.Values {
	form, names, text := url.Values{}, []string{}, ""
	for _, f := range fields {
		if form.Set(f[0], f[1]); f[1] != "" {
			names, text = append(names, f[0]), text+f[1]
		}
	}
	form.Set("hashParams", strings.Join(names, "+"))
	form.Set("hash", b.mac(text))
	return form
}

// result is the form that the bank has the browser post to okUrl or failUrl.
func (b *bank) result(o *order) url.Values {
	if len(o.lines) == 0 {
		code := o.failed
		if code == "" {
			code = "VPS-1279"
		}
		return b.signed([2]string{"txnCode", ""}, [2]string{"responseCode", code}, [2]string{"responseMessage", "BKM 3DS Server Doğrulama Başarısız"},
			[2]string{"hostResponseCode", ""}, [2]string{"hostMessage", ""}, [2]string{"merchantSafeId", ""}, [2]string{"terminalSafeId", ""},
			[2]string{"orderId", o.id})
	}
	l := o.lines[len(o.lines)-1]
	text := "BAŞARILI"
	if l.code != "VPS-0000" {
		text = "Provizyon Hatası"
	}
	return b.signed([2]string{"txnCode", l.txn}, [2]string{"responseCode", l.code}, [2]string{"responseMessage", text},
		[2]string{"hostResponseCode", l.host}, [2]string{"hostMessage", l.text}, [2]string{"txnDateTime", b.stamp(l.at)},
		[2]string{"merchantSafeId", b.merchant}, [2]string{"terminalSafeId", b.terminal}, [2]string{"orderId", o.id},
		[2]string{"authCode", "306460"}, [2]string{"rrn", l.rrn}, [2]string{"batchNumber", "43"}, [2]string{"stan", "90"},
		[2]string{"pcbRewardDesc", ""})
}
