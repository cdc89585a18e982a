package bunstore

import (
	"context"
	"errors"
	"iter"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/sync/errgroup"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

type statisticsRow struct {
	bun.BaseModel `bun:"table:statistics"`

	Span report.Interval `bun:"span,pk"`
	Dims dims            `bun:"dims,pk"`
	At   timestamp       `bun:"at,pk,type:timestamptz"`

	report.StatisticsKey // each of its fields is a column of the primary key

	Count     int64  `bun:"count"`
	Ended     int64  `bun:"ended"`
	Approved  int64  `bun:"approved"`
	Requested int64  `bun:"requested"`
	Final     int64  `bun:"final"`
	Corrected int64  `bun:"corrected"`
	Decisions string `bun:"decisions"`
	Delivered int64  `bun:"delivered"`
	Failed    int64  `bun:"failed"`
	Delays    string `bun:"delays"`
}

func statisticsRowOf(span report.Interval, at time.Time, d dims, k report.StatisticsKey, t *report.Tally) statisticsRow {
	return statisticsRow{
		Span: span, Dims: d, At: timestamp(at), StatisticsKey: k, Count: t.Count, Ended: t.Ended,
		Approved: t.Approved, Requested: t.Requested, Final: t.Final, Corrected: t.Corrected, Decisions: t.Decisions.String(),
		Delivered: t.Delivered, Failed: t.Failed, Delays: t.Delays.String(),
	}
}

func (r *statisticsRow) tally() (*report.Tally, error) {
	decisions, err := report.ParseLatencyHistogram(r.Decisions)
	delays, err2 := report.ParseLatencyHistogram(r.Delays)
	return &report.Tally{
		Count: r.Count, Ended: r.Ended, Approved: r.Approved, Requested: r.Requested, Final: r.Final, Corrected: r.Corrected,
		Decisions: decisions,
		Delivered: r.Delivered, Failed: r.Failed, Delays: delays,
	}, errors.Join(err, err2)
}

// factRow is a payment beside one of its callbacks, or beside nothing.
type factRow struct {
	ID core.ID
	report.StatisticsKey
	Requested     int64
	Amount        int64
	Corrected     int64
	CreatedAt     timestamp
	FinishedAt    timestamp
	CallbackID    core.ID
	CallbackState payment.CallbackStatus
	CallbackFrom  timestamp
	CallbackUntil timestamp
}

// factOf is what statistics look at of a payment: its rows differ by the callback.
func factOf(rows []factRow) report.StatisticsFact {
	r := &rows[0]
	f := report.StatisticsFact{
		Key: r.StatisticsKey, Requested: r.Requested, Amount: r.Amount, Corrected: r.Corrected, CreatedAt: time.Time(r.CreatedAt), FinishedAt: time.Time(r.FinishedAt),
	}
	for i := range rows {
		if c := &rows[i]; c.CallbackState != "" {
			f.Reports = append(f.Reports, report.CallbackFact{
				State: c.CallbackState, CreatedAt: time.Time(c.CallbackFrom), FinishedAt: time.Time(c.CallbackUntil),
			})
		}
	}
	return f
}

// stateRow is how far statistics are.
type stateRow struct {
	bun.BaseModel `bun:"table:statistics_state"`

	ID           int64     `bun:"id,pk"`
	Version      int64     `bun:"version"`
	Zone         string    `bun:"zone"`
	BuildingFrom timestamp `bun:"building_from,type:timestamptz"` // what was created before is counted; null: everything is
	ReadUntil    timestamp `bun:"read_until,type:timestamptz"`
	HoursFrom    timestamp `bun:"hours_from,type:timestamptz"`
}

// isBuilding reports whether there are payments that have never been counted.
func (s *stateRow) isBuilding() bool {
	return s.Zone == "" || !time.Time(s.BuildingFrom).IsZero()
}

// dims is a choice of dimensions. The status is always one.
type dims uint8

const (
	dimMethod dims = 1 << iota
	dimProvider
	dimDealer
	dimGateway
	dimSite

	allDims = dimMethod | dimProvider | dimDealer | dimGateway | dimSite
)

var dimOf = map[report.Dimension]dims{
	report.MethodDimension: dimMethod, report.ProviderDimension: dimProvider, report.DealerDimension: dimDealer,
	report.GatewayDimension: dimGateway, report.SiteDimension: dimSite,
}

// keptDims are the choices that have rows: all dimensions, and as many at a time as leave far fewer rows than payments.
// How many that are depends on how many payments an interval has.
func keptDims(span report.Interval) []dims {
	most := map[report.Interval]int{report.Hourly: 1, report.Daily: 2, report.Monthly: 3}[span]
	kept := []dims{allDims}
	for d := range allDims {
		if bits.OnesCount8(uint8(d)) <= most {
			kept = append(kept, d)
		}
	}
	return kept
}

func (d dims) only(k report.StatisticsKey) report.StatisticsKey {
	return k.Only(func(by report.Dimension) bool { return by == report.StatusDimension || d&dimOf[by] != 0 })
}

// dimsFor is the smallest choice with rows that tells apart what the query names.
func dimsFor(q report.StatisticsQuery, span report.Interval) dims {
	var needed dims
	for _, by := range q.GroupBy {
		needed |= dimOf[by]
	}
	for d, isAsked := range map[dims]bool{
		dimMethod: len(q.Methods) > 0, dimProvider: len(q.Providers) > 0, dimDealer: q.DealerID != 0, dimGateway: q.GatewayID != 0,
		dimSite: q.SiteID != 0,
	} {
		if isAsked {
			needed |= d
		}
	}
	kept := slices.DeleteFunc(keptDims(span), func(d dims) bool { return d&needed != needed })
	return slices.MinFunc(kept, func(a, b dims) int {
		return bits.OnesCount8(uint8(a)) - bits.OnesCount8(uint8(b))
	})
}

// stretch is a part of a range that is read from the rows of one length.
type stretch struct {
	span        report.Interval
	from, until time.Time
}

// stretchesOf covers a range with the longest spans that fit, none longer than the query's interval. What is behind now is
// empty: a range that ends there may be read with the month, or day, that goes on.
func stretchesOf(q report.StatisticsQuery, state stateRow) []stretch {
	spans := []report.Interval{report.Monthly, report.Daily, report.Hourly}
	for len(spans) > 1 && q.Interval != "" && spans[0] != q.Interval {
		spans = spans[1:]
	}
	until := q.Until
	if !state.isBuilding() && until.After(time.Time(state.ReadUntil).Add(statisticsOverlap)) {
		until = spans[0].After(spans[0].StartOf(until, q.Zone), q.Zone)
	}
	return cover(q.From, until, spans, q.Zone)
}

func cover(from, until time.Time, spans []report.Interval, zone *time.Location) []stretch {
	if !from.Before(until) {
		return nil
	}
	span := spans[0]
	if len(spans) == 1 {
		return []stretch{{span, from, until}}
	}
	begin, end := span.StartOf(from, zone), span.StartOf(until, zone)
	if begin.Before(from) {
		begin = span.After(begin, zone)
	}
	if !begin.Before(end) {
		return cover(from, until, spans[1:], zone)
	}
	return slices.Concat(cover(from, begin, spans[1:], zone), []stretch{{span, begin, end}}, cover(end, until, spans[1:], zone))
}

// Statistics implements ports.Reports. The stretches are read side by side.
func (s *Store) Statistics(ctx context.Context, q report.StatisticsQuery) ([]report.StatisticsRow, error) {
	const op = "bunstore.Statistics"
	state, err := s.statisticsState(ctx, s.reads)
	if err != nil {
		return nil, fail(op, err)
	}
	r := &statisticsReader{Store: s, query: q, left: q.MaxRead, sums: report.NewStatisticsSums(q)}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(stretchesAtOnce)
	for _, part := range stretchesOf(q, state) {
		if hoursFrom := time.Time(state.HoursFrom); part.span == report.Hourly && part.from.Before(hoursFrom) {
			from, end := part.from, earlier(part.until, hoursFrom) // these hours have no rows any more
			group.Go(func() error { return facts(ctx, s.reads, from, end, r.count) })
			part.from = end
		}
		group.Go(func() error { return r.read(ctx, part) })
	}
	if err := group.Wait(); err != nil {
		return nil, fail(op, err)
	}
	return r.sums.Rows(), nil
}

// stretchesAtOnce leaves most connections to others.
const stretchesAtOnce = 3

// statisticsReader answers one query.
type statisticsReader struct {
	*Store
	query report.StatisticsQuery

	adding sync.Mutex
	left   int // rows that may be read; 0 from the beginning: as many as there are
	sums   *report.StatisticsSums
}

// count adds a payment.
func (r *statisticsReader) count(f report.StatisticsFact) error {
	r.adding.Lock()
	defer r.adding.Unlock()
	r.sums.Count(f)
	return r.took(1)
}

// took is a fault once more was read than may be.
func (r *statisticsReader) took(rows int) error {
	if r.query.MaxRead == 0 {
		return nil
	}
	if r.left -= rows; r.left < 0 {
		return fault.New("bunstore.Statistics", fault.Invalid)
	}
	return nil
}

// read adds the rows of a stretch.
func (r *statisticsReader) read(ctx context.Context, part stretch) error {
	if !part.from.Before(part.until) {
		return nil
	}
	q := r.query
	var rows []statisticsRow
	read := r.reads.NewSelect().Model(&rows).Where("span = ? AND dims = ?", part.span, dimsFor(q, part.span)).
		Where("at >= ? AND at < ? AND count > 0", timestamp(part.from), timestamp(part.until))
	read = r.summed(read)
	read = whereAmong(whereAmong(read, "method", q.Methods), "provider_id", q.Providers)
	read = whereSet(whereSet(read, "dealer_id = ?", q.DealerID), "gateway_id = ?", q.GatewayID)
	read = whereSet(whereSet(read, "site_id = ?", q.SiteID), "currency = ?", q.Currency)
	if q.MaxRead > 0 {
		read = read.Limit(int64(q.MaxRead) + 1)
	}
	if err := read.Scan(ctx); err != nil {
		return err
	}
	tallies := make([]*report.Tally, len(rows))
	for i := range rows {
		var err error
		if tallies[i], err = rows[i].tally(); err != nil {
			return err
		}
	}
	r.adding.Lock()
	defer r.adding.Unlock()
	for i, t := range tallies {
		r.sums.Merge(time.Time(rows[i].At), rows[i].StatisticsKey, t)
	}
	return r.took(len(rows))
}

// summed has the database add up what the query does not tell apart.
func (r *statisticsReader) summed(read *bun.SelectQuery) *bun.SelectQuery {
	read = read.Column("currency").Group("currency")
	for by, column := range dimensionColumns {
		if slices.Contains(r.query.GroupBy, by) {
			read = read.Column(column).Group(column)
		}
	}
	if r.query.Interval != "" {
		read = read.Column("at").Group("at")
	}
	for _, column := range []string{"count", "ended", "approved", "requested", "final", "corrected", "delivered", "failed"} {
		read = read.ColumnExpr("CAST(sum(?) AS bigint) AS ?", bun.Ident(column), bun.Ident(column))
	}
	return read.ColumnExpr(r.dialect.joined("decisions") + " AS decisions").ColumnExpr(r.dialect.joined("delays") + " AS delays")
}

var dimensionColumns = map[report.Dimension]string{
	report.MethodDimension: "method", report.ProviderDimension: "provider_id", report.DealerDimension: "dealer_id",
	report.SiteDimension: "site_id", report.GatewayDimension: "gateway_id", report.StatusDimension: "status",
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func (s *Store) statisticsState(ctx context.Context, db bun.IDB) (stateRow, error) {
	var state stateRow
	return state, db.NewSelect().Model(&state).Where("id = 1").Scan(ctx)
}

// StatisticsUntil implements ports.Reports.
func (s *Store) StatisticsUntil(ctx context.Context) (time.Time, error) {
	state, err := s.statisticsState(ctx, s.reads)
	if err != nil || state.isBuilding() {
		return time.Time{}, fail("bunstore.StatisticsUntil", err)
	}
	return time.Time(state.ReadUntil), nil
}

// factsPage is how many payments one statement looks at.
const factsPage = 10_000

// factsOf reads payments with their callbacks that have ended, which are found for one payment after the other. To say of a range that
// the callbacks are within it, too, has them found once where PostgreSQL takes the range for short, and compared with each payment:
// of 18,000 that were taken for 76 no end was seen.
func factsOf(payments string) string {
	return `SELECT p.*, c.id AS callback_id, c.state AS callback_state, c.created_at AS callback_from, c.finished_at AS callback_until
FROM (SELECT id, method, status, provider_id, site_id, dealer_id, gateway_id, currency, COALESCE(requested_minor, 0) AS requested,
	COALESCE(amount_minor, 0) AS amount, COALESCE(corrected_minor, 0) AS corrected, created_at, finished_at
	FROM payments WHERE ` + payments + `) AS p
LEFT JOIN callbacks AS c ON c.payment_id = p.id AND c.finished_at IS NOT NULL ORDER BY p.id`
}

// byPayment are the rows of one payment after the other.
func byPayment(rows []factRow) iter.Seq[[]factRow] {
	return func(yield func([]factRow) bool) {
		for i := 0; i < len(rows); {
			end := i + 1
			for end < len(rows) && rows[end].ID == rows[i].ID {
				end++
			}
			if !yield(rows[i:end]) {
				return
			}
			i = end
		}
	}
}

// facts are of the payments that were created in a range, one after the other.
func facts(ctx context.Context, db bun.IDB, from, until time.Time, take func(report.StatisticsFact) error) error {
	next, _ := firstIDAt(from.Add(-maxPaymentDrift))
	last, ok := firstIDAt(until.Add(maxPaymentDrift))
	page := factsOf("id >= ?0 AND id < ?1 ORDER BY id LIMIT ?2")
	for ok {
		var rows []factRow
		if err := db.NewRaw(page, next, last, factsPage).Scan(ctx, &rows); err != nil {
			return err
		}
		count := 0
		for one := range byPayment(rows) {
			count++
			next = one[0].ID + "0"
			if f := factOf(one); !f.CreatedAt.Before(from) && f.CreatedAt.Before(until) {
				if err := take(f); err != nil {
					return err
				}
			}
		}
		ok = count == factsPage
	}
	return nil
}

// tallies are of one interval, by all dimensions.
type tallies map[report.StatisticsKey]*report.Tally

func (t tallies) of(k report.StatisticsKey) *report.Tally {
	if t[k] == nil {
		t[k] = &report.Tally{}
	}
	return t[k]
}

func (t tallies) merge(others tallies, factor int64) {
	for key, other := range others {
		t.of(key).Merge(other, factor)
	}
}

// place is an interval.
type place struct {
	span report.Interval
	at   time.Time // its beginning
}

// places are intervals with what is to be added to their rows.
type places map[place]tallies

func (p places) of(span report.Interval, at time.Time) tallies {
	to := place{span, at}
	if p[to] == nil {
		p[to] = tallies{}
	}
	return p[to]
}

// quarters are what is to be added to statistics, by the quarter of an hour in which payments were created: hours, days and
// months of every time zone are made of whole ones.
type quarters map[int64]tallies

func (q quarters) of(quarter int64) tallies {
	if q[quarter] == nil {
		q[quarter] = tallies{}
	}
	return q[quarter]
}

// add counts a payment, times a factor: -1 takes it away.
func (q quarters) add(f report.StatisticsFact, factor int64) {
	var t report.Tally
	t.Add(f)
	q.of(quarterOf(f.CreatedAt)).of(f.Key).Merge(&t, factor)
}

const quarterSeconds = 15 * 60

// quarterOf is the number of the quarter of an hour, from 1970, that a moment is in.
func quarterOf(at time.Time) int64 { return at.Unix() / quarterSeconds }

// startOf is when a quarter of an hour begins.
func startOf(quarter int64) time.Time { return time.Unix(quarter*quarterSeconds, 0).UTC() }
