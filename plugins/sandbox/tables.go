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
var refundStates = plugkit.Refunds{
	"pending": gateway.RefundPending,
	"done":    gateway.RefundDone,
	"failed":  gateway.RefundFailed,
}

// disputeStates are the statuses of a dispute.
var disputeStates = plugkit.Disputes{
	"inquiry":        gateway.DisputeInquiry,
	"needs_response": gateway.DisputeNeedsResponse,
	"under_review":   gateway.DisputeUnderReview,
	"won":            gateway.DisputeWon,
	"lost":           gateway.DisputeLost,
	"closed":         gateway.DisputeClosed,
}

// disputeReasons are why payers dispute.
var disputeReasons = plugkit.DisputeReasons{
	"fraudulent":       gateway.DisputeFraud,
	"not_recognized":   gateway.DisputeUnrecognized,
	"not_received":     gateway.DisputeNotReceived,
	"not_as_described": gateway.DisputeNotAsDescribed,
	"duplicate":        gateway.DisputeDuplicate,
	"canceled":         gateway.DisputeCanceled,
}

// failures are the codes of refused calls, and the reasons of failed orders.
var failures = plugkit.Failures{
	// The request itself.
	"invalid_request":      plugkit.NothingDone(gateway.Invalid),
	"unknown_kind":         plugkit.NothingDone(gateway.Unsupported),
	"unknown_option":       plugkit.NothingDone(gateway.Unsupported),
	"wrong_currency":       plugkit.NothingDone(gateway.Unsupported),
	"quote_differs":        plugkit.NothingDone(gateway.Invalid),
	"quote_expired":        plugkit.NothingDone(gateway.Invalid),
	"range_too_long":       plugkit.NothingDone(gateway.Invalid),
	"not_refundable":       plugkit.NothingDone(gateway.Invalid),
	"refund_too_large":     plugkit.NothingDone(gateway.Invalid),
	"refund_window_closed": plugkit.NothingDone(gateway.Invalid),
	"void_closed":          plugkit.NothingDone(gateway.Invalid),
	"address_required":     plugkit.NothingDone(gateway.Invalid),
	"evidence_not_taken":   plugkit.NothingDone(gateway.Invalid),
	"not_found":            plugkit.NothingDone(gateway.NotFound),
	"duplicate_reference":  {Class: gateway.Conflicting},

	// Who asks, and when.
	"bad_key":                 plugkit.NothingDone(gateway.Misconfigured),
	"bad_signature":           plugkit.NothingDone(gateway.Misconfigured),
	"too_many_requests":       plugkit.NothingDone(gateway.RateLimited),
	"maintenance":             plugkit.NothingDone(gateway.Maintenance),
	"temporarily_unavailable": plugkit.NothingDone(gateway.Retryable), // the sandbox says: nothing was done
	"internal":                {Class: gateway.Retryable},

	// Somebody says no.
	"insufficient_funds":      plugkit.Declined(gateway.InsufficientFunds),
	"do_not_honour":           plugkit.Declined(gateway.DoNotHonour),
	"card_expired":            plugkit.Declined(gateway.ExpiredCard),
	"wrong_cvc":               plugkit.Declined(gateway.WrongCVC),
	"limit_exceeded":          plugkit.Declined(gateway.LimitExceeded),
	"stolen_card":             plugkit.Declined(gateway.LostOrStolen),
	"fraud_suspected":         plugkit.Declined(gateway.FraudSuspected),
	"issuer_unavailable":      plugkit.Declined(gateway.IssuerDown),
	"not_authenticated":       plugkit.Declined(gateway.AuthFailed),
	"threeds_unavailable":     plugkit.Declined(gateway.AuthFailed),
	"wrong_code":              plugkit.Declined(gateway.AuthFailed),
	"authentication_required": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.AuthFailed, Soft: true},
	"canceled_by_customer":    plugkit.Declined(gateway.CanceledByPayer),
	"name_mismatch":           plugkit.Declined(gateway.NameMismatch),
	"invalid_recipient":       plugkit.Declined(gateway.InvalidTarget),
	"recipient_rejected":      plugkit.Declined(gateway.InvalidTarget),
	"account_closed":          plugkit.Declined(gateway.InvalidTarget),
	"no_funds":                {Class: gateway.OutOfFunds, Effect: gateway.EffectNone, Reason: gateway.NoFunds},
}
