package nestpay

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// lines is what a line of an order's history means, by its kind and TRANS_STAT, if its code is 00. One that is a success by
// its status and none by its code failed.
var lines = plugkit.States{
	"S/S":    gateway.Paid,
	"S/A":    gateway.Paid, // until the bank closes its day; a pre-authorization, which looks the same, is never asked for
	"S/C":    gateway.Paid,
	"S/V":    gateway.Refunded,
	"S/PN":   gateway.Processing,
	"S/CNCL": gateway.Canceled,
	"S/D":    gateway.Failed,
	"S/ERR":  gateway.Failed,
	"S/R":    gateway.Unknown, // the bank has to reverse it
	"C/S":    gateway.Refunded,
	"C/A":    gateway.Refunded,
	"C/C":    gateway.Refunded,
	"C/V":    gateway.Failed, // a refund that was taken back
	"C/D":    gateway.Failed,
	"C/ERR":  gateway.Failed,
}

// noPermission begins the text of the answer to a wrong client, user or password, which has no code.
const noPermission = "insufficient permissions"

// isTooLateToVoid are codes after which a sale is given back instead: the bank has closed its day.
var isTooLateToVoid = map[string]bool{"CORE-2008": true, "CORE-2511": true, "CORE-2133": true}

// failures is what the platform's ERRORCODE means, and where there is none the bank's ProcReturnCode.
var failures = plugkit.Failures{
	noPermission: {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"CORE-2201":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"CORE-2202":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"CORE-2254":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"CORE-2255":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"CORE-2126":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"CORE-2105":  {Class: gateway.Misconfigured, Effect: gateway.EffectNone},
	"CORE-2008":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2116":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2117":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2119":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2123":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2133":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2503":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2504":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"215021":     {Class: gateway.Invalid, Effect: gateway.EffectNone}, // "Net Tutar 0."
	"CORE-2511":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2514":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2517":  {Class: gateway.Invalid, Effect: gateway.EffectNone},
	"CORE-2508":  {Class: gateway.Retryable, Effect: gateway.EffectNone}, // until the bank has closed its day
	"CORE-2016":  {Class: gateway.Conflicting},
	"CORE-2304":  {Class: gateway.Conflicting},
	"CORE-2507":  {Class: gateway.Conflicting},

	"01": declined(gateway.DoNotHonour),
	"02": declined(gateway.DoNotHonour),
	"05": declined(gateway.DoNotHonour),
	"12": declined(gateway.Declined),
	"28": declined(gateway.Declined),
	"51": declined(gateway.InsufficientFunds),
	"54": declined(gateway.ExpiredCard),
	"57": declined(gateway.NotPermitted),
	"62": declined(gateway.NotPermitted),
	"77": declined(gateway.Declined),
	"09": {Class: gateway.Retryable},
	"99": {Class: gateway.Retryable},
}

func declined(why gateway.ReasonCode) plugkit.Failure {
	return plugkit.Failure{Class: gateway.Refused, Effect: gateway.EffectNone, Reason: why}
}
