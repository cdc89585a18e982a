package wallet

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// Times of matching. A line that found no deposit is looked at again: its deposit may be asked for, or be claimed as paid,
// after the money came, which takes an hour at most; and for a day, once an hour, since staff may decide about another.
const (
	matchSoon  = time.Hour
	matchAgain = 24 * time.Hour
)

// matchWaiting has the wallet's waiting lines find their deposits, the oldest first.
func (r *reading) matchWaiting(ctx context.Context, isSweep bool) error {
	since := r.UnitOfWork.Clock.Now().Add(-matchSoon)
	if isSweep {
		since = r.UnitOfWork.Clock.Now().Add(-matchAgain)
	}
	waiting, err := r.waiting(ctx, since, wallet.LineUnmatched, wallet.LineDoubtful)
	if err == nil {
		waiting, err = r.settleReversals(ctx, waiting)
	}
	if err != nil {
		return err
	}
	for _, l := range waiting {
		if err := r.hold(ctx); err != nil {
			return err
		}
		err := r.match(ctx, l)
		switch {
		case err == nil, fault.Is(err, fault.Conflict): // a lost race is decided anew at the next round
		case isOutage(ctx, err):
			return err
		default:
			r.note(l.LineID, err)
		}
	}
	return nil
}

// match settles where a waiting line stands. What names an operation of ours is no deposit's of this wallet: it came back
// of a transfer, or is a gateway's business.
func (r *reading) match(ctx context.Context, l wallet.BankLine) error {
	if !l.MayCredit() || l.ReversesLineID != "" {
		return nil
	}
	if isOurs, err := r.isOurs(ctx, l); err != nil || isOurs {
		return err
	}
	ranked, err := r.rank(ctx, waitingLine{line: l, account: r.a.Account()})
	if err != nil {
		return err
	}
	var best payment.Payment
	if list := ranked[0].Candidates; len(list) > 0 {
		best = list[0].Payment
	}
	d, err := r.UnitOfWork.Decision(ctx, best, app.By(r.a.g.Account.Actor()))
	if err != nil {
		return err
	}
	change, err := wallet.DecideMatch(r.a.Wallet, ranked[0], r.AutoScore, d)
	if err != nil {
		return err
	}
	return r.keepLines(ctx, change)
}
