package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

type profileRow struct {
	bun.BaseModel `bun:"table:staff_profiles"`

	StaffID   int64       `bun:"staff_id,pk"`
	Version   int         `bun:"version"`
	Name      string      `bun:"name"`
	Language  lang.Tag    `bun:"language"`
	Theme     staff.Theme `bun:"theme"`
	UpdatedAt timestamp   `bun:"updated_at,type:timestamptz"`
}

func profileRowOf(p staff.Profile) profileRow {
	return profileRow{
		StaffID: p.StaffID, Version: p.Version, Name: p.Name, Language: p.Language, Theme: p.Theme, UpdatedAt: timestamp(p.UpdatedAt),
	}
}

func (r profileRow) profile() (staff.Profile, error) {
	return staff.Profile{
		StaffID: r.StaffID, Version: r.Version, Name: r.Name, Language: r.Language, Theme: r.Theme, UpdatedAt: time.Time(r.UpdatedAt),
	}, nil
}

// savedViewRow is a view. Its filter is sealed: there may be a customer's name or IBAN in it.
type savedViewRow struct {
	bun.BaseModel `bun:"table:saved_views"`

	ID         core.ID           `bun:"id,pk"`
	Version    int               `bun:"version"`
	StaffID    int64             `bun:"staff_id"`
	OwnerEmail string            `bun:"owner_email"`
	DealerID   int64             `bun:"dealer_id"`
	ProviderID int64             `bun:"provider_id"`
	Role       staff.Role        `bun:"role"`
	List       staff.ViewList    `bun:"list"`
	Name       string            `bun:"name"`
	Filter     sealedText        `bun:"filter"`
	Sharing    staff.ViewSharing `bun:"sharing"`
	CreatedAt  timestamp         `bun:"created_at,type:timestamptz"`
	UpdatedAt  timestamp         `bun:"updated_at,type:timestamptz"`
	RemovedAt  timestamp         `bun:"removed_at,type:timestamptz"`
}

func savedViewRowOf(v staff.SavedView, sealer ports.Sealer) (savedViewRow, error) {
	sealed := newRowSealer(sealer, "saved_views", string(v.ID))
	r := savedViewRow{
		ID: v.ID, Version: v.Version, StaffID: v.StaffID, OwnerEmail: v.OwnerEmail, DealerID: v.Scope.DealerID,
		ProviderID: v.Scope.ProviderID, Role: v.Role, List: v.List, Name: v.Name, Filter: sealed.seal(v.Filter, "filter"),
		Sharing: v.Sharing, CreatedAt: timestamp(v.CreatedAt), UpdatedAt: timestamp(v.UpdatedAt), RemovedAt: timestamp(v.RemovedAt),
	}
	return r, sealed.err
}

func (s *Store) savedView(r savedViewRow) (staff.SavedView, error) {
	sealed := newRowSealer(s.sealer, "saved_views", string(r.ID))
	v := staff.SavedView{
		ID: r.ID, Version: r.Version, StaffID: r.StaffID, OwnerEmail: r.OwnerEmail,
		Scope: core.Scope{DealerID: r.DealerID, ProviderID: r.ProviderID}, Role: r.Role, List: r.List, Name: r.Name,
		Filter: sealed.open(r.Filter, "filter"), Sharing: r.Sharing, CreatedAt: time.Time(r.CreatedAt),
		UpdatedAt: time.Time(r.UpdatedAt), RemovedAt: time.Time(r.RemovedAt),
	}
	return v, sealed.err
}

// ProfileOf implements ports.Staff.
func (s *Store) ProfileOf(ctx context.Context, staffID int64) (staff.Profile, error) {
	found, err := one(ctx, s, "bunstore.ProfileOf", profileRow.profile, "staff_id = ?", staffID)
	if fault.Is(err, fault.NotFound) {
		return staff.Profile{StaffID: staffID}, nil
	}
	return found, err
}

// SavedView implements ports.Staff.
func (s *Store) SavedView(ctx context.Context, id core.ID) (staff.SavedView, error) {
	return one(ctx, s, "bunstore.SavedView", s.savedView, "id = ?", id)
}

// SavedViews implements ports.Staff.
func (s *Store) SavedViews(ctx context.Context, query staff.ViewQuery) ([]staff.SavedView, error) {
	q := whereSet(s.reads.NewSelect(), "list = ?", query.List).Where("removed_at IS NULL").
		Where("dealer_id = ? AND provider_id = ?", query.Scope.DealerID, query.Scope.ProviderID)
	if len(query.SharedWith) == 0 {
		q = q.Where("staff_id = ?", query.StaffID)
	} else {
		q = q.Where("(staff_id = ? OR sharing = ? OR sharing = ? AND role IN (?))",
			query.StaffID, staff.ViewForAll, staff.ViewForRole, bun.List(query.SharedWith))
	}
	return pageOf(ctx, "bunstore.SavedViews", s.savedView, newestFirst, query.Paging, q)
}
