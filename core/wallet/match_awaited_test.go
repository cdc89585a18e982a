package wallet_test

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// TestAWordThatWasCorrectedToNothingTakesNoMoney: the customer pays for another deposit, which gets it.
func TestAWordThatWasCorrectedToNothingTakesNoMoney(t *testing.T) {
	t.Parallel()
	first, twin := twins(t)
	awaited := word(t, first)
	c := wallet.CreditCorrection{Expected: awaited.Payment.Amount, Credits: []payment.Credit{awaited.Credit}, Amount: coretest.Lira(0)}
	corrected, err := wallet.DecideCorrection(awaited.Payment, c, coretest.Decision(t))
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
	if change, err = wallet.DecideCredit(aWallet(), alone(bankLine()), awaited.Payment, credits, coretest.Decision(t)); err == nil {
		t.Errorf("by staff: %+v", change)
	}
	b, id := coretest.Excepted(t, 25_000)
	if err := correct(t, b, coretest.Lira(0)); err != nil {
		t.Fatal(err)
	}
	b.Observe(t, id, coretest.Answered(gateway.Paid, coretest.AtGateway(25_000)))
	if got := b.Kinds(id); len(got) != 1 || got[0] != "surplus open" || !b.Credits[0].IsAwaiting() {
		t.Errorf("what its gateway brings: %q, %+v", got, b.Credits)
	}
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
	if l := core.RowsOf[wallet.BankLine](change)[0]; l.Status != wallet.LineMatched || l.PaymentID != first.ID {
		t.Errorf("the line is %+v", l)
	}

	doubtful, err := wallet.DecideMatch(aWallet(),
		wallet.Sightings{Line: bankLine(), Deposits: deposits(first, twin)}.Match(), wallet.CertainScore, machine(t))
	if err != nil || core.RowsOf[wallet.BankLine](doubtful)[0].Status != wallet.LineDoubtful {
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

func broughtBack(t coretest.T, l wallet.BankLine) wallet.BankLine {
	aside, err := wallet.DecideSetAside(l, coretest.Decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	back, err := wallet.DecideBringBack(core.RowsOf[wallet.BankLine](aside)[0], coretest.Decision(t))
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
	if _, err = wallet.DecideCredit(aWallet(), ranked, twin, nil, coretest.Decision(t)); !fault.Is(err, fault.LineAwaited) {
		t.Errorf("staff credit another with what the word waits for: %v", err)
	}
	other := bankLine(bringing(777))
	change, err = wallet.DecideCredit(aWallet(), alone(other), awaited.Payment, []payment.Credit{awaited.Credit}, coretest.Decision(t))
	if err != nil || len(core.RowsOf[payment.Payment](change)) != 0 || core.RowsOf[payment.Credit](change)[0].LineID != other.LineID || core.RowsOf[payment.Credit](change)[0].Brought.Minor() != 777 {
		t.Errorf("by staff: %+v, %v", change, err)
	}
}

// TestALineThatNamesAWordIsKeptForIt: whatever it brought, and whoever sent it, staff credit nobody else with it alone.
func TestALineThatNamesAWordIsKeptForIt(t *testing.T) {
	t.Parallel()
	first, twin := twins(t)
	awaited := word(t, first)
	named := saying("havale " + first.TrackingCode)
	for name, c := range map[string]struct {
		line   wallet.BankLine
		isKept bool
	}{
		"just what was awaited":            {bankLine(), true},
		"less, and it names the deposit":   {bankLine(named, bringing(24_000)), true},
		"without a sender, and it does so": {bankLine(named, sentBy("")), true},
		"less, and it names the other":     {bankLine(saying(twin.TrackingCode), bringing(24_000)), false},
	} {
		ranked := wallet.Sightings{Line: c.line, Deposits: deposits(twin), Awaiting: []wallet.Awaited{awaited}}.Match()
		if _, err := wallet.DecideCredit(aWallet(), ranked, twin, nil, coretest.Decision(t)); fault.Is(err, fault.LineAwaited) != c.isKept {
			t.Errorf("%s: crediting the other one with it gives %v", name, err)
		}
		if _, err := wallet.DecideCredit(aWallet(), ranked, awaited.Payment, []payment.Credit{awaited.Credit}, coretest.Decision(t)); err != nil {
			t.Errorf("%s: the word itself does not get it: %v", name, err)
		}
	}
}
