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
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// ask has n customers ask for an IBAN at once, spread over services as over processes, and gives what was offered.
func ask(t *testing.T, w *apptest.World, n int, amount func(i int) money.Amount, services ...*payments.DealerPayments) (offered []payment.Payment) {
	t.Helper()
	var mu sync.Mutex
	var customers sync.WaitGroup
	for i := range n {
		customers.Go(func() {
			c, made := request(w, payment.ManualDeposit, amount(i))
			_, err := services[i%len(services)].Offer(t.Context(), c, w.Dealer.Actor(""))
			if fault.Is(err, fault.NoAccount) {
				return
			}
			if err != nil {
				t.Errorf("the losers get NoAccount: %v", err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			offered = append(offered, *made)
		})
	}
	customers.Wait()
	return offered
}

// wantHeld compares what payments hold with the accounts' stored loads, and those with their limits.
func wantDealerHeld(t *testing.T, w *apptest.World, payments []payment.Payment) {
	t.Helper()
	held, count := map[int64]int64{}, map[int64]int{}
	for _, p := range payments {
		p = w.Reload(t, p)
		held[p.Account.AccountID] += p.Account.Held.Minor()
		count[p.Account.AccountID]++
	}
	for _, l := range loads(t, w) {
		if l.Used.Minor() != held[l.ID] || l.Count != count[l.ID] {
			t.Errorf("account %d: stored %s in %d, payments hold %d in %d", l.ID, l.Used, l.Count, held[l.ID], count[l.ID])
		}
		if !l.DailyLimit.IsZero() && l.DailyLimit.Less(l.Used) || l.DailyCount > 0 && l.Count > l.DailyCount {
			t.Errorf("account %d is beyond its limits: %s in %d", l.ID, l.Used, l.Count)
		}
	}
}

func hundred(int) money.Amount { return dealerLira(100) }

func TestFiveHundredAtOncePassNoLimit(t *testing.T) {
	t.Parallel()
	w := world(t,
		owner.Account{Min: dealerLira(1), Max: dealerLira(5000), DailyLimit: dealerLira(10_000)},                 // a hundred of 100
		owner.Account{Min: dealerLira(1), Max: dealerLira(5000), DailyLimit: dealerLira(10_099)},                 // the same
		owner.Account{Min: dealerLira(1), Max: dealerLira(5000), DailyCount: 100},                                // the same
		owner.Account{Min: dealerLira(1), Max: dealerLira(5000), DailyLimit: dealerLira(99_999), DailyCount: 50}, // fifty
		owner.Account{Min: dealerLira(101), Max: dealerLira(5000)},                                               // takes none of them
	)
	offered := ask(t, w, 500, hundred, w.Dealers)
	if len(offered) != 350 {
		t.Errorf("%d were offered an account, want 350", len(offered))
	}
	wantDealerHeld(t, w, offered)
	for i, want := range []int{100, 100, 100, 50, 0} {
		if got := loads(t, w)[i].Count; got != want {
			t.Errorf("account %d was offered %d times, want %d", i, got, want)
		}
	}
}

func TestFiveHundredAtOnceSpreadEvenly(t *testing.T) {
	t.Parallel()
	free := owner.Account{Min: dealerLira(1), Max: dealerLira(5000)}
	w := world(t, free, free, free)
	wantDealerHeld(t, w, ask(t, w, 500, hundred, w.Dealers))
	least, most := 500, 0
	for _, l := range loads(t, w) {
		least, most = min(least, l.Count), max(most, l.Count)
	}
	if least != 166 || most != 167 {
		t.Errorf("of three equal accounts one was offered %d times and one %d", least, most)
	}
}

// hesitant lets others work between reading loads and deciding on them.
type hesitantDealer struct{ ports.Owners }

func (h hesitantDealer) AccountLoads(ctx context.Context, dealer int64, kind owner.AccountKind, day core.Day) ([]owner.DailyUsage, error) {
	loads, err := h.Owners.AccountLoads(ctx, dealer, kind, day)
	for range 20 {
		runtime.Gosched()
	}
	return loads, err
}

// elsewhere is the same use cases in another process.
func elsewhere(w *apptest.World, accounts ports.Owners) *payments.DealerPayments {
	return &payments.DealerPayments{
		UnitOfWork: w.UnitOfWork, Owners: accounts, DealerLocks: &app.KeyedLock{}, ExpiryDeposit: w.Dealers.ExpiryDeposit, Zone: w.Zone,
	}
}

// Each process has ninety customers, so that none of them can lose more races than the unit of work tries.
func TestTwoProcessesShareADealersLimitsOfOneStore(t *testing.T) {
	t.Parallel()
	w := world(t,
		owner.Account{Min: dealerLira(1), Max: dealerLira(5000), DailyLimit: dealerLira(6_000)},
		owner.Account{Min: dealerLira(1), Max: dealerLira(5000), DailyLimit: dealerLira(6_000), DailyCount: 40})
	w.Dealers.Owners = hesitantDealer{w.Store}
	amounts := []int64{50, 100, 175, 330, 1}
	offered := ask(t, w, 180, func(i int) money.Amount { return dealerLira(amounts[i%len(amounts)]) }, w.Dealers, elsewhere(w, w.Dealers.Owners))
	wantDealerHeld(t, w, offered)
	if n := len(offered); n == 0 || n == 180 {
		t.Errorf("%d of 180 were offered an account: there was nothing to race for", n)
	}
}

// TestProvidersCustomersAndDealersOwnShareTheLimits: both are offered the same accounts.
func TestProvidersCustomersAndDealersOwnShareTheLimits(t *testing.T) {
	t.Parallel()
	w := world(t, owner.Account{Min: dealerLira(1), Max: dealerLira(5000), DailyCount: 60})
	var deposits []payment.Payment
	for range 50 {
		deposits = append(deposits, w.StartDeposit(t, payment.ManualDeposit, dealerLira(100)))
	}
	var customers sync.WaitGroup
	for _, p := range deposits {
		customers.Go(func() {
			if _, err := w.Deposits.Continue(t.Context(), p, dealerLira(100)); err != nil && !fault.Is(err, fault.NoAccount) {
				t.Error(err)
			}
		})
	}
	ask(t, w, 50, hundred, w.Dealers)
	customers.Wait()
	if got := loads(t, w)[0].Count; got != 60 {
		t.Errorf("offered %d times, want 60", got)
	}
}

// overtaken is a process's view of the accounts, between whose reading and deciding something happens elsewhere.
type overtakenDealer struct {
	ports.Owners
	meanwhile func()
}

func (o overtakenDealer) AccountLoads(ctx context.Context, dealer int64, kind owner.AccountKind, day core.Day) ([]owner.DailyUsage, error) {
	loads, err := o.Owners.AccountLoads(ctx, dealer, kind, day)
	o.meanwhile()
	return loads, err
}

func TestRoomThatAnotherProcessTookMeanwhileIsNotTakenTwiceByADealer(t *testing.T) {
	t.Parallel()
	for name, account := range map[string]owner.Account{
		"sum":   {Min: dealerLira(1), Max: dealerLira(5000), DailyLimit: dealerLira(499)},
		"count": {Min: dealerLira(1), Max: dealerLira(5000), DailyCount: 1},
	} {
		w := world(t, account)
		slow := elsewhere(w, overtakenDealer{w.Store, sync.OnceFunc(func() { offerOfDealer(t, w, dealerLira(250)) })})
		c, _ := request(w, payment.ManualDeposit, dealerLira(250))
		_, err := slow.Offer(t.Context(), c, w.Dealer.Actor(""))
		wantDealerCode(t, err, fault.NoAccount)
		if l := loads(t, w)[0]; l.Count != 1 || !l.Used.Equal(dealerLira(250)) {
			t.Errorf("%s: %s in %d", name, l.Used, l.Count)
		}
	}
}

func TestCallerWhoLeavesWhileWaitingForTheTurnHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	w := world(t, owner.Account{Min: dealerLira(1), Max: dealerLira(5000)})
	inside, release := make(chan struct{}), make(chan struct{})
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(core.Changeset) error {
		inside <- struct{}{}
		<-release
		return nil
	}}
	first := make(chan error, 1)
	go func() {
		c, _ := request(w, payment.ManualDeposit, dealerLira(250))
		_, err := w.Dealers.Offer(t.Context(), c, w.Dealer.Actor(""))
		first <- err
	}()
	<-inside // it has the turn
	ctx, leave := context.WithCancel(t.Context())
	leave()
	c, _ := request(w, payment.ManualDeposit, dealerLira(250))
	_, err := w.Dealers.Offer(ctx, c, w.Dealer.Actor(""))
	wantDealerCode(t, err, fault.Unavailable)
	close(release)
	if err := <-first; err != nil {
		t.Error(err)
	}
	w.UnitOfWork.Commits = w.Store
	offerOfDealer(t, w, dealerLira(250))
	if l := loads(t, w)[0]; l.Count != 2 {
		t.Errorf("offered %d times", l.Count)
	}
}
