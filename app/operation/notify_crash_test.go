package operation_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

// notified is a notification that has come and is not worked on, with how many things it is to bring, and how many it has.
type notified struct {
	*world
	parts   int
	brought func() int
}

// tellsPaid has a gateway write of so many payments, in one message, that they are paid.
func tellsPaid(count int) func(w *world) notified {
	return func(w *world) notified {
		r := w.rig(&rig{})
		var payments []payment.Payment
		var events []gateway.Observation
		for range count {
			p, o := w.begun(payment.CreditCard, lira(250))
			w.Sandbox.PayInFull(o.Reference)
			paid := gateway.Lira(lira(250))
			payments = append(payments, p)
			events = append(events, gateway.Observation{Ref: o.Reference, State: gateway.Paid, Paid: &paid, Trust: gateway.Signed})
		}
		r.told = func(gateway.Inbound) (gateway.Notification, error) {
			return gateway.Notification{ID: "n-1", Events: events}, nil
		}
		_, err := w.Operations.Notify(w.t.Context(), w.Gateway.HookToken, gateway.Inbound{})
		w.no(err)
		return notified{w, count, func() int {
			n := 0
			for _, p := range payments {
				if p = w.Reload(w.t, p); p.Status != payment.Success {
					continue
				}
				n++
				moves, err := w.Store.MovesOf(w.t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
				w.no(err)
				if c := w.callbacks(p); len(moves) != 2 || len(c) != 1 {
					w.t.Errorf("a payment that was begun and paid once has %d moves and %d callbacks", len(moves), len(c))
				}
			}
			return n
		}}
	}
}

// tellsOfALine has a bank with two wallets write of a line.
func tellsOfALine(w *world) notified {
	id := w.received()
	w.tell("n-1", id)
	return notified{w, 2, func() int {
		n := 0
		for _, f := range []int64{w.Wallet.ID, w.OtherWallet.ID} {
			feed, err := w.Store.Feed(w.t.Context(), f)
			w.no(err)
			if feed.Version > 2 {
				w.t.Errorf("a statement was made due twice: %+v", feed)
			}
			if !feed.NextReadAt.After(w.Clock.Now()) {
				n++
			}
		}
		return n
	}}
}

// crashAt works on the notification, with a crash at the nth commit of that: before it is made, or after, so that nobody
// knows of it. It returns how many commits there were.
func (n notified) crashAt(commit int, isMade bool) (seen int) {
	n.t.Helper()
	isDead := false
	crashes := func(core.Changeset) error {
		if isDead = isDead || seen == commit; isDead {
			return fault.New("crash", fault.Unavailable)
		}
		seen++
		return nil
	}
	commits := &apptest.Commits{Committer: n.Store, Before: crashes}
	if isMade {
		commits.Before = func(core.Changeset) error {
			if isDead {
				return fault.New("crash", fault.Unavailable)
			}
			return nil
		}
		commits.After = crashes
	}
	n.UnitOfWork.Commits = commits
	n.workNotifications()
	n.UnitOfWork.Commits = n.Store
	return seen
}

// TestANotificationEndsWithWhatItBrings: whenever a process dies while it works on one, the notification counts as worked on
// exactly if everything that it says is taken in. Nothing of it is taken in twice when it is worked on again.
func TestANotificationEndsWithWhatItBrings(t *testing.T) {
	t.Parallel()
	for what, begin := range map[string]func(*world) notified{
		"a payment": tellsPaid(1), "three payments": tellsPaid(3), "a line of two wallets": tellsOfALine,
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			whole := begin(newWorld(t))
			commits := whole.crashAt(-1, false)
			if got := whole.brought(); got != whole.parts || whole.notification().Status != notification.Done {
				t.Fatalf("%d of %d are brought, and it is %s", got, whole.parts, whole.notification().Status)
			}
			for at := range commits {
				for _, isMade := range []bool{false, true} {
					t.Run(fmt.Sprintf("commit %d, made: %t", at, isMade), func(t *testing.T) {
						t.Parallel()
						n := begin(newWorld(t))
						n.crashAt(at, isMade)
						isDone := n.notification().Status == notification.Done
						if got := n.brought(); isDone != (got == n.parts) {
							t.Errorf("%d of %d are brought, and it is done: %t", got, n.parts, isDone)
						}
						n.Clock.Advance(2 * time.Minute)
						n.workNotifications()
						if got := n.brought(); got != n.parts || n.notification().Status != notification.Done {
							t.Errorf("in the end %d of %d are brought, and it is %s", got, n.parts, n.notification().Status)
						}
					})
				}
			}
		})
	}
}

// TestANotificationWhoseLeaseIsOverIsLeftToOthers: they may have it by now, and only one of them ends it.
func TestANotificationWhoseLeaseIsOverIsLeftToOthers(t *testing.T) {
	t.Parallel()
	n := tellsPaid(2)(newWorld(t))
	isFirst := true
	n.UnitOfWork.Commits = &apptest.Commits{Committer: n.Store, After: func(core.Changeset) error {
		if isFirst {
			isFirst = false
			n.Clock.Advance(time.Minute)
		}
		return nil
	}}
	n.workNotifications()
	if got := n.brought(); got != 1 {
		t.Errorf("%d are brought by whom the notification was not any more", got)
	}
	n.Clock.Advance(time.Hour)
	n.workNotifications()
	if got := n.brought(); got != 2 || n.notification().Status != notification.Done {
		t.Errorf("%d are brought, and it is %s", got, n.notification().Status)
	}
}
