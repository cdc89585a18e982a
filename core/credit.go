package core

import (
	"time"

	"github.com/vezne/vezne/core/money"
)

// CreditSource says what stands behind a credit.
type CreditSource string

// Sources of credits (decisions: Credits).
const (
	CreditOfLine      CreditSource = "bank_line"      // a line of a wallet's statement brought it
	CreditOfOperation CreditSource = "operation"      // a gateway operation brought it
	CreditOfStaff     CreditSource = "staff"          // a staff member's word
	CreditBefore      CreditSource = "before_credits" // completed before credits were kept; where the money came from is not known
)

// Credit is a row that raises what a customer, a dealer and a provider are credited with: it names its payment, its amount
// and the money behind it. A deposit or card payment is completed by exactly one, whose amount is the payment's. A bank line
// and an operation are each the source of one credit at most, ever, and for no more than they brought.
//
// What is wrong with a credit is put right by a correction: a further row of the payment, by staff, that adds to the amount
// or takes from it. Rows are never changed, with one exception: the money that comes later for a staff member's word is
// named in its row.
type Credit struct {
	ID           ID
	Version      int // 1; 2 when the money of a staff member's word has come
	PaymentID    ID
	TrackingCode string
	DealerID     int64 // of the payment, for whose staff see it
	ProviderID   int64 // of the payment, as well
	Number       int   // 1: the credit itself; from 2: its corrections, in their order
	Amount       money.Amount
	Source       CreditSource
	WalletID     int64  // of the bank line; 0: none
	LineID       string // the bank line: the source, or the money that came later for a word
	OperationID  ID     // the operation: likewise
	Brought      money.Amount
	By           Actor
	Reason       string
	At           time.Time

	// AwaitsMoney marks an exception: credited by hand where money is otherwise reported. The money that comes later is bound
	// to it and credits nobody else.
	AwaitsMoney bool

	// NeedsSecond says why a second person has to approve it, whatever the rules say; empty: the rules decide. The same deed
	// has the same reason: a request is compared with what is done when it is approved.
	NeedsSecond string
}
