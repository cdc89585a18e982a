package staff

import (
	"time"

	"github.com/vezne/vezne/core"
)

// InvitationLife is how long an invitation may be accepted.
const InvitationLife = 72 * time.Hour

// Prefixes of what signs people in once.
const (
	ChallengeKey  core.KeyPrefix = "vzx_"
	InvitationKey core.KeyPrefix = "vzi_"
)

// Invitation lets somebody become a staff member, once. Its token is not kept, only its fingerprint.
type Invitation struct {
	ID          core.ID
	Version     int
	Fingerprint string
	Email       string // lower case
	Role        Role
	DealerID    int64
	ProviderID  int64
	InvitedBy   core.Actor
	CreatedAt   time.Time
	ExpiresAt   time.Time
	AcceptedAt  time.Time // zero: not accepted
	RevokedAt   time.Time // zero: not revoked
}

// Identity implements Row.
func (i Invitation) Identity() core.Identity {
	return core.Identity{Table: "invitations", Key: string(i.ID), Version: i.Version}
}

// IsOpen reports whether the invitation may be accepted.
func (i Invitation) IsOpen(now time.Time) bool {
	return i.AcceptedAt.IsZero() && i.RevokedAt.IsZero() && now.Before(i.ExpiresAt)
}

// Accept is the invitation once somebody has taken it.
func (i Invitation) Accept(now time.Time) Invitation {
	i.Version++
	i.AcceptedAt = now
	return i
}

// Revoke is the invitation once it is taken back.
func (i Invitation) Revoke(now time.Time) Invitation {
	i.Version++
	i.RevokedAt = now
	return i
}
