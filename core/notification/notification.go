// Package notification has the messages of gateways as they came: kept before they are acknowledged, worked on later.
package notification

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

// Status is where a stored notification stands.
type Status string

// States of a notification.
const (
	Waiting Status = "waiting" // verified, to be worked on
	Done    Status = "done"
	Unknown Status = "unknown"  // about nothing that is known here; kept for staff
	Forged  Status = "rejected" // its signature is wrong; kept apart
)

// Statuses returns all states.
func Statuses() []Status {
	return []Status{Waiting, Done, Unknown, Forged}
}

// Notification is a gateway's message as it came, kept before it is acknowledged. The same message is kept once: Key is
// unique within a gateway account.
type Notification struct {
	ID         core.ID
	Version    int
	GatewayID  int64
	Key        string
	Type       string // the gateway's own word
	Status     Status
	TrackCodes string // of the payments that it concerns, separated by blanks
	Parsed     gateway.Notification
	Inbound    gateway.Inbound // encrypted at rest: some gateways send their secret along
	ReceivedAt time.Time
	WorkedAt   time.Time
	LeaseUntil time.Time
	Tries      int
	Trace      core.Trace // of the commit that changed it last
}

// Identity implements Row.
func (n Notification) Identity() core.Identity {
	return core.Identity{Table: "notifications", Key: string(n.ID), Version: n.Version}
}

// TracedBy implements core.Traced.
func (n Notification) TracedBy(span core.Trace) core.Row {
	n.Trace = span
	return n
}

// Cause is what work on it comes from.
func (n Notification) Cause() core.Cause { return core.Cause{Trace: n.Trace, IsRepeat: n.Tries > 0} }

// WakeUps implements Waking.
func (n Notification) WakeUps() []core.WakeUp {
	if n.Status != Waiting {
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
		n.Status, n.WorkedAt, n.LeaseUntil = Unknown, at, time.Time{}
	}
	return n
}

// Worked is a notification that was worked on. One that concerns nothing that is known here is left to staff.
func (n Notification) Worked(at time.Time) Notification {
	n.Version++
	n.Status, n.WorkedAt, n.LeaseUntil = Done, at, time.Time{}
	if n.TrackCodes == "" {
		n.Status = Unknown
	}
	return n
}

// Query asks for notifications, newest first. Zero fields do not narrow.
type Query struct {
	GatewayID int64
	Statuses  []Status
	core.Paging[core.ID]
}
