package gateway

import (
	"time"

	"github.com/vezne/vezne/core/money"
)

// BankAccount is an account at the bank behind E-IBAN.
type BankAccount struct {
	ID, IBAN, BankName, Holder string
	Asset                      Asset
	IsOpen                     bool
}

// Balance is what an account holds.
type Balance struct {
	Total, Available money.Decimal
	Asset            Asset
	At               time.Time // when the bank says that it was true; never zero
}

// StatementQuery asks for lines of a statement, oldest first.
type StatementQuery struct {
	AccountID string
	Window
	Cursor Cursor
	Limit  int
}

// StatementPage is one page of a statement.
type StatementPage struct {
	Lines []StatementLine
	Next  Cursor
}

// Direction of money, seen from the account.
type Direction string

// Directions.
const (
	Incoming Direction = "incoming"
	Outgoing Direction = "outgoing"
)

// StatementLine is one booking. ID is the bank's own and stable; where the bank has none it is derived from the content.
type StatementLine struct {
	ID           string         `json:"id,omitempty"`
	EndToEnd     string         `json:"end_to_end,omitempty"` // our reference of a transfer, where the bank keeps it
	Direction    Direction      `json:"direction,omitempty"`
	Amount       money.Decimal  `json:"amount,omitzero"` // positive
	Asset        Asset          `json:"asset,omitzero"`
	BookedAt     time.Time      `json:"booked_at,omitzero"`
	Text         string         `json:"text,omitempty"`
	Party        Party          `json:"party,omitzero"`
	BalanceAfter *money.Decimal `json:"balance_after,omitempty"`
	Reverses     string         `json:"reverses,omitempty"` // the ID of the line that this one takes back
}

// TransferOrder asks the bank to send money.
type TransferOrder struct {
	Ref       Ref
	Key       Key
	AccountID string
	To        Party
	Amount    Money
	Text      string
}
