package bunstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
)

// incrementsWalk changes payments and callbacks at random, in transactions that become visible in another order than they began,
// while two processes keep statistics.
type incrementsWalk struct {
	*testing.T
	random     *rand.Rand
	stores     []*bunstore.Store
	db         *sql.DB
	isPostgres bool
	zone       *time.Location
	now        time.Time

	payments, callbacks []string
	sequence            map[string]int
	open                []openChange
	held                map[string]bool // rows that open transactions have changed
	brokenOff           int
}

// openChange is a transaction that nobody else sees yet.
type openChange struct {
	tx   *sql.Tx
	rows []string
	keep func() // what there is once it has committed
}

// at writes a moment as the database has it.
func (w *incrementsWalk) at(t time.Time) string {
	if t.IsZero() {
		return "NULL"
	}
	if w.isPostgres {
		return fmt.Sprintf("'%s'", t.UTC().Format("2006-01-02 15:04:05.999999+00"))
	}
	return fmt.Sprint(t.UnixMicro())
}

func (w *incrementsWalk) pick(of ...string) string { return of[w.random.IntN(len(of))] }

// free is one of the rows that no open transaction has changed.
func (w *incrementsWalk) free(of []string) (row string, ok bool) {
	rest := slices.DeleteFunc(slices.Clone(of), func(id string) bool { return w.held[id] })
	if len(rest) == 0 {
		return "", false
	}
	return rest[w.random.IntN(len(rest))], true
}

// ended is when what is in a state ended; a zero time where it has not.
func (w *incrementsWalk) ended(state string) time.Time {
	if slices.Contains([]string{"pending", "processing", "waiting"}, state) {
		return time.Time{}
	}
	return w.now
}

// change is one statement of a transaction.
func (w *incrementsWalk) change(c *openChange) {
	w.Helper()
	var statement, row string
	switch kind := w.random.IntN(8); {
	case kind < 2 || len(w.payments) == 0:
		created := w.now.Add(-time.Duration(w.random.Int64N(int64(50 * 24 * time.Hour)))).Truncate(time.Microsecond)
		ids, err := core.NewIDs(created, strings.NewReader(strings.Repeat(fmt.Sprintf("%08d", w.random.IntN(1e8)), 10)))
		if err != nil {
			w.Fatal(err)
		}
		row = string(ids.Next())
		status := w.pick("pending", "pending", "pending", "rejected", "completed")
		statement = fmt.Sprintf(`INSERT INTO payments (id, version, tracking_code, token_fingerprint, method, status, provider_id, site_id, site_name, dealer_id,
			user_id, key_id, personal, language, currency, requested_minor, amount_minor, is_iban_suspect, account_id, account_bank, account_holder,
			account_iban, account_day, held_minor, details, gateway_id, operation_id, reason, created_at, updated_at, finished_at)
			VALUES ('%s', 1, '%[1]s', '', 'eiban_withdrawal', '%s', %d, 1, '', 1, '', '', '', 'tr', 'TRY', %d, 5, false, 0, '', '', '', '', NULL, '', 0, '', '', %s, %s, %s)`,
			row, status, 1+w.random.IntN(2), w.random.IntN(1000), w.at(created), w.at(w.now), w.at(w.ended(status)))
		before := c.keep
		c.keep = func() { before(); w.payments = append(w.payments, row) }
	case kind < 5:
		id, ok := w.free(w.payments)
		if !ok {
			return
		}
		row = id
		status := w.pick("pending", "processing", "completed", "rejected", "refunded", "expired")
		statement = fmt.Sprintf("UPDATE payments SET version = version + 1, status = '%s', gateway_id = %d, amount_minor = %d, corrected_minor = %d, finished_at = %s WHERE id = '%s'",
			status, w.random.IntN(3), w.random.IntN(1000), w.random.IntN(9)-4, w.at(w.ended(status)), row)
	case kind < 6 || len(w.callbacks) == 0:
		of := w.payments[w.random.IntN(len(w.payments))]
		w.sequence[of]++
		row = fmt.Sprintf("%s-%d", of, w.sequence[of])
		state := w.pick("waiting", "waiting", "delivered")
		statement = fmt.Sprintf(`INSERT INTO callbacks (id, version, payment_id, provider_id, site_id, kind, receiver, state, payload, attempts, next_attempt_at,
			created_at, finished_at, sequence, key_id, personal) VALUES ('%s', 1, '%s', 1, 1, 'deposit', 'r', '%s', '{}', 0, %s, %s, %s, %d, '', '')`,
			row, of, state, w.at(w.now), w.at(w.now.Add(-time.Minute)), w.at(w.ended(state)), w.sequence[of])
		before := c.keep
		c.keep = func() { before(); w.callbacks = append(w.callbacks, row) }
	default:
		id, ok := w.free(w.callbacks)
		if !ok {
			return
		}
		row = id
		state := w.pick("delivered", "delivered", "failed", "skipped", "waiting")
		statement = fmt.Sprintf("UPDATE callbacks SET version = version + 1, state = '%s', attempts = attempts + 1, next_attempt_at = %s, finished_at = %s WHERE id = '%s'",
			state, w.at(w.now), w.at(w.ended(state)), row)
	}
	if _, err := c.tx.ExecContext(w.Context(), statement); err != nil {
		w.Fatalf("%s: %v", statement, err)
	}
	w.held[row] = true
	c.rows = append(c.rows, row)
}

// begin changes something, which stays open.
func (w *incrementsWalk) begin() {
	w.Helper()
	tx, err := w.db.BeginTx(w.Context(), nil)
	if err != nil {
		w.Fatal(err)
	}
	c := openChange{tx: tx, keep: func() {}}
	for range 1 + w.random.IntN(3) {
		w.change(&c)
	}
	w.open = append(w.open, c)
}

// end commits one of the open transactions, or takes it back.
func (w *incrementsWalk) end() {
	w.Helper()
	i := w.random.IntN(len(w.open))
	c := w.open[i]
	w.open = slices.Delete(w.open, i, i+1)
	for _, row := range c.rows {
		delete(w.held, row)
	}
	if w.random.IntN(6) == 0 {
		if err := c.tx.Rollback(); err != nil {
			w.Fatal(err)
		}
		return
	}
	if err := c.tx.Commit(); err != nil {
		w.Fatal(err)
	}
	c.keep()
}

// refresh takes everything in with both processes at once, while open changes are committed. On a machine that is busy with something else
// a step may be given up after its nine seconds, as one that is broken off.
func (w *incrementsWalk) refresh() {
	w.Helper()
	errs := make([]error, len(w.stores))
	var all sync.WaitGroup
	for i, s := range w.stores {
		all.Go(func() {
			for more, given := true, 0; more && errs[i] == nil; {
				more, errs[i] = s.RefreshStatistics(w.Context(), w.zone, w.now)
				if fault.Is(errs[i], fault.Unavailable) && given < 20 {
					more, errs[i], given = true, nil, given+1
				}
			}
		})
	}
	for len(w.open) > 1 {
		w.end()
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		w.Fatal(err)
	}
}

// breakOff ends a process within a refresh.
func (w *incrementsWalk) breakOff() {
	w.Helper()
	_, err := w.stores[0].WithHook(&breaker{left: w.random.IntN(14)}).RefreshStatistics(w.Context(), w.zone, w.now)
	if errors.Is(err, context.Canceled) {
		w.brokenOff++
	} else if err != nil {
		w.Fatal(err)
	}
}

// statistics are all, by every interval.
func (w *incrementsWalk) statistics() (all [][]report.StatisticsRow) {
	w.Helper()
	for _, per := range append(report.Intervals(), "") {
		for _, by := range [][]report.Dimension{report.Dimensions(), {report.StatusDimension}} {
			rows, err := w.stores[0].Statistics(w.Context(), report.StatisticsQuery{
				From: report.Monthly.StartOf(w.now.AddDate(0, -3, 0), w.zone), Until: report.Monthly.After(w.now, w.zone), GroupBy: by, Interval: per, Zone: w.zone,
			})
			if err != nil {
				w.Fatal(err)
			}
			all = append(all, rows)
		}
	}
	return all
}

// agree compares what was added up with a count of everything.
func (w *incrementsWalk) agree() {
	w.Helper()
	w.refresh()
	w.refresh() // what was committed during the first
	added := w.statistics()
	if err := w.stores[1].ForgetStatistics(w.Context()); err != nil {
		w.Fatal(err)
	}
	w.refresh()
	if diff := cmp.Diff(w.statistics(), added); diff != "" {
		w.Fatalf("after %d payments and %d callbacks (-counted +added up)\n%s", len(w.payments), len(w.callbacks), diff)
	}
}

// TestIncrementsAreWhatACountGives: a commit is counted once whenever it becomes visible, by however many processes, wherever they end.
func TestIncrementsAreWhatACountGives(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		w := &incrementsWalk{
			T: t, random: rand.New(rand.NewPCG(5, 6)), stores: []*bunstore.Store{openStore(t, cfg), openStore(t, cfg)}, db: rawDatabase(t, cfg),
			isPostgres: cfg.DatabaseURL != "", zone: time.FixedZone("+03", 3*60*60), now: crowdEnd, held: map[string]bool{}, sequence: map[string]int{},
		}
		most := 0 // open at a time, while others go on
		if w.isPostgres {
			most = 5
		}
		w.refresh()
		for range 200 {
			w.now = w.now.Add(time.Duration(w.random.Int64N(int64(20 * time.Minute)))).Truncate(time.Microsecond)
			switch w.random.IntN(8) {
			case 0:
				w.refresh()
			case 1:
				w.breakOff()
			default:
				w.begin()
			}
			for len(w.open) > most || len(w.open) > 0 && w.random.IntN(3) == 0 {
				w.end()
			}
		}
		w.agree() // with changes still open
		for len(w.open) > 0 {
			w.end()
		}
		w.agree()
		if w.brokenOff < 10 || len(w.payments) < 50 || len(w.callbacks) < 20 {
			t.Errorf("the walk has seen little: %d broken off, %d payments, %d callbacks", w.brokenOff, len(w.payments), len(w.callbacks))
		}
	})
}
