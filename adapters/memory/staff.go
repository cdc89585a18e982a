package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
)

func (s *Store) makeStaffTables() {
	s.factors = newTable(row[int64, core.Factors]{
		key:     func(f core.Factors) int64 { return f.StaffID },
		version: func(f core.Factors) int { return f.Version },
		clone:   cloneFactors,
	})
	s.passkeys = newTable(row[core.ID, core.Passkey]{
		key:     func(p core.Passkey) core.ID { return p.ID },
		version: func(p core.Passkey) int { return p.Version },
		names:   func(p core.Passkey) []string { return []string{p.CredentialID} },
	})
	s.challenges = newTable(row[string, core.Challenge]{
		key:     func(c core.Challenge) string { return c.Fingerprint },
		version: func(c core.Challenge) int { return c.Version },
	})
	s.invitations = newTable(row[core.ID, core.Invitation]{
		key:     func(i core.Invitation) core.ID { return i.ID },
		version: func(i core.Invitation) int { return i.Version },
		names:   func(i core.Invitation) []string { return []string{i.Fingerprint} },
	})
}

func cloneFactors(f core.Factors) core.Factors {
	f.RecoveryCodes, f.Places = slices.Clone(f.RecoveryCodes), slices.Clone(f.Places)
	return f
}

// StaffByID implements ports.StaffDirectory.
func (s *Store) StaffByID(ctx context.Context, id int64) (core.Staff, error) {
	return read(ctx, s, "memory.StaffByID", func() (core.Staff, bool) { return s.staff.get(id) })
}

// ListStaff implements ports.StaffDirectory.
func (s *Store) ListStaff(ctx context.Context, q core.StaffQuery) ([]core.Staff, error) {
	return list(ctx, s, "memory.ListStaff", func() []core.Staff {
		found := s.staff.where(func(m core.Staff) bool {
			return (q.Role == "" || q.Role == m.Role) && (!q.OnlyActive || m.IsActive) && m.ID > q.After
		})
		slices.SortFunc(found, func(a, b core.Staff) int { return cmp.Compare(a.ID, b.ID) })
		return first(found, q.Limit)
	})
}

// SessionsOf implements ports.StaffSessions.
func (s *Store) SessionsOf(ctx context.Context, staffID int64, now time.Time, limit int) ([]core.Session, error) {
	return list(ctx, s, "memory.SessionsOf", func() []core.Session {
		found := s.sessions.where(func(x core.Session) bool {
			return x.StaffID == staffID && x.RevokedAt.IsZero() && now.Before(x.ExpiresAt)
		})
		slices.SortFunc(found, func(a, b core.Session) int { return cmp.Compare(b.ID, a.ID) })
		return first(found, limit)
	})
}

// ForgetSignIns implements ports.StaffSessions.
func (s *Store) ForgetSignIns(ctx context.Context, before time.Time, limit int) (int, error) {
	return read(ctx, s, "memory.ForgetSignIns", func() (int, bool) {
		challenges := s.challenges.where(func(c core.Challenge) bool { return c.ExpiresAt.Before(before) })
		sessions := s.sessions.where(func(x core.Session) bool { return x.ExpiresAt.Before(before) })
		challenges, sessions = first(challenges, limit), first(sessions, limit)
		for _, c := range challenges {
			s.challenges.remove(c.Fingerprint)
		}
		for _, x := range sessions {
			s.sessions.remove(x.ID)
		}
		return len(challenges) + len(sessions), true
	})
}

// FactorsOf implements ports.SignIns.
func (s *Store) FactorsOf(ctx context.Context, staffID int64) (core.Factors, error) {
	return read(ctx, s, "memory.FactorsOf", func() (core.Factors, bool) {
		f, _ := s.factors.get(staffID)
		f.StaffID = staffID
		return f, true
	})
}

// PasskeysOf implements ports.SignIns.
func (s *Store) PasskeysOf(ctx context.Context, staffID int64) ([]core.Passkey, error) {
	return list(ctx, s, "memory.PasskeysOf", func() []core.Passkey {
		found := s.passkeys.where(func(p core.Passkey) bool { return p.StaffID == staffID && p.RemovedAt.IsZero() })
		slices.SortFunc(found, func(a, b core.Passkey) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}

// PasskeyByCredential implements ports.SignIns.
func (s *Store) PasskeyByCredential(ctx context.Context, credentialID string) (core.Passkey, error) {
	return read(ctx, s, "memory.PasskeyByCredential", func() (core.Passkey, bool) {
		p, ok := s.passkeys.find(credentialID)
		return p, ok && p.RemovedAt.IsZero()
	})
}

// ChallengeByFingerprint implements ports.SignIns.
func (s *Store) ChallengeByFingerprint(ctx context.Context, fingerprint string) (core.Challenge, error) {
	return read(ctx, s, "memory.ChallengeByFingerprint", func() (core.Challenge, bool) { return s.challenges.get(fingerprint) })
}

// InvitationByFingerprint implements ports.Invitations.
func (s *Store) InvitationByFingerprint(ctx context.Context, fingerprint string) (core.Invitation, error) {
	return read(ctx, s, "memory.InvitationByFingerprint", func() (core.Invitation, bool) {
		return s.invitations.find(fingerprint)
	})
}

// Invitation implements ports.Invitations.
func (s *Store) Invitation(ctx context.Context, id core.ID) (core.Invitation, error) {
	return read(ctx, s, "memory.Invitation", func() (core.Invitation, bool) { return s.invitations.get(id) })
}

// ListInvitations implements ports.Invitations.
func (s *Store) ListInvitations(ctx context.Context, q core.InvitationQuery) ([]core.Invitation, error) {
	return list(ctx, s, "memory.ListInvitations", func() []core.Invitation {
		found := s.invitations.where(func(i core.Invitation) bool {
			return (q.Email == "" || q.Email == i.Email) && (q.After == "" || i.ID < q.After)
		})
		slices.SortFunc(found, func(a, b core.Invitation) int { return cmp.Compare(b.ID, a.ID) })
		return first(found, q.Limit)
	})
}
