package bunstore

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
)

type accountRow struct {
	bun.BaseModel `bun:"table:accounts"`

	ID              int64             `bun:"id,pk"`
	Version         int               `bun:"version"`
	DealerID        int64             `bun:"dealer_id,pk"`
	Kind            owner.AccountKind `bun:"kind"`
	BankName        string            `bun:"bank_name"`
	Holder          string            `bun:"holder"`
	IBAN            string            `bun:"iban"`
	IsActive        bool              `bun:"is_active"`
	IsHeld          bool              `bun:"is_held"`
	Currency        string            `bun:"currency"`
	MinMinor        *int64            `bun:"min_minor"`
	MaxMinor        *int64            `bun:"max_minor"`
	DailyLimitMinor *int64            `bun:"daily_limit_minor"`
	DailyCount      int               `bun:"daily_count"`
	CreatedAt       timestamp         `bun:"created_at,type:timestamptz"`
	UpdatedAt       timestamp         `bun:"updated_at,type:timestamptz"`
}

func accountRowOf(a owner.Account) (accountRow, error) {
	code, err := codeOf(a.Min, a.Max, a.DailyLimit)
	return accountRow{
		ID: a.ID, Version: a.Version, DealerID: a.DealerID, Kind: a.Kind, BankName: a.BankName, Holder: a.Holder,
		IBAN: a.IBAN, IsActive: a.IsActive, IsHeld: a.IsHeld, Currency: code, MinMinor: minorOf(a.Min), MaxMinor: minorOf(a.Max),
		DailyLimitMinor: minorOf(a.DailyLimit), DailyCount: a.DailyCount, CreatedAt: timestamp(a.CreatedAt),
		UpdatedAt: timestamp(a.UpdatedAt),
	}, err
}

func (r accountRow) account() (owner.Account, error) {
	amount := amountsIn(r.Currency)
	return owner.Account{
		ID: r.ID, Version: r.Version, DealerID: r.DealerID, Kind: r.Kind, BankName: r.BankName, Holder: r.Holder,
		IBAN: r.IBAN, IsActive: r.IsActive, IsHeld: r.IsHeld, Min: amount.of(r.MinMinor), Max: amount.of(r.MaxMinor),
		DailyLimit: amount.of(r.DailyLimitMinor), DailyCount: r.DailyCount, CreatedAt: time.Time(r.CreatedAt),
		UpdatedAt: time.Time(r.UpdatedAt),
	}, amount.err
}

// loadRow is an account's load on a day.
type loadRow struct {
	bun.BaseModel `bun:"table:account_loads"`

	AccountID     int64     `bun:"account_id,pk"`
	Day           core.Day  `bun:"day,pk"`
	UsedMinor     int64     `bun:"used_minor"`
	OfferCount    int       `bun:"offer_count"`
	Version       int       `bun:"version"`
	LastOfferedAt timestamp `bun:"last_offered_at,type:timestamptz"`
}

// useRow is all that one changeset does to one load: its uses added up, and the version that the first of them expects.
type useRow struct {
	AccountID int64     `bun:"account_id"`
	Day       core.Day  `bun:"day"`
	Minor     int64     `bun:"minor"`
	Count     int       `bun:"count"`
	Uses      int       `bun:"uses"`   // each raises the version by one
	Expect    int       `bun:"expect"` // core.AnyVersion: no check
	At        timestamp `bun:"at,type:timestamptz"`
}

// usesOf adds up the uses of each load in their order. ok is false when they contradict each other.
func usesOf(uses []owner.LimitUsage) (rows []useRow, ok bool) {
	for _, u := range uses {
		r := useRowIn(&rows, u)
		if u.Expect >= 0 {
			base := u.Expect - r.Uses
			if base < 0 || r.Expect >= 0 && r.Expect != base {
				return nil, false
			}
			r.Expect = base
		}
		r.Minor += u.Amount.Minor()
		r.Count += u.Count
		r.Uses++
		if !u.At.IsZero() {
			r.At = timestamp(u.At)
		}
	}
	return rows, true
}

func useRowIn(rows *[]useRow, u owner.LimitUsage) *useRow {
	for i := range *rows {
		if r := &(*rows)[i]; r.AccountID == u.AccountID && r.Day == u.Day {
			return r
		}
	}
	*rows = append(*rows, useRow{AccountID: u.AccountID, Day: u.Day, Expect: owner.AnyVersion})
	return &(*rows)[len(*rows)-1]
}

// accountLoadRow is an account beside its load, which is null where nothing was offered on that day.
type accountLoadRow struct {
	accountRow
	UsedMinor     int64     `bun:"used_minor"`
	OfferCount    int       `bun:"offer_count"`
	LoadVersion   int       `bun:"load_version"`
	LastOfferedAt timestamp `bun:"last_offered_at,type:timestamptz"`
}

func (r accountLoadRow) load(day core.Day) (owner.DailyUsage, error) {
	account, err := r.account()
	return owner.DailyUsage{
		Account: account, Day: day, Used: money.New(r.UsedMinor, account.Min.Currency()), Count: r.OfferCount,
		LoadVersion: r.LoadVersion, LastOfferedAt: time.Time(r.LastOfferedAt),
	}, err
}
