package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// StaffByID implements ports.StaffDirectory.
func (s *Store) StaffByID(ctx context.Context, id int64) (staff.Staff, error) {
	return one(ctx, s, "bunstore.StaffByID", s.staff, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}

// ListStaff implements ports.StaffDirectory.
func (s *Store) ListStaff(ctx context.Context, query staff.StaffQuery) ([]staff.Staff, error) {
	limit := min(query.Limit, core.MaxPage+1)
	if limit < 1 {
		return nil, nil
	}
	return many(ctx, s, "bunstore.ListStaff", s.staff, func(q *bun.SelectQuery) *bun.SelectQuery {
		q = whereSet(q.Where("id > ?", query.After), "role = ?", query.Role)
		if query.OnlyActive {
			q = q.Where("is_active = ?", true)
		}
		return q.OrderExpr("id").Limit(int64(limit))
	})
}

// SessionsOf implements ports.StaffSessions.
func (s *Store) SessionsOf(ctx context.Context, staffID int64, now time.Time, limit int) ([]staff.Session, error) {
	if limit < 1 {
		return nil, nil
	}
	return many(ctx, s, "bunstore.SessionsOf", sessionRow.session, func(q *bun.SelectQuery) *bun.SelectQuery {
		q = q.Where("staff_id = ? AND revoked_at IS NULL AND expires_at > ?", staffID, stamp(now))
		return q.OrderExpr("id DESC").Limit(int64(limit))
	})
}

// ForgetSignIns implements ports.StaffSessions.
func (s *Store) ForgetSignIns(ctx context.Context, before time.Time, limit int) (int, error) {
	const op = "bunstore.ForgetSignIns"
	if limit < 1 {
		return 0, nil
	}
	forgotten := 0
	for _, statement := range []string{
		`DELETE FROM sign_in_challenges WHERE fingerprint IN
			(SELECT fingerprint FROM sign_in_challenges WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`,
		`DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at < ? ORDER BY expires_at LIMIT ?)`,
	} {
		result, err := s.writes.NewRaw(statement, stamp(before), limit).Exec(ctx)
		if err != nil {
			return forgotten, fail(op, err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return forgotten, fail(op, err)
		}
		forgotten += int(n)
	}
	return forgotten, nil
}

func (s *Store) factors(r factorsRow) (staff.Factors, error) { return r.factors(s.sealer) }

// FactorsOf implements ports.SignIns.
func (s *Store) FactorsOf(ctx context.Context, staffID int64) (staff.Factors, error) {
	found, err := one(ctx, s, "bunstore.FactorsOf", s.factors, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("staff_id = ?", staffID)
	})
	if fault.Is(err, fault.NotFound) {
		return staff.Factors{StaffID: staffID}, nil
	}
	return found, err
}

// PasskeysOf implements ports.SignIns.
func (s *Store) PasskeysOf(ctx context.Context, staffID int64) ([]staff.Passkey, error) {
	return many(ctx, s, "bunstore.PasskeysOf", passkeyRow.passkey, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("staff_id = ? AND removed_at IS NULL", staffID).OrderExpr("id")
	})
}

// PasskeyByCredential implements ports.SignIns.
func (s *Store) PasskeyByCredential(ctx context.Context, credentialID string) (staff.Passkey, error) {
	return one(ctx, s, "bunstore.PasskeyByCredential", passkeyRow.passkey, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("credential_id = ? AND credential_id <> '' AND removed_at IS NULL", credentialID)
	})
}

// ChallengeByFingerprint implements ports.SignIns.
func (s *Store) ChallengeByFingerprint(ctx context.Context, fingerprint string) (staff.Challenge, error) {
	turn := func(r challengeRow) (staff.Challenge, error) { return r.challenge(s.sealer) }
	return one(ctx, s, "bunstore.ChallengeByFingerprint", turn, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("fingerprint = ?", fingerprint)
	})
}

// InvitationByFingerprint implements ports.Invitations.
func (s *Store) InvitationByFingerprint(ctx context.Context, fingerprint string) (staff.Invitation, error) {
	return one(ctx, s, "bunstore.InvitationByFingerprint", invitationRow.invitation, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("fingerprint = ? AND fingerprint <> ''", fingerprint)
	})
}

// Invitation implements ports.Invitations.
func (s *Store) Invitation(ctx context.Context, id core.ID) (staff.Invitation, error) {
	return one(ctx, s, "bunstore.Invitation", invitationRow.invitation, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("id = ?", id)
	})
}

// ListInvitations implements ports.Invitations.
func (s *Store) ListInvitations(ctx context.Context, query staff.InvitationQuery) ([]staff.Invitation, error) {
	limit := min(query.Limit, core.MaxPage+1)
	if limit < 1 {
		return nil, nil
	}
	return many(ctx, s, "bunstore.ListInvitations", invitationRow.invitation, func(q *bun.SelectQuery) *bun.SelectQuery {
		q = whereSet(whereSet(q, "email = ?", query.Email), "id < ?", query.After)
		return q.OrderExpr("id DESC").Limit(int64(limit))
	})
}
