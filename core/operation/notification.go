package operation

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

// NotificationStatus is where a stored notification stands.
type NotificationStatus string

// States of a notification.
const (
	NotificationWaiting NotificationStatus = "waiting" // verified, to be worked on
	NotificationDone    NotificationStatus = "done"
	NotificationUnknown NotificationStatus = "unknown"  // about nothing that is known here; kept for staff
	NotificationForged  NotificationStatus = "rejected" // its signature is wrong; kept apart
)

// NotificationStatuses returns all states.
func NotificationStatuses() []NotificationStatus {
	return []NotificationStatus{NotificationWaiting, NotificationDone, NotificationUnknown, NotificationForged}
}

// Notification is a gateway's message as it came, kept before it is acknowledged. The same message is kept once: Key is
// unique within a gateway account.
type Notification struct {
	ID         core.ID
	Version    int
	GatewayID  int64
	Key        string
	Type       string // the gateway's own word
	Status     NotificationStatus
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

// WakeUps implements Waking.
func (n Notification) WakeUps() []core.WakeUp {
	if n.Status != NotificationWaiting {
		return nil
	}
	return []core.WakeUp{{Kind: core.DueNotifications, At: n.ReceivedAt}}
}

// HandedBack is a notification whose worker stops before it is through: another one may work on it at once.
func (n Notification) HandedBack() Notification {
	n.Version++
	n.LeaseUntil = time.Time{}
	return n
}

// A notification that can't be worked on is tried again ever more seldom, for two days, and then left to staff.
const (
	maxNotifyWait  = time.Hour
	maxNotifyTries = 50
)

// PutOff is a notification after work on it that failed.
func (n Notification) PutOff(at time.Time) Notification {
	n.Version++
	n.LeaseUntil = at.Add(min(time.Minute<<min(n.Tries, 10), maxNotifyWait))
	if n.Tries++; n.Tries >= maxNotifyTries {
		n.Status, n.WorkedAt, n.LeaseUntil = NotificationUnknown, at, time.Time{}
	}
	return n
}

// Worked is a notification that was worked on. One that concerns nothing that is known here is left to staff.
func (n Notification) Worked(at time.Time) Notification {
	n.Version++
	n.Status, n.WorkedAt, n.LeaseUntil = NotificationDone, at, time.Time{}
	if n.TrackCodes == "" {
		n.Status = NotificationUnknown
	}
	return n
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

// IsOK reports whether the gateway answered.
func (c GatewayCall) IsOK() bool { return c.Effect == "" }
