package btcpay

import (
	"strings"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// states is what an invoice's status means, with its additionalStatus where that is not None. Where money may be
// involved, judge looks at the payments themselves.
var states = plugkit.States{
	"New":                  gateway.Waiting,
	"New, PaidPartial":     gateway.PartPaid,
	"Processing":           gateway.Processing, // paid in full, and not confirmed
	"Processing, PaidOver": gateway.Processing,
	"Expired":              gateway.Expired,
	"Expired, PaidPartial": gateway.PartPaid,
	"Expired, PaidLate":    gateway.Paid, // without an InvoiceSettled event
	"Invalid":              gateway.Failed,
	"Invalid, Invalid":     gateway.Failed,
	"Invalid, PaidPartial": gateway.Failed,
	"Invalid, PaidLate":    gateway.Failed,
	"Invalid, PaidOver":    gateway.Failed,
	"Invalid, Marked":      gateway.Canceled, // by this plugin, or by a person
	"Settled":              gateway.Paid,
	"Settled, PaidOver":    gateway.OverPaid,
	"Settled, Marked":      gateway.Review, // a person said so: that is no money
}

// payoutStates is what a payout's state means.
var payoutStates = plugkit.Payouts{
	"AwaitingApproval": gateway.PayoutNeedsApproval,
	"AwaitingPayment":  gateway.PayoutQueued,
	"InProgress":       gateway.PayoutSent,
	"Completed":        gateway.PayoutDone,
	"Cancelled":        gateway.PayoutCanceled,
}

// event is what a type of notification says of an invoice. Flag names the field of the message that makes it another,
// which is a hint.
type event struct {
	state   gateway.State
	trust   gateway.Trust
	flag    string
	flagged gateway.State
}

// events are the types of notifications about invoices. The signature covers all of a message, and no message says an
// amount: what speaks of money is Processing, a reason to ask. InvoiceInvalid is a hint, since money may have come.
var events = map[string]event{
	"InvoiceCreated":             {state: gateway.Waiting, trust: gateway.Signed},
	"InvoiceReceivedPayment":     {state: gateway.Processing, trust: gateway.Signed},
	"InvoicePaymentSettled":      {state: gateway.Processing, trust: gateway.Signed},
	"InvoiceProcessing":          {state: gateway.Processing, trust: gateway.Signed},
	"InvoiceExpired":             {state: gateway.Expired, trust: gateway.Signed, flag: "partiallyPaid", flagged: gateway.Processing},
	"InvoiceExpiredPaidPartial":  {state: gateway.Processing, trust: gateway.Signed},
	"InvoicePaidAfterExpiration": {state: gateway.Processing, trust: gateway.Signed},
	"InvoiceSettled":             {state: gateway.Processing, trust: gateway.Signed, flag: "manuallyMarked", flagged: gateway.Review},
	"InvoiceRefund":              {state: gateway.Refunding}, // from 2.4.1
	"InvoiceInvalid":             {state: gateway.Failed, flag: "manuallyMarked", flagged: gateway.Canceled},
}

// payoutEvents are the types of notifications about payouts. They carry the state, and no reference of ours.
var payoutEvents = []string{"PayoutCreated", "PayoutApproved", "PayoutUpdated"}

// validation is the code of an answer that lists what is wrong with a request; BTCPay has none for it.
const validation = "validation"

// missingPermission is the code of a key that may not do something, and from 2.4.0 on of what does not exist.
const missingPermission = "missing-permission"

// failures is what the server's error codes mean.
var failures = plugkit.Failures{
	validation:                     plugkit.NothingDone(gateway.Invalid),
	"unauthenticated":              plugkit.NothingDone(gateway.Misconfigured),
	missingPermission:              plugkit.NothingDone(gateway.Misconfigured),
	"insufficient-api-permissions": plugkit.NothingDone(gateway.Misconfigured), // of versions before 1.0.6
	"store-not-found":              plugkit.NothingDone(gateway.Misconfigured),
	"payment-method-not-supported": plugkit.NothingDone(gateway.Misconfigured),
	"invoice-not-found":            plugkit.NothingDone(gateway.NotFound),
	"payout-not-found":             plugkit.NothingDone(gateway.NotFound),
	"pullpayment-not-found":        plugkit.NothingDone(gateway.NotFound),
	"non-refundable":               plugkit.NothingDone(gateway.Invalid),
	"amount-too-low":               plugkit.NothingDone(gateway.Invalid),
	"generic-error":                plugkit.NothingDone(gateway.Retryable), // no rate, no wallet: no invoice was made
	// Of an envelope that a payout is claimed from; see SendPayout.
	"expired":     plugkit.NothingDone(gateway.Retryable),
	"not-started": plugkit.NothingDone(gateway.Retryable),
	"archived":    plugkit.NothingDone(gateway.Retryable),
	"overdraft":   {Class: gateway.Conflicting},
	// An open payout of somebody else goes to the address already.
	"duplicate-destination": {Class: gateway.Refused, Effect: gateway.EffectNone, Reason: gateway.InvalidTarget, Soft: true},
	"invalid-state":         plugkit.NothingDone(gateway.Conflicting),
}

// confirmations is how many blocks each speed policy waits for. HighSpeed, which waits for none, is not offered.
var confirmations = map[string]int{"MediumSpeed": 1, "LowMediumSpeed": 2, "LowSpeed": 6}

// assets are what the built-in payment methods move. A coin divides into 10^8; Lightning counts thousandths of that.
var assets = map[string]gateway.Asset{
	onChain:     {Code: "BTC", Network: "Bitcoin", Decimals: 8},
	"BTC-LN":    {Code: "BTC", Network: "Lightning", Decimals: 11},
	"BTC-LNURL": {Code: "BTC", Network: "Lightning", Decimals: 11},
}

// assetOf is the asset of a payment method; of one that a plugin of the server brings, as its name tells.
func assetOf(method string) gateway.Asset {
	if a, ok := assets[method]; ok {
		return a
	}
	code, network, _ := strings.Cut(method, "-")
	return gateway.Asset{Code: code, Network: network, Decimals: 8}
}
