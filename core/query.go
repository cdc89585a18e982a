package core

import (
	"time"

	"github.com/vezne/vezne/core/money"
)

// MaxPage is the greatest number of rows in one page.
const MaxPage = 200

// PaymentQuery asks for payments, newest first. Zero fields do not narrow.
type PaymentQuery struct {
	Scope
	Methods      []Method
	Statuses     []Status
	ProviderID   int64
	SiteID       int64
	TrackingCode string
	UserID       string
	CreatedFrom  time.Time // included
	CreatedUntil time.Time // excluded
	MinAmount    money.Amount
	MaxAmount    money.Amount
	After        ID   // keyset cursor: only payments older than this one
	Limit        int  // 1 to MaxPage + 1: the one more tells whether another page follows
	IDs          []ID // only among these, at most MaxPage; empty: among all
}
