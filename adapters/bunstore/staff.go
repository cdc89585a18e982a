package bunstore

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

type staffRow struct {
	bun.BaseModel `bun:"table:staff"`

	ID           int64      `bun:"id,pk"`
	Version      int        `bun:"version"`
	Email        string     `bun:"email"`
	PasswordHash sealedText `bun:"password_hash"`
	Role         staff.Role `bun:"role"`
	DealerID     int64      `bun:"dealer_id"`
	ProviderID   int64      `bun:"provider_id"`
	IsActive     bool       `bun:"is_active"`
	CreatedAt    timestamp  `bun:"created_at,type:timestamptz"`
	UpdatedAt    timestamp  `bun:"updated_at,type:timestamptz"`
}

func staffRowOf(s staff.Staff, sealer ports.Sealer) (staffRow, error) {
	v := newRowSealer(sealer, "staff", number(s.ID))
	r := staffRow{
		ID: s.ID, Version: s.Version, Email: s.Email, PasswordHash: v.seal(s.PasswordHash, "password_hash"),
		Role: s.Role, DealerID: s.DealerID, ProviderID: s.ProviderID, IsActive: s.IsActive,
		CreatedAt: timestamp(s.CreatedAt), UpdatedAt: timestamp(s.UpdatedAt),
	}
	return r, v.err
}

func (s *Store) staff(r staffRow) (staff.Staff, error) {
	v := newRowSealer(s.sealer, "staff", number(r.ID))
	member := staff.Staff{
		ID: r.ID, Version: r.Version, Email: r.Email, PasswordHash: v.open(r.PasswordHash, "password_hash"),
		Role: r.Role, DealerID: r.DealerID, ProviderID: r.ProviderID, IsActive: r.IsActive,
		CreatedAt: time.Time(r.CreatedAt), UpdatedAt: time.Time(r.UpdatedAt),
	}
	return member, v.err
}

type sessionRow struct {
	bun.BaseModel `bun:"table:sessions"`

	ID          core.ID   `bun:"id,pk"`
	Version     int       `bun:"version"`
	Fingerprint string    `bun:"fingerprint"`
	StaffID     int64     `bun:"staff_id"`
	Addr        string    `bun:"addr"`
	UserAgent   string    `bun:"user_agent"`
	HasFactor   bool      `bun:"has_factor"`
	CreatedAt   timestamp `bun:"created_at,type:timestamptz"`
	LastSeenAt  timestamp `bun:"last_seen_at,type:timestamptz"`
	ProvenAt    timestamp `bun:"proven_at,type:timestamptz"`
	ExpiresAt   timestamp `bun:"expires_at,type:timestamptz"`
	RevokedAt   timestamp `bun:"revoked_at,type:timestamptz"`
}

func sessionRowOf(s staff.Session) sessionRow {
	return sessionRow{
		ID: s.ID, Version: s.Version, Fingerprint: s.Fingerprint, StaffID: s.StaffID, Addr: s.Address,
		UserAgent: s.UserAgent, HasFactor: s.HasSecondFactor, CreatedAt: timestamp(s.CreatedAt), LastSeenAt: timestamp(s.LastSeenAt),
		ProvenAt: timestamp(s.ProvenAt), ExpiresAt: timestamp(s.ExpiresAt), RevokedAt: timestamp(s.RevokedAt),
	}
}

func (r sessionRow) session() (staff.Session, error) {
	return staff.Session{
		ID: r.ID, Version: r.Version, Fingerprint: r.Fingerprint, StaffID: r.StaffID, Address: r.Addr,
		UserAgent: r.UserAgent, HasSecondFactor: r.HasFactor, CreatedAt: time.Time(r.CreatedAt),
		LastSeenAt: time.Time(r.LastSeenAt), ProvenAt: time.Time(r.ProvenAt), ExpiresAt: time.Time(r.ExpiresAt), RevokedAt: time.Time(r.RevokedAt),
	}, nil
}
