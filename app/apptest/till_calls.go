package apptest

import (
	"context"

	"github.com/vezne/vezne/core/gateway"
)

// StartDeposit implements ports.DepositStarter. An order that is there already is the same order.
func (t *Till) StartDeposit(_ context.Context, o gateway.DepositOrder) (gateway.DepositStarted, error) {
	after, err := t.enter(gateway.CanStartDeposit, o.Ref)
	if err != nil {
		return gateway.DepositStarted{}, err
	}
	due := o.Amount
	if o.Quote != nil {
		due = o.Quote.To
	}
	t.put(t.deposits, o.Ref, due, string(gateway.Waiting))
	started := gateway.DepositStarted{External: gateway.ExternalRef{ID: "till-" + string(o.Ref)}}
	started.Next.Redirect = &gateway.Redirect{URL: "https://till.test/pay/" + string(o.Ref)}
	if o.Kind != gateway.Card && o.Kind != gateway.Wallet {
		started.Next = gateway.NextStep{Pay: &gateway.Instructions{
			Kind: o.Kind, Address: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", Asset: due.Asset, Exact: due.Amount, Confirms: 1,
			QR: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", IBAN: t.IBAN, Holder: "Till A.Ş.", Bank: "Till Bank",
			Reference: string(o.Ref), ExpiresAt: o.ExpiresAt,
		}}
	}
	return started, after()
}

func (t *Till) put(in map[gateway.Ref]*Order, ref gateway.Ref, amount gateway.Money, state string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if in[ref] == nil {
		in[ref] = &Order{Amount: amount, State: state}
		in[ref].Orders = 1
	}
}

// ReadDeposit implements ports.DepositReader.
func (t *Till) ReadDeposit(_ context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	return t.observe(gateway.CanReadDeposit, k.Ref)
}

// FinishReturn implements ports.ReturnFinisher: it takes nothing by itself, and counts.
func (t *Till) FinishReturn(_ context.Context, v gateway.ReturnVisit) (gateway.Observation, error) {
	t.mu.Lock()
	t.finishes[v.Ref]++
	t.mu.Unlock()
	return t.observe(gateway.CanFinishReturn, v.Ref)
}

// CancelDeposit implements ports.DepositCanceler.
func (t *Till) CancelDeposit(_ context.Context, o gateway.CancelOrder) (gateway.Observation, error) {
	after, err := t.enter(gateway.CanCancelDeposit, o.Ref)
	if err != nil {
		return gateway.Observation{}, err
	}
	t.Change(o.Ref, func(d *Order) {
		if d.State == string(gateway.Waiting) || d.CanStillPay {
			d.State, d.CanStillPay = string(gateway.Canceled), false
		}
	})
	if err := after(); err != nil {
		return gateway.Observation{}, err
	}
	return t.report(o.Ref, gateway.Answered)
}

func (t *Till) observe(call gateway.Capability, ref gateway.Ref) (gateway.Observation, error) {
	if err := t.asked(call, ref); err != nil {
		return gateway.Observation{}, err
	}
	return t.report(ref, gateway.Answered)
}

func (t *Till) report(ref gateway.Ref, trust gateway.Trust) (gateway.Observation, error) {
	o, ok := t.Deposit(ref)
	if !ok {
		return gateway.Observation{}, errNotFound
	}
	seen := gateway.Observation{
		Ref: ref, External: gateway.ExternalRef{ID: "till-" + string(ref)}, State: gateway.State(o.State), Trust: trust,
		Raw: o.State, Reason: o.Reason, CanStillPay: o.CanStillPay,
	}
	if o.Paid.Amount.Sign() > 0 {
		seen.Paid = &o.Paid
	}
	return seen, nil
}

// Refund implements ports.Refunder: refunds are done at once, unless a test changes them.
func (t *Till) Refund(_ context.Context, o gateway.RefundOrder) (gateway.RefundReport, error) {
	after, err := t.enter(gateway.CanRefund, o.RefundRef)
	if err != nil {
		return gateway.RefundReport{}, err
	}
	t.put(t.refunds, o.RefundRef, o.Amount, string(gateway.RefundDone))
	if err := after(); err != nil {
		return gateway.RefundReport{}, err
	}
	return t.refund(o.RefundRef)
}

// ReadRefund implements ports.Refunder.
func (t *Till) ReadRefund(_ context.Context, k gateway.RefundKey) (gateway.RefundReport, error) {
	if _, err := t.enter(gateway.CanRefund, k.RefundRef); err != nil {
		return gateway.RefundReport{}, err
	}
	return t.refund(k.RefundRef)
}

func (t *Till) refund(ref gateway.Ref) (gateway.RefundReport, error) {
	o, ok := t.Refunded(ref)
	if !ok {
		return gateway.RefundReport{}, errNotFound
	}
	return gateway.RefundReport{
		RefundRef: ref, External: gateway.ExternalRef{ID: "till-" + string(ref)}, State: gateway.RefundState(o.State),
		Trust: gateway.Answered, Amount: &o.Amount, Reason: o.Reason,
	}, nil
}

// SendPayout implements ports.Payer.
func (t *Till) SendPayout(_ context.Context, o gateway.PayoutOrder) (gateway.PayoutReport, error) {
	after, err := t.enter(gateway.CanPayOut, o.Ref)
	if err != nil {
		return gateway.PayoutReport{}, err
	}
	t.mu.Lock()
	if t.payouts[o.Ref] != nil {
		t.payouts[o.Ref].Orders++ // a test sees that it was paid twice
	}
	t.mu.Unlock()
	t.put(t.payouts, o.Ref, o.Amount, string(gateway.PayoutSent))
	if err := after(); err != nil {
		return gateway.PayoutReport{}, err
	}
	return t.payout(o.Ref)
}

// ReadPayout implements ports.Payer.
func (t *Till) ReadPayout(_ context.Context, k gateway.PayoutKey) (gateway.PayoutReport, error) {
	if err := t.asked("read_payout", k.Ref); err != nil {
		return gateway.PayoutReport{}, err
	}
	return t.payout(k.Ref)
}

// ApprovePayout implements ports.PayoutApprover: the code is 123456.
func (t *Till) ApprovePayout(_ context.Context, k gateway.PayoutKey, code string) (gateway.PayoutReport, error) {
	if code != "123456" {
		return gateway.PayoutReport{}, &gateway.Error{Class: gateway.Refused, Effect: gateway.EffectNone, RawText: "wrong code"}
	}
	t.Change(k.Ref, func(o *Order) { o.State = string(gateway.PayoutSent) })
	return t.payout(k.Ref)
}

func (t *Till) payout(ref gateway.Ref) (gateway.PayoutReport, error) {
	o, ok := t.Payout(ref)
	if !ok {
		return gateway.PayoutReport{}, errNotFound
	}
	return gateway.PayoutReport{
		Ref: ref, External: gateway.ExternalRef{ID: "till-" + string(ref)}, State: gateway.PayoutState(o.State),
		Trust: gateway.Answered, Reason: o.Reason, Raw: o.State, Proof: "proof-" + string(ref),
	}, nil
}
