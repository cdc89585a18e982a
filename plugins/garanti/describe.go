package garanti

import (
	"github.com/vezne/vezne/core/gateway"
)

// address is where an environment's API and payment page are, and what its requests call it.
type address struct{ host, mode string }

// addresses are the only ones that are used.
var addresses = map[string]address{
	gateway.Sandbox:    {"sanalposprovtest.garantibbva.com.tr", "TEST"},
	gateway.Production: {"sanalposprov.garanti.com.tr", "PROD"},
}

func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "garanti", Title: "Garanti BBVA virtual POS", Version: "0.1.0", PortVersion: gateway.PortVersion,
		Maturity: gateway.Draft, Kinds: []gateway.Kind{gateway.Card},
		Notice: "Written from what public clients record of the bank's test system, and from the bank's own samples. Never run against the bank, " +
			"neither in test nor with real money.",
		Config: configFields(), Turkish: turkish,
		Environments: []gateway.Environment{
			{Name: gateway.Sandbox, Hosts: []string{addresses[gateway.Sandbox].host}},
			{Name: gateway.Production, Hosts: []string{addresses[gateway.Production].host}},
		},
		Setup: setupSteps(),
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY},
			Steps:  []gateway.StepKind{gateway.StepForm},
			Expiry: gateway.ExpiryTraits{LateUntil: -1}, // nobody says when a form ends
			Keys:   gateway.KeyTraits{Mode: gateway.RefKey, Find: true},
			Refund: gateway.RefundTraits{Partial: true, Keys: gateway.KeyTraits{Mode: gateway.NoKey}},
		},
	}
}

// asciiOnly is a password that has the same bytes in every charset: which one the bank hashes it in, nobody says.
const asciiOnly = `[!-~]+`

func configFields() []gateway.ConfigField {
	userName := `[0-9A-Za-z_]{1,32}`
	return []gateway.ConfigField{
		{Name: "merchant_id", Label: "Merchant number", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9]{1,15}`},
		{Name: "terminal_id", Label: "Terminal number", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9]{1,9}`},
		{Name: "provision_user", Label: "Provision user", Type: gateway.TextField, IsRequired: true, Default: "PROVAUT", Pattern: userName,
			Help: "Asks about orders."},
		{Name: "provision_password", Label: "Provision user's password", Type: gateway.SecretField, IsRequired: true, Pattern: asciiOnly},
		{Name: "page_user", Label: "Payment page's user", Type: gateway.TextField, IsRequired: true, Default: "PROVOOS", Pattern: userName,
			Help: "Of the shared payment page. Some terminals have PROVAUT for it."},
		{Name: "page_password", Label: "Payment page user's password", Type: gateway.SecretField, IsRequired: true, Pattern: asciiOnly},
		{Name: "refund_user", Label: "Refund user", Type: gateway.TextField, IsRequired: true, Default: "PROVRFN", Pattern: userName,
			Help: "Voids and gives back."},
		{Name: "refund_password", Label: "Refund user's password", Type: gateway.SecretField, IsRequired: true, Pattern: asciiOnly},
		{Name: "store_key", Label: "3-D Secure key", Type: gateway.SecretField, IsRequired: true, IsRotating: true, Pattern: asciiOnly,
			Help: "The store key from the bank's panel. It signs forms, and checks what the customer brings back."},
		{Name: "company_name", Label: "Name on the payment page", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9A-Za-z .&-]{1,50}`,
			Help: "In plain letters."},
		{Name: "default_ip", Label: "IP address", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9A-Fa-f.:]{3,39}`,
			Help: "Your server's own. Sent with questions and refunds, and where the customer's is not known."},
	}
}

func setupSteps() []gateway.SetupStep {
	return []gateway.SetupStep{
		{Title: "Ask for the model", Text: "Ask the bank to define 3D_OOS_PAY for the terminal and no other model, with sales without 3-D Secure off, " +
			"and to let Vezne's addresses call the virtual POS."},
		{Title: "Set the passwords", Text: "In the bank's virtual POS panel: set the passwords of the three users and the 3-D Secure key, in plain letters, " +
			"digits and signs, and enter them here."},
	}
}
