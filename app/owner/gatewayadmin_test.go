package owner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/operation"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

func by(s staff.Staff) app.Request { return app.Request{Staff: s, Addr: "192.0.2.7"} }

func text(s string) *string { return &s }

func wantGatewayCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

func newAccount() directory.NewAccount {
	return directory.NewAccount{Plugin: "till", Environment: gateway.Production, GatewayPatch: owner.GatewayPatch{
		Code: text("third"), Name: text("Third"), Config: map[string]string{"api_key": "key-of-third", "note": "for tests"},
	}}
}

func TestOnlyAdminsEditAndDealersSeeNothing(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for _, s := range []staff.Staff{w.Operator, w.Viewer, w.DealerStaff} {
		_, err := w.GatewayAdmin.Create(t.Context(), by(s), newAccount())
		wantGatewayCode(t, err, fault.Forbidden)
		_, err = w.GatewayAdmin.Update(t.Context(), by(s), directory.GatewayUpdate{ID: w.Gateway.ID, GatewayPatch: owner.GatewayPatch{}})
		wantGatewayCode(t, err, fault.Forbidden)
		_, err = w.GatewayAdmin.Test(t.Context(), by(s), w.Gateway.ID)
		wantGatewayCode(t, err, fault.Forbidden)
		_, err = w.GatewayAdmin.SaveRule(t.Context(), by(s), directory.RuleUpdate{RulePatch: routing.RulePatch{}})
		wantGatewayCode(t, err, fault.Forbidden)
		_, err = w.GatewayAdmin.NotificationURL(s, w.Gateway)
		wantGatewayCode(t, err, fault.Forbidden)
	}
	_, err := w.GatewayAdmin.Accounts(t.Context(), w.DealerStaff)
	wantGatewayCode(t, err, fault.Forbidden)
}

func TestNewAccountIsOffUntilItIsSwitchedOnAndThenCountsAtOnce(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	a, err := w.GatewayAdmin.Create(t.Context(), by(w.Admin), newAccount())
	if err != nil || a.IsEnabled || a.ID == 0 || len(a.HookToken) < 26 {
		t.Fatalf("created %+v, %v", a, err)
	}
	offers := func() int {
		p := w.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
		v, err := w.Operations.View(t.Context(), p.Token)
		if err != nil {
			t.Fatal(err)
		}
		return len(v.Offers)
	}
	before := offers()
	yes, first := true, 0
	if _, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{IsEnabled: &yes, Priority: &first}}); err != nil {
		t.Fatal(err)
	}
	if got := offers(); got != before+1 {
		t.Errorf("%d offers before, %d after", before, got)
	}
	p := w.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
	if err != nil || o.GatewayID != a.ID {
		t.Errorf("routed to %d, %v", o.GatewayID, err)
	}
}

func TestWrongConfigurationIsNamedFieldByField(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for name, change := range map[string]func(*directory.NewAccount){
		"plugin":      func(n *directory.NewAccount) { n.Plugin = "nobody" },
		"environment": func(n *directory.NewAccount) { n.Environment = "moon" },
		"code":        func(n *directory.NewAccount) { n.Code = text("Über") },
		"name":        func(n *directory.NewAccount) { n.Name = nil },
		"api_key":     func(n *directory.NewAccount) { n.Config = map[string]string{} },
		"apikey":      func(n *directory.NewAccount) { n.Config["apikey"] = "x" },
		"weight":      func(n *directory.NewAccount) { minus := -1; n.Weight = &minus },
	} {
		n := newAccount()
		change(&n)
		_, err := w.GatewayAdmin.Create(t.Context(), by(w.Admin), n)
		fields := fault.FieldsOf(err)
		if len(fields) != 1 || fields[0].Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	taken := newAccount()
	taken.Code = text("till")
	_, err := w.GatewayAdmin.Create(t.Context(), by(w.Admin), taken)
	wantGatewayCode(t, err, fault.Conflict)
}

func TestSecretsAreNeverShownAndTheOneBeforeIsKeptForRotation(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	values, err := w.GatewayAdmin.Config(t.Context(), w.Operator, w.Gateway, "en")
	if err != nil || len(values) != 2 || !values[0].IsSet || values[0].Value != "" || values[1].IsSet {
		t.Errorf("config %+v, %v", values, err)
	}
	a, err := w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: w.Gateway.ID, GatewayPatch: owner.GatewayPatch{Config: map[string]string{"api_key": "new-key"}}})
	if err != nil {
		t.Fatal(err)
	}
	now, before, err := a.Values()
	if err != nil || now["api_key"] != "new-key" || before["api_key"] != "key-of-till" {
		t.Errorf("now %v, before %v, %v", now, before, err)
	}
	if shown := fmt.Sprintf("%v %+v %#v", a, a, values); strings.Contains(shown, "new-key") || strings.Contains(shown, "key-of-till") {
		t.Error("printing an account shows its secrets")
	}
	if a, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{Config: map[string]string{"api_key": ""}}}); err == nil {
		t.Errorf("a required secret was taken away: %+v", a)
	}
}

// TestAnotherChangeDoesNotForgetTheSecretBefore: messages signed with it may still be on their way.
func TestAnotherChangeDoesNotForgetTheSecretBefore(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var a owner.GatewayAccount
	for _, change := range []map[string]string{{"api_key": "new-key"}, {"note": "changed"}, {"api_key": "new-key", "note": "again"}} {
		var err error
		if a, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: w.Gateway.ID, GatewayPatch: owner.GatewayPatch{Config: change}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, before, err := a.Values(); err != nil || before["api_key"] != "key-of-till" || before["note"] != "changed" {
		t.Errorf("before: %v, %v", before, err)
	}
}

func TestHealthDoesNotCountADeclineAsAFailureOfTheGateway(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	w.Sandbox.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Refusing }
	p := w.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	if _, _, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token}); err != nil {
		t.Fatal(err)
	}
	all, err := w.GatewayAdmin.Health(t.Context(), w.Operator, w.Gateway)
	h := all[w.Gateway.ID]
	if err != nil || h.CallCount != 1 || h.FailedCount != 0 || !h.LastOKAt.Equal(w.Clock.Now()) {
		t.Errorf("health %+v, %v", h, err)
	}
	w.Sandbox.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.NotSent }
	p = w.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	if _, _, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token}); err != nil {
		t.Fatal(err)
	}
	all, err = w.GatewayAdmin.Health(t.Context(), w.Operator, w.OtherGateway, w.Gateway)
	if other := all[w.OtherGateway.ID]; len(all) != 2 || other.FailedCount != 0 {
		t.Errorf("the other account's health is %+v", other)
	}
	h = all[w.Gateway.ID]
	if err != nil || h.CallCount != 2 || h.FailedCount != 1 {
		t.Errorf("health %+v, %v", h, err)
	}
}

func TestSandboxesAreRefusedWhereTheyAreNotAllowed(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	a := w.Gateway
	a.Version, a.Environment = 0, gateway.Sandbox
	_, err := w.Gateways.Open(a)
	wantGatewayCode(t, err, fault.GatewayUnusable)
	w.Gateways.AllowSandbox = true
	if _, err = w.Gateways.Open(a); err != nil {
		t.Errorf("allowed, and refused: %v", err)
	}
}

func TestRulesRouteByAmountAndStayEditable(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	low := money.New(50_000, money.TRY)
	kind, first := gateway.Card, 0
	rule, err := w.GatewayAdmin.SaveRule(t.Context(), by(w.Admin), directory.RuleUpdate{RulePatch: routing.RulePatch{
		Name: text("large cards"), Kind: &kind, Min: &low, GatewayID: &w.OtherGateway.ID, Priority: &first,
	}})
	if err != nil {
		t.Fatal(err)
	}
	routed := func(lira int64) coreoperation.Operation {
		p := w.StartDeposit(t, payment.CreditCard, money.New(lira*100, money.TRY))
		_, o, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	if o := routed(500); o.GatewayID != w.OtherGateway.ID || !strings.Contains(o.Why, "large cards") {
		t.Errorf("500.00 went to %d: %s", o.GatewayID, o.Why)
	}
	if o := routed(499); o.GatewayID != w.Gateway.ID {
		t.Errorf("499.00 went to %d: %s", o.GatewayID, o.Why)
	}
	no := false
	if _, err = w.GatewayAdmin.SaveRule(t.Context(), by(w.Admin), directory.RuleUpdate{ID: rule.ID, RulePatch: routing.RulePatch{IsActive: &no}}); err != nil {
		t.Fatal(err)
	}
	if o := routed(500); o.GatewayID != w.Gateway.ID {
		t.Errorf("a rule that is off still routes: %s", o.Why)
	}
	nobody := int64(99)
	_, err = w.GatewayAdmin.SaveRule(t.Context(), by(w.Admin), directory.RuleUpdate{ID: rule.ID, RulePatch: routing.RulePatch{GatewayID: &nobody}})
	wantGatewayCode(t, err, fault.Invalid)
}

func TestHealthTellsHowTheLastCallsWent(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.CreditCard, money.New(25000, money.TRY))
	if _, _, err := w.Operations.Begin(t.Context(), operation.Begin{Token: p.Token}); err != nil {
		t.Fatal(err)
	}
	all, err := w.GatewayAdmin.Health(t.Context(), w.Operator, w.Gateway)
	h := all[w.Gateway.ID]
	if err != nil || h.CallCount != 1 || h.FailedCount != 0 || !h.LastOKAt.Equal(w.Clock.Now()) || h.IsFailing {
		t.Errorf("health %+v, %v", h, err)
	}
}
