package bunstore

import (
	"context"
	"math/bits"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

// dims is a choice of dimensions. The status is always one.
type dims int64

const (
	dimMethod dims = 1 << iota
	dimProvider
	dimDealer
	dimGateway

	allDims = dimMethod | dimProvider | dimDealer | dimGateway
)

var dimOf = map[core.Dimension]dims{
	core.MethodDimension: dimMethod, core.ProviderDimension: dimProvider, core.DealerDimension: dimDealer,
	core.GatewayDimension: dimGateway,
}

// keptDims are the choices that have rows: nothing, each, every two, and all. Of hours there are none of two, of which
// there would be more than payments.
func keptDims(span core.Interval) []dims {
	most := 2
	if span == core.Hourly {
		most = 1
	}
	kept := []dims{allDims}
	for d := range allDims {
		if bits.OnesCount64(uint64(d)) <= most {
			kept = append(kept, d)
		}
	}
	return kept
}

func (d dims) only(k core.StatisticsKey) core.StatisticsKey {
	return k.Only(func(by core.Dimension) bool { return by == core.StatusDimension || d&dimOf[by] != 0 })
}

// dimsFor is the smallest choice with rows that tells apart what the query names.
func dimsFor(q core.StatisticsQuery, span core.Interval) dims {
	var needed dims
	for _, by := range q.GroupBy {
		needed |= dimOf[by]
	}
	for d, isAsked := range map[dims]bool{
		dimMethod: q.Method != "", dimProvider: q.ProviderID != 0, dimDealer: q.DealerID != 0, dimGateway: q.GatewayID != 0,
	} {
		if isAsked {
			needed |= d
		}
	}
	kept := slices.DeleteFunc(keptDims(span), func(d dims) bool { return d&needed != needed })
	return slices.MinFunc(kept, func(a, b dims) int {
		return bits.OnesCount64(uint64(a)) - bits.OnesCount64(uint64(b))
	})
}

// stretch is a part of a range that is read from the rows of one length.
type stretch struct {
	span        core.Interval
	from, until time.Time
}

// stretchesOf covers a range with the longest spans that fit, none longer than the query's interval.
func stretchesOf(q core.StatisticsQuery) []stretch {
	spans := []core.Interval{core.Monthly, core.Daily, core.Hourly}
	for len(spans) > 1 && q.Interval != "" && spans[0] != q.Interval {
		spans = spans[1:]
	}
	return cover(q.From, q.Until, spans, q.Zone)
}

func cover(from, until time.Time, spans []core.Interval, zone *time.Location) []stretch {
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

// Statistics implements ports.Statistics.
func (s *Store) Statistics(ctx context.Context, q core.StatisticsQuery) ([]core.StatisticsRow, error) {
	const op = "bunstore.Statistics"
	state, err := s.statisticsState(ctx, s.reads)
	if err != nil {
		return nil, fail(op, err)
	}
	statSums := newSums(q)
	for _, part := range stretchesOf(q) {
		if err := s.addStretch(ctx, statSums, part, time.Time(state.HoursFrom)); err != nil {
			return nil, fail(op, err)
		}
	}
	return statSums.rows(), nil
}

// addStretch adds the rows of a stretch. Hours that are not kept any more are counted from the payments.
func (s *Store) addStretch(ctx context.Context, statSums *statSums, part stretch, hoursFrom time.Time) error {
	if part.span == core.Hourly && part.from.Before(hoursFrom) {
		until := part.until
		if hoursFrom.Before(until) {
			until = hoursFrom
		}
		facts, err := s.facts(ctx, s.reads, part.from, until)
		if err != nil {
			return err
		}
		for _, f := range facts {
			statSums.addFact(f)
		}
		part.from = until
	}
	if !part.from.Before(part.until) {
		return nil
	}
	var rows []statisticsRow
	read := s.reads.NewSelect().Model(&rows).Where("span = ? AND dims = ?", part.span, dimsFor(statSums.query, part.span)).
		Where("at >= ? AND at < ? AND count > 0", stamp(part.from), stamp(part.until))
	q := statSums.query
	read = whereSet(whereSet(read, "method = ?", q.Method), "provider_id = ?", q.ProviderID)
	read = whereSet(whereSet(read, "dealer_id = ?", q.DealerID), "gateway_id = ?", q.GatewayID)
	if err := read.Scan(ctx); err != nil {
		return err
	}
	for i := range rows {
		t, err := rows[i].tally()
		if err != nil {
			return err
		}
		statSums.add(time.Time(rows[i].At), rows[i].key(), t)
	}
	return nil
}

func (s *Store) statisticsState(ctx context.Context, db bun.IDB) (stateRow, error) {
	var state stateRow
	return state, db.NewSelect().Model(&state).Where("id = 1").Scan(ctx)
}

// StatisticsUpTo implements ports.Statistics.
func (s *Store) StatisticsUpTo(ctx context.Context) (time.Time, error) {
	state, err := s.statisticsState(ctx, s.reads)
	if err != nil || time.Time(state.BuiltUntil).IsZero() || time.Time(state.BuiltUntil).Before(time.Time(state.ReadUntil)) {
		return time.Time{}, fail("bunstore.StatisticsUpTo", err)
	}
	return time.Time(state.ReadUntil), nil
}

// statSums puts tallies together as a query asks for.
type statSums struct {
	query   core.StatisticsQuery
	tallies map[time.Time]map[core.StatisticsKey]*core.Tally
}

func newSums(q core.StatisticsQuery) *statSums {
	return &statSums{query: q, tallies: map[time.Time]map[core.StatisticsKey]*core.Tally{}}
}

func (s *statSums) of(at time.Time, key core.StatisticsKey) *core.Tally {
	begin := s.query.From
	if s.query.Interval != "" {
		begin = s.query.Interval.StartOf(at, s.query.Zone)
	}
	key = key.Only(func(d core.Dimension) bool { return slices.Contains(s.query.GroupBy, d) })
	byKey := s.tallies[begin]
	if byKey == nil {
		byKey = map[core.StatisticsKey]*core.Tally{}
		s.tallies[begin] = byKey
	}
	if byKey[key] == nil {
		byKey[key] = core.NewTally()
	}
	return byKey[key]
}

func (s *statSums) add(at time.Time, key core.StatisticsKey, t *core.Tally) { s.of(at, key).Merge(t, 1) }

func (s *statSums) addFact(f core.StatisticsFact) {
	if s.query.Matches(f.Key) {
		s.of(f.CreatedAt, f.Key).Add(f)
	}
}

func (s *statSums) rows() []core.StatisticsRow {
	var rows []core.StatisticsRow
	for at, byKey := range s.tallies {
		for key, t := range byKey {
			rows = append(rows, core.StatisticsRow{At: at.UTC(), Key: key, Tally: *t})
		}
	}
	slices.SortFunc(rows, func(a, b core.StatisticsRow) int {
		if order := a.At.Compare(b.At); order != 0 {
			return order
		}
		return a.Key.Compare(b.Key)
	})
	return rows
}

const factsOf = `SELECT p.id, p.method, p.status, p.provider_id, p.dealer_id, p.gateway_id, p.currency,
	COALESCE(p.requested_minor, 0) AS requested, COALESCE(p.amount_minor, 0) AS amount, p.created_at, p.finished_at,
	c.state AS callback_state, c.created_at AS callback_from, c.finished_at AS callback_until
FROM payments AS p LEFT JOIN callbacks AS c ON c.payment_id = p.id
WHERE p.id >= ? AND p.id < ? AND p.created_at >= ? AND p.created_at < ? ORDER BY p.id`

// facts are of the payments that were created in a range.
func (s *Store) facts(ctx context.Context, db bun.IDB, from, until time.Time) ([]core.StatisticsFact, error) {
	first, _ := firstIDAt(from.Add(-maxPaymentDrift))
	last, ok := firstIDAt(until.Add(maxPaymentDrift))
	if !ok {
		return nil, nil
	}
	var rows []factRow
	if err := db.NewRaw(factsOf, first, last, stamp(from), stamp(until)).Scan(ctx, &rows); err != nil {
		return nil, err
	}
	var all []core.StatisticsFact
	for i := range rows {
		if i == 0 || rows[i].ID != rows[i-1].ID {
			all = append(all, rows[i].fact())
		}
		if r := &rows[i]; r.CallbackState != "" {
			f := &all[len(all)-1]
			f.Reports = append(f.Reports, core.CallbackFact{
				State: r.CallbackState, CreatedAt: time.Time(r.CallbackFrom), FinishedAt: time.Time(r.CallbackUntil),
			})
		}
	}
	return all, nil
}
