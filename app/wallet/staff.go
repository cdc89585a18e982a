package wallet

import (
	"context"
	"fmt"
	"strings"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// LinesIn returns bank lines of one wallet, or, without a walletID, of all wallets that the staff member may see; newest first.
// Fault: NotFound.
func (s *Statements) LinesIn(ctx context.Context, by staff.Staff, walletID string, q wallet.LineQuery) ([]wallet.BankLine, error) {
	if err := by.Require(staff.ReadWallets); err != nil {
		return nil, err
	}
	if walletID != "" {
		w, err := walletBy(ctx, s.Wallets, by, staff.ReadWallets, walletID)
		if err != nil {
			return nil, err
		}
		q.WalletID = w.ID
	}
	var form core.Form
	if q = q.Cleaned(&form); form.Err("statement.LinesIn") != nil {
		return nil, form.Err("statement.LinesIn")
	}
	q.Scope = by.Scope().OfDealers()
	return s.Store.LinesIn(ctx, q)
}

// Line returns a line of a wallet that the staff member may see. Fault: NotFound.
func (s *Statements) Line(ctx context.Context, by staff.Staff, walletID, lineID string) (wallet.BankLine, error) {
	w, err := walletBy(ctx, s.Wallets, by, staff.ReadWallets, walletID)
	if err != nil {
		return wallet.BankLine{}, err
	}
	return s.Store.BankLine(ctx, w.ID, lineID)
}

// Credit completes a deposit with a waiting line: the line's amount is what was paid. Faults: NotFound, NotAllowed (the
// line is spoken for), LineReversed (the bank took it back), LineOfOrder (it names a gateway's order), LineAwaited (another
// deposit, credited by hand, waits for it), WrongMethod, Forbidden (the deposit has ended, and the staff member does not decide
// about such money).
func (s *Statements) Credit(ctx context.Context, by app.Request, held, lineID, trackingCode string) (wallet.BankLine, error) {
	return s.decide(ctx, by, staff.DecideDeposits, "creditBankLine", held, lineID,
		func(w wallet.Wallet, l wallet.BankLine, reason string) (core.Changeset, error) {
			if err := s.mayCredit(ctx, l); err != nil {
				return core.Changeset{}, err
			}
			p, err := s.UnitOfWork.Payments.PaymentByTrackingCode(ctx, trackingCode)
			if err == nil && !p.IsIn(by.Scope()) {
				err = fault.New("statement.Credit", fault.NotFound)
			}
			if err == nil && p.Status.IsFinal() && p.Status != payment.Completed { // money after the end is for who decides about discrepancies
				err = by.Staff.Require(staff.ResolveDiscrepancies)
			}
			if err != nil {
				return core.Changeset{}, err
			}
			ranked, err := s.rank(ctx, waitingLine{line: l, account: w.Account()})
			if err != nil {
				return core.Changeset{}, err
			}
			credits, err := s.UnitOfWork.Payments.CreditsOf(ctx, p.Key())
			if err != nil {
				return core.Changeset{}, err
			}
			told := strings.TrimSuffix("bank line "+l.LineID+": "+reason, ": ")
			d, err := s.UnitOfWork.Decision(ctx, p, by.Because(told))
			if err != nil {
				return core.Changeset{}, err
			}
			change, err := wallet.DecideCredit(w, ranked[0], p, credits, d)
			if err != nil {
				return core.Changeset{}, err
			}
			after := p
			if core.Has[payment.Payment](change) {
				after = core.RowsOf[payment.Payment](change)[0]
			}
			return append(change, core.AuditEntry{
				ID: d.IDs.Next(), At: d.At, Actor: by.Actor(), Action: "creditBankLine", Target: "payment/" + p.TrackingCode, Reason: reason,
				Before: p.AuditState(), After: creditedState(after, l),
			}), nil
		})
}

// creditedState is what an audit row says of a payment that a line was given to.
func creditedState(p payment.Payment, l wallet.BankLine) string {
	return fmt.Sprintf(`{"status":%q,"amount":%q,"line":%q,"lineAmount":%q}`, p.Status, p.Amount, l.LineID, l.Amount)
}

// SetAside takes a line out of the queue: the reason says what it is. Faults: NotFound, NotAllowed, Invalid (no reason).
func (s *Statements) SetAside(ctx context.Context, by app.Request, w, lineID string) (wallet.BankLine, error) {
	return s.explained(ctx, by, "setAsideBankLine", w, lineID, wallet.DecideSetAside)
}

// BringBack puts a line that was set aside into the queue again. Faults: NotFound, NotAllowed, Invalid (no reason).
func (s *Statements) BringBack(ctx context.Context, by app.Request, w, lineID string) (wallet.BankLine, error) {
	return s.explained(ctx, by, "bringBackBankLine", w, lineID, wallet.DecideBringBack)
}

func (s *Statements) explained(
	ctx context.Context, by app.Request, action, w, lineID string,
	decide func(wallet.BankLine, payment.Decision) (core.Changeset, error),
) (wallet.BankLine, error) {
	return s.decide(ctx, by, staff.DecideDeposits, action, w, lineID,
		func(_ wallet.Wallet, l wallet.BankLine, reason string) (core.Changeset, error) {
			if err := needsReason(reason); err != nil {
				return core.Changeset{}, err
			}
			d, err := s.UnitOfWork.Decision(ctx, payment.Payment{}, by.Because(reason))
			if err != nil {
				return core.Changeset{}, err
			}
			return decide(l, d)
		})
}

func needsReason(reason string) error {
	if reason != "" {
		return nil
	}
	return fault.Fields("statement.needsReason", []fault.Field{{Name: "reason", Key: "field.required", Args: []any{"reason"}}})
}

// decide takes a staff member's decision about a line, with its audit row in the same commit.
func (s *Statements) decide(
	ctx context.Context, by app.Request, permission staff.Permission, action, walletID, lineID string,
	decide func(w wallet.Wallet, l wallet.BankLine, reason string) (core.Changeset, error),
) (wallet.BankLine, error) {
	op := "statement." + action
	w, err := walletBy(ctx, s.Wallets, by.Staff, permission, walletID)
	if err != nil {
		return wallet.BankLine{}, fault.E(op, "", err)
	}
	reason, err := core.CheckReason(by.Reason, app.MaxReasonChars)
	if err != nil {
		return wallet.BankLine{}, fault.E(op, "", err)
	}
	var after wallet.BankLine
	err = s.UnitOfWork.Again(ctx, func() error {
		line, err := s.Store.BankLine(ctx, w.ID, lineID)
		if err != nil {
			return err
		}
		change, err := decide(w.Wallet, line, reason)
		if err != nil {
			return err
		}
		after = core.RowsOf[wallet.BankLine](change)[0]
		return s.UnitOfWork.CommitEntry(ctx, by, core.AuditEntry{
			Action: action, Target: "bankLine/" + w.WalletID + "/" + lineID, Reason: reason, Before: state(line), After: state(after),
		}, change)
	})
	return after, fault.E(op, "", err)
}

func state(l wallet.BankLine) string {
	return fmt.Sprintf(`{"state":%q,"amount":%q,"payment":%q}`, l.Status, l.Amount, l.PaymentID)
}

func openState(r wallet.Reconciliation) string {
	return fmt.Sprintf(`{"openDifferences":%d}`, r.OpenCount())
}

// Feeds returns how the import of the wallets' statements stands, by the wallet's id; nothing is imported of one that has
// none. Fault: NotFound.
func (s *Statements) Feeds(ctx context.Context, by staff.Staff, wallets ...wallet.Wallet) (map[int64]wallet.Feed, error) {
	if err := by.Require(staff.ReadWallets); err != nil {
		return nil, err
	}
	var ids []int64
	for _, w := range wallets {
		if !by.Scope().Covers(w.DealerID) {
			return nil, fault.New("statement.Feeds", fault.NotFound)
		}
		ids = append(ids, w.ID)
	}
	list, err := s.Store.FeedsOf(ctx, ids...)
	feeds := map[int64]wallet.Feed{}
	for _, f := range list {
		feeds[f.WalletID] = f
	}
	return feeds, err
}

// DaysOf returns reconciled days of one wallet, newest first. Fault: NotFound.
func (s *Statements) DaysOf(
	ctx context.Context, by staff.Staff, walletID string, q wallet.ReconciliationQuery,
) ([]wallet.Reconciliation, error) {
	w, err := walletBy(ctx, s.Wallets, by, staff.ReadWallets, walletID)
	if err != nil {
		return nil, err
	}
	q.WalletID = w.ID
	return s.Days(ctx, by, q)
}

// Days returns reconciled days of the wallets that the staff member may see, newest first.
func (s *Statements) Days(ctx context.Context, by staff.Staff, q wallet.ReconciliationQuery) ([]wallet.Reconciliation, error) {
	if err := by.Require(staff.ReadWallets); err != nil {
		return nil, err
	}
	q.Scope = by.Scope().OfDealers()
	return s.Wallets.Reconciliations(ctx, q)
}

// Reconcile compares a day now, which may be today. Faults: NotFound, Invalid (a day to come, or before the wallet was
// made), GatewayFailed, GatewayUnusable.
func (s *Statements) Reconcile(ctx context.Context, by app.Request, walletID string, day core.Day) (wallet.Reconciliation, error) {
	const op = "statement.Reconcile"
	r, err := s.readingFor(ctx, by.Staff, staff.ResolveDiscrepancies, walletID, day)
	if err != nil {
		return wallet.Reconciliation{}, fault.E(op, "", err)
	}
	compared, err := r.compareNow(ctx, day)
	return compared, staffFault(op, err)
}

// readingFor is the reading of a wallet for staff, about one of its days. Faults: NotFound, Invalid, GatewayUnusable.
func (s *Statements) readingFor(
	ctx context.Context, by staff.Staff, p staff.Permission, walletID string, day core.Day,
) (*reading, error) {
	w, err := walletBy(ctx, s.Wallets, by, p, walletID)
	if err != nil {
		return nil, err
	}
	f, err := s.Store.Feed(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	if !day.IsDay() || day > core.DayOf(s.UnitOfWork.Clock.Now(), s.Zone) || day < core.DayOf(f.OpenedAt, s.Zone) {
		field := fault.Field{Name: "day", Key: "field.date", Args: []any{"day"}}
		return nil, fault.Fields("statement.readingFor", []fault.Field{field})
	}
	r := &reading{Statements: s, feed: f}
	r.a, err = s.account(ctx, w.ID)
	return r, err
}

// staffFault is a failure as staff see it: a gateway's with its class.
func staffFault(op string, err error) error {
	if e, ok := gatewayError(err); ok {
		return &fault.Error{Op: op, Code: fault.GatewayFailed, Args: []any{string(e.Class)}, Err: err}
	}
	return fault.E(op, "", err)
}

// Explain keeps why a day's difference is as it should be, or how it was put right. Faults: NotFound, Invalid (no reason).
func (s *Statements) Explain(
	ctx context.Context, by app.Request, walletID string, day core.Day, kind wallet.DifferenceKind, lineID string, entry core.ID,
) (wallet.Reconciliation, error) {
	const op = "statement.Explain"
	w, err := walletBy(ctx, s.Wallets, by.Staff, staff.ResolveDiscrepancies, walletID)
	if err != nil {
		return wallet.Reconciliation{}, fault.E(op, "", err)
	}
	reason, err := core.CheckReason(by.Reason, app.MaxReasonChars)
	if err == nil {
		err = needsReason(reason)
	}
	if err != nil {
		return wallet.Reconciliation{}, fault.E(op, "", err)
	}
	var after wallet.Reconciliation
	err = s.UnitOfWork.Again(ctx, func() error {
		r, err := s.Wallets.Reconciliation(ctx, w.DealerID, w.ID, day)
		if err != nil {
			return err
		}
		d, err := s.UnitOfWork.Decision(ctx, payment.Payment{}, by.Because(reason))
		if err != nil {
			return err
		}
		change, err := wallet.DecideExplain(r, lineID, entry, kind, d)
		if err != nil {
			return err
		}
		after = core.RowsOf[wallet.Reconciliation](change)[0]
		return s.UnitOfWork.CommitEntry(ctx, by, core.AuditEntry{
			Action: "explainDifference", Target: "reconciliation/" + w.WalletID + "/" + string(day), Reason: reason,
			Before: openState(r), After: openState(after),
		}, change)
	})
	return after, fault.E(op, "", err)
}
