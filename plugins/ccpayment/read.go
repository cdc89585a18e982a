package ccpayment

import (
	"cmp"
	"context"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/plugins/plugkit"
)

// sureAfter is how long after a start an order may still not be known.
const sureAfter = time.Minute

// status is what the gateway says of an order.
type status struct {
	envelope
	State    plugkit.Text `json:"transaction_status"`
	Invoice  plugkit.Text `json:"invoice_id"` // our reference
	Order    plugkit.Text `json:"order_id"`
	Type     plugkit.Text `json:"transaction_type"`
	Amount   plugkit.Text `json:"transaction_amount"`
	Price    plugkit.Text `json:"product_price"`
	Refunded plugkit.Text `json:"total_refunded_amount"`
	BankCode plugkit.Text `json:"original_bank_error_code"`
	BankText plugkit.Text `json:"original_bank_error_description"`
}

// Lacks implements plugkit.Checker.
func (s *status) Lacks() string {
	if s.Code == "" {
		return "status_code"
	}
	return ""
}

// status asks what became of an order. Error: NotFound, where no card was tried.
func (g *Gateway) status(ctx context.Context, ref gateway.Ref) (status, error) {
	var s status
	err := g.post(ctx, pathStatus, nil, map[string]any{
		"invoice_id": string(ref), "include_pending_status": true, "hash_key": g.hashKey(string(ref), g.merchant()),
	}, &s)
	if err != nil {
		return status{}, err
	}
	code := string(s.Code)
	meaning, isListed := failures[code]
	switch isAbout := plugkit.IsAbout(string(s.Invoice), ref); {
	case isAbout != nil && (s.Invoice != "" || code == codeDone):
		return status{}, isAbout
	case code == codeDone, code == codeNotYet, isListed && meaning.Class == gateway.Refused:
		return s, isAbout
	default:
		return status{}, failures.Error(code, s.text(), false)
	}
}

// ReadDeposit implements ports.DepositReader. The gateway knows an order once a card was tried; one that was started waits until
// then. It is asked after every return and every silence: what a browser brings is not read at all.
func (g *Gateway) ReadDeposit(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
	o := gateway.Observation{Ref: k.Ref, External: nameIt(k.Ref, ""), Trust: gateway.Answered}
	s, err := g.status(ctx, k.Ref)
	if gateway.IsClass(err, gateway.NotFound) && !k.External.IsZero() {
		o.State = gateway.Waiting
		return o, nil
	}
	if err == nil {
		o.External = nameIt(k.Ref, s.Order)
		err = s.observe(&o)
	}
	if err != nil {
		return gateway.Observation{}, err
	}
	return o, nil
}

// observe adds the state, and the money that came and went.
func (s status) observe(o *gateway.Observation) error {
	o.Raw, o.State = string(s.State), states.Of(string(s.State))
	switch {
	case s.Code == codeNotYet && o.State.Rank() < gateway.Paid.Rank():
		o.State, o.Raw = gateway.Waiting, cmp.Or(o.Raw, codeNotYet)
		return nil
	case s.Code != codeDone && o.State != gateway.Failed: // a code that says declined, and a status that does not
		o.State = gateway.Unknown
		return nil
	}
	switch o.State {
	case gateway.Failed:
		o.CanStillPay, o.Reason = true, s.reason()
		return nil
	case gateway.Paid, gateway.Refunded, gateway.Disputed:
	default:
		return nil
	}
	if s.Type != "" && s.Type != typeSale { // only authorized, or of a kind that is never asked for
		o.State, o.Raw = gateway.Unknown, string(s.State+" "+s.Type)
		return nil
	}
	paid, back, err := s.amounts()
	if err != nil {
		return err
	}
	o.Paid = &gateway.Money{Amount: paid, Asset: gateway.TRY}
	if back.Sign() > 0 {
		o.Refunded = &gateway.Money{Amount: back, Asset: gateway.TRY}
	}
	switch {
	case o.State == gateway.Disputed:
	case back.Sign() > 0 && back.Cmp(paid) < 0:
		o.State = gateway.PartRefunded
	case back.Sign() > 0:
		o.State = gateway.Refunded
	case o.State == gateway.Refunded: // of nothing
		o.State = gateway.Unknown
	}
	return nil
}

// amounts are what was charged and what was given back. An answer has no currency: only lira are ever asked for.
func (s status) amounts() (paid, back money.Decimal, err error) {
	charged, err := plugkit.Money(string(s.Amount), lira)
	if err != nil {
		return paid, back, err
	}
	paid = charged.Amount
	if s.Refunded != "" {
		back, err = money.ParseDecimal(string(s.Refunded))
	}
	if err != nil || back.Sign() < 0 || back.Cmp(paid) > 0 || paid.Places() > gateway.TRY.Decimals || back.Places() > gateway.TRY.Decimals {
		return paid, back, plugkit.Distrust(gateway.Retryable, "the answer's amounts can't be right")
	}
	return paid, back, nil
}

// reason is why a card was refused, in the bank's own words where there are any.
func (s status) reason() *gateway.Reason {
	r := failures.Reason(string(s.Code), s.text())
	if s.BankCode != "" {
		r.RawCode, r.RawText = string(s.BankCode), plugkit.Excerpt([]byte(s.BankText))
	}
	return r
}
