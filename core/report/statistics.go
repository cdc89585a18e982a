package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// Dimension is what statistics are told apart by.
type Dimension string

// Dimensions.
const (
	MethodDimension   Dimension = "method"
	ProviderDimension Dimension = "provider"
	SiteDimension     Dimension = "site"
	DealerDimension   Dimension = "dealer"
	GatewayDimension  Dimension = "gateway"
	StatusDimension   Dimension = "status"
)

// Dimensions lists all dimensions.
func Dimensions() []Dimension {
	return []Dimension{MethodDimension, ProviderDimension, SiteDimension, DealerDimension, GatewayDimension, StatusDimension}
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

// IsInterval reports whether i is one of Intervals.
func (i Interval) IsInterval() bool { return slices.Contains(Intervals(), i) }

// StartOf is the beginning of the interval that a moment is in.
func (i Interval) StartOf(at time.Time, zone *time.Location) time.Time {
	switch i {
	case Hourly:
		start, _ := hourOf(at, zone)
		return start
	case Daily:
		start, _ := core.DayOf(at, zone).Bounds(zone)
		return start
	default:
		start, _ := core.Day(at.In(zone).Format("2006-01") + "-01").Bounds(zone)
		return start
	}
}

// After is the beginning of the next interval after one that begins at a moment.
func (i Interval) After(start time.Time, zone *time.Location) time.Time {
	switch i {
	case Hourly:
		_, end := hourOf(start, zone)
		return end
	case Daily:
		_, end := core.DayOf(start, zone).Bounds(zone)
		return end
	default:
		return Monthly.StartOf(Monthly.StartOf(start, zone).AddDate(0, 0, longestMonth+1), zone)
	}
}

const longestMonth = 31 // days

// hourOf is the hour of the zone's clock that a moment is in. Where the clock is changed an hour ends, and another
// begins: of an hour that comes twice each is one of its own, and one of them may be shorter.
func hourOf(at time.Time, zone *time.Location) (start, end time.Time) {
	local := at.In(zone)
	past := time.Duration(local.Minute())*time.Minute + time.Duration(local.Second())*time.Second +
		time.Duration(local.Nanosecond())
	start = local.Add(-past)
	end = start.Add(time.Hour)
	change, next := local.ZoneBounds()
	if !change.IsZero() && start.Before(change) {
		start = change
	}
	if !next.IsZero() && end.After(next) {
		end = next
	}
	return start.UTC(), end.UTC()
}

// StatisticsKey says of which payments a tally is. What they are not told apart by is zero.
type StatisticsKey struct {
	Method     payment.Method
	ProviderID int64
	SiteID     int64
	DealerID   int64
	GatewayID  int64
	Status     payment.Status
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
	if dims(SiteDimension) {
		kept.SiteID = k.SiteID
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

// IsDimension reports whether d is one of Dimensions.
func (d Dimension) IsDimension() bool { return slices.Contains(Dimensions(), d) }

// Compare orders keys by their dimensions.
func (k StatisticsKey) Compare(other StatisticsKey) int {
	return cmp.Or(
		cmp.Compare(k.Method, other.Method), cmp.Compare(k.ProviderID, other.ProviderID), cmp.Compare(k.SiteID, other.SiteID),
		cmp.Compare(k.DealerID, other.DealerID), cmp.Compare(k.GatewayID, other.GatewayID),
		cmp.Compare(k.Status, other.Status), cmp.Compare(k.Currency, other.Currency),
	)
}

// Tally is what statistics know of some payments.
type Tally struct {
	Count     int64
	Ended     int64
	Approved  int64 // ended with the money where it should go, whether given back afterwards or not
	Requested int64 // minor units, of all
	Final     int64 // minor units, of the approved
	Corrected int64 // minor units: what corrections of credits added to Final, or took when it is negative
	Decisions LatencyHistogram
	Delivered int64 // callbacks
	Failed    int64 // callbacks that were given up
	Delays    LatencyHistogram
}

// Merge adds another tally, times a factor: -1 takes it away.
func (t *Tally) Merge(other *Tally, factor int64) {
	t.Count += other.Count * factor
	t.Ended += other.Ended * factor
	t.Approved += other.Approved * factor
	t.Requested += other.Requested * factor
	t.Final += other.Final * factor
	t.Corrected += other.Corrected * factor
	t.Delivered += other.Delivered * factor
	t.Failed += other.Failed * factor
	t.Decisions.Merge(other.Decisions, factor)
	t.Delays.Merge(other.Delays, factor)
}

// IsZero reports whether it adds nothing to another.
func (t *Tally) IsZero() bool {
	return t.Count == 0 && t.Ended == 0 && t.Approved == 0 && t.Requested == 0 && t.Final == 0 && t.Corrected == 0 &&
		t.Delivered == 0 && t.Failed == 0 && len(t.Decisions) == 0 && len(t.Delays) == 0
}

// StatisticsFact is what statistics look at of a payment.
type StatisticsFact struct {
	Key        StatisticsKey
	Requested  int64
	Amount     int64
	Corrected  int64
	CreatedAt  time.Time
	FinishedAt time.Time // zero: it has not ended
	Reports    []CallbackFact
}

// CallbackFact is what statistics look at of a callback.
type CallbackFact struct {
	State                 payment.CallbackStatus
	CreatedAt, FinishedAt time.Time
}

// FactOf is what statistics look at of a payment with its callbacks.
func FactOf(p payment.Payment, callbacks []payment.Callback) StatisticsFact {
	f := StatisticsFact{
		Key: StatisticsKey{
			Method: p.Method, ProviderID: p.ProviderID, SiteID: p.SiteID, DealerID: p.DealerID, GatewayID: p.Gateway.GatewayID,
			Status: p.Status, Currency: p.RequestedAmount.Currency().Code,
		},
		Requested: p.RequestedAmount.Minor(), Amount: p.Amount.Minor(), Corrected: p.CorrectedAmount.Minor(), CreatedAt: p.CreatedAt, FinishedAt: p.FinishedAt,
	}
	for _, c := range callbacks {
		f.Reports = append(f.Reports, CallbackFact{c.Status, c.CreatedAt, c.FinishedAt})
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
	if !f.FinishedAt.IsZero() && f.Key.Status != payment.Expired {
		t.Decisions.Add(f.FinishedAt.Sub(f.CreatedAt))
	}
	if f.Key.Status.IsApproved() {
		t.Approved++
		t.Final += f.Amount
		t.Corrected += f.Corrected
	}
	for _, c := range f.Reports {
		switch c.State {
		case payment.Delivered:
			t.Delivered++
			t.Delays.Add(c.FinishedAt.Sub(c.CreatedAt))
		case payment.Undeliverable:
			t.Failed++
		case payment.Waiting, payment.Skipped, payment.Superseded:
		}
	}
}

// HoursOfStatistics is for how long back hours are told apart quickly. Older ones are counted anew for who asks.
const HoursOfStatistics = 35 * 24 * time.Hour

// StatisticsQuery asks for statistics of the payments created in [From, Until), both of which begin an hour. Zero fields
// do not narrow. Faults of what reads it: Invalid, where more than MaxRead rows would be read (0: no bound).
type StatisticsQuery struct {
	From, Until time.Time
	Methods     []payment.Method
	Providers   []int64
	SiteID      int64
	DealerID    int64
	GatewayID   int64
	Currency    string
	GroupBy     []Dimension
	Interval    Interval // empty: the whole range at once
	Zone        *time.Location
	MaxRead     int
}

// Within is the query of what lies in a scope: who may see one dealer only asks about that one, or about nothing.
func (q StatisticsQuery) Within(s core.Scope) StatisticsQuery {
	q.DealerID = within(q.DealerID, s.DealerID)
	switch {
	case s.ProviderID == 0:
	case len(q.Providers) == 0 || slices.Contains(q.Providers, s.ProviderID):
		q.Providers = []int64{s.ProviderID}
	default:
		q.Providers = []int64{nobody}
	}
	return q
}

// nobody is no id.
const nobody = -1

// within is whom a question may be about: all that is asked for, if nobody is set.
func within(asked, only int64) int64 {
	switch {
	case only == 0 || asked == only:
		return asked
	case asked == 0:
		return only
	default:
		return nobody
	}
}

// Matches reports whether payments of a key are asked for.
func (q StatisticsQuery) Matches(k StatisticsKey) bool {
	return (len(q.Methods) == 0 || slices.Contains(q.Methods, k.Method)) &&
		(len(q.Providers) == 0 || slices.Contains(q.Providers, k.ProviderID)) &&
		(q.SiteID == 0 || q.SiteID == k.SiteID) && (q.DealerID == 0 || q.DealerID == k.DealerID) && (q.GatewayID == 0 || q.GatewayID == k.GatewayID) &&
		(q.Currency == "" || q.Currency == k.Currency)
}

// StatisticsRow is the tally of some payments of one interval.
type StatisticsRow struct {
	At  time.Time // the interval's beginning, or From where the query asks for none
	Key StatisticsKey
	Tally
}

// StatisticsSums puts tallies together as a query asks for.
type StatisticsSums struct {
	query  StatisticsQuery
	sums   map[time.Time]map[StatisticsKey]*Tally
	begins map[time.Time]time.Time // of the interval that an hour is in
}

// NewStatisticsSums has no rows yet.
func NewStatisticsSums(q StatisticsQuery) *StatisticsSums {
	return &StatisticsSums{
		query: q, sums: map[time.Time]map[StatisticsKey]*Tally{}, begins: map[time.Time]time.Time{},
	}
}

// Count counts a payment, if it is asked for.
func (s *StatisticsSums) Count(f StatisticsFact) {
	if q := s.query; q.Matches(f.Key) && !f.CreatedAt.Before(q.From) && f.CreatedAt.Before(q.Until) {
		s.of(f.CreatedAt, f.Key).Add(f)
	}
}

// Merge adds what is known of the payments of a key that were created in an interval from a moment on.
func (s *StatisticsSums) Merge(at time.Time, k StatisticsKey, t *Tally) { s.of(at, k).Merge(t, 1) }

func (s *StatisticsSums) of(at time.Time, k StatisticsKey) *Tally {
	begin := s.begin(at)
	k = k.Only(func(d Dimension) bool { return slices.Contains(s.query.GroupBy, d) })
	k.Status = k.Status.Common()
	if s.sums[begin] == nil {
		s.sums[begin] = map[StatisticsKey]*Tally{}
	}
	if s.sums[begin][k] == nil {
		s.sums[begin][k] = &Tally{}
	}
	return s.sums[begin][k]
}

func (s *StatisticsSums) begin(at time.Time) time.Time {
	if s.query.Interval == "" {
		return s.query.From.UTC()
	}
	hour := Hourly.StartOf(at, s.query.Zone)
	begin, ok := s.begins[hour]
	if !ok {
		begin = s.query.Interval.StartOf(hour, s.query.Zone)
		s.begins[hour] = begin
	}
	return begin
}

// Rows are the sums by interval, and then by key.
func (s *StatisticsSums) Rows() []StatisticsRow {
	var rows []StatisticsRow
	for at, byKey := range s.sums {
		for k, t := range byKey {
			rows = append(rows, StatisticsRow{At: at, Key: k, Tally: *t})
		}
	}
	slices.SortFunc(rows, func(a, b StatisticsRow) int { return cmp.Or(a.At.Compare(b.At), a.Key.Compare(b.Key)) })
	return rows
}
