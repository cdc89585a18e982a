package report

import (
	"cmp"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
)

// PaymentQuery asks for payments. Zero fields do not narrow, and all that are set have to hold.
type PaymentQuery struct {
	core.Scope
	Methods          []payment.Method
	Statuses         []payment.Status
	ProviderID       int64
	SiteID           int64
	GatewayID        int64
	TrackingCode     string
	OrderID          string // the tracking code without its dashes, as gateways and card answers have it
	UserID           string
	Name             string    // each of its words begins a word of the customer's full name, both as FoldName writes them
	IBAN             string    // normalized: where a withdrawal's money goes, or what a deposit was paid from
	GatewayReference string    // at a gateway: ours or the gateway's own
	Text             string    // anything of the above, see TextLookups
	CreatedFrom      time.Time // included; so are the others called From
	CreatedUntil     time.Time // excluded; so are the others called Until
	UpdatedFrom      time.Time
	UpdatedUntil     time.Time
	FinishedFrom     time.Time
	FinishedUntil    time.Time
	MinAmount        money.Amount
	MaxAmount        money.Amount
	Sort             PaymentSort
	MaxLooked        int       // payments that may be looked at; 0: as many as the store thinks right
	IDs              []core.ID // only among these, at most MaxPage; empty: among all

	core.Paging[Cursor] `json:"-"` // what a job is about has no pages
}

// Page is what a search came to.
type Page struct {
	Payments []payment.Payment
	// Stop is where a search gave up before the page was full: beyond it the next one goes on. Nil: it did not.
	Stop *Cursor
}

// Next is the query beyond what a query found, and whether there may be more.
func (f Page) Next(q PaymentQuery) (next PaymentQuery, more bool) {
	switch n := len(f.Payments); {
	case f.Stop != nil:
		q.Paging = q.Beyond(*f.Stop)
	case n > 0 && q.IsLast:
		q.Paging = q.Beyond(q.Sort.PlaceOf(f.Payments[0]))
	case n > 0:
		q.Paging = q.Beyond(q.Sort.PlaceOf(f.Payments[n-1]))
	}
	return q, f.Stop != nil || len(f.Payments) >= q.Limit
}

// Cursor is one in a sorted list of payments.
type Cursor struct {
	Key int64 // see PaymentSort.Key
	ID  core.ID
}

// PaymentSort is the order of a list of payments. Payments that are alike come in the order of their IDs.
type PaymentSort string

// Sorts. The zero one is NewestFirst. Amounts are compared as numbers of minor units, whatever their currency.
const (
	NewestFirst     PaymentSort = "created_desc" // by ID, which is by CreatedAt
	OldestFirst     PaymentSort = "created_asc"
	LastChanged     PaymentSort = "updated_desc"
	LongestAsItIs   PaymentSort = "updated_asc"
	GreatestAmounts PaymentSort = "amount_desc"
	SmallestAmounts PaymentSort = "amount_asc"
)

// PaymentSorts lists all sorts.
func PaymentSorts() []PaymentSort {
	return []PaymentSort{NewestFirst, OldestFirst, LastChanged, LongestAsItIs, GreatestAmounts, SmallestAmounts}
}

// Reversed is the opposite order.
func (s PaymentSort) Reversed() PaymentSort {
	switch s {
	case OldestFirst:
		return NewestFirst
	case LastChanged:
		return LongestAsItIs
	case LongestAsItIs:
		return LastChanged
	case GreatestAmounts:
		return SmallestAmounts
	case SmallestAmounts:
		return GreatestAmounts
	default:
		return OldestFirst
	}
}

// IsRising reports whether the smallest comes first.
func (s PaymentSort) IsRising() bool {
	return s == OldestFirst || s == LongestAsItIs || s == SmallestAmounts
}

// Key is what a payment is sorted by before its ID: microseconds since 1970, minor units, or 0 where the ID is all.
func (s PaymentSort) Key(p payment.Payment) int64 {
	switch s {
	case LastChanged, LongestAsItIs:
		return p.UpdatedAt.UnixMicro()
	case GreatestAmounts, SmallestAmounts:
		return p.Amount.Minor()
	default:
		return 0
	}
}

// Compare says which of two payments comes first.
func (s PaymentSort) Compare(a, b payment.Payment) int {
	return s.ComparePlaces(s.PlaceOf(a), s.PlaceOf(b))
}

// PlaceOf is where a payment is in the list.
func (s PaymentSort) PlaceOf(p payment.Payment) Cursor { return Cursor{Key: s.Key(p), ID: p.ID} }

// ComparePlaces says which of two places comes first.
func (s PaymentSort) ComparePlaces(a, b Cursor) int {
	order := cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
	if s.IsRising() {
		return order
	}
	return -order
}
