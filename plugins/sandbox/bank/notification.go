package bank

import (
	"fmt"
	"time"
)

// Event is the body of a notification. Exactly one of its objects is there, and it is as it was at CreatedAt.
type Event struct {
	ID           string    `json:"id"`
	Type         string    `json:"type"` // "deposit.paid", "payout.done", "refund.failed", "account.line"
	CreatedAt    time.Time `json:"created_at"`
	SharedSecret string    `json:"shared_secret,omitempty"` // scenario 09: instead of a signature
	Deposit      *Deposit  `json:"deposit,omitempty"`
	Refund       *Refund   `json:"refund,omitempty"`
	Dispute      *Dispute  `json:"dispute,omitempty"`
	Payout       *Payout   `json:"payout,omitempty"`
	Transfer     *Payout   `json:"transfer,omitempty"`
	Line         *Line     `json:"line,omitempty"`
}

// notification is a notification on its way.
type notification struct {
	at      time.Time // when it is due
	ref     string
	url     string
	event   Event
	body    []byte
	signing signing
	tries   int
}

// signing is how a notification is signed.
type signing int

const (
	signed             signing = iota
	signedWrong                // with a secret that nobody has
	signedWithPrevious         // with the secret before the last rotation
	signedLongAgo              // rightly, ten minutes ago
	unsigned                   // not at all
)

// mustBeRefused reports whether the receiver has to refuse the notification, so that it is not sent again.
func (s signing) mustBeRefused() bool { return s == signedWrong || s == signedLongAgo }

const (
	notifyDelay = time.Second // from an event to its notification
	staleBy     = 10 * time.Minute
)

// notify sends what has just happened to a deposit, in the way of its scenario.
func (b *Bank) notify(d *deposit, at time.Time) {
	event := b.event("deposit."+d.Status, at)
	event.Deposit = d.snapshot()
	n := notification{at: at.Add(notifyDelay), ref: d.Reference, url: d.notifyURL, event: event}
	switch d.scenario.delivery {
	case deliverNever:
	case deliverAtOnce:
		n.at = at
		b.enqueue(n)
	case deliverThrice:
		b.enqueue(n)
		b.enqueue(n)
		b.enqueue(n)
	case deliverOutOfOrder:
		b.enqueue(n)
		b.enqueue(b.older(n, Failed, at))
		b.enqueue(b.older(n, Processing, at))
	case deliverForged:
		b.notifyForged(n)
	case deliverUnsigned:
		n.event.SharedSecret, n.signing = b.config.WalletSecret, unsigned
		b.enqueue(n)
	case deliverOnce:
		b.enqueue(n)
	}
}

// older is a notification of something that came before, and goes out after.
func (b *Bank) older(n notification, status string, at time.Time) notification {
	before := b.event("deposit."+status, at.Add(-time.Second))
	past := *n.event.Deposit
	past.Status, past.Paid, past.UpdatedAt = status, nil, before.CreatedAt
	before.Deposit = &past
	n.event = before
	n.at = n.at.Add(time.Second)
	if status == Processing {
		n.at = n.at.Add(time.Second)
	}
	return n
}

// notifyForged is scenario 29: to be refused, taken, and refused.
func (b *Bank) notifyForged(n notification) {
	for i, s := range []signing{signedWrong, signedWithPrevious, signedLongAgo} {
		copied := n
		copied.at, copied.signing = n.at.Add(time.Duration(i)*time.Second), s
		b.enqueue(copied)
	}
}

func (b *Bank) notifyRefund(d *deposit, r *refund, at time.Time) {
	event, past := b.event("refund."+r.Status, at), r.Refund
	event.Refund = &past
	b.enqueue(notification{at: at.Add(notifyDelay), ref: d.Reference, url: d.notifyURL, event: event})
}

func (b *Bank) notifyPayout(p *payout, at time.Time) {
	past := p.Payout
	event := b.event("payout."+p.Status, at)
	event.Payout = &past
	if p.AccountID != "" {
		event.Type, event.Payout, event.Transfer = "transfer."+p.Status, nil, &past
	}
	b.enqueue(notification{at: at.Add(notifyDelay), ref: p.Reference, url: b.config.NotifyURL, event: event})
}

func (b *Bank) notifyLine(url string, l Line, at time.Time) {
	event := b.event("account.line", at)
	event.Line = &l
	b.enqueue(notification{at: at.Add(notifyDelay), ref: l.AccountID, url: url, event: event})
}

// event makes an event with an ID of its own, also after a restart. The caller holds b.mu.
func (b *Bank) event(kind string, at time.Time) Event {
	b.seq++
	return Event{ID: b.id("evt", fmt.Sprintf("%s %d %d", kind, at.UnixMilli(), b.seq)), Type: kind, CreatedAt: at}
}

// enqueue plans a notification, unless a delivery fault gets it.
func (b *Bank) enqueue(n notification) {
	if n.url == "" {
		return
	}
	body, err := encode(n.event)
	if err != nil {
		b.config.Log.Error("a notification can't be written", "error", err)
		return
	}
	n.body = body
	for _, n := range b.deliveryFaults.apply(n) {
		b.notifications.push(n.at, n)
	}
}

// snapshot is the deposit as it is now, to be kept.
func (d *deposit) snapshot() *Deposit {
	past := d.Deposit
	return &past
}

// deliveryFaults is what happens to the next notifications on their way.
type deliveryFaults struct {
	DeliveryFaults
	held *notification
}

// apply returns what becomes of a notification: none, itself, or two.
func (m *deliveryFaults) apply(n notification) []notification {
	if m.Drop > 0 {
		m.Drop--
		return nil
	}
	n.at = n.at.Add(m.Delay)
	m.Delay = 0
	switch {
	case m.held != nil:
		first := *m.held
		first.at = n.at.Add(time.Second)
		m.held = nil
		return []notification{n, first}
	case m.Reorder:
		m.held, m.Reorder = &n, false
		return nil
	default:
		return []notification{n}
	}
}
