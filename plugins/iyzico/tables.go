package iyzico

import (
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// success is the paymentStatus that needs a fraudStatus beside it: "SUCCESS/1".
const success = "SUCCESS"

// states is what a form's paymentStatus means, with its fraudStatus where money was taken.
var states = plugkit.States{
	success + "/1":       gateway.Paid,
	success + "/0":       gateway.Review, // taken, and held by the fraud check
	success + "/-1":      gateway.Failed, // refused by the fraud check afterwards
	"FAILURE":            gateway.Failed, // of one card: the form stays open
	"INIT_THREEDS":       gateway.Processing,
	"CALLBACK_THREEDS":   gateway.Processing,
	"CALLBACK_PECCO":     gateway.Processing,
	"PENDING_CREDIT":     gateway.Processing,
	"INIT_BANK_TRANSFER": gateway.Waiting,
	"INIT_CREDIT":        gateway.Waiting,
	"INIT_APM":           gateway.Waiting,
	"INIT_CONTACTLESS":   gateway.Waiting,
	"BKM_POS_SELECTED":   gateway.Waiting,
	"":                   gateway.Waiting, // nothing was tried on the form yet
}

// stateOf finds the state of a form's answer. Our own keys are no words of iyzico's.
func stateOf(status, fraud string) gateway.State {
	if status == success {
		return states.Of(status + "/" + fraud)
	}
	if strings.Contains(status, "/") {
		return gateway.Unknown
	}
	return states.Of(status)
}

// reported is what the paymentStatus of the reporting calls means: numbers there.
var reported = plugkit.States{
	"1/1":  gateway.Paid,
	"1/0":  gateway.Review,
	"1/-1": gateway.Failed,
	"2":    gateway.Waiting, // failed, or 3-D Secure has begun: the customer may try again or go on
	"3":    gateway.Processing,
}

// listed is what the transactionStatus of a day's listing means.
var listed = plugkit.States{
	"0":  gateway.Review,
	"-1": gateway.Failed,
	"1":  gateway.Paid,
	"2":  gateway.Paid,
}

// refunds is what paymentRefundStatus makes of a payment that was paid.
var refunds = plugkit.States{
	"":                   gateway.Paid,
	"NOT_REFUNDED":       gateway.Paid,
	"PARTIALLY_REFUNDED": gateway.PartRefunded,
	"TOTALLY_REFUNDED":   gateway.Refunded,
}

// failures is what iyzico's errorCode means.
var failures = plugkit.Failures{
	"1":     unknown(),
	"11":    {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"5008":  {Class: gateway.Invalid, Effect: gateway.EffectNone, Reason: gateway.LimitExceeded},
	"5062":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"10005": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.DoNotHonour, Soft: true},
	"10012": declined(gateway.Declined),
	"10034": declined(gateway.FraudSuspected),
	"10041": declined(gateway.LostOrStolen),
	"10043": declined(gateway.LostOrStolen),
	"10051": declined(gateway.InsufficientFunds),
	"10054": declined(gateway.ExpiredCard),
	"10057": declined(gateway.NotPermitted),
	"10058": declined(gateway.NotPermitted),
	"10084": declined(gateway.WrongCVC),
	"10000": unknown(), // system error
	"10214": unknown(),
	"50000": {Class: gateway.RateLimited, Effect: gateway.EffectNone},

	// Less certain; the sources are in README.md.
	"3":     {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"5":     {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"8":     {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"23":    {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"25":    {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"1000":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"1001":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"5005":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"5087":  {Class: gateway.NotFound, Effect: gateway.EffectNone},
	"8514":  {Class: gateway.Conflicting}, // an earlier cancel or refund is under way
	"10093": declined(gateway.NotPermitted),
	"10209": declined(gateway.NotPermitted),
	"10215": declined(gateway.InvalidCard),
	"10219": unknown(),
	"10225": declined(gateway.NotPermitted),
}

// groups is what iyzico's errorGroup means, which its documentation asks to go by. What is not here is a decline like any
// other if its code is a bank's.
var groups = plugkit.Failures{
	"NOT_SUFFICIENT_FUNDS":            declined(gateway.InsufficientFunds),
	"NOT_SUFFICIENT_AWARD":            declined(gateway.InsufficientFunds),
	"DO_NOT_HONOUR":                   {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.DoNotHonour, Soft: true},
	"REFER_TO_CARD_ISSUER":            declined(gateway.DoNotHonour),
	"REQUEST_BLOCKED_BY_BANK":         declined(gateway.DoNotHonour),
	"FRAUD_SUSPECT":                   declined(gateway.FraudSuspected),
	"LOST_CARD":                       declined(gateway.LostOrStolen),
	"STOLEN_CARD":                     declined(gateway.LostOrStolen),
	"PICKUP_CARD":                     declined(gateway.LostOrStolen),
	"EXPIRED_CARD":                    declined(gateway.ExpiredCard),
	"INVALID_EXPIRE_YEAR_MONTH":       declined(gateway.ExpiredCard),
	"INVALID_CVC2":                    declined(gateway.WrongCVC),
	"INVALID_CVC2_LENGTH":             declined(gateway.WrongCVC),
	"CVC2_MAX_ATTEMPT":                declined(gateway.WrongCVC),
	"INVALID_CARD_NUMBER":             declined(gateway.InvalidCard),
	"BIN_NOT_FOUND":                   declined(gateway.InvalidCard),
	"NO_SUCH_ISSUER":                  declined(gateway.InvalidCard),
	"INVALID_CAVV":                    declined(gateway.AuthFailed),
	"INVALID_ECI":                     declined(gateway.AuthFailed),
	"INVALID_PIN":                     declined(gateway.AuthFailed),
	"EXCEEDS_ALLOWABLE_PIN_TRIES":     declined(gateway.AuthFailed),
	"EXCEEDS_WITHDRAWAL_AMOUNT_LIMIT": declined(gateway.LimitExceeded),
	"NOT_PERMITTED_TO_CARDHOLDER":     declined(gateway.NotPermitted),
	"NOT_PERMITTED_TO_TERMINAL":       declined(gateway.NotPermitted),
	"NOT_PERMITTED_TO_FOREIGN_CARD":   declined(gateway.NotPermitted),
	"NOT_PERMITTED_TO_INSTALLMENT":    declined(gateway.NotPermitted),
	"DEBIT_CARDS_REQUIRES_3DS":        declined(gateway.NotPermitted),
	"CARD_NOT_PERMITTED":              declined(gateway.NotPermitted),
	"RESTRICTED_BY_LAW":               declined(gateway.NotPermitted),
	"RESTRICTED_CARD":                 declined(gateway.NotPermitted),
	"BLOCKED_CARD":                    declined(gateway.NotPermitted),

	// Nobody says that the bank did nothing.
	"COMMUNICATION_OR_SYSTEM_ERROR": unknown(),
	"REQUEST_TIMEOUT":               unknown(),
	"ISSUER_OR_SWITCH_INOPERATIVE":  unknown(),
}

// meaningOf finds what a failure means: by its group, by its code, or as a bank's, whose codes begin with 10000.
func meaningOf(code, group string) (plugkit.Failure, bool) {
	if f, isListed := groups[group]; isListed {
		return f, true
	}
	if f, isListed := failures[code]; isListed {
		return f, true
	}
	if len(code) == 5 && strings.HasPrefix(code, "10") {
		return declined(gateway.Declined), true
	}
	return plugkit.Failure{}, false
}

// reasonOf is why a card was refused.
func reasonOf(a answer) *gateway.Reason {
	meaning, _ := meaningOf(a.text("errorCode"), a.text("errorGroup"))
	code := a.text("errorCode")
	return plugkit.Failures{code: meaning}.Reason(code, a.text("errorMessage"))
}

func declined(why gateway.ReasonCode) plugkit.Failure {
	return plugkit.Failure{Class: gateway.Refused, Effect: gateway.EffectNone, Reason: why}
}

func unknown() plugkit.Failure { return plugkit.Failure{Class: gateway.Retryable} }
