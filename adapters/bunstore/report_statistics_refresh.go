package bunstore

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
)

const (
	// statisticsOverlap is how long a commit may take from the moment that its rows have, and how far the clocks of
	// processes may differ: what changed so shortly before is looked at again.
	statisticsOverlap = 5 * time.Minute
	// maxReadAhead bounds what one refresh takes in after a long pause.
	maxReadAhead = time.Hour

	recountBatch    = 16   // intervals of one transaction
	statisticsBatch = 1000 // rows of one INSERT
)

// RefreshStatistics implements ports.Reports. First each day is counted, from the oldest payment on. From then on the
// hours of payments that have changed are counted again, and the difference to what was known is added to the day and the
// month. What is counted is read page by page, outside of any transaction: what changes meanwhile was changed after now,
// so that the next refresh looks at it again. Then one transaction writes what came of it, and how far statistics are.
func (s *Store) RefreshStatistics(ctx context.Context, zone *time.Location, now time.Time) (more bool, err error) {
	const op = "bunstore.RefreshStatistics"
	state, err := s.statisticsState(ctx, s.reads)
	if err != nil {
		return false, fail(op, err)
	}
	r := &refresh{Store: s, state: state, zone: zone, now: now}
	if more, err = r.step(ctx); fault.Is(err, fault.Conflict) {
		return false, nil // another process is at it
	}
	return more, fail(op, err)
}

// ForgetStatistics implements ports.Reports.
func (s *Store) ForgetStatistics(ctx context.Context) error {
	const op = "bunstore.ForgetStatistics"
	state, err := s.statisticsState(ctx, s.reads)
	if err != nil {
		return fail(op, err)
	}
	r := &refresh{Store: s, state: state}
	return fail(op, r.beginAt(ctx, stateRow{}))
}

// refresh is one step.
type refresh struct {
	*Store
	state stateRow
	zone  *time.Location
	now   time.Time
}

func (r *refresh) step(ctx context.Context) (more bool, err error) {
	switch {
	case r.state.Zone != r.zone.String():
		return true, r.begin(ctx)
	case time.Time(r.state.HoursFrom).Before(r.hoursFrom()):
		return true, r.dropHours(ctx)
	case r.state.isBuilding():
		return true, r.buildDay(ctx)
	default:
		return r.readOn(ctx)
	}
}

// save ends a step: the state is as it is now, and do is done, or nothing of both. Fault: Conflict, if another process
// has ended a step meanwhile.
func (r *refresh) save(ctx context.Context, do func(context.Context, bun.Tx) error) error {
	known := r.state.Version
	r.state.Version++
	return r.writes.RunInTx(ctx, &sql.TxOptions{}, func(ctx context.Context, tx bun.Tx) error {
		done, err := tx.NewUpdate().Model(&r.state).Where("id = 1 AND version = ?", known).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return fault.E("bunstore.save", fault.Conflict, err)
		}
		return do(ctx, tx)
	})
}

// begin starts anew, at the day of the oldest payment.
func (r *refresh) begin(ctx context.Context) error {
	first := r.now
	var rows []struct{ CreatedAt timestamp }
	if err := r.reads.NewRaw("SELECT created_at FROM payments ORDER BY id LIMIT 1").Scan(ctx, &rows); err != nil {
		return err
	}
	if len(rows) > 0 {
		first = earlier(first, time.Time(rows[0].CreatedAt))
	}
	return r.beginAt(ctx, stateRow{
		Zone: r.zone.String(), BuiltUntil: timestamp(report.Daily.StartOf(first.Add(-maxPaymentDrift), r.zone)),
		ReadUntil: timestamp(r.now), HoursFrom: timestamp(r.hoursFrom()),
	})
}

func (r *refresh) beginAt(ctx context.Context, state stateRow) error {
	state.ID, state.Version = 1, r.state.Version
	r.state = state
	return r.save(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.ExecContext(ctx, r.dialect.empty("statistics"))
		return err
	})
}

func (r *refresh) hoursFrom() time.Time {
	return report.Daily.StartOf(r.now.Add(-report.HoursOfStatistics), r.zone)
}

// dropHours has one more day without hours. Those of the days before it are taken away: whoever reads at this moment may
// still need the day's own.
func (r *refresh) dropHours(ctx context.Context) error {
	day := r.state.HoursFrom
	r.state.HoursFrom = timestamp(report.Daily.After(time.Time(day), r.zone))
	return r.save(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewDelete().Model((*statisticsRow)(nil)).Where("span = ? AND dims IN (?) AND at < ?",
			report.Hourly, bun.List(keptDims(report.Hourly)), day).Exec(ctx)
		return err
	})
}

// buildDay counts the next day for the first time. With its last day a month is added up.
func (r *refresh) buildDay(ctx context.Context) error {
	day := time.Time(r.state.BuiltUntil)
	next, month := report.Daily.After(day, r.zone), report.Monthly.StartOf(day, r.zone)
	fresh := places{}
	today, keepsHours := fresh.of(report.Daily, day), !day.Before(time.Time(r.state.HoursFrom))
	err := r.facts(ctx, day, next, func(f report.StatisticsFact) error {
		today.of(f.Key).Add(f)
		if keepsHours {
			fresh.of(report.Hourly, report.Hourly.StartOf(f.CreatedAt, r.zone)).of(f.Key).Add(f)
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.state.BuiltUntil = timestamp(next)
	if !report.Monthly.StartOf(next, r.zone).Equal(month) || !r.state.isBuilding() {
		if err := r.addDays(ctx, fresh.of(report.Monthly, month), month, day); err != nil {
			return err
		}
		fresh.of(report.Monthly, month).merge(today, 1)
	}
	return r.save(ctx, func(ctx context.Context, tx bun.Tx) error {
		for to, sums := range fresh {
			if err := r.write(ctx, tx, to, byChoice(to.span, sums)); err != nil {
				return err
			}
		}
		return nil
	})
}

// addDays adds up what is known of days.
func (r *refresh) addDays(ctx context.Context, sum tallies, from, until time.Time) error {
	for day := from; day.Before(until); day = report.Daily.After(day, r.zone) {
		known, err := r.known(ctx, report.Daily, day)
		if err != nil {
			return err
		}
		sum.merge(known, 1)
	}
	return nil
}

// readOn counts again what has changed since the last time.
func (r *refresh) readOn(ctx context.Context) (more bool, err error) {
	reached := time.Time(r.state.ReadUntil)
	until, err := r.readUntil(ctx, reached)
	if err != nil {
		return false, err
	}
	more = until.Before(r.now)
	changed, err := r.changed(ctx, reached.Add(-statisticsOverlap), until.Add(statisticsOverlap))
	if err != nil {
		return false, err
	}
	for batch := range slices.Chunk(changed, recountBatch) {
		if err := r.recount(ctx, batch); err != nil {
			return false, err
		}
	}
	r.state.ReadUntil = timestamp(until)
	if built := report.Daily.After(until, r.zone); built.After(time.Time(r.state.BuiltUntil)) {
		r.state.BuiltUntil = timestamp(built)
	}
	return more, r.save(ctx, func(context.Context, bun.Tx) error { return nil })
}

// firstChange is when something changed first from a moment on.
const firstChange = `SELECT min(at) AS at FROM (SELECT min(updated_at) AS at FROM payments WHERE updated_at >= ?0
	UNION ALL SELECT min(finished_at) FROM callbacks WHERE finished_at IS NOT NULL AND finished_at >= ?0) AS changes`

// readUntil is how far a refresh reads on: to now, or not much further than to the first change after a long pause. A clock
// that is behind takes nothing back.
func (r *refresh) readUntil(ctx context.Context, reached time.Time) (time.Time, error) {
	if r.now.Before(reached) {
		return reached, nil
	}
	if !reached.Add(maxReadAhead).Before(r.now) {
		return r.now, nil
	}
	var next struct{ At timestamp }
	if err := r.reads.NewRaw(firstChange, timestamp(reached)).Scan(ctx, &next); err != nil || time.Time(next.At).IsZero() {
		return r.now, err
	}
	return earlier(r.now, time.Time(next.At).Add(maxReadAhead)), nil
}

// quarterSeconds: the hours of every time zone begin with a quarter of an hour.
const quarterSeconds = 15 * 60

// changed are the hours in which payments were created that have changed, or whose callbacks have; where hours are not
// kept, the days.
func (r *refresh) changed(ctx context.Context, from, until time.Time) ([]place, error) {
	quarter := r.dialect.quarterOf("p.created_at")
	var quarters []int64
	err := r.reads.NewRaw("SELECT "+quarter+" FROM payments AS p WHERE p.updated_at >= ?0 AND p.updated_at < ?1"+
		" UNION SELECT "+quarter+" FROM callbacks AS c JOIN "+r.dialect.paymentOf("c.payment_id")+
		" WHERE c.finished_at IS NOT NULL AND c.finished_at >= ?0 AND c.finished_at < ?1", timestamp(from), timestamp(until)).
		Scan(ctx, &quarters)
	slices.Sort(quarters)
	var all []place
	for _, quarter := range quarters {
		at, span := time.Unix(quarter*quarterSeconds, 0), report.Hourly
		if at.Before(time.Time(r.state.HoursFrom)) {
			span = report.Daily
		}
		all = append(all, place{span, span.StartOf(at, r.zone)})
	}
	return slices.Compact(all), err
}

// recount counts intervals again.
func (r *refresh) recount(ctx context.Context, batch []place) error {
	changes := places{}
	for _, at := range batch {
		change, err := r.changeOf(ctx, at)
		if err != nil {
			return err
		}
		changes.of(at.span, at.at).merge(change, 1)
		if at.span == report.Hourly {
			changes.of(report.Daily, report.Daily.StartOf(at.at, r.zone)).merge(change, 1)
		}
		changes.of(report.Monthly, report.Monthly.StartOf(at.at, r.zone)).merge(change, 1)
	}
	maps.DeleteFunc(changes, func(_ place, t tallies) bool { return len(t) == 0 })
	if len(changes) == 0 {
		return nil
	}
	return r.save(ctx, func(ctx context.Context, tx bun.Tx) error {
		for to, change := range changes {
			if err := r.add(ctx, tx, to, change); err != nil {
				return err
			}
		}
		return nil
	})
}

// changeOf is what an interval has become, less what is known of it.
func (r *refresh) changeOf(ctx context.Context, at place) (tallies, error) {
	change := tallies{}
	err := r.facts(ctx, at.at, at.span.After(at.at, r.zone), func(f report.StatisticsFact) error {
		change.of(f.Key).Add(f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	known, err := r.known(ctx, at.span, at.at)
	change.merge(known, -1)
	maps.DeleteFunc(change, func(_ report.StatisticsKey, t *report.Tally) bool { return t.IsZero() })
	return change, err
}

// known are the tallies that an interval has, by all dimensions.
func (r *refresh) known(ctx context.Context, span report.Interval, at time.Time) (tallies, error) {
	var rows []statisticsRow
	err := r.reads.NewSelect().Model(&rows).Where("span = ? AND dims = ? AND at = ?", span, allDims, timestamp(at)).Scan(ctx)
	if err != nil { // some rows may have come: what is missing would be counted a second time
		return nil, err
	}
	all := tallies{}
	for i := range rows {
		if all[rows[i].StatisticsKey], err = rows[i].tally(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// choiceKey is a key among those of a choice of dimensions.
type choiceKey struct {
	dims dims
	report.StatisticsKey
}

// byChoice adds up tallies in every choice of dimensions that has rows.
func byChoice(span report.Interval, all tallies) map[choiceKey]*report.Tally {
	sums, kept := map[choiceKey]*report.Tally{}, keptDims(span)
	for key, t := range all {
		for _, d := range kept {
			to := choiceKey{d, d.only(key)}
			if sums[to] == nil {
				sums[to] = &report.Tally{}
			}
			sums[to].Merge(t, 1)
		}
	}
	return sums
}

// add adds a change to the rows of an interval: to those that it is about, as a month has tens of thousands.
func (r *refresh) add(ctx context.Context, tx bun.Tx, to place, change tallies) error {
	sums := byChoice(to.span, change)
	for keys := range slices.Chunk(slices.Collect(maps.Keys(sums)), statisticsBatch) {
		var rows []statisticsRow
		if err := tx.NewSelect().Model(&rows).Where("span = ? AND at = ?", to.span, timestamp(to.at)).
			Where("(dims, method, provider_id, site_id, dealer_id, gateway_id, status, currency) IN (VALUES ?)", listOf(keys)).
			Scan(ctx); err != nil {
			return err
		}
		for i := range rows {
			t, err := rows[i].tally()
			if err != nil {
				return err
			}
			sums[choiceKey{rows[i].Dims, rows[i].StatisticsKey}].Merge(t, 1)
		}
	}
	return r.write(ctx, tx, to, sums)
}

func listOf(keys []choiceKey) bun.ListValues {
	rows := make([]bun.TupleValues, len(keys))
	for i, k := range keys {
		rows[i] = bun.Tuple([]any{k.dims, k.Method, k.ProviderID, k.SiteID, k.DealerID, k.GatewayID, k.Status, k.Currency})
	}
	return bun.List(rows)
}

// write writes the rows of an interval, in the order that they are read in: those of one choice lie beside each other.
func (r *refresh) write(ctx context.Context, tx bun.Tx, to place, sums map[choiceKey]*report.Tally) error {
	rows := make([]statisticsRow, 0, len(sums))
	for key, sum := range sums {
		rows = append(rows, statisticsRowOf(to.span, to.at, key.dims, key.StatisticsKey, sum))
	}
	slices.SortFunc(rows, func(a, b statisticsRow) int {
		return cmp.Or(cmp.Compare(a.Dims, b.Dims), a.Compare(b.StatisticsKey))
	})
	for chunk := range slices.Chunk(rows, statisticsBatch) {
		_, err := tx.NewInsert().Model(&chunk).
			On("CONFLICT (span, dims, at, method, provider_id, site_id, dealer_id, gateway_id, status, currency) DO UPDATE").
			Set("count = excluded.count, ended = excluded.ended, approved = excluded.approved").
			Set("requested = excluded.requested, final = excluded.final, corrected = excluded.corrected").
			Set("decisions = excluded.decisions").
			Set("delivered = excluded.delivered, failed = excluded.failed, delays = excluded.delays").Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}
