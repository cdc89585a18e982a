package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

// world is the store of a test case and what it takes to work on it. A read that fails ends the test.
type world struct {
	*maker
	t     *testing.T
	ctx   context.Context // lives exactly as long as the test
	store Store
}

func newWorld(t *testing.T, store Store) *world {
	return &world{maker: newMaker(), t: t, ctx: t.Context(), store: store}
}

// in is the same world for a subtest.
func (w *world) in(t *testing.T) *world {
	return &world{maker: w.maker, t: t, ctx: t.Context(), store: w.store}
}

// commit commits what must be accepted.
func (w *world) commit(changes ...core.Changeset) {
	w.t.Helper()
	for _, change := range changes {
		change = change.Merge(core.Rows(missingCredits(w.ctx, w.store, w.maker, change)))
		w.no(w.store.Commit(w.ctx, change))
	}
}

// missingCredits are what a changeset lacks that completes payments, or changes what they count for, where a test is about
// something else.
func missingCredits(ctx context.Context, store ports.Payments, m *maker, change core.Changeset) []payment.Credit {
	var missing []payment.Credit
	for _, p := range core.RowsOf[payment.Payment](change) {
		if p.Version < 2 || !p.IsCredited() {
			continue
		}
		known, err := store.CreditsOf(ctx, p.Key())
		for _, k := range core.RowsOf[payment.Credit](change) {
			if k.PaymentID == p.ID {
				known = append(known, k)
			}
		}
		lacks := p.Amount.Minor() - payment.Credited(known).Minor()
		if err == nil && lacks != 0 {
			k := m.creditOf(p, len(known)+1)
			k.Amount = lira(lacks)
			missing = append(missing, k)
		}
	}
	return missing
}

// refused commits what must fail with a code.
func (w *world) refused(want fault.Code, change core.Changeset) {
	w.t.Helper()
	w.fails(want, w.store.Commit(w.ctx, change))
}

func (w *world) fails(want fault.Code, err error) {
	w.t.Helper()
	if got := fault.CodeOf(err); got != want {
		w.t.Fatalf("fault %q (%v), want %q", got, err, want)
	}
}

func (w *world) no(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("unexpected fault: %v", err)
	}
}

// read reads what must be there to be read.
func read[A, R any](w *world, from func(context.Context, A) (R, error), by A) R {
	w.t.Helper()
	found, err := from(w.ctx, by)
	w.no(err)
	return found
}

// isStored reads rows by every lookup.
func (w *world) isStored(rows ...core.Row) {
	w.t.Helper()
	for _, row := range rows {
		kindOf(row).isThere(w, row, false)
	}
}

// same compares what was written with what was read.
func (w *world) same(want, got any) {
	w.t.Helper()
	if diff := difference(want, got); diff != "" {
		w.t.Fatalf("read back differently (-want +got):\n%s", diff)
	}
}

// together runs n calls at the same time and gives their errors.
func together(n int, call func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// won counts the calls without a fault; every other must have failed with the code.
func (w *world) won(errs []error, others fault.Code) int {
	w.t.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		w.fails(others, err)
	}
	return won
}

func (w *world) list(query report.PaymentQuery) []payment.Payment {
	w.t.Helper()
	return read(w, w.store.SearchPayments, query).Payments
}

func (w *world) duePayments(now time.Time, limit int) []payment.Payment {
	w.t.Helper()
	found, err := w.store.DuePayments(w.ctx, now, core.DueCursor{}, limit)
	w.no(err)
	return found.Rows
}

func (w *world) attemptsOf(c payment.Callback) []payment.Attempt {
	w.t.Helper()
	for _, log := range each(w, w.store.CallbackLogs, c.PaymentID) {
		if log.ID == c.ID {
			return log.Attempts
		}
	}
	return nil
}

// claim leases for a minute.
func (w *world) claim(receiver string, now time.Time, limit int) []payment.Callback {
	w.t.Helper()
	found, err := w.store.ClaimCallbacks(w.ctx, receiver, now, now.Add(time.Minute), limit)
	w.no(err)
	return found
}

func (w *world) dueReceivers(now time.Time, after string, limit int) []string {
	w.t.Helper()
	found, err := w.store.DueReceivers(w.ctx, now, after, limit)
	w.no(err)
	return found
}

// load returns the one account of a dealer with its load on a day.
func (w *world) load(a owner.Account, day core.Day) owner.DailyUsage {
	w.t.Helper()
	loads, err := w.store.AccountLoads(w.ctx, a.DealerID, a.Kind, day)
	w.no(err)
	if len(loads) != 1 {
		w.t.Fatalf("%d accounts, want 1", len(loads))
	}
	return loads[0]
}

// alter changes the changeset's i-th row of a kind, in place.
func alter[R core.Row](c core.Changeset, i int, change func(*R)) {
	for k, row := range c {
		r, ok := row.(R)
		if ok && i == 0 {
			change(&r)
			c[k] = r
		}
		if ok {
			i--
		}
	}
}
