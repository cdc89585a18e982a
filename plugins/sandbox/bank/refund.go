package bank

import "time"

// Statuses of a refund.
const (
	RefundPending = "pending"
	RefundDone    = "done"
	RefundFailed  = "failed"
)

// Refund is money given back, as the API gives it.
type Refund struct {
	ID               string    `json:"id"`
	Reference        string    `json:"reference"`
	DepositReference string    `json:"deposit_reference"`
	Status           string    `json:"status"`
	IsVoid           bool      `json:"void,omitempty"`
	Amount           Money     `json:"amount"` // what is given back, which may be less than what was asked
	Reason           *Reason   `json:"reason,omitempty"`
	CreatedAt        time.Time `json:"created_at"`
	UpdatedAt        time.Time `json:"updated_at"`
}

type refund struct {
	Refund
	key   string
	asked Money
}

// refundScenario is what becomes of a deposit's refunds.
type refundScenario int

const (
	refundAtOnce refundScenario = iota
	refundLater
	refundFails
	refundHalf
	refundNoVoid
)

// refundDelay is how long a refund of scenarios 51 and 52 is pending.
const refundDelay = time.Minute

// refundOrder asks for a refund.
type refundOrder struct {
	Reference string `json:"reference"`
	Amount    Money  `json:"amount"`
	IsVoid    bool   `json:"void"` // the whole payment, on the day of the payment only: cards
	Address   string `json:"address"`
	Why       string `json:"why"`
	key       string
}

// refund returns money back, at once or in a while. The caller holds b.mu.
func (b *Bank) refund(d *deposit, o refundOrder, at time.Time) (*refund, *problem) {
	if r, ok := b.refunds.find(o.Reference); ok {
		if r.key != o.key || r.DepositReference != d.Reference || r.asked != o.Amount {
			return nil, taken(o.Reference)
		}
		return r, nil
	}
	if p := b.refusedRefund(d, o, at); p != nil {
		return nil, p
	}
	r := &refund{key: o.key, asked: o.Amount, Refund: Refund{
		ID: b.id("rf", o.Reference), Reference: o.Reference, DepositReference: d.Reference, IsVoid: o.IsVoid,
		Status: RefundPending, Amount: o.Amount, CreatedAt: at, UpdatedAt: at,
	}}
	b.refunds.add(r.Reference, r)
	d.refunds = append(d.refunds, r)
	b.changes++
	b.playRefund(d, r, at)
	return r, nil
}

func (b *Bank) playRefund(d *deposit, r *refund, at time.Time) {
	switch b.refundScenario(d) {
	case refundLater:
		d.settle(at)
		b.tasks.push(at.Add(refundDelay), func(at time.Time) { b.endRefund(r, RefundDone, "", at) })
	case refundFails:
		d.settle(at)
		b.tasks.push(at.Add(refundDelay), func(at time.Time) { b.endRefund(r, RefundFailed, "refund_rejected", at) })
	case refundHalf:
		r.Amount = r.Amount.times("0.5")
		b.endRefund(r, RefundDone, "", at)
	case refundAtOnce, refundNoVoid:
		b.endRefund(r, RefundDone, "", at)
	}
}

// refundScenario is how the order's refunds go: an outcome set by hand counts here too.
func (b *Bank) refundScenario(d *deposit) refundScenario {
	if code, ok := b.outcomes[d.Reference]; ok {
		return find(scenariosOf(d.Kind), code).refund
	}
	return d.scenario.refund
}

func (b *Bank) refusedRefund(d *deposit, o refundOrder, at time.Time) *problem {
	switch {
	case !d.hasMoney():
		return invalid("not_refundable", "nothing was paid, or it has gone back already")
	case d.isClosed:
		return invalid("refund_window_closed", "too late to void or refund")
	case !o.Amount.isSameAsset(*d.Paid):
		return invalid("wrong_currency", "a refund is in what was paid")
	case o.Amount.Value.Sign() <= 0 || o.Amount.Value.Cmp(d.refundable().Value) > 0:
		return invalid("refund_too_large", "less than that is left to give back")
	case d.Kind == KindCrypto && (o.Address == "" || len(o.Address) > maxTextBytes):
		return invalid("address_required", "a coin goes back to an address that the payer names")
	case o.IsVoid && !b.canVoid(d, o, at):
		return invalid("void_closed", "no void: refund instead")
	default:
		return nil
	}
}

// canVoid reports whether a card payment can be undone: whole, on its day, before the bank closes its books.
func (b *Bank) canVoid(d *deposit, o refundOrder, at time.Time) bool {
	return d.Kind == KindCard && isSameDay(d.paidAt, at) && o.Amount.Value == d.Paid.Value && b.refundScenario(d) != refundNoVoid
}

// refundable is what was paid less what has gone back or is on its way.
func (d *deposit) refundable() Money {
	left := *d.Paid
	for _, r := range d.refunds {
		if r.Status != RefundFailed {
			left.Value = left.Value.Sub(r.Amount.Value)
		}
	}
	return left
}

// endRefund settles a refund and notifies of it.
func (b *Bank) endRefund(r *refund, status, reason string, at time.Time) {
	r.Status, r.Reason, r.UpdatedAt = status, nil, at
	if reason != "" {
		r.Reason = &Reason{Code: reason, Message: codeMessage(reason)}
	}
	d, ok := b.deposits.find(r.DepositReference)
	if !ok {
		return
	}
	d.settle(at)
	b.notifyRefund(d, r, at)
}

// settle works out what its refunds make of a deposit.
func (d *deposit) settle(at time.Time) {
	done, isPending := Money{Currency: d.Paid.Currency, Network: d.Paid.Network}, false
	for _, r := range d.refunds {
		isPending = isPending || r.Status == RefundPending
		if r.Status == RefundDone {
			done = done.plus(r.Amount.Value)
		}
	}
	d.UpdatedAt, d.Refunded = at, nil
	if done.Value.Sign() > 0 {
		d.Refunded = &done
	}
	switch {
	case isPending:
		d.Status = Refunding
	case done.Value.Sign() == 0:
		d.Status = d.settled
	case done.Value.Cmp(d.Paid.Value) >= 0:
		d.Status = Refunded
	default:
		d.Status = PartlyRefunded
	}
}
