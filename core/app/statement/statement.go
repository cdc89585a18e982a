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
	"github.com/vezne/vezne/core/gateway"
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

// Service reads statements.
type Service struct {
	Desk      *app.Desk
	Store     Store
	Gateways  *app.Gateways
	Every     time.Duration  // between two reads of a wallet's statement
	AutoScore int            // from which score a deposit is completed by itself; 0: never
	Zone      *time.Location // whose days are reconciled
	Log       *slog.Logger

	mu         sync.Mutex
	ctx        context.Context //nolint:containedctx // the life of the service, which outlives every call
	stop       context.CancelFunc
	working    sync.WaitGroup
	isClaiming bool
	again      bool
	busy       int
	known      knownLines
}

// Sizes of the work: wallets that are read at once, and how long one may be read before another worker takes it over.
const (
	wallets = 16
	lease   = 5 * time.Minute
)

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

// claim leases due wallets, as many as there is room for, and has each read.
func (s *Service) claim() {
	defer s.working.Done()
	for {
		s.mu.Lock()
		room := wallets - s.busy
		s.again = false
		s.mu.Unlock()
		now := s.Desk.Clock.Now()
		feeds, err := s.Store.ClaimFeeds(s.ctx, now, now.Add(lease), room)
		if err != nil && s.ctx.Err() == nil {
			s.Log.Error("claiming wallets whose statement is due", "error", err)
		}
		for _, f := range feeds {
			s.launch(f)
		}
		s.mu.Lock()
		if goOn := err == nil && s.ctx.Err() == nil && s.busy < wallets && (s.again || len(feeds) > 0); !goOn {
			s.isClaiming = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// launch reads one wallet beside others.
func (s *Service) launch(f core.Feed) {
	s.mu.Lock()
	s.busy++
	s.mu.Unlock()
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
	if err := s.read(s.ctx, f); err != nil && s.ctx.Err() == nil {
		s.Log.Error("reading a statement; it is read again when its lease ends", "wallet", f.WalletID, "error", err)
	}
}

// account is a wallet with the bank behind it.
type account struct {
	core.Wallet
	g *app.Gateway
}

func (s *Service) account(ctx context.Context, walletID int64) (account, error) {
	w, err := s.Store.Wallet(ctx, walletID)
	if err != nil {
		return account{}, err
	}
	g, err := s.Gateways.Gateway(ctx, w.GatewayID)
	if err == nil && (!g.Has(gateway.CanReadStatement) || !g.Has(gateway.CanReadAccounts)) {
		err = fault.New("statement.account", fault.GatewayUnusable)
	}
	return account{Wallet: w.Wallet, g: g}, err
}

// read brings a wallet up to date: imports what the bank has booked, books what had to wait, matches, reconciles.
func (s *Service) read(ctx context.Context, f core.Feed) error {
	now := s.Desk.Clock.Now()
	a, err := s.account(ctx, f.WalletID)
	if fault.Is(err, fault.GatewayUnusable) || fault.Is(err, fault.NotFound) || err == nil && a.g.MayTry(1) == 0 {
		return s.failed(ctx, f, "the bank's gateway can't be used", err)
	}
	if err != nil {
		return err
	}
	from, isSweep := f.From(now)
	imported := &tally{}
	for span := range spans(from, now, a.spanOf()) {
		err := s.importSpan(ctx, a, span, imported)
		if err != nil {
			return s.failed(ctx, f, "reading the statement", err)
		}
		f.Version++
		f.ReadUntil, f.LeaseUntil = span.To, s.Desk.Clock.Now().Add(lease)
		if err := s.Desk.Commit(ctx, core.Changeset{Feeds: []core.Feed{f}}); err != nil {
			return err // another worker has it
		}
	}
	err = s.settle(ctx, a)
	if err == nil && isSweep {
		f, err = s.sweep(ctx, a, f)
	}
	if err != nil {
		return s.failed(ctx, f, "working on what was imported", err)
	}
	done := f.Read(now, isSweep, s.Every, s.Desk.Clock.Now())
	done.Trouble = imported.trouble
	return s.Desk.Commit(ctx, core.Changeset{Feeds: []core.Feed{done}})
}

// settle works on the lines that wait: those that the ledger could not take, and those without a payment.
func (s *Service) settle(ctx context.Context, a account) error {
	if err := s.bookWaiting(ctx, a); err != nil {
		return err
	}
	return s.matchWaiting(ctx, a)
}

// failed keeps that a read failed, and why; what is ours to mend is an error.
func (s *Service) failed(ctx context.Context, f core.Feed, what string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err() // stopped: its lease ends
	}
	why := what
	var g *gateway.Error
	switch {
	case isGatewayError(err, &g):
		why += ": " + string(g.Class)
		s.Log.Warn("a bank's statement can't be read; it is tried again", "wallet", f.WalletID, "failures", f.Failures+1, "error", err)
	case err != nil:
		why += ": " + string(fault.CodeOf(err))
		s.Log.Error(what, "wallet", f.WalletID, "error", err)
	}
	return s.Desk.Commit(ctx, core.Changeset{Feeds: []core.Feed{f.Failed(why, s.Every, s.Desk.Clock.Now())}})
}
