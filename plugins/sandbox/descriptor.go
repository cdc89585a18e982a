package sandbox

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// Names of the configuration fields.
const (
	baseURL      = "base_url"
	apiKey       = "api_key"
	apiSecret    = "api_secret"
	notifySecret = "notify_secret"
	walletSecret = "wallet_secret"
	threeDS      = "three_ds"
	collecting   = "collecting_ibans"
)

// collectingIBAN is the account on which the sandbox collects what is paid by bank, unless it is started with others.
const collectingIBAN = "TR399999800000000000000001"

// What can be paid with and paid out.
var (
	usdt = gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}
	btc  = gateway.Asset{Code: "BTC", Network: "BTC", Decimals: 8}
)

func assets() []gateway.Asset { return []gateway.Asset{gateway.TRY, usdt, btc} }

func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "sandbox", Title: "Vezne Sandbox", Version: "1.0.0", PortVersion: gateway.PortVersion,
		Maturity:    gateway.Beta,
		Kinds:       gateway.Kinds(),
		Notice:      "A simulator: it moves no money, whatever it says.",
		IsSimulator: true,
		Config:      configFields(), Turkish: turkish,
		// base_url returns the host.
		Environments: []gateway.Environment{{Name: gateway.Sandbox}, {Name: gateway.Production}},
		Setup: []gateway.SetupStep{
			{Title: "Start the sandbox", Text: "The demo starts one by itself. Otherwise serve package bank, and give its " +
				"address as base_url."},
			{Title: "Name the notification address", Text: "Deposits bring it along. For payouts, transfers and " +
				"statement lines the sandbox is started with it (NotifyURL)."},
			{Title: "Take over the keys", Text: "Give the key and the three secrets that the sandbox was started with."},
		},
		Deposit: depositTraits(), Payout: payoutTraits(), Account: accountTraits(),
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed, PerPayment: true, GivesUpAfter: 72 * time.Minute},
	}
}

func configFields() []gateway.ConfigField {
	return []gateway.ConfigField{
		{Name: baseURL, Label: "Address of the sandbox", Type: gateway.URLField, IsRequired: true,
			Help: "Without /v1: http://127.0.0.1:9090"},
		{Name: apiKey, Label: "API key", Type: gateway.SecretField, IsRequired: true, Help: "Says who asks."},
		{Name: apiSecret, Label: "API secret", Type: gateway.SecretField, IsRequired: true, Help: "Signs every request."},
		{Name: notifySecret, Label: "Notification secret", Type: gateway.SecretField, IsRequired: true, IsRotating: true,
			Help: "Signs every notification. The one before a change is taken beside it."},
		{Name: walletSecret, Label: "Wallet secret", Type: gateway.SecretField,
			Help: "Stands in wallet notifications that have no signature. Empty: those are refused."},
		{Name: threeDS, Label: "3-D Secure", Type: gateway.ChoiceField, Choices: []string{"required", "attempted"},
			Default: "required", Help: "attempted: a card that can't be checked is taken, too."},
		{Name: collecting, Label: "Collecting accounts", Type: gateway.ListField, Default: collectingIBAN, Collects: true,
			Help: "IBANs to which the sandbox has customers pay: that of its first account. No dealer's account may be one."},
	}
}

func depositTraits() *gateway.DepositTraits {
	return &gateway.DepositTraits{
		Assets: assets(), Min: money.MustDecimal("1"), Max: money.MustDecimal("250000"),
		Steps:  []gateway.StepKind{gateway.StepRedirect, gateway.StepPay},
		Expiry: gateway.ExpiryTraits{Settable: true, Min: time.Minute, Max: 7 * 24 * time.Hour, LateUntil: 48 * time.Hour},
		Keys:   gateway.KeyTraits{Mode: gateway.RefKey, Find: true},
		Refund: gateway.RefundTraits{Partial: true, NeedsTarget: []gateway.FieldSpec{
			{Name: "wallet_address", Label: "Wallet address", Check: gateway.CheckAddress, Kinds: []gateway.Kind{gateway.Crypto}},
		}},
	}
}

func payoutTraits() *gateway.PayoutTraits {
	return &gateway.PayoutTraits{
		Assets: assets(), Min: money.MustDecimal("10"), Max: money.MustDecimal("100000"),
		Needs:    payoutNeeds(),
		Keys:     gateway.KeyTraits{Mode: gateway.RefKey, Find: true},
		Approval: gateway.CodeApproval,
	}
}

// payoutNeeds is what a payee has to say: E11 an IBAN, E14 a coin and an address, E17 a wallet's number.
func payoutNeeds() []gateway.FieldSpec {
	return []gateway.FieldSpec{
		{Name: "iban", Label: "IBAN", Check: gateway.CheckIBAN, Kinds: []gateway.Kind{gateway.Bank}},
		{Name: "crypto_type", Label: "Coin and network", Check: gateway.CheckChoice,
			Choices: []string{usdt.String(), btc.String()}, Kinds: []gateway.Kind{gateway.Crypto}},
		{Name: "wallet_address", Label: "Wallet address", Check: gateway.CheckAddress, Kinds: []gateway.Kind{gateway.Crypto}},
		{Name: "wallet_number", Label: "Wallet number", Check: gateway.CheckWallet, Kinds: []gateway.Kind{gateway.Wallet}},
	}
}

func accountTraits() *gateway.AccountTraits {
	return &gateway.AccountTraits{
		StatementSpan: 3 * 24 * time.Hour, PageSize: 50, TransferMin: money.MustDecimal("1"),
		Keys: gateway.KeyTraits{Mode: gateway.RefKey, Find: true},
	}
}
