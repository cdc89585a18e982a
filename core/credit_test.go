package core_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// shownManual is a manual deposit of 250.00 whose customer was shown an account.
func shownManual(t testingT) core.Payment {
	p := started(t, core.ManualDeposit)
	p.Account = core.OfferedAccount{AccountID: 1, Day: account(1).Day, Held: p.Amount}
	return p
}

// TestOnePersonsWordIsBounded (attack H2): by what they saw, by the requested amount, by the account and by the dealer.
func TestOnePersonsWordIsBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*core.Payment, *core.HandCredit)
		needs  string
		code   fault.Code
	}{
		"its own amount":              {nil, "", ""},
		"less":                        {func(_ *core.Payment, h *core.HandCredit) { h.Amount = lira(1) }, "", ""},
		"double":                      {func(_ *core.Payment, h *core.HandCredit) { h.Amount = lira(50_000) }, "", ""},
		"a kuruş more than double":    {func(_ *core.Payment, h *core.HandCredit) { h.Amount = lira(50_001) }, core.NeedsMultiple, ""},
		"everything there is":         {func(_ *core.Payment, h *core.HandCredit) { h.Amount = lira(99_999_999_999) }, core.NeedsMultiple, ""},
		"more than the account takes": {func(_ *core.Payment, h *core.HandCredit) { h.AccountMax = lira(24_999) }, core.NeedsMaximum, ""},
		"an account that is gone":     {func(_ *core.Payment, h *core.HandCredit) { h.AccountMax = money.Amount{} }, core.NeedsMaximum, ""},
		"the dealer's own cap":        {func(_ *core.Payment, h *core.HandCredit) { h.DealerCap = lira(24_999) }, core.NeedsDealerCap, ""},
		"exactly the dealer's cap":    {func(_ *core.Payment, h *core.HandCredit) { h.DealerCap = lira(25_000) }, "", ""},
		"the customer changed it on the page, tenfold": {func(p *core.Payment, h *core.HandCredit) {
			p.Amount, p.Account.Held, h.Expected = lira(250_000), lira(250_000), lira(250_000)
		}, core.NeedsMultiple, ""},
		"the customer changed it meanwhile": {func(p *core.Payment, _ *core.HandCredit) { p.Amount = lira(490_000) }, "", fault.Changed},
		"no account was shown":              {func(p *core.Payment, _ *core.HandCredit) { p.Account = core.OfferedAccount{} }, core.NeedsException, ""},
		"an E-IBAN deposit":                 {func(p *core.Payment, _ *core.HandCredit) { p.Method = core.EIBANDeposit }, core.NeedsException, ""},
		"a third party's":                   {func(p *core.Payment, _ *core.HandCredit) { p.Method = core.BankDeposit }, core.NeedsException, ""},
	} {
		p := shownManual(t)
		h := byHand(p, lira(0))
		if c.change != nil {
			c.change(&p, &h)
		}
		change, err := core.DecideApproval(p, h, decision(t))
		if fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if len(core.RowsOf[core.Credit](change)) != 1 {
			t.Fatalf("%s: %d credits", name, len(core.RowsOf[core.Credit](change)))
		}
		k := core.RowsOf[core.Credit](change)[0]
		isWord := k.Source == core.CreditOfStaff && k.Amount.Equal(core.RowsOf[core.Payment](change)[0].Amount) && k.PaymentID == p.ID && k.Number == 1
		if !isWord || k.NeedsSecond != c.needs || k.AwaitsMoney != (p.Method != core.ManualDeposit) {
			t.Errorf("%s: %+v", name, k)
		}
	}
}

// TestAnExceptionHasAReason, and calls off what is open at a gateway.
func TestAnExceptionHasAReason(t *testing.T) {
	t.Parallel()
	b, id := opened(t, core.BankDeposit)
	d := decision(t)
	d.Reason = ""
	h := byHand(b.payment, lira(0))
	h.Operations = b.operations
	if _, err := core.DecideApproval(b.payment, h, d); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	d.Reason = "the gateway's panel has it"
	change, err := core.DecideApproval(b.payment, h, d)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(core.RowsOf[core.Operation](change)) != 1 || core.RowsOf[core.Operation](change)[0].ID != id || !core.RowsOf[core.Operation](change)[0].IsUnwanted {
		t.Errorf("the customer can go on paying: %+v", core.RowsOf[core.Operation](change))
	}
}

// excepted is a third-party deposit of 250.00 that two people credited before its gateway said anything.
func excepted(t testingT, amount int64) (*books, core.ID) {
	b, id := opened(t, core.BankDeposit)
	h := byHand(b.payment, lira(amount))
	h.Operations = b.operations
	change, err := core.DecideApproval(b.payment, h, b.decision(core.Actor{Kind: core.ByStaff, ID: "1"}, "seen in the panel"))
	if err != nil {
		t.Fatalf("%v", err)
	}
	b.apply(t, change)
	return b, id
}

// TestTheMoneyOfAWordIsBoundToIt: what a gateway reports later credits nobody again, is no surplus, and is a discrepancy only by
// what it differs (correctness 5).
func TestTheMoneyOfAWordIsBoundToIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		word, came int64
		want       []string
	}{
		"exactly it": {25_000, 25_000, nil},
		"more":       {20_000, 25_000, []string{"credit_differs open"}},
		"less":       {30_000, 25_000, []string{"credit_differs open"}},
	} {
		b, id := excepted(t, c.word)
		paid := answered(gateway.Paid, atGateway(c.came))
		for range 3 {
			b.observe(t, id, paid)
		}
		if got := b.kinds(id); len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if len(b.credits) != 1 || b.credits[0].OperationID != id || b.credits[0].IsAwaiting() || len(b.callbacks) != 1 {
			t.Errorf("%s: %+v and %d callbacks", name, b.credits, len(b.callbacks))
		}
		if b.payment.Amount.Minor() != c.word || b.payment.AtGate.OperationID != id {
			t.Errorf("%s: the payment is %+v", name, b.payment)
		}
	}
}

// twins are two deposits of one customer that nothing tells apart.
func twins(t testingT) (first, twin core.Payment) { return deposit(t), deposit(t, second) }

// word credits a deposit by hand, as an exception.
func word(t testingT, p core.Payment) core.Awaited {
	change, err := core.DecideApproval(p, byHand(p, lira(0)), decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return core.Awaited{Payment: core.RowsOf[core.Payment](change)[0], Credit: core.RowsOf[core.Credit](change)[0]}
}

// TestOneBankPaymentCreditsOneDeposit (attack C1, both ways): of two identical deposits one is credited by hand; the line that
// comes is bound to it, and credits the other neither then nor when it had been doubtful before.
func TestOneBankPaymentCreditsOneDeposit(t *testing.T) {
	t.Parallel()
	first, twin := twins(t)
	awaited := word(t, first)
	ranked := core.Sightings{Line: bankLine(), Deposits: deposits(twin), Awaiting: []core.Awaited{awaited}}.Match()
	change, err := core.DecideMatch(aWallet(), ranked, core.CertainScore, machine(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(core.RowsOf[core.Payment](change)) != 0 || len(core.RowsOf[core.Credit](change)) != 1 || core.RowsOf[core.Credit](change)[0].PaymentID != first.ID || core.RowsOf[core.Credit](change)[0].Version != 2 {
		t.Errorf("the line that comes later makes %+v of %+v", core.RowsOf[core.Credit](change), core.RowsOf[core.Payment](change))
	}
	if l := core.RowsOf[core.BankLine](change)[0]; l.State != core.LineMatched || l.PaymentID != first.ID {
		t.Errorf("the line is %+v", l)
	}

	doubtful, err := core.DecideMatch(aWallet(),
		core.Sightings{Line: bankLine(), Deposits: deposits(first, twin)}.Match(), core.CertainScore, machine(t))
	if err != nil || core.RowsOf[core.BankLine](doubtful)[0].State != core.LineDoubtful {
		t.Fatalf("two alike: %+v, %v", core.RowsOf[core.BankLine](doubtful), err)
	}
	l := core.RowsOf[core.BankLine](doubtful)[0]
	for name, s := range map[string]core.Sightings{
		"the other alone is left":         {Line: l, Deposits: deposits(twin)},
		"the one by hand waits beside it": {Line: l, Deposits: deposits(twin), Awaiting: []core.Awaited{awaited}},
		"it was brought back by staff":    {Line: broughtBack(t, l), Deposits: deposits(twin)},
	} {
		change, err := core.DecideMatch(aWallet(), s.Match(), core.CertainScore, machine(t))
		if err != nil || len(core.RowsOf[core.Payment](change))+len(core.RowsOf[core.Credit](change)) != 0 {
			t.Errorf("%s: a line that was doubtful credits %+v by itself: %v", name, core.RowsOf[core.Credit](change), err)
		}
	}
}

func broughtBack(t testingT, l core.BankLine) core.BankLine {
	aside, err := core.DecideSetAside(l, decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	back, err := core.DecideBringBack(core.RowsOf[core.BankLine](aside)[0], decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return core.RowsOf[core.BankLine](back)[0]
}

// TestALineForAnotherDoesNotPassByAWord: while a word waits for money that the line may be, nobody else is credited, and staff
// who choose the word's deposit bind the line to it, whatever its amount.
func TestALineForAnotherDoesNotPassByAWord(t *testing.T) {
	t.Parallel()
	first, twin := twins(t)
	awaited := word(t, first)
	l := bankLine(saying(twin.TrackingCode))
	ranked := core.Sightings{Line: l, Deposits: deposits(twin), Awaiting: []core.Awaited{awaited}}.Match()
	change, err := core.DecideMatch(aWallet(), ranked, core.CertainScore, machine(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, k := range core.RowsOf[core.Credit](change) {
		if k.PaymentID == twin.ID {
			t.Errorf("passed by the word: %+v", k)
		}
	}
	if _, err = core.DecideCredit(aWallet(), ranked, twin, nil, decision(t)); !fault.Is(err, fault.LineAwaited) {
		t.Errorf("staff credit another with what the word waits for: %v", err)
	}
	other := bankLine(bringing(777))
	change, err = core.DecideCredit(aWallet(), alone(other), awaited.Payment, []core.Credit{awaited.Credit}, decision(t))
	if err != nil || len(core.RowsOf[core.Payment](change)) != 0 || core.RowsOf[core.Credit](change)[0].LineID != other.LineID || core.RowsOf[core.Credit](change)[0].Brought.Minor() != 777 {
		t.Errorf("by staff: %+v, %v", change, err)
	}
}

// TestACorrectionIsAnEntryOfItsOwn, with its callback and its history.
func TestACorrectionIsAnEntryOfItsOwn(t *testing.T) {
	t.Parallel()
	p := shownManual(t)
	approved, err := core.DecideApproval(p, byHand(p, lira(0)), decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	p = core.RowsOf[core.Payment](approved)[0]
	correct := func(c core.CreditCorrection, reason string) (core.Changeset, error) {
		d := decision(t)
		d.Reason, d.At = reason, d.At.Add(time.Hour)
		return core.DecideCorrection(p, c, d)
	}
	for name, c := range map[string]struct {
		correction core.CreditCorrection
		reason     string
		want       fault.Code
	}{
		"without a reason":     {core.CreditCorrection{Amount: lira(1), Expected: p.Amount, Credits: core.RowsOf[core.Credit](approved)}, "", fault.Invalid},
		"to what it is":        {core.CreditCorrection{Amount: p.Amount, Expected: p.Amount, Credits: core.RowsOf[core.Credit](approved)}, "why", fault.Invalid},
		"below nothing":        {core.CreditCorrection{Amount: lira(-1), Expected: p.Amount, Credits: core.RowsOf[core.Credit](approved)}, "why", fault.Invalid},
		"of what was not seen": {core.CreditCorrection{Amount: lira(1), Expected: lira(24_999), Credits: core.RowsOf[core.Credit](approved)}, "why", fault.Changed},
		"of no credit":         {core.CreditCorrection{Amount: lira(1), Expected: p.Amount}, "why", fault.NotAllowed},
	} {
		if _, err := correct(c.correction, c.reason); !fault.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	change, err := correct(core.CreditCorrection{Amount: lira(10_000), Expected: p.Amount, Credits: core.RowsOf[core.Credit](approved)}, "typed wrong")
	if err != nil {
		t.Fatalf("%v", err)
	}
	k, after := core.RowsOf[core.Credit](change)[0], core.RowsOf[core.Payment](change)[0]
	if k.Number != 2 || k.Amount.Minor() != -15_000 || k.Source != core.CreditOfStaff || k.NeedsSecond != core.NeedsCorrection {
		t.Errorf("the entry is %+v", k)
	}
	if after.Amount.Minor() != 10_000 || after.Status != core.Completed || !after.FinishedAt.Equal(p.FinishedAt) || after.Version != p.Version+1 {
		t.Errorf("the payment is %+v", after)
	}
	if m := core.RowsOf[core.Move](change)[0]; len(core.RowsOf[core.Move](change)) != 1 || m.Command != core.Correct || m.Reason != "typed wrong" {
		t.Errorf("history has %+v", core.RowsOf[core.Move](change))
	}
	if len(core.RowsOf[core.Callback](change)) != 1 || core.RowsOf[core.Callback](change)[0].Payload.Amount.Minor() != 10_000 {
		t.Errorf("called back %+v", core.RowsOf[core.Callback](change))
	}
	if len(core.RowsOf[core.AccountUse](change)) != 1 || core.RowsOf[core.AccountUse](change)[0].Amount.Minor() != -15_000 || core.RowsOf[core.AccountUse](change)[0].Count != 0 {
		t.Errorf("the account's day: %+v", core.RowsOf[core.AccountUse](change))
	}
}

// TestNoMoveCreditsWithoutACredit: every way to complete what credits somebody names the money, or is refused.
func TestNoMoveCreditsWithoutACredit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		p := started(rt, rapid.SampledFrom(core.Methods()).Draw(rt, "method"))
		p.Status = rapid.SampledFrom(core.Statuses()).Draw(rt, "status")
		change, err := core.Decide(p, rapid.SampledFrom(p.Method.Kind().Commands()).Draw(rt, "command"), decision(rt))
		if err != nil || p.IsCredited() {
			return
		}
		if after := core.RowsOf[core.Payment](change)[0]; after.IsCredited() {
			rt.Fatalf("%s of %s is credited without a credit", after.Status, after.Method)
		}
	})
	k := core.Credit{Amount: lira(25_001), Source: core.CreditOfLine, LineID: "x", Brought: lira(25_000)}
	if _, err := core.CompleteWith(deposit(t), core.Succeed, k, decision(t)); !fault.Is(err, fault.Uncredited) {
		t.Errorf("more than the line brought: %v", err)
	}
}
