package staff

import (
	"time"

	"github.com/vezne/vezne/core"
)

// Lives of a staff session.
const (
	SessionLife = 12 * time.Hour   // from sign-in
	SessionIdle = 2 * time.Hour    // without a request
	SeenEvery   = time.Minute      // LastSeenAt is written once in this time at most
	StepUpLife  = 10 * time.Minute // how long a proof is good for sensitive mutations
	clockSkew   = time.Minute      // that the clocks of two processes are apart at most, and more
)

// Session is a staff sign-in. The token is not kept, only its fingerprint.
type Session struct {
	ID              core.ID
	Version         int
	Fingerprint     string // sign.Fingerprint of the bearer token
	StaffID         int64
	Address         string
	UserAgent       string // as the browser says, cut at MaxUserAgent
	HasSecondFactor bool   // a second factor was proven in it, or a passkey alone
	CreatedAt       time.Time
	LastSeenAt      time.Time // to the minute
	ProvenAt        time.Time // when whose it is was last proven: for step-up
	ExpiresAt       time.Time
	RevokedAt       time.Time // zero: not revoked
}

// Identity implements Row.
func (s Session) Identity() core.Identity {
	return core.Identity{Table: "sessions", Key: string(s.ID), Version: s.Version}
}

// MaxUserAgent bounds the kept user agent, in bytes.
const MaxUserAgent = 256

// IsLive reports whether the session may still be used.
func (s Session) IsLive(now time.Time) bool {
	return s.RevokedAt.IsZero() && now.Before(s.ExpiresAt) && now.Before(s.LastSeenAt.Add(SessionIdle))
}

// IsProven reports whether the session may do what is sensitive without proving anew whose it is. A proof of a time to come is
// none: the clock was wrong then, and would make it good for longer.
func (s Session) IsProven(now time.Time) bool {
	return now.Before(s.ProvenAt.Add(StepUpLife)) && s.ProvenAt.Before(now.Add(clockSkew))
}

// Seen is the session after a request; changed is false while the one before was a moment ago.
func (s Session) Seen(now time.Time) (seen Session, changed bool) {
	if now.Before(s.LastSeenAt.Add(SeenEvery)) {
		return s, false
	}
	s.Version++
	s.LastSeenAt = now
	return s, true
}

// Prove is the session after its owner proved who they are: with a second factor, or with the password.
func (s Session) Prove(now time.Time, withFactor bool) Session {
	s.Version++
	s.ProvenAt, s.HasSecondFactor = now, s.HasSecondFactor || withFactor
	return s
}

// Revoke ends the session.
func (s Session) Revoke(now time.Time) Session {
	s.Version++
	s.RevokedAt = now
	return s
}
