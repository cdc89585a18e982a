package sweep_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/app/sweep"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

var (
	amount      = money.New(10000, money.TRY)
	unavailable = fault.New("test", fault.Unavailable)
)

func startMany(t *testing.T, w *apptest.World, n int) []payment.Payment {
	t.Helper()
	payments := make([]payment.Payment, n)
	for i := range payments {
		payments[i] = w.StartDeposit(t, payment.ManualDeposit, amount)
	}
	return payments
}

// statuses counts all payments by status.
func statuses(t *testing.T, w *apptest.World) string {
	t.Helper()
	count := map[payment.Status]int{}
	for _, p := range w.Payments(t) {
		count[p.Status]++
	}
	return fmt.Sprint(count)
}

// outbox counts the callbacks that are committed.
func outbox(w *apptest.World) *atomic.Int64 {
	var made atomic.Int64
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		made.Add(int64(len(core.RowsOf[payment.Callback](c))))
		return nil
	}}
	return &made
}

// again is one more sweeper, as of another process.
func again(w *apptest.World) *sweep.Service {
	return &sweep.Service{
		UnitOfWork: w.UnitOfWork, Log: w.Sweep.Log,
	}
}

func TestEverythingOverdueExpiresAfterALongDowntime(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sweep.Wake = func(context.Context, core.WakeUp) {}
	startMany(t, w, 1_100)
	offered := w.StartDeposit(t, payment.ManualDeposit, amount)
	paid := w.StartDeposit(t, payment.ManualDeposit, amount)
	for _, p := range []payment.Payment{offered, paid} {
		if _, err := w.Deposits.Continue(t.Context(), p, amount); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Deposits.ClaimPaid(t.Context(), paid); err != nil {
		t.Fatal(err)
	}
	w.StartWithdrawal(t, payment.ManualWithdrawal, amount)
	w.Clock.Advance(72 * time.Hour)
	w.StartDeposit(t, payment.ManualDeposit, amount)
	made := outbox(w)
	if err := w.Sweep.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := statuses(t, w); got != "map[expired:1101 pending:1 processing:1 showing:1]" || made.Load() != 1101 {
		t.Errorf("%s with %d callbacks", got, made.Load())
	}
	p := w.Reload(t, offered)
	moves, err := w.Store.MovesOf(t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	if err != nil || len(moves) != 2 || moves[1].Actor != core.System || !moves[1].At.Equal(w.Clock.Now()) || !p.FinishedAt.Equal(w.Clock.Now()) {
		t.Errorf("history %+v, %v", moves, err)
	}
	loads, err := w.Store.AccountLoads(t.Context(), w.Dealer.ID, owner.ManualAccount, core.DayOf(apptest.Start, w.Zone))
	if err != nil {
		t.Fatal(err)
	}
	held := 0
	for _, l := range loads {
		held += l.Count
	}
	if held != 1 || !p.Account.Held.IsZero() {
		t.Errorf("%d offers are still held (the paid one is one), the expired holds %s", held, p.Account.Held)
	}
}

func TestDepositExpiresAtItsMomentAndNotBefore(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.EIBANDeposit, amount)
	w.Clock.Set(p.ExpiresAt.Add(-time.Microsecond))
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 0 || err != nil {
		t.Errorf("before its time: %d, %v", n, err)
	}
	w.Clock.Set(p.ExpiresAt)
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 1 || err != nil {
		t.Errorf("at its time: %d, %v", n, err)
	}
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
}

func TestTwoSweepersExpireEachPaymentOnce(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	startMany(t, w, 700)
	w.Clock.Advance(time.Hour)
	made := outbox(w)
	var expired atomic.Int64
	var sweeping sync.WaitGroup
	for _, s := range []*sweep.Service{w.Sweep, again(w), again(w), w.Sweep} { // two processes, a wake-up beside the sweep
		sweeping.Go(func() {
			n, err := s.ExpireDue(t.Context())
			if err != nil {
				t.Error(err)
			}
			expired.Add(int64(n))
		})
	}
	sweeping.Wait()
	if n, err := w.Sweep.ExpireDue(t.Context()); err != nil {
		t.Error(err)
	} else {
		expired.Add(int64(n)) // of a batch that was lost whole, the next round does the rest
	}
	if got := statuses(t, w); got != "map[expired:700]" || made.Load() != 700 || expired.Load() != 700 {
		t.Errorf("%s, %d callbacks, %d said to be expired", got, made.Load(), expired.Load())
	}
}

// overtaken lets something happen between reading due payments and expiring them.
type overtaken struct {
	ports.Payments
	meanwhile func([]payment.Payment)
}

func (o overtaken) DuePayments(
	ctx context.Context, now time.Time, after core.DueCursor, limit int,
) (core.DuePage[payment.Payment], error) {
	due, err := o.Payments.DuePayments(ctx, now, after, limit)
	o.meanwhile(due.Rows)
	return due, err
}

func TestRacesLostToCustomersCostTheOthersNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	started := map[core.ID]payment.Payment{}
	for _, p := range startMany(t, w, 65) {
		started[p.ID] = p
	}
	w.Clock.Advance(time.Hour)
	w.UnitOfWork.Payments = overtaken{w.Store, func(due []payment.Payment) {
		for i, p := range due {
			if i == 0 || i == 31 || i == 32 || i == 64 {
				if _, err := w.Deposits.Cancel(t.Context(), started[p.ID]); err != nil {
					t.Error(err)
				}
			}
		}
	}}
	made := outbox(w)
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 61 || err != nil {
		t.Errorf("%d expired, %v", n, err)
	}
	if got := statuses(t, w); got != "map[canceled:4 expired:61]" || made.Load() != 65 {
		t.Errorf("%s, %d callbacks", got, made.Load())
	}
}

// damaged is a directory in which one provider cannot be read.
type damaged struct {
	ports.Directory
	id int64
}

func (d damaged) Provider(ctx context.Context, id int64) (owner.Provider, error) {
	if id == d.id {
		return owner.Provider{}, fault.New("test", fault.Internal)
	}
	return d.Directory.Provider(ctx, id)
}

func TestPaymentThatCannotBeExpiredKeepsNoOtherAlive(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	startMany(t, w, 5)
	broken := w.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: amount, Provider: w.OtherProvider, Site: w.OtherSite})
	startMany(t, w, 5)
	w.Clock.Advance(time.Hour)
	w.UnitOfWork.Directory = damaged{w.Store, w.OtherProvider.ID}
	counts := undecidedAtEachLook(w)
	for range 3 {
		if _, err := w.Sweep.ExpireDue(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if got := statuses(t, w); got != "map[expired:10 showing:1]" {
		t.Error(got)
	}
	if n := strings.Count(w.Logs.String(), broken.TrackingCode); n != 1 {
		t.Errorf("it is logged %d times:\n%s", n, w.Logs)
	}
	w.UnitOfWork.Directory = w.Store
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 1 || err != nil {
		t.Errorf("when it is repaired: %d, %v", n, err)
	}
	if !slices.Equal(*counts, []int{1, 1, 1, 0}) {
		t.Errorf("at each look so many were undecided: %v", *counts)
	}
}

// undecidedAtEachLook gathers what the sweeper says of payments that it could not expire.
func undecidedAtEachLook(w *apptest.World) *[]int {
	var counts []int
	w.Sweep.Undecided = func(payments int) { counts = append(counts, payments) }
	return &counts
}

// TestManyPaymentsThatCannotBeExpiredKeepNoOtherAlive: there are more of them than are read at once, they are the oldest,
// and what is due at one moment is told apart.
func TestManyPaymentsThatCannotBeExpiredKeepNoOtherAlive(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for range 600 {
		w.Start(t, payment.Request{Method: payment.ManualDeposit, Amount: amount, Provider: w.OtherProvider, Site: w.OtherSite})
	}
	w.Clock.Advance(time.Second)
	good := startMany(t, w, 1)[0]
	w.Clock.Advance(time.Hour)
	counts := undecidedAtEachLook(w)
	w.UnitOfWork.Directory = damaged{w.Store, w.OtherProvider.ID}
	for range 2 {
		if err := w.Sweep.Sweep(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if got := w.Reload(t, good).Status; got != payment.Expired {
		t.Errorf("the payment that could be expired is %s", got)
	}
	if n := strings.Count(w.Logs.String(), "level=ERROR"); n != 600 || !slices.Equal(*counts, []int{600, 600}) {
		t.Errorf("%d are logged, and at each look so many were undecided: %v", n, *counts)
	}
	w.UnitOfWork.Directory = w.Store
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 600 || err != nil {
		t.Errorf("when they are repaired: %d, %v", n, err)
	}
}

// TestPaymentThatCannotBeStoredKeepsNoOtherAlive, in however many batches the others are.
func TestPaymentThatCannotBeStoredKeepsNoOtherAlive(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	broken := startMany(t, w, 1)[0]
	startMany(t, w, 600)
	w.Clock.Advance(time.Hour)
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if slices.ContainsFunc(core.RowsOf[payment.Payment](c), func(p payment.Payment) bool { return p.ID == broken.ID }) {
			return fault.New("test", fault.Internal)
		}
		return nil
	}}
	n, err := w.Sweep.ExpireDue(t.Context())
	if n != 600 || err != nil || !strings.Contains(w.Logs.String(), broken.TrackingCode) {
		t.Errorf("%d expired, %v:\n%s", n, err, w.Logs)
	}
	w.UnitOfWork.Commits = w.Store
	if n, err := w.Sweep.ExpireDue(t.Context()); n != 1 || err != nil {
		t.Errorf("when it is repaired: %d, %v", n, err)
	}
}

func TestExpiryWhoseCommitFailsIsDoneByTheNextRound(t *testing.T) {
	t.Parallel()
	for name, commits := range map[string]*apptest.Commits{
		"not committed":             {Before: func(core.Changeset) error { return unavailable }},
		"committed, answer is lost": {After: func(core.Changeset) error { return unavailable }},
	} {
		w := apptest.New(t)
		startMany(t, w, 10)
		w.Clock.Advance(time.Hour)
		commits.Committer = w.Store
		w.UnitOfWork.Commits = commits
		if _, err := w.Sweep.ExpireDue(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
		w.UnitOfWork.Commits = w.Store
		if _, err := w.Sweep.ExpireDue(t.Context()); err != nil || statuses(t, w) != "map[expired:10]" {
			t.Errorf("%s: %s, %v", name, statuses(t, w), err)
		}
	}
}
