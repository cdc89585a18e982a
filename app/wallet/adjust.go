package wallet

import (
	"context"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// Adjusted is a day that was settled, with the entry that did.
type Adjusted struct {
	Reconciliation wallet.Reconciliation
	Entry          ledger.Entry
}

// Adjust books what a day's balance at the bank differs by from the ledger's, which must be the amount that is expected. The
// day is compared with the bank first. Faults: NotFound (the balance does not differ), NotAdjustable, Invalid (no reason,
// another amount, a day that is none of the wallet's), Insufficient, GatewayFailed, GatewayUnusable.
func (s *Statements) Adjust(ctx context.Context, by app.Request, walletID string, day core.Day, amount money.Amount) (Adjusted, error) {
	const op = "statement.Adjust"
	if err := by.Staff.Require(staff.AdjustWallets); err != nil {
		return Adjusted{}, fault.E(op, "", err)
	}
	by, err := by.Checked()
	if err == nil {
		err = needsReason(by.Reason)
	}
	if err != nil {
		return Adjusted{}, fault.E(op, "", err)
	}
	r, err := s.readingFor(ctx, by.Staff, staff.AdjustWallets, walletID, day)
	if err != nil {
		return Adjusted{}, fault.E(op, "", err)
	}
	if _, err := r.compareNow(ctx, day); err != nil {
		return Adjusted{}, staffFault(op, err)
	}
	var done Adjusted
	err = s.UnitOfWork.Again(ctx, func() error {
		done, err = r.adjust(ctx, by, day, amount)
		return err
	})
	return done, fault.E(op, "", err)
}

// PreviewAdjustment says what adjusting a day would do, by what is known of it: the bank is not asked. Faults: NotFound, Invalid.
func (s *Statements) PreviewAdjustment(ctx context.Context, by staff.Staff, walletID string, day core.Day) (wallet.AdjustmentPreview, error) {
	const op = "statement.PreviewAdjustment"
	r, err := s.readingFor(ctx, by, staff.ReadWallets, walletID, day)
	if err != nil {
		return wallet.AdjustmentPreview{}, fault.E(op, "", err)
	}
	c, err := r.adjustmentCase(ctx, day)
	if err != nil {
		return wallet.AdjustmentPreview{}, fault.E(op, "", err)
	}
	return c.Preview(), nil
}

// Adjustment returns a day of a wallet that the staff member may see, with an entry that settled it. Fault: NotFound.
func (s *Statements) Adjustment(
	ctx context.Context, by staff.Staff, walletID string, day core.Day, entry core.ID,
) (done Adjusted, err error) {
	const op = "statement.Adjustment"
	w, err := walletBy(ctx, s.Wallets, by, staff.ReadWallets, walletID)
	if err != nil {
		return done, fault.E(op, "", err)
	}
	if done.Reconciliation, err = s.Wallets.Reconciliation(ctx, w.DealerID, w.ID, day); err != nil {
		return done, fault.E(op, "", err)
	}
	settled, err := s.Wallets.Adjustments(ctx, w.ID, day)
	for _, e := range settled {
		if e.ID == entry {
			done.Entry = e
			return done, nil
		}
	}
	return done, fault.E(op, fault.NotFound, err)
}

// adjust decides and commits an adjustment of a day that was just compared.
func (r *reading) adjust(ctx context.Context, by app.Request, day core.Day, amount money.Amount) (Adjusted, error) {
	d, err := r.UnitOfWork.Decision(ctx, payment.Payment{}, by)
	if err != nil {
		return Adjusted{}, err
	}
	c, err := r.adjustmentCase(ctx, day)
	if err != nil {
		return Adjusted{}, err
	}
	c.Amount = amount
	change, err := wallet.DecideAdjustment(c, d)
	if err != nil {
		return Adjusted{}, r.unlessOvertaken(ctx, c.Day, err)
	}
	done := Adjusted{Entry: core.RowsOf[ledger.Entry](change)[0]}
	for _, after := range core.RowsOf[wallet.Reconciliation](change) {
		if after.Day == day {
			done.Reconciliation = after
		}
	}
	return done, r.UnitOfWork.CommitEntry(ctx, by, core.AuditEntry{
		Action: "adjustDifference", Target: "reconciliation/" + r.a.WalletID + "/" + string(day), Reason: by.Reason,
		Before: c.Day.AuditState(), After: done.Reconciliation.AuditState(),
	}, change)
}

// unlessOvertaken is a refusal that was decided from a day and from what was read after it. Where the day is another one by
// now, somebody has adjusted or compared it in between: the two do not belong together, and a lost race is decided anew.
func (r *reading) unlessOvertaken(ctx context.Context, day wallet.Reconciliation, refusal error) error {
	now, err := r.Wallets.Reconciliation(ctx, r.a.DealerID, r.a.ID, day.Day)
	if err != nil {
		return err
	}
	if now.Version != day.Version {
		return fault.E("statement.unlessOvertaken", fault.Conflict, refusal)
	}
	return refusal
}

// adjustmentCase reads what an adjustment of a day is decided from: the day first, see unlessOvertaken.
func (r *reading) adjustmentCase(ctx context.Context, day core.Day) (c wallet.AdjustmentCase, err error) {
	_, until := day.Bounds(r.Zone)
	c.Wallet, c.IsOver = r.a.Wallet, !r.UnitOfWork.Clock.Now().Before(until)
	if c.Day, err = r.Wallets.Reconciliation(ctx, r.a.DealerID, r.a.ID, day); err != nil {
		return c, err
	}
	if c.Settled, err = r.Wallets.Adjustments(ctx, r.a.ID, day); err != nil {
		return c, err
	}
	if c.IsPending, err = r.hasTransfersUntil(ctx, until); err != nil {
		return c, err
	}
	q := wallet.ReconciliationQuery{Scope: core.Scope{DealerID: r.a.DealerID}, WalletID: r.a.ID, Paging: core.Paging[wallet.DayCursor]{Limit: core.MaxPage}}
	for { // newest first
		page, err := r.Wallets.Reconciliations(ctx, q)
		if err != nil {
			return c, err
		}
		for _, known := range page {
			switch {
			case known.Day > day:
				c.Later = append(c.Later, known)
			case known.Day < day && known.HasBank:
				c.Before = known
				return c, nil
			}
		}
		if len(page) < q.Limit {
			return c, nil
		}
		q.After = page[len(page)-1].Cursor()
	}
}

// hasTransfersUntil reports whether a transfer of the wallet that was asked for before a moment has not ended.
func (r *reading) hasTransfersUntil(ctx context.Context, until time.Time) (bool, error) {
	held, err := r.Wallets.Wallet(ctx, r.a.DealerID, r.a.ID)
	if err != nil || held.Reserved.IsZero() {
		return false, err
	}
	q := report.PaymentQuery{
		Scope: core.Scope{DealerID: r.a.DealerID}, Methods: []payment.Method{payment.EIBANTransfer},
		Statuses: []payment.Status{payment.Pending, payment.Processing}, CreatedUntil: until, Paging: core.Paging[report.Cursor]{Limit: core.MaxPage},
	}
	for more := true; more; {
		found, err := r.Reports.SearchPayments(ctx, q)
		if err != nil {
			return false, err
		}
		for _, p := range found.Payments {
			if p.Payee.WalletID == r.a.ID {
				return true, nil
			}
		}
		q, more = found.Next(q)
	}
	return false, nil
}
