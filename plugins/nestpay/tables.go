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
	noPermission: plugkit.NothingDone(gateway.Misconfigured),
	"CORE-2201":  plugkit.NothingDone(gateway.Misconfigured),
	"CORE-2202":  plugkit.NothingDone(gateway.Misconfigured),
	"CORE-2254":  plugkit.NothingDone(gateway.Misconfigured),
	"CORE-2255":  plugkit.NothingDone(gateway.Misconfigured),
	"CORE-2126":  plugkit.NothingDone(gateway.Misconfigured),
	"CORE-2105":  plugkit.NothingDone(gateway.Misconfigured),
	"CORE-2008":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2116":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2117":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2119":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2123":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2133":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2503":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2504":  plugkit.NothingDone(gateway.Invalid),
	"215021":     plugkit.NothingDone(gateway.Invalid), // "Net Tutar 0."
	"CORE-2511":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2514":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2517":  plugkit.NothingDone(gateway.Invalid),
	"CORE-2508":  {Class: gateway.Retryable, Effect: gateway.EffectNone}, // until the bank has closed its day
	"CORE-2016":  {Class: gateway.Conflicting},
	"CORE-2304":  {Class: gateway.Conflicting},
	"CORE-2507":  {Class: gateway.Conflicting},

	"01": plugkit.Declined(gateway.DoNotHonour),
	"02": plugkit.Declined(gateway.DoNotHonour),
	"05": plugkit.Declined(gateway.DoNotHonour),
	"12": plugkit.Declined(gateway.Declined),
	"28": plugkit.Declined(gateway.Declined),
	"51": plugkit.Declined(gateway.InsufficientFunds),
	"54": plugkit.Declined(gateway.ExpiredCard),
	"57": plugkit.Declined(gateway.NotPermitted),
	"62": plugkit.Declined(gateway.NotPermitted),
	"77": plugkit.Declined(gateway.Declined),
	"09": {Class: gateway.Retryable},
	"99": {Class: gateway.Retryable},
}
