package garanti_test

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
			kurus := money.MustDecimal(o.amount)
			all = append(all, gateway.Money{Amount: kurus.QuoUp(money.MustDecimal("100"), 2), Asset: gateway.TRY})
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
	paid := func() *line {
		if l := o.sale(); l != nil {
			return l
		}
		return b.charge(o, "00")
	}
	situations := map[conformance.Situation]func(){
		conformance.IsWaiting:             func() { o.lines = nil },
		conformance.IsPaid:                func() { b.charge(o, "00") },
		conformance.IsPaidLess:            func() { b.charge(o, "00").kurus /= 2 },
		conformance.IsPaidMore:            func() { l := b.charge(o, "00"); l.kurus += l.kurus / 2 },
		conformance.IsPaidInOtherCurrency: func() { b.charge(o, "00").currency = "840" },
		conformance.IsFailed:              func() { b.charge(o, "01") },
		conformance.IsUnlisted:            func() { b.charge(o, "77") },
		conformance.IsPaidAmongFailures: func() {
			b.charge(o, "01")
			b.charge(o, "00")
			b.charge(o, "01")
		},
		conformance.IsRefunded:     func() { paid().void = b.today() },
		conformance.IsPartRefunded: func() { o.lines = append(o.lines, b.line("refund", "00", paid().kurus/5)) },
	}
	change, isKnown := situations[s]
	if isKnown {
		change()
	}
	return isKnown
}

// lacks is what this bank does not have, or what no source tells how it looks.
var lacks = map[conformance.Situation]string{
	conformance.IsOfOtherMode:   "the test system is another host, with passwords of its own",
	conformance.IsNotFound:      "the bank knows no order before a card was tried, so that one whose form was given out waits",
	conformance.IsProcessing:    "no recorded answer shows a card that is not decided",
	conformance.IsCanceled:      "no recorded answer shows an order that was canceled before it was paid",
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

// signedForm adds the list of the fields, and the hash over them.
func (b *bank) signedForm(fields ...[2]string) url.Values {
	form, names, text := url.Values{}, "", ""
	for _, f := range fields {
		form.Set(f[0], f[1])
		names, text = names+f[0]+":", text+f[1]
	}
	form.Set("hashparams", names)
	form.Set("hashparamsval", text)
	form.Set("hash", upper512(text+b.setting("store_key")))
	return form
}

// result is the form that the bank has the browser post to successurl or errorurl.
func (b *bank) result(o *order) url.Values {
	md, code, response, auth := "1", "00", "Approved", "304919"
	switch {
	case len(o.lines) == 0:
		md, code, response, auth = "0", "", "", ""
		if o.mdstatus != "" {
			md = o.mdstatus
		}
	case o.lines[len(o.lines)-1].status != "00":
		code, response, auth = o.lines[len(o.lines)-1].code, "Declined", " "
	}
	form := b.signedForm([2]string{"clientid", b.setting("terminal_id")}, [2]string{"oid", o.id}, [2]string{"authcode", auth},
		[2]string{"procreturncode", code}, [2]string{"response", response}, [2]string{"mdstatus", md}, [2]string{"cavv", "xgRWtC2UAAAAAAAAAAAAAAAAAAA="},
		[2]string{"eci", "02"}, [2]string{"md", "aW5kZXg6MDIY+n8="}, [2]string{"rnd", "pfEyUZI0g2djbK4UiqKx"})
	for _, f := range strings.Fields("orderid=" + o.id + " txnamount=" + o.amount + " txncurrencycode=949 mode=PROD txntype=sales secure3dsecuritylevel=3D_OOS_PAY") {
		name, value, _ := strings.Cut(f, "=")
		form.Set(name, value)
	}
	return form
}
