package main

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// truth is what really happened, whatever Vezne believes: what the bank received and paid, what receivers heard, what was
// answered.
type truth struct {
	answered map[string][]answer      // by the idempotency key of who asked
	again    []string                 // references that were ordered although the bank had them
	paid     map[string]money.Decimal // the most that the bank ever had for a gateway's order, by reference
	told     map[string]string        // the last state that Vezne acknowledged to have been told, by reference
	byHand   map[core.ID]int          // how often staff have paid a withdrawal
	heard    map[string][]heard       // callbacks that receivers heard, by tracking code
	together map[core.ID]bool         // refunds, and payments, that two people have decided on
	alone    map[string]int64         // what was given back by one person alone, by the person and day
	clicks   map[core.ID]int          // how many refunds were asked for, by payment
	reversed map[string]time.Time     // when a line was taken back at the bank
	isDown   bool                     // receivers do not answer
	twice    bool                     // the next notification comes twice
	astray   bool                     // the next notification comes to where another gateway's should
}

// answer is the tracking code that a request was answered with.
type answer struct {
	code string
	at   time.Time
}

// heard is one callback as its receiver heard it.
type heard struct {
	id     string // X-Callback-Id
	status payment.Status
	amount string
}

func newTruth() truth {
	return truth{
		answered: map[string][]answer{}, paid: map[string]money.Decimal{}, told: map[string]string{},
		byHand: map[core.ID]int{}, heard: map[string][]heard{}, alone: map[string]int64{}, clicks: map[core.ID]int{}, together: map[core.ID]bool{}, reversed: map[string]time.Time{},
	}
}

// tell keeps the state of which Vezne has acknowledged to be told.
func (t *truth) tell(body []byte) {
	var e bank.Event
	if json.Unmarshal(body, &e) != nil {
		return
	}
	switch {
	case e.Deposit != nil:
		t.told[e.Deposit.Reference] = e.Deposit.Status
	case e.Payout != nil:
		t.told[e.Payout.Reference] = e.Payout.Status
	case e.Transfer != nil:
		t.told[e.Transfer.Reference] = e.Transfer.Status
	}
}

// hear is a receiver that hears a callback.
func (w *World) hear(_ string, m payment.CallbackMessage) {
	var body struct {
		TrackingCode string         `json:"tracking_code"`
		Status       payment.Status `json:"status"`
		Amount       json.Number    `json:"amount"`
	}
	if json.Unmarshal(m.Body, &body) != nil {
		w.fail("callbacks", "a callback is no JSON: %s", m.Body)
		return
	}
	h := heard{status: body.Status, amount: body.Amount.String()}
	for _, header := range m.Headers {
		if strings.EqualFold(header.Name, "X-Callback-Id") {
			h.id = header.Value
		}
	}
	before := w.truth.heard[body.TrackingCode]
	w.truth.heard[body.TrackingCode] = append(before, h)
	w.checkHeard(body.TrackingCode, before, h)
}

// state is what all banks have.
func (w *World) state() bank.State {
	s := w.banks[0].State()
	for _, other := range w.banks[1:] {
		o := other.State()
		s.Deposits, s.Payouts, s.Accounts = append(s.Deposits, o.Deposits...), append(s.Payouts, o.Payouts...), append(s.Accounts, o.Accounts...)
	}
	return s
}

// look takes in what the banks have by now.
func (w *World) look() bank.State {
	s := w.state()
	for _, d := range s.Deposits {
		if d.Paid == nil || d.Paid.Currency != money.TRY.Code {
			continue
		}
		if most := w.truth.paid[d.Reference]; d.Paid.Value.Cmp(most) > 0 {
			w.truth.paid[d.Reference] = d.Paid.Value
		}
	}
	for _, a := range s.Accounts {
		for _, l := range a.Lines {
			if _, isKnown := w.truth.reversed[l.Reverses]; l.Reverses != "" && !isKnown {
				w.truth.reversed[l.Reverses] = l.BookedAt
			}
		}
	}
	return s
}

// line finds a line in what the bank has.
func lineIn(s bank.State, id string) (bank.Line, bool) {
	for _, a := range s.Accounts {
		for _, l := range a.Lines {
			if l.ID == id {
				return l, true
			}
		}
	}
	return bank.Line{}, false
}

// orderOf is the deposit of the gateway that a line's text names.
func orderOf(s bank.State, text string) string {
	for _, d := range s.Deposits {
		isNamed := strings.Contains(text, d.Reference) || d.Next.Pay != nil && strings.Contains(text, d.Next.Pay.Reference)
		if text != "" && isNamed {
			return d.Reference
		}
	}
	return ""
}

// isReturned reports whether the bank says that a payment's money came or went back.
func isReturned(status string) bool {
	return status == bank.Returned || status == bank.Disputed || status == bank.Reversed
}

// minorOf is a decimal amount in kuruş.
func minorOf(d money.Decimal) int64 {
	a, err := d.Amount(money.TRY)
	if err != nil {
		return 0
	}
	return a.Minor()
}

// isLira reports whether money is in TRY.
func isLira(m gateway.Money) bool { return m.Asset == gateway.TRY }
