package bank

import (
	"cmp"
	"strings"
	"time"
)

// Kinds of an order.
const (
	KindCard    = "card"
	KindBank    = "bank"
	KindCrypto  = "crypto"
	KindWallet  = "wallet"
	KindAccount = "account" // a deposit by bank, told apart by the merchant
)

// Statuses of a deposit.
const (
	Waiting        = "waiting"     // nobody has paid yet
	Processing     = "processing"  // money or a card was seen
	Unconfirmed    = "unconfirmed" // the card's issuer does not answer
	Review         = "review"      // paid, and held
	Paid           = "paid"
	Underpaid      = "underpaid"
	Overpaid       = "overpaid"
	Failed         = "failed"
	Canceled       = "canceled"
	Expired        = "expired"
	Refunding      = "refunding"
	PartlyRefunded = "partly_refunded"
	Refunded       = "refunded"
	Disputed       = "disputed" // charged back by the card's holder
	Reversed       = "reversed" // taken back by the sender's bank
)

// Deposit is a deposit as the API gives it.
type Deposit struct {
	ID            string    `json:"id"`
	Reference     string    `json:"reference"`
	Kind          string    `json:"kind"`
	Option        string    `json:"option,omitempty"`
	Status        string    `json:"status"`
	Amount        Money     `json:"amount"` // as ordered, in TRY
	Due           Money     `json:"due"`    // what the payer has to pay: a coin, or Amount
	Paid          *Money    `json:"paid,omitempty"`
	Refunded      *Money    `json:"refunded,omitempty"`
	CanRetry      bool      `json:"can_retry,omitempty"` // failed, and the page takes another try
	Manual        bool      `json:"manual,omitempty"`    // a person at the bank set the status: no money was seen
	Reason        *Reason   `json:"reason,omitempty"`
	Payer         *Party    `json:"payer,omitempty"`
	Confirmations int       `json:"confirmations,omitempty"`
	CreatedAt     time.Time `json:"created_at"`
	UpdatedAt     time.Time `json:"updated_at"`
	ExpiresAt     time.Time `json:"expires_at"` // by the merchant's clock
	Next          Next      `json:"next"`
	Sim           bool      `json:"sim"` // always: no money is moved
}

// Reason is why something was refused.
type Reason struct {
	Code    string `json:"code"`
	Message string `json:"message,omitempty"`
	Soft    bool   `json:"soft,omitempty"` // may succeed if tried again
}

// Party is a payer or payee.
type Party struct {
	Name    string `json:"name,omitempty"`
	IBAN    string `json:"iban,omitempty"`
	Wallet  string `json:"wallet,omitempty"`
	Address string `json:"address,omitempty"`
}

// Next is what the payer does: goes to a page, or pays by hand.
type Next struct {
	RedirectURL string        `json:"redirect_url,omitempty"`
	Pay         *Instructions `json:"pay,omitempty"`
}

// Instructions is where to pay by hand.
type Instructions struct {
	IBAN          string `json:"iban,omitempty"`
	Holder        string `json:"holder,omitempty"`
	Bank          string `json:"bank,omitempty"`
	Reference     string `json:"reference,omitempty"` // what the payer must write
	Address       string `json:"address,omitempty"`
	QR            string `json:"qr,omitempty"` // what a QR code of it says
	Confirmations int    `json:"confirmations,omitempty"`
}

// deposit is a deposit as the bank keeps it.
type deposit struct {
	Deposit
	no        int
	key       string    // the Idempotency-Key that it was ordered with
	token     string    // of its page
	endsAt    time.Time // ExpiresAt by the bank's clock, which the admin API may have moved on
	returnURL string
	notifyURL string
	language  string
	with3DS   bool // the merchant takes nothing less than full 3-D Secure
	payer     string
	quote     *Quote

	scenario   scenario
	tries      int  // of its page
	isInCheck  bool // the 3-D Secure page is waiting for a code
	wrongCodes int
	isLeft     bool   // the payer has closed the page
	script     int    // plans that were made for an earlier script are off
	settled    string // the status before refunds
	refunds    []*refund
	paidAt     time.Time
	isClosed   bool // too late to void or refund
}

// hasPage reports whether the payer is sent to a page of the bank.
func (d *deposit) hasPage() bool { return d.Kind == KindCard || d.Kind == KindWallet }

// isOpen reports whether the payer may still begin to pay.
func (d *deposit) isOpen() bool { return d.Status == Waiting || d.Status == Failed && d.CanRetry }

// hasMoney reports whether something was paid that can be given back.
func (d *deposit) hasMoney() bool {
	switch d.Status {
	case Paid, Underpaid, Overpaid, Review, Refunding, PartlyRefunded:
		return d.Paid != nil
	default:
		return false
	}
}

// age lets an unpaid order expire.
func (d *deposit) age(now time.Time) {
	if d.isOpen() && !now.Before(d.endsAt) {
		d.Status, d.CanRetry, d.UpdatedAt = Expired, false, d.endsAt
	}
}

// deposit finds an order, as it is now. The caller holds b.mu and has called catchUp.
func (b *Bank) deposit(ref string, now time.Time) (*deposit, bool) {
	d, ok := b.deposits.find(ref)
	if !ok {
		return nil, false
	}
	d.age(now)
	if d.scenario.isDeleted && d.Status == Expired && !now.Before(d.CreatedAt.Add(recordLife)) {
		return nil, false
	}
	return d, true
}

// recordLife is how long the record of an unpaid order of scenario 08 is kept.
const recordLife = time.Hour

// pay lets the payer act: the steps of a scenario are planned from this moment on.
func (b *Bank) pay(d *deposit, steps []step, at time.Time) {
	b.plan(&d.script, steps, func(s step) time.Time { return s.when(d, at) }, func(s step, at time.Time) { b.play(d, s, at) })
}

// plan has steps happen at their time, unless something else is planned for the same order before.
func (b *Bank) plan(script *int, steps []step, when func(step) time.Time, do func(s step, at time.Time)) {
	*script++
	planned := *script
	for _, s := range steps {
		b.tasks.push(when(s), func(at time.Time) {
			if *script == planned {
				do(s, at)
			}
		})
	}
	b.catchUp()
}

// play takes one step into the order and notifies of it.
func (b *Bank) play(d *deposit, s step, at time.Time) {
	d.age(at)
	b.receive(d, s, at)
	if s.status == "" {
		return // money that nobody can match with the order
	}
	d.Status, d.CanRetry, d.Manual, d.Confirmations = s.status, s.canRetry, s.isManual, s.confirmations
	d.Reason, d.UpdatedAt = nil, at
	if s.reason != "" {
		d.Reason = &Reason{Code: s.reason, Message: codeMessage(s.reason), Soft: s.canRetry}
	}
	if s.payer != "" {
		d.Payer = &Party{Name: s.payer, IBAN: payerIBAN}
	}
	if d.Kind == KindCrypto && (s.part != "" || s.exact != nil) {
		d.Confirmations = requiredConfirmations
	}
	d.settled = d.Status
	if d.Status == Paid {
		b.planDispute(d, at)
	}
	if !s.isQuiet {
		b.notify(d, at)
	}
}

// receive books the money of a step.
func (b *Bank) receive(d *deposit, s step, at time.Time) {
	if s.status == Reversed || s.status == Failed {
		b.reverseDeposit(d, at)
	}
	if s.status == Failed {
		d.Paid = nil // what was held is let go
	}
	paid, ok := d.paidBy(s)
	if !ok {
		return
	}
	b.bookDeposit(d, s, paid, at)
	if s.status == "" {
		return
	}
	d.Paid, d.paidAt = &paid, at
	if d.Payer == nil {
		d.Payer = b.payerOf(d)
	}
}

// paidBy is what has been paid once a step is over; false: it brings nothing.
func (d *deposit) paidBy(s step) (Money, bool) {
	if s.exact != nil {
		if d.Paid != nil && d.Paid.isSameAsset(*s.exact) {
			return s.exact.plus(d.Paid.Value), true
		}
		return *s.exact, true
	}
	if s.part == "" {
		return Money{}, false
	}
	paid := d.Due.times(s.part)
	paid.Currency = cmp.Or(s.currency, paid.Currency)
	paid.Network = cmp.Or(s.network, paid.Network)
	return paid, true
}

func (b *Bank) payerOf(d *deposit) *Party {
	switch d.Kind {
	case KindBank, KindAccount:
		return &Party{Name: d.payer, IBAN: payerIBAN}
	case KindCrypto:
		return &Party{Address: "TSANDBOXPAYER0000000000000000000OIl"}
	default:
		return nil // a card's holder is nobody's business, and a wallet's number was typed on the page
	}
}

// bookDeposit writes what arrived by bank on the collecting account's statement.
func (b *Bank) bookDeposit(d *deposit, s step, paid Money, at time.Time) {
	if !d.isByBank() || paid.Currency != lira {
		return
	}
	arrived := paid.Value
	if d.Paid != nil {
		arrived = arrived.Sub(d.Paid.Value)
	}
	if arrived.Sign() <= 0 {
		return
	}
	line := Line{Direction: Incoming, Amount: ofLira(arrived), BookedAt: at, Text: d.Next.Pay.Reference, Party: *b.payerOf(d)}
	if s.text != "" {
		line.Text = strings.ReplaceAll(s.text, "{reference}", d.Next.Pay.Reference)
	}
	if s.text == noText {
		line.Text = ""
	}
	if s.payer != "" {
		line.Party.Name = s.payer
	}
	if s.isLate {
		line.ValueDate = at.In(istanbul).AddDate(0, 0, -1).Format(time.DateOnly)
	}
	booked := b.accounts[0].book(line, at)
	if s.status == "" {
		b.notifyLine(d.notifyURL, *booked, at)
	}
}

func (d *deposit) isByBank() bool { return d.Kind == KindBank || d.Kind == KindAccount }

// reverseDeposit takes the order's booking back.
func (b *Bank) reverseDeposit(d *deposit, at time.Time) {
	if !d.isByBank() || d.Paid == nil {
		return
	}
	for _, l := range b.accounts[0].lines {
		if l.Direction == Incoming && l.Text == d.Next.Pay.Reference {
			b.accounts[0].reverse(l, at)
			return
		}
	}
}
