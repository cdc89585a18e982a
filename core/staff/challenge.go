package staff

import (
	"time"

	"github.com/vezne/vezne/core"
)

// ChallengeKind says what a challenge is for: one made for one thing is not good for another.
type ChallengeKind string

// Kinds of challenges.
const (
	LoginChallenge           ChallengeKind = "login"            // the password was right: now a second factor
	PasskeyLoginChallenge    ChallengeKind = "passkey_login"    // a passkey is asked: second factor, or alone
	PasskeyRegisterChallenge ChallengeKind = "passkey_register" // a passkey is made
	PasskeyStepUpChallenge   ChallengeKind = "passkey_step_up"  // a passkey is asked within a session
)

// Bounds of a challenge.
const (
	ChallengeLife     = 5 * time.Minute
	maxChallengeTries = 5
)

// Challenge is a step of signing in that waits for the next. Its token is not kept, only its fingerprint.
type Challenge struct {
	Fingerprint string
	Version     int
	Kind        ChallengeKind
	StaffID     int64       // 0: whoever the passkey belongs to
	SessionID   core.ID     // of what happens within a session
	State       core.Secret // of PasskeyRequest
	Tries       int
	CreatedAt   time.Time
	ExpiresAt   time.Time
	UsedAt      time.Time // zero: not used
}

// Identity implements Row.
func (c Challenge) Identity() core.Identity {
	return core.Identity{Table: "challenges", Key: c.Fingerprint, Version: c.Version}
}

// IsOpen reports whether the challenge may be answered.
func (c Challenge) IsOpen(kind ChallengeKind, now time.Time) bool {
	return c.Kind == kind && c.UsedAt.IsZero() && c.Tries < maxChallengeTries && now.Before(c.ExpiresAt)
}

// Missed counts a wrong answer.
func (c Challenge) Missed() Challenge {
	c.Version++
	c.Tries++
	return c
}

// Use ends the challenge: it is answered once.
func (c Challenge) Use(now time.Time) Challenge {
	c.Version++
	c.UsedAt = now
	return c
}
