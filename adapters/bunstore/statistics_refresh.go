package bunstore

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

const (
	// statisticsOverlap is how long a commit may take from the moment that its rows have, and how far the clocks of
	// processes may differ: what changed so shortly before is looked at again.
	statisticsOverlap = 5 * time.Minute
	// maxReadAhead bounds what one refresh takes in after a long pause.
	maxReadAhead = 6 * time.Hour
	// hoursKept is for how long hours have rows of their own.
	hoursKept = 35 * 24 * time.Hour

	statisticsBatch = 1000 // rows of one INSERT
)

// tallies are of one interval, by all dimensions.
type tallies map[core.StatisticsKey]*core.Tally

func talliesOf(facts []core.StatisticsFact) tallies {
	all := tallies{}
	for _, f := range facts {
		if all[f.Key] == nil {
			all[f.Key] = core.NewTally()
		}
		all[f.Key].Add(f)
	}
	return all
}

// less takes others away.
func (t tallies) less(others tallies) tallies {
	for key, other := range others {
		if t[key] == nil {
			t[key] = core.NewTally()
		}
		t[key].Merge(other, -1)
	}
	return t
}

// RefreshStatistics implements ports.Statistics. First each day is counted, from the oldest payment on. From then on the
// hours of payments that have changed are counted again, and the difference to what was known is added to the day and the
// month. Each step is a transaction that holds the state, so that two processes take turns.
func (s *Store) RefreshStatistics(ctx context.Context, zone *time.Location, now time.Time) (more bool, err error) {
	const op = "bunstore.RefreshStatistics"
	err = s.inStatistics(ctx, func(r *refresh) (err error) {
		r.zone, r.now = zone, now
		more, err = r.step(ctx)
		return err
	})
	return more, fail(op, err)
}

// ForgetStatistics implements ports.Statistics.
func (s *Store) ForgetStatistics(ctx context.Context) error {
	return fail("bunstore.ForgetStatistics", s.inStatistics(ctx, func(r *refresh) error { return r.forget(ctx) }))
}

// refresh is one step.
type refresh struct {
	*Store
	tx    bun.Tx
	state stateRow
	zone  *time.Location
	now   time.Time
}

func (s *Store) inStatistics(ctx context.Context, do func(*refresh) error) error {
	return s.writes.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE statistics_state SET id = 1 WHERE id = 1"); err != nil {
			return err
		}
		state, err := s.statisticsState(ctx, tx)
		if err != nil {
			return err
		}
		r := &refresh{Store: s, tx: tx, state: state}
		if err := do(r); err != nil {
			return err
		}
		_, err = tx.NewUpdate().Model(&r.state).WherePK().Exec(ctx)
		return err
	})
}

func (r *refresh) forget(ctx context.Context) error {
	r.state = stateRow{ID: 1}
	_, err := r.tx.ExecContext(ctx, "DELETE FROM statistics WHERE span <> ''")
	return err
}

func (r *refresh) step(ctx context.Context) (more bool, err error) {
	if r.state.Zone != r.zone.String() {
		if err := r.begin(ctx); err != nil {
			return false, err
		}
	}
	if err := r.dropHours(ctx); err != nil {
		return false, err
	}
	if built := time.Time(r.state.BuiltUntil); built.Before(core.Daily.StartOf(r.now, r.zone)) || built.Equal(core.Daily.StartOf(r.now, r.zone)) && r.isBuilding() {
		return true, r.buildDay(ctx)
	}
	return r.readOn(ctx)
}

// isBuilding tells whether today has not been counted as a whole.
func (r *refresh) isBuilding() bool {
	return time.Time(r.state.BuiltUntil).Before(time.Time(r.state.ReadUntil))
}

// begin starts anew, at the day of the oldest payment.
func (r *refresh) begin(ctx context.Context) error {
	if err := r.forget(ctx); err != nil {
		return err
	}
	first := r.now
	var rows []struct{ CreatedAt stamp }
	if err := r.tx.NewRaw("SELECT created_at FROM payments ORDER BY id LIMIT 1").Scan(ctx, &rows); err != nil {
		return err
	}
	if len(rows) > 0 && time.Time(rows[0].CreatedAt).Before(first) {
		first = time.Time(rows[0].CreatedAt)
	}
	day := core.Daily.StartOf(first.Add(-maxPaymentDrift), r.zone)
	r.state = stateRow{
		ID: 1, Zone: r.zone.String(), BuiltUntil: stamp(day), ReadUntil: stamp(r.now),
		HoursFrom: stamp(core.Daily.StartOf(r.now.Add(-hoursKept), r.zone)),
	}
	return nil
}

// dropHours forgets the hours that are not kept any more, a day later than it might, so that it happens once a day.
func (r *refresh) dropHours(ctx context.Context) error {
	from := core.Daily.StartOf(r.now.Add(-hoursKept), r.zone)
	if !time.Time(r.state.HoursFrom).Before(from) {
		return nil
	}
	_, err := r.tx.ExecContext(ctx, "DELETE FROM statistics WHERE span = ? AND at < ?", core.Hourly, stamp(from))
	r.state.HoursFrom = stamp(from)
	return err
}

// buildDay counts the next day for the first time.
func (r *refresh) buildDay(ctx context.Context) error {
	day := time.Time(r.state.BuiltUntil)
	next := core.Daily.After(day, r.zone)
	facts, err := r.facts(ctx, r.tx, day, next)
	if err != nil {
		return err
	}
	if !day.Before(time.Time(r.state.HoursFrom)) {
		byHour := map[time.Time][]core.StatisticsFact{}
		for _, f := range facts {
			hour := core.Hourly.StartOf(f.CreatedAt, r.zone)
			byHour[hour] = append(byHour[hour], f)
		}
		for hour, facts := range byHour {
			if err := r.apply(ctx, core.Hourly, hour, talliesOf(facts)); err != nil {
				return err
			}
		}
	}
	r.state.BuiltUntil = stamp(next)
	return r.applyToDay(ctx, day, talliesOf(facts))
}

// readOn counts again what has changed since the last time.
func (r *refresh) readOn(ctx context.Context) (more bool, err error) {
	from := time.Time(r.state.ReadUntil).Add(-statisticsOverlap)
	until := r.now
	if ahead := time.Time(r.state.ReadUntil).Add(maxReadAhead); ahead.Before(until) {
		until, more = ahead, true
	}
	quarters, err := r.touched(ctx, from, until.Add(statisticsOverlap))
	if err != nil {
		return false, err
	}
	done := map[time.Time]bool{}
	for _, quarter := range quarters {
		at := core.Hourly.StartOf(time.Unix(quarter*quarterSeconds, 0), r.zone)
		if at.Before(time.Time(r.state.HoursFrom)) {
			at = core.Daily.StartOf(at, r.zone)
		}
		if done[at] {
			continue
		}
		done[at] = true
		if err := r.recount(ctx, at); err != nil {
			return false, err
		}
	}
	r.state.ReadUntil = stamp(until)
	if built := core.Daily.After(core.Daily.StartOf(until, r.zone), r.zone); built.After(time.Time(r.state.BuiltUntil)) {
		r.state.BuiltUntil = stamp(built)
	}
	return more, nil
}

// quarterSeconds: the hours of every time zone begin with a quarter of an hour.
const quarterSeconds = 15 * 60

// touched are the quarters of an hour in which payments were created that have changed, or whose callbacks have.
func (r *refresh) touched(ctx context.Context, from, until time.Time) ([]int64, error) {
	quarter := r.dialect.quarterOf("p.created_at")
	var quarters []int64
	err := r.tx.NewRaw("SELECT DISTINCT "+quarter+" FROM payments AS p WHERE p.updated_at >= ?0 AND p.updated_at < ?1"+
		" UNION SELECT DISTINCT "+quarter+" FROM callbacks AS c JOIN "+r.dialect.paymentOf("c.payment_id")+
		" WHERE c.finished_at IS NOT NULL AND c.finished_at >= ?0 AND c.finished_at < ?1", stamp(from), stamp(until)).
		Scan(ctx, &quarters)
	return quarters, err
}

// recount counts an hour again, or a day whose hours are not kept.
func (r *refresh) recount(ctx context.Context, at time.Time) error {
	span := core.Hourly
	if at.Before(time.Time(r.state.HoursFrom)) {
		span = core.Daily
	}
	facts, err := r.facts(ctx, r.tx, at, span.After(at, r.zone))
	if err != nil {
		return err
	}
	known, err := r.known(ctx, span, at)
	if err != nil {
		return err
	}
	change := talliesOf(facts).less(known)
	maps.DeleteFunc(change, func(_ core.StatisticsKey, t *core.Tally) bool { return isUnchanged(t) })
	if len(change) == 0 {
		return nil
	}
	if span == core.Hourly {
		if err := r.apply(ctx, core.Hourly, at, change); err != nil {
			return err
		}
	}
	return r.applyToDay(ctx, core.Daily.StartOf(at, r.zone), change)
}

func isUnchanged(t *core.Tally) bool {
	return t.Count == 0 && t.Ended == 0 && t.Approved == 0 && t.Requested == 0 && t.Final == 0 && t.Delivered == 0 &&
		t.Failed == 0 && len(t.Decisions) == 0 && len(t.Delays) == 0
}

// known are the tallies that an interval has, by all dimensions.
func (r *refresh) known(ctx context.Context, span core.Interval, at time.Time) (tallies, error) {
	rows, err := r.rowsOf(ctx, span, at, "dims = ?", allDims)
	all := tallies{}
	for i := range rows {
		if all[rows[i].key()], err = rows[i].tally(); err != nil {
			return nil, err
		}
	}
	return all, err
}

func (r *refresh) rowsOf(ctx context.Context, span core.Interval, at time.Time, where string, args ...any) ([]statisticsRow, error) {
	var rows []statisticsRow
	err := r.tx.NewSelect().Model(&rows).Where("span = ? AND at = ?", span, stamp(at)).Where(where, args...).Scan(ctx)
	return rows, err
}

func (r *refresh) applyToDay(ctx context.Context, day time.Time, change tallies) error {
	if err := r.apply(ctx, core.Daily, day, change); err != nil {
		return err
	}
	return r.apply(ctx, core.Monthly, core.Monthly.StartOf(day, r.zone), change)
}

// apply adds a change to the rows of an interval, in every choice of dimensions that is kept.
func (r *refresh) apply(ctx context.Context, span core.Interval, at time.Time, change tallies) error {
	type place struct {
		dims dims
		key  core.StatisticsKey
	}
	kept := keptDims(span)
	sums := map[place]*core.Tally{}
	for key, t := range change {
		for _, d := range kept {
			to := place{d, d.only(key)}
			if sums[to] == nil {
				sums[to] = core.NewTally()
			}
			sums[to].Merge(t, 1)
		}
	}
	rows, err := r.rowsOf(ctx, span, at, "dims IN (?)", bun.List(kept))
	if err != nil {
		return err
	}
	for i := range rows {
		sum := sums[place{rows[i].Dims, rows[i].key()}]
		if sum == nil {
			continue
		}
		t, err := rows[i].tally()
		if err != nil {
			return err
		}
		sum.Merge(t, 1)
	}
	changed := make([]statisticsRow, 0, len(sums))
	for to, sum := range sums {
		changed = append(changed, statisticsRowOf(span, at, to.dims, to.key, sum))
	}
	return r.save(ctx, changed)
}

func (r *refresh) save(ctx context.Context, rows []statisticsRow) error {
	for chunk := range slices.Chunk(rows, statisticsBatch) {
		_, err := r.tx.NewInsert().Model(&chunk).
			On("CONFLICT (span, dims, at, method, provider_id, dealer_id, gateway_id, status, currency) DO UPDATE").
			Set("count = excluded.count, ended = excluded.ended, approved = excluded.approved").
			Set("requested = excluded.requested, final = excluded.final, decisions = excluded.decisions").
			Set("delivered = excluded.delivered, failed = excluded.failed, delays = excluded.delays").Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}
