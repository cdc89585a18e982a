package core

import (
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// CreditSource says what stands behind a credit.
type CreditSource string

// Sources of credits (decisions: Credits).
const (
	CreditOfLine      CreditSource = "bank_line" // a line of a wallet's statement brought it
	CreditOfOperation CreditSource = "operation" // a gateway operation brought it
	CreditOfStaff     CreditSource = "staff"     // a staff member's word
	// CreditBefore is the source of what was completed before credits were kept, where the money's way is not known.
	CreditBefore CreditSource = "before_credits"
)

// CreditSources lists all sources.
func CreditSources() []CreditSource {
	return []CreditSource{CreditOfLine, CreditOfOperation, CreditOfStaff, CreditBefore}
}

// Credit is a row that raises what a customer, a dealer and a provider are credited with: it names its payment, its amount
// and the money behind it. A deposit or a card payment is completed by exactly one, whose amount is the payment's. A bank
// line and an operation are each named by one credit at most, ever, for no more than they brought.
//
// What is wrong with a credit is put right by a correction: a further row of the payment that adds to the amount or takes
// from it. Rows are never changed, with one exception: the money that comes later for a staff member's word is named in its
// row.
type Credit struct {
	ID           ID
	Version      int // 1; 2 when the money for a staff member's word has come
	PaymentID    ID
	TrackingCode string
	DealerID     int64 // of the payment, for whose staff see it
	ProviderID   int64 // of the payment, as well
	Number       int   // 1: the credit itself; from 2: its corrections, in their order
	Amount       money.Amount
	Source       CreditSource
	WalletID     int64        // of the bank line; 0: none
	LineID       string       // the bank line: the source, or the money that came later for a word
	OperationID  ID           // the gateway operation: likewise
	Brought      money.Amount // by the line or the operation; zero: there is none
	By           Actor
	Reason       string
	At           time.Time

	// AwaitsMoney marks an exception: credited by hand where a bank or a gateway reports money. What comes later is bound to
	// it and credits nobody else.
	AwaitsMoney bool
	// NeedsSecond says why a second person has to approve the row, whatever the rules say; empty: nothing does. It is not
	// stored.
	NeedsSecond string
}

// Identity implements Row.
func (k Credit) Identity() Identity {
	return Identity{Table: "credits", Key: string(k.PaymentID) + "/" + strconv.Itoa(k.Number), Version: k.Version}
}

// Why a credit needs a second person.
const (
	NeedsException  = "exception"  // without the money that a bank or a gateway reports
	NeedsMultiple   = "multiple"   // more than the setting's multiple of what was requested
	NeedsMaximum    = "maximum"    // more than the account's maximum, or than is left of its day
	NeedsDealerCap  = "dealer_cap" // more than the dealer's own cap
	NeedsCorrection = "correction" // any correction
)

// IsAwaiting reports whether the money for a staff member's word is still to come.
func (k Credit) IsAwaiting() bool { return k.AwaitsMoney && k.Version == 1 }

// IsByHand reports whether a person, and not the system by what a bank or a gateway reported, made the row.
func (k Credit) IsByHand() bool { return k.By.Kind == ByStaff }

// Credited is the sum of a payment's credit and its corrections.
func Credited(credits []Credit) money.Amount {
	sum := money.New(0, money.TRY)
	for _, k := range credits {
		sum = money.New(sum.Minor()+k.Amount.Minor(), k.Amount.Currency())
	}
	return sum
}

// isCreditable reports whether completing the payment credits somebody: deposits and cards. What pays out does not.
func (p Payment) isCreditable() bool { return p.Method.Kind() == Deposit || p.Method.Kind() == Card }

// Corrected is the sum of a payment's corrections.
func Corrected(credits []Credit) money.Amount {
	return Credited(slices.DeleteFunc(slices.Clone(credits), func(k Credit) bool { return k.Number == 1 }))
}

// IsCredited reports whether the payment stands as completed by a credit.
func (p Payment) IsCredited() bool { return p.isCreditable() && p.isPaid() }

// CompleteWith completes a deposit or a card payment with its credit, of which amount, source and money are given. Fault
// Uncredited: the credit is for more than its source brought, or for nothing.
func CompleteWith(p Payment, c Command, k Credit, d Decision) (Changeset, error) {
	const op = "core.CompleteWith"
	hasSource := k.Source == CreditOfLine || k.Source == CreditOfOperation
	if k.Amount.Minor() <= 0 || hasSource && (k.Brought.Less(k.Amount) || k.Brought.Currency() != k.Amount.Currency()) {
		return Changeset{}, fault.New(op, fault.Uncredited)
	}
	change, err := transition(p, c, k.Amount, d)
	if err != nil {
		return Changeset{}, err
	}
	if after := RowsOf[Payment](change)[0]; !after.IsCredited() {
		return Changeset{}, fault.New(op, fault.Uncredited)
	}
	change = append(change, k.of(p, 1, d))
	return change, nil
}

// of fills what a row says of its payment and of who made it.
func (k Credit) of(p Payment, number int, d Decision) Credit {
	k.ID, k.Version, k.Number = d.IDs.Next(), 1, number
	k.PaymentID, k.TrackingCode, k.DealerID, k.ProviderID = p.ID, p.TrackingCode, p.DealerID, p.ProviderID
	k.By, k.Reason, k.At = d.By, d.Reason, d.At
	if k.Brought.IsZero() {
		k.Brought = money.New(0, k.Amount.Currency())
	}
	return k
}

// awaiting returns the credit of a payment that waits for its money, if there is one. One that was corrected to nothing waits
// for none.
func awaiting(credits []Credit) (Credit, bool) {
	i := slices.IndexFunc(credits, Credit.IsAwaiting)
	if i < 0 || Credited(credits).IsZero() {
		return Credit{}, false
	}
	return credits[i], true
}

// boundToLine is a staff member's word with the bank line that brought its money.
func (k Credit) boundToLine(walletID int64, lineID string, brought money.Amount) Credit {
	k.Version++
	k.WalletID, k.LineID, k.Brought = walletID, lineID, brought
	return k
}

// boundToOperation is a staff member's word with the operation that brought its money.
func (k Credit) boundToOperation(id ID, brought money.Amount) Credit {
	k.Version++
	k.OperationID, k.Brought = id, brought
	return k
}

// HandCredit is a deposit that a staff member credits by hand, with what bounds one person's word.
type HandCredit struct {
	Amount     money.Amount // what they saw; zero: what they expected
	Expected   money.Amount // the payment's amount as they saw it
	AccountMax money.Amount // HandMax of the account that the customer was shown
	MostTimes  int          // how many times the requested amount one person may credit
	DealerCap  money.Amount // of the payment's dealer; zero: none
	Operations []Operation  // the payment's operations at gateways
}

// DecideApproval credits a deposit by hand. A manual deposit whose account was shown rests on one person's word, up to the
// bounds; beyond them it needs a second one. Where a bank or a gateway reports money (E-IBAN and third-party deposits), and
// where no account was shown, it is an exception: with a reason, by two people, and the deposit stays first in line for its
// money. Faults: Changed (the amount is not what the staff member saw), Invalid (a negative amount; an exception without a
// reason), those of Decide.
func DecideApproval(p Payment, h HandCredit, d Decision) (Changeset, error) {
	const op = "core.DecideApproval"
	if _, err := pathOf(p, Approve); err != nil {
		return Changeset{}, err
	}
	if !h.Expected.Equal(p.Amount) {
		return Changeset{}, fault.New(op, fault.Changed, p.Amount.String())
	}
	k := Credit{Amount: h.Amount, Source: CreditOfStaff}
	if k.Amount.IsZero() {
		k.Amount = h.Expected
	}
	isException := p.Method != ManualDeposit || p.Account.AccountID == 0
	k.AwaitsMoney = p.Method != ManualDeposit
	k.NeedsSecond = h.needsSecond(p, k.Amount, isException)
	var form Form
	if k.Amount.Minor() <= 0 {
		form.Fail("amount", "field.min", money.New(1, k.Amount.Currency()).String())
	}
	if isException && d.Reason == "" {
		form.Fail("reason", "field.required")
	}
	if err := form.Err(op); err != nil {
		return Changeset{}, err
	}
	change, err := CompleteWith(p, Approve, k, d)
	change = change.Merge(Rows(Case{Others: h.Operations}.calledOff(d.At)))
	return change, err
}

// needsSecond says why one person's word does not do; empty: it does.
func (h HandCredit) needsSecond(p Payment, amount money.Amount, isException bool) string {
	most := money.New(p.Requested.Minor()*int64(max(h.MostTimes, 1)), p.Requested.Currency())
	switch {
	case isException:
		return NeedsException
	case most.Less(amount):
		return NeedsMultiple
	case h.AccountMax.Less(amount) || h.AccountMax.IsZero():
		return NeedsMaximum
	case !h.DealerCap.IsZero() && h.DealerCap.Less(amount):
		return NeedsDealerCap
	default:
		return ""
	}
}

// CreditCorrection is what is to be right about a payment's credit.
type CreditCorrection struct {
	Amount        money.Amount // what the payment is credited with from now on; zero: nothing
	Expected      money.Amount // the payment's amount as whoever corrects saw it
	Credits       []Credit     // the payment's, by number
	Operations    []Operation  // the payment's at gateways, where one is behind the credit
	Line          BankLine     // behind the credit, where there is one
	TakenBackBy   []BankLine   // the lines that take that one back
	Discrepancies []Discrepancy
}

// reversal is the line behind the credit of a payment as far as it was taken back.
func (c CreditCorrection) reversal(p Payment) Reversal {
	return Reversal{Line: c.Line, By: c.TakenBackBy, Payment: p, Discrepancies: c.Discrepancies}
}

// ofOperation is the operation behind the credit of a payment, with the payment's others.
func (c CreditCorrection) ofOperation(p Payment) Case {
	return CaseOf(p, c.Operations, nil, nil, c.Credits[0].OperationID)
}

// most is what a payment's credit may be raised to: what the money behind it comes to by now, without what the bank took back or
// the gateway gave back for anything else. ok is false where nothing but a person's word is behind the credit.
func (c CreditCorrection) most(p Payment) (most money.Amount, ok bool) {
	first := c.Credits[0]
	switch first.Source {
	case CreditOfLine:
		return money.New(max(first.Brought.Minor()-c.reversal(p).takenBack().Minor(), 0), first.Brought.Currency()), true
	case CreditOfOperation:
		of := c.ofOperation(p)
		if left, _ := of.left(); left != of.Operation.Paid {
			worth, _ := of.Operation.worth(left)
			return money.New(worth.Minor()+p.AtGate.Refunded.Minor(), p.Amount.Currency()), true
		}
		if most = first.Brought; most.Less(of.Operation.Brought) {
			most = of.Operation.Brought // the rest has come since
		}
		return most, true
	default:
		return most, false
	}
}

// settled are the discrepancies of money that was taken back and that the corrected payment is not credited with any more.
// The line is saved with them: of a correction and one more line that takes back a part, at once, one comes after the other.
func (c CreditCorrection) settled(after Payment, k Credit, d Decision) Changeset {
	var change Changeset
	if c.Line.LineID != "" {
		l := c.Line
		l.Version++
		change = append(change, l)
		change = change.Merge(Rows(c.reversal(after).discrepancies(d.By, d.Reason, d)))
	}
	o := c.ofOperation(after).Operation
	for _, known := range c.Discrepancies {
		if known.Kind != ReversedMoney || known.State != DiscrepancyOpen || known.OperationID == "" {
			continue
		}
		less := -k.Amount.Minor() // by corrections since
		for _, earlier := range c.Credits[1:] {
			if !earlier.At.Before(known.CreatedAt) {
				less -= earlier.Amount.Minor()
			}
		}
		gone, isKnown := o.worth(known.Seen)
		isMade := isKnown && known.OperationID == o.ID && less >= gone.Minor()
		if !isMade && !after.Amount.IsZero() {
			continue
		}
		known.Version++
		known.State, known.UpdatedAt, known.ResolvedBy, known.Reason = DiscrepancySettled, d.At, d.By, d.Reason
		change = append(change, known)
	}
	return change
}

// DecideCorrection puts a wrong credit right by an entry of its own: it adds to the payment's amount or takes from it, and a
// callback says so. A credit of a bank line or an operation is not raised beyond what that brought and has not given back, and
// what was given back to the customer stays credited. What the bank or the gateway took back is settled as far as the payment is
// not credited with it any more. Faults: NotAllowed (the payment is not credited), Changed, MoreThanSeen, Invalid (no reason,
// the amount that it has already, less than was given back).
func DecideCorrection(p Payment, c CreditCorrection, d Decision) (Changeset, error) {
	const op = "core.DecideCorrection"
	if !p.IsCredited() || len(c.Credits) == 0 {
		return Changeset{}, fault.New(op, fault.NotAllowed, string(p.Status))
	}
	if !c.Expected.Equal(p.Amount) {
		return Changeset{}, fault.New(op, fault.Changed, p.Amount.String())
	}
	var form Form
	if d.Reason == "" {
		form.Fail("reason", "field.required")
	}
	switch {
	case c.Amount.Currency() != p.Amount.Currency() || c.Amount.Less(money.New(0, p.Amount.Currency())):
		form.Fail("amount", "field.min", money.New(0, p.Amount.Currency()).String())
	case c.Amount.Equal(p.Amount):
		form.Fail("amount", "field.other", p.Amount.String())
	case c.Amount.Less(p.AtGate.Refunded):
		form.Fail("amount", "field.min", p.AtGate.Refunded.String())
	}
	if err := form.Err(op); err != nil {
		return Changeset{}, err
	}
	if most, ok := c.most(p); ok && p.Amount.Less(c.Amount) && most.Less(c.Amount) {
		return Changeset{}, fault.New(op, fault.MoreThanSeen, most.String())
	}
	change, err := decide(p, Correct, c.Amount, d)
	if err != nil {
		return Changeset{}, err
	}
	k := Credit{
		Amount: money.New(c.Amount.Minor()-p.Amount.Minor(), p.Amount.Currency()), Source: CreditOfStaff, NeedsSecond: NeedsCorrection,
	}
	change = Edit(change, func(after *Payment) {
		after.Corrected = money.New(p.Corrected.Minor()+k.Amount.Minor(), p.Amount.Currency())
	})
	change = append(change, k.of(p, len(c.Credits)+1, d))
	return change.Merge(c.settled(RowsOf[Payment](change)[0], k, d)), nil
}

// CreditBreachKind says what is wrong with credits.
type CreditBreachKind string

// What must never be.
const (
	CompletedWithoutCredit  CreditBreachKind = "completed_without_credit"
	CreditedOtherwise       CreditBreachKind = "other_amount"     // the credit and its corrections do not add up to the payment's amount
	CorrectedOtherwise      CreditBreachKind = "other_correction" // the corrections do not add up to what the payment says of them
	CreditedBeyondLine      CreditBreachKind = "beyond_line"      // more than the bank line brought
	CreditedBeyondOperation CreditBreachKind = "beyond_operation" // more than the gateway operation brought
	CreditedTwice           CreditBreachKind = "source_used_twice"
	LedgerDiffers           CreditBreachKind = "ledger" // a wallet's balance is not the sum of its entries
)

// CreditBreach is a payment whose credit, or a wallet whose ledger, is not as it must be.
type CreditBreach struct {
	Kind         CreditBreachKind
	TrackingCode string // of the ledger: the wallet's id
}

// CreditBreaches returns what is wrong with a payment's credits, by number, where the line or the operation behind the first
// brought so much. That a source is behind one credit only is not seen here.
func CreditBreaches(p Payment, credits []Credit, brought money.Amount) []CreditBreachKind {
	var kinds []CreditBreachKind
	isCompleted := p.isCreditable() && (p.isPaid() || p.Status == Refunded)
	sum := Credited(credits).Minor()
	if isCompleted && (len(credits) == 0 || credits[0].Number != 1) {
		kinds = append(kinds, CompletedWithoutCredit)
	}
	if len(credits) > 0 && sum != p.Amount.Minor() {
		kinds = append(kinds, CreditedOtherwise)
	}
	if Corrected(credits).Minor() != p.Corrected.Minor() {
		kinds = append(kinds, CorrectedOtherwise)
	}
	if len(credits) > 0 && brought.Minor() < sum {
		switch credits[0].Source {
		case CreditOfLine:
			kinds = append(kinds, CreditedBeyondLine)
		case CreditOfOperation:
			kinds = append(kinds, CreditedBeyondOperation)
		default: // a person's word
		}
	}
	return kinds
}

// CreditCheck is what adding up the credits has shown.
type CreditCheck struct {
	Breaches       []CreditBreach
	Awaiting       int       // staff members' words whose money has not come
	OldestAwaiting time.Time // when the oldest of them was given; zero: there is none
}
