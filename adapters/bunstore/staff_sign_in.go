package bunstore

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

type factorsRow struct {
	bun.BaseModel `bun:"table:staff_factors"`

	StaffID       int64     `bun:"staff_id,pk"`
	Version       int       `bun:"version"`
	Failures      int       `bun:"failures"`
	LockedUntil   timestamp `bun:"locked_until,type:timestamptz"`
	KnownFailures int       `bun:"known_failures"`
	KnownUntil    timestamp `bun:"known_locked_until,type:timestamptz"`
	Places        string    `bun:"places"`
	TOTP          string    `bun:"totp"`
	PendingTOTP   string    `bun:"pending_totp"`
	TOTPStep      int64     `bun:"totp_step"`
	RecoveryCodes string    `bun:"recovery_codes"`
	UpdatedAt     timestamp `bun:"updated_at,type:timestamptz"`
}

func factorsRowOf(f staff.Factors, sealer ports.Sealer) (factorsRow, error) {
	v := newRowSealer(sealer, "staff_factors", number(f.StaffID))
	codes, err := json.Marshal(f.RecoveryCodes)
	places, err2 := json.Marshal(f.Places)
	r := factorsRow{
		StaffID: f.StaffID, Version: f.Version, Failures: f.Strange.Failures, LockedUntil: timestamp(f.Strange.Until),
		KnownFailures: f.Known.Failures, KnownUntil: timestamp(f.Known.Until), Places: string(places),
		TOTP: v.seal(f.TOTP, "totp"), PendingTOTP: v.seal(f.PendingTOTP, "pending_totp"), TOTPStep: f.TOTPStep,
		RecoveryCodes: string(codes), UpdatedAt: timestamp(f.UpdatedAt),
	}
	return r, errors.Join(err, err2, v.err)
}

func (s *Store) factors(r factorsRow) (staff.Factors, error) {
	v := newRowSealer(s.sealer, "staff_factors", number(r.StaffID))
	codes, err := bodyOf[[]string](r.RecoveryCodes)
	places, err2 := bodyOf[[]string](r.Places)
	f := staff.Factors{
		StaffID: r.StaffID, Version: r.Version, Strange: staff.Lock{Failures: r.Failures, Until: time.Time(r.LockedUntil)},
		Known: staff.Lock{Failures: r.KnownFailures, Until: time.Time(r.KnownUntil)}, Places: places,
		TOTP: v.open(r.TOTP, "totp"), PendingTOTP: v.open(r.PendingTOTP, "pending_totp"), TOTPStep: r.TOTPStep,
		RecoveryCodes: codes, UpdatedAt: time.Time(r.UpdatedAt),
	}
	return f, errors.Join(err, err2, v.err)
}

type passkeyRow struct {
	bun.BaseModel `bun:"table:passkeys"`

	ID           core.ID   `bun:"id,pk"`
	Version      int       `bun:"version"`
	StaffID      int64     `bun:"staff_id"`
	CredentialID string    `bun:"credential_id"`
	Record       string    `bun:"record"`
	Name         string    `bun:"name"`
	CreatedAt    timestamp `bun:"created_at,type:timestamptz"`
	LastUsedAt   timestamp `bun:"last_used_at,type:timestamptz"`
	RemovedAt    timestamp `bun:"removed_at,type:timestamptz"`
}

func passkeyRowOf(p staff.Passkey) passkeyRow {
	return passkeyRow{
		ID: p.ID, Version: p.Version, StaffID: p.StaffID, CredentialID: p.CredentialID, Record: p.Record, Name: p.Name,
		CreatedAt: timestamp(p.CreatedAt), LastUsedAt: timestamp(p.LastUsedAt), RemovedAt: timestamp(p.RemovedAt),
	}
}

func (r passkeyRow) passkey() (staff.Passkey, error) {
	return staff.Passkey{
		ID: r.ID, Version: r.Version, StaffID: r.StaffID, CredentialID: r.CredentialID, Record: r.Record, Name: r.Name,
		CreatedAt: time.Time(r.CreatedAt), LastUsedAt: time.Time(r.LastUsedAt), RemovedAt: time.Time(r.RemovedAt),
	}, nil
}

type challengeRow struct {
	bun.BaseModel `bun:"table:sign_in_challenges"`

	Fingerprint string              `bun:"fingerprint,pk"`
	Version     int                 `bun:"version"`
	Kind        staff.ChallengeKind `bun:"kind"`
	StaffID     int64               `bun:"staff_id"`
	SessionID   core.ID             `bun:"session_id"`
	State       string              `bun:"state"`
	Tries       int                 `bun:"tries"`
	CreatedAt   timestamp           `bun:"created_at,type:timestamptz"`
	ExpiresAt   timestamp           `bun:"expires_at,type:timestamptz"`
	UsedAt      timestamp           `bun:"used_at,type:timestamptz"`
}

func challengeRowOf(c staff.Challenge, sealer ports.Sealer) (challengeRow, error) {
	v := newRowSealer(sealer, "sign_in_challenges", c.Fingerprint)
	r := challengeRow{
		Fingerprint: c.Fingerprint, Version: c.Version, Kind: c.Kind, StaffID: c.StaffID, SessionID: c.SessionID,
		State: v.seal(c.State, "state"), Tries: c.Tries, CreatedAt: timestamp(c.CreatedAt), ExpiresAt: timestamp(c.ExpiresAt),
		UsedAt: timestamp(c.UsedAt),
	}
	return r, v.err
}

func (s *Store) challenge(r challengeRow) (staff.Challenge, error) {
	v := newRowSealer(s.sealer, "sign_in_challenges", r.Fingerprint)
	c := staff.Challenge{
		Fingerprint: r.Fingerprint, Version: r.Version, Kind: r.Kind, StaffID: r.StaffID, SessionID: r.SessionID,
		State: v.open(r.State, "state"), Tries: r.Tries, CreatedAt: time.Time(r.CreatedAt), ExpiresAt: time.Time(r.ExpiresAt),
		UsedAt: time.Time(r.UsedAt),
	}
	return c, v.err
}

type invitationRow struct {
	bun.BaseModel `bun:"table:invitations"`

	ID          core.ID    `bun:"id,pk"`
	Version     int        `bun:"version"`
	Fingerprint string     `bun:"fingerprint"`
	Email       string     `bun:"email"`
	Role        staff.Role `bun:"role"`
	DealerID    int64      `bun:"dealer_id"`
	ProviderID  int64      `bun:"provider_id"`
	actorRow
	CreatedAt  timestamp `bun:"created_at,type:timestamptz"`
	ExpiresAt  timestamp `bun:"expires_at,type:timestamptz"`
	AcceptedAt timestamp `bun:"accepted_at,type:timestamptz"`
	RevokedAt  timestamp `bun:"revoked_at,type:timestamptz"`
}

func invitationRowOf(i staff.Invitation) invitationRow {
	return invitationRow{
		ID: i.ID, Version: i.Version, Fingerprint: i.Fingerprint, Email: i.Email, Role: i.Role, DealerID: i.DealerID,
		ProviderID: i.ProviderID, actorRow: actorRowOf(i.InvitedBy), CreatedAt: timestamp(i.CreatedAt),
		ExpiresAt: timestamp(i.ExpiresAt), AcceptedAt: timestamp(i.AcceptedAt), RevokedAt: timestamp(i.RevokedAt),
	}
}

func (r invitationRow) invitation() (staff.Invitation, error) {
	return staff.Invitation{
		ID: r.ID, Version: r.Version, Fingerprint: r.Fingerprint, Email: r.Email, Role: r.Role, DealerID: r.DealerID,
		ProviderID: r.ProviderID, InvitedBy: r.actor(), CreatedAt: time.Time(r.CreatedAt),
		ExpiresAt: time.Time(r.ExpiresAt), AcceptedAt: time.Time(r.AcceptedAt), RevokedAt: time.Time(r.RevokedAt),
	}, nil
}

// StaffByID implements ports.Staff.
func (s *Store) StaffByID(ctx context.Context, id int64) (staff.Staff, error) {
	return one(ctx, s, "bunstore.StaffByID", s.staff, "id = ?", id)
}

// ListStaff implements ports.Staff.
func (s *Store) ListStaff(ctx context.Context, query staff.Query) ([]staff.Staff, error) {
	q := whereSet(s.reads.NewSelect(), "role = ?", query.Role)
	if query.IsActive != nil {
		q = q.Where("is_active = ?", *query.IsActive)
	}
	return pageOf(ctx, "bunstore.ListStaff", s.staff, byNumber, query.Paging, q)
}

// SessionsOf implements ports.Staff.
func (s *Store) SessionsOf(ctx context.Context, staffID int64, now time.Time, limit int) ([]staff.Session, error) {
	if limit < 1 {
		return nil, nil
	}
	q := s.reads.NewSelect().Where("staff_id = ? AND revoked_at IS NULL AND expires_at > ?", staffID, timestamp(now))
	return queried(ctx, "bunstore.SessionsOf", sessionRow.session, q.OrderExpr("id DESC").Limit(int64(limit)))
}

// FactorsOf implements ports.Staff.
func (s *Store) FactorsOf(ctx context.Context, staffID int64) (staff.Factors, error) {
	found, err := one(ctx, s, "bunstore.FactorsOf", s.factors, "staff_id = ?", staffID)
	if fault.Is(err, fault.NotFound) {
		return staff.Factors{StaffID: staffID}, nil
	}
	return found, err
}

// PasskeysOf implements ports.Staff.
func (s *Store) PasskeysOf(ctx context.Context, staffID int64) ([]staff.Passkey, error) {
	return many(ctx, s, "bunstore.PasskeysOf", passkeyRow.passkey, "id", "staff_id = ? AND removed_at IS NULL", staffID)
}

// PasskeyByCredential implements ports.Staff.
func (s *Store) PasskeyByCredential(ctx context.Context, credentialID string) (staff.Passkey, error) {
	return one(ctx, s, "bunstore.PasskeyByCredential", passkeyRow.passkey,
		"credential_id = ? AND credential_id <> '' AND removed_at IS NULL", credentialID)
}

// ChallengeByFingerprint implements ports.Staff.
func (s *Store) ChallengeByFingerprint(ctx context.Context, fingerprint string) (staff.Challenge, error) {
	return one(ctx, s, "bunstore.ChallengeByFingerprint", s.challenge, "fingerprint = ?", fingerprint)
}

// InvitationByFingerprint implements ports.Staff.
func (s *Store) InvitationByFingerprint(ctx context.Context, fingerprint string) (staff.Invitation, error) {
	return one(ctx, s, "bunstore.InvitationByFingerprint", invitationRow.invitation, "fingerprint = ? AND fingerprint <> ''", fingerprint)
}

// Invitation implements ports.Staff.
func (s *Store) Invitation(ctx context.Context, id core.ID) (staff.Invitation, error) {
	return one(ctx, s, "bunstore.Invitation", invitationRow.invitation, "id = ?", id)
}

// ListInvitations implements ports.Staff.
func (s *Store) ListInvitations(ctx context.Context, query staff.InvitationQuery) ([]staff.Invitation, error) {
	q := whereSet(s.reads.NewSelect(), "email = ?", query.Email)
	return pageOf(ctx, "bunstore.ListInvitations", invitationRow.invitation, newestFirst, query.Paging, q)
}
