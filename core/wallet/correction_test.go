package wallet_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

func correct(t coretest.T, b *coretest.Store, amount money.Amount) error {
	t.Helper()
	c := wallet.CreditCorrection{
		Amount: amount, Expected: b.Payment.Amount, Credits: b.Credits, Operations: b.Operations, Discrepancies: b.Discrepancies,
	}
	change, err := wallet.DecideCorrection(b.Payment, c, b.Decision(core.Actor{Kind: core.ByStaff, ID: "1"}, "why"))
	if err == nil {
		b.Apply(t, change)
	}
	return err
}

// overpaid is a deposit of 250.00 for which 300.00 came, and that was accepted for an amount.
func overpaid(t coretest.T, accepted int64) (*coretest.Store, core.ID) {
	b, id := coretest.After(payment.WalletDeposit, coretest.Answered(gateway.OverPaid, coretest.AtGateway(30_000)))(t)
	if err := b.Resolve(t, discrepancy.OverMoney, operation.AcceptMoney, coretest.Lira(accepted)); err != nil {
		t.Fatalf("%v", err)
	}
	return b, id
}

// TestWhatWentBackRaisesNoCredit: what a gateway brought and gave back is nobody's to be credited with.
func TestWhatWentBackRaisesNoCredit(t *testing.T) {
	t.Parallel()
	for name, state := range map[string][]gateway.RefundState{"given back": {gateway.RefundDone}, "on its way": {gateway.RefundPending}} {
		b, id := overpaid(t, 25_000)
		b.GiveBack(t, id, operation.RefundPlan{Amount: coretest.AtGateway(4_000)}, state...)
		if err := correct(t, b, coretest.Lira(26_001)); !fault.Is(err, fault.MoreThanSeen) {
			t.Errorf("%s: to more than is left: %v", name, err)
		}
		if err := correct(t, b, coretest.Lira(26_000)); err != nil || b.Payment.Amount.Minor() != 26_000 {
			t.Errorf("%s: to what is left: %v, %s", name, err, b.Payment.Amount)
		}
	}
	b, id := overpaid(t, 25_000)
	b.GiveBack(t, id, operation.RefundPlan{Amount: coretest.AtGateway(4_000)}, gateway.RefundFailed)
	if err := correct(t, b, coretest.Lira(30_000)); err != nil {
		t.Errorf("nothing went back: %v", err)
	}
}

// TestWhatIsGivenBackOfACreditIsThePayments, whatever was asked for first: the provider learns how much of the credit is left.
func TestWhatIsGivenBackOfACreditIsThePayments(t *testing.T) {
	t.Parallel()
	b, id := overpaid(t, 30_000)
	b.GiveBack(t, id, operation.RefundPlan{Amount: coretest.AtGateway(4_000)}, gateway.RefundDone)
	if back := b.Payment.Gateway.Refunded; back.Minor() != 4_000 {
		t.Errorf("of 300.00 credited 40.00 are given back: %s", back)
	}
	if err := correct(t, b, coretest.Lira(30_001)); !fault.Is(err, fault.MoreThanSeen) {
		t.Errorf("to more than came: %v", err)
	}
	b, id = overpaid(t, 30_000)
	if err := correct(t, b, coretest.Lira(20_000)); err != nil {
		t.Fatal(err)
	}
	b.GiveBack(t, id, operation.RefundPlan{Amount: coretest.AtGateway(10_000)}, gateway.RefundDone)
	if back := b.Payment.Gateway.Refunded; back.Minor() != 0 {
		t.Errorf("100.00 were credited to nobody any more: %s", back)
	}
	if err := correct(t, b, coretest.Lira(20_001)); !fault.Is(err, fault.MoreThanSeen) {
		t.Errorf("to more than is left: %v", err)
	}
}

// TestACorrectionSettlesWhatTheBankTookBack: 100.00 of 250.00 are taken back after the credit. What the payment is not credited
// with any more is settled, whatever order the corrections and the bank come in, and no credit is raised to money that is gone.
func TestACorrectionSettlesWhatTheBankTookBack(t *testing.T) {
	t.Parallel()
	credited, err := wallet.DecideCredit(aWallet(), alone(bankLine()), deposit(t), nil, coretest.Decision(t))
	if err != nil {
		t.Fatal(err)
	}
	p, l, credits := core.RowsOf[payment.Payment](credited)[0], core.RowsOf[wallet.BankLine](credited)[0], core.RowsOf[payment.Credit](credited)
	back := bankLine()
	back.LineID, back.Direction, back.ReversesLineID, back.Amount = "back", gateway.Outgoing, l.LineID, coretest.Lira(10_000)
	by := []wallet.BankLine{back}
	taken := wallet.DecideReversal(wallet.Reversal{Line: l, By: by, Payment: p}, machine(t))
	l, open := core.RowsOf[wallet.BankLine](taken)[0], core.RowsOf[discrepancy.Discrepancy](taken)
	if len(open) != 1 || open[0].Seen != gateway.Lira(coretest.Lira(10_000)) {
		t.Fatalf("taken back are %+v", open)
	}
	correct := func(amount int64) (core.Changeset, error) {
		return wallet.DecideCorrection(p, wallet.CreditCorrection{
			Amount: coretest.Lira(amount), Expected: p.Amount, Credits: credits, Line: l, TakenBackBy: by, Discrepancies: open,
		}, coretest.Decision(t))
	}
	for _, step := range []struct {
		to    int64
		state discrepancy.Status
		seen  int64
	}{{20_000, discrepancy.Open, 5_000}, {15_000, discrepancy.Settled, 5_000}} {
		change, err := correct(step.to)
		if err != nil || len(core.RowsOf[discrepancy.Discrepancy](change)) != 1 || len(core.RowsOf[wallet.BankLine](change)) != 1 {
			t.Fatalf("to %d: %+v, %v", step.to, change, err)
		}
		d := core.RowsOf[discrepancy.Discrepancy](change)[0]
		if d.Status != step.state || d.Seen != gateway.Lira(coretest.Lira(step.seen)) {
			t.Errorf("to %d: it is %+v", step.to, d)
		}
		p, l, open = core.RowsOf[payment.Payment](change)[0], core.RowsOf[wallet.BankLine](change)[0], core.RowsOf[discrepancy.Discrepancy](change)
		credits = append(credits, core.RowsOf[payment.Credit](change)...)
	}
	if p.CorrectedAmount.Minor() != -10_000 || open[0].ResolvedBy.Kind != core.ByStaff || open[0].Reason == "" {
		t.Errorf("corrected by %s, resolved by %+v", p.CorrectedAmount, open[0])
	}
	if _, err := correct(15_001); !fault.Is(err, fault.MoreThanSeen) {
		t.Errorf("raised to money that is gone: %v", err)
	}
	again := wallet.DecideReversal(wallet.Reversal{Line: l, By: by, Payment: p, Discrepancies: open}, machine(t))
	if core.Has[discrepancy.Discrepancy](again) {
		t.Errorf("told again: %+v", core.RowsOf[discrepancy.Discrepancy](again))
	}
}

// TestACorrectionSettlesWhatTheGatewayTookBack in the same way.
func TestACorrectionSettlesWhatTheGatewayTookBack(t *testing.T) {
	t.Parallel()
	b, id := coretest.After(payment.WalletDeposit, coretest.Answered(gateway.Paid, coretest.AtGateway(25_000)), coretest.Answered(gateway.Failed, gateway.Money{}))(t)
	if got := b.Kinds(id); len(got) != 1 || got[0] != "reversed open" {
		t.Fatalf("taken back: %q", got)
	}
	settle := func(amount int64, want string) {
		t.Helper()
		if err := correct(t, b, coretest.Lira(amount)); err != nil {
			t.Fatal(err)
		}
		if got := b.Kinds(id); len(got) != 1 || got[0] != want {
			t.Errorf("to %d: %q, want %q", amount, got, want)
		}
	}
	settle(10_000, "reversed open")
	settle(0, "reversed settled")
}

// TestACreditIsCorrectedSoOften, so that a payment has no end of credits and callbacks.
func TestACreditIsCorrectedSoOften(t *testing.T) {
	t.Parallel()
	b, _ := overpaid(t, 25_000)
	for i := range int64(100) {
		if err := correct(t, b, coretest.Lira(10_000+i)); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
	}
	if err := correct(t, b, coretest.Lira(25_000)); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("once more: %v", err)
	}
}

// TestACorrectionIsAnEntryOfItsOwn, with its callback and its history.
func TestACorrectionIsAnEntryOfItsOwn(t *testing.T) {
	t.Parallel()
	p := deposit(t, func(p *payment.Payment) { p.Method = payment.ManualDeposit })
	approved, err := payment.DecideHandCredit(p, coretest.ByHand(p, coretest.Lira(0)), coretest.Decision(t))
	if err != nil {
		t.Fatalf("%v", err)
	}
	p = core.RowsOf[payment.Payment](approved)[0]
	correct := func(c wallet.CreditCorrection, reason string) (core.Changeset, error) {
		d := coretest.Decision(t)
		d.Reason, d.At = reason, d.At.Add(time.Hour)
		return wallet.DecideCorrection(p, c, d)
	}
	for name, c := range map[string]struct {
		correction wallet.CreditCorrection
		reason     string
		want       fault.Code
	}{
		"without a reason":     {wallet.CreditCorrection{Amount: coretest.Lira(1), Expected: p.Amount, Credits: core.RowsOf[payment.Credit](approved)}, "", fault.Invalid},
		"to what it is":        {wallet.CreditCorrection{Amount: p.Amount, Expected: p.Amount, Credits: core.RowsOf[payment.Credit](approved)}, "why", fault.Invalid},
		"below nothing":        {wallet.CreditCorrection{Amount: coretest.Lira(-1), Expected: p.Amount, Credits: core.RowsOf[payment.Credit](approved)}, "why", fault.Invalid},
		"of what was not seen": {wallet.CreditCorrection{Amount: coretest.Lira(1), Expected: coretest.Lira(24_999), Credits: core.RowsOf[payment.Credit](approved)}, "why", fault.Changed},
		"of no credit":         {wallet.CreditCorrection{Amount: coretest.Lira(1), Expected: p.Amount}, "why", fault.NotAllowed},
	} {
		if _, err := correct(c.correction, c.reason); !fault.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	change, err := correct(wallet.CreditCorrection{Amount: coretest.Lira(10_000), Expected: p.Amount, Credits: core.RowsOf[payment.Credit](approved)}, "typed wrong")
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
	if m := core.RowsOf[payment.Transition](change)[0]; len(core.RowsOf[payment.Transition](change)) != 1 || m.Command != payment.Correct || m.Reason != "typed wrong" {
		t.Errorf("history has %+v", core.RowsOf[payment.Transition](change))
	}
	if len(core.RowsOf[payment.Callback](change)) != 1 || core.RowsOf[payment.Callback](change)[0].Payload.Amount.Minor() != 10_000 {
		t.Errorf("called back %+v", core.RowsOf[payment.Callback](change))
	}
	if len(core.RowsOf[owner.LimitUsage](change)) != 1 || core.RowsOf[owner.LimitUsage](change)[0].Amount.Minor() != -15_000 || core.RowsOf[owner.LimitUsage](change)[0].Count != 0 {
		t.Errorf("the account's day: %+v", core.RowsOf[owner.LimitUsage](change))
	}
}
