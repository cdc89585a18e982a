package storetest

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
)

// senderIBAN is that of every line of the maker's.
const senderIBAN = "TR330006100519786457841326"

func (m *maker) feed(walletID int64) core.Feed {
	_, n, at := m.next()
	return core.Feed{
		WalletID: walletID, GatewayID: n, Version: 1, OpenedAt: at, ReadUntil: at.Add(time.Minute),
		SweptAt: at.Add(2 * time.Minute), NextAt: at.Add(3 * time.Minute), LeaseUntil: at.Add(-time.Minute), Failures: 3,
		Trouble: awkward, BankTotal: lira(-n), BankTotalAt: at.Add(4 * time.Minute), CheckedAt: at.Add(5 * time.Minute),
		IsLedgerOff: true, ReconciledTo: today,
	}
}

// dueFeed is of a wallet of its own, and due at a moment.
func (m *maker) dueFeed(at time.Time) core.Feed {
	_, n, _ := m.next()
	return core.Feed{WalletID: n, Version: 1, OpenedAt: epoch, ReadUntil: epoch, NextAt: at}
}

func (m *maker) reconciliation(walletID int64, day core.Day) core.Reconciliation {
	_, n, at := m.next()
	return core.Reconciliation{
		WalletID: walletID, Day: day, Version: 1, DealerID: n, At: at, Matched: 4, LedgerIn: lira(n), LedgerOut: lira(n + 1),
		Adjusted:      lira(-n - 6),
		LedgerClosing: lira(-n - 2), BankIn: lira(n + 3), BankOut: lira(n + 4), BankClosing: lira(n + 5), HasBank: true,
		Differences: []core.Difference{m.explained(core.AmountDiffers), m.unexplained(core.MissingHere)}, IsCut: true,
	}
}

// bareDay has only what every reconciled day has.
func (m *maker) bareDay(walletID int64, day core.Day) core.Reconciliation {
	_, _, at := m.next()
	return core.Reconciliation{WalletID: walletID, Day: day, Version: 1, At: at}
}

func (m *maker) explained(kind core.DifferenceKind) core.Difference {
	_, n, at := m.next()
	d := m.unexplained(kind)
	d.Reason, d.By, d.At = awkward, actor(n), at
	return d
}

func (m *maker) unexplained(kind core.DifferenceKind) core.Difference {
	id, n, _ := m.next()
	return core.Difference{
		Kind: kind, LineID: fmt.Sprint("line ", n, awkward), EntryID: id, PaymentID: id, Ours: lira(-n), Theirs: lira(n),
	}
}

// deposit is an E-IBAN deposit that was shown an account.
func (m *maker) deposit(accountID int64, createdAt time.Time) core.Payment {
	p := m.payment()
	p.Method, p.Status, p.Account.AccountID, p.CreatedAt = core.EIBANDeposit, core.Pending, accountID, createdAt
	return p
}

// withdrawal is one that a dealer's staff have to pay, and that nobody has.
func (m *maker) withdrawal(dealerID int64) core.Payment {
	p := m.payment()
	p.Method, p.Status, p.DealerID, p.Claim = core.ManualWithdrawal, core.Pending, dealerID, core.Claim{}
	return p
}

// save is the next version of a line, in a state.
func save(l core.BankLine, state core.LineState, paymentID core.ID) core.BankLine {
	l.Version++
	l.State, l.PaymentID, l.Note = state, paymentID, awkward+string(state)
	return l
}

func (w *world) lineOf(walletID int64, lineID string) core.BankLine {
	w.t.Helper()
	l, err := w.store.BankLine(w.ctx, walletID, lineID)
	w.no(err)
	return l
}

func (w *world) linesIn(query core.LineQuery) []core.BankLine {
	w.t.Helper()
	found, err := w.store.LinesIn(w.ctx, query)
	w.no(err)
	return found
}

func (w *world) linesOf(paymentID core.ID) []core.BankLine {
	w.t.Helper()
	found, err := w.store.LinesOf(w.ctx, paymentID)
	w.no(err)
	return found
}

func (w *world) paidFrom(iban string, limit int) []core.CustomerKey {
	w.t.Helper()
	found, err := w.store.PaidFrom(w.ctx, iban, limit)
	w.no(err)
	return found
}

func (w *world) feedOf(walletID int64) core.Feed {
	w.t.Helper()
	f, err := w.store.Feed(w.ctx, walletID)
	w.no(err)
	return f
}

// claimFeeds leases for a minute.
func (w *world) claimFeeds(now time.Time, limit int) []core.Feed {
	w.t.Helper()
	found, err := w.store.ClaimFeeds(w.ctx, now, now.Add(time.Minute), limit)
	w.no(err)
	return found
}

func (w *world) feedHealth() core.FeedHealth {
	w.t.Helper()
	h, err := w.store.FeedHealth(w.ctx)
	w.no(err)
	return h
}

func (w *world) dayOf(walletID int64, day core.Day) core.Reconciliation {
	w.t.Helper()
	r, err := w.store.Reconciliation(w.ctx, walletID, day)
	w.no(err)
	return r
}

func (w *world) days(query core.ReconciliationQuery) []core.Reconciliation {
	w.t.Helper()
	found, err := w.store.Reconciliations(w.ctx, query)
	w.no(err)
	return found
}

func (w *world) dayBook(walletID int64, from, until time.Time) ([]core.BankLine, []core.LedgerEntry) {
	w.t.Helper()
	lines, entries, err := w.store.DayBook(w.ctx, walletID, from, until)
	w.no(err)
	return lines, entries
}

func (w *world) deskLoads(scope core.Scope, now time.Time) []core.DeskLoad {
	w.t.Helper()
	found, err := w.store.DeskLoads(w.ctx, scope, now)
	w.no(err)
	return found
}

func (w *world) onDesk(query core.DeskQuery) []core.ID {
	w.t.Helper()
	found, err := w.store.DeskWithdrawals(w.ctx, query)
	w.no(err)
	return paymentIDs(found)
}
