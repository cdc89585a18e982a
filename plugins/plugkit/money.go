package plugkit

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// Text is a JSON string, number or boolean: many gateways write identifiers and amounts as either of the first two. A number stays as
// it is printed, and is never a float.
type Text string

// UnmarshalJSON implements json.Unmarshaler. Null is nothing.
func (t *Text) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || bytes.Equal(raw, []byte("null")):
		*t = ""
	case raw[0] == '"':
		return json.Unmarshal(raw, (*string)(t))
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9', string(raw) == "true", string(raw) == "false":
		*t = Text(raw)
	default:
		return errors.New("neither a text nor a number nor true or false")
	}
	return nil
}

// maxCurrencyChars bounds a currency's code.
const maxCurrencyChars = 8

// Money reads an amount above zero with its currency's code. What can't be read is an answer that is not to be believed.
func Money(amount, currency string) (gateway.Money, error) {
	d, err := money.ParseDecimal(amount)
	if err != nil || d.Sign() <= 0 || currency == "" || len(currency) > maxCurrencyChars {
		return gateway.Money{}, Distrust(gateway.Retryable, "the answer has no amount that can be read")
	}
	return gateway.Money{Amount: d, Asset: Currency(currency)}, nil
}

// Currency is the asset of a currency's code. Other currencies than the lira are kept apart by their code.
func Currency(code string) gateway.Asset {
	return gateway.Asset{Code: code, Decimals: gateway.TRY.Decimals}
}

// Kurus is an amount of lira that CheckLira lets pass, in whole kuruş, as gateways write it.
func Kurus(d money.Decimal) string { return d.Mul(money.MustDecimal("100")).Fixed(0) }
