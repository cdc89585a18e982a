package bank

import (
	"time"

	"github.com/vezne/vezne/core/money"
)

// Statuses of a payout or transfer, beside Failed and Canceled.
const (
	Queued        = "queued"
	NeedsApproval = "needs_approval"
	Sent          = "sent"
	Done          = "done"
	Rejected      = "rejected" // by the payee's bank
	Returned      = "returned" // done once, and the money came back
)

// Payout is a payout, or a transfer from an account, as the API gives it.
type Payout struct {
	ID        string    `json:"id"`
	Reference string    `json:"reference"`
	Kind      string    `json:"kind"`
	AccountID string    `json:"account_id,omitempty"` // of a transfer
	Status    string    `json:"status"`
	Amount    Money     `json:"amount"` // as ordered, in TRY
	Sent      *Money    `json:"sent,omitempty"`
	Fee       *Money    `json:"fee,omitempty"`
	To        Party     `json:"to"`
	Proof     string    `json:"proof,omitempty"` // the transaction's hash, or the bank's query number
	Reason    *Reason   `json:"reason,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

type payout struct {
	Payout
	order      payoutOrder // as it was sent, to know it again
	scenario   scenario
	script     int
	wrongCodes int
	line       *Line // of a transfer that was booked
}

// payoutOrder asks for a payout or a transfer.
type payoutOrder struct {
	Reference string `json:"reference"`
	Kind      string `json:"kind"`
	AccountID string `json:"account_id"`
	Amount    Money  `json:"amount"`
	Currency  string `json:"currency"` // of the coin that is sent: crypto
	Network   string `json:"network"`
	To        Party  `json:"to"`
	Text      string `json:"text"`
	key       string
}

// payoutScenarios are the rows of payouts and transfers.
func payoutScenarios() []scenario {
	return []scenario{
		{code: "00", title: "done at once", steps: []step{{when: atOnce, status: Done}}},
		{code: "01", title: "waits for the code 123456, then done; rejected after five wrong ones",
			steps: []step{{when: atOnce, status: NeedsApproval}}},
		{code: "02", title: "queued, sent after 2 seconds, done after 5", steps: []step{
			{when: atOnce, status: Queued}, {when: in(2 * time.Second), status: Sent}, {when: in(5 * time.Second), status: Done}}},
		{code: "10", title: "refused: no funds at the gateway", refused: "no_funds"},
		{code: "11", title: "sent; rejected by the payee's bank after 2 seconds", steps: []step{
			{when: atOnce, status: Sent}, {when: in(2 * time.Second), status: Rejected, reason: "recipient_rejected"}}},
		{code: "12", title: "refused: the name is not the account's", refused: "name_mismatch"},
		{code: "13", title: "refused: there is no such recipient", refused: "invalid_recipient"},
		{code: "14", title: "refused: over the limit", refused: "limit_exceeded"},
		{code: "16", title: "sent; done after two minutes",
			steps: []step{{when: atOnce, status: Sent}, {when: in(2 * time.Minute), status: Done}}},
		{code: "17", title: "sent; failed after two minutes", steps: []step{
			{when: atOnce, status: Sent}, failed(in(2*time.Minute), "issuer_unavailable")}},
		{code: "35", title: "done; returned a day later", steps: []step{
			{when: atOnce, status: Done}, {when: in(24 * time.Hour), status: Returned, reason: "account_closed"}}},
	}
}

// payoutFee is what each payout and transfer costs.
const payoutFee = "2.50"

// start begins a payout. The caller holds b.mu.
func (b *Bank) startPayout(o payoutOrder, sc scenario, at time.Time) *payout {
	fee := ofLira(money.MustDecimal(payoutFee))
	p := &payout{order: o, scenario: sc, Payout: Payout{
		ID: b.id("po", o.Reference), Reference: o.Reference, Kind: o.Kind, AccountID: o.AccountID, Status: Queued,
		Amount: o.Amount, Fee: &fee, To: o.To, CreatedAt: at, UpdatedAt: at,
	}}
	b.payouts.add(p.Reference, p)
	b.changes++
	if a, ok := b.account(o.AccountID); ok {
		a.hold(p.Reference, p.Amount, at)
	}
	if _, isChosen := b.outcomes[o.Reference]; isChosen || !b.config.ByHand {
		b.plan(&p.script, sc.steps, func(s step) time.Time { return s.when(nil, at) }, func(s step, at time.Time) {
			b.movePayout(p, s.status, s.reason, at)
		})
	}
	return p
}

// movePayout takes a status into a payout, books what it means for the account, and notifies of it.
func (b *Bank) movePayout(p *payout, status, reason string, at time.Time) {
	p.Status, p.Reason, p.UpdatedAt = status, nil, at
	if reason != "" {
		p.Reason = &Reason{Code: reason, Message: codeMessage(reason)}
	}
	switch status {
	case Done:
		sent := b.sentOf(p)
		p.Sent, p.Proof = &sent, b.id("proof", p.Reference)
		b.bookTransfer(p, at)
	case Returned:
		b.returnTransfer(p, at)
	}
	if a, ok := b.account(p.AccountID); ok && status != Queued && status != Sent && status != NeedsApproval {
		a.release(p.Reference)
	}
	b.notifyPayout(p, at)
}

// sentOf is what the payee gets: a coin for crypto, at the bank's rate.
func (b *Bank) sentOf(p *payout) Money {
	if c, ok := coinOn(p.order.Currency, p.order.Network); ok && p.Kind == KindCrypto {
		return c.price(p.Amount)
	}
	return p.Amount
}

func (b *Bank) bookTransfer(p *payout, at time.Time) {
	a, ok := b.account(p.AccountID)
	if !ok || p.line != nil {
		return
	}
	p.line = a.book(Line{
		Direction: Outgoing, Amount: p.Amount, BookedAt: at, Text: p.order.Text, Reference: p.Reference, Party: p.To,
	}, at)
	b.notifyLine(b.config.NotifyURL, *p.line, at)
}

func (b *Bank) returnTransfer(p *payout, at time.Time) {
	a, ok := b.account(p.AccountID)
	if !ok || p.line == nil {
		return
	}
	b.notifyLine(b.config.NotifyURL, *a.reverse(p.line, at), at)
	p.line = nil
}
