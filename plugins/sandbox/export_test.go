package sandbox

import (
	"github.com/vezne/vezne/plugins/plugkit"
)

// What the tests compare with the README and with what was computed elsewhere.
func StatesTable() plugkit.States { return states }

func PayoutsTable() plugkit.Payouts { return payoutStates }

func RefundsTable() plugkit.Refunds { return refundStates }

func DisputesTable() plugkit.Disputes { return disputeStates }

func DisputeReasonsTable() plugkit.DisputeReasons { return disputeReasons }

func FailuresTable() plugkit.Failures { return failures }

func RequestSignature(secret, method, path string, body []byte) string {
	return requestSignature(secret, method, path, body)
}
