// Package all is the one list of the plugins that Vezne is built with. To add a gateway, add a line.
package all

import (
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/akbank"
	"github.com/vezne/vezne/plugins/btcpay"
	"github.com/vezne/vezne/plugins/ccpayment"
	"github.com/vezne/vezne/plugins/iyzico"
	"github.com/vezne/vezne/plugins/nestpay"
	"github.com/vezne/vezne/plugins/paytr"
	"github.com/vezne/vezne/plugins/sandbox"
	"github.com/vezne/vezne/plugins/stripe"
)

// List returns every plugin.
func List() []plugins.Registration {
	return []plugins.Registration{
		akbank.Plugin(),
		btcpay.Plugin(),
		ccpayment.Plugin(),
		iyzico.Plugin(),
		nestpay.Plugin(),
		paytr.Plugin(),
		sandbox.Plugin(),
		stripe.Plugin(),
	}
}
