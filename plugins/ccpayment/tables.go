package ccpayment

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// Codes and words that a rule of their own is about.
const (
	codeNotYet       = "69"
	codeRefundFailed = "49"
	typeSale         = "Auth" // a pre-authorization is another
)

// states is what the status of an order means, if the code beside it is 100.
var states = plugkit.States{
	"Completed":            gateway.Paid,
	"Pending":              gateway.Waiting, // also a page on which nobody has paid: it must not keep a payment from its end
	"Failed":               gateway.Failed,
	"Refund":               gateway.Refunded,
	"Refunded":             gateway.Refunded,
	"Chargeback Requested": gateway.Disputed,
}

// told is what the status in a sale's hash key means. A success is a reason to ask.
var told = plugkit.States{
	"1": gateway.Processing, "Completed": gateway.Processing, "0": gateway.Failed, "Failed": gateway.Failed,
}

// failures is what status_code means, of every call.
var failures = plugkit.Failures{
	"1":   plugkit.NothingDone(gateway.Invalid),
	"2":   plugkit.NothingDone(gateway.Misconfigured), // of a token, in the older documentation
	"3":   {Class: gateway.Conflicting},
	"12":  plugkit.NothingDone(gateway.Invalid),
	"13":  plugkit.NothingDone(gateway.Invalid),
	"14":  plugkit.NothingDone(gateway.Misconfigured),
	"30":  plugkit.NothingDone(gateway.Misconfigured),
	"31":  plugkit.NothingDone(gateway.NotFound),
	"32":  plugkit.NothingDone(gateway.NotFound),
	"33":  plugkit.NothingDone(gateway.Invalid),
	"34":  plugkit.NothingDone(gateway.Misconfigured),
	"35":  plugkit.NothingDone(gateway.Misconfigured),
	"36":  plugkit.NothingDone(gateway.Misconfigured),
	"37":  plugkit.NothingDone(gateway.Misconfigured),
	"38":  plugkit.NothingDone(gateway.Misconfigured),
	"39":  plugkit.NothingDone(gateway.Misconfigured),
	"40":  plugkit.NothingDone(gateway.Misconfigured),
	"41":  plugkit.Declined(gateway.Declined),
	"42":  plugkit.NothingDone(gateway.Invalid),
	"43":  plugkit.NothingDone(gateway.Misconfigured),
	"44":  plugkit.Declined(gateway.DoNotHonour),
	"45":  plugkit.Declined(gateway.LimitExceeded),
	"46":  plugkit.Declined(gateway.LimitExceeded),
	"47":  plugkit.Declined(gateway.LimitExceeded),
	"48":  plugkit.NothingDone(gateway.Invalid),
	"49":  {Class: gateway.Retryable}, // the refund's own count says more
	"56":  plugkit.NothingDone(gateway.Misconfigured),
	"60":  plugkit.Declined(gateway.NotPermitted),
	"68":  plugkit.NothingDone(gateway.Misconfigured),
	"69":  {Class: gateway.Retryable},
	"70":  plugkit.Declined(gateway.NotPermitted),
	"76":  plugkit.Declined(gateway.NotPermitted),
	"77":  plugkit.Declined(gateway.NotPermitted),
	"85":  plugkit.NothingDone(gateway.Invalid),
	"90":  plugkit.NothingDone(gateway.Misconfigured),
	"91":  plugkit.NothingDone(gateway.Misconfigured),
	"99":  {Class: gateway.Retryable},
	"102": plugkit.NothingDone(gateway.Misconfigured),
	"104": {Class: gateway.Conflicting}, // the refund's reference was used
	"105": plugkit.Declined(gateway.Declined),
	"106": plugkit.NothingDone(gateway.Misconfigured),
	"108": plugkit.Declined(gateway.InvalidCard),
	"110": plugkit.NothingDone(gateway.Invalid),
	"117": {Class: gateway.Conflicting},
	"404": plugkit.NothingDone(gateway.Invalid), // the code, not the status: no address for a customer who gives up
}
