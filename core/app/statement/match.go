package statement

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/iban"
)

// Sizes of matching: a line that found no deposit is looked at again for a day, since its deposit may be asked for, or be
// claimed as paid, after the money came.
const (
	matchAgain    = 24 * time.Hour
	maxCandidates = 200
	maxSenders    = 50
)

// matchWaiting has the wallet's waiting lines find their deposits.
func (s *Service) matchWaiting(ctx context.Context, a account) error {
	waiting, err := s.Store.LinesIn(ctx, core.LineQuery{
		WalletID: a.ID, States: []core.LineState{core.LineUnmatched, core.LineDoubtful}, Limit: core.MaxPage,
	})
	if err != nil {
		return err
	}
	now := s.Desk.Clock.Now()
	for _, l := range waiting {
		if !l.MayCredit() || now.Sub(l.ImportedAt) > matchAgain {
			continue
		}
		if err := s.match(ctx, a, l); err != nil && !fault.Is(err, fault.Conflict) {
			return err // a lost race is decided anew at the next round
		}
	}
	return nil
}

func (s *Service) match(ctx context.Context, a account, l core.BankLine) error {
	list, err := s.candidates(ctx, a.Wallet, l)
	if err != nil {
		return err
	}
	var best core.Payment
	if len(list) > 0 {
		best = list[0].Payment
	}
	d, err := s.decision(ctx, best, a.g.Account.Actor(), "")
	if err != nil {
		return err
	}
	change, err := core.DecideMatch(a.Wallet, l, list, s.AutoScore, d)
	if err != nil {
		return err
	}
	return s.Desk.Commit(ctx, change)
}

// decision is the Desk's, also where there is no payment to decide about.
func (s *Service) decision(ctx context.Context, p core.Payment, by core.Actor, reason string) (core.Decision, error) {
	if p.ID != "" {
		return s.Desk.Decision(ctx, p, by, reason)
	}
	now := s.Desk.Clock.Now()
	ids, err := core.NewIDs(now, s.Desk.Random)
	return core.Decision{By: by, At: now, Reason: reason, IDs: ids}, err
}

// candidates ranks the deposits that an incoming line may belong to.
func (s *Service) candidates(ctx context.Context, w core.Wallet, l core.BankLine) ([]core.CandidateDeposit, error) {
	if l.Direction != gateway.Incoming {
		return nil, nil
	}
	sightings := core.Sightings{Line: l}
	var err error
	sightings.Deposits, err = s.Store.Candidates(ctx, core.CandidateQuery{
		AccountID: w.AccountID, From: l.BookedAt.Add(-core.MatchBefore), Until: l.BookedAt.Add(core.MatchBefore), Limit: maxCandidates,
	})
	if err == nil && l.Party.IBAN != "" {
		sightings.PaidFrom, err = s.Store.PaidFrom(ctx, iban.Normalize(l.Party.IBAN), maxSenders)
	}
	return sightings.Match(), err
}
