package wallet

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

// Statements imports the bank statements of E-IBAN wallets, finds the deposits that their lines belong to, and reconciles
// each day of the ledger with the bank. Fill it, then Start it.
type Statements struct {
	app.Pool[wallet.Feed]

	Desk       *app.Desk
	Wallets    ports.Wallets
	Store      ports.Statements
	Operations ports.Operations
	Reports    ports.Reports
	Gateways   *app.Gateways
	Every      time.Duration  // between two reads of a wallet's statement
	AutoScore  int            // from which score a deposit is completed by itself; 0: never
	Zone       *time.Location // whose days are reconciled
	Log        *slog.Logger

	known knownLines
}

// wallets is how many are read at once.
const wallets = 16

// Start allows work until Stop.
func (s *Statements) Start() { s.Allow(wallets, s.claim, s.guarded) }

func (s *Statements) claim(ctx context.Context, room int) ([]wallet.Feed, error) {
	now := s.Desk.Clock.Now()
	feeds, err := s.Store.ClaimFeeds(ctx, now, now.Add(lease), room)
	if err != nil {
		s.Log.Error("claiming wallets whose statement is due", "error", err)
	}
	return feeds, err
}

// guarded reads a wallet; what one meets must not end the work on all others.
func (s *Statements) guarded(ctx context.Context, f wallet.Feed) {
	defer func() {
		if cause := recover(); cause != nil {
			s.Log.Error("reading a statement", "wallet", f.WalletID, "error", fmt.Sprintf("panic: %v\n%s", cause, debug.Stack()))
		}
	}()
	switch err := s.read(ctx, f); {
	case err == nil, ctx.Err() != nil: // stopped: the lease ends
	case fault.Is(err, fault.Conflict):
		s.Log.Warn("another worker has taken over the reading of a statement", "wallet", f.WalletID)
	default:
		s.Log.Error("reading a statement; it is read again when its lease ends", "wallet", f.WalletID, "error", err)
	}
}
