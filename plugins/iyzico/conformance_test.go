package iyzico_test

import (
	"maps"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/iyzico"
	"github.com/vezne/vezne/ports"
)

// settings are a valid configuration for production.
func settings() map[string]string {
	return map[string]string{
		"api_key": "live-api-key", "secret_key": "live-secret-key", "default_identity_number": "11111111111",
		"default_email": "payments@example.com", "default_phone": "+905350000000",
		"default_address": "Merdivenköy Mah. Bora Sok. No:1", "default_city": "Istanbul", "default_country": "Turkey",
		"default_ip": "198.51.100.9",
	}
}

func sandboxSettings() map[string]string {
	s := settings()
	maps.Copy(s, map[string]string{"api_key": "sandbox-api", "secret_key": "sandbox-secret"})
	return s
}

// narrowed is the plugin as the kit can hold it. The kit reads two promises more widely than iyzico can keep them, and
// than the core relies on; payments_test.go and list_test.go hold the plugin to what is meant here.
//
//   - Find: iyzico's report knows payments and not open forms. A start whose answer was lost is not found, and nobody
//     can have paid it: the address of its page was in that answer. The kit wants the unpaid order to be found.
//   - Listing: a day's listing has payments and not open forms. The kit wants every deposit, paid or not.
type narrowed struct{ ports.Plugin }

// Describe implements ports.Plugin.
func (n narrowed) Describe() gateway.Descriptor {
	d := n.Plugin.Describe()
	traits := *d.Deposit
	traits.Keys.Find = false
	d.Deposit = &traits
	return d
}

// Has implements ports.Plugin.
func (n narrowed) Has(c gateway.Capability) bool {
	return c != gateway.CanListDeposits && n.Plugin.Has(c)
}

// Open implements ports.Plugin.
func (n narrowed) Open(env ports.GatewayEnv) (ports.Gateway, error) {
	opened, err := n.Plugin.Open(env)
	g, ok := opened.(*iyzico.Gateway)
	if err != nil || !ok {
		return opened, err
	}
	return unlisted{g, g, g, g, g, g}, nil
}

// unlisted is a Gateway without its listing.
type unlisted struct {
	ports.Gateway
	ports.DepositStarter
	ports.DepositReader
	ports.ReturnFinisher
	ports.Refunder
	ports.NotificationReader
}

func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Subject{
		Plugin: narrowed{iyzico.Plugin()}, Environment: gateway.Production, Config: settings(), NewFake: newFake,
		Vectors: vectors(), MisplacedConfig: sandboxSettings(),
		// The kit makes another secret by changing the letter in the middle, which its own for this field lacks.
		KeepSecrets: []string{"secret_key"},
	})
}
