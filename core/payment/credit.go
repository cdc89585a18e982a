package payment

import (
	"slices"
	"strconv"
	"time"

	"github.com/vezne/vezne/core"
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
	CreditOfDispute   CreditSource = "dispute"   // a dispute took it, or gave it back
	// CreditBefore is the source of what was completed before credits were kept, where the money's way is not known.
	CreditBefore CreditSource = "before_credits"
)

// CreditSources lists all sources.
func CreditSources() []CreditSource {
	return []CreditSource{CreditOfLine, CreditOfOperation, CreditOfStaff, CreditOfDispute, CreditBefore}
}

// Credit is a row that raises what a customer, a dealer and a provider are credited with: it names its payment, its amount
// and the money behind it. A deposit or a card payment is completed by exactly one, whose amount is the payment's. A bank
// line and an operation are each named by one credit at most, ever, for no more than they brought.
//
// What is wrong with a credit is put right by a correction: a further row of the payment that adds to the amount or takes
// from it. So does a dispute: its rows name it, and what they give back is never more than they have taken. Rows are never changed, with one exception: the money that comes later for a staff member's word is named in its
// row.
type Credit struct {
	ID           core.ID
	Version      int // 1; 2 when the money for a staff member's word has come
	PaymentID    core.ID
	TrackingCode string
	DealerID     int64 // of the payment, for whose staff see it
	ProviderID   int64 // of the payment, as well
	Number       int   // 1: the credit itself; from 2: its corrections, in their order
	Amount       money.Amount
	Source       CreditSource
	WalletID     int64        // of the bank line; 0: none
	LineID       string       // the bank line: the source, or the money that came later for a word
	OperationID  core.ID      // the gateway operation: likewise
	DisputeID    core.ID      // the dispute that the row is of; empty: none
	Brought      money.Amount // by the line or the operation; zero: there is none
	Actor        core.Actor
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
func (k Credit) Identity() core.Identity {
	return core.Identity{Table: "credits", Key: string(k.PaymentID) + "/" + strconv.Itoa(k.Number), Version: k.Version}
}

// Why a credit needs a second person.
const (
	NeedsException  = "exception"  // without the money that a bank or a gateway reports
	NeedsMultiple   = "multiple"   // more than the setting's multiple of what was requested
	NeedsMaximum    = "maximum"    // more than the account's maximum, or than is left of its day
	NeedsDealerCap  = "dealer_cap" // more than the dealer's own cap
	NeedsCorrection = "correction" // any correction
	NeedsDispute    = "dispute"    // what staff say of a dispute
)

// IsAwaiting reports whether the money for a staff member's word is still to come.
func (k Credit) IsAwaiting() bool { return k.AwaitsMoney && k.Version == 1 }

// Credited is the sum of a payment's credit and its corrections.
func Credited(credits []Credit) money.Amount {
	sum := money.New(0, money.TRY)
	for _, k := range credits {
		sum = money.New(sum.Minor()+k.Amount.Minor(), k.Amount.Currency())
	}
	return sum
}

// IsCreditable reports whether completing the payment credits somebody: deposits and cards. What pays out does not.
func (p Payment) IsCreditable() bool { return p.Method.Kind() == Deposit || p.Method.Kind() == Card }

// IsCredited reports whether the payment stands as completed by a credit.
func (p Payment) IsCredited() bool { return p.IsCreditable() && p.isPaid() }

// CompleteWith completes a deposit or a card payment with its credit, of which amount, source and money are given. Fault
// Uncredited: the credit is for more than its source brought, or for nothing.
func CompleteWith(p Payment, c Command, k Credit, d Decision) (core.Changeset, error) {
	const op = "core.CompleteWith"
	hasSource := k.Source == CreditOfLine || k.Source == CreditOfOperation
	if k.Amount.Minor() <= 0 || hasSource && (k.Brought.Less(k.Amount) || k.Brought.Currency() != k.Amount.Currency()) {
		return core.Changeset{}, fault.New(op, fault.Uncredited)
	}
	change, err := transition(p, c, k.Amount, d)
	if err != nil {
		return core.Changeset{}, err
	}
	if after := core.RowsOf[Payment](change)[0]; !after.IsCredited() {
		return core.Changeset{}, fault.New(op, fault.Uncredited)
	}
	change = append(change, k.Of(p, 1, d))
	return change, nil
}

// Of fills what a row says of its payment and of who made it.
func (k Credit) Of(p Payment, number int, d Decision) Credit {
	k.ID, k.Version, k.Number = d.IDs.Next(), 1, number
	k.PaymentID, k.TrackingCode, k.DealerID, k.ProviderID = p.ID, p.TrackingCode, p.DealerID, p.ProviderID
	k.Actor, k.Reason, k.At = d.By, d.Reason, d.At
	if k.Brought.IsZero() {
		k.Brought = money.New(0, k.Amount.Currency())
	}
	return k
}

// AwaitingCredit returns the credit of a payment that waits for its money, if there is one. One that was corrected to nothing waits
// for none.
func AwaitingCredit(credits []Credit) (Credit, bool) {
	i := slices.IndexFunc(credits, Credit.IsAwaiting)
	if i < 0 || Credited(credits).IsZero() {
		return Credit{}, false
	}
	return credits[i], true
}

// BoundToLine is a staff member's word with the bank line that brought its money.
func (k Credit) BoundToLine(walletID int64, lineID string, brought money.Amount) Credit {
	k.Version++
	k.WalletID, k.LineID, k.Brought = walletID, lineID, brought
	return k
}

// BoundToOperation is a staff member's word with the operation that brought its money.
func (k Credit) BoundToOperation(id core.ID, brought money.Amount) Credit {
	k.Version++
	k.OperationID, k.Brought = id, brought
	return k
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
	CreditedBeyondDispute   CreditBreachKind = "beyond_dispute" // a dispute's rows are not what it says of them
	LedgerDiffers           CreditBreachKind = "ledger"         // a wallet's balance is not the sum of its entries
)

// CreditBreach is a payment whose credit, or a wallet whose ledger, is not as it must be.
type CreditBreach struct {
	Kind         CreditBreachKind
	TrackingCode string // of the ledger: the wallet's id
}

// CreditCheck is what adding up the credits has shown.
type CreditCheck struct {
	Breaches       []CreditBreach
	Awaiting       int       // staff members' words whose money has not come
	OldestAwaiting time.Time // when the oldest of them was given; zero: there is none
}
