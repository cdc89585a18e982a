package payment_test

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/vezne/vezne/app"
	payments "github.com/vezne/vezne/app/payment"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// press continues every deposit at once, spread over services as over processes, and gives what was offered.
func press(t *testing.T, deposits []payment.Payment, services ...*payments.Deposits) (offered []payment.Payment) {
	t.Helper()
	var mu sync.Mutex
	var customers sync.WaitGroup
	for i, p := range deposits {
		customers.Go(func() {
			got, err := services[i%len(services)].Continue(t.Context(), p, p.Amount)
			if fault.Is(err, fault.NoAccount) {
				return
			}
			if err != nil {
				t.Errorf("the losers get NoAccount: %v", err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			offered = append(offered, got)
		})
	}
	customers.Wait()
	return offered
}

// wantHeld compares what payments hold with the accounts' stored loads, and those with their limits.
func wantHeld(t *testing.T, w *apptest.World, payments []payment.Payment) {
	t.Helper()
	held, count := map[int64]int64{}, map[int64]int{}
	for _, p := range payments {
		p = w.Reload(t, p)
		held[p.Account.AccountID] += p.Account.Held.Minor()
		count[p.Account.AccountID]++
	}
	for id, l := range loadsOn(t, w, core.DayOf(w.Clock.Now(), w.Zone)) {
		if l.Used.Minor() != held[id] || l.Count != count[id] {
			t.Errorf("account %d: stored %s in %d, payments hold %d in %d", id, l.Used, l.Count, held[id], count[id])
		}
		if !l.DailyLimit.IsZero() && l.DailyLimit.Less(l.Used) || l.DailyCount > 0 && l.Count > l.DailyCount {
			t.Errorf("account %d is beyond its limits: %s in %d", id, l.Used, l.Count)
		}
	}
}

func startMany(t *testing.T, w *apptest.World, n int, amount func(i int) int64) []payment.Payment {
	t.Helper()
	deposits := make([]payment.Payment, n)
	for i := range deposits {
		deposits[i] = w.StartDeposit(t, payment.ManualDeposit, lira(amount(i)))
	}
	return deposits
}

func TestFiveHundredCustomersAtOncePassNoLimitAndSpreadEvenly(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	accountsOf(t, w,
		owner.Account{Min: lira(1), Max: lira(5000), DailyLimit: lira(10_000)},                 // a hundred of 100
		owner.Account{Min: lira(1), Max: lira(5000), DailyLimit: lira(10_000)},                 //
		owner.Account{Min: lira(1), Max: lira(5000), DailyCount: 100},                          //
		owner.Account{Min: lira(1), Max: lira(5000), DailyLimit: lira(99_999), DailyCount: 50}, // fifty
		owner.Account{Min: lira(101), Max: lira(5000)},                                         // takes none of them
	)
	offered := press(t, startMany(t, w, 500, func(int) int64 { return 100 }), w.Deposits)
	if len(offered) != 350 {
		t.Errorf("%d were offered an account, want 350", len(offered))
	}
	wantHeld(t, w, offered)
	loads := loadsOn(t, w, core.DayOf(w.Clock.Now(), w.Zone))
	for i, want := range []int{100, 100, 100, 50, 0} {
		if got := loads[w.Accounts[i].ID].Count; got != want {
			t.Errorf("account %d was offered %d times, want %d", i, got, want)
		}
	}
}

func TestWithRoomForAllTheSpreadIsExactlyEven(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	free := owner.Account{Min: lira(1), Max: lira(5000)}
	accountsOf(t, w, free, free, free, free, free)
	offered := press(t, startMany(t, w, 500, func(int) int64 { return 100 }), w.Deposits)
	wantHeld(t, w, offered)
	for id, l := range loadsOn(t, w, core.DayOf(w.Clock.Now(), w.Zone)) {
		if l.Count != 100 {
			t.Errorf("account %d was offered %d times of 500, want 100", id, l.Count)
		}
	}
}

// hesitant lets others work between reading loads and deciding on them.
type hesitant struct{ ports.Owners }

func (h hesitant) AccountLoads(ctx context.Context, dealer int64, kind owner.AccountKind, day core.Day) ([]owner.DailyUsage, error) {
	loads, err := h.Owners.AccountLoads(ctx, dealer, kind, day)
	for range 20 {
		runtime.Gosched()
	}
	return loads, err
}

// Each process has ninety customers, so that none of them can lose more races than the unit of work tries.
func TestTwoProcessesShareTheLimitsOfOneStore(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	accountsOf(t, w,
		owner.Account{Min: lira(1), Max: lira(5000), DailyLimit: lira(6_000)},
		owner.Account{Min: lira(1), Max: lira(5000), DailyLimit: lira(6_000), DailyCount: 40})
	w.Deposits.Owners = hesitant{w.Store}
	other := &payments.Deposits{UnitOfWork: w.UnitOfWork, Owners: w.Deposits.Owners, Zone: w.Zone, DealerLocks: &app.KeyedLock{}}
	amounts := []int64{50, 100, 175, 330, 1}
	offered := press(t, startMany(t, w, 180, func(i int) int64 { return amounts[i%len(amounts)] }), w.Deposits, other)
	wantHeld(t, w, offered)
	if n := len(offered); n == 0 || n == 180 {
		t.Errorf("%d of 180 were offered an account: there was nothing to race for", n)
	}
}

// overtaken is a process's view of the accounts, between whose reading and deciding something happens elsewhere.
type overtaken struct {
	ports.Owners
	meanwhile func()
}

func (o overtaken) AccountLoads(ctx context.Context, dealer int64, kind owner.AccountKind, day core.Day) ([]owner.DailyUsage, error) {
	loads, err := o.Owners.AccountLoads(ctx, dealer, kind, day)
	o.meanwhile()
	return loads, err
}

func TestRoomThatAnotherProcessTookMeanwhileIsNotTakenTwice(t *testing.T) {
	t.Parallel()
	for name, account := range map[string]owner.Account{
		"sum":   {Min: lira(1), Max: lira(5000), DailyLimit: lira(499)},
		"count": {Min: lira(1), Max: lira(5000), DailyCount: 1},
	} {
		w := apptest.New(t)
		accountsOf(t, w, account)
		slow, quick := w.StartDeposit(t, payment.ManualDeposit, lira(250)), w.StartDeposit(t, payment.ManualDeposit, lira(250))
		other := &payments.Deposits{UnitOfWork: w.UnitOfWork, Zone: w.Zone, DealerLocks: &app.KeyedLock{}}
		other.Owners = overtaken{w.Store, sync.OnceFunc(func() { offer(t, w, quick, lira(250)) })}
		_, err := other.Continue(t.Context(), slow, lira(250))
		if !fault.Is(err, fault.NoAccount) {
			t.Errorf("%s: %v", name, err)
		}
		wantLoad(t, w, lira(250), 1)
	}
}

// TestWhatTwoCreditByHandAtOnceFitsTheDay: each alone is within what is left of the account's day; one person's word does for the first.
func TestWhatTwoCreditByHandAtOnceFitsTheDay(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	accountsOf(t, w, owner.Account{Min: lira(1), Max: lira(5000), DailyLimit: lira(800)})
	deposits := startMany(t, w, 2, func(int) int64 { return 250 })
	for _, p := range deposits {
		offer(t, w, p, lira(250))
	}
	approve := func(service *payments.Deposits, p payment.Payment) error {
		_, err := service.Approve(t.Context(), apptest.By(w.Operator, p, "seen"), payments.Seen{Amount: lira(500), Expected: lira(250)})
		return err
	}
	slow := *w.Deposits
	slow.Owners = overtaken{w.Store, sync.OnceFunc(func() {
		if err := approve(w.Deposits, deposits[1]); err != nil {
			t.Errorf("the quick one: %v", err)
		}
	})}
	if err := approve(&slow, deposits[0]); !fault.Is(err, fault.ApprovalNeeded) {
		t.Errorf("the slow one: %v", err)
	}
	wantLoad(t, w, lira(750), 2)
}

func TestCustomerWhoLosesManyRacesInARowStillGetsAnAccount(t *testing.T) {
	t.Parallel()
	w, slow := oneAccount(t)
	other := &payments.Deposits{UnitOfWork: w.UnitOfWork, Zone: w.Zone, DealerLocks: &app.KeyedLock{}}
	lost := 0
	other.Owners = overtaken{w.Store, func() {
		if lost++; lost <= 60 {
			offer(t, w, w.StartDeposit(t, payment.ManualDeposit, lira(1)), lira(1))
		}
	}}
	if _, err := other.Continue(t.Context(), slow, lira(250)); err != nil {
		t.Error(err)
	}
	wantLoad(t, w, lira(310), 61)
}

func TestOneCustomerPressingContinueManyTimesAtOnceHoldsOneOffer(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	same := make([]payment.Payment, 50)
	for i := range same {
		same[i] = p
	}
	if offered := press(t, same, w.Deposits); len(offered) != 50 {
		t.Errorf("%d of 50 were shown the account", len(offered))
	}
	wantLoad(t, w, lira(250), 1)
	if moves := movesOf(t, w, p); len(moves) != 1 {
		t.Errorf("history: %v", moves)
	}
}

func TestOneCustomerAskingDifferentAmountsAtOnceHoldsTheLast(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	other := &payments.Deposits{UnitOfWork: w.UnitOfWork, Owners: w.Store, Zone: w.Zone, DealerLocks: &app.KeyedLock{}}
	var asks []payment.Payment
	for i := range 40 {
		ask := p
		ask.Amount = lira(int64(100 + i))
		asks = append(asks, ask)
	}
	press(t, asks, w.Deposits, other)
	wantLoad(t, w, w.Reload(t, p).Amount, 1)
}

func TestCallerWhoLeavesWhileWaitingForTheDealersTurnHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	inside, release := make(chan struct{}), make(chan struct{})
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error {
		inside <- struct{}{}
		<-release
		return nil
	}}
	first := make(chan error, 1)
	go func() { _, err := w.Deposits.Continue(t.Context(), p, lira(250)); first <- err }()
	<-inside // it has the turn
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := w.Deposits.Continue(ctx, p, lira(300)); !fault.Is(err, fault.Unavailable) {
		t.Errorf("who left: %v", err)
	}
	close(release)
	if err := <-first; err != nil {
		t.Error(err)
	}
	w.UnitOfWork.Commits = w.Store
	offer(t, w, p, lira(300))
	wantLoad(t, w, lira(300), 1)
}
