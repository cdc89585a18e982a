package report

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Bounds of a question, so that it is answered at once.
const (
	maxHourlyDays = 31
	maxDailyDays  = 732 // two years
	maxDays       = 20 * 366
	maxOldDays    = 3      // by the hour, of when hours are counted anew
	maxRead       = 60_000 // rows
	maxRows       = 10_000

	maxAskedProviders = 100
)

// Statistics keeps statistics of payments up to date, and answers what staff ask of them.
type Statistics struct {
	Reports   ports.Reports
	Directory ports.Directory
	Clock     ports.Clock
	Time      ports.TimeCheck // nil: the clock is always right
	Zone      *time.Location  // in which hours, days and months begin
	Log       *slog.Logger
}

// Answer is what was asked for.
type Answer struct {
	From, Until  time.Time // whole hours
	Zone         *time.Location
	CountedUntil time.Time // everything that was committed before is in; zero: they are being built
	Rows         []report.StatisticsRow
	Ends         []time.Time // of each row's interval
	Providers    map[int64]owner.Provider
	Dealers      map[int64]owner.Dealer
	Sites        map[int64]owner.Site
}

// Statistics answers staff, within their scope. The range is widened to whole hours. Fault Invalid: a dimension, interval
// or method is none, the range is empty or too long, or the answer would be.
func (s *Statistics) Statistics(ctx context.Context, member staff.Staff, q report.StatisticsQuery) (Answer, error) {
	const op = "statistics.Statistics"
	if err := member.Require(staff.ReadStatistics); err != nil {
		return Answer{}, err
	}
	q.Zone = s.Zone
	if err := s.check(member, q); err != nil {
		return Answer{}, fault.E(op, "", err)
	}
	q = widened(q).Within(member.Scope())
	q.MaxRead = maxRead
	until, err := s.Reports.StatisticsUntil(ctx) // before the rows: they are at least as new
	if err != nil {
		return Answer{}, fault.E(op, "", err)
	}
	rows, err := s.Reports.Statistics(ctx, q)
	if fault.Is(err, fault.Invalid) || err == nil && len(rows) > maxRows {
		return Answer{}, tooMany(op)
	}
	if err != nil {
		return Answer{}, fault.E(op, "", err)
	}
	answer := Answer{From: q.From, Until: q.Until, Zone: s.Zone, CountedUntil: until, Rows: rows}
	answer.end(q)
	return answer, s.nameOwners(ctx, &answer)
}

func tooMany(op string) error {
	var form core.Form
	form.Fail("by", "field.rows")
	return form.Err(op)
}

// check holds a question to its bounds. Who works for a provider, and at which gateway, is not for its staff: they can neither tell
// payments apart by it nor narrow them to it. Faults: Forbidden, Invalid.
func (s *Statistics) check(member staff.Staff, q report.StatisticsQuery) error {
	isInside := func(d report.Dimension) bool { return d == report.DealerDimension || d == report.GatewayDimension }
	if !member.SeesInside() && (q.DealerID != 0 || q.GatewayID != 0 || slices.ContainsFunc(q.GroupBy, isInside)) {
		return fault.New("statistics.check", fault.Forbidden)
	}
	var form core.Form
	if !q.From.Before(q.Until) {
		form.Fail("until", "field.later", "from")
	} else if last := s.lastOf(q); q.Until.After(last) {
		form.Fail("until", "field.range", last.UTC().Format(time.RFC3339))
	}
	if q.Interval != "" && !q.Interval.IsInterval() {
		form.Fail("per", "field.choice", fmt.Sprint(report.Intervals()))
	}
	isStrange := func(d report.Dimension) bool { return !d.IsDimension() }
	if len(q.GroupBy) > len(report.Dimensions()) || slices.ContainsFunc(q.GroupBy, isStrange) {
		form.Fail("by", "field.choice", fmt.Sprint(report.Dimensions()))
	}
	isOther := func(m payment.Method) bool { return !slices.Contains(payment.Methods(), m) }
	if len(q.Methods) > len(payment.Methods()) || slices.ContainsFunc(q.Methods, isOther) {
		form.Fail("method", "field.choice", fmt.Sprint(payment.Methods()))
	}
	if len(q.Providers) > maxAskedProviders {
		form.Fail("providerId", "field.items", maxAskedProviders)
	}
	return form.Err("statistics.check")
}

// lastOf is the latest end that a range with this beginning may have.
func (s *Statistics) lastOf(q report.StatisticsQuery) time.Time {
	days := maxDays
	switch {
	case q.Interval == report.Hourly && q.From.Before(s.Clock.Now().Add(-report.HoursOfStatistics)):
		days = maxOldDays
	case q.Interval == report.Hourly:
		days = maxHourlyDays
	case q.Interval == report.Daily:
		days = maxDailyDays
	}
	return q.From.In(s.Zone).AddDate(0, 0, days)
}

// widened begins and ends with an hour.
func widened(q report.StatisticsQuery) report.StatisticsQuery {
	q.From = report.Hourly.StartOf(q.From, q.Zone)
	if start := report.Hourly.StartOf(q.Until, q.Zone); start.Equal(q.Until) {
		q.Until = start
	} else {
		q.Until = report.Hourly.After(q.Until, q.Zone)
	}
	return q
}

func (a *Answer) end(q report.StatisticsQuery) {
	ends := map[time.Time]time.Time{}
	for i := range a.Rows {
		at := a.Rows[i].At
		end, ok := ends[at]
		if !ok {
			if end = q.Until; q.Interval != "" {
				end = q.Interval.After(at, q.Zone)
			}
			ends[at] = end
		}
		a.Ends = append(a.Ends, end)
	}
}

func (s *Statistics) nameOwners(ctx context.Context, a *Answer) error {
	var providers, dealers, sites []int64
	for i := range a.Rows {
		sites = append(sites, a.Rows[i].Key.SiteID)
		providers = append(providers, a.Rows[i].Key.ProviderID)
		dealers = append(dealers, a.Rows[i].Key.DealerID)
	}
	var err error
	if a.Providers, a.Dealers, err = ownersNamed(ctx, s.Directory, providers, dealers); err == nil {
		a.Sites, err = named(ctx, sites, s.sitesByID, func(s owner.Site) int64 { return s.ID })
	}
	return fault.E("statistics.nameOwners", "", err)
}

// ownersNamed reads providers and dealers by id.
func ownersNamed(
	ctx context.Context, from ports.Directory, providerIDs, dealerIDs []int64,
) (providers map[int64]owner.Provider, dealers map[int64]owner.Dealer, err error) {
	providers, err = named(ctx, providerIDs, from.ProvidersByID, func(p owner.Provider) int64 { return p.ID })
	if err == nil {
		dealers, err = named(ctx, dealerIDs, from.DealersByID, func(d owner.Dealer) int64 { return d.ID })
	}
	return providers, dealers, err
}

// named reads those that have an id.
func named[T any](
	ctx context.Context, ids []int64, read func(context.Context, []int64) ([]T, error), idOf func(T) int64,
) (map[int64]T, error) {
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id int64) bool { return id == 0 })
	all := map[int64]T{}
	if len(ids) == 0 {
		return all, nil
	}
	rows, err := read(ctx, ids)
	for _, row := range rows {
		all[idOf(row)] = row
	}
	return all, err
}

// sitesByID reads sites one by one: the directory keeps them.
func (s *Statistics) sitesByID(ctx context.Context, ids []int64) (sites []owner.Site, err error) {
	for _, id := range ids {
		site, err := s.Directory.Site(ctx, id)
		if err != nil {
			return nil, err
		}
		sites = append(sites, site)
	}
	return sites, nil
}
