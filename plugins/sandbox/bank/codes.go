package bank

import (
	"maps"
	"slices"
)

// codes are the bank's words for refusals, with what they mean. The README has them too.
var codes = map[string]string{
	"insufficient_funds":      "the card or wallet has too little",
	"do_not_honour":           "the issuer says no",
	"card_expired":            "the card has expired",
	"wrong_cvc":               "the security code is wrong",
	"limit_exceeded":          "over the limit",
	"stolen_card":             "the card was reported stolen",
	"fraud_suspected":         "the risk engine says no",
	"issuer_unavailable":      "the issuer can't be reached",
	"not_authenticated":       "3-D Secure was not passed",
	"authentication_required": "the issuer wants 3-D Secure",
	"threeds_unavailable":     "3-D Secure can't be started",
	"canceled_by_customer":    "the customer canceled",
	"canceled_by_merchant":    "the merchant canceled",
	"chargeback":              "the card's holder has charged back",
	"reversed_by_bank":        "the sender's bank has taken it back",
	"third_party_payer":       "somebody else has paid",
	"wrong_asset":             "another coin arrived",
	"wrong_network":           "it arrived on another network",
	"memo_missing":            "it arrived without the memo",
	"quote_expired":           "it was paid after the quote had lapsed",
	"no_funds":                "the merchant's balance is too low",
	"name_mismatch":           "the name is not the account's",
	"invalid_recipient":       "there is no such recipient",
	"recipient_rejected":      "the recipient's bank has rejected it",
	"account_closed":          "the recipient's account is closed",
	"refund_rejected":         "the refund was rejected",
	"wrong_code":              "the code is wrong",
}

// codeMessage says what a code means.
func codeMessage(code string) string { return codes[code] }

// Codes lists every code that the bank gives as a reason.
func Codes() []string { return slices.Sorted(maps.Keys(codes)) }
