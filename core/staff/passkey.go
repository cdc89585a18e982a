package staff

import (
	"time"

	"github.com/vezne/vezne/core"
)

// Passkey is a WebAuthn credential of a staff member.
type Passkey struct {
	ID           core.ID
	Version      int
	StaffID      int64
	CredentialID string // the authenticator's own, base64url
	Record       string // what the adapter keeps of it as JSON: the public key, the signature counter
	Name         string
	CreatedAt    time.Time
	LastUsedAt   time.Time // zero: never
	RemovedAt    time.Time // zero: in use
}

// Identity implements Row.
func (p Passkey) Identity() core.Identity {
	return core.Identity{Table: "passkeys", Key: string(p.ID), Version: p.Version}
}

// Use is the passkey after a sign-in, with what the adapter keeps from then on.
func (p Passkey) Use(record string, now time.Time) Passkey {
	p.Version++
	p.Record, p.LastUsedAt = record, now
	return p
}

// Rename is the passkey under another name.
func (p Passkey) Rename(name string) Passkey {
	p.Version++
	p.Name = name
	return p
}

// Remove is the passkey once it may no longer be used.
func (p Passkey) Remove(now time.Time) Passkey {
	p.Version++
	p.RemovedAt = now
	return p
}

// PasskeyOwner is a staff member as an authenticator knows them.
type PasskeyOwner struct {
	StaffID int64
	Email   string
}

// PasskeyRequest is what the browser's navigator.credentials is asked with, and what must be kept until it answers.
type PasskeyRequest struct {
	Options string // JSON
	State   core.Secret
}

// PasskeyUse is a checked answer of an authenticator.
type PasskeyUse struct {
	CredentialID string
	Record       string
	IsVerified   bool // the authenticator checked who holds it: by PIN, finger or face
}
