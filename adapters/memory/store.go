// Package memory holds the reference adapters of ports, without any engine behind them: the store whose behavior the
// conformance kits describe, and the clock, bell, limiter and courier that stand in for the real ones in every test.
package memory

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/ports"
)

var _ ports.Store = (*Store)(nil)

// Store keeps everything in maps under one mutex. It is safe for concurrent use, and what goes in or comes out is a
// copy. Reads look at every row: it is for tests, not for data of any size.
type Store struct {
	mu sync.Mutex

	payments  *table[core.ID, core.Payment]
	moves     *table[core.ID, core.Move]
	callbacks *table[core.ID, core.Callback]
	attempts  *table[core.ID, core.Attempt]
	audit     *table[core.ID, core.AuditEntry]
	sessions  *table[core.ID, core.Session]

	providers  *table[int64, core.Provider]
	sites      *table[int64, core.Site]
	dealers    *table[int64, core.Dealer]
	siteTokens *table[int64, core.SiteToken]
	accounts   *table[int64, core.Account]
	staff      *table[int64, core.Staff]

	loads     map[loadKey]load
	answers   map[core.IdempotencyKey]core.IdempotencyRecord
	blocks    map[core.CustomerKey]core.Block
	sequences map[string]int64
}

// loadKey names what a day's offers use of an account.
type loadKey struct {
	accountID int64
	day       core.Day
}

type load struct {
	used          money.Amount
	count         int
	version       int
	lastOfferedAt time.Time
}

// NewStore is an empty store.
func NewStore() *Store {
	s := &Store{
		loads:     map[loadKey]load{},
		answers:   map[core.IdempotencyKey]core.IdempotencyRecord{},
		blocks:    map[core.CustomerKey]core.Block{},
		sequences: map[string]int64{},
	}
	s.makePaymentTables()
	s.makeOwnerTables()
	return s
}

func (s *Store) makePaymentTables() {
	s.payments = newTable(row[core.ID, core.Payment]{
		key:     func(p core.Payment) core.ID { return p.ID },
		version: func(p core.Payment) int { return p.Version },
		names:   func(p core.Payment) []string { return []string{code(p.TrackingCode), token(p.Token)} },
	})
	s.moves = newTable(row[core.ID, core.Move]{
		key: func(m core.Move) core.ID { return m.ID }, version: once[core.Move],
	})
	s.callbacks = newTable(row[core.ID, core.Callback]{
		key:     func(c core.Callback) core.ID { return c.ID },
		version: func(c core.Callback) int { return c.Version },
	})
	s.attempts = newTable(row[core.ID, core.Attempt]{
		key: func(a core.Attempt) core.ID { return a.ID }, version: once[core.Attempt],
	})
	s.audit = newTable(row[core.ID, core.AuditEntry]{
		key: func(e core.AuditEntry) core.ID { return e.ID }, version: once[core.AuditEntry],
	})
}

func (s *Store) makeOwnerTables() {
	s.providers = newTable(row[int64, core.Provider]{
		key:     func(p core.Provider) int64 { return p.ID },
		version: func(p core.Provider) int { return p.Version },
		names:   func(p core.Provider) []string { return []string{p.APIKey} },
		clone:   cloneProvider,
	})
	s.sites = newTable(row[int64, core.Site]{
		key:     func(x core.Site) int64 { return x.ID },
		version: func(x core.Site) int { return x.Version },
		names:   func(x core.Site) []string { return []string{x.CredentialFingerprint} },
	})
	s.dealers = newTable(row[int64, core.Dealer]{
		key:     func(d core.Dealer) int64 { return d.ID },
		version: func(d core.Dealer) int { return d.Version },
		names:   func(d core.Dealer) []string { return []string{d.APIKey} },
		clone:   cloneDealer,
	})
	s.siteTokens = newTable(row[int64, core.SiteToken]{
		key:     func(x core.SiteToken) int64 { return x.ID },
		version: func(x core.SiteToken) int { return x.Version },
		names:   func(x core.SiteToken) []string { return []string{x.Token} },
	})
	s.accounts = newTable(row[int64, core.Account]{
		key:     func(a core.Account) int64 { return a.ID },
		version: func(a core.Account) int { return a.Version },
	})
	s.staff = newTable(row[int64, core.Staff]{
		key:     func(x core.Staff) int64 { return x.ID },
		version: func(x core.Staff) int { return x.Version },
		names:   func(x core.Staff) []string { return []string{x.Email} },
	})
	s.sessions = newTable(row[core.ID, core.Session]{
		key:     func(x core.Session) core.ID { return x.ID },
		version: func(x core.Session) int { return x.Version },
		names:   func(x core.Session) []string { return []string{x.Fingerprint} },
	})
}

func cloneProvider(p core.Provider) core.Provider {
	p.IPWhitelist = slices.Clone(p.IPWhitelist)
	return p
}

func cloneDealer(d core.Dealer) core.Dealer {
	d.IPWhitelist = slices.Clone(d.IPWhitelist)
	return d
}

// code and token keep the two names of a payment apart.
func code(trackingCode string) string { return named("code/", trackingCode) }
func token(pageToken string) string   { return named("token/", pageToken) }

func named(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// enter takes the lock. A context that is over is refused, as a database refuses it.
func (s *Store) enter(ctx context.Context, op string) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.E(op, fault.Unavailable, err)
	}
	s.mu.Lock()
	return s.mu.Unlock, nil
}

// read runs one look-up under the lock; what it does not find is NotFound.
func read[R any](ctx context.Context, s *Store, op string, look func() (R, bool)) (R, error) {
	var none R
	leave, err := s.enter(ctx, op)
	if err != nil {
		return none, err
	}
	defer leave()
	found, ok := look()
	if !ok {
		return none, fault.New(op, fault.NotFound)
	}
	return found, nil
}

// list runs one listing under the lock.
func list[R any](ctx context.Context, s *Store, op string, look func() []R) ([]R, error) {
	return read(ctx, s, op, func() ([]R, bool) { return look(), true })
}

// first cuts a listing to at most limit rows.
func first[R any](rows []R, limit int) []R { return rows[:min(len(rows), max(limit, 0))] }

// Ping answers always.
func (s *Store) Ping(ctx context.Context) error {
	leave, err := s.enter(ctx, "memory.Ping")
	if err != nil {
		return err
	}
	leave()
	return nil
}
