package operation_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
)

func TestNotificationThatMakesThePluginPanicIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rig(&rig{told: func(gateway.Inbound) (gateway.Notification, error) { panic("a body that nobody expected") }})
	reply, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{Method: http.MethodPost})
	if err != nil || reply.Status != http.StatusServiceUnavailable {
		t.Errorf("answered %d, %v", reply.Status, err)
	}
}

func TestFloodOfForgedNotificationsIsKeptShortAndFew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	forged := gateway.Inbound{Method: http.MethodPost, Body: bytes.Repeat([]byte("x"), gateway.MaxNotificationBytes)}
	for i := range 100 {
		forged.Header = append(forged.Header, gateway.Field{Name: fmt.Sprint("X-", i), Value: strings.Repeat("y", 1000)})
	}
	for range 500 {
		w.Clock.Advance(time.Millisecond)
		reply, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, forged)
		if err != nil || reply.Status != http.StatusUnauthorized {
			t.Fatalf("answered %d, %v", reply.Status, err)
		}
	}
	kept := w.notifications()
	size := 0
	for _, n := range kept {
		size += len(n.Inbound.Body) + len(n.Inbound.Query)
		for _, f := range n.Inbound.Header {
			size += len(f.Name) + len(f.Value)
		}
	}
	if len(kept) != 60 || size > 60*(20<<10) {
		t.Errorf("%d are kept, of %d bytes", len(kept), size)
	}
}

func (w *world) notifications() []notification.Notification {
	w.t.Helper()
	all, err := w.Store.Notifications(w.t.Context(), notification.Query{Paging: core.Paging[core.ID]{Limit: 1000}})
	w.no(err)
	return all
}

func TestMessagesThatNoSignatureProtectsAreTakenAtABoundedRate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, o := w.begun(payment.CreditCard, lira(250))
	statuses := map[int]int{}
	send := func(i int, trust gateway.Trust) {
		reply, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Sandbox.Inform(fmt.Sprint("n-", trust, i), o.Reference, trust))
		w.no(err)
		statuses[reply.Status]++
	}
	for i := range 700 {
		send(i, gateway.Hint)
	}
	if statuses[http.StatusOK] != 600 || statuses[http.StatusServiceUnavailable] != 100 {
		t.Errorf("hints are answered %v", statuses)
	}
	clear(statuses)
	for i := range 700 {
		send(i, gateway.Signed)
	}
	if statuses[http.StatusOK] != 700 {
		t.Errorf("what is signed is answered %v", statuses)
	}
}

func TestKeysThatNoDatabaseTakesStillTellMessagesApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	r.told = func(in gateway.Inbound) (gateway.Notification, error) {
		return gateway.Notification{ID: oddTexts() + string(in.Body), Type: oddTexts()}, nil
	}
	for _, body := range []string{"1", "2", "1"} {
		_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{Method: http.MethodPost, Body: []byte(body)})
		w.no(err)
	}
	kept := w.notifications()
	if len(kept) != 2 || kept[0].Key == kept[1].Key || len(kept[0].Key) > 200 || !core.IsCleanText(kept[0].Key+kept[0].Type) {
		t.Errorf("kept %d: %q", len(kept), kept[0].Key)
	}
}

// TestNotificationThatCannotBeWorkedOnHoldsUpNoOtherAndIsLeftToStaff: whatever keeps one from being worked on.
func TestNotificationThatCannotBeWorkedOnHoldsUpNoOtherAndIsLeftToStaff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	bad, o := w.begun(payment.CreditCard, lira(250))
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		for _, p := range core.RowsOf[payment.Payment](c) {
			if p.ID == bad.ID {
				return fault.New("test", fault.Internal)
			}
		}
		return nil
	}}
	w.Sandbox.PayInFull(o.Reference)
	for i := range 20 {
		_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Sandbox.Inform(fmt.Sprint("bad-", i), o.Reference, gateway.Signed))
		w.no(err)
	}
	good, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(o.Reference)
	_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Sandbox.Inform("good", o.Reference, gateway.Signed))
	w.no(err)
	w.Work(t)
	w.is(good, payment.Success)
	for range 60 {
		w.later(time.Hour)
	}
	for _, n := range w.notifications() {
		want := notification.Unknown
		if n.Key == "good" {
			want = notification.Done
		}
		if n.Status != want {
			t.Fatalf("%s is %s after %d tries", n.Key, n.Status, n.Tries)
		}
	}
}

// TestReportsFindTheOperationOfTheirKind: a gateway may give a deposit and its refund one id, and may name the wrong one.
func TestReportsFindTheOperationOfTheirKind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(o.Reference)
	w.comeBack(o)
	w.Clock.Advance(time.Second)
	_, err := w.Operations.Refund(t.Context(), byOf(w, p), lira(100), nil)
	w.no(err)
	w.Work(t)
	refund := w.operations(p)[1]
	refund.Version, refund.External.ID = refund.Version+1, o.External.ID // newer, and of the same id
	w.no(w.Store.Commit(t.Context(), core.Changeset{refund}))
	r.told = func(gateway.Inbound) (gateway.Notification, error) {
		return gateway.Notification{ID: "n-1", Events: []gateway.Observation{{External: o.External, State: gateway.Disputed, Trust: gateway.Answered}}}, nil
	}
	_, err = w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{})
	w.no(err)
	w.Work(t)
	if d := w.discrepancy(p, discrepancy.Dispute); d.OperationID != o.ID {
		t.Errorf("it is about %s", d.OperationID)
	}
	r.told = func(gateway.Inbound) (gateway.Notification, error) { // a payout under a deposit's reference
		return gateway.Notification{ID: "n-2", Payouts: []gateway.PayoutReport{{Ref: o.Reference, State: gateway.PayoutDone, Trust: gateway.Signed}}}, nil
	}
	_, err = w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{})
	w.no(err)
	w.Work(t)
	for _, n := range w.notifications() {
		if n.Key == "n-2" && n.Status != notification.Unknown {
			t.Errorf("a report about another kind is %s", n.Status)
		}
	}
}

// TestAMessageThatNamesThePaymentAloneFindsIt: the gateway's own id of the payment is learnt by asking, and later all that a chargeback
// names. The same id at another account is another payment.
func TestAMessageThatNamesThePaymentAloneFindsIt(t *testing.T) {
	t.Parallel()
	for name, external := range map[string]gateway.ExternalRef{
		"as its main id": {ID: "pay-77"}, "by its name": {Alt: map[string]string{gateway.AltPayment: "pay-77"}},
	} {
		w := newWorld(t)
		r := w.rig(&rig{})
		r.read = func(ctx context.Context, k gateway.DepositKey) (gateway.Observation, error) {
			o, err := r.ReadDeposit(ctx, k)
			o.External.Alt = map[string]string{gateway.AltPayment: "pay-77"}
			return o, err
		}
		p, o := w.begun(payment.CreditCard, lira(250))
		w.Sandbox.PayInFull(o.Reference)
		w.comeBack(o)
		w.Clock.Advance(time.Second)
		asked := gateway.Notification{ID: "n-0", Events: []gateway.Observation{{Ref: o.Reference, State: gateway.Processing, Trust: gateway.Signed}}}
		told := gateway.Notification{ID: "n-1", Events: []gateway.Observation{{External: external, State: gateway.Disputed, Trust: gateway.Answered}}}
		for _, n := range []gateway.Notification{asked, told} {
			r.told = func(gateway.Inbound) (gateway.Notification, error) { return n, nil }
			_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, gateway.Inbound{})
			w.no(err)
			w.Work(t)
		}
		if d := w.discrepancy(p, discrepancy.Dispute); d.OperationID != o.ID {
			t.Errorf("%s: it is about %s", name, d.OperationID)
		}
	}
}
