package sandbox

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// The gateway's words and what they mean. A word that is missing here is unknown, never a failure: the README shows the
// same tables, and a test compares them.

// states are the statuses of a deposit.
var states = plugkit.States{
	"waiting":         gateway.Waiting,
	"processing":      gateway.Processing,
	"unconfirmed":     gateway.Processing, // the issuer does not answer: it may still be paid
	"review":          gateway.Review,
	"paid":            gateway.Paid,
	"underpaid":       gateway.PartPaid,
	"overpaid":        gateway.OverPaid,
	"failed":          gateway.Failed,
	"canceled":        gateway.Canceled,
	"expired":         gateway.Expired,
	"refunding":       gateway.Refunding,
	"partly_refunded": gateway.PartRefunded,
	"refunded":        gateway.Refunded,
	"disputed":        gateway.Disputed,
	"reversed":        gateway.Disputed, // the sender's bank took it back
}

// payoutStates are the statuses of a payout or transfer.
var payoutStates = plugkit.Payouts{
	"queued":         gateway.PayoutQueued,
	"needs_approval": gateway.PayoutNeedsApproval,
	"sent":           gateway.PayoutSent,
	"done":           gateway.PayoutDone,
	"rejected":       gateway.PayoutRejected,
	"failed":         gateway.PayoutFailed,
	"canceled":       gateway.PayoutCanceled,
	"returned":       gateway.PayoutReturned,
}

// refundStates are the statuses of a refund.
var refundStates = map[string]gateway.RefundState{
	"pending": gateway.RefundPending,
	"done":    gateway.RefundDone,
	"failed":  gateway.RefundFailed,
}

// failures are the codes of refused calls, and the reasons of failed orders.
var failures = plugkit.Failures{
	// The request itself.
	"invalid_request":      {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"unknown_kind":         {Class: gateway.Unsupported, Effect: gateway.EffectNone},
	"unknown_option":       {Class: gateway.Unsupported, Effect: gateway.EffectNone},
	"wrong_currency":       {Class: gateway.Unsupported, Effect: gateway.EffectNone},
	"quote_differs":        {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"quote_expired":        {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"range_too_long":       {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"not_refundable":       {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"refund_too_large":     {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"refund_window_closed": {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"void_closed":          {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"address_required":     {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"not_found":            {Class: gateway.NotFound, Effect: gateway.EffectNone},
	"duplicate_reference":  {Class: gateway.Conflicting},

	// Who asks, and when.
	"bad_key":                 {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"bad_signature":           {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"too_many_requests":       {Class: gateway.RateLimited, Effect: gateway.EffectNone},
	"maintenance":             {Class: gateway.Maintenance, Effect: gateway.EffectNone},
	"temporarily_unavailable": {Class: gateway.Retryable, Effect: gateway.EffectNone}, // the sandbox says: nothing was done
	"internal":                {Class: gateway.Retryable},

	// Somebody says no.
	"insufficient_funds":      refused(gateway.InsufficientFunds),
	"do_not_honour":           refused(gateway.DoNotHonour),
	"card_expired":            refused(gateway.ExpiredCard),
	"wrong_cvc":               refused(gateway.WrongCVC),
	"limit_exceeded":          refused(gateway.LimitExceeded),
	"stolen_card":             refused(gateway.LostOrStolen),
	"fraud_suspected":         refused(gateway.FraudSuspected),
	"issuer_unavailable":      refused(gateway.IssuerDown),
	"not_authenticated":       refused(gateway.AuthFailed),
	"threeds_unavailable":     refused(gateway.AuthFailed),
	"wrong_code":              refused(gateway.AuthFailed),
	"authentication_required": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.AuthFailed, Soft: true},
	"canceled_by_customer":    refused(gateway.CanceledByPayer),
	"name_mismatch":           refused(gateway.NameMismatch),
	"invalid_recipient":       refused(gateway.InvalidTarget),
	"recipient_rejected":      refused(gateway.InvalidTarget),
	"account_closed":          refused(gateway.InvalidTarget),
	"no_funds":                {Class: gateway.OutOfFunds, Effect: gateway.EffectNone, Reason: gateway.NoFunds},
}

func refused(r gateway.ReasonCode) plugkit.Failure {
	return plugkit.Failure{Class: gateway.Refused, Effect: gateway.EffectNone, Reason: r}
}
