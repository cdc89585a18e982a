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
	"11":    plugkit.NothingDone(gateway.Invalid),
	"5008":  {Class: gateway.Invalid, Effect: gateway.EffectNone, Reason: gateway.LimitExceeded},
	"5062":  plugkit.NothingDone(gateway.Invalid),
	"10005": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.DoNotHonour, Soft: true},
	"10012": plugkit.Declined(gateway.Declined),
	"10034": plugkit.Declined(gateway.FraudSuspected),
	"10041": plugkit.Declined(gateway.LostOrStolen),
	"10043": plugkit.Declined(gateway.LostOrStolen),
	"10051": plugkit.Declined(gateway.InsufficientFunds),
	"10054": plugkit.Declined(gateway.ExpiredCard),
	"10057": plugkit.Declined(gateway.NotPermitted),
	"10058": plugkit.Declined(gateway.NotPermitted),
	"10084": plugkit.Declined(gateway.WrongCVC),
	"10000": unknown(), // system error
	"10214": unknown(),
	"50000": plugkit.NothingDone(gateway.RateLimited),

	// Less certain; the sources are in README.md.
	"3":     plugkit.NothingDone(gateway.Invalid),
	"5":     plugkit.NothingDone(gateway.Invalid),
	"8":     plugkit.NothingDone(gateway.Invalid),
	"23":    plugkit.NothingDone(gateway.Invalid),
	"25":    plugkit.NothingDone(gateway.Invalid),
	"1000":  plugkit.NothingDone(gateway.Misconfigured),
	"1001":  plugkit.NothingDone(gateway.Misconfigured),
	"5005":  plugkit.NothingDone(gateway.Invalid),
	"5087":  plugkit.NothingDone(gateway.NotFound),
	"8514":  {Class: gateway.Conflicting}, // an earlier cancel or refund is under way
	"10093": plugkit.Declined(gateway.NotPermitted),
	"10209": plugkit.Declined(gateway.NotPermitted),
	"10215": plugkit.Declined(gateway.InvalidCard),
	"10219": unknown(),
	"10225": plugkit.Declined(gateway.NotPermitted),
}

// groups is what iyzico's errorGroup means, which its documentation asks to go by. What is not here is a decline like any
// other if its code is a bank's.
var groups = plugkit.Failures{
	"NOT_SUFFICIENT_FUNDS":            plugkit.Declined(gateway.InsufficientFunds),
	"NOT_SUFFICIENT_AWARD":            plugkit.Declined(gateway.InsufficientFunds),
	"DO_NOT_HONOUR":                   {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.DoNotHonour, Soft: true},
	"REFER_TO_CARD_ISSUER":            plugkit.Declined(gateway.DoNotHonour),
	"REQUEST_BLOCKED_BY_BANK":         plugkit.Declined(gateway.DoNotHonour),
	"FRAUD_SUSPECT":                   plugkit.Declined(gateway.FraudSuspected),
	"LOST_CARD":                       plugkit.Declined(gateway.LostOrStolen),
	"STOLEN_CARD":                     plugkit.Declined(gateway.LostOrStolen),
	"PICKUP_CARD":                     plugkit.Declined(gateway.LostOrStolen),
	"EXPIRED_CARD":                    plugkit.Declined(gateway.ExpiredCard),
	"INVALID_EXPIRE_YEAR_MONTH":       plugkit.Declined(gateway.ExpiredCard),
	"INVALID_CVC2":                    plugkit.Declined(gateway.WrongCVC),
	"INVALID_CVC2_LENGTH":             plugkit.Declined(gateway.WrongCVC),
	"CVC2_MAX_ATTEMPT":                plugkit.Declined(gateway.WrongCVC),
	"INVALID_CARD_NUMBER":             plugkit.Declined(gateway.InvalidCard),
	"BIN_NOT_FOUND":                   plugkit.Declined(gateway.InvalidCard),
	"NO_SUCH_ISSUER":                  plugkit.Declined(gateway.InvalidCard),
	"INVALID_CAVV":                    plugkit.Declined(gateway.AuthFailed),
	"INVALID_ECI":                     plugkit.Declined(gateway.AuthFailed),
	"INVALID_PIN":                     plugkit.Declined(gateway.AuthFailed),
	"EXCEEDS_ALLOWABLE_PIN_TRIES":     plugkit.Declined(gateway.AuthFailed),
	"EXCEEDS_WITHDRAWAL_AMOUNT_LIMIT": plugkit.Declined(gateway.LimitExceeded),
	"NOT_PERMITTED_TO_CARDHOLDER":     plugkit.Declined(gateway.NotPermitted),
	"NOT_PERMITTED_TO_TERMINAL":       plugkit.Declined(gateway.NotPermitted),
	"NOT_PERMITTED_TO_FOREIGN_CARD":   plugkit.Declined(gateway.NotPermitted),
	"NOT_PERMITTED_TO_INSTALLMENT":    plugkit.Declined(gateway.NotPermitted),
	"DEBIT_CARDS_REQUIRES_3DS":        plugkit.Declined(gateway.NotPermitted),
	"CARD_NOT_PERMITTED":              plugkit.Declined(gateway.NotPermitted),
	"RESTRICTED_BY_LAW":               plugkit.Declined(gateway.NotPermitted),
	"RESTRICTED_CARD":                 plugkit.Declined(gateway.NotPermitted),
	"BLOCKED_CARD":                    plugkit.Declined(gateway.NotPermitted),

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
		return plugkit.Declined(gateway.Declined), true
	}
	return plugkit.Failure{}, false
}

// reasonOf is why a card was refused.
func reasonOf(a answer) *gateway.Reason {
	meaning, _ := meaningOf(a.text("errorCode"), a.text("errorGroup"))
	code := a.text("errorCode")
	return plugkit.Failures{code: meaning}.Reason(code, a.text("errorMessage"))
}

func unknown() plugkit.Failure { return plugkit.Failure{Class: gateway.Retryable} }
