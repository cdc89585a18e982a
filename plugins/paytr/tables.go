package paytr

import (
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// states is what the status of an order means.
var states = plugkit.States{"success": gateway.Paid}

// tokens is what the reason means for which a token is refused: it has no number.
var tokens = plugkit.Failures{
	"Gecersiz istek veya magaza aktif degil": plugkit.NothingDone(gateway.Misconfigured),
	"paytr_token gonderilmedi veya gecersiz": plugkit.NothingDone(gateway.Misconfigured),
	"Zorunlu alan degeri gecersiz":           plugkit.NothingDone(gateway.Invalid),
}

// statuses is what err_no of a question means.
var statuses = plugkit.Failures{
	"001": plugkit.NothingDone(gateway.Misconfigured),
	"002": plugkit.NothingDone(gateway.Invalid),
	"003": plugkit.NothingDone(gateway.Misconfigured),
	"004": plugkit.NothingDone(gateway.NotFound),
}

// refundFailures is what err_no of a refund means.
var refundFailures = plugkit.Failures{
	"000": plugkit.NothingDone(gateway.Retryable), // the service is closed while PayTR pays out
	"001": plugkit.NothingDone(gateway.Misconfigured),
	"002": plugkit.NothingDone(gateway.Invalid),
	"003": plugkit.NothingDone(gateway.Invalid),
	"004": plugkit.NothingDone(gateway.Misconfigured),
	"005": plugkit.NothingDone(gateway.Invalid),
	"007": plugkit.NothingDone(gateway.Retryable), // its notification was not answered with OK yet
	"008": plugkit.NothingDone(gateway.Invalid),
	"009": plugkit.NothingDone(gateway.Invalid),
	"010": plugkit.NothingDone(gateway.OutOfFunds),
	"011": plugkit.NothingDone(gateway.Invalid),
}
