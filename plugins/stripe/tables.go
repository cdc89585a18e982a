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
var refunds = map[string]gateway.RefundState{
	"pending":         gateway.RefundPending,
	"requires_action": gateway.RefundPending,
	"succeeded":       gateway.RefundDone,
	"failed":          gateway.RefundFailed,
	"canceled":        gateway.RefundFailed,
}

// failures is what the code of an error means, and the decline_code of a card's.
var failures = plugkit.Failures{
	"amount_too_small":                {Class: gateway.Invalid, Effect: gateway.EffectNone, Reason: gateway.LimitExceeded},
	"amount_too_large":                {Class: gateway.Invalid, Effect: gateway.EffectNone, Reason: gateway.LimitExceeded},
	"resource_missing":                {Class: gateway.NotFound, Effect: gateway.EffectNone},
	"charge_already_refunded":         {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"charge_disputed":                 {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"charge_not_refundable":           {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"refund_disputed_payment":         {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"payment_intent_unexpected_state": {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"balance_insufficient":            {Class: gateway.OutOfFunds, Effect: gateway.EffectNone},
	"idempotency_key_in_use":          {Class: gateway.Conflicting},
	"lock_timeout":                    {Class: gateway.Retryable},
	"rate_limit":                      {Class: gateway.RateLimited, Effect: gateway.EffectNone},
	"api_key_expired":                 {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"livemode_mismatch":               {Class: gateway.Misconfigured, Effect: gateway.EffectNone},

	"insufficient_funds":                    declined(gateway.InsufficientFunds),
	"card_velocity_exceeded":                declined(gateway.LimitExceeded),
	"withdrawal_count_limit_exceeded":       declined(gateway.LimitExceeded),
	"expired_card":                          declined(gateway.ExpiredCard),
	"incorrect_cvc":                         declined(gateway.WrongCVC),
	"invalid_cvc":                           declined(gateway.WrongCVC),
	"incorrect_number":                      declined(gateway.InvalidCard),
	"invalid_number":                        declined(gateway.InvalidCard),
	"invalid_account":                       declined(gateway.InvalidCard),
	"lost_card":                             declined(gateway.LostOrStolen),
	"stolen_card":                           declined(gateway.LostOrStolen),
	"pickup_card":                           declined(gateway.LostOrStolen),
	"fraudulent":                            declined(gateway.FraudSuspected),
	"merchant_blacklist":                    declined(gateway.FraudSuspected),
	"do_not_honor":                          {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.DoNotHonour, Soft: true},
	"call_issuer":                           declined(gateway.DoNotHonour),
	"authentication_required":               declined(gateway.AuthFailed),
	"payment_intent_authentication_failure": declined(gateway.AuthFailed),
	"card_not_supported":                    declined(gateway.NotPermitted),
	"currency_not_supported":                declined(gateway.NotPermitted),
	"not_permitted":                         declined(gateway.NotPermitted),
	"transaction_not_allowed":               declined(gateway.NotPermitted),
	"issuer_not_available":                  {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.IssuerDown, Soft: true},
	"card_declined":                         declined(gateway.Declined),
	"generic_decline":                       declined(gateway.Declined),
}

func declined(why gateway.ReasonCode) plugkit.Failure {
	return plugkit.Failure{Class: gateway.Refused, Effect: gateway.EffectNone, Reason: why}
}
