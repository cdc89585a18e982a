package core_test

import (
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// TestACorrectionSettlesWhatTheBankTookBack: 100.00 of 250.00 are taken back after the credit. What the payment is not credited
// with any more is settled, whatever order the corrections and the bank come in, and no credit is raised to money that is gone.
func TestACorrectionSettlesWhatTheBankTookBack(t *testing.T) {
	t.Parallel()
	credited, err := wallet.DecideCredit(aWallet(), alone(bankLine()), deposit(t), nil, decision(t))
	if err != nil {
		t.Fatal(err)
	}
	p, l, credits := core.RowsOf[payment.Payment](credited)[0], core.RowsOf[wallet.BankLine](credited)[0], core.RowsOf[payment.Credit](credited)
	back := bankLine()
	back.LineID, back.Direction, back.Reverses, back.Amount = "back", gateway.Outgoing, l.LineID, lira(10_000)
	by := []wallet.BankLine{back}
	taken := wallet.DecideReversal(wallet.Reversal{Line: l, By: by, Payment: p}, machine(t))
	l, open := core.RowsOf[wallet.BankLine](taken)[0], core.RowsOf[discrepancy.Discrepancy](taken)
	if len(open) != 1 || open[0].Seen != gateway.Lira(lira(10_000)) {
		t.Fatalf("taken back are %+v", open)
	}
	correct := func(amount int64) (core.Changeset, error) {
		return wallet.DecideCorrection(p, wallet.CreditCorrection{
			Amount: lira(amount), Expected: p.Amount, Credits: credits, Line: l, TakenBackBy: by, Discrepancies: open,
		}, decision(t))
	}
	for _, step := range []struct {
		to    int64
		state discrepancy.DiscrepancyState
		seen  int64
	}{{20_000, discrepancy.DiscrepancyOpen, 5_000}, {15_000, discrepancy.DiscrepancySettled, 5_000}} {
		change, err := correct(step.to)
		if err != nil || len(core.RowsOf[discrepancy.Discrepancy](change)) != 1 || len(core.RowsOf[wallet.BankLine](change)) != 1 {
			t.Fatalf("to %d: %+v, %v", step.to, change, err)
		}
		d := core.RowsOf[discrepancy.Discrepancy](change)[0]
		if d.State != step.state || d.Seen != gateway.Lira(lira(step.seen)) {
			t.Errorf("to %d: it is %+v", step.to, d)
		}
		p, l, open = core.RowsOf[payment.Payment](change)[0], core.RowsOf[wallet.BankLine](change)[0], core.RowsOf[discrepancy.Discrepancy](change)
		credits = append(credits, core.RowsOf[payment.Credit](change)...)
	}
	if p.Corrected.Minor() != -10_000 || open[0].ResolvedBy.Kind != core.ByStaff || open[0].Reason == "" {
		t.Errorf("corrected by %s, resolved by %+v", p.Corrected, open[0])
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
	b, id := after(payment.WalletDeposit, answered(gateway.Paid, atGateway(25_000)), answered(gateway.Failed, gateway.Money{}))(t)
	if got := b.kinds(id); len(got) != 1 || got[0] != "reversed open" {
		t.Fatalf("taken back: %q", got)
	}
	settle := func(amount int64, want string) {
		t.Helper()
		if err := b.correct(t, lira(amount)); err != nil {
			t.Fatal(err)
		}
		if got := b.kinds(id); len(got) != 1 || got[0] != want {
			t.Errorf("to %d: %q, want %q", amount, got, want)
		}
	}
	settle(10_000, "reversed open")
	settle(0, "reversed settled")
}
