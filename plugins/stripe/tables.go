package stripe

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// sessions is what status and payment_status of a session mean, while no card was tried on it. One that is paid has an
// intent: without, nobody knows how much came.
var sessions = plugkit.States{
	"open/unpaid":     gateway.Waiting,
	"complete/unpaid": gateway.Processing,
	"complete/paid":   gateway.Processing,
	"expired/unpaid":  gateway.Expired,
}

// intents is what the status of a payment intent means.
var intents = plugkit.States{
	"requires_payment_method": gateway.Waiting, // failed, if there is a last_payment_error
	"requires_confirmation":   gateway.Waiting,
	"requires_action":         gateway.Waiting, // 3-D Secure
	"processing":              gateway.Processing,
	"requires_capture":        gateway.Authorized,
	"succeeded":               gateway.Paid,
	"canceled":                gateway.Canceled,
}

// refunds is what the status of a refund means.
var refunds = plugkit.Refunds{
	"pending":         gateway.RefundPending,
	"requires_action": gateway.RefundPending,
	"succeeded":       gateway.RefundDone,
	"failed":          gateway.RefundFailed,
	"canceled":        gateway.RefundFailed,
}

// disputeStates is what the status of a dispute means. Those of inquiries begin with warning_.
var disputeStates = plugkit.Disputes{
	"warning_needs_response": gateway.DisputeInquiry,
	"warning_under_review":   gateway.DisputeInquiry,
	"warning_closed":         gateway.DisputeClosed,
	"prevented":              gateway.DisputeClosed,
	"needs_response":         gateway.DisputeNeedsResponse,
	"under_review":           gateway.DisputeUnderReview,
	"won":                    gateway.DisputeWon,
	"lost":                   gateway.DisputeLost,
}

// disputeReasons is what the reason of a dispute means.
var disputeReasons = plugkit.DisputeReasons{
	"bank_cannot_process":       gateway.DisputeProcessing,
	"check_returned":            gateway.DisputeProcessing,
	"incorrect_account_details": gateway.DisputeProcessing,
	"insufficient_funds":        gateway.DisputeProcessing,
	"debit_not_authorized":      gateway.DisputeAuthorization,
	"noncompliant":              gateway.DisputeAuthorization,
	"credit_not_processed":      gateway.DisputeCreditMissing,
	"duplicate":                 gateway.DisputeDuplicate,
	"fraudulent":                gateway.DisputeFraud,
	"product_not_received":      gateway.DisputeNotReceived,
	"product_unacceptable":      gateway.DisputeNotAsDescribed,
	"subscription_canceled":     gateway.DisputeCanceled,
	"unrecognized":              gateway.DisputeUnrecognized,
	"customer_initiated":        gateway.DisputeOther,
	"general":                   gateway.DisputeOther,
}

// failures is what the code of an error means, and the decline_code of a card's.
var failures = plugkit.Failures{
	"amount_too_small":                {Class: gateway.Invalid, Effect: gateway.EffectNone, Reason: gateway.LimitExceeded},
	"amount_too_large":                {Class: gateway.Invalid, Effect: gateway.EffectNone, Reason: gateway.LimitExceeded},
	"resource_missing":                plugkit.NothingDone(gateway.NotFound),
	"charge_already_refunded":         plugkit.NothingDone(gateway.Invalid),
	"charge_disputed":                 plugkit.NothingDone(gateway.Invalid),
	"charge_not_refundable":           plugkit.NothingDone(gateway.Invalid),
	"refund_disputed_payment":         plugkit.NothingDone(gateway.Invalid),
	"payment_intent_unexpected_state": plugkit.NothingDone(gateway.Invalid),
	"balance_insufficient":            plugkit.NothingDone(gateway.OutOfFunds),
	"idempotency_key_in_use":          {Class: gateway.Conflicting},
	"lock_timeout":                    {Class: gateway.Retryable},
	"rate_limit":                      plugkit.NothingDone(gateway.RateLimited),
	"api_key_expired":                 plugkit.NothingDone(gateway.Misconfigured),
	"livemode_mismatch":               plugkit.NothingDone(gateway.Misconfigured),

	"insufficient_funds":                    plugkit.Declined(gateway.InsufficientFunds),
	"card_velocity_exceeded":                plugkit.Declined(gateway.LimitExceeded),
	"withdrawal_count_limit_exceeded":       plugkit.Declined(gateway.LimitExceeded),
	"expired_card":                          plugkit.Declined(gateway.ExpiredCard),
	"incorrect_cvc":                         plugkit.Declined(gateway.WrongCVC),
	"invalid_cvc":                           plugkit.Declined(gateway.WrongCVC),
	"incorrect_number":                      plugkit.Declined(gateway.InvalidCard),
	"invalid_number":                        plugkit.Declined(gateway.InvalidCard),
	"invalid_account":                       plugkit.Declined(gateway.InvalidCard),
	"lost_card":                             plugkit.Declined(gateway.LostOrStolen),
	"stolen_card":                           plugkit.Declined(gateway.LostOrStolen),
	"pickup_card":                           plugkit.Declined(gateway.LostOrStolen),
	"fraudulent":                            plugkit.Declined(gateway.FraudSuspected),
	"merchant_blacklist":                    plugkit.Declined(gateway.FraudSuspected),
	"do_not_honor":                          {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.DoNotHonour, Soft: true},
	"call_issuer":                           plugkit.Declined(gateway.DoNotHonour),
	"authentication_required":               plugkit.Declined(gateway.AuthFailed),
	"payment_intent_authentication_failure": plugkit.Declined(gateway.AuthFailed),
	"card_not_supported":                    plugkit.Declined(gateway.NotPermitted),
	"currency_not_supported":                plugkit.Declined(gateway.NotPermitted),
	"not_permitted":                         plugkit.Declined(gateway.NotPermitted),
	"transaction_not_allowed":               plugkit.Declined(gateway.NotPermitted),
	"issuer_not_available":                  {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.IssuerDown, Soft: true},
	"card_declined":                         plugkit.Declined(gateway.Declined),
	"generic_decline":                       plugkit.Declined(gateway.Declined),
}
