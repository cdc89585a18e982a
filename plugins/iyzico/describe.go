package iyzico

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// Choices of webhook_signature.
const (
	signatureRequired = "required"
	signatureOff      = "off"
)

// formLife is how long a form can be paid where iyzico does not say: tokenExpireTime is 1800 seconds.
const formLife = 30 * time.Minute

func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "iyzico", Title: "iyzico Checkout Form", Version: "0.1.0", PortVersion: gateway.PortVersion,
		Maturity: gateway.Experimental, Kinds: []gateway.Kind{gateway.Card},
		Notice: "Written from iyzico's public documentation; never run against iyzico, neither sandbox nor production.",
		Config: configFields(), Turkish: turkish,
		Environments: []gateway.Environment{
			{Name: gateway.Sandbox, Hosts: []string{hosts[gateway.Sandbox]}},
			{Name: gateway.Production, Hosts: []string{hosts[gateway.Production]}},
		},
		Setup: setupSteps(),
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY},
			Steps:  []gateway.StepKind{gateway.StepRedirect},
			Expiry: gateway.ExpiryTraits{Fixed: formLife, LateUntil: formLife},
			Keys:   gateway.KeyTraits{Mode: gateway.NoKey, Find: true, Settle: time.Minute},
			Refund: gateway.RefundTraits{Partial: true, Window: 365 * 24 * time.Hour},
		},
		// Tried three times, 15 minutes apart, to an address that is set in the panel.
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed, GivesUpAfter: 45 * time.Minute},
	}
}

func configFields() []gateway.ConfigField {
	return append([]gateway.ConfigField{
		{Name: "api_key", Label: "API key", Type: gateway.SecretField, IsRequired: true,
			Help: "Settings > Merchant Settings > API keys in iyzico's panel. In the sandbox it begins with " + sandboxPrefix + "."},
		{Name: "secret_key", Label: "Secret key", Type: gateway.SecretField, IsRequired: true, IsRotating: true,
			Help: "From the same page. It signs what is sent, and checks what iyzico answers and notifies."},
		{Name: "force_3ds", Label: "Always 3-D Secure", Type: gateway.BoolField, Default: "true",
			Help: "Off, the card's bank decides whether the customer has to confirm."},
		{Name: "installments", Label: "Installments", Type: gateway.ListField, Default: "1",
			Pattern: `\s*([123469]|12)\s*(,\s*([123469]|12)\s*)*`,
			Help:    "Counts that the form offers, separated by commas: 1, 2, 3, 4, 6, 9, 12. With more than 1, customers may pay interest beyond the order."},
		{Name: "webhook_signature", Label: "Signature of notifications", Type: gateway.ChoiceField, IsRequired: true,
			Choices: []string{signatureRequired, signatureOff}, Default: signatureRequired,
			Help: "Only after iyzico's support has switched it on for the account. Off: a notification is a hint to ask iyzico."},
	}, buyerFields()...)
}

// buyerFields are what iyzico demands of every buyer and providers do not tell.
func buyerFields() []gateway.ConfigField {
	return []gateway.ConfigField{
		{Name: "default_identity_number", Label: "Buyer's identity number", Type: gateway.TextField, IsRequired: true,
			Pattern: `[0-9A-Za-z]{5,20}`, Help: "Sent for every customer. Agree with iyzico on which one may be used."},
		{Name: "default_email", Label: "Buyer's email", Type: gateway.TextField, IsRequired: true,
			Pattern: `[^@\s]+@[^@\s]+\.[^@\s]+`, Help: "Sent where the customer's is not known."},
		{Name: "default_phone", Label: "Buyer's phone", Type: gateway.TextField, IsRequired: true, Pattern: `\+?[0-9]{7,15}`,
			Help: "Sent where the customer's is not known: +905350000000."},
		{Name: "default_address", Label: "Buyer's address", Type: gateway.TextField, IsRequired: true},
		{Name: "default_city", Label: "Buyer's city", Type: gateway.TextField, IsRequired: true},
		{Name: "default_country", Label: "Buyer's country", Type: gateway.TextField, IsRequired: true, Default: "Turkey"},
		{Name: "default_ip", Label: "Buyer's IP address", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9A-Fa-f.:]{3,45}`,
			Help: "Sent where the customer's is not known, and with refunds."},
	}
}

func setupSteps() []gateway.SetupStep {
	return []gateway.SetupStep{
		{Title: "Take the keys", Text: "Settings > Merchant Settings > API keys: copy the API key and the secret key."},
		{Title: "Set the notification address", Text: "Settings > Merchant Settings > Merchant Notifications: " +
			"enter Vezne's notification address of this account. It must be https."},
		{Title: "Have notifications signed", Text: "Ask iyzico's integration support to switch on X-IYZ-SIGNATURE-V3. " +
			"Until they have, set the signature of notifications to off."},
		{Title: "Agree on the buyer's data", Text: "iyzico demands an identity number, an address, an email and a phone of " +
			"every buyer. Ask which of them may be the same for all customers of your business."},
	}
}
