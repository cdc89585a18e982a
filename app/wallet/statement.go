package wallet

import (
	"context"
	"log/slog"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Statements imports the bank statements of E-IBAN wallets, finds the deposits that their lines belong to, and reconciles
// each day of the ledger with the bank. Fill it, then Start it.
type Statements struct {
	app.Worker[app.All, *reading]

	UnitOfWork *app.UnitOfWork
	Wallets    ports.Wallets
	Store      ports.Statements
	Operations ports.Operations
	Reports    ports.Reports
	Gateways   *app.Gateways
	Every      time.Duration  // between two reads of a wallet's statement
	AutoScore  int            // from which score a deposit is completed by itself; 0: never
	Zone       *time.Location // whose days are reconciled
	Log        *slog.Logger

	known importedLines
}

// wallets is how many are read at once.
const wallets = 16

// Start allows work until Stop.
func (s *Statements) Start() {
	s.Worker.Start(app.Work[app.All, *reading]{
		Name: "statements", UnitOfWork: s.UnitOfWork, Log: s.Log, Room: wallets, MovesNothing: true, Claim: s.claim, Failed: s.failed,
		Do:       func(ctx context.Context, r *reading) error { return r.read(ctx) },
		HandBack: (*reading).handedBack,
	})
}

// Wake has due statements read; it returns at once.
func (s *Statements) Wake() { s.Worker.Wake(app.All{}) }

// Step reads at most one due wallet, as app.Worker.Step does, and reports whether there may be more.
func (s *Statements) Step() (more bool, err error) { return s.Worker.Step(app.All{}, 1) }

func (s *Statements) claim(ctx context.Context, _ app.All, room int) (claimed []*reading, more bool, err error) {
	now := s.UnitOfWork.Clock.Now()
	feeds, err := s.Store.ClaimFeeds(ctx, now, now.Add(lease), room)
	for _, f := range feeds {
		claimed = append(claimed, &reading{Statements: s, feed: f, isLeased: true})
	}
	return claimed, len(feeds) == room, fault.E("statement.claim", "", err)
}
