package approval_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

func TestWhenARuleNeedsASecondPerson(t *testing.T) {
	t.Parallel()
	try := func(minor int64) gateway.Money { return gateway.Lira(money.New(minor, money.TRY)) }
	coin := gateway.Money{Amount: money.MustDecimal("0.01"), Asset: gateway.Asset{Code: "USDT", Network: "TRC20", Decimals: 6}}
	above := approval.Rule{Action: core.GuardWithdrawal, IsOn: true, Above: money.New(1000, money.TRY), LapseAfter: time.Hour}
	every := approval.Rule{Action: core.GuardRefund, IsOn: true, LapseAfter: time.Minute}
	off := approval.Rule{Action: core.GuardKeys, LapseAfter: time.Hour}
	rules := approval.Rules{above, every, off}
	for _, c := range []struct {
		guard core.Guard
		want  bool
	}{
		{core.Guard{Action: core.GuardWithdrawal, Amount: try(1000)}, false},
		{core.Guard{Action: core.GuardWithdrawal, Amount: try(1001)}, true},
		{core.Guard{Action: core.GuardWithdrawal, Amount: coin}, true},
		{core.Guard{Action: core.GuardWithdrawal}, true},
		{core.Guard{Action: core.GuardRefund, Amount: try(1)}, true},
		{core.Guard{Action: core.GuardKeys}, false},
		{core.Guard{Action: core.GuardLimits}, false},
		{core.Guard{Action: core.GuardRules}, true},
	} {
		if active, _ := rules.Active([]core.Guard{c.guard}, approval.Alone{}); (len(active) == 1) != c.want {
			t.Errorf("%+v: active are %+v", c.guard, active)
		}
	}
	both := []core.Guard{{Action: core.GuardWithdrawal, Amount: try(1001)}, {Action: core.GuardRefund, Amount: try(1)}}
	if _, lapse := rules.Active(both, approval.Alone{}); lapse != time.Minute {
		t.Errorf("both lapse after %v", lapse)
	}
	if active, _ := (approval.Rules{off}).Active([]core.Guard{{Action: core.GuardRules}}, approval.Alone{}); len(active) > 0 {
		t.Error("while no rule is on, turning one on needs somebody")
	}
	adjustments := approval.Rule{Action: core.GuardAdjustment, IsOn: true, Above: coretest.Lira(100), LapseAfter: approval.DefaultLapse}
	if err := adjustments.Check(); err != nil || (approval.Rules{}).Of(core.GuardAdjustment).IsOn {
		t.Errorf("a rule about adjustments: %v, or it is on in a fresh installation", err)
	}
}

// TestSplittingLetsNoMoreThrough: however somebody splits an amount over payments, alone they get no more of it through than
// the rule's bounds allow: of a payment's refunds not more than `above`, of a day not more than `perDay`.
func TestSplittingLetsNoMoreThrough(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rule := approval.Rule{
			Action:     rapid.SampledFrom([]core.GuardedAction{core.GuardRefund, core.GuardWithdrawal, core.GuardCredit}).Draw(t, "action"),
			IsOn:       true,
			Above:      coretest.Lira(rapid.SampledFrom([]int64{0, 1, 100, 1000}).Draw(t, "above")),
			PerDay:     coretest.Lira(rapid.SampledFrom([]int64{0, 1, 250, 5000}).Draw(t, "per day")),
			LapseAfter: time.Hour,
		}
		rules := approval.Rules{rule}
		alone := approval.Alone{OfSubject: map[string]money.Amount{}, OfDay: map[core.GuardedAction]money.Amount{}}
		subjects, day := map[string]int64{}, int64(0)
		for range rapid.IntRange(1, 40).Draw(t, "pieces") {
			g := core.Guard{
				Action: rule.Action, Subject: fmt.Sprint("payment/", rapid.IntRange(1, 4).Draw(t, "payment")),
				Amount: gateway.Lira(coretest.Lira(rapid.SampledFrom([]int64{1, 10, 99, 100, 101, 600}).Draw(t, "amount"))),
			}
			if active, _ := rules.Active([]core.Guard{g}, alone); len(active) > 0 {
				continue // a second person is asked: it is not done alone
			}
			piece, err := g.Amount.Amount.Amount(money.TRY)
			if err != nil {
				t.Fatal(err)
			}
			for action, added := range rules.Counted([]core.Guard{g}) {
				alone.OfDay[action] = coretest.Lira(alone.OfDay[action].Minor() + added.Minor())
			}
			alone.OfSubject[g.Subject] = coretest.Lira(alone.OfSubject[g.Subject].Minor() + piece.Minor())
			subjects[g.Subject] += piece.Minor()
			day += piece.Minor()
			checkBounds(t, rule, piece.Minor(), subjects[g.Subject], day)
		}
	})
}

func checkBounds(t *rapid.T, rule approval.Rule, piece, ofSubject, ofDay int64) {
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
	rules := approval.Rules{{Action: core.GuardRefund, IsOn: true, Above: coretest.Lira(100), LapseAfter: time.Hour}}
	half := core.Guard{Action: core.GuardRefund, Subject: "payment/1", Amount: gateway.Lira(coretest.Lira(60))}
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
		return operation.Operation{ID: id, Kind: operation.RefundOperation, Status: string(state), Amount: gateway.Lira(coretest.Lira(minor))}
	}
	operations := []operation.Operation{
		{ID: "D", Kind: operation.DepositOperation, Amount: gateway.Lira(coretest.Lira(10000))},
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
		ID: "C", Version: 1, PaymentID: "P", TrackingCode: "MAN-1", DealerID: 7, Number: 1, Amount: coretest.Lira(120),
		Source: payment.CreditOfStaff, Actor: core.Actor{Kind: core.ByStaff, ID: "1"},
	}
	line, correction, exception, wanted, later := word, word, word, word, word
	line.Source = payment.CreditOfLine
	matched := line
	matched.Actor = core.System
	correction.Number = 2
	exception.AwaitsMoney = true
	wanted.NeedsSecond = "more than the account takes"
	later.Version = 2
	paid := payment.Payment{ID: "P", Amount: coretest.Lira(100)}
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
		off := approval.Rules{{Action: c.action, LapseAfter: time.Minute}}
		active, lapse := off.Active(guards, approval.Alone{})
		if (len(active) == 1) != c.always || c.always && lapse != approval.DefaultLapse && c.action == core.GuardCredit {
			t.Errorf("%s with its rule off: active are %+v, for %v", name, active, lapse)
		}
	}
	if (approval.Rules{}).Of(core.GuardRules).IsOn {
		t.Error("that corrections always need somebody makes the rules themselves need somebody")
	}
}

func TestTheBoundsOfCredits(t *testing.T) {
	t.Parallel()
	credit := func(amount, differs int64) core.Guard {
		return core.Guard{Action: core.GuardCredit, Amount: gateway.Lira(coretest.Lira(amount)), DiffersBy: gateway.Lira(coretest.Lira(differs))}
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
		rules := approval.Rules{{Action: core.GuardCredit, IsOn: true, Above: coretest.Lira(c.above), DiffersBy: coretest.Lira(c.differsBy)}}
		if active, _ := rules.Active([]core.Guard{c.guard}, approval.Alone{}); (len(active) == 1) != c.want {
			t.Errorf("%s: active are %+v", name, active)
		}
	}
}

// TestWhoWorksHereAlwaysTakesTwo: whatever the rules say, and only while none is on is the first one let.
func TestWhoWorksHereAlwaysTakesTwo(t *testing.T) {
	t.Parallel()
	staff, keys := core.Guard{Action: core.GuardStaff, Subject: "staff/7"}, core.Guard{Action: core.GuardKeys, Subject: "site/1"}
	off := approval.Rules{{Action: core.GuardLimits}, {Action: core.GuardStaff, LapseAfter: approval.DefaultLapse}}
	on := approval.Rules{{Action: core.GuardLimits, IsOn: true, Above: coretest.Lira(1_000_000_00)}}
	for name, c := range map[string]struct {
		rules  approval.Rules
		guards []core.Guard
		first  bool
	}{
		"nothing is set": {nil, []core.Guard{staff}, true}, "all are off": {off, []core.Guard{staff, staff}, true}, "one is on": {on, []core.Guard{staff}, false},
		"it is about more": {nil, []core.Guard{staff, keys}, false},
	} {
		active, lapse := c.rules.Active([]core.Guard{staff}, approval.Alone{})
		if len(active) != 1 || lapse != approval.DefaultLapse {
			t.Errorf("%s: active are %+v, for %v", name, active, lapse)
		}
		if got := c.rules.LetsFirst(c.guards); got != c.first {
			t.Errorf("%s: the first is let: %t", name, got)
		}
	}
	if err := (approval.Rule{Action: core.GuardStaff, LapseAfter: time.Hour}).Check(); err == nil {
		t.Error("its rule can be set")
	}
}
