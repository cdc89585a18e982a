package garanti

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// lines is what a line of an order's history means, by its Type and Status. "void" stands behind where it has a VoidDate. What is not in
// the table is unknown, never failed.
var lines = plugkit.States{
	"sales/00":      gateway.Paid,
	"sales/00/void": gateway.Refunded,
	"sales/01":      gateway.Failed,
	"refund/00":     gateway.Refunded,
	"refund/01":     gateway.Failed,
	"void/00":       gateway.Refunded,
	"void/01":       gateway.Failed,
}

// codeServer is the code of what the bank's server refused by itself. Why stands in the ReasonCode.
const codeServer = "92"

// nothingToVoid are the codes of a void that found nothing to undo.
var nothingToVoid = map[string]bool{"0201": true, "0210": true}

// failures is what an answer's ReasonCode means where its Code is 92, and its Code where that is the host's own.
var failures = plugkit.Failures{
	"0651": plugkit.NothingDone(gateway.Misconfigured), // password or signature
	"0652": plugkit.NothingDone(gateway.Misconfigured), // the user may not do that
	"0653": plugkit.NothingDone(gateway.Misconfigured),
	"0654": plugkit.NothingDone(gateway.Misconfigured),
	"0752": plugkit.NothingDone(gateway.Misconfigured), // no such terminal
	"0753": plugkit.NothingDone(gateway.Misconfigured),
	"0769": plugkit.NothingDone(gateway.Misconfigured), // of another address

	"0002": plugkit.NothingDone(gateway.Invalid),
	"0108": plugkit.NothingDone(gateway.NotFound),
	"0201": plugkit.NothingDone(gateway.Invalid),
	"0203": plugkit.NothingDone(gateway.Invalid),
	"0208": plugkit.NothingDone(gateway.Invalid),
	"0210": plugkit.NothingDone(gateway.Invalid),
	"0214": plugkit.NothingDone(gateway.Invalid),
	"9999": {Class: gateway.Retryable},

	"05": plugkit.Declined(gateway.DoNotHonour),
	"12": plugkit.Declined(gateway.Declined),
	"14": plugkit.Declined(gateway.InvalidCard),
	"51": plugkit.Declined(gateway.InsufficientFunds),
	"54": plugkit.Declined(gateway.ExpiredCard),
	"57": plugkit.Declined(gateway.NotPermitted),
	"93": plugkit.Declined(gateway.NotPermitted),
}
