package core_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
)

// TestSplittingLetsNoMoreThrough: however somebody splits an amount over payments, alone they get no more of it through than
// the rule's bounds allow: of a payment's refunds not more than `above`, of a day not more than `perDay`.
func TestSplittingLetsNoMoreThrough(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rule := approval.ApprovalRule{
			Action:     rapid.SampledFrom([]core.GuardedAction{core.GuardRefund, core.GuardWithdrawal, core.GuardCredit}).Draw(t, "action"),
			IsOn:       true,
			Above:      lira(rapid.SampledFrom([]int64{0, 1, 100, 1000}).Draw(t, "above")),
			PerDay:     lira(rapid.SampledFrom([]int64{0, 1, 250, 5000}).Draw(t, "per day")),
			LapseAfter: time.Hour,
		}
		rules := approval.ApprovalRules{rule}
		alone := approval.Alone{OfSubject: map[string]money.Amount{}, OfDay: map[core.GuardedAction]money.Amount{}}
		subjects, day := map[string]int64{}, int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "pieces") {
			g := core.Guard{
				Action: rule.Action, Subject: fmt.Sprint("payment/", rapid.IntRange(1, 4).Draw(t, "payment")),
				Amount: gateway.Lira(lira(rapid.SampledFrom([]int64{1, 10, 99, 100, 101, 600}).Draw(t, "amount"))),
			}
			if active, _ := rules.Active([]core.Guard{g}, alone); len(active) > 0 {
				continue // a second person is asked: it is not done alone
			}
			piece, err := g.Amount.Amount.Amount(money.TRY)
			if err != nil {
				t.Fatal(err)
			}
			for action, added := range rules.Counted([]core.Guard{g}) {
				alone.OfDay[action] = lira(alone.OfDay[action].Minor() + added.Minor())
			}
			alone.OfSubject[g.Subject] = lira(alone.OfSubject[g.Subject].Minor() + piece.Minor())
			subjects[g.Subject] += piece.Minor()
			day += piece.Minor()
			checkBounds(t, rule, piece.Minor(), subjects[g.Subject], day)
		}
	})
}

func checkBounds(t *rapid.T, rule approval.ApprovalRule, piece, ofSubject, ofDay int64) {
	perDay := rule.PerDay.Minor()
	if rule.Action != core.GuardRefund {
		ofSubject = piece
	} else if perDay == 0 {
		perDay = rule.Above.Minor()
	}
	switch above := rule.Above.Minor(); {
	case above == 0 && perDay == 0:
		t.Fatalf("%d went through under a rule without bounds", piece)
	case above > 0 && ofSubject > above:
		t.Fatalf("%d of one payment went through, above is %d", ofSubject, above)
	case perDay > 0 && ofDay > perDay:
		t.Fatalf("%d of one day went through, a day allows %d", ofDay, perDay)
	}
}

// TestOneChangesetIsNoWayToSplit: what one changeset does is added up.
func TestOneChangesetIsNoWayToSplit(t *testing.T) {
	t.Parallel()
	rules := approval.ApprovalRules{{Action: core.GuardRefund, IsOn: true, Above: lira(100), LapseAfter: time.Hour}}
	half := core.Guard{Action: core.GuardRefund, Subject: "payment/1", Amount: gateway.Lira(lira(60))}
	other := half
	other.Subject = "payment/2"
	if active, _ := rules.Active([]core.Guard{half}, approval.Alone{}); len(active) > 0 {
		t.Error("60 of 100 needs somebody")
	}
	for _, second := range []core.Guard{half, other} {
		if active, _ := rules.Active([]core.Guard{half, second}, approval.Alone{}); len(active) != 1 {
			t.Errorf("120 of 100 in two: active are %+v", active)
		}
	}
}

func TestWhatCountsAsRefundedAlone(t *testing.T) {
	t.Parallel()
	refund := func(id core.ID, minor int64, state gateway.RefundState) operation.Operation {
		return operation.Operation{ID: id, Kind: operation.RefundOperation, State: string(state), Amount: gateway.Lira(lira(minor))}
	}
	operations := []operation.Operation{
		{ID: "D", Kind: operation.DepositOperation, Amount: gateway.Lira(lira(10000))},
		refund("1", 1, gateway.RefundDone), refund("2", 20, gateway.RefundPending), refund("3", 300, gateway.RefundUnknown),
		refund("4", 4000, gateway.RefundFailed), refund("5", 50000, gateway.RefundDone), refund("6", 600000, ""),
	}
	if got := approval.RefundedAlone(operations, func(id core.ID) bool { return id == "5" }); got.Minor() != 600321 {
		t.Errorf("alone were refunded %s", got)
	}
}

// TestWhatNoRuleSwitchesOff: corrections, exceptions, and what a decision itself says.
func TestWhatNoRuleSwitchesOff(t *testing.T) {
	t.Parallel()
	word := payment.Credit{
		ID: "C", Version: 1, PaymentID: "P", TrackingCode: "MAN-1", DealerID: 7, Number: 1, Amount: lira(120),
		Source: payment.CreditOfStaff, By: core.Actor{Kind: core.ByStaff, ID: "1"},
	}
	line, correction, exception, wanted, later := word, word, word, word, word
	line.Source = payment.CreditOfLine
	matched := line
	matched.By = core.System
	correction.Number = 2
	exception.AwaitsMoney = true
	wanted.NeedsSecond = "more than the account takes"
	later.Version = 2
	paid := payment.Payment{ID: "P", Amount: lira(100)}
	for name, c := range map[string]struct {
		credit payment.Credit
		action core.GuardedAction
		always bool
	}{
		"a word": {word, core.GuardCredit, false}, "a line that staff chose": {line, core.GuardCredit, false}, "a line that was matched": {matched, "", false},
		"a correction": {correction, core.GuardCorrection, true},
		"an exception": {exception, core.GuardCredit, true}, "what core says": {wanted, core.GuardCredit, true}, "the money of a word": {later, "", false},
	} {
		change := core.Changeset{c.credit}
		if !change.IsGuarded() {
			t.Errorf("%s is not guarded", name)
		}
		guards := core.Judge(change, []core.Row{paid}).Guards()
		if c.action == "" {
			if guards != nil {
				t.Errorf("%s: guards are %+v", name, guards)
			}
			continue
		}
		if len(guards) != 1 || guards[0].Action != c.action || guards[0].IsAlways != c.always || guards[0].Subject != "payment/MAN-1" {
			t.Errorf("%s: guards are %+v", name, guards)
		}
		off := approval.ApprovalRules{{Action: c.action, LapseAfter: time.Minute}}
		active, lapse := off.Active(guards, approval.Alone{})
		if (len(active) == 1) != c.always || c.always && lapse != approval.DefaultLapse && c.action == core.GuardCredit {
			t.Errorf("%s with its rule off: active are %+v, for %v", name, active, lapse)
		}
	}
	if (approval.ApprovalRules{}).Of(core.GuardRules).IsOn {
		t.Error("that corrections always need somebody makes the rules themselves need somebody")
	}
}

func TestTheBoundsOfCredits(t *testing.T) {
	t.Parallel()
	credit := func(amount, differs int64) core.Guard {
		return core.Guard{Action: core.GuardCredit, Amount: gateway.Lira(lira(amount)), Differs: gateway.Lira(lira(differs))}
	}
	for name, c := range map[string]struct {
		above, differsBy int64
		guard            core.Guard
		want             bool
	}{
		"no bound": {0, 0, credit(1, 0), true}, "up to the amount": {100, 0, credit(100, 99), false}, "above it": {100, 0, credit(101, 0), true},
		"as it was asked for": {0, 10, credit(1000, 0), false}, "a little different": {0, 10, credit(1000, 10), false},
		"too different": {0, 10, credit(1000, 11), true}, "both": {100, 10, credit(100, 10), false}, "one of both": {100, 10, credit(101, 0), true},
	} {
		rules := approval.ApprovalRules{{Action: core.GuardCredit, IsOn: true, Above: lira(c.above), DiffersBy: lira(c.differsBy)}}
		if active, _ := rules.Active([]core.Guard{c.guard}, approval.Alone{}); (len(active) == 1) != c.want {
			t.Errorf("%s: active are %+v", name, active)
		}
	}
}

// TestWhereMoneyGoesIsGuarded, and switching off what takes it is not.
func TestWhereMoneyGoesIsGuarded(t *testing.T) {
	t.Parallel()
	provider, site := owner.Provider{ID: 1, Version: 1, IsActive: true}, owner.Site{ID: 1, Version: 1, IsActive: true, DealerID: 1}
	dealer := owner.Dealer{ID: 1, Version: 1, Name: "A", IsActive: true, IsEIBANEnabled: true}
	gate := owner.GatewayAccount{ID: 1, Version: 1, IsEnabled: true, Priority: 1, Weight: 1}
	token := owner.SiteToken{ID: 1, Version: 1, IsActive: true}
	offProvider, offSite := owner.Provider{ID: 1, Version: 1}, owner.Site{ID: 1, Version: 1, DealerID: 1}
	offDealer := owner.Dealer{ID: 1, Version: 1, Name: "A", IsEIBANEnabled: true}
	offGate, offToken := owner.GatewayAccount{ID: 1, Version: 1, Priority: 1, Weight: 1}, owner.SiteToken{ID: 1, Version: 1}
	off := []core.Row{offProvider, offSite, offDealer, offGate, offToken}
	on := []core.Row{provider, site, dealer, gate, token}
	otherDealer, renamed, moreMethods, heavier := site, dealer, dealer, gate
	otherDealer.DealerID, renamed.Name, moreMethods.IsCreditCardEnabled, heavier.Weight = 2, "B", true, 2
	less := dealer
	less.IsEIBANEnabled = false
	routed := []core.GuardedAction{core.GuardRouting}
	for name, c := range map[string]struct {
		before []core.Row
		change core.Changeset
		want   []core.GuardedAction
	}{
		"a provider switched on":      {off, core.Changeset{provider}, routed},
		"a site switched on":          {off, core.Changeset{site}, routed},
		"a dealer switched on":        {off, core.Changeset{dealer}, routed},
		"a gateway switched on":       {off, core.Changeset{gate}, routed},
		"a token switched on":         {off, core.Changeset{token}, []core.GuardedAction{core.GuardKeys}},
		"a provider switched off":     {on, core.Changeset{offProvider}, nil},
		"a site switched off":         {on, core.Changeset{offSite}, nil},
		"a dealer switched off":       {on, core.Changeset{offDealer}, nil},
		"a gateway switched off":      {on, core.Changeset{offGate}, nil},
		"a token switched off":        {on, core.Changeset{offToken}, nil},
		"a method switched off":       {on, core.Changeset{less}, nil},
		"a method switched on":        {on, core.Changeset{moreMethods}, routed},
		"another dealer":              {on, core.Changeset{otherDealer}, routed},
		"another name":                {on, core.Changeset{renamed}, routed},
		"a gateway chosen more":       {on, core.Changeset{heavier}, routed},
		"a new rule":                  {on, core.Changeset{routing.RouteRule{ID: 1, Version: 1, IsActive: true}}, routed},
		"a rule that is not any more": {on, core.Changeset{routing.RouteRule{ID: 1, Version: 2}}, routed},
		"a new dealer": {
			nil, core.Changeset{owner.Dealer{ID: 2, Version: 1, Name: "C", IsActive: true}}, routed,
		},
	} {
		if got := guardsOf(c.change, c.before...); !slices.Equal(got, c.want) || !c.change.IsGuarded() {
			t.Errorf("%s: guards are %v, want %v", name, got, c.want)
		}
	}
}
