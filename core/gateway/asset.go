package gateway

import (
	"strings"

	"github.com/vezne/vezne/core/money"
)

// Asset is what is moved: a currency, or a coin on a network.
type Asset struct {
	Code     string `json:"code"`              // "TRY", "USDT"
	Network  string `json:"network,omitempty"` // "TRC20"; empty for a currency
	Decimals int    `json:"decimals"`          // how finely it divides: 2 for TRY, 6 for USDT (TRC20)
}

// TRY is the Turkish lira.
var TRY = Asset{Code: money.TRY.Code, Decimals: money.TRY.Decimals}

// String is the contract's form of a crypto type: "USDT (TRC20)"; a currency is its code.
func (a Asset) String() string {
	if a.Network == "" {
		return a.Code
	}
	return a.Code + " (" + a.Network + ")"
}

// AssetNamed finds the asset whose String is name, whatever the case of its letters.
func AssetNamed(assets []Asset, name string) (Asset, bool) {
	for _, a := range assets {
		if strings.EqualFold(a.String(), strings.TrimSpace(name)) {
			return a, true
		}
	}
	return Asset{}, false
}

// Money is an exact amount of an asset. The zero Money is none; it is comparable with ==.
type Money struct {
	Amount money.Decimal `json:"amount"`
	Asset  Asset         `json:"asset"`
}

// Lira is an amount of Turkish lira as a gateway takes it.
func Lira(a money.Amount) Money { return Money{Amount: a.Decimal(), Asset: TRY} }

// String is the amount with at least the asset's decimals up to two, and the asset: "12.50 TRY", "7.1 USDT (TRC20)".
func (m Money) String() string {
	return m.Amount.Fixed(min(m.Asset.Decimals, 2)) + " " + m.Asset.String()
}

// IsSameAsset reports whether both are of one asset. Decimals are not compared: some gateways print fewer.
func (m Money) IsSameAsset(other Money) bool {
	return m.Asset.Code == other.Asset.Code && m.Asset.Network == other.Asset.Network
}
