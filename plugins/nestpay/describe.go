package nestpay

import (
	"github.com/vezne/vezne/core/gateway"
)

func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "nestpay", Title: "NestPay virtual POS", Version: "0.1.0", PortVersion: gateway.PortVersion,
		Maturity: gateway.Draft, Kinds: []gateway.Kind{gateway.Card},
		Notice: "Written from what public clients record of the banks' answers: the manuals are given to merchants alone. Never run against a " +
			"bank, neither test nor production.",
		Config: configFields(), Turkish: turkish,
		Environments: []gateway.Environment{{Name: gateway.Sandbox}, {Name: gateway.Production}},
		Setup:        setupSteps(),
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY},
			Steps:  []gateway.StepKind{gateway.StepForm},
			Expiry: gateway.ExpiryTraits{LateUntil: -1}, // a form has no end
			Keys:   gateway.KeyTraits{Mode: gateway.RefKey, Find: true},
			Refund: gateway.RefundTraits{Partial: true, Keys: gateway.KeyTraits{Mode: gateway.NoKey}},
		},
		// A hash covers values and not their names: it refuses strangers, and proves no more.
		Notify: &gateway.NotifyTraits{Trust: gateway.Hint, PerPayment: true},
	}
}

func configFields() []gateway.ConfigField {
	return []gateway.ConfigField{
		{Name: "api_url", Label: "API address", Type: gateway.URLField, IsRequired: true,
			Help: "The bank's address that ends with /fim/api."},
		{Name: "form_url", Label: "Payment page address", Type: gateway.URLField, IsRequired: true,
			Help: "The bank's address that ends with /fim/est3Dgate."},
		{Name: "client_id", Label: "Store number", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9A-Za-z]{1,20}`,
			Help: "The bank calls it client id or store number."},
		{Name: "api_user", Label: "API user", Type: gateway.TextField, IsRequired: true, Help: "A user of the type API, not your own of the panel."},
		{Name: "api_password", Label: "API password", Type: gateway.SecretField, IsRequired: true, Help: "The password of that user."},
		{Name: "store_key", Label: "Store key", Type: gateway.SecretField, IsRequired: true, IsRotating: true,
			Help: "The 3-D Secure key that you have set in the bank's panel. It signs forms and checks what the bank posts."},
		{Name: "callback", Label: "Notifications", Type: gateway.ChoiceField, IsRequired: true,
			Choices: []string{callbackOn, callbackFast, callbackOff}, Default: callbackOn,
			Help: "on: the bank tells of a payment though the customer never comes back. fast: within ten seconds. off: for a bank that " +
				"then posts each payment twice."},
	}
}

func setupSteps() []gateway.SetupStep {
	return []gateway.SetupStep{
		{Title: "Ask for the model", Text: "Ask the bank to allow 3D Pay Hosting with hash version 3, and to take sales without 3-D Secure off."},
		{Title: "Make an API user", Text: "In the bank's panel: a user of the type API that may query, void and refund."},
		{Title: "Set the store key", Text: "In the bank's panel: the 3-D Secure store key. Enter the same here."},
	}
}
