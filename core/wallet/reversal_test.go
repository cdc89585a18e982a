package wallet_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

var reversedAt = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func reversalOf(state wallet.LineStatus, payment payment.Payment) wallet.Reversal {
	line := wallet.BankLine{
		WalletID: 7, LineID: "in", Version: 3, Direction: gateway.Incoming, Amount: money.New(25_000, money.TRY), Status: state,
		PaymentID: payment.ID,
	}
	by := wallet.BankLine{
		WalletID: 7, LineID: "out", Version: 1, Direction: gateway.Outgoing, Amount: money.New(25_000, money.TRY), ReversesLineID: "in",
	}
	return wallet.Reversal{Line: line, By: []wallet.BankLine{by}, Payment: payment}
}

func reversalDecision(t *testing.T) payment.Decision {
	t.Helper()
	ids, err := core.NewIDs(reversedAt, zeroes{})
	if err != nil {
		t.Fatal(err)
	}
	return payment.Decision{By: core.System, At: reversedAt, IDs: ids, Reason: "why"}
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { return len(p), nil }

func TestALineThatIsTakenBackNeverCredits(t *testing.T) {
	t.Parallel()
	for _, state := range wallet.LineStatuses() {
		r := reversalOf(state, payment.Payment{})
		change := wallet.DecideReversal(r, reversalDecision(t))
		if state == wallet.LineMatched { // a transfer's, or an adjustment's: those say what it means
			if core.Has[wallet.BankLine](change) {
				t.Errorf("%s: changed to %+v", state, core.RowsOf[wallet.BankLine](change))
			}
			continue
		}
		l := core.RowsOf[wallet.BankLine](change)[0]
		want := wallet.LineReversed
		if state == wallet.LineUnbooked {
			want = wallet.LineUnbooked // the ledger still has to take it
		}
		if l.Status != want || l.ReversedByLineID != "out" || l.Version != 4 || l.MayCredit() || core.Has[discrepancy.Discrepancy](change) {
			t.Errorf("%s: %+v, %+v", state, l, core.RowsOf[discrepancy.Discrepancy](change))
		}
		booked := core.RowsOf[wallet.BankLine](wallet.DecideBooking(l, nil, reversedAt, reversalDecision(t).IDs))[0]
		if booked.Status != wallet.LineReversed || booked.MayCredit() {
			t.Errorf("%s: booked as %+v", state, booked)
		}
		r.Line = l
		if again := wallet.DecideReversal(r, reversalDecision(t)); core.Has[wallet.BankLine](again) {
			t.Errorf("%s: decided again: %+v", state, core.RowsOf[wallet.BankLine](again))
		}
		w := wallet.Wallet{ID: 7, DealerID: 1}
		p := payment.Payment{ID: "p", Method: payment.EIBANDeposit, DealerID: 1, Status: payment.Processing, Amount: l.Amount}
		if _, err := wallet.DecideCredit(w, alone(l), p, nil, reversalDecision(t)); !fault.Is(err, fault.NotAllowed) {
			t.Errorf("%s: credited: %v", state, err)
		}
	}
}

func TestWhatIsTakenBackOfACreditIsTold(t *testing.T) {
	t.Parallel()
	p := payment.Payment{
		ID: "p", TrackingCode: "EIBAN-1", Method: payment.EIBANDeposit, DealerID: 4, ProviderID: 5, Status: payment.Completed,
		Amount: money.New(25_000, money.TRY),
	}
	r := reversalOf(wallet.LineMatched, p)
	r.By[0].Amount = money.New(10_000, money.TRY)
	change := wallet.DecideReversal(r, reversalDecision(t))
	l, d := core.RowsOf[wallet.BankLine](change)[0], core.RowsOf[discrepancy.Discrepancy](change)[0]
	if l.Status != wallet.LineReversed || l.PaymentID != "p" || d.Seen != gateway.Lira(money.New(10_000, money.TRY)) ||
		d.Expected != gateway.Lira(money.New(25_000, money.TRY)) || d.Status != discrepancy.Open || d.DealerID != 4 || d.ProviderID != 5 {
		t.Fatalf("%+v, %+v", l, d)
	}
	if _, err := wallet.DecideLineResolution(d, operation.AcceptMoney, reversalDecision(t)); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("accepted: %v", err)
	}
	written, err := wallet.DecideLineResolution(d, operation.WriteOff, reversalDecision(t))
	if err != nil || core.RowsOf[discrepancy.Discrepancy](written)[0].Status != discrepancy.WrittenOff || core.RowsOf[discrepancy.Discrepancy](written)[0].Reason != "why" {
		t.Fatalf("written off: %+v, %v", written, err)
	}
	if _, err := wallet.DecideLineResolution(core.RowsOf[discrepancy.Discrepancy](written)[0], operation.WriteOff, reversalDecision(t)); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("written off again: %v", err)
	}
	second := r.By[0]
	second.LineID, second.Amount = "out2", money.New(15_000, money.TRY)
	r.Line, r.By, r.Discrepancies = l, []wallet.BankLine{second, r.By[0]}, core.RowsOf[discrepancy.Discrepancy](written)
	change = wallet.DecideReversal(r, reversalDecision(t)) // the rest: what was dealt with does not count again
	if len(core.RowsOf[discrepancy.Discrepancy](change)) != 1 || core.RowsOf[discrepancy.Discrepancy](change)[0].Seen != gateway.Lira(money.New(15_000, money.TRY)) || core.RowsOf[wallet.BankLine](change)[0].Version != 5 {
		t.Errorf("the rest: %+v", change)
	}
}
