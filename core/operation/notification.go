package operation

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

// NotificationState is where a stored notification stands.
type NotificationState string

// States of a notification.
const (
	NotificationWaiting NotificationState = "waiting" // verified, to be worked on
	NotificationDone    NotificationState = "done"
	NotificationUnknown NotificationState = "unknown"  // about nothing that is known here; kept for staff
	NotificationForged  NotificationState = "rejected" // its signature is wrong; kept apart
)

// Notification is a gateway's message as it came, kept before it is acknowledged. The same message is kept once: Key is
// unique within a gateway account.
type Notification struct {
	ID         core.ID
	Version    int
	GatewayID  int64
	Key        string
	Type       string // the gateway's own word
	State      NotificationState
	TrackCodes string // of the payments that it concerns, separated by blanks
	Parsed     gateway.Notification
	Inbound    gateway.Inbound // encrypted at rest: some gateways send their secret along
	ReceivedAt time.Time
	WorkedAt   time.Time
	LeaseUntil time.Time
	Tries      int
}

// Identity implements Row.
func (n Notification) Identity() core.Identity {
	return core.Identity{Table: "notifications", Key: string(n.ID), Version: n.Version}
}

// WakeUps implements Waker.
func (n Notification) WakeUps() []core.Ring {
	if n.State != NotificationWaiting {
		return nil
	}
	return []core.Ring{{Kind: core.NotifyRing, At: n.ReceivedAt}}
}

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

// IsOK tells whether the gateway answered.
func (c GatewayCall) IsOK() bool { return c.Effect == "" }
