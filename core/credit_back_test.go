package core_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

func (b *books) correct(t testingT, amount money.Amount) error {
	t.Helper()
	c := wallet.CreditCorrection{
		Amount: amount, Expected: b.payment.Amount, Credits: b.credits, Operations: b.operations, Discrepancies: b.discrepancies,
	}
	change, err := wallet.DecideCorrection(b.payment, c, b.decision(core.Actor{Kind: core.ByStaff, ID: "1"}, "why"))
	if err == nil {
		b.apply(t, change)
	}
	return err
}

// overpaid is a deposit of 250.00 for which 300.00 came, and that was accepted for an amount.
func overpaid(t testingT, accepted int64) (*books, core.ID) {
	b, id := after(payment.WalletDeposit, answered(gateway.OverPaid, atGateway(30_000)))(t)
	if err := b.resolve(t, discrepancy.OverMoney, operation.AcceptMoney, lira(accepted)); err != nil {
		t.Fatalf("%v", err)
	}
	return b, id
}

// TestWhatWentBackRaisesNoCredit: what a gateway brought and gave back is nobody's to be credited with.
func TestWhatWentBackRaisesNoCredit(t *testing.T) {
	t.Parallel()
	for name, state := range map[string][]gateway.RefundState{"given back": {gateway.RefundDone}, "on its way": {gateway.RefundPending}} {
		b, id := overpaid(t, 25_000)
		b.giveBack(t, id, operation.RefundPlan{Amount: atGateway(4_000)}, state...)
		if err := b.correct(t, lira(26_001)); !fault.Is(err, fault.MoreThanSeen) {
			t.Errorf("%s: to more than is left: %v", name, err)
		}
		if err := b.correct(t, lira(26_000)); err != nil || b.payment.Amount.Minor() != 26_000 {
			t.Errorf("%s: to what is left: %v, %s", name, err, b.payment.Amount)
		}
	}
	b, id := overpaid(t, 25_000)
	b.giveBack(t, id, operation.RefundPlan{Amount: atGateway(4_000)}, gateway.RefundFailed)
	if err := b.correct(t, lira(30_000)); err != nil {
		t.Errorf("nothing went back: %v", err)
	}
}

// TestWhatIsGivenBackOfACreditIsThePayments, whatever was asked for first: the provider learns how much of the credit is left.
func TestWhatIsGivenBackOfACreditIsThePayments(t *testing.T) {
	t.Parallel()
	b, id := overpaid(t, 30_000)
	b.giveBack(t, id, operation.RefundPlan{Amount: atGateway(4_000)}, gateway.RefundDone)
	if back := b.payment.AtGate.Refunded; back.Minor() != 4_000 {
		t.Errorf("of 300.00 credited 40.00 are given back: %s", back)
	}
	if err := b.correct(t, lira(30_001)); !fault.Is(err, fault.MoreThanSeen) {
		t.Errorf("to more than came: %v", err)
	}
	b, id = overpaid(t, 30_000)
	if err := b.correct(t, lira(20_000)); err != nil {
		t.Fatal(err)
	}
	b.giveBack(t, id, operation.RefundPlan{Amount: atGateway(10_000)}, gateway.RefundDone)
	if back := b.payment.AtGate.Refunded; back.Minor() != 0 {
		t.Errorf("100.00 were credited to nobody any more: %s", back)
	}
	if err := b.correct(t, lira(20_001)); !fault.Is(err, fault.MoreThanSeen) {
		t.Errorf("to more than is left: %v", err)
	}
}

// TestAWordThatWasCorrectedToNothingTakesNoMoney: the customer pays for another deposit, which gets it.
func TestAWordThatWasCorrectedToNothingTakesNoMoney(t *testing.T) {
	t.Parallel()
	first, twin := twins(t)
	awaited := word(t, first)
	c := wallet.CreditCorrection{Expected: awaited.Payment.Amount, Credits: []payment.Credit{awaited.Credit}, Amount: lira(0)}
	corrected, err := wallet.DecideCorrection(awaited.Payment, c, decision(t))
	if err != nil {
		t.Fatal(err)
	}
	awaited.Payment = core.RowsOf[payment.Payment](corrected)[0]
	ranked := wallet.Sightings{Line: bankLine(), Deposits: deposits(twin), Awaiting: []wallet.Awaited{awaited}}.Match()
	change, err := wallet.DecideMatch(aWallet(), ranked, wallet.CertainScore, machine(t))
	if err != nil || len(core.RowsOf[payment.Credit](change)) != 1 || core.RowsOf[payment.Credit](change)[0].PaymentID != twin.ID {
		t.Errorf("credited %+v, %v", core.RowsOf[payment.Credit](change), err)
	}
	credits := append([]payment.Credit{awaited.Credit}, core.RowsOf[payment.Credit](corrected)...)
	if change, err = wallet.DecideCredit(aWallet(), alone(bankLine()), awaited.Payment, credits, decision(t)); err == nil {
		t.Errorf("by staff: %+v", change)
	}
	b, id := excepted(t, 25_000)
	if err := b.correct(t, lira(0)); err != nil {
		t.Fatal(err)
	}
	b.observe(t, id, answered(gateway.Paid, atGateway(25_000)))
	if got := b.kinds(id); len(got) != 1 || got[0] != "surplus open" || !b.credits[0].IsAwaiting() {
		t.Errorf("what its gateway brings: %q, %+v", got, b.credits)
	}
}

// TestOnePersonsWordIsBoundedByTheAccountsDay: what the deposit holds of it is there for it, and nothing that others hold.
func TestOnePersonsWordIsBoundedByTheAccountsDay(t *testing.T) {
	t.Parallel()
	shown := owner.OfferedAccount{AccountID: 1, Held: lira(25_000)}
	l := owner.AccountLoad{Account: owner.Account{ID: 1, Max: lira(500_000), DailyLimit: lira(100_000)}, Used: lira(90_000)}
	unlimited := l
	unlimited.DailyLimit = lira(0)
	for name, c := range map[string]struct {
		loads []owner.AccountLoad
		want  int64
	}{
		"its day has little left": {[]owner.AccountLoad{{Account: owner.Account{ID: 2}}, l}, 35_000},
		"no limit of the day":     {[]owner.AccountLoad{unlimited}, 500_000},
		"it is gone":              {nil, 0},
	} {
		if got := owner.HandMax(c.loads, shown); got.Minor() != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestWhatIsWrongWithCreditsIsFound: each thing that must never be, and none where nothing is wrong.
func TestWhatIsWrongWithCreditsIsFound(t *testing.T) {
	t.Parallel()
	row := func(number int, minor int64, source payment.CreditSource) payment.Credit {
		return payment.Credit{Number: number, Amount: lira(minor), Source: source}
	}
	ofLine, ofOperation, word := row(1, 25_000, payment.CreditOfLine), row(1, 25_000, payment.CreditOfOperation), row(1, 25_000, payment.CreditOfStaff)
	less := row(2, -10, payment.CreditOfStaff)
	for name, c := range map[string]struct {
		amount, corrected, brought int64
		credits                    []payment.Credit
		want                       []payment.CreditBreachKind
	}{
		"a line's":                       {25_000, 0, 25_000, []payment.Credit{ofLine}, nil},
		"a word's, corrected":            {24_990, -10, 0, []payment.Credit{word, less}, nil},
		"none":                           {25_000, 0, 0, nil, []payment.CreditBreachKind{payment.CompletedWithoutCredit}},
		"another amount":                 {25_001, 0, 25_000, []payment.Credit{ofLine}, []payment.CreditBreachKind{payment.CreditedOtherwise}},
		"a correction that is not said":  {24_990, 0, 25_000, []payment.Credit{ofLine, less}, []payment.CreditBreachKind{payment.CorrectedOtherwise}},
		"a correction that is not there": {25_000, -10, 25_000, []payment.Credit{ofLine}, []payment.CreditBreachKind{payment.CorrectedOtherwise}},
		"more than the line":             {25_000, 0, 24_999, []payment.Credit{ofLine}, []payment.CreditBreachKind{payment.CreditedBeyondLine}},
		"more than the operation":        {25_000, 0, 24_999, []payment.Credit{ofOperation}, []payment.CreditBreachKind{payment.CreditedBeyondOperation}},
		"no more than it, corrected":     {24_990, -10, 24_990, []payment.Credit{ofLine, less}, nil},
	} {
		p := deposit(t, inStatus(payment.Completed), func(p *payment.Payment) { p.Amount, p.Corrected = lira(c.amount), lira(c.corrected) })
		if got := payment.CreditBreaches(p, c.credits, lira(c.brought)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	p := deposit(t)
	if got := payment.CreditBreaches(p, nil, lira(0)); len(got) > 0 {
		t.Errorf("one that is not completed: %q", got)
	}
}
