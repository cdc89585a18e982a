package akbank

import (
	"github.com/vezne/vezne/core/gateway"
)

// address is where an environment's API and payment page are.
type address struct{ api, page string }

// addresses are the only ones that are used.
var addresses = map[string]address{
	gateway.Sandbox:    {"apipre.akbank.com", "virtualpospaymentgatewaypre.akbank.com"},
	gateway.Production: {"api.akbank.com", "virtualpospaymentgateway.akbank.com"},
}

func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "akbank", Title: "Akbank virtual POS", Version: "0.1.0", PortVersion: gateway.PortVersion,
		Maturity: gateway.Draft, Kinds: []gateway.Kind{gateway.Card},
		Notice: "Written from what public clients record of the bank's test system: the manual is given to merchants alone. Never run against " +
			"the bank, neither in test nor with real money.",
		Config: configFields(), Turkish: turkish,
		Environments: []gateway.Environment{
			{Name: gateway.Sandbox, Hosts: []string{addresses[gateway.Sandbox].api}},
			{Name: gateway.Production, Hosts: []string{addresses[gateway.Production].api}},
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

func configFields() []gateway.ConfigField {
	return []gateway.ConfigField{
		{Name: "merchant_safe_id", Label: "Merchant number", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9A-Za-z]{8,64}`,
			Help: "The bank calls it merchant safe id."},
		{Name: "terminal_safe_id", Label: "Terminal number", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9A-Za-z]{8,64}`,
			Help: "The bank calls it terminal safe id."},
		{Name: "secret_key", Label: "Secret key", Type: gateway.SecretField, IsRequired: true, IsRotating: true,
			Help: "The terminal's key in the bank's panel, as it stands there. It signs requests and forms, and checks what the customer brings back."},
	}
}

func setupSteps() []gateway.SetupStep {
	return []gateway.SetupStep{
		{Title: "Ask for the model", Text: "Ask the bank to allow 3D Pay Hosting on the JSON virtual POS, with sales without 3-D Secure off, and to let " +
			"Vezne's addresses call its API."},
		{Title: "Take the keys", Text: "In the bank's virtual POS panel: copy the merchant's and the terminal's safe id, and the secret key."},
	}
}
