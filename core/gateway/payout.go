package gateway

import "time"

// PayoutState is what a payout or transfer is at the gateway.
type PayoutState string

// States of a payout.
const (
	PayoutQueued        PayoutState = "queued"
	PayoutNeedsApproval PayoutState = "needs-approval"
	PayoutSent          PayoutState = "sent" // on its way, not confirmed
	PayoutDone          PayoutState = "done"
	PayoutRejected      PayoutState = "rejected"
	PayoutFailed        PayoutState = "failed"
	PayoutCanceled      PayoutState = "canceled"
	PayoutReturned      PayoutState = "returned" // done once, and the money came back
	PayoutUnknown       PayoutState = "unknown"
)

// Rank orders a payout's states as State.Rank orders a deposit's.
func (s PayoutState) Rank() int {
	switch s {
	case PayoutQueued, PayoutNeedsApproval, PayoutSent:
		return 1
	case PayoutRejected, PayoutFailed, PayoutCanceled:
		return 2
	case PayoutDone:
		return 3
	case PayoutReturned:
		return 4
	default:
		return 0
	}
}

// PayoutStates lists all states of a payout.
func PayoutStates() []PayoutState {
	return []PayoutState{
		PayoutQueued, PayoutNeedsApproval, PayoutSent, PayoutDone, PayoutRejected, PayoutFailed, PayoutCanceled,
		PayoutReturned, PayoutUnknown,
	}
}

// PayoutOrder asks for a payout.
type PayoutOrder struct {
	Ref      Ref
	Key      Key
	Amount   Money // in TRY
	Kind     Kind
	Asset    Asset // what is sent: the chosen crypto type; TRY otherwise
	Customer Customer
	Fields   map[string]string // as PayoutTraits.Needs asks, checked
	Text     string
}

// PayoutKey finds a payout or transfer. External may be empty after an unknown outcome: Ref alone must do.
type PayoutKey struct {
	Ref      Ref
	Key      Key
	External ExternalRef
}

// PayoutReport is what a payout or transfer is at the gateway.
type PayoutReport struct {
	Ref      Ref         `json:"ref,omitempty"`
	External ExternalRef `json:"external,omitzero"`
	State    PayoutState `json:"state,omitempty"`
	Trust    Trust       `json:"trust,omitempty"`
	Sent     *Money      `json:"sent,omitempty"`
	Fee      *Money      `json:"fee,omitempty"`
	At       time.Time   `json:"at,omitzero"`
	Proof    string      `json:"proof,omitempty"` // transaction hash, bank's query number
	Reason   *Reason     `json:"reason,omitempty"`
	Raw      string      `json:"raw,omitempty"`
}

// PayoutCheck is a dry run's verdict.
type PayoutCheck struct {
	OK     bool
	Fee    *Money
	Name   string // the payee's, as the gateway knows it
	Reason *Reason
}

// RefundState is what a refund is at the gateway.
type RefundState string

// States of a refund.
const (
	RefundPending RefundState = "pending"
	RefundDone    RefundState = "done"
	RefundFailed  RefundState = "failed"
	RefundUnknown RefundState = "unknown"
)

// RefundOrder asks to give back a paid deposit or a part of it.
type RefundOrder struct {
	DepositKey
	RefundRef Ref
	Key       Key
	Amount    Money             // more than zero
	IsWhole   bool              // everything that was paid; void where the gateway can
	Target    map[string]string // as RefundTraits.NeedsTarget asks
	Why       string
}

// Check refuses an order to give back nothing, which some gateways take for an order to give back everything. It is called
// before each call: no Refunder sees such an order.
func (o RefundOrder) Check() error {
	if o.Amount.Amount.Sign() > 0 {
		return nil
	}
	return &Error{Class: Invalid, Effect: EffectNone, RawCode: "a refund of nothing"}
}

// RefundKey finds a refund.
type RefundKey struct {
	DepositKey
	RefundRef Ref
	Refund    ExternalRef
	Amount    Money
}

// RefundReport is what a refund is at the gateway.
type RefundReport struct {
	RefundRef Ref         `json:"refund_ref,omitempty"`
	External  ExternalRef `json:"external,omitzero"` // of the refund
	State     RefundState `json:"state,omitempty"`
	Trust     Trust       `json:"trust,omitempty"`
	Amount    *Money      `json:"amount,omitempty"`
	Reason    *Reason     `json:"reason,omitempty"`
	Raw       string      `json:"raw,omitempty"`
}
