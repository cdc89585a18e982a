package bunstore

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/wallet"
)

type holidayRow struct {
	bun.BaseModel `bun:"table:holidays"`

	Day       core.Day  `bun:"day,pk"`
	Version   int       `bun:"version"`
	Name      string    `bun:"name"`
	UpdatedAt timestamp `bun:"updated_at,type:timestamptz"`
}

func holidayRowOf(h wallet.Holiday) holidayRow {
	return holidayRow{Day: h.Day, Version: h.Version, Name: h.Name, UpdatedAt: timestamp(h.UpdatedAt)}
}

func (r holidayRow) holiday() (wallet.Holiday, error) {
	return wallet.Holiday{Day: r.Day, Version: r.Version, Name: r.Name, UpdatedAt: time.Time(r.UpdatedAt)}, nil
}

// Holiday implements ports.Wallets.
func (s *Store) Holiday(ctx context.Context, day core.Day) (wallet.Holiday, error) {
	return one(ctx, s, "bunstore.Holiday", holidayRow.holiday, "day = ?", day)
}
