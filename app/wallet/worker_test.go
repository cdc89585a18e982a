package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

func TestABankThatFailsIsAskedEverMoreSeldomAndNoLineIsLost(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]apptest.Fault{"broken": apptest.Broken, "misconfigured": apptest.Misset} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var asked atomic.Int64
			w.Bank.Fault = func(call gateway.Capability, _ gateway.Ref) apptest.Fault {
				if call != gateway.CanReadStatement {
					return apptest.NoFault
				}
				asked.Add(1)
				return fault
			}
			id := w.receive(lira(10), stranger, "")
			for range 2 * 60 * 2 { // two hours
				w.round()
			}
			if n := asked.Load(); n < 8 || n > 40 { // of two wallets
				t.Errorf("the bank was asked %d times", n)
			}
			f := w.feed()
			if f.FailureCount < 5 || !strings.HasPrefix(f.Trouble, "reading the statement: ") || f.ReadUntil != apptest.Start {
				t.Errorf("the feed is %+v", f)
			}
			w.Bank.Fault = nil
			w.later(15 * time.Minute)
			w.is(id, wallet.LineUnmatched)
			if f := w.feed(); f.FailureCount != 0 || f.Trouble != "" {
				t.Errorf("the feed is %+v", f)
			}
		})
	}
}

func TestABankThatWantsToBeLeftAloneIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	odd := w.odd()
	asked := 0
	odd.read = func(gateway.StatementQuery, gateway.StatementPage) (gateway.StatementPage, error) {
		asked++
		return gateway.StatementPage{}, &gateway.Error{Class: gateway.RateLimited, Effect: gateway.EffectNone, RetryAfter: 40 * time.Minute}
	}
	w.round()
	for range 70 {
		w.round()
	}
	if asked != 1 {
		t.Errorf("it was asked %d times within 40 minutes", asked)
	}
	w.later(10 * time.Minute)
	if asked != 2 {
		t.Errorf("it was asked %d times", asked)
	}
}

func TestABankThatIsKnownToFailIsNotAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Clock.Advance(w.Statements.Every)
	g, err := w.Statements.Gateways.Gateway(t.Context(), w.BankGateway.ID)
	w.no(err)
	for range 5 {
		_, err = g.Call(t.Context(), "test", func(context.Context) (string, error) { return "", errors.New("down") })
	}
	var asked atomic.Int64
	w.Bank.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault {
		asked.Add(1)
		return apptest.NoFault
	}
	w.Statements.Wake()
	w.no(w.Statements.Wait(t.Context()))
	if f := w.feed(); err == nil || asked.Load() > 0 || f.FailureCount != 1 {
		t.Errorf("asked %d times, the feed is %+v", asked.Load(), f)
	}
	w.later(time.Minute)
	if f := w.feed(); asked.Load() == 0 || f.FailureCount != 0 {
		t.Errorf("asked %d times, the feed is %+v", asked.Load(), f)
	}
}

func TestPagesThatGoInACircleAreLeft(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(n int) string{
		"the same page":     func(int) string { return "1" },
		"a wider circle":    func(n int) string { return fmt.Sprint(n % 7) },
		"pages without end": func(n int) string { return fmt.Sprint(n) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			odd := w.odd()
			asked := 0
			odd.read = func(_ gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
				asked++
				return gateway.StatementPage{Lines: page.Lines, Next: gateway.Cursor(next(asked))}, nil
			}
			id := w.receive(lira(1), stranger, "")
			w.round()
			w.is(id, wallet.LineUnmatched)
			if f := w.feed(); f.FailureCount != 1 || asked > 10_000 {
				t.Errorf("asked %d times, the feed is %+v", asked, f)
			}
		})
	}
}

func TestAWalletWhoseBankCantBeOpenedWaitsForIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.receive(lira(1), stranger, "")
	whole := w.Statements.Gateways
	w.Statements.Gateways = &app.Gateways{
		Plugins: apptest.Plugins{w.Sandbox}, Directory: w.Store, Doers: apptest.Hosts(nil), Clock: w.Clock,
	}
	w.round()
	if f := w.feed(); f.FailureCount != 1 || !strings.Contains(f.Trouble, string(fault.GatewayUnusable)) {
		t.Errorf("the feed is %+v", f)
	}
	w.Statements.Gateways = whole
	w.later(time.Minute)
	w.is(id, wallet.LineUnmatched)
}

// hanging has the bank's answer to the next question about the wallet's statement wait for release.
func (w *world) hanging() (isAsked <-chan struct{}, release func()) {
	odd := w.odd()
	asked, let := make(chan struct{}), make(chan struct{})
	var isFirst atomic.Bool
	isFirst.Store(true)
	odd.read = func(_ gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		if isFirst.CompareAndSwap(true, false) {
			close(asked)
			<-let
		}
		return page, nil
	}
	return asked, sync.OnceFunc(func() { close(let) })
}

func TestABankThatHangsKeepsAWalletOnlyForItsLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	isAsked, release := w.hanging()
	defer release()
	id := w.receive(lira(5), stranger, "")
	w.Clock.Advance(w.Statements.Every)
	w.Statements.Wake()
	<-isAsked
	second := w.another() // of another process; this one would do as well
	w.Clock.Advance(3 * time.Minute)
	second.Wake()
	w.no(second.Wait(t.Context()))
	w.is(id, wallet.LineUnmatched)
	read := w.feed()
	release()
	w.no(w.Statements.Wait(t.Context()))
	w.entries(ledger.EntryIncoming)
	if after := w.feed(); after != read {
		t.Errorf("whoever came back late has changed %+v to %+v", read, after)
	}
}

func TestALongReadingHoldsItsWallet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pages(1)
	for range 10 {
		w.receive(lira(1), stranger, "")
	}
	odd := w.odd()
	second := w.another()
	odd.read = func(_ gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		w.Clock.Advance(time.Minute)
		second.Wake()
		return page, second.Wait(context.Background())
	}
	w.Clock.Advance(w.Statements.Every)
	w.Statements.Wake()
	w.no(w.Statements.Wait(t.Context()))
	w.holds(opening+10, 0)
	if f := w.feed(); f.FailureCount != 0 || !f.LeaseUntil.IsZero() || f.ReadUntil != apptest.Start.Add(31*time.Second) {
		t.Errorf("the feed is %+v", f)
	}
	// The other wallet, whose bank the clock does not wait for, may well be taken over.
	if strings.Contains(w.Logs.String(), `another worker has taken over the reading of a statement" wallet=`+w.Wallet.WalletID) {
		t.Error("the wallet was taken over")
	}
}

func TestStopWaitsForWhatIsBeingRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	isAsked, release := w.hanging()
	defer release()
	id := w.receive(lira(5), stranger, "")
	w.Clock.Advance(w.Statements.Every)
	w.Statements.Wake()
	<-isAsked
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Statements.Stop(over); !errors.Is(err, context.Canceled) {
		t.Fatalf("it does not wait: %v", err)
	}
	release()
	w.no(w.Statements.Stop(t.Context()))
	w.Statements.Wake() // nothing is begun any more
	w.unknown(id)
	w.restart()
	w.later(time.Second) // the wallet was handed back, so that whoever starts next need not wait for its lease
	w.is(id, wallet.LineUnmatched)
	w.entries(ledger.EntryIncoming)
}

// stopping stops the service when a reading is about to keep how far it has come, and commits nothing for who was stopped.
type stopping struct {
	ports.Committer
	stop func()
}

func (s stopping) Commit(ctx context.Context, c core.Changeset) error {
	if core.Has[wallet.Feed](c) {
		s.stop()
	}
	if ctx.Err() != nil {
		return fault.E("test", fault.Unavailable, ctx.Err())
	}
	return s.Committer.Commit(ctx, c)
}

// TestAStopAtTheEndOfAReadingHandsItsWalletBack: else whoever starts next would wait two minutes for its lease.
func TestAStopAtTheEndOfAReadingHandsItsWalletBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	isStopped := make(chan struct{})
	stop := sync.OnceFunc(func() {
		_ = w.Statements.Stop(over) // it does not wait
		close(isStopped)
	})
	w.UnitOfWork.Commits = stopping{w.Store, stop}
	w.Clock.Advance(w.Statements.Every)
	w.Statements.Wake()
	<-isStopped
	w.no(w.Statements.Stop(t.Context()))
	w.Clock.Advance(w.Statements.Every)
	free, err := w.Store.ClaimFeeds(t.Context(), w.Clock.Now(), w.Clock.Now().Add(time.Minute), 16)
	if w.no(err); len(free) != 2 {
		t.Errorf("of two wallets %d can be read", len(free))
	}
}

func TestARestartImportsNothingTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.StartTransfer(t, lira(100))
	w.Work(t)
	w.Bank.Settle(w.operation(p).Reference)
	w.receive(lira(10), stranger, "")
	w.take(lira(3))
	w.later(time.Minute)
	w.round()
	before, sent := w.lines(), w.has(p, payment.Completed)
	for range 3 {
		w.restart()
		w.hours(1)
	}
	w.entries(ledger.EntryReserve, ledger.EntryIncoming, ledger.EntryOutgoing, ledger.EntryPost)
	w.holds(opening-93, 0)
	for i, l := range w.lines() {
		if l != before[i] {
			t.Errorf("line %+v has become %+v", before[i], l)
		}
	}
	if after := w.Reload(t, p); after.Version != sent.Version {
		t.Errorf("%+v has become %+v", sent, after)
	}
}

func TestTwoProcessesAndStaffAtOnceImportEachLineOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.pages(5)
	second := w.another()
	w.hours(24)
	for i := range 10 {
		for range 20 {
			w.receive(lira(int64(i+1)), stranger, "")
		}
		w.Clock.Advance(time.Minute)
		var all sync.WaitGroup
		for _, wake := range []func(){w.Statements.Wake, second.Wake, func() {
			_, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, core.DayOf(w.Clock.Now(), w.Zone))
			if err != nil {
				t.Error(err)
			}
		}} {
			all.Go(wake)
		}
		all.Wait()
		w.no(w.Statements.Wait(t.Context()))
		w.no(second.Wait(t.Context()))
	}
	if got := len(w.lines()); got != 200 {
		t.Errorf("%d lines, want 200", got)
	}
	w.holds(opening+20*55, 0)
}

func TestMoreWalletsThanAreReadAtOnceAreAllRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 50 {
		w.wallet(fmt.Sprint("more-", i))
	}
	w.Clock.Advance(w.Statements.Every)
	w.Statements.Wake() // one wake-up is enough
	w.no(w.Statements.Wait(t.Context()))
	feeds, err := w.Store.FeedsAt(t.Context(), w.BankGateway.ID)
	w.no(err)
	for _, f := range feeds {
		if !f.ReadUntil.Equal(w.Clock.Now()) || !f.LeaseUntil.IsZero() {
			t.Errorf("wallet %d is not read: %+v", f.WalletID, f)
		}
	}
}

func TestANotificationOfALineHasTheStatementReadAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.round()
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	id := w.receive(lira(250), ayse, p.TrackingCode)
	in := w.Bank.InformOfLine("n-1", id)
	for range 3 {
		_, err := w.Operations.Notify(t.Context(), w.BankGateway.HookToken, in)
		w.no(err)
	}
	w.Work(t)
	w.is(id, wallet.LineMatched)
	w.has(p, payment.Completed)
	w.entries(ledger.EntryIncoming)
}

func TestANotificationMovesNoMoneyByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.receive(lira(250), ayse, "")
	in := w.Bank.InformOfLine("n-1", id)
	w.Bank.Hide(id, true)
	_, err := w.Operations.Notify(t.Context(), w.BankGateway.HookToken, in)
	w.no(err)
	w.Work(t)
	w.unknown(id)
	w.entries()
}
