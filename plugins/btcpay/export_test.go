package btcpay

import (
	"encoding/hex"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// The tables, for the test that holds README.md against them.

func States() plugkit.States        { return states }
func PayoutStates() plugkit.Payouts { return payoutStates }
func Failures() plugkit.Failures    { return failures }
func PayoutEvents() []string        { return payoutEvents }
func Confirmations() map[string]int { return confirmations }

// Event is a row of the table of notifications.
type Event struct {
	State   gateway.State
	Trust   gateway.Trust
	Flag    string
	Flagged gateway.State
}

// Events is the table of notifications about invoices.
func Events() map[string]Event {
	rows := map[string]Event{}
	for name, e := range events {
		rows[name] = Event{e.state, e.trust, e.flag, e.flagged}
	}
	return rows
}

// Signature is the header that a body must have.
func Signature(secret string, body []byte) string {
	return signaturePrefix + hex.EncodeToString(sum(secret, body))
}
