// Package testplan is what callers ask to happen to payments that they create in a sandbox: how a payment ends, when, and how
// its callbacks come. It is Vezne's own addition to the contract. An installation where money moves takes no plans.
package testplan

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// Bounds of plans and clocks.
const (
	MaxAfter   = 24 * time.Hour      // from the creation to the outcome
	MaxDelay   = time.Hour           // of a callback
	MaxAdvance = 30 * 24 * time.Hour // of a payment's clock, in one step
)

// Reason is what the history of a payment says where a plan moved it.
const Reason = "test"

// Outcome is how a payment is to end.
type Outcome string

// Outcomes. The callbacks have the words of their own kind for them.
const (
	Completed Outcome = "completed" // paid, or paid out
	Canceled  Outcome = "canceled"  // by the customer; a withdrawal before anybody took it
	Rejected  Outcome = "rejected"  // by staff
	Failed    Outcome = "failed"    // the gateway, or who pays a withdrawal, could not
	Expired   Outcome = "expired"   // its time is over
	PaidLate  Outcome = "paid_late" // ended without money, and completed afterwards: it has two callbacks
)

// Outcomes lists all outcomes.
func Outcomes() []Outcome { return []Outcome{Completed, Canceled, Rejected, Failed, Expired, PaidLate} }

// ErrorCodes lists why a card payment can fail; other reasons have an outcome of their own, or are told to nobody outside.
func ErrorCodes() []gateway.ReasonCode {
	return []gateway.ReasonCode{
		gateway.InsufficientFunds, gateway.DoNotHonour, gateway.ExpiredCard, gateway.WrongCVC, gateway.LimitExceeded, gateway.NotPermitted,
		gateway.AuthFailed, gateway.InvalidCard, gateway.IssuerDown, gateway.Declined,
	}
}

// Delivery is how a payment's callbacks come.
type Delivery string

// Deliveries.
const (
	Twice          Delivery = "twice"           // each comes twice in a row, under the same X-Callback-Id
	Retried        Delivery = "retried"         // the answer to the first attempt does not count, so that it comes again by the retry schedule
	Reordered      Delivery = "reordered"       // after a later one the one before it comes
	WrongSignature Delivery = "wrong_signature" // each comes with a hash that is wrong, and then as it is
)

// Deliveries lists all deliveries.
func Deliveries() []Delivery { return []Delivery{Twice, Retried, Reordered, WrongSignature} }

// Plan is a row beside a payment: what its creator asks to happen to it. A payment that has none is an ordinary one.
type Plan struct {
	PaymentID core.ID
	Version   int
	Outcome   Outcome            // empty: the payment goes its own way
	Amount    money.Amount       // of a deposit that is completed; zero: the payment's own
	ErrorCode gateway.ReasonCode // of a card that fails; empty: any refusal
	Delivery  Delivery           // empty: callbacks come once
	Delay     time.Duration      // of the callbacks of the outcome
	Step      int                // how many commands of the outcome have been given
	DueAt     time.Time          // of the next command; zero: there is none
}

// Identity implements Row.
func (p Plan) Identity() core.Identity {
	return core.Identity{Table: "test_plans", Key: string(p.PaymentID), Version: p.Version}
}

// WakeUps implements Waking: the worker of plans.
func (p Plan) WakeUps() []core.WakeUp {
	if p.DueAt.IsZero() {
		return nil
	}
	return []core.WakeUp{{Kind: core.DueTestPlans, At: p.DueAt}}
}

// commands are what leads a payment of a kind to an outcome, one commit each. Money comes to a deposit and to a card in the end.
var commands = map[payment.Kind]map[Outcome][]payment.Command{
	payment.Deposit: {
		Completed: {payment.Approve}, Canceled: {payment.Cancel}, Rejected: {payment.Reject}, Failed: {payment.Fail},
		Expired: {payment.Expire}, PaidLate: {payment.Expire, payment.Accept},
	},
	payment.Card: {
		Completed: {payment.Succeed}, Canceled: {payment.Cancel}, Rejected: {payment.Reject}, Failed: {payment.Fail},
		Expired: {payment.Expire}, PaidLate: {payment.Expire, payment.Accept},
	},
	payment.Withdrawal: {
		Completed: {payment.Take, payment.Complete}, Canceled: {payment.Cancel}, Rejected: {payment.Reject},
		Failed: {payment.Take, payment.Fail},
	},
	payment.Payout: {
		Completed: {payment.Send, payment.Complete}, Canceled: {payment.Cancel}, Rejected: {payment.Reject},
		Failed: {payment.Send, payment.Fail}, Expired: {payment.Expire}, PaidLate: {payment.Send, payment.Fail, payment.Accept},
	},
}

// OutcomesOf lists how a payment of a method can end. What has no time to end expires neither.
func OutcomesOf(m payment.Method) []Outcome {
	return slices.DeleteFunc(Outcomes(), func(o Outcome) bool {
		isEndless := m.Kind() == payment.Payout && m != payment.BankWithdrawal
		return commands[m.Kind()][o] == nil || o == Expired && isEndless
	})
}

// Credits reports whether the outcome credits a deposit or a card payment.
func (p Plan) Credits() bool { return p.Outcome == Completed || p.Outcome == PaidLate }

// Of is the plan of a payment that is being created, due after a while.
func (p Plan) Of(made payment.Payment, after time.Duration) Plan {
	p.PaymentID, p.Version = made.ID, 1
	if p.Outcome != "" {
		p.DueAt = made.CreatedAt.Add(after)
	}
	return p
}
