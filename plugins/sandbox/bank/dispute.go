package bank

import (
	"errors"
	"fmt"
	"time"

	"github.com/vezne/vezne/core/money"
)

// Statuses of a dispute.
const (
	Inquiry       = "inquiry" // the payer's bank asks: no money has moved
	NeedsResponse = "needs_response"
	UnderReview   = "under_review"
	Won           = "won"
	Lost          = "lost"
	Closed        = "closed" // an inquiry that came to nothing
)

// evidenceTime is how long evidence is taken.
const evidenceTime = 7 * 24 * time.Hour

// maxDisputes bounds how many disputes one deposit has.
const maxDisputes = 20

// Dispute is a dispute of a deposit, as the API gives it.
type Dispute struct {
	ID               string     `json:"id"`
	DepositID        string     `json:"deposit_id"`
	DepositReference string     `json:"deposit_reference"`
	Status           string     `json:"status"`
	Reason           string     `json:"reason"`
	Amount           Money      `json:"amount"`               // what the payer disputes
	Withdrawn        *Money     `json:"withdrawn,omitempty"`  // from the merchant, in all
	Reinstated       *Money     `json:"reinstated,omitempty"` // to the merchant, in all
	Fee              *Money     `json:"fee,omitempty"`
	EvidenceDue      *time.Time `json:"evidence_due,omitempty"`
	CreatedAt        time.Time  `json:"created_at"`
	UpdatedAt        time.Time  `json:"updated_at"`
}

type dispute struct {
	Dispute
	no        int
	notifyURL string
	isTaken   bool // the merchant is without the money now
}

// disputeFee is what the bank charges for a chargeback, won or lost.
var disputeFee = Money{Value: money.MustDecimal("15"), Currency: lira}

// OpenDispute has the payer of a deposit dispute an amount of it; nil: all that was paid. Status is Inquiry or NeedsResponse. It
// is told.
func (b *Bank) OpenDispute(ref string, amount *Money, reason, status string) (Dispute, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	d, ok := b.deposit(ref, now)
	if !ok {
		return Dispute{}, errUnknownReference
	}
	x, err := b.openDispute(d, amount, reason, status, now)
	if err != nil {
		return Dispute{}, err
	}
	return x.Dispute, nil
}

func (b *Bank) openDispute(d *deposit, amount *Money, reason, status string, at time.Time) (*dispute, error) {
	count := 0
	for _, x := range b.disputes.all() {
		if x.DepositReference == d.Reference {
			count++
		}
	}
	switch {
	case d.Paid == nil:
		return nil, errors.New("nothing was paid")
	case status != Inquiry && status != NeedsResponse:
		return nil, fmt.Errorf("a dispute begins as %q or %q", Inquiry, NeedsResponse)
	case count >= maxDisputes || !isText(reason):
		return nil, errors.New("too many disputes, or too long a reason")
	}
	disputed := *d.Paid
	if amount != nil {
		disputed = *amount
	}
	if disputed.Value.Sign() <= 0 || !disputed.isSameAsset(*d.Paid) {
		return nil, errors.New("give an amount in what was paid")
	}
	b.seq++
	x := &dispute{no: b.seq, notifyURL: d.notifyURL, Dispute: Dispute{
		ID: b.id("dp", fmt.Sprint(d.Reference, " ", count+1)), DepositID: d.ID, DepositReference: d.Reference, Reason: reason, Amount: disputed,
		CreatedAt: at,
	}}
	b.disputes.add(x.ID, x)
	b.moveDispute(x, status, at)
	return x, nil
}

// MoveDispute brings a dispute into a status, with what follows for the money. It is told.
func (b *Bank) MoveDispute(id, status string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.catchUp()
	x, ok := b.disputes.find(id)
	if !ok {
		return errors.New("no dispute has this id")
	}
	switch status {
	case Inquiry, NeedsResponse, UnderReview, Won, Lost, Closed, unlisted:
		b.moveDispute(x, status, now)
		return nil
	default:
		return fmt.Errorf("a dispute has no status %q", status)
	}
}

// moveDispute takes the money with a chargeback, and gives it back with one that is won.
func (b *Bank) moveDispute(x *dispute, status string, at time.Time) {
	isChargeback := status == NeedsResponse || status == UnderReview || status == Lost
	switch {
	case isChargeback && !x.isTaken:
		total := Money{Currency: x.Amount.Currency, Network: x.Amount.Network}
		if x.Withdrawn != nil {
			total = *x.Withdrawn
		}
		total = total.plus(x.Amount.Value)
		fee := disputeFee
		x.Withdrawn, x.Fee, x.isTaken = &total, &fee, true
	case (status == Won || status == Closed) && x.isTaken:
		total := *x.Withdrawn
		x.Reinstated, x.isTaken = &total, false
	}
	x.Status, x.UpdatedAt, x.EvidenceDue = status, at, nil
	if status == Inquiry || status == NeedsResponse {
		due := at.Add(evidenceTime)
		x.EvidenceDue = &due
	}
	event, past := b.event("dispute."+status, at), x.Dispute
	event.Dispute = &past
	b.enqueue(notification{at: at.Add(notifyDelay), ref: x.DepositReference, url: x.notifyURL, event: event})
}

// planDispute has the payer of a deposit dispute it a day after it was paid, as its code says.
func (b *Bank) planDispute(d *deposit, at time.Time) {
	if len(d.scenario.dispute) == 0 {
		return
	}
	statuses := d.scenario.dispute
	d.scenario.dispute = nil // it is paid once
	b.tasks.push(at.Add(24*time.Hour), func(at time.Time) {
		x, err := b.openDispute(d, nil, "fraudulent", statuses[0], at)
		if err != nil {
			return
		}
		for i, status := range statuses[1:] {
			b.tasks.push(at.Add(time.Duration(i+1)*24*time.Hour), func(at time.Time) { b.moveDispute(x, status, at) })
		}
	})
}

func (b *Bank) readDispute(c *call) (any, *problem) {
	x, ok := b.disputes.find(c.PathValue("id"))
	if !ok {
		return nil, missing("dispute")
	}
	return x.Dispute, nil
}

func (b *Bank) listDisputes(c *call) (any, *problem) {
	q, p := c.page()
	if p != nil {
		return nil, p
	}
	place := func(x *dispute) (time.Time, int) { return x.CreatedAt, x.no }
	return pageOf(q, b.disputes.all(), place, func(x *dispute) Dispute { return x.Dispute }), nil
}

// acceptDispute concedes a dispute that is open; any other stays as it is.
func (b *Bank) acceptDispute(c *call) (any, *problem) {
	if _, p := c.key(); p != nil {
		return nil, p
	}
	x, ok := b.disputes.find(c.PathValue("id"))
	if !ok {
		return nil, missing("dispute")
	}
	if x.Status == Inquiry || x.Status == NeedsResponse || x.Status == UnderReview {
		b.changes++
		b.moveDispute(x, Lost, c.now)
	}
	return x.Dispute, nil
}
