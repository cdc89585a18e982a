package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
)

// Staff reads who works here, how they prove who they are, and who is invited. What does not exist is a NotFound fault.
type Staff interface {
	StaffByEmail(ctx context.Context, email string) (staff.Staff, error)
	// StaffByID finds a staff member by id.
	StaffByID(ctx context.Context, id int64) (staff.Staff, error)
	// ListStaff returns the query's page of staff members, by id. None is not a fault.
	ListStaff(ctx context.Context, query staff.Query) ([]staff.Staff, error)
	// SessionByFingerprint returns the session with the staff member whose it is.
	SessionByFingerprint(ctx context.Context, fingerprint string) (staff.Session, staff.Staff, error)
	// SessionsOf returns at most limit sessions of a staff member that are not revoked and expire after now, newest first (by ID).
	SessionsOf(ctx context.Context, staffID int64, now time.Time, limit int) ([]staff.Session, error)
	// FactorsOf returns the factors of a staff member; of one who has none, those of version 0.
	FactorsOf(ctx context.Context, staffID int64) (staff.Factors, error)
	// PasskeysOf returns the passkeys of a staff member that are not removed, oldest first (by ID).
	PasskeysOf(ctx context.Context, staffID int64) ([]staff.Passkey, error)
	// PasskeyByCredential finds a passkey that is not removed by its credential id; NotFound otherwise.
	PasskeyByCredential(ctx context.Context, credentialID string) (staff.Passkey, error)
	// ChallengeByFingerprint finds a challenge; NotFound otherwise.
	ChallengeByFingerprint(ctx context.Context, fingerprint string) (staff.Challenge, error)
	// InvitationByFingerprint and Invitation find one; NotFound otherwise.
	InvitationByFingerprint(ctx context.Context, fingerprint string) (staff.Invitation, error)
	Invitation(ctx context.Context, id core.ID) (staff.Invitation, error)
	// ProfileOf returns what a staff member says about themself; of one who has said nothing, the profile of version 0.
	ProfileOf(ctx context.Context, staffID int64) (staff.Profile, error)
	// SavedView finds a view, also one that was removed; NotFound otherwise.
	SavedView(ctx context.Context, id core.ID) (staff.SavedView, error)
	// SavedViews returns the query's page of views, newest first, without those that were removed.
	SavedViews(ctx context.Context, query staff.ViewQuery) ([]staff.SavedView, error)
	// ListInvitations returns the query's page of invitations, newest first, whatever became of them.
	ListInvitations(ctx context.Context, query staff.InvitationQuery) ([]staff.Invitation, error)
}

// Passkeys speaks WebAuthn with browsers: it makes what they are asked, and checks what they answer. It keeps nothing; a
// fault BadCode says that an answer does not hold.
type Passkeys interface {
	// BeginRegistration asks for a new passkey of its owner, none of those that are known.
	BeginRegistration(owner staff.PasskeyOwner, known []staff.Passkey) (staff.PasskeyRequest, error)
	// FinishRegistration checks the browser's answer (JSON) to a request.
	FinishRegistration(owner staff.PasskeyOwner, state core.Secret, answer string) (staff.PasskeyUse, error)
	// BeginSignIn asks for one of the known passkeys, or, where none is known, for whichever the authenticator has: that one
	// must verify who holds it.
	BeginSignIn(owner staff.PasskeyOwner, known []staff.Passkey) (staff.PasskeyRequest, error)
	// CredentialOf reads, without checking anything, which passkey answers.
	CredentialOf(answer string) (credentialID string, err error)
	// FinishSignIn checks the answer of a passkey of its owner to a request. A counter that went back is refused: the
	// authenticator was copied.
	FinishSignIn(owner staff.PasskeyOwner, key staff.Passkey, state core.Secret, answer string) (staff.PasskeyUse, error)
}
