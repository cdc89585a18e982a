package paytr

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
)

func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "paytr", Title: "PayTR payment page", Version: "0.1.0", PortVersion: gateway.PortVersion,
		Maturity: gateway.Experimental, Kinds: []gateway.Kind{gateway.Card},
		Notice: "Written from PayTR's public documentation; never run against PayTR, neither in test mode nor with real money.",
		Config: configFields(), Turkish: turkish,
		Environments: []gateway.Environment{
			{Name: gateway.Sandbox, Hosts: []string{host}},
			{Name: gateway.Production, Hosts: []string{host}},
		},
		Setup: setupSteps(),
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY},
			Steps:  []gateway.StepKind{gateway.StepRedirect},
			Expiry: gateway.ExpiryTraits{LateUntil: time.Hour},
			Keys:   gateway.KeyTraits{Mode: gateway.NoKey, Find: true, Settle: time.Minute},
			Refund: gateway.RefundTraits{Partial: true, Window: 365 * 24 * time.Hour},
		},
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed},
	}
}

func configFields() []gateway.ConfigField {
	return []gateway.ConfigField{
		{Name: "merchant_id", Label: "Store number", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9]{1,12}`,
			Help: "Support & Setup > Integration information in PayTR's panel."},
		{Name: "merchant_key", Label: "Store password", Type: gateway.SecretField, IsRequired: true, IsRotating: true,
			Help: "From the same page. It signs what is sent, and checks what PayTR notifies."},
		{Name: "merchant_salt", Label: "Store secret key", Type: gateway.SecretField, IsRequired: true, IsRotating: true, Help: "From the same page."},
		{Name: "default_email", Label: "Buyer's email", Type: gateway.TextField, IsRequired: true,
			Pattern: `[^@\s]+@[^@\s]+\.[^@\s]+`, Help: "Sent where the customer's is not known."},
		{Name: "default_phone", Label: "Buyer's phone", Type: gateway.TextField, IsRequired: true, Pattern: `\+?[0-9]{7,15}`,
			Help: "Sent where the customer's is not known."},
		{Name: "default_address", Label: "Buyer's address", Type: gateway.TextField, IsRequired: true, Help: "Sent for every customer."},
		{Name: "default_ip", Label: "Buyer's IP address", Type: gateway.TextField, IsRequired: true, Pattern: `[0-9A-Fa-f.:]{3,39}`,
			Help: "Sent where the customer's is not known."},
	}
}

func setupSteps() []gateway.SetupStep {
	return []gateway.SetupStep{
		{Title: "Take the keys", Text: "Support & Setup > Integration information: copy the store's number, password and secret key."},
		{Title: "Set the notification address", Text: "Support & Setup > Settings: enter Vezne's notification address of this account as Notification " +
			"URL. It must be https. Without its answer PayTR pays nothing out."},
		{Title: "Agree on the buyer's data", Text: "PayTR demands an email, a phone and an address of every buyer. Ask which of them may be the same " +
			"for all customers of your business."},
	}
}
