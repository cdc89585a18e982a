package apptest

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// USDT is the coin of a World's gateways.
var USDT = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}

func findable() gateway.KeyTraits {
	return gateway.KeyTraits{Mode: gateway.RefKey, Find: true, Settle: 30 * time.Second}
}

// depositing describes a gateway for deposits and payouts.
func depositing(code string) gateway.Descriptor {
	return gateway.Descriptor{
		Code: code, Title: "Till " + code, Version: "1", PortVersion: gateway.PortVersion, Maturity: gateway.Stable,
		Kinds:        []gateway.Kind{gateway.Card, gateway.Bank, gateway.Crypto, gateway.Wallet},
		Environments: []gateway.Environment{{Name: gateway.Production, Hosts: []string{"till.test"}}},
		Config: []gateway.ConfigField{
			{Name: "api_key", Label: "API key", Type: gateway.SecretField, IsRequired: true},
			{Name: "note", Label: "Note", Type: gateway.TextField},
		},
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY, USDT}, Min: money.MustDecimal("1"), Max: money.MustDecimal("100000"),
			Steps: []gateway.StepKind{gateway.StepRedirect, gateway.StepPay}, Keys: findable(),
			Expiry: gateway.ExpiryTraits{Settable: true, LateUntil: 24 * time.Hour},
			Refund: gateway.RefundTraits{Partial: true},
		},
		Payout: &gateway.PayoutTraits{
			Assets: []gateway.Asset{gateway.TRY, USDT}, Min: money.MustDecimal("10"), Max: money.MustDecimal("50000"),
			Keys: findable(), Approval: gateway.CodeApproval,
			Needs: []gateway.FieldSpec{
				{Name: "iban", Label: "IBAN", Check: gateway.CheckIBAN, Kinds: []gateway.Kind{gateway.Bank}},
				{Name: "crypto_type", Label: "Coin", Check: gateway.CheckText, Kinds: []gateway.Kind{gateway.Crypto}},
				{Name: "wallet_address", Label: "Address", Check: gateway.CheckAddress, Kinds: []gateway.Kind{gateway.Crypto}},
				{Name: "wallet_number", Label: "Wallet", Check: gateway.CheckWallet, Kinds: []gateway.Kind{gateway.Wallet}},
			},
		},
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed, PerPayment: true},
	}
}

// accounting describes the bank behind E-IBAN.
func accounting(code string) gateway.Descriptor {
	return gateway.Descriptor{
		Code: code, Title: "Bank " + code, Version: "1", PortVersion: gateway.PortVersion, Maturity: gateway.Stable,
		Kinds:        []gateway.Kind{gateway.Account},
		Environments: []gateway.Environment{{Name: gateway.Production, Hosts: []string{"bank.test"}}},
		Config:       []gateway.ConfigField{{Name: "api_key", Label: "API key", Type: gateway.SecretField, IsRequired: true}},
		Account: &gateway.AccountTraits{
			StatementSpan: 3 * 24 * time.Hour, PageSize: 100, TransferMin: money.MustDecimal("1"), Keys: findable(),
		},
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed},
	}
}
