package ccpayment

import (
	"maps"
	"slices"

	"github.com/vezne/vezne/core/gateway"
)

// hosts are the only ones that are reached, by environment and brand.
var hosts = map[string]map[string]string{
	gateway.Sandbox: {
		"sipay": "provisioning.sipay.com.tr", "qnbpay": "test.qnbpay.com.tr", "paybull": "test.paybull.com",
		"parolapara": "testccpayment.parolapara.com", "iqmoney": "provisioning.iqmoneytr.com", "vepara": "test.vepara.com.tr",
		"halkode": "testapp.halkode.com.tr",
	},
	gateway.Production: {
		"sipay": "app.sipay.com.tr", "qnbpay": "portal.qnbpay.com.tr", "paybull": "app.paybull.com",
		"parolapara": "ccpayment.parolapara.com", "iqmoney": "app.iqmoneytr.com", "vepara": "app.vepara.com.tr",
		"halkode": "app.halkode.com.tr",
	},
}

func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "ccpayment", Title: "CCPayment (Sipay, QNBpay, PayBull and others)", Version: "0.1.0", PortVersion: gateway.PortVersion,
		Maturity: gateway.Experimental, Kinds: []gateway.Kind{gateway.Card},
		Notice: "Written from the public documentation and clients of Sipay and others; never run against any of the brands, neither in test nor " +
			"with real money.",
		Config: configFields(), Turkish: turkish,
		Environments: []gateway.Environment{
			{Name: gateway.Sandbox, Hosts: slices.Sorted(maps.Values(hosts[gateway.Sandbox]))},
			{Name: gateway.Production, Hosts: slices.Sorted(maps.Values(hosts[gateway.Production]))},
		},
		Setup: setupSteps(),
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY},
			Steps:  []gateway.StepKind{gateway.StepRedirect},
			Expiry: gateway.ExpiryTraits{LateUntil: -1}, // nobody says when a page ends
			Keys:   gateway.KeyTraits{Mode: gateway.NoKey, Find: true, Settle: sureAfter},
			Refund: gateway.RefundTraits{Partial: true, Keys: gateway.KeyTraits{Mode: gateway.RefKey}},
		},
		// A hash key is encrypted and not signed: who has one can change its beginning.
		Notify: &gateway.NotifyTraits{Trust: gateway.Hint},
	}
}

func configFields() []gateway.ConfigField {
	return []gateway.ConfigField{
		{Name: "brand", Label: "Brand", Type: gateway.ChoiceField, IsRequired: true,
			Choices: slices.Sorted(maps.Keys(hosts[gateway.Production])), Help: "Who the agreement is with. It says which address is called."},
		{Name: "app_id", Label: "App key", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9A-Za-z]{8,64}`,
			Help: "APP KEY (app id) in the brand's panel."},
		{Name: "app_secret", Label: "App secret", Type: gateway.SecretField, IsRequired: true, IsRotating: true,
			Help: "APP SECRET in the brand's panel. It seals what is sent, and opens what the brand notifies."},
		{Name: "merchant_key", Label: "Merchant key", Type: gateway.SecretField, IsRequired: true, Help: "MERCHANT KEY in the brand's panel."},
		{Name: "sale_webhook_key", Label: "Name of the sale webhook", Type: gateway.TextField, Pattern: `[0-9A-Za-z_-]{1,64}`,
			Help: "The key under which Vezne's notification address is entered as a sale webhook in the brand's panel. Empty: the brand is only asked."},
		{Name: "refund_webhook_key", Label: "Name of the refund webhook", Type: gateway.TextField, Pattern: `[0-9A-Za-z_-]{1,64}`,
			Help: "The same for refunds."},
	}
}

func setupSteps() []gateway.SetupStep {
	return []gateway.SetupStep{
		{Title: "Ask for the page", Text: "Ask the brand to allow the branded payment page (purchase/link) with 3-D Secure, and to let Vezne's addresses " +
			"call its API."},
		{Title: "Take the keys", Text: "In the brand's panel, API settings: copy merchant key, app key and app secret."},
		{Title: "Set the webhooks", Text: "In the same place: enter Vezne's notification address of this account as a sale webhook and as a refund " +
			"webhook, and enter the names that you gave them here."},
	}
}
