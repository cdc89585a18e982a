package bunstore

import (
	"cmp"
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

const (
	// statisticsOverlap is how far the clocks of processes may differ.
	statisticsOverlap = 5 * time.Minute

	buildStep   = 50_000 // payments that a step of building counts, when a day has as many
	createdStep = 20_000 // rows of created payments that one step takes in
	changedStep = 5_000  // changes that one step takes in, and what else there is of the last one's payment

	statisticsBatch = 1000 // rows of one INSERT
)

// RefreshStatistics implements ports.Reports. First each day is counted, from the oldest payment on. From then on what has
// changed is added to the hours, days and months in which the payments were created. Triggers write it down, in the
// transaction that changes it. One transaction, which sees the database as it is at one moment, takes their rows away, adds what
// they mean, and says how far statistics are: what a commit changes is counted once, whenever the commit becomes visible.
func (s *Store) RefreshStatistics(ctx context.Context, zone *time.Location, now time.Time) (more bool, err error) {
	const op = "bunstore.RefreshStatistics"
	state, err := s.statisticsState(ctx, s.reads)
	if err != nil {
		return false, fail(op, err)
	}
	r := &refresh{Store: s, state: state, zone: zone, now: now}
	more, err = r.step(ctx)
	if err = fail(op, err); fault.Is(err, fault.Conflict) {
		return false, nil // another process is at it
	}
	return more, err
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
		return true, r.build(ctx)
	default:
		return r.readOn(ctx)
	}
}

// save is a step: what do does and the state that it leaves, or nothing of both. All that it reads is of one moment. Fault:
// Conflict, if another process has ended a step meanwhile.
func (r *refresh) save(ctx context.Context, do func(context.Context, bun.Tx) error) error {
	return r.background.RunInTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead}, func(ctx context.Context, tx bun.Tx) error {
		var version int64
		if err := tx.NewRaw("SELECT version FROM statistics_state WHERE id = 1"+r.dialect.lock()).Scan(ctx, &version); err != nil {
			return err
		}
		if version != r.state.Version {
			return fault.New("bunstore.save", fault.Conflict)
		}
		if err := do(ctx, tx); err != nil {
			return err
		}
		r.state.Version++
		_, err := tx.NewUpdate().Model(&r.state).Where("id = 1").Exec(ctx)
		return err
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
		Zone: r.zone.String(), BuildingFrom: timestamp(report.Daily.StartOf(first.Add(-maxPaymentDrift), r.zone)),
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

// build counts the payments of the next day, or of a part of it, for the first time. What triggers have written down of them by now
// is in what is counted. With its last day a month is added up.
func (r *refresh) build(ctx context.Context) error {
	from := time.Time(r.state.BuildingFrom)
	return r.save(ctx, func(ctx context.Context, tx bun.Tx) error {
		until, err := r.buildUntil(ctx, tx, from)
		if err != nil {
			return err
		}
		counted := quarters{}
		err = facts(ctx, tx, from, until, func(f report.StatisticsFact) error {
			counted.add(f, 1)
			return nil
		})
		if err != nil {
			return err
		}
		if err := forgetChanges(ctx, tx, from, until); err != nil {
			return err
		}
		if err := r.add(ctx, tx, counted, report.Hourly, report.Daily); err != nil {
			return err
		}
		r.state.BuildingFrom = timestamp(until)
		if until.After(r.now.Add(maxPaymentDrift)) { // of what was created later the triggers have written down everything
			r.state.BuildingFrom = timestamp{}
		}
		if month := report.Monthly.StartOf(from, r.zone); !r.state.isBuilding() || !report.Monthly.StartOf(until, r.zone).Equal(month) {
			return r.buildMonth(ctx, tx, month, until)
		}
		return nil
	})
}

// buildMonth adds up the days of a month.
func (r *refresh) buildMonth(ctx context.Context, tx bun.Tx, month, until time.Time) error {
	sum := tallies{}
	for day := month; day.Before(until); day = report.Daily.After(day, r.zone) {
		var rows []statisticsRow
		if err := tx.NewSelect().Model(&rows).Where("span = ? AND dims = ? AND at = ?", report.Daily, allDims, timestamp(day)).Scan(ctx); err != nil {
			return err
		}
		for i := range rows {
			t, err := rows[i].tally()
			if err != nil {
				return err
			}
			sum.of(rows[i].StatisticsKey).Merge(t, 1)
		}
	}
	return r.write(ctx, tx, place{report.Monthly, month}, byChoice(report.Monthly, sum))
}

// buildUntil ends a part of a day: with the quarter of an hour in which buildStep payments are reached, or with the day.
func (r *refresh) buildUntil(ctx context.Context, tx bun.Tx, from time.Time) (time.Time, error) {
	first, _ := firstIDAt(from)
	var rows []struct{ CreatedAt timestamp }
	err := tx.NewRaw("SELECT created_at FROM payments WHERE id >= ? ORDER BY id LIMIT 1 OFFSET ?", first, buildStep).Scan(ctx, &rows)
	until := report.Daily.After(from, r.zone)
	for _, row := range rows {
		until = earlier(until, startOf(max(quarterOf(time.Time(row.CreatedAt)), quarterOf(from)+1)))
	}
	return until, err
}

// forgetChanges takes away what triggers have written down of payments that were created in a range.
func forgetChanges(ctx context.Context, tx bun.Tx, from, until time.Time) error {
	if _, err := tx.NewRaw("DELETE FROM statistics_created WHERE quarter >= ? AND quarter < ?", quarterOf(from), quarterOf(until)).Exec(ctx); err != nil {
		return err
	}
	first, _ := firstIDAt(from.Add(-maxPaymentDrift))
	last, _ := firstIDAt(until.Add(maxPaymentDrift))
	for _, forget := range []string{
		"DELETE FROM statistics_payments_before WHERE payment_id >= ?0 AND payment_id < ?1 AND created_at >= ?2 AND created_at < ?3",
		`DELETE FROM statistics_callbacks_before WHERE payment_id >= ?0 AND payment_id < ?1 AND EXISTS (SELECT 1 FROM payments AS p
			WHERE p.id = statistics_callbacks_before.payment_id AND p.created_at >= ?2 AND p.created_at < ?3)`,
	} {
		if _, err := tx.NewRaw(forget, first, last, timestamp(from), timestamp(until)).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// readOn takes in what has changed since the last time, some of it at a time.
func (r *refresh) readOn(ctx context.Context) (more bool, err error) {
	return more, r.save(ctx, func(ctx context.Context, tx bun.Tx) error {
		changes := quarters{}
		moreCreated, err := r.takeCreated(ctx, tx, changes)
		if err != nil {
			return err
		}
		moreChanged, err := takeChanged(ctx, tx, changes)
		if err != nil {
			return err
		}
		more = moreCreated || moreChanged
		if !more && r.now.After(time.Time(r.state.ReadUntil)) { // a clock that is behind takes nothing back
			r.state.ReadUntil = timestamp(r.now)
		}
		return r.add(ctx, tx, changes, report.Intervals()...)
	})
}

// createdRow is payments that were created within a quarter of an hour.
type createdRow struct {
	Quarter int64
	report.StatisticsKey
	Count, Requested int64
}

// takeCreated takes in payments that were created, in whatever order.
func (r *refresh) takeCreated(ctx context.Context, tx bun.Tx, changes quarters) (more bool, err error) {
	var rows []createdRow
	row := r.dialect.rowID()
	err = tx.NewRaw("DELETE FROM statistics_created WHERE "+row+" IN (SELECT "+row+" FROM statistics_created LIMIT ?) RETURNING *", createdStep).
		Scan(ctx, &rows)
	for i := range rows {
		changes.of(rows[i].Quarter).of(rows[i].StatisticsKey).Merge(&report.Tally{Count: rows[i].Count, Requested: rows[i].Requested}, 1)
	}
	return len(rows) == createdStep, err
}

// lastChanged is the payment of the last of so many changes: all changes of a payment are taken in together.
const lastChanged = `SELECT COALESCE(min(payment_id), '') AS id FROM (
	SELECT payment_id FROM (SELECT payment_id FROM statistics_payments_before ORDER BY payment_id LIMIT 1 OFFSET ?0) AS p
	UNION ALL
	SELECT payment_id FROM (SELECT payment_id FROM statistics_callbacks_before ORDER BY payment_id LIMIT 1 OFFSET ?0) AS c) AS ends`

// takeChanged takes in what payments and their callbacks are now, and takes away what they were when they were counted.
func takeChanged(ctx context.Context, tx bun.Tx, changes quarters) (more bool, err error) {
	var last core.ID
	if err := tx.NewRaw(lastChanged, changedStep).Scan(ctx, &last); err != nil {
		return false, err
	}
	among := ""
	if more = last != ""; more {
		among = " WHERE payment_id <= ?"
	}
	var payments []paymentBefore
	if err := tx.NewRaw("DELETE FROM statistics_payments_before"+among+" RETURNING *", last).Scan(ctx, &payments); err != nil {
		return false, err
	}
	var callbacks []callbackBefore
	if err := tx.NewRaw("DELETE FROM statistics_callbacks_before"+among+" RETURNING *", last).Scan(ctx, &callbacks); err != nil {
		return false, err
	}
	counted := countedOf(payments, callbacks)
	if len(counted) == 0 {
		return false, nil
	}
	var rows []factRow
	if err := tx.NewRaw(factsOf("id IN (?)"), bun.List(slices.Collect(maps.Keys(counted)))).Scan(ctx, &rows); err != nil {
		return false, err
	}
	for now := range byPayment(rows) {
		changes.add(factOf(now), 1)
		if before, ok := counted[now[0].ID].fact(now); ok {
			changes.add(before, -1)
		}
	}
	return more, nil
}

// paymentBefore is what a payment was before a change.
type paymentBefore struct {
	PaymentID core.ID
	Version   int64
	report.StatisticsKey
	Requested, Amount, Corrected int64
	CreatedAt, FinishedAt        timestamp
}

// callbackBefore is what a callback was before a change.
type callbackBefore struct {
	PaymentID, CallbackID core.ID
	Version               int64
	State                 payment.CallbackStatus
	CreatedAt, FinishedAt timestamp
}

// countedPayment is what a payment and its callbacks were when they were counted, as far as they have changed since.
type countedPayment struct {
	payment   *paymentBefore // nil: as it is now
	callbacks map[core.ID]*callbackBefore
}

// countedOf finds what was counted: what was before the oldest of the changes.
func countedOf(payments []paymentBefore, callbacks []callbackBefore) map[core.ID]*countedPayment {
	counted := map[core.ID]*countedPayment{}
	of := func(id core.ID) *countedPayment {
		if counted[id] == nil {
			counted[id] = &countedPayment{callbacks: map[core.ID]*callbackBefore{}}
		}
		return counted[id]
	}
	for i := range payments {
		p := &payments[i]
		if c := of(p.PaymentID); c.payment == nil || p.Version < c.payment.Version {
			c.payment = p
		}
	}
	for i := range callbacks {
		b := &callbacks[i]
		if c := of(b.PaymentID); c.callbacks[b.CallbackID] == nil || b.Version < c.callbacks[b.CallbackID].Version {
			c.callbacks[b.CallbackID] = b
		}
	}
	return counted
}

// fact is what was counted of a payment that is now as its rows say; false: it was not.
func (c *countedPayment) fact(now []factRow) (report.StatisticsFact, bool) {
	rows := slices.Clone(now)
	for i := range rows {
		if c.callbacks[rows[i].CallbackID] != nil {
			rows[i].CallbackState = ""
		}
	}
	f := factOf(rows)
	for _, b := range c.callbacks {
		f.Reports = append(f.Reports, report.CallbackFact{State: b.State, CreatedAt: time.Time(b.CreatedAt), FinishedAt: time.Time(b.FinishedAt)})
	}
	if p := c.payment; p != nil {
		f.Key, f.Requested, f.Amount, f.Corrected = p.StatisticsKey, p.Requested, p.Amount, p.Corrected
		f.CreatedAt, f.FinishedAt = time.Time(p.CreatedAt), time.Time(p.FinishedAt)
	}
	return f, f.Key.Status != ""
}

// add adds changes to intervals of some lengths: to hours where they are kept.
func (r *refresh) add(ctx context.Context, tx bun.Tx, changes quarters, spans ...report.Interval) error {
	sums := places{}
	for quarter, change := range changes {
		at := startOf(quarter)
		for _, span := range spans {
			if span != report.Hourly || !at.Before(time.Time(r.state.HoursFrom)) {
				sums.of(span, span.StartOf(at, r.zone)).merge(change, 1)
			}
		}
	}
	for to, sum := range sums {
		maps.DeleteFunc(sum, func(_ report.StatisticsKey, t *report.Tally) bool { return t.IsZero() })
		if err := r.addTo(ctx, tx, to, sum); err != nil {
			return err
		}
	}
	return nil
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

// addTo adds a change to the rows of an interval: to those that it is about, as a month has tens of thousands.
func (r *refresh) addTo(ctx context.Context, tx bun.Tx, to place, change tallies) error {
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
