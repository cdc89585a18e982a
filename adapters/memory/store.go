// Package memory holds the reference adapters of ports, without any engine behind them: the store whose behavior the
// conformance kits describe, and the clock, bell, limiter and courier that stand in for the real ones in every test.
package memory

import (
	"context"
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

	operations      *table[core.ID, core.Operation]
	discrepancies   *table[core.ID, core.Discrepancy]
	credits         *table[creditKey, core.Credit]
	gatewayCalls    *table[core.ID, core.GatewayCall]
	notifications   *table[core.ID, core.Notification]
	gatewayAccounts *table[int64, core.GatewayAccount]
	routeRules      *table[int64, core.RouteRule]

	wallets   *table[int64, core.Wallet]
	entries   *table[core.ID, core.LedgerEntry]
	balances  map[int64]balance
	bankLines map[lineKey]core.BankLine

	feeds           *table[int64, core.Feed]
	reconciliations *table[dayKey, core.Reconciliation]

	auditLinks    *table[int64, core.AuditLink]
	jobs          *table[core.ID, core.Job]
	jobChunks     *table[chunkKey, core.JobChunk]
	factors       *table[int64, core.Factors]
	passkeys      *table[core.ID, core.Passkey]
	challenges    *table[string, core.Challenge]
	invitations   *table[core.ID, core.Invitation]
	approvals     *table[core.ID, core.Approval]
	approvalRules *table[core.GuardedAction, core.ApprovalRule]
	runningTotals *table[string, core.RunningTotal]

	loads     map[loadKey]load
	answers   map[core.IdempotencyKey]core.IdempotencyRecord
	blocks    map[core.CustomerKey]core.Block
	ibans     map[string]ibanUse
	sequences map[string]int64

	countedUntil time.Time // when statistics were refreshed
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
		balances:  map[int64]balance{},
		bankLines: map[lineKey]core.BankLine{},
		loads:     map[loadKey]load{},
		answers:   map[core.IdempotencyKey]core.IdempotencyRecord{},
		blocks:    map[core.CustomerKey]core.Block{},
		ibans:     map[string]ibanUse{},
		sequences: map[string]int64{},
	}
	s.makePaymentTables()
	s.makeOwnerTables()
	s.makeGatewayTables()
	s.makeCreditTable()
	s.makeWalletTables()
	s.makeAuditTables()
	s.makeJobTables()
	s.makeStaffTables()
	s.makeApprovalTables()
	return s
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
