package ccpayment_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/conformance"
)

// newFake returns the brand to the conformance kit.
func newFake(_ testing.TB, c gateway.Config, now func() time.Time) conformance.Fake {
	b := newBrand(c.Text, now)
	return conformance.Fake{
		Handler: b, Set: b.set, Notification: b.notification, Deposits: b.deposits,
		Mutations: func() int {
			b.mu.Lock()
			defer b.mu.Unlock()
			return b.writes
		},
		Addresses: func(ref gateway.Ref) (back, notify string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if o := b.byInvoice(string(ref)); o != nil {
				back = o.back
			}
			return back, ""
		},
		EndSessions: func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			clear(b.tokens)
		},
		RefuseCredentials: func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.isShut = true
		},
	}
}

func (b *brand) deposits(ref gateway.Ref) []gateway.Money {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []gateway.Money
	for _, o := range b.orders {
		if o.invoice == string(ref) {
			all = append(all, gateway.Money{Amount: money.MustDecimal(fmt.Sprintf("%d.%02d", o.kurus/100, o.kurus%100)), Asset: gateway.TRY})
		}
	}
	return all
}

// tries has the customer enter a card.
func (o *order) try(state string, code int) {
	if o.tries++; o.state == "Completed" && code != 100 { // a card that fails after the one that paid changes nothing
		return
	}
	o.state, o.code, o.charged = state, code, o.kurus
	if o.bank = ""; code == 41 {
		o.bank = "51"
	}
}

// set brings an order into a situation.
func (b *brand) set(ref gateway.Ref, s conformance.Situation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.byInvoice(string(ref))
	if o == nil {
		if s == conformance.StartIsRefused {
			b.refuses[string(ref)] = true
		}
		return s == conformance.StartIsRefused
	}
	paid := func() {
		if o.state != "Completed" {
			o.try("Completed", 100)
		}
	}
	situations := map[conformance.Situation]func(){
		conformance.IsWaiting:    func() { o.state = "" },
		conformance.IsProcessing: func() { o.try("Pending", 100) },
		conformance.IsPaid:       func() { o.try("Completed", 100) },
		conformance.IsPaidLess:   func() { paid(); o.charged /= 2 },
		conformance.IsPaidMore:   func() { paid(); o.charged += o.charged / 2 },
		conformance.IsFailed:     func() { o.try("Failed", 41) },
		conformance.IsUnlisted:   func() { o.try("Partly Cloudy", 100) },
		conformance.IsPaidAmongFailures: func() {
			o.try("Failed", 41)
			o.try("Completed", 100)
			o.try("Failed", 41)
		},
		conformance.IsRefunded:      func() { paid(); o.giveBack(o.charged) },
		conformance.IsPartRefunded:  func() { paid(); o.giveBack(o.charged / 5) },
		conformance.IsDisputed:      func() { paid(); o.state = "Chargeback Requested" },
		conformance.IsPastVoidTime:  func() { paid(); o.isOld = true },
		conformance.RefundIsPending: func() { paid(); o.isPending = true },
	}
	change, isKnown := situations[s]
	if isKnown {
		change()
	}
	return isKnown
}

// lacks is what this dialect does not have, or what no source tells how it looks.
var lacks = map[conformance.Situation]string{
	conformance.IsOfOtherMode:         "the brands' test systems are other hosts, with keys of their own",
	conformance.IsNotFound:            "there is one code for an order that is not known and one that nobody has tried to pay",
	conformance.IsPaidInOtherCurrency: "an answer has no currency; that of the page is sealed, and only the lira is ever asked for",
	conformance.IsInReview:            "no source shows a payment that is held",
	conformance.IsCanceled:            "a customer who leaves is told as a failure",
	conformance.IsExpired:             "no source shows a page that has ended",
	conformance.IsMarkedPaid:          "nobody marks an order by hand",
	conformance.RefundFails:           "a refund that a person did not carry out looks like one that waits",
}

func (b *brand) inbound(contentType string, body []byte) gateway.Inbound {
	return gateway.Inbound{
		Method: "POST", Path: "/hook/ccpayment", Body: body, Peer: netip.MustParseAddr("203.0.113.40"), Arrived: b.now(),
		Header: gateway.Header{{Name: "Content-Type", Value: contentType}},
	}
}

func (b *brand) posted(f url.Values) gateway.Inbound {
	return b.inbound("application/x-www-form-urlencoded", []byte(f.Encode()))
}

// notification is what the brand posts: of a sale or a refund a form, of a chargeback JSON.
func (b *brand) notification(ref gateway.Ref) (gateway.Inbound, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.byInvoice(string(ref))
	switch {
	case o == nil || o.state == "" || o.state == "Pending":
		return gateway.Inbound{}, false
	case o.state == "Chargeback Requested":
		body, err := json.Marshal(object{
			"action": "Chargeback Request", "previous_trx_status": "Completed", "current_trx_status": o.state, "invoice_id": o.invoice,
			"order_id": o.order, "amount": lira(o.charged), "currency": "TRY", "event_date": "2026-05-06 09:34:36", "ref_no": "REF789",
			"hash_key": b.sealed(o.state, o.total(), o.invoice, o.order, "TRY"),
		})
		return b.inbound("application/json", body), err == nil
	case o.back100 > 0:
		return b.posted(url.Values{
			"invoice_id": {o.invoice}, "order_id": {o.order}, "amount": {string(lira(o.back100))}, "status": {"Completed"},
			"hash_key": {b.sealed("Completed", string(lira(o.back100)), o.invoice, o.order)},
		}), true
	}
	return b.posted(b.sale(o)), true
}

func (o *order) total() string { return fmt.Sprintf("%d.%02d", o.kurus/100, o.kurus%100) }

// sale is what is posted of a card that was tried, by the brand and, in the same form, by the customer's browser.
func (b *brand) sale(o *order) url.Values {
	status, isPaid := o.state, "0"
	switch o.state {
	case "Completed":
		status, isPaid = "1", "1"
	case "Failed":
		status = "0"
	}
	return url.Values{
		"sipay_status": {isPaid}, "order_no": {o.order}, "order_id": {o.order}, "invoice_id": {o.invoice}, "status_code": {fmt.Sprint(o.code)},
		"status_description": {"Approved"}, "sipay_payment_method": {"1"}, "credit_card_no": {"450803****4509"}, "transaction_type": {"Auth"},
		"payment_status": {isPaid}, "payment_method": {"1"}, "error_code": {fmt.Sprint(o.code)}, "error": {"Approved"}, "status": {o.state},
		"hash_key": {b.sealed(status, o.total(), o.invoice, o.order, "TRY")},
	}
}
