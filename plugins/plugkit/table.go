package plugkit

import (
	"strings"

	"github.com/vezne/vezne/core/gateway"
)

// States is a gateway's status table: raw text to state. The README of a plugin shows the same table.
type States map[string]gateway.State

// Of finds the state of a raw text, whatever its case; what is not in the table is gateway.Unknown, never Failed.
func (t States) Of(raw string) gateway.State { return stateOf(t, raw, gateway.Unknown) }

// Payouts is a gateway's status table of payouts and transfers.
type Payouts map[string]gateway.PayoutState

// Of finds the state of a raw text, whatever its case; what is not in the table is gateway.PayoutUnknown.
func (t Payouts) Of(raw string) gateway.PayoutState { return stateOf(t, raw, gateway.PayoutUnknown) }

// Refunds is a gateway's status table of refunds.
type Refunds map[string]gateway.RefundState

// Of finds the state of a raw text, whatever its case; what is not in the table is gateway.RefundUnknown.
func (t Refunds) Of(raw string) gateway.RefundState { return stateOf(t, raw, gateway.RefundUnknown) }

// Disputes is a gateway's status table of disputes.
type Disputes map[string]gateway.DisputeState

// Of finds the state of a raw text, whatever its case; what is not in the table is gateway.DisputeUnknown.
func (t Disputes) Of(raw string) gateway.DisputeState { return stateOf(t, raw, gateway.DisputeUnknown) }

// DisputeReasons is why payers dispute, in a gateway's words or the card schemes' codes.
type DisputeReasons map[string]gateway.DisputeReason

// Of finds the reason of a raw text, whatever its case; what is not in the table is gateway.DisputeOther.
func (t DisputeReasons) Of(raw string) gateway.DisputeReason {
	return stateOf(t, raw, gateway.DisputeOther)
}

func stateOf[S any](table map[string]S, raw string, unknown S) S {
	for text, state := range table {
		if strings.EqualFold(text, raw) {
			return state
		}
	}
	return unknown
}

// Failure is what one of a gateway's error codes means.
type Failure struct {
	Class  gateway.Class
	Effect gateway.Effect
	Reason gateway.ReasonCode // of a refusal
	Soft   bool               // may succeed if tried again
}

// Declined is what a bank or its risk engine refused.
func Declined(why gateway.ReasonCode) Failure {
	return Failure{Class: gateway.Refused, Effect: gateway.EffectNone, Reason: why}
}

// NothingDone is a failure after which the gateway is known to have done nothing.
func NothingDone(class gateway.Class) Failure {
	return Failure{Class: class, Effect: gateway.EffectNone}
}

// Failures is a gateway's error table. The README of a plugin shows the same table.
type Failures map[string]Failure

// Error makes the error of a raw code. What is not in the table is a refusal only where the gateway itself called it
// one (isRefusal); otherwise it is retryable with unknown effect.
func (t Failures) Error(code, text string, isRefusal bool) *gateway.Error {
	f, ok := t[code]
	if !ok {
		f = Failure{Class: gateway.Retryable}
		if isRefusal {
			f = Failure{Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.Declined}
		}
	}
	e := &gateway.Error{Class: f.Class, Effect: f.Effect, RawCode: code, RawText: Excerpt([]byte(text))}
	if f.Reason != "" {
		e.Reason = t.Reason(code, text)
	}
	return e
}

// Reason is why something was refused, of a raw code.
func (t Failures) Reason(code, text string) *gateway.Reason {
	f := t[code]
	if f.Reason == "" {
		f.Reason = gateway.Declined
	}
	return &gateway.Reason{Code: f.Reason, RawCode: code, RawText: Excerpt([]byte(text)), Soft: f.Soft}
}
