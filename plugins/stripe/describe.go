package stripe

import (
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

func descriptor() gateway.Descriptor {
	return gateway.Descriptor{
		Code: "stripe", Title: "Stripe Checkout", Version: "0.1.0", PortVersion: gateway.PortVersion,
		Maturity: gateway.Experimental, Kinds: []gateway.Kind{gateway.Card},
		Notice: "Written from Stripe's API document; never run against Stripe, neither test nor live mode. Nobody has " +
			"confirmed that a business in Turkey can have an account: ask Stripe before you plan with it.",
		Config: configFields(), Turkish: turkish,
		Environments: []gateway.Environment{
			{Name: gateway.Sandbox, Hosts: []string{host, filesHost}},
			{Name: gateway.Production, Hosts: []string{host, filesHost}},
		},
		Setup: setupSteps(),
		Deposit: &gateway.DepositTraits{
			Assets: []gateway.Asset{gateway.TRY},
			Max:    money.MustDecimal("999999.99"), // eight digits
			Steps:  []gateway.StepKind{gateway.StepRedirect},
			Expiry: gateway.ExpiryTraits{LateUntil: beyondOurs + time.Hour},
			// A search may be an hour behind. It finds what a card was tried for.
			Keys:   gateway.KeyTraits{Mode: gateway.HeaderKey, Window: keyLife, Find: true, Settle: time.Hour},
			Refund: gateway.RefundTraits{Partial: true, Keys: gateway.KeyTraits{Mode: gateway.HeaderKey, Window: keyLife, Find: true}},
		},
		// In live mode a message is sent for three days.
		Notify: &gateway.NotifyTraits{Trust: gateway.Signed, GivesUpAfter: 72 * time.Hour},
	}
}

// keyLife is how long Stripe keeps an idempotency key at least.
const keyLife = 24 * time.Hour

func configFields() []gateway.ConfigField {
	return []gateway.ConfigField{
		{Name: "secret_key", Label: "Secret key", Type: gateway.SecretField, IsRequired: true, Pattern: `(sk|rk)_(test|live)_[0-9A-Za-z_]+`,
			Help: "Developers > API keys. A restricted key needs to write Checkout Sessions, Charges and Refunds, Disputes and Files, and to read PaymentIntents."},
		{Name: "webhook_secret", Label: "Signing secret of notifications", Type: gateway.SecretField, IsRequired: true, IsRotating: true,
			Pattern: `whsec_[0-9A-Za-z]+`, Help: "Of the event destination that you make for this account: it begins with whsec_."},
		{Name: "request_3ds", Label: "3-D Secure", Type: gateway.ChoiceField, IsRequired: true, Choices: []string{"any", "challenge", "automatic"},
			Default: "any", Help: "any: wherever the card can. challenge: with a code of the bank's. automatic: where Stripe or the bank want it."},
	}
}

func setupSteps() []gateway.SetupStep {
	return []gateway.SetupStep{
		{Title: "Take the key", Text: "Developers > API keys: make a restricted key, or copy the secret key. Test keys belong to the sandbox."},
		{Title: "Make an event destination", Text: "Developers > Webhooks: enter Vezne's notification address of this account, API version " +
			apiVersion + ", and the events checkout.session.*, payment_intent.payment_failed, payment_intent.processing, " +
			"payment_intent.succeeded, charge.refunded, refund.*, charge.dispute.* and review.*."},
		{Title: "Copy the signing secret", Text: "The event destination shows it. After rolling it, enter the new one: the one before is taken, too."},
	}
}
