package wallet

import (
	"fmt"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// AdjustmentCase is everything that an adjustment is decided from: a wallet's day, and those before and after it.
type AdjustmentCase struct {
	Wallet    Wallet
	Day       Reconciliation   // compared with the bank just now
	Before    Reconciliation   // the latest day before it of whose end the bank has told the balance
	Later     []Reconciliation // every later day that was compared
	Settled   []ledger.Entry   // the adjustments that the day has already
	IsOver    bool             // the day
	IsPending bool             // a transfer that was asked for before the day's end has not ended
	Amount    money.Amount     // what whoever asks expects to be booked
}

// Why a difference can't be adjusted, as the argument of fault.NotAdjustable.
const (
	dayNotOver      lang.Key = "adjustment.day_not_over"
	linesWait       lang.Key = "adjustment.lines_wait"
	notExplained    lang.Key = "adjustment.not_explained"
	carriedOver     lang.Key = "adjustment.carried_over"
	transferPending lang.Key = "adjustment.transfer_pending"
	settledLater    lang.Key = "adjustment.settled_later"
)

// DecideAdjustment books what a day's balance at the bank differs by from the ledger's, so that the day and those after
// it agree. The bank's balance alone says how much: with it the ledger holds what the bank does, and never anything else.
//
// Only the balance can be adjusted. What is missing here is booked by the import as soon as it can be; what is missing
// there, or has another amount there, may only be listed late, and where it is not the balance says so.
//
// It is settled on the first day that has it, and only when nothing else can settle it any more: the day is over, all of
// its differences are explained, no line and no transfer of before its end is under way, and no later day agrees by
// itself. A line that the bank lists afterwards is booked as any other: the day differs again, and is adjusted back.
//
// The entry is booked now, and counts on the day; the dealer's statement (D5) shows it as a line of now. The day before and
// the later days are saved along, so that what was decided holds when it is committed: of two that adjust at once one
// loses. Faults: NotFound (the balance does not differ), NotAdjustable, Invalid (another amount); the commit's Insufficient.
func DecideAdjustment(c AdjustmentCase, d payment.Decision) (core.Changeset, error) {
	const op = "core.DecideAdjustment"
	if c.Day.BalanceAgrees() || !c.Day.HasBank {
		return core.Changeset{}, fault.New(op, fault.NotFound)
	}
	if why := c.obstacle(); why != "" {
		return core.Changeset{}, fault.New(op, fault.NotAdjustable, why)
	}
	amount := money.Kurus(c.Day.BankClosing.Minor() - c.Day.LedgerClosing.Minor())
	if !amount.Equal(c.Amount) {
		var form core.Form
		form.Fail("amount", "field.choice", amount.String())
		return core.Changeset{}, form.Err(op)
	}
	e := ledger.New(ledger.EntryAdjustment, c.Wallet.ID, amount, d.At, d.IDs.Next())
	e.LineID, e.Note, e.Day, e.Number, e.BookedBy = "adjustment-"+string(e.ID), d.Reason, c.Day.Day, len(c.Settled)+1, d.By
	c.Day.Adjusted = money.Kurus(c.Day.Adjusted.Minor() + amount.Minor())
	c.Before.Version++
	days := []Reconciliation{c.Before, c.Day.raised(amount)}
	for _, r := range c.Later {
		days = append(days, r.raised(amount))
	}
	return core.Changeset{e, lineOf(e, d)}.Merge(core.Rows(days)), nil
}

// AdjustmentPreview is what an adjustment would do, before anybody asks for it.
type AdjustmentPreview struct {
	Amount        money.Amount // what would be booked; zero: the balances agree, or the bank does not say
	LedgerClosing money.Amount // of the day, as it is
	BankClosing   money.Amount
	LaterDays     int      // whose balance would change as well
	Obstacle      lang.Key // what is in the way; empty: nothing
}

// Preview is what DecideAdjustment would do now, whoever asks.
func (c AdjustmentCase) Preview() AdjustmentPreview {
	p := AdjustmentPreview{LedgerClosing: c.Day.LedgerClosing, BankClosing: c.Day.BankClosing, Amount: money.Kurus(0)}
	if c.Day.BalanceAgrees() || !c.Day.HasBank {
		return p
	}
	p.Amount = money.Kurus(c.Day.BankClosing.Minor() - c.Day.LedgerClosing.Minor())
	p.LaterDays, p.Obstacle = len(c.Later), c.obstacle()
	return p
}

// obstacle is why the day's balance can't be adjusted; empty: it can.
func (c AdjustmentCase) obstacle() lang.Key {
	isMissingHere := func(d Difference) bool { return d.Kind == MissingHere }
	switch {
	case !c.IsOver:
		return dayNotOver
	case c.Day.IsCut || slices.ContainsFunc(c.Day.Differences, isMissingHere):
		return linesWait
	case c.Day.OpenCount() > 0:
		return notExplained
	case !c.Before.BalanceAgrees():
		return carriedOver
	case c.IsPending:
		return transferPending
	case slices.ContainsFunc(c.Later, Reconciliation.BalanceAgrees):
		return settledLater
	default:
		return ""
	}
}

// raised is the day with more at its end, or less. Of its differences only that of the balance is another one then.
func (r Reconciliation) raised(by money.Amount) Reconciliation {
	r.Version++
	r.LedgerClosing = money.Kurus(r.LedgerClosing.Minor() + by.Minor())
	r.Differences = slices.DeleteFunc(slices.Clone(r.Differences), func(d Difference) bool { return d.Kind == BalanceDiffers })
	if len(r.Differences) == 0 {
		r.Differences = nil
	}
	r.weighBalance()
	return r
}

// lineOf is what shows an adjustment on the wallet's statement: a dealer sees whatever changes the balance.
func lineOf(e ledger.Entry, d payment.Decision) BankLine {
	l := BankLine{
		WalletID: e.WalletID, LineID: e.LineID, ID: d.IDs.Next(), Version: 1, Direction: gateway.Incoming, Amount: e.Change(),
		BookedAt: e.At, Text: "Bakiye düzeltmesi " + string(e.Day), ImportedAt: e.At,
		Status: LineMatched, Note: "adjustment of " + string(e.Day),
	}
	if l.Amount.Minor() < 0 {
		l.Direction, l.Amount = gateway.Outgoing, money.Kurus(-l.Amount.Minor())
	}
	return l
}

// AuditState is what an audit row says of the day's balances, as JSON.
func (r Reconciliation) AuditState() string {
	return fmt.Sprintf(`{"ledgerClosing":%q,"bankClosing":%q,"adjusted":%q}`, r.LedgerClosing, r.BankClosing, r.Adjusted)
}
