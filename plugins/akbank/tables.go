package akbank

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// lines is what an approved line of an order's history means, by its txnCode and txnStatus. What is not in the table is
// unknown, never failed.
var lines = plugkit.States{
	"1000/N": gateway.Paid,
	"1000/V": gateway.Refunded, // voided
	"1000/R": gateway.Refunded, // reversed; one client reads it as given back
	"1000/S": gateway.Unknown,  // suspicious
	"3000/N": gateway.Paid,
	"3000/V": gateway.Refunded,
	"3000/R": gateway.Refunded,
	"3000/S": gateway.Unknown,
	"1002/N": gateway.Refunded,
	"1002/V": gateway.Failed, // a refund that was taken back
	"1002/S": gateway.Unknown,
}

// codeWrongKeys is the code of an answer to a wrong terminal, key or signature.
const codeWrongKeys = "401"

// codeNoOriginal is the code of a void or a refund of what can't be voided or given back.
const codeNoOriginal = "VPS-1007"

// failures is what a responseCode means, and after VPS-1005 the host's own code.
var failures = plugkit.Failures{
	codeWrongKeys:  plugkit.NothingDone(gateway.Misconfigured),
	codeNoOriginal: plugkit.NothingDone(gateway.Invalid),
	"VPS-1008":     {Class: gateway.Conflicting}, // voided before
	"VPS-1013":     {Class: gateway.Conflicting}, // the orderId was used before
	"VPS-1073":     {Class: gateway.Retryable, Effect: gateway.EffectNone},
	"VPS-1123":     plugkit.NothingDone(gateway.NotFound),
	"VPS-1279":     plugkit.Declined(gateway.AuthFailed),

	"05": plugkit.Declined(gateway.DoNotHonour),
	"14": plugkit.Declined(gateway.InvalidCard),
	"51": plugkit.Declined(gateway.InsufficientFunds),
	"54": plugkit.Declined(gateway.ExpiredCard),
	"57": plugkit.Declined(gateway.NotPermitted),
	"83": plugkit.Declined(gateway.Declined),
	"09": {Class: gateway.Retryable},
	"96": {Class: gateway.Retryable},
}
