package btcpay

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// How long a server goes on watching an expired invoice, in minutes. More than the descriptor's LateUntil would bring
// money that nobody asks for any more.
const (
	minMonitoring = 60
	maxMonitoring = 1440
)

// How long an invoice can be paid, in minutes.
const (
	minMinutes = 1
	maxMinutes = 1440
)

// onChain is Bitcoin itself.
const onChain = "BTC-CHAIN"

func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "btcpay", Title: "BTCPay Server", Version: "0.1.0", PortVersion: gateway.PortVersion,
		Maturity: gateway.Experimental, Kinds: []gateway.Kind{gateway.Crypto},
		Notice: "In Turkey the regulation of 16 April 2021, in force since 30 April 2021, forbids using crypto assets directly " +
			"or indirectly in payments, and payment and e-money institutions to intermediate. This gateway is therefore off " +
			"until a person switches it on; whether it may be is for the operator and a lawyer to decide. Written from BTCPay " +
			"Server's public documentation and source; never run against a server.",
		Config: configFields(), Turkish: turkish,
		// Every host comes from base_url: the sandbox is a server on testnet or regtest.
		Environments: []gateway.Environment{{Name: gateway.Sandbox}, {Name: gateway.Production}},
		Setup:        setupSteps(),
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{assets[onChain], assets["BTC-LN"]},
			Steps:  []gateway.StepKind{gateway.StepPay, gateway.StepRedirect},
			Expiry: gateway.ExpiryTraits{
				Settable: true, Min: minMinutes * time.Minute, Max: maxMinutes * time.Minute, LateUntil: maxMonitoring * time.Minute,
			},
			Keys:   gateway.KeyTraits{Mode: gateway.NoKey, Find: true, Settle: time.Minute},
			Refund: gateway.RefundTraits{Partial: true}, // the customer says where to when claiming it
		},
		Payout: &gateway.PayoutTraits{
			Assets:   []gateway.Asset{assets[onChain]},
			Needs:    []gateway.FieldSpec{{Name: "wallet_address", Label: "Wallet address", Check: gateway.CheckAddress}},
			Keys:     gateway.KeyTraits{Mode: gateway.NoKey, Find: true, Settle: time.Minute},
			Approval: gateway.ManualApproval,
		},
		// Retried after 10 seconds, after a minute, and six times after 10 minutes.
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed, GivesUpAfter: 61*time.Minute + 10*time.Second},
	}
}

func configFields() []gateway.ConfigField {
	const methods = `\s*[A-Z0-9]+-[A-Z]+\s*(,\s*[A-Z0-9]+-[A-Z]+\s*)*`
	return []gateway.ConfigField{
		{Name: "base_url", Label: "Address of the server", Type: gateway.URLField, IsRequired: true,
			Help: "https://btcpay.example.com. The key goes there with every call: use https."},
		{Name: "api_key", Label: "API key", Type: gateway.SecretField, IsRequired: true, Pattern: `[!-~]+`,
			Help: "Account > Manage account > API keys, limited to the one store and to the permissions of the setup steps."},
		{Name: "store_id", Label: "Store ID", Type: gateway.TextField, IsRequired: true, Pattern: `[A-Za-z0-9]{1,64}`,
			Help: "Settings > General of the store."},
		{Name: "webhook_secret", Label: "Secret of the webhook", Type: gateway.SecretField, IsRequired: true, IsRotating: true,
			Help: "Settings > Webhooks of the store."},
		{Name: "payment_methods", Label: "Payment methods", Type: gateway.ListField, Default: onChain, Pattern: methods,
			Help: "BTC-CHAIN, BTC-LN, separated by commas. With BTC-CHAIN alone the customer pays on Vezne's own page; otherwise " +
				"on the server's."},
		{Name: "speed_policy", Label: "Confirmations", Type: gateway.ChoiceField, Default: "MediumSpeed",
			Choices: []string{"MediumSpeed", "LowMediumSpeed", "LowSpeed"},
			Help:    "How many blocks make a payment count: MediumSpeed 1, LowMediumSpeed 2, LowSpeed 6."},
		{Name: "tolerance_percent", Label: "Tolerance in percent", Type: gateway.DecimalField, Default: "0",
			Help: "How much may be missing of an amount that the server still calls paid. What is missing shows all the same, " +
				"and is held for staff."},
		{Name: "payout_method", Label: "Payout method", Type: gateway.ChoiceField, Default: onChain, Choices: []string{onChain}},
		{Name: "payout_approved", Label: "Create payouts approved", Type: gateway.BoolField, Default: "false",
			Help: "Off, each payout waits until a person approves it on the server. On, the key alone decides: it needs " +
				"the permission btcpay.store.cancreatepullpayments."},
		{Name: "monitoring_minutes", Label: "Watched after expiry, in minutes", Type: gateway.IntField, Default: "1440",
			Help: "60 to 1440. How long the server looks for late money."},
	}
}

func setupSteps() []gateway.SetupStep {
	return []gateway.SetupStep{
		{Title: "Prepare the store", Text: "BTCPay Server 2.0 or later. Set up the wallet of every payment method, and in " +
			"Settings > Rates a source that has TRY (btcturk is the default)."},
		{Title: "Create the API key", Text: "Account > Manage account > API keys, for this store only: " + permissions},
		{Title: "Create the webhook", Text: "Settings > Webhooks: Vezne's notification address of this account, automatic " +
			"redelivery on, and the events of invoices and payouts. Copy the secret."},
		{Title: "Decide who pays out", Text: "A payout that is approved waits until the wallet sends it: by hand under " +
			"Payouts, or by an automated payout processor."},
	}
}

// permissions are the least that an API key needs.
const permissions = "btcpay.store.cancreateinvoice, btcpay.store.canviewinvoices, btcpay.store.canmodifyinvoices, " +
	"btcpay.store.cancreatenonapprovedpullpayments, btcpay.store.canviewpullpayments, btcpay.store.canviewpayouts, " +
	"btcpay.store.canmanagepayouts; and btcpay.store.canviewstoresettings to see which payment methods are enabled."
