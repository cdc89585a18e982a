package wallet

import (
	"context"
	"errors"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

// Times of reading. Whoever reads a wallet for longer holds on to it from one question to the next.
const (
	lease         = 2 * time.Minute // longer than one question to the bank, and how long a crashed reader's wallet waits
	ahead         = time.Minute     // how far the bank's clock may be ahead of ours
	maxRetryAfter = time.Hour

	keepTimeout = 5 * time.Second
)

// account is a wallet with the bank behind it.
type account struct {
	wallet.Wallet
	g *app.Gateway
}

// account opens a wallet's bank. Faults: NotFound; GatewayUnusable: it can't be opened, or has no statements.
func (s *Statements) account(ctx context.Context, walletID int64) (account, error) {
	w, err := s.Wallets.Wallet(ctx, 0, walletID)
	if err != nil {
		return account{}, err
	}
	g, err := s.Gateways.Gateway(ctx, w.GatewayID)
	if err != nil {
		return account{}, err
	}
	if g.Descriptor.Account == nil || !g.Has(gateway.CanReadStatement) || !g.Has(gateway.CanReadAccounts) {
		return account{}, fault.New("statement.account", fault.GatewayUnusable)
	}
	return account{Wallet: w.Wallet, g: g}, nil
}

// reading is the reading of one wallet: by a worker, to whom its feed is leased, or for staff, to whom it is not.
type reading struct {
	*Statements
	a        account
	feed     wallet.Feed
	isLeased bool
	trouble  string // the first thing that can't be taken
}

// read brings a leased wallet up to date: imports what the bank has booked, books what had to wait, matches, and once
// an hour reconciles.
func (r *reading) read(ctx context.Context) error {
	now := r.UnitOfWork.Clock.Now()
	var err error
	if r.a, err = r.account(ctx, r.feed.WalletID); err != nil {
		return err
	}
	if r.a.g.MayTry(1) == 0 {
		return &gateway.Error{Class: gateway.Retryable, Effect: gateway.EffectNone, RawCode: "not asked: it does not answer"}
	}
	from, isSweep := r.feed.From(now)
	if err := r.importUntil(ctx, from, now); err != nil {
		return err
	}
	if err := r.settle(ctx, isSweep); err != nil {
		return err
	}
	if isSweep {
		if err := r.sweepOnce(ctx); err != nil {
			return err
		}
	}
	return r.done(ctx, now, isSweep)
}

// hold keeps a leased wallet ours for what comes next. Fault Conflict: another worker has taken it over.
func (r *reading) hold(ctx context.Context) error {
	isFresh := r.feed.LeaseUntil.Sub(r.UnitOfWork.Clock.Now()) > lease/2
	if err := ctx.Err(); err != nil || !r.isLeased || isFresh {
		return err
	}
	return r.save(ctx)
}

// save keeps how far a worker has come.
func (r *reading) save(ctx context.Context) error {
	r.feed.Version++
	r.feed.LeaseUntil = r.UnitOfWork.Clock.Now().Add(lease)
	return r.keep(ctx, r.feed)
}

// keep commits how far the wallet is, also when the service is being stopped: else its lease would stay, and whoever runs
// next would wait for its end. Where that fails the wallet may be another's.
func (r *reading) keep(ctx context.Context, f wallet.Feed) error {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTimeout)
	defer cancel()
	err := r.UnitOfWork.Commit(bounded, core.Changeset{f})
	r.isLeased = err == nil
	return err
}

// done ends a reading that has everything until a moment. What a sweep found wrong stays said until the next.
func (r *reading) done(ctx context.Context, until time.Time, isSweep bool) error {
	before := r.feed
	after := before.Read(until, isSweep, r.Every, r.UnitOfWork.Clock.Now())
	after.Trouble = r.trouble
	if after.Trouble == "" && !isSweep && before.FailureCount == 0 {
		after.Trouble = before.Trouble
	}
	return r.keep(ctx, after)
}

// failed keeps why a wallet could not be read. Where the wallet may be another's by now its lease ends by itself.
func (s *Statements) failed(ctx context.Context, r *reading, cause error) {
	e, isBanks := gatewayError(cause)
	switch {
	case !r.isLeased && fault.Is(cause, fault.Conflict):
		s.Log.Warn("another worker has taken over the reading of a statement", "wallet", r.feed.WalletID)
	case isBanks:
		s.Log.Warn("a bank's statement can't be read; it is tried again",
			"wallet", r.feed.WalletID, "failures", r.feed.FailureCount+1, "error", cause)
	default:
		s.Log.Error("reading a statement; it is tried again", "wallet", r.feed.WalletID, "error", cause)
	}
	if !r.isLeased {
		return
	}
	now := s.UnitOfWork.Clock.Now()
	why, retryAfter := string(fault.CodeOf(cause)), time.Duration(0)
	if isBanks {
		why, retryAfter = string(e.Class), min(e.RetryAfter, maxRetryAfter)
	}
	after := r.feed.Failed("reading the statement: "+why, s.Every, now)
	if asked := now.Add(retryAfter); after.NextReadAt.Before(asked) {
		after.NextReadAt = asked
	}
	if err := r.keep(ctx, after); err != nil {
		s.Log.Error("keeping why a statement can't be read; it is read again when its lease ends", "wallet", r.feed.WalletID, "error", err)
	}
}

// handedBack is the wallet of a reading that was stopped: whoever runs next need not wait for its lease.
func (r *reading) handedBack() core.Changeset {
	if !r.isLeased {
		return nil
	}
	f := r.feed
	f.Version++
	f.LeaseUntil = time.Time{}
	return core.Changeset{f}
}

// gatewayError finds what the bank answered, or failed to, in an error.
func gatewayError(err error) (*gateway.Error, bool) {
	var e *gateway.Error
	ok := errors.As(err, &e)
	return e, ok
}

// isOutage reports whether an error is about the store or the end of the work, and not about what was to be kept.
func isOutage(ctx context.Context, err error) bool {
	return ctx.Err() != nil || fault.Is(err, fault.Unavailable)
}

// note says, once, that a line can't be taken, which keeps no other line waiting.
func (r *reading) note(line string, why error) {
	if r.trouble != "" {
		return
	}
	r.trouble = "line " + app.OneLine(line, maxIDBytes) + ": " + string(fault.CodeOf(why))
	if r.trouble != r.feed.Trouble {
		r.Log.Error("a line of a statement can't be taken", "wallet", r.a.WalletID, "trouble", r.trouble, "error", why)
	}
}

// balance asks the bank what the account holds.
func (r *reading) balance(ctx context.Context) (gateway.Balance, error) {
	if err := r.hold(ctx); err != nil {
		return gateway.Balance{}, err
	}
	return app.Ask(ctx, r.a.g, gateway.CanReadAccounts, func(ctx context.Context) (gateway.Balance, error) {
		return r.a.g.Gateway.(ports.AccountReader).ReadBalance(ctx, r.a.BankAccountID)
	})
}
