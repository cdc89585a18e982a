// Package statement imports the bank statements of E-IBAN wallets, finds the deposits that their lines belong to, and
// reconciles each day of the ledger with the bank.
package statement

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Store is what is read here.
type Store interface {
	ports.Wallets
	ports.Feeds
	ports.StatementLines
	ports.Reconciliations
	ports.Operations
	PaymentByTrackingCode(ctx context.Context, code string) (core.Payment, error)
}

// Service reads statements. Fill it, then Start it.
type Service struct {
	Desk      *app.Desk
	Store     Store
	Gateways  *app.Gateways
	Every     time.Duration  // between two reads of a wallet's statement
	AutoScore int            // from which score a deposit is completed by itself; 0: never
	Zone      *time.Location // whose days are reconciled
	Log       *slog.Logger

	mu         sync.Mutex
	ctx        context.Context //nolint:containedctx // the life of the work, from Start to Stop
	stop       context.CancelFunc
	working    sync.WaitGroup
	isClaiming bool
	again      bool // somebody rang meanwhile, or there was no room for what may be due
	busy       int  // wallets that are being read
	known      knownLines
}

// wallets is how many are read at once.
const wallets = 16

// Start allows work until Stop.
func (s *Service) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ctx, s.stop = context.WithCancel(context.Background())
}

// Stop takes no new work and waits for what is being read; ctx bounds the waiting.
func (s *Service) Stop(ctx context.Context) error {
	s.mu.Lock()
	s.stop()
	s.mu.Unlock()
	return s.Wait(ctx)
}

// Wait waits until nothing is being read.
func (s *Service) Wait(ctx context.Context) error {
	done := make(chan struct{})
	go func() { s.working.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wake has due statements read; it returns at once.
func (s *Service) Wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake()
}

// wake is Wake for who holds s.mu.
func (s *Service) wake() {
	if s.ctx == nil || s.ctx.Err() != nil {
		return
	}
	if s.isClaiming || s.busy >= wallets {
		s.again = true
		return
	}
	s.isClaiming = true
	s.working.Add(1)
	go s.claim()
}

// claim has due wallets read until nothing more is due, or there is no more room.
func (s *Service) claim() {
	defer s.working.Done()
	for s.claimSome() {
	}
}

// claimSome leases due wallets, as many as there is room for, and has each read; more tells whether to look again.
func (s *Service) claimSome() (more bool) {
	s.mu.Lock()
	room := wallets - s.busy
	s.again = false
	s.mu.Unlock()
	now := s.Desk.Clock.Now()
	feeds, err := s.Store.ClaimFeeds(s.ctx, now, now.Add(lease), room)
	if err != nil && s.ctx.Err() == nil {
		s.Log.Error("claiming wallets whose statement is due", "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range feeds {
		s.launch(f)
	}
	if s.busy >= wallets {
		s.again = true // whoever is done first looks again
	}
	more = err == nil && s.ctx.Err() == nil && s.again && s.busy < wallets
	s.isClaiming = more
	return more
}

// launch reads one wallet beside others. The caller holds s.mu.
func (s *Service) launch(f core.Feed) {
	s.busy++
	s.working.Go(func() {
		s.guarded(f)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.busy--; s.again {
			s.wake()
		}
	})
}

// guarded reads a wallet; what one meets must not end the work on all others.
func (s *Service) guarded(f core.Feed) {
	defer func() {
		if cause := recover(); cause != nil {
			s.Log.Error("reading a statement", "wallet", f.WalletID, "error", fmt.Sprintf("panic: %v\n%s", cause, debug.Stack()))
		}
	}()
	switch err := s.read(s.ctx, f); {
	case err == nil, s.ctx.Err() != nil: // stopped: the lease ends
	case fault.Is(err, fault.Conflict):
		s.Log.Warn("another worker has taken over the reading of a statement", "wallet", f.WalletID)
	default:
		s.Log.Error("reading a statement; it is read again when its lease ends", "wallet", f.WalletID, "error", err)
	}
}
