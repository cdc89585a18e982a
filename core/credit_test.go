package core_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// shownManual is a manual deposit of 250.00 whose customer was shown an account.
func shownManual(t testingT) payment.Payment {
	p := started(t, payment.ManualDeposit)
	p.Account = owner.OfferedAccount{AccountID: 1, Day: account(1).Day, Held: p.Amount}
	return p
}

// TestOnePersonsWordIsBounded (attack H2): by what they saw, by the requested amount, by the account and by the dealer.
func TestOnePersonsWordIsBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*payment.Payment, *operation.HandCredit)
		needs  string
		code   fault.Code
	}{
		"its own amount":              {nil, "", ""},
		"less":                        {func(_ *payment.Payment, h *operation.HandCredit) { h.Amount = lira(1) }, "", ""},
		"double":                      {func(_ *payment.Payment, h *operation.HandCredit) { h.Amount = lira(50_000) }, "", ""},
		"a kuruş more than double":    {func(_ *payment.Payment, h *operation.HandCredit) { h.Amount = lira(50_001) }, payment.NeedsMultiple, ""},
		"everything there is":         {func(_ *payment.Payment, h *operation.HandCredit) { h.Amount = lira(99_999_999_999) }, payment.NeedsMultiple, ""},
		"more than the account takes": {func(_ *payment.Payment, h *operation.HandCredit) { h.AccountMax = lira(24_999) }, payment.NeedsMaximum, ""},
		"an account that is gone":     {func(_ *payment.Payment, h *operation.HandCredit) { h.AccountMax = money.Amount{} }, payment.NeedsMaximum, ""},
		"the dealer's own cap":        {func(_ *payment.Payment, h *operation.HandCredit) { h.DealerCap = lira(24_999) }, payment.NeedsDealerCap, ""},
		"exactly the dealer's cap":    {func(_ *payment.Payment, h *operation.HandCredit) { h.DealerCap = lira(25_000) }, "", ""},
		"the customer changed it on the page, tenfold": {func(p *payment.Payment, h *operation.HandCredit) {
			p.Amount, p.Account.Held, h.Expected = lira(250_000), lira(250_000), lira(250_000)
		}, payment.NeedsMultiple, ""},
		"the customer changed it meanwhile": {func(p *payment.Payment, _ *operation.HandCredit) { p.Amount = lira(490_000) }, "", fault.Changed},
		"no account was shown":              {func(p *payment.Payment, _ *operation.HandCredit) { p.Account = owner.OfferedAccount{} }, payment.NeedsException, ""},
		"an E-IBAN deposit":                 {func(p *payment.Payment, _ *operation.HandCredit) { p.Method = payment.EIBANDeposit }, payment.NeedsException, ""},
		"a third party's":                   {func(p *payment.Payment, _ *operation.HandCredit) { p.Method = payment.BankDeposit }, payment.NeedsException, ""},
	} {
		p := shownManual(t)
		h := byHand(p, lira(0))
		if c.change != nil {
			c.change(&p, &h)
		}
		change, err := operation.DecideApproval(p, h, decision(t))
		if fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil {
			continue
		}
		if len(core.RowsOf[payment.Credit](change)) != 1 {
			t.Fatalf("%s: %d credits", name, len(core.RowsOf[payment.Credit](change)))
		}
		k := core.RowsOf[payment.Credit](change)[0]
		isWord := k.Source == payment.CreditOfStaff && k.Amount.Equal(core.RowsOf[payment.Payment](change)[0].Amount) && k.PaymentID == p.ID && k.Number == 1
		if !isWord || k.NeedsSecond != c.needs || k.AwaitsMoney != (p.Method != payment.ManualDeposit) {
			t.Errorf("%s: %+v", name, k)
		}
	}
}

// TestAnExceptionHasAReason, and calls off what is open at a gateway.
func TestAnExceptionHasAReason(t *testing.T) {
	t.Parallel()
	b, id := opened(t, payment.BankDeposit)
	d := decision(t)
	d.Reason = ""
	h := byHand(b.payment, lira(0))
	h.Operations = b.operations
	if _, err := operation.DecideApproval(b.payment, h, d); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	d.Reason = "the gateway's panel has it"
	change, err := operation.DecideApproval(b.payment, h, d)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(core.RowsOf[operation.Operation](change)) != 1 || core.RowsOf[operation.Operation](change)[0].ID != id || !core.RowsOf[operation.Operation](change)[0].IsUnwanted {
		t.Errorf("the customer can go on paying: %+v", core.RowsOf[operation.Operation](change))
	}
}

// excepted is a third-party deposit of 250.00 that two people credited before its gateway said anything.
func excepted(t testingT, amount int64) (*books, core.ID) {
	b, id := opened(t, payment.BankDeposit)
	h := byHand(b.payment, lira(amount))
	h.Operations = b.operations
	change, err := operation.DecideApproval(b.payment, h, b.decision(core.Actor{Kind: core.ByStaff, ID: "1"}, "seen in the panel"))
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
func twins(t testingT) (first, twin payment.Payment) { return deposit(t), deposit(t, second) }

// word credits a deposit by hand, as an exception.
func word(t testingT, p payment.Payment) wallet.Awaited {
	change, err := operation.DecideApproval(p, byHand(p, lira(0)), decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return wallet.Awaited{Payment: core.RowsOf[payment.Payment](change)[0], Credit: core.RowsOf[payment.Credit](change)[0]}
}

// TestOneBankPaymentCreditsOneDeposit (attack C1, both ways): of two identical deposits one is credited by hand; the line that
// comes is bound to it, and credits the other neither then nor when it had been doubtful before.
func TestOneBankPaymentCreditsOneDeposit(t *testing.T) {
	t.Parallel()
	first, twin := twins(t)
	awaited := word(t, first)
	ranked := wallet.Sightings{Line: bankLine(), Deposits: deposits(twin), Awaiting: []wallet.Awaited{awaited}}.Match()
	change, err := wallet.DecideMatch(aWallet(), ranked, wallet.CertainScore, machine(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(core.RowsOf[payment.Payment](change)) != 0 || len(core.RowsOf[payment.Credit](change)) != 1 || core.RowsOf[payment.Credit](change)[0].PaymentID != first.ID || core.RowsOf[payment.Credit](change)[0].Version != 2 {
		t.Errorf("the line that comes later makes %+v of %+v", core.RowsOf[payment.Credit](change), core.RowsOf[payment.Payment](change))
	}
	if l := core.RowsOf[wallet.BankLine](change)[0]; l.State != wallet.LineMatched || l.PaymentID != first.ID {
		t.Errorf("the line is %+v", l)
	}

	doubtful, err := wallet.DecideMatch(aWallet(),
		wallet.Sightings{Line: bankLine(), Deposits: deposits(first, twin)}.Match(), wallet.CertainScore, machine(t))
	if err != nil || core.RowsOf[wallet.BankLine](doubtful)[0].State != wallet.LineDoubtful {
		t.Fatalf("two alike: %+v, %v", core.RowsOf[wallet.BankLine](doubtful), err)
	}
	l := core.RowsOf[wallet.BankLine](doubtful)[0]
	for name, s := range map[string]wallet.Sightings{
		"the other alone is left":         {Line: l, Deposits: deposits(twin)},
		"the one by hand waits beside it": {Line: l, Deposits: deposits(twin), Awaiting: []wallet.Awaited{awaited}},
		"it was brought back by staff":    {Line: broughtBack(t, l), Deposits: deposits(twin)},
	} {
		change, err := wallet.DecideMatch(aWallet(), s.Match(), wallet.CertainScore, machine(t))
		if err != nil || len(core.RowsOf[payment.Payment](change))+len(core.RowsOf[payment.Credit](change)) != 0 {
			t.Errorf("%s: a line that was doubtful credits %+v by itself: %v", name, core.RowsOf[payment.Credit](change), err)
		}
	}
}

func broughtBack(t testingT, l wallet.BankLine) wallet.BankLine {
	aside, err := wallet.DecideSetAside(l, decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	back, err := wallet.DecideBringBack(core.RowsOf[wallet.BankLine](aside)[0], decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return core.RowsOf[wallet.BankLine](back)[0]
}

// TestALineForAnotherDoesNotPassByAWord: while a word waits for money that the line may be, nobody else is credited, and staff
// who choose the word's deposit bind the line to it, whatever its amount.
func TestALineForAnotherDoesNotPassByAWord(t *testing.T) {
	t.Parallel()
	first, twin := twins(t)
	awaited := word(t, first)
	l := bankLine(saying(twin.TrackingCode))
	ranked := wallet.Sightings{Line: l, Deposits: deposits(twin), Awaiting: []wallet.Awaited{awaited}}.Match()
	change, err := wallet.DecideMatch(aWallet(), ranked, wallet.CertainScore, machine(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, k := range core.RowsOf[payment.Credit](change) {
		if k.PaymentID == twin.ID {
			t.Errorf("passed by the word: %+v", k)
		}
	}
	if _, err = wallet.DecideCredit(aWallet(), ranked, twin, nil, decision(t)); !fault.Is(err, fault.LineAwaited) {
		t.Errorf("staff credit another with what the word waits for: %v", err)
	}
	other := bankLine(bringing(777))
	change, err = wallet.DecideCredit(aWallet(), alone(other), awaited.Payment, []payment.Credit{awaited.Credit}, decision(t))
	if err != nil || len(core.RowsOf[payment.Payment](change)) != 0 || core.RowsOf[payment.Credit](change)[0].LineID != other.LineID || core.RowsOf[payment.Credit](change)[0].Brought.Minor() != 777 {
		t.Errorf("by staff: %+v, %v", change, err)
	}
}

// TestACorrectionIsAnEntryOfItsOwn, with its callback and its history.
func TestACorrectionIsAnEntryOfItsOwn(t *testing.T) {
	t.Parallel()
	p := shownManual(t)
	approved, err := operation.DecideApproval(p, byHand(p, lira(0)), decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	p = core.RowsOf[payment.Payment](approved)[0]
	correct := func(c wallet.CreditCorrection, reason string) (core.Changeset, error) {
		d := decision(t)
		d.Reason, d.At = reason, d.At.Add(time.Hour)
		return wallet.DecideCorrection(p, c, d)
	}
	for name, c := range map[string]struct {
		correction wallet.CreditCorrection
		reason     string
		want       fault.Code
	}{
		"without a reason":     {wallet.CreditCorrection{Amount: lira(1), Expected: p.Amount, Credits: core.RowsOf[payment.Credit](approved)}, "", fault.Invalid},
		"to what it is":        {wallet.CreditCorrection{Amount: p.Amount, Expected: p.Amount, Credits: core.RowsOf[payment.Credit](approved)}, "why", fault.Invalid},
		"below nothing":        {wallet.CreditCorrection{Amount: lira(-1), Expected: p.Amount, Credits: core.RowsOf[payment.Credit](approved)}, "why", fault.Invalid},
		"of what was not seen": {wallet.CreditCorrection{Amount: lira(1), Expected: lira(24_999), Credits: core.RowsOf[payment.Credit](approved)}, "why", fault.Changed},
		"of no credit":         {wallet.CreditCorrection{Amount: lira(1), Expected: p.Amount}, "why", fault.NotAllowed},
	} {
		if _, err := correct(c.correction, c.reason); !fault.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	change, err := correct(wallet.CreditCorrection{Amount: lira(10_000), Expected: p.Amount, Credits: core.RowsOf[payment.Credit](approved)}, "typed wrong")
	if err != nil {
		t.Fatalf("%v", err)
	}
	k, after := core.RowsOf[payment.Credit](change)[0], core.RowsOf[payment.Payment](change)[0]
	if k.Number != 2 || k.Amount.Minor() != -15_000 || k.Source != payment.CreditOfStaff || k.NeedsSecond != payment.NeedsCorrection {
		t.Errorf("the entry is %+v", k)
	}
	if after.Amount.Minor() != 10_000 || after.Status != payment.Completed || !after.FinishedAt.Equal(p.FinishedAt) || after.Version != p.Version+1 {
		t.Errorf("the payment is %+v", after)
	}
	if m := core.RowsOf[payment.Move](change)[0]; len(core.RowsOf[payment.Move](change)) != 1 || m.Command != payment.Correct || m.Reason != "typed wrong" {
		t.Errorf("history has %+v", core.RowsOf[payment.Move](change))
	}
	if len(core.RowsOf[payment.Callback](change)) != 1 || core.RowsOf[payment.Callback](change)[0].Payload.Amount.Minor() != 10_000 {
		t.Errorf("called back %+v", core.RowsOf[payment.Callback](change))
	}
	if len(core.RowsOf[owner.AccountUse](change)) != 1 || core.RowsOf[owner.AccountUse](change)[0].Amount.Minor() != -15_000 || core.RowsOf[owner.AccountUse](change)[0].Count != 0 {
		t.Errorf("the account's day: %+v", core.RowsOf[owner.AccountUse](change))
	}
}

// TestNoMoveCreditsWithoutACredit: every way to complete what credits somebody names the money, or is refused.
func TestNoMoveCreditsWithoutACredit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		p := started(rt, rapid.SampledFrom(payment.Methods()).Draw(rt, "method"))
		p.Status = rapid.SampledFrom(payment.Statuses()).Draw(rt, "status")
		change, err := payment.Decide(p, rapid.SampledFrom(p.Method.Kind().Commands()).Draw(rt, "command"), decision(rt))
		if err != nil || p.IsCredited() {
			return
		}
		if after := core.RowsOf[payment.Payment](change)[0]; after.IsCredited() {
			rt.Fatalf("%s of %s is credited without a credit", after.Status, after.Method)
		}
	})
	k := payment.Credit{Amount: lira(25_001), Source: payment.CreditOfLine, LineID: "x", Brought: lira(25_000)}
	if _, err := payment.CompleteWith(deposit(t), payment.Succeed, k, decision(t)); !fault.Is(err, fault.Uncredited) {
		t.Errorf("more than the line brought: %v", err)
	}
}
