package core

import (
	"cmp"
	"time"
)

// Dimension is what statistics are told apart by.
type Dimension string

// Dimensions.
const (
	MethodDimension   Dimension = "method"
	ProviderDimension Dimension = "provider"
	DealerDimension   Dimension = "dealer"
	GatewayDimension  Dimension = "gateway"
	StatusDimension   Dimension = "status"
)

// Dimensions lists all dimensions.
func Dimensions() []Dimension {
	return []Dimension{MethodDimension, ProviderDimension, DealerDimension, GatewayDimension, StatusDimension}
}

// Interval is a length of time that statistics are told apart by. Each begins and ends in the service's time zone.
type Interval string

// Intervals. The zero one is the whole range at once.
const (
	Hourly  Interval = "hour"
	Daily   Interval = "day"
	Monthly Interval = "month"
)

// Intervals lists all intervals.
func Intervals() []Interval { return []Interval{Hourly, Daily, Monthly} }

// StartOf is the beginning of the interval that a moment is in.
func (i Interval) StartOf(at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	switch i {
	case Hourly:
		// Not by time.Date: of an hour that a zone has twice, each is one of its own.
		return at.Add(-time.Duration(local.Minute())*time.Minute - time.Duration(local.Second())*time.Second -
			time.Duration(local.Nanosecond())).UTC()
	case Daily:
		return time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, zone).UTC()
	default:
		return time.Date(local.Year(), local.Month(), 1, 0, 0, 0, 0, zone).UTC()
	}
}

// After is the beginning of the next interval after one that begins at a moment.
func (i Interval) After(start time.Time, zone *time.Location) time.Time {
	local := start.In(zone)
	switch i {
	case Hourly:
		return start.Add(time.Hour).UTC()
	case Daily:
		return time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, zone).UTC()
	default:
		return time.Date(local.Year(), local.Month()+1, 1, 0, 0, 0, 0, zone).UTC()
	}
}

// StatisticsKey says of which payments a tally is. What they are not told apart by is zero.
type StatisticsKey struct {
	Method     Method
	ProviderID int64
	DealerID   int64
	GatewayID  int64
	Status     Status
	Currency   string
}

// Only keeps the dimensions that are named, and the currency: amounts of several are never added up.
func (k StatisticsKey) Only(dims func(Dimension) bool) StatisticsKey {
	kept := StatisticsKey{Currency: k.Currency}
	if dims(MethodDimension) {
		kept.Method = k.Method
	}
	if dims(ProviderDimension) {
		kept.ProviderID = k.ProviderID
	}
	if dims(DealerDimension) {
		kept.DealerID = k.DealerID
	}
	if dims(GatewayDimension) {
		kept.GatewayID = k.GatewayID
	}
	if dims(StatusDimension) {
		kept.Status = k.Status
	}
	return kept
}

// Compare orders keys by their dimensions.
func (k StatisticsKey) Compare(other StatisticsKey) int {
	return cmp.Or(
		cmp.Compare(k.Method, other.Method), cmp.Compare(k.ProviderID, other.ProviderID),
		cmp.Compare(k.DealerID, other.DealerID), cmp.Compare(k.GatewayID, other.GatewayID),
		cmp.Compare(k.Status, other.Status), cmp.Compare(k.Currency, other.Currency),
	)
}

// Tally is what statistics know of some payments.
type Tally struct {
	Count     int64
	Ended     int64
	Approved  int64 // ended with the money where it should go, given back afterwards or not
	Requested int64 // minor units, of all
	Final     int64 // minor units, of the approved
	Decisions Delays
	Delivered int64 // callbacks
	Failed    int64 // callbacks that were given up
	Delays    Delays
}

// NewTally is an empty one.
func NewTally() *Tally { return &Tally{Decisions: Delays{}, Delays: Delays{}} }

// Merge adds another tally, times a factor: -1 takes it away.
func (t *Tally) Merge(other *Tally, factor int64) {
	t.Count += other.Count * factor
	t.Ended += other.Ended * factor
	t.Approved += other.Approved * factor
	t.Requested += other.Requested * factor
	t.Final += other.Final * factor
	t.Delivered += other.Delivered * factor
	t.Failed += other.Failed * factor
	t.Decisions.Merge(other.Decisions, factor)
	t.Delays.Merge(other.Delays, factor)
}

// IsZero tells whether nothing was counted.
func (t *Tally) IsZero() bool { return t.Count == 0 }

// IsApproved tells whether the money of a payment in this status went where it should.
func (s Status) IsApproved() bool { return s == Completed || s == Success || s == Refunded }

// StatisticsFact is what statistics look at of a payment.
type StatisticsFact struct {
	Key        StatisticsKey
	Requested  int64
	Amount     int64
	CreatedAt  time.Time
	FinishedAt time.Time // zero: it has not ended
	Reports    []CallbackFact
}

// CallbackFact is what statistics look at of a callback.
type CallbackFact struct {
	State                 CallbackState
	CreatedAt, FinishedAt time.Time
}

// FactOf is what statistics look at of a payment with its callbacks.
func FactOf(p Payment, callbacks []Callback) StatisticsFact {
	f := StatisticsFact{
		Key: StatisticsKey{
			Method: p.Method, ProviderID: p.ProviderID, DealerID: p.DealerID, GatewayID: p.AtGate.GatewayID, Status: p.Status,
			Currency: p.Requested.Currency().Code,
		},
		Requested: p.Requested.Minor(), Amount: p.Amount.Minor(), CreatedAt: p.CreatedAt, FinishedAt: p.FinishedAt,
	}
	for _, c := range callbacks {
		f.Reports = append(f.Reports, CallbackFact{c.State, c.CreatedAt, c.FinishedAt})
	}
	return f
}

// Add counts a payment. How long a decision took is counted of what ended by one, and not by the clock.
func (t *Tally) Add(f StatisticsFact) {
	t.Count++
	t.Requested += f.Requested
	if !f.FinishedAt.IsZero() {
		t.Ended++
	}
	if !f.FinishedAt.IsZero() && f.Key.Status != Expired {
		t.Decisions.Add(f.FinishedAt.Sub(f.CreatedAt))
	}
	if f.Key.Status.IsApproved() {
		t.Approved++
		t.Final += f.Amount
	}
	for _, c := range f.Reports {
		switch c.State {
		case Delivered:
			t.Delivered++
			t.Delays.Add(c.FinishedAt.Sub(c.CreatedAt))
		case Undeliverable:
			t.Failed++
		case Waiting, Skipped:
		}
	}
}

// StatisticsQuery asks for statistics of the payments created in [From, Until), both of which begin an hour. Zero fields
// do not narrow.
type StatisticsQuery struct {
	Scope
	From, Until time.Time
	Method      Method
	ProviderID  int64
	GatewayID   int64
	GroupBy     []Dimension
	Interval    Interval
	Zone        *time.Location
}

// Matches tells whether payments of a key are asked for.
func (q StatisticsQuery) Matches(k StatisticsKey) bool {
	return q.Covers(k.DealerID) && (q.Method == "" || q.Method == k.Method) &&
		(q.ProviderID == 0 || q.ProviderID == k.ProviderID) && (q.GatewayID == 0 || q.GatewayID == k.GatewayID)
}

// StatisticsRow is the tally of some payments of one interval.
type StatisticsRow struct {
	At  time.Time // the interval's beginning, or From where the query asks for none
	Key StatisticsKey
	Tally
}
