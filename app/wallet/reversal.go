package wallet

import (
	"context"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// reversal reads all that is known of a line that others take back. By stands for what the store has of it.
func (s *Statements) reversal(ctx context.Context, l, by wallet.BankLine) (wallet.Reversal, error) {
	r := wallet.Reversal{Line: l, By: []wallet.BankLine{by}}
	stored, err := s.Store.Reversals(ctx, l.WalletID, []string{l.LineID})
	if err != nil {
		return r, err
	}
	for _, other := range stored {
		if other.LineID != by.LineID && other.TakesBack(l) {
			r.By = append(r.By, other)
		}
	}
	if l.PaymentID == "" {
		return r, nil
	}
	if r.Payment, err = s.UnitOfWork.Payments.PaymentByID(ctx, l.PaymentID); err != nil {
		return r, err
	}
	r.Discrepancies, err = s.Operations.DiscrepanciesOf(ctx, r.Payment.Key())
	return r, err
}

// reverse decides what a line that takes back another changes: of itself, of that one, and, where that one takes back a
// third, of the third, which the bank gives back. The line is given as booking leaves it; its Version is not raised.
func (s *Statements) reverse(
	ctx context.Context, l wallet.BankLine, d payment.Decision,
) (after wallet.BankLine, change core.Changeset, err error) {
	if l.ReversesLineID == "" {
		return l, change, nil
	}
	other, err := s.Store.BankLine(ctx, l.WalletID, l.ReversesLineID)
	if fault.Is(err, fault.NotFound) || err == nil && !l.TakesBack(other) {
		return l.Reversing(other, false, false), change, nil
	}
	if err != nil {
		return l, change, err
	}
	of, err := s.reversal(ctx, other, l)
	if err != nil {
		return l, change, err
	}
	change = wallet.DecideReversal(of, d)
	given, isKept, err := s.giveBack(ctx, other, l, d)
	return l.Reversing(other, true, isKept), change.Merge(given), err
}

// giveBack decides about the line that a reversal took back, now that the reversal is taken back itself. isKept: it has
// completed a deposit, which keeps its credit.
func (s *Statements) giveBack(
	ctx context.Context, reversal, by wallet.BankLine, d payment.Decision,
) (change core.Changeset, isKept bool, err error) {
	if reversal.ReversesLineID == "" {
		return change, false, nil
	}
	first, err := s.Store.BankLine(ctx, reversal.WalletID, reversal.ReversesLineID)
	if fault.Is(err, fault.NotFound) || err == nil && !reversal.TakesBack(first) {
		return change, false, nil
	}
	if err != nil {
		return change, false, err
	}
	if reversal.ReversedByLineID == "" {
		reversal.ReversedByLineID = by.LineID
	}
	of, err := s.reversal(ctx, first, reversal)
	return wallet.DecideReversal(of, d), of.HasCredited(), err
}

// settleReversals applies the reversals among lines that wait, and those of lines that wait: of two that were imported at
// the same moment neither may have seen the other. It returns the lines that still wait.
func (r *reading) settleReversals(ctx context.Context, waiting []wallet.BankLine) ([]wallet.BankLine, error) {
	var ids []string
	reversing := map[string]wallet.BankLine{}
	for _, l := range waiting {
		ids = append(ids, l.LineID)
		if l.ReversesLineID != "" {
			reversing[l.LineID] = l
		}
	}
	for some := range slices.Chunk(ids, core.MaxPage) {
		found, err := r.Store.Reversals(ctx, r.a.ID, some)
		if err != nil {
			return nil, err
		}
		for _, l := range found {
			reversing[l.LineID] = l
		}
	}
	gone := map[string]bool{}
	for id, l := range reversing {
		change, err := r.settleReversal(ctx, l)
		switch {
		case isOutage(ctx, err):
			return nil, err
		case err != nil && !fault.Is(err, fault.Conflict): // a lost race is decided anew at the next round
			r.note(id, err)
		}
		for _, changed := range core.RowsOf[wallet.BankLine](change) {
			gone[changed.LineID] = true
		}
	}
	return slices.DeleteFunc(waiting, func(l wallet.BankLine) bool {
		isTaken := false // also where its reversal could not be kept: it must not credit meanwhile
		for _, by := range reversing {
			isTaken = isTaken || by.TakesBack(l)
		}
		return gone[l.LineID] || isTaken
	}), nil
}

// settleReversal applies a reversal that is imported, where that changes anything.
func (r *reading) settleReversal(ctx context.Context, l wallet.BankLine) (core.Changeset, error) {
	d, err := r.UnitOfWork.Decision(ctx, payment.Payment{}, app.By(r.a.g.Account.Actor()))
	if err != nil {
		return core.Changeset{}, err
	}
	after, change, err := r.reverse(ctx, l, d)
	if err != nil {
		return core.Changeset{}, err
	}
	if after.Status != l.Status || after.Note != l.Note {
		after.Version++
		change = append(change, after)
	}
	if !core.Has[wallet.BankLine](change) && !core.Has[discrepancy.Discrepancy](change) {
		return change, nil
	}
	return change, r.UnitOfWork.Commit(ctx, change)
}
