package wallet

import (
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// BankLine is one line of a wallet's statement (D5). What the bank said of it is kept as it was imported first; where
// the line stands here is saved by compare-and-set on Version.
type BankLine struct {
	WalletID       int64
	LineID         string  // the bank's own; unique within the wallet
	ID             core.ID // of the import
	Version        int     // 1: imported, and kept out where the line is known; one more at every save
	Direction      gateway.Direction
	Amount         money.Amount
	BookedAt       time.Time
	Text           string
	Party          gateway.Party
	EndToEndID     string
	ReversesLineID string
	ImportedAt     time.Time

	Status           LineStatus
	PaymentID        core.ID // what it was matched with; empty: nothing
	ReversedByLineID string  // the id of the first line that takes it back; empty: none does. Such a line never credits
	Note             string  // why it is in this state, for staff
	// WasDoubtful reports whether the line ever waited for staff to choose: from then on it credits nothing by itself.
	WasDoubtful bool
}

// Identity implements Row.
func (l BankLine) Identity() core.Identity {
	return core.Identity{Table: "bank_lines", Key: strconv.FormatInt(l.WalletID, 10) + "/" + l.LineID, Version: l.Version}
}

// Event implements Eventful.
func (l BankLine) Event() core.Event {
	return core.Event{Kind: core.BankLineChanged, ID: l.ID, IsNew: l.Version == 1}
}

// LineStatus is where a bank line stands.
type LineStatus string

// States of a bank line. In all of them but LineUnbooked the ledger has the money.
const (
	LineMatched   LineStatus = "matched"   // a deposit, a transfer, its return or an adjustment accounts for it
	LineUnmatched LineStatus = "unmatched" // belongs to nothing that is known
	LineDoubtful  LineStatus = "doubtful"  // deposits that it may belong to wait for staff to choose
	LineSetAside  LineStatus = "set_aside" // staff said what it is: no customer's payment
	LineUnbooked  LineStatus = "unbooked"  // the ledger can't take it yet; tried again at every import
	LineReversed  LineStatus = "reversed"  // taken back by another line, or takes one back
)

// LineStatuses lists all states.
func LineStatuses() []LineStatus {
	return []LineStatus{LineMatched, LineUnmatched, LineDoubtful, LineSetAside, LineUnbooked, LineReversed}
}

// IsWaiting reports whether the line waits for an explanation.
func (l BankLine) IsWaiting() bool { return l.Status == LineUnmatched || l.Status == LineDoubtful }

// MayCredit reports whether the line may complete a deposit: it brought money that belongs to nothing yet, and that nobody
// has taken back.
func (l BankLine) MayCredit() bool {
	return l.Direction == gateway.Incoming && l.IsWaiting() && l.ReversedByLineID == ""
}

// NewBankLine is a line of a wallet's statement as the bank gave it. Fault Invalid: it can't be of a wallet: no id,
// another currency, an amount that is none.
func NewBankLine(w Wallet, l gateway.StatementLine, at time.Time, id core.ID) (BankLine, error) {
	amount, err := l.Amount.Amount(money.TRY)
	isLine := err == nil && l.ID != "" && l.Asset == gateway.TRY && amount.Minor() > 0 && !l.BookedAt.IsZero() &&
		(l.Direction == gateway.Incoming || l.Direction == gateway.Outgoing)
	if !isLine {
		return BankLine{}, fault.E("core.NewBankLine", fault.Invalid, err)
	}
	return BankLine{
		WalletID: w.ID, LineID: l.ID, ID: id, Version: 1, Direction: l.Direction, Amount: amount, BookedAt: l.BookedAt.UTC(),
		Text: l.Text, Party: l.Party, EndToEndID: l.EndToEnd, ReversesLineID: l.Reverses, ImportedAt: at,
		Status: LineUnmatched,
	}, nil
}

// Reference is a transfer that a line names, with the lines that are matched with it.
type Reference struct {
	Transfer payment.Payment
	Lines    []BankLine
}

// has reports whether a line of the direction is matched with the transfer, other than the line itself.
func (r Reference) has(l BankLine) bool {
	for _, other := range r.Lines {
		if other.Direction == l.Direction && other.LineID != l.LineID && other.Status == LineMatched {
			return true
		}
	}
	return false
}

// DecideBooking takes a line that is new or unbooked into the ledger. Ref is the wallet's own transfer that the line
// names: by its end-to-end reference, or by the line that it reverses. The line comes with the Version that it is saved
// with: 1 when it is imported, and one more than the stored one when it was unbooked.
//
//   - The line of a completed transfer was posted by its completion; its return is an entry of its own.
//   - While the transfer is pending the line waits: only its end says what the ledger lacks.
//   - Of a transfer that counts as failed the ledger has given everything back, so that what the bank did is booked.
//   - Any other line is money that came or went without Vezne: also one of another amount, such as a fee, and a second one
//     of the same transfer.
//
// A line that takes more than is available fails its commit with fault.Insufficient: see Unbooked.
func DecideBooking(l BankLine, ref *Reference, at time.Time, ids *core.IDs) core.Changeset {
	l.Status, l.PaymentID, l.Note = l.unexplained(), "", ""
	kind := ledger.EntryIncoming
	if l.Direction == gateway.Outgoing {
		kind = ledger.EntryOutgoing
	}
	switch {
	case ref == nil:
	case ref.has(l) || !ref.Transfer.Amount.Equal(l.Amount):
		l.Note = "names " + ref.Transfer.TrackingCode
	case !ref.Transfer.Status.IsFinal():
		return core.Changeset{l.Unbooked("its transfer is pending")}
	default:
		l.Status, l.PaymentID = LineMatched, ref.Transfer.ID
		if ref.Transfer.Status == payment.Completed && l.Direction == gateway.Outgoing {
			return core.Changeset{l} // posted
		}
		if ref.Transfer.Status == payment.Completed {
			kind = ledger.EntryReturn
		}
	}
	e := ledger.New(kind, l.WalletID, l.Amount, at, ids.Next())
	e.LineID = l.LineID
	if kind == ledger.EntryReturn {
		e.PaymentID = l.PaymentID
	}
	return core.Changeset{l, e}
}

// Unbooked is the line without its place in the ledger.
func (l BankLine) Unbooked(why string) BankLine {
	l.Status, l.PaymentID, l.Note = LineUnbooked, "", why
	return l
}

// DecideCredit credits a deposit with an incoming line. The line belongs to it from then on: it can credit nothing else,
// ever. Only staff credit one that has ended (decisions: Money that arrives after the end). A deposit that staff credited
// before its money came takes its line without being credited again. Faults: NotAllowed (the line is spoken for), LineAwaited
// (another such deposit waits for just this money), WrongMethod (no E-IBAN deposit of the wallet's dealer), AlreadyFinal, those
// of Decide.
func DecideCredit(w Wallet, r RankedLine, p payment.Payment, credits []payment.Credit, d payment.Decision) (core.Changeset, error) {
	const op = "core.DecideCredit"
	l := r.Line
	isStaff := d.By.Kind == core.ByStaff
	command := payment.Succeed
	word, isWord := payment.AwaitingCredit(credits)
	kept, isKept := r.keptFor(p.ID)
	switch {
	case !l.MayCredit():
		return core.Changeset{}, fault.New(op, fault.NotAllowed, string(l.Status))
	case p.Method != payment.EIBANDeposit || p.DealerID != w.DealerID:
		return core.Changeset{}, fault.New(op, fault.WrongMethod, string(p.Method))
	case isKept:
		return core.Changeset{}, fault.New(op, fault.LineAwaited, kept.TrackingCode)
	case isWord:
		return core.Changeset{l.matchedWith(p, d.Reason), word.BoundToLine(l.WalletID, l.LineID, l.Amount)}, nil
	case p.Status.IsFinal() && !isStaff:
		return core.Changeset{}, fault.New(op, fault.AlreadyFinal, string(p.Status))
	case p.Status.IsFinal():
		command = payment.Accept
	case isStaff:
		command = payment.Approve
	}
	k := payment.Credit{Amount: l.Amount, Source: payment.CreditOfLine, WalletID: l.WalletID, LineID: l.LineID, Brought: l.Amount}
	change, err := payment.CompleteWith(p, command, k, d)
	if err != nil {
		return core.Changeset{}, err
	}
	change = append(change, l.matchedWith(p, d.Reason))
	return change, nil
}

// matchedWith is the line as the payment's.
func (l BankLine) matchedWith(p payment.Payment, note string) BankLine {
	l.Version++
	l.Status, l.PaymentID, l.Note = LineMatched, p.ID, note
	return l
}

// DecideSetAside takes a line out of the queue: staff say what it is. Fault: NotAllowed.
func DecideSetAside(l BankLine, d payment.Decision) (core.Changeset, error) {
	if !l.IsWaiting() {
		return core.Changeset{}, fault.New("core.DecideSetAside", fault.NotAllowed, string(l.Status))
	}
	l.Version++
	l.Status, l.Note = LineSetAside, d.Reason
	return core.Changeset{l}, nil
}

// DecideBringBack puts a line that was set aside into the queue again. Fault: NotAllowed.
func DecideBringBack(l BankLine, d payment.Decision) (core.Changeset, error) {
	if l.Status != LineSetAside {
		return core.Changeset{}, fault.New("core.DecideBringBack", fault.NotAllowed, string(l.Status))
	}
	l.Version++
	l.Status, l.Note = LineUnmatched, d.Reason
	return core.Changeset{l}, nil
}
