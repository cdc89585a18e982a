package operation_test

import (
	"strings"
	"testing"
	"time"

	directory "github.com/vezne/vezne/app/owner"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func (w *world) change(a owner.GatewayAccount, patch owner.GatewayPatch) owner.GatewayAccount {
	w.t.Helper()
	changed, err := w.GatewayAdmin.Update(w.t.Context(), adminOf(w), directory.GatewayUpdate{ID: a.ID, GatewayPatch: patch})
	w.no(err)
	return changed
}

func (w *world) switchOff(a owner.GatewayAccount) {
	w.t.Helper()
	no := false
	w.change(a, owner.GatewayPatch{IsEnabled: &no})
}

// forMinutes lets time pass, with the sweeper coming by every ten seconds.
func (w *world) forMinutes(n int) {
	w.t.Helper()
	for range 6 * n {
		w.later(10 * time.Second)
	}
}

// takePluginAway is a new program without the plugin of the World's first gateway, which was open in the one before.
func (w *world) takePluginAway() {
	w.t.Helper()
	w.change(w.Gateway, owner.GatewayPatch{})
	w.Gateways.Plugins = apptest.Plugins{w.OtherSandbox}
}

// unusable are ways in which an account can't be opened any more, and how it can be again.
func unusable() map[string]func(w *world) (repair func()) {
	return map[string]func(w *world) func(){
		"its plugin is gone": func(w *world) func() {
			w.takePluginAway()
			return func() { w.Gateways.Plugins = apptest.Plugins{w.Sandbox, w.OtherSandbox} }
		},
		"its configuration is not valid any more": func(w *world) func() {
			broken := w.Gateway
			broken.Version++
			broken.Config = core.NewSecret("{}")
			w.no(w.UnitOfWork.Commit(w.t.Context(), core.Changeset{broken}))
			return func() {
				broken.Version++
				broken.Config = w.Gateway.Config
				w.no(w.UnitOfWork.Commit(w.t.Context(), core.Changeset{broken}))
			}
		},
		"its plugin panics": func(w *world) func() {
			isBroken := true
			w.rig(&rig{open: func() error {
				if isBroken {
					panic("a plugin of another version")
				}
				return nil
			}})
			w.change(w.Gateway, owner.GatewayPatch{}) // opened anew
			return func() { isBroken = false }
		},
	}
}

func TestPaymentsEndAlthoughTheirAccountWasSwitchedOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, o := w.begun(payment.CreditCard, lira(250))
	left, _ := w.begun(payment.CreditCard, lira(250))
	w.switchOff(w.Gateway)
	w.Sandbox.PayInFull(o.Reference)
	w.later(6 * time.Second)
	w.is(paid, payment.Success)
	w.later(15 * time.Minute)
	w.is(left, payment.Failed)
	if _, o = w.begun(payment.CreditCard, lira(250)); o.GatewayID != w.OtherGateway.ID {
		t.Error("a new payment went to an account that is off")
	}
}

func TestPaymentsEndAlthoughTheirAccountCannotBeOpened(t *testing.T) {
	t.Parallel()
	for name, breaks := range unusable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p, o := w.begun(payment.CreditCard, lira(250))
			repair := breaks(w)
			w.later(14 * time.Minute)
			w.is(p, payment.Pending)
			w.forMinutes(3)
			if p = w.is(p, payment.Failed); p.Failure.Code != "TIMEOUT" || len(w.callbacks(p)) != 1 {
				t.Errorf("failure %+v, %d callbacks", p.Failure, len(w.callbacks(p)))
			}
			w.Sandbox.PayInFull(o.Reference) // money that comes all the same is not lost
			repair()
			w.later(time.Hour)
			w.discrepancy(p, discrepancy.LateMoney)
		})
	}
}

func TestPayoutUnderWayAtAnAccountThatCannotBeOpenedWaitsForItOrForStaff(t *testing.T) {
	t.Parallel()
	for name, breaks := range unusable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.faults(w.Sandbox.SimulatedGateway, gateway.CanPayOut, apptest.Lost)
			sent, planned := w.StartWithdrawal(t, payment.BankWithdrawal, lira(500)), w.StartWithdrawal(t, payment.WalletWithdrawal, lira(5000))
			w.Work(t)
			repair := breaks(w)
			for range 80 {
				w.later(time.Hour)
			}
			w.is(sent, payment.Processing)
			w.discrepancy(sent, discrepancy.UnknownOutcome)
			_, err := w.Operations.RejectPayout(t.Context(), apptest.By(w.Operator, planned, "nobody is there"))
			w.no(err)
			repair()
			w.Sandbox.Happen(w.operations(sent)[0].Reference, bank.Done)
			w.later(25 * time.Hour)
			w.is(sent, payment.Completed)
			if d := w.discrepancy(sent, discrepancy.UnknownOutcome); d.Status != discrepancy.Settled {
				t.Errorf("the discrepancy is %s", d.Status)
			}
		})
	}
}

func TestNoMoneyLeavesThroughAnAccountThatIsOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.StartWithdrawal(t, payment.BankWithdrawal, lira(500)), w.StartWithdrawal(t, payment.WalletWithdrawal, lira(500))
	w.switchOff(w.Gateway)
	w.forMinutes(5)
	w.is(p, payment.Showing)
	if _, ok := w.Sandbox.FindPayout(string(w.operations(p)[0].Reference)); ok {
		t.Fatal("it left all the same")
	}
	_, err := w.Operations.RejectPayout(t.Context(), apptest.By(w.Operator, other, "the gateway is off"))
	w.no(err)
	yes := true
	w.change(w.Gateway, owner.GatewayPatch{IsEnabled: &yes})
	w.forMinutes(2)
	w.is(p, payment.Processing)
	w.is(other, payment.Rejected)
}

func TestMoneyGoesBackThroughAnAccountThatIsOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, o := w.begun(payment.CreditCard, lira(250))
	w.Sandbox.PayInFull(o.Reference)
	w.comeBack(o)
	w.switchOff(w.Gateway)
	_, err := w.Operations.Refund(t.Context(), apptest.By(w.Operator, p, "sorry"), money.Amount{}, nil)
	w.no(err)
	w.later(time.Second)
	w.is(p, payment.Refunded)
}

func TestNotificationIsWorkedOnAlthoughItsAccountCannotBeOpened(t *testing.T) {
	t.Parallel()
	for name, breaks := range unusable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p, o := w.begun(payment.CreditCard, lira(250))
			w.Sandbox.PayInFull(o.Reference)
			_, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Sandbox.Inform("n-1", o.Reference, gateway.Signed))
			w.no(err)
			breaks(w)
			w.Work(t)
			w.is(p, payment.Success)
		})
	}
}

func TestNotificationForAnAccountThatCannotBeOpenedIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, o := w.begun(payment.CreditCard, lira(250))
	w.takePluginAway()
	if _, err := w.Operations.Notify(t.Context(), w.Gateway.HookToken, w.Sandbox.Inform("n-1", o.Reference, gateway.Signed)); err == nil {
		t.Error("a notification that nobody could read is acknowledged")
	}
}

func TestAccountThatCannotBeOpenedIsNotWrittenAboutEverySecond(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begun(payment.CreditCard, lira(250))
	w.takePluginAway()
	for range 600 {
		w.later(time.Second)
	}
	if n := strings.Count(w.Logs.String(), "can't be opened"); n == 0 || n > 30 {
		t.Errorf("written %d times in ten minutes", n)
	}
}

func TestChangedAccountIsOpenedAnewAndTheOneBeforeIsClosedWhenNobodyUsesIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.rig(&rig{})
	first := w.Gateway
	before, err := w.Gateways.Open(first)
	w.no(err)
	changed := w.change(first, owner.GatewayPatch{Config: map[string]string{"note": "changed"}})
	after, err := w.Gateways.Open(changed)
	w.no(err)
	if before == after || after.Account.Version != changed.Version {
		t.Fatal("a changed account goes on as it was")
	}
	opened := r.opened.Load()
	for range 3 { // somebody who read the account before the change
		if stale, err := w.Gateways.Open(first); err != nil || stale != after {
			t.Errorf("an old version takes the new one's place: %v", err)
		}
	}
	if r.opened.Load() != opened {
		t.Error("an old version was opened again")
	}
	trial := r.closed.Load() // the configuration was tried out, and let go of
	w.Clock.Advance(9 * time.Minute)
	_, err = w.Gateways.Open(changed)
	w.no(err)
	if n := r.closed.Load() - trial; n != 0 {
		t.Errorf("closed %d gateways that somebody may be working with", n)
	}
	for range 3 {
		w.Clock.Advance(time.Minute)
		_, err = w.Gateways.Open(changed)
		w.no(err)
	}
	if n := r.closed.Load() - trial; n != 1 {
		t.Errorf("closed %d, and one was replaced", n)
	}
}

func TestOperationsOfOneMomentAreListedInTheirOrder(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := newWorld(t)
		w.faults(w.Sandbox.SimulatedGateway, gateway.CanStartDeposit, apptest.NotSent)
		p, _ := w.begun(payment.CreditCard, lira(250))
		all, err := w.Backoffice.Batch(p).Operations(t.Context(), p)
		w.no(err)
		if len(all) != 2 || all[0].Number != 1 || all[1].Number != 2 {
			t.Fatalf("listed as %d, %d", all[0].Number, all[1].Number)
		}
	}
}

func TestOneRefusalOfTheKeysIsTestedBeforeTheAccountIsSuspended(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.faults(w.Sandbox.SimulatedGateway, gateway.CanStartDeposit, apptest.Misset) // a firewall that takes a name for an attack
	if _, o := w.begun(payment.CreditCard, lira(250)); o.GatewayID != w.OtherGateway.ID {
		t.Fatal("the customer was sent to a gateway that refuses")
	}
	if _, o := w.begun(payment.CreditCard, lira(250)); o.GatewayID != w.Gateway.ID {
		t.Error("one customer's request switched the gateway off for all")
	}
	w.Sandbox.Fault = func(call gateway.Capability, _ gateway.Ref) apptest.Fault {
		if call == gateway.CanStartDeposit {
			return apptest.Misset // and goes on so
		}
		return apptest.NoFault
	}
	for range 7 {
		w.begun(payment.CreditCard, lira(250))
	}
	if a := w.accountOf(w.Gateway.ID); a.Trouble == "" {
		t.Error("every start is refused, and the account goes on taking payments")
	}
}

func (w *world) accountOf(id int64) owner.GatewayAccount {
	w.t.Helper()
	all, err := w.GatewayAdmin.Accounts(w.t.Context(), w.Admin)
	w.no(err)
	for _, a := range all {
		if a.ID == id {
			return a
		}
	}
	w.t.Fatal("no such account")
	return owner.GatewayAccount{}
}
