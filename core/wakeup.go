package core

import (
	"time"
)

// WakeUpKind says which worker a wake-up is for.
type WakeUpKind string

// Kinds of wake-ups.
const (
	DueCallbacks     WakeUpKind = "deliver" // of Receiver
	DuePayments      WakeUpKind = "expire"  // payments whose time is over at At
	DueOperations    WakeUpKind = "operate" // of the gateway account GatewayID
	DueNotifications WakeUpKind = "notify"  // wait to be worked on
	DueStatements    WakeUpKind = "read"    // of wallets
	DueJobs          WakeUpKind = "job"
	DueTestPlans     WakeUpKind = "test"    // of sandboxes
	DueDisputes      WakeUpKind = "dispute" // of the gateway account GatewayID
)

// WakeUp asks for a worker to look for due rows at a moment. It carries no truth: a lost one costs the time until the
// sweeper's next round, and one that finds nothing due is normal.
type WakeUp struct {
	Kind      WakeUpKind
	Receiver  string // of DueCallbacks
	GatewayID int64  // of DueOperations and DueDisputes
	At        time.Time
}
