package wallet

import (
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// TakesBack reports whether the line takes back another one of its wallet, whole or in part: it names it, and moves money
// the other way.
func (l BankLine) TakesBack(other BankLine) bool {
	return l.WalletID == other.WalletID && l.ReversesLineID != "" && l.ReversesLineID == other.LineID && l.LineID != other.LineID &&
		l.Direction != other.Direction
}

// unexplained is the state of a line in the ledger that nothing but its reversals accounts for.
func (l BankLine) unexplained() LineStatus {
	if l.ReversedByLineID != "" {
		return LineReversed
	}
	return LineUnmatched
}

// Reversal is a line that is taken back, with all that the decision about it looks at.
type Reversal struct {
	Line          BankLine
	By            []BankLine                // the lines that take it back: stored ones, and the one that is being booked
	Payment       payment.Payment           // what the line is matched with; the zero Payment: nothing
	Discrepancies []discrepancy.Discrepancy // of that payment
}

// HasCredited reports whether the line completed a deposit.
func (r Reversal) HasCredited() bool {
	return r.Payment.ID != "" && r.Payment.ID == r.Line.PaymentID && r.Payment.Method == payment.EIBANDeposit
}

// takenBack is what the lines have taken back in all; one that was itself taken back does not count.
func (r Reversal) takenBack() money.Amount {
	sum := int64(0)
	for _, l := range r.By {
		if l.ReversedByLineID == "" {
			sum += l.Amount.Minor()
		}
	}
	return money.New(sum, r.Line.Amount.Currency())
}

// DecideReversal marks a line that others take back: from then on it never credits anything, however little of it they
// take. Where it has completed a deposit already, what was taken back is a discrepancy of the deposit in the same commit,
// brought up to date when more is taken, and settled when the bank gives it all back. A line that a transfer accounts for
// is left to the transfer: its return is booked as such (DecideBooking). Deciding again changes nothing.
func DecideReversal(r Reversal, d payment.Decision) core.Changeset {
	if len(r.By) == 0 || r.Line.Status == LineMatched && !r.HasCredited() {
		return core.Changeset{}
	}
	l, isMarked := r.Line, r.Line.ReversedByLineID != ""
	var list []discrepancy.Discrepancy
	if r.HasCredited() {
		list = r.discrepancies(core.System, "the bank has given it back", d)
	}
	if isMarked && len(list) == 0 {
		return core.Changeset{}
	}
	l.Version++ // also where only the discrepancy changes: of two who take back parts at once one comes after the other
	if !isMarked {
		l.ReversedByLineID, l.Note = r.By[0].LineID, "taken back by "+r.By[0].LineID
	}
	if l.Status != LineUnbooked {
		l.Status = LineReversed
	}
	return core.Changeset{l}.Merge(core.Rows(list))
}

// missing is what of the money that was taken back the deposit is still credited with.
func (r Reversal) missing() money.Amount {
	taken := r.takenBack()
	left := r.Line.Amount.Minor() - taken.Minor()
	return money.New(max(min(taken.Minor(), r.Payment.Amount.Minor()-left), 0), taken.Currency())
}

// discrepancies are those that say what is missing of a deposit that the line has completed. Once nothing is, the open one
// is settled: by whom, and why.
func (r Reversal) discrepancies(by core.Actor, why string, d payment.Decision) []discrepancy.Discrepancy {
	left := r.missing().Minor()
	var open *discrepancy.Discrepancy
	for i := range r.Discrepancies {
		known := r.Discrepancies[i]
		switch {
		case known.LineID != r.Line.LineID || known.WalletID != r.Line.WalletID || known.Kind != discrepancy.ReversedMoney:
		case known.IsOpen():
			open = &known
		case known.Status != discrepancy.Settled:
			left -= minorOf(known.Seen) // staff have dealt with that much
		}
	}
	seen := gateway.Lira(money.New(max(left, 0), r.Line.Amount.Currency()))
	detail := fmt.Sprintf("the bank took back %s of line %s", seen, r.Line.LineID)
	switch {
	case open == nil && left <= 0, open != nil && open.Seen == seen:
		return nil
	case open == nil:
		p := r.Payment
		return []discrepancy.Discrepancy{{
			ID: d.IDs.Next(), Version: 1, PaymentID: p.ID, TrackingCode: p.TrackingCode, DealerID: p.DealerID,
			ProviderID: p.ProviderID, WalletID: r.Line.WalletID, LineID: r.Line.LineID, Kind: discrepancy.ReversedMoney,
			Status: discrepancy.Open, Expected: gateway.Lira(r.Line.Amount), Seen: seen, Detail: detail, CreatedAt: d.At, UpdatedAt: d.At,
		}}
	case left <= 0:
		open.Status, open.ResolvedBy, open.Reason = discrepancy.Settled, by, why
	default:
		open.Seen, open.Detail = seen, detail
	}
	open.Version++
	open.UpdatedAt = d.At
	return []discrepancy.Discrepancy{*open}
}

// minorOf is a sum of lira in kuruş.
func minorOf(m gateway.Money) int64 {
	a, _ := m.Amount.Amount(money.TRY)
	return a.Minor()
}

// Reversing is a line that takes back another, as booking leaves it. Known: the other one is on the wallet's statement;
// otherwise only a note says so. What a transfer accounts for stays matched with that.
//
// Money that comes back because the bank takes back its own reversal is there once more, while the line that brought it
// first never credits again: unless the deposit kept its credit all along (isKept), staff may credit it with this line.
func (l BankLine) Reversing(other BankLine, isKnown, isKept bool) BankLine {
	switch {
	case l.Status != LineUnmatched:
	case !isKnown:
		l.Note = "takes back " + l.ReversesLineID + ", which is not on this statement"
	case l.Direction == gateway.Incoming && other.ReversesLineID != "" && !isKept:
		l.Note = "gives back what " + other.LineID + " took"
	default:
		l.Status, l.PaymentID, l.Note = LineReversed, "", "takes back "+other.LineID
	}
	return l
}

// DecideLineResolution resolves an open discrepancy of a bank line. There is no money to accept: it was taken back. Faults:
// AlreadyFinal (resolved before), NotAllowed (accepting).
func DecideLineResolution(known discrepancy.Discrepancy, r operation.Resolution, d payment.Decision) (core.Changeset, error) {
	const op = "core.DecideLineResolution"
	switch {
	case known.Status != discrepancy.Open:
		return core.Changeset{}, fault.New(op, fault.AlreadyFinal, string(known.Status))
	case r != operation.WriteOff:
		return core.Changeset{}, fault.New(op, fault.NotAllowed, string(known.Kind))
	}
	known.Version++
	known.Status, known.UpdatedAt, known.ResolvedBy, known.Reason = discrepancy.WrittenOff, d.At, d.By, d.Reason
	return core.Changeset{known}, nil
}
