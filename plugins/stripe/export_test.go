package stripe

import "encoding/hex"

// What the tests hold against the published tables and vectors.
var (
	SessionStates = sessions
	IntentStates  = intents
	RefundStates  = refunds
	DisputeStates = disputeStates
	DisputeReason = disputeReasons
	Failures      = failures
)

// Host is the one that is reached.
const Host = host

func NotificationSignature(secret, stamp, body string) string {
	return hex.EncodeToString(sum(secret, stamp, []byte(body)))
}
