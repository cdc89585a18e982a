package coretest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// USDT is a coin that gateways take.
var USDT = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}

// Coins is an amount of USDT.
func Coins(text string) gateway.Money {
	return gateway.Money{Amount: money.MustDecimal(text), Asset: USDT}
}

// AtGateway is an amount of kuruş at a gateway.
func AtGateway(minor int64) gateway.Money { return gateway.Lira(Lira(minor)) }

// Findable is a gateway that finds a deposit by our reference a minute after its start.
var Findable = gateway.KeyTraits{Find: true, Settle: time.Minute}

// DepositPlan is a start at gateway 9 that money can follow for two hours after the payment's end.
func DepositPlan(m payment.Method) operation.DepositPlan {
	return operation.DepositPlan{
		GatewayID: 9, Kind: m.Gateway(), Why: "default, priority 1", ReturnToken: "R", Late: 2 * time.Hour, Lease: 35 * time.Second,
	}
}

// Begun is a payment that is on its way to a gateway.
func Begun(t T, m payment.Method) (*Store, core.ID) {
	t.Helper()
	b := NewStore(t, m)
	return b, b.Begin(t, DepositPlan(m))
}

// Opened is a payment whose deposit the gateway has taken.
func Opened(t T, m payment.Method) (*Store, core.ID) {
	t.Helper()
	b, id := Begun(t, m)
	b.TakeStart(t, id)
	return b, id
}

// After is a deposit of which the gateway has answered something before.
func After(m payment.Method, earlier ...gateway.Observation) func(t T) (*Store, core.ID) {
	return func(t T) (*Store, core.ID) {
		b, id := Opened(t, m)
		for _, seen := range earlier {
			b.Observe(t, id, seen)
		}
		return b, id
	}
}

// Excepted is a third-party deposit of 250.00 that two people credited before its gateway said anything.
func Excepted(t T, amount int64) (*Store, core.ID) {
	t.Helper()
	b, id := Opened(t, payment.BankDeposit)
	h := ByHand(b.Payment, Lira(amount))
	err := b.Order(t, id, func(_ operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideApproval(b.Payment, h, b.Operations, d)
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return b, id
}

// ByHand is a staff member who credits an amount, having seen the payment as it is. Zero is the payment's own amount.
func ByHand(p payment.Payment, amount money.Amount) payment.HandCredit {
	return payment.HandCredit{Amount: amount, Expected: p.Amount, AccountMax: Lira(1_000_000), MostTimes: 2}
}

// Answered is the gateway's own answer about a deposit, without money or with some.
func Answered(s gateway.State, paid ...gateway.Money) gateway.Observation {
	seen := gateway.Observation{State: s, Trust: gateway.Answered, Raw: "raw " + string(s)}
	if len(paid) > 0 {
		seen.Paid = &paid[0]
	}
	return seen
}

// Observed takes what a gateway reports of a deposit.
func Observed(seen gateway.Observation) Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideObserved(c, seen, d)
	}
}

// Reported takes what a gateway reports of a payout.
func Reported(r gateway.PayoutReport) Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecidePayoutReported(c, r, d)
	}
}

// RefundReported takes what a gateway reports of a refund.
func RefundReported(r gateway.RefundReport) Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefundReported(c, r, d)
	}
}

// Unanswered is a question about a payout that brings no report.
func Unanswered(class gateway.Class) Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecidePayoutNoAnswer(c, operation.Asked{Err: &gateway.Error{Class: class}, Keys: Findable}, d), nil
	}
}

// NotSent is a call that is known to have had no effect.
func NotSent(class gateway.Class) Decide {
	return func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideNotSent(c, &gateway.Error{Class: class, Effect: gateway.EffectNone}, d)
	}
}

// Begin sends the payment to a gateway.
func (b *Store) Begin(t T, plan operation.DepositPlan) core.ID {
	t.Helper()
	change, err := operation.DecideBegin(b.Payment, b.Operations, plan, b.Decision(core.Actor{Kind: core.ByCustomer}, ""))
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	b.Apply(t, change)
	return b.Payment.Gateway.OperationID
}

// TakeStart has the gateway take a deposit.
func (b *Store) TakeStart(t T, id core.ID) {
	t.Helper()
	b.Take(t, id, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideStarted(c, gateway.DepositStarted{
			External: gateway.ExternalRef{ID: "ext-" + string(id)},
			Next:     gateway.NextStep{Redirect: &gateway.Redirect{URL: "https://pay.example.com"}},
		}, d), nil
	})
}

// Observe has a gateway report on a deposit.
func (b *Store) Observe(t T, id core.ID, seen gateway.Observation) core.Changeset {
	t.Helper()
	return b.Take(t, id, Observed(seen))
}

// Send commits to sending a payout or a refund.
func (b *Store) Send(t T, id core.ID) (ok bool) {
	t.Helper()
	b.Take(t, id, func(c operation.Case, d payment.Decision) (change core.Changeset, err error) {
		change, ok, err = operation.DecideSend(c, d, time.Minute)
		return change, err
	})
	return ok
}

// Report has a gateway answer about a payout.
func (b *Store) Report(t T, id core.ID, s gateway.PayoutState) core.Changeset {
	t.Helper()
	return b.Take(t, id, Reported(gateway.PayoutReport{State: s, Trust: gateway.Answered, Raw: "raw " + string(s)}))
}

// Refund has staff plan a refund of a deposit.
func (b *Store) Refund(t T, of core.ID, plan operation.RefundPlan) (core.ID, error) {
	t.Helper()
	err := b.Order(t, of, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideRefund(c, plan, d)
	})
	if err != nil {
		return "", err
	}
	return b.Operations[len(b.Operations)-1].ID, nil
}

// GiveBack plans a refund, sends it, and has the gateway answer about it.
func (b *Store) GiveBack(t T, of core.ID, plan operation.RefundPlan, states ...gateway.RefundState) core.ID {
	t.Helper()
	id, err := b.Refund(t, of, plan)
	if err != nil || !b.Send(t, id) {
		t.Fatalf("refund: %v, %+v", err, b.Operation(id))
	}
	for _, s := range states {
		b.RefundReport(t, id, s)
	}
	return id
}

// RefundReport has a gateway answer about a refund.
func (b *Store) RefundReport(t T, id core.ID, s gateway.RefundState) core.Changeset {
	t.Helper()
	return b.Take(t, id, RefundReported(gateway.RefundReport{State: s, Trust: gateway.Answered, Raw: "raw " + string(s)}))
}

// Resolve has staff settle the latest discrepancy of a kind.
func (b *Store) Resolve(t T, kind discrepancy.Kind, r operation.Resolution, amount money.Amount) error {
	t.Helper()
	known := b.Discrepancy(t, kind)
	return b.Order(t, known.OperationID, func(c operation.Case, d payment.Decision) (core.Changeset, error) {
		return operation.DecideResolution(c, known.ID, r, amount, d)
	})
}
