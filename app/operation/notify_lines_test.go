package operation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

// tell brings a notification of a line to the bank's address.
func (w *world) tell(id, lineID string) {
	w.t.Helper()
	reply, err := w.Operations.Notify(w.t.Context(), w.BankGateway.HookToken, w.Bank.InformOfLine(id, lineID))
	w.no(err)
	if reply.Status != 200 {
		w.t.Fatalf("the bank is answered %+v", reply)
	}
}

func (w *world) feed(wallet wallet.Wallet) wallet.Feed {
	w.t.Helper()
	f, err := w.Store.Feed(w.t.Context(), wallet.ID)
	w.no(err)
	return f
}

// received is a line of the dealer's wallet, which was read a moment ago.
func (w *world) received() string {
	w.Clock.Advance(time.Second)
	return w.Bank.Receive(w.Wallet.BankAccountID, lira(10), gateway.Party{Name: "Somebody"}, "", w.Clock.Now())
}

// workNotifications works on what has come, and on nothing that it makes due.
func (w *world) workNotifications() {
	w.t.Helper()
	w.Operations.WakeNotifications()
	w.no(w.Operations.Wait(w.t.Context()))
}

func (w *world) notification() notification.Notification {
	w.t.Helper()
	all, err := w.Store.Notifications(w.t.Context(), notification.Query{Paging: core.Paging[core.ID]{Limit: 10}})
	w.no(err)
	if len(all) != 1 {
		w.t.Fatalf("%d notifications", len(all))
	}
	return all[0]
}

func TestALineThatIsToldOfHasTheStatementsOfItsBankRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.received()
	w.Waker.Drain()
	w.tell("n-1", id)
	w.workNotifications()
	for _, wallet := range []wallet.Wallet{w.Wallet, w.OtherWallet} { // it does not say of which account it is
		if f := w.feed(wallet); !f.NextReadAt.Equal(w.Clock.Now()) || !f.LeaseUntil.IsZero() || f.Version != 2 {
			t.Errorf("the feed is %+v", f)
		}
	}
	isWoken := slices.ContainsFunc(w.Waker.Drain(), func(r core.WakeUp) bool {
		return r.Kind == core.DueStatements && r.At.Equal(w.Clock.Now())
	})
	if n := w.notification(); !isWoken || n.Status != notification.Done || n.TrackCodes != "wallet/1 wallet/2" {
		t.Errorf("woken: %t, the notification is %+v", isWoken, n)
	}
	w.holds(10_000, 0) // the statement says what came, and nothing else
	w.tell("n-1", id)
	w.tell("n-2", id)
	w.workNotifications()
	if f := w.feed(w.Wallet); f.Version != 2 {
		t.Errorf("what is due is made due: %+v", f)
	}
}

func TestAStatementThatIsBeingReadIsLeftToItsReader(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Clock.Advance(w.Statements.Every)
	claimed, err := w.Store.ClaimFeeds(t.Context(), w.Clock.Now(), w.Clock.Now().Add(time.Minute), 1)
	w.no(err)
	w.tell("n-1", w.received())
	w.workNotifications()
	f := w.feed(w.Wallet)
	if f != claimed[0] {
		t.Errorf("%+v has become %+v", claimed[0], f)
	}
}

func TestAStatementThatIsReadByAnotherProcessIsLeftToIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	f := w.feed(w.Wallet)
	f.Version++
	f.LeaseUntil = w.Clock.Now().Add(time.Minute) // by a clock that is ahead: it is not due here yet
	w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{f}))
	w.tell("n-1", w.received())
	w.workNotifications()
	if after := w.feed(w.Wallet); after != f {
		t.Errorf("%+v has become %+v", f, after)
	}
}

func TestAWalletThatIsSwitchedOffIsNotRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	off := w.feed(w.Wallet)
	off.Version++
	off.NextReadAt = time.Time{}
	w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{off}))
	w.tell("n-1", w.received())
	w.workNotifications()
	if f := w.feed(w.Wallet); f != off {
		t.Errorf("the feed is %+v", f)
	}
}

func TestARaceForAFeedIsDecidedAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.tell("n-1", w.received())
	raced := false
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if !core.Has[wallet.Feed](c) || raced {
			return nil
		}
		raced = true
		f := w.feed(w.Wallet)
		f.Version++
		f.Trouble = "saved meanwhile"
		return w.Store.Commit(t.Context(), core.Changeset{f})
	}}
	w.workNotifications()
	if f := w.feed(w.Wallet); f.Trouble != "saved meanwhile" || !f.NextReadAt.Equal(w.Clock.Now()) {
		t.Errorf("the feed is %+v", f)
	}
}

func TestALineThatIsToldOfIsNotForgottenWhereTheStoreFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.tell("n-1", w.received())
	isDown := true
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if isDown && core.Has[wallet.Feed](c) {
			return fault.New("test", fault.Unavailable)
		}
		return nil
	}}
	w.workNotifications()
	if n := w.notification(); n.Status != notification.Waiting {
		t.Errorf("the notification is %+v", n)
	}
	isDown = false
	w.Clock.Advance(2 * time.Minute)
	w.workNotifications()
	if n := w.notification(); n.Status != notification.Done || !w.feed(w.Wallet).NextReadAt.Before(w.Clock.Now()) {
		t.Errorf("the notification is %+v", n)
	}
}

func TestALineAtAGatewayWithoutWalletsIsAboutNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	second := w.BankGateway
	second.ID, second.Version, second.Code, second.HookToken = 99, 1, "bank-again", "another-hook"
	w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{second}))
	w.BankGateway = second
	w.tell("n-1", w.received())
	w.workNotifications()
	if n := w.notification(); n.Status != notification.Unknown || strings.Contains(n.TrackCodes, "wallet") {
		t.Errorf("the notification is %+v", n)
	}
}

func TestLinesThatNoSignatureProtectsAreToldOfAtABoundedRate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	told := 0
	w.rig(&rig{told: func(gateway.Inbound) (gateway.Notification, error) {
		told++
		return gateway.Notification{ID: fmt.Sprint("n-", told), Lines: []gateway.StatementLine{{ID: "L"}}}, nil
	}})
	w.Sandbox.Describes = func(d *gateway.Descriptor) { d.Notify = &gateway.NotifyTraits{Trust: gateway.Hint} }
	taken := 0
	for range 700 {
		reply, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{Method: "POST"})
		w.no(err)
		if reply.Status == 200 {
			taken++
		}
	}
	if taken != 600 {
		t.Errorf("%d of 700 are taken", taken)
	}
}
