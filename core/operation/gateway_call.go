package operation

import (
	"time"

	"github.com/vezne/vezne/core"
)

// GatewayCall is the log of one call to a gateway.
type GatewayCall struct {
	ID          core.ID
	GatewayID   int64
	OperationID core.ID // empty: not about a payment (a test)
	PaymentID   core.ID // empty: as above
	Name        string  // "start_deposit"
	At          time.Time
	Duration    time.Duration
	Outcome     string // "paid", "waiting", or the error's class
	Effect      string // of a failure: "none", "unknown"
	Detail      string // the gateway's own code and text, without secrets
}

// Identity implements Row.
func (c GatewayCall) Identity() core.Identity {
	return core.Identity{Table: "gateway_calls", Key: string(c.ID), Version: 1}
}

// IsOK reports whether the gateway answered.
func (c GatewayCall) IsOK() bool { return c.Effect == "" }

// GatewayCallQuery asks for calls, newest first, of payments or else of gateway accounts: at most Limit of each, and at
// most MaxPage of them.
type GatewayCallQuery struct {
	Payments []core.ID
	Gateways []int64
	Limit    int
}
