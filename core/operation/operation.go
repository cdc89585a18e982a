// Package operation has everything that is done at gateways: deposits, card payments, payouts and refunds, what is observed
// of them, and notifications. Unknown is an outcome: it is settled by asking, never by doing it again.
package operation

import (
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// Kind is what is done at a gateway.
type Kind string

// Kinds of operations.
const (
	DepositOperation Kind = "deposit"
	PayoutOperation  Kind = "payout"
	RefundOperation  Kind = "refund"
)

// Phase is how far an operation is, as Vezne knows it.
type Phase string

// Phases. Calling is committed before every first call, so that a crash leaves an unknown outcome behind and never a
// forgotten one.
const (
	Planned Phase = "planned" // not called yet; without a NextAt it waits for staff
	Calling Phase = "calling" // called: until the gateway answers, whether it acted is unknown
	Open    Phase = "open"    // the gateway has it
	Late    Phase = "late"    // ended for us; watched for money that may still come
	Closed  Phase = "closed"
)

// Operation is one thing done at a gateway for a payment: a deposit, a payout, a refund. Its reference and key are
// kept before the first call and never change. A payment may have several, one after another.
type Operation struct {
	ID           core.ID
	Version      int
	PaymentID    core.ID
	TrackingCode string // of the payment
	Kind         Kind
	Number       int // 1 is the payment's first
	GatewayID    int64
	GatewayKind  gateway.Kind
	Reference    gateway.Ref // unique
	Key          gateway.Key
	ReturnToken  string     // of the customer's return address; deposits
	PageToken    string     // of the payment's page, where the customer is shown to from there; deposits
	Of           core.ID    // refunds: the deposit that is given back
	Why          string     // why this gateway: the route
	By           core.Actor // refunds: who decided it; zero: not kept yet

	Amount gateway.Money  // ordered, in TRY
	Due    gateway.Money  // what the customer pays: Amount, or its quote
	Quote  *gateway.Quote // frozen before the start
	Option string         // the gateway's option that was chosen
	Asset  gateway.Asset  // payouts: what is sent
	Fields map[string]string

	Phase         Phase
	Status        string // the gateway's: gateway.State, PayoutState or RefundState
	RawState      string // its own word
	Paid          gateway.Money
	Brought       money.Amount   // what Paid is worth to the payment at most: see worth
	Reason        gateway.Reason // of the last refusal
	External      gateway.ExternalRef
	Next          gateway.NextStep
	Confirmations int
	Proof         string
	IsHeld        bool   // money is there that needs a decision: no deadline ends it
	IsFinished    bool   // FinishReturn was called: once and never again
	IsUnwanted    bool   // to be canceled at the gateway
	IsCanceled    bool   // CancelDeposit was answered
	Review        Review // what staff have decided last about money that the gateway holds

	Tries    int // payouts and refunds: how often it was sent, each time known to have had no effect before
	Checks   int // questions since the phase began
	NotFound int // how many of them, in a row, found nothing

	CuedAt          time.Time // since when there is news that no answer has confirmed; zero: there is none
	CueVersion      int       // Version with which the latest of it was kept
	CueTries        int       // questions about it that brought no answer
	AnsweredVersion int       // Version with which the question was begun whose answer was taken last
	AnsweredAt      time.Time // when that was taken
	ReleasedAt      time.Time // payouts: when staff let it leave last

	NextAt     time.Time
	LeaseUntil time.Time
	DeadlineAt time.Time // deposits: the payment's end
	LateUntil  time.Time // how long money can come after that
	CreatedAt  time.Time
	StartedAt  time.Time // when the gateway took it; payouts and refunds until then: when it was last sent
	EndedAt    time.Time

	Trace core.Trace // of the commit that changed it last
}

// TracedBy implements core.Traced.
func (o Operation) TracedBy(span core.Trace) core.Row {
	o.Trace = span
	return o
}

// Cause is what work on it comes from.
func (o Operation) Cause() core.Cause {
	return core.Cause{Trace: o.Trace, IsRepeat: o.Tries > 0 || o.Checks > 0}
}

// Identity implements Row.
func (o Operation) Identity() core.Identity {
	return core.Identity{Table: "operations", Key: string(o.ID), Version: o.Version}
}

// Moves implements Moving: whoever writes a called operation with a lease is about to call.
func (o Operation) Moves() bool { return o.Phase == Calling && !o.LeaseUntil.IsZero() }

// WakeUps implements Waking: the work of the gateway account.
func (o Operation) WakeUps() []core.WakeUp {
	if o.NextAt.IsZero() {
		return nil
	}
	return []core.WakeUp{{Kind: core.DueOperations, GatewayID: o.GatewayID, At: o.due()}}
}

// IsLive reports whether the gateway may still bring news that count.
func (o Operation) IsLive() bool { return o.Phase == Calling || o.Phase == Open }

// refOf derives an operation's reference: the payment's order id for the first, and a number behind it for others.
func refOf(trackingCode string, kind Kind, number int) gateway.Ref {
	ref := payment.OrderID(trackingCode)
	switch {
	case kind == RefundOperation:
		return gateway.Ref(fmt.Sprintf("%sF%d", ref, number))
	case number > 1:
		return gateway.Ref(fmt.Sprintf("%sN%d", ref, number))
	default:
		return gateway.Ref(ref)
	}
}

// Case is all that is known of a payment at gateways: what decisions about one of its operations look at.
type Case struct {
	Payment       payment.Payment
	Operation     Operation   // the one that the decision is about
	Others        []Operation // the payment's other ones
	Discrepancies []discrepancy.Discrepancy
	Credits       []payment.Credit // the payment's, by number
	HasOtherWay   bool             // another way than the operation's takes the payment now
}

// CaseOf puts together what a store gave.
func CaseOf(p payment.Payment, operations []Operation, discrepancies []discrepancy.Discrepancy, credits []payment.Credit, id core.ID) Case {
	c := Case{Payment: p, Discrepancies: discrepancies, Credits: credits}
	for _, o := range operations {
		if o.ID == id {
			c.Operation = o
		} else {
			c.Others = append(c.Others, o)
		}
	}
	return c
}

// relying is a change with the case's payment and operation in it, also where it leaves them as they are: whatever else is decided from
// them at this moment is a conflict.
func (c Case) relying(change core.Changeset, at time.Time) core.Changeset {
	if p := c.Payment; !core.Has[payment.Payment](change) {
		p.Version++
		p.UpdatedAt = at
		change = append(change, p)
	}
	if o := c.Operation; !slices.ContainsFunc(core.RowsOf[Operation](change), func(other Operation) bool { return other.ID == o.ID }) {
		o.Version++
		change = append(change, o)
	}
	return change
}

// Current is the payment's open deposit operation, if there is one.
func Current(operations []Operation) (Operation, bool) {
	for _, o := range operations {
		if o.Kind == DepositOperation && o.IsLive() && !o.IsUnwanted {
			return o, true
		}
	}
	return Operation{}, false
}

// CountOf is how many operations are of a kind.
func CountOf(operations []Operation, kind Kind) (n int) {
	for _, o := range operations {
		if o.Kind == kind {
			n++
		}
	}
	return n
}

// Key names one operation. Exactly one way of naming it is filled in.
type Key struct {
	ID          core.ID
	Reference   string
	ReturnToken string
	GatewayID   int64 // with ExternalID: the gateway's own id of it
	ExternalID  string
}

// HandedBack is an operation whose worker stops before it has begun: another one may work on it at once.
func (o Operation) HandedBack() Operation {
	o.Version++
	o.LeaseUntil = time.Time{}
	return o
}

// EraseCustomer takes out what the customer filled in, and what the gateway said of them. What was moved, and when, stays. The
// gateway can be asked about the operation by its ids, but no more be given what it had handed out for it.
func (o *Operation) EraseCustomer() {
	payment := o.External.Alt[gateway.AltPayment]
	o.Fields, o.Next, o.External.Alt, o.External.State, o.Reason.RawText = nil, gateway.NextStep{}, nil, nil, ""
	if payment != "" {
		o.External.Alt = map[string]string{gateway.AltPayment: payment} // a chargeback names nothing else
	}
}
