package operation_test

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

// silent is a question that brings no report.
func silent(class gateway.Class, keys gateway.KeyTraits) coretest.Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNoAnswer(c, operation.Asked{Err: &gateway.Error{Class: class}, Keys: keys}, d)
	}
}

func deadline(c operation.Case, d payment.Decision) (core.Changeset, error) {
	return operation.DecideDeadline(c, d)
}

func callOff(command payment.Command) coretest.Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideCallOff(c, command, d)
	}
}

func stuck(c operation.Case, d payment.Decision) (core.Changeset, error) {
	return operation.DecideStuck(c, "off", d)
}

// notTaken is a start that is known to have had no effect.
func notTaken(class gateway.Class) coretest.Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNotTaken(c, &gateway.Error{Class: class, Effect: gateway.EffectNone}, d)
	}
}

// notGivenBack is a refund that is known not to have been made.
func notGivenBack(class gateway.Class) coretest.Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNotSent(c, &gateway.Error{Class: class, Effect: gateway.EffectNone}, d)
	}
}

// refundUnanswered is a question about a refund that brings no report.
func refundUnanswered(class gateway.Class) coretest.Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefundNoAnswer(c, operation.Asked{Err: &gateway.Error{Class: class}}, d), nil
	}
}

// ended is a command about the payment itself.
func ended(command payment.Command) coretest.Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return payment.Decide(c.Payment, command, d)
	}
}

// resolved is what staff say about a discrepancy.
func resolved(id core.ID, r operation.Resolution, amount money.Amount) coretest.Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideResolution(c, id, r, amount, d)
	}
}

// sending is a worker's commitment to a call that may move money.
func sending(c operation.Case, d payment.Decision) (core.Changeset, error) {
	change, _, err := operation.DecideSend(c, d, time.Minute)
	return change, err
}

// never is an amount from which on staff approve payouts, and which none of the tests' payouts has.
var never = coretest.Lira(1_000_000)

// newPayout has a payout of 250.00 that leaves at once, or waits for approval from an amount on.
func newPayout(t coretest.T, m payment.Method, approvalFrom money.Amount) *coretest.Store {
	t.Helper()
	b := &coretest.Store{Now: coretest.Evening.Add(time.Minute), IDs: coretest.NewIDs(t, coretest.Evening)}
	change := operation.DecidePayout(coretest.Request(m), operation.PayoutPlan{
		Gateway: owner.GatewayAccount{ID: 9, ApprovalFrom: approvalFrom}, Fields: map[string]string{"iban": "TR33"},
	}, payment.CreateParams{At: coretest.Evening, ExpiresIn: 24 * time.Hour, TrackingCode: m.Prefix() + "0123456789ABCDEF", IDs: b.IDs})
	b.Payment, b.Operations = core.RowsOf[payment.Payment](change)[0], core.RowsOf[operation.Operation](change)
	return b
}

// planned is a payout that is due.
func planned(t coretest.T) (*coretest.Store, core.ID) {
	t.Helper()
	b := newPayout(t, payment.BankWithdrawal, never)
	return b, b.Operations[0].ID
}

// sent is a payout that the gateway has not answered.
func sent(t coretest.T) (*coretest.Store, core.ID) {
	t.Helper()
	b, id := planned(t)
	if !b.Send(t, id) {
		t.Fatalf("not sent: %+v", b.Operations[0])
	}
	return b, id
}

// bought is a payment of 250.00 that is paid.
func bought(t coretest.T, m payment.Method) (*coretest.Store, core.ID) {
	t.Helper()
	return coretest.After(m, coretest.Answered(gateway.Paid, coretest.AtGateway(25000)))(t)
}

// boughtWithCoins is a payment of 250.00 that is paid with 7.1 coins.
func boughtWithCoins(t coretest.T) (*coretest.Store, core.ID) {
	t.Helper()
	b := coretest.NewStore(t, payment.CryptoDeposit)
	plan := coretest.DepositPlan(payment.CryptoDeposit)
	plan.Quote = &gateway.Quote{From: coretest.AtGateway(25000), To: coretest.Coins("7.1")}
	id := b.Begin(t, plan)
	b.TakeStart(t, id)
	b.Observe(t, id, coretest.Answered(gateway.Paid, coretest.Coins("7.1")))
	return b, id
}
