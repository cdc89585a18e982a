package core_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

var reversedAt = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

func reversalOf(state core.LineState, payment core.Payment) core.Reversal {
	line := core.BankLine{
		WalletID: 7, LineID: "in", Version: 3, Direction: gateway.Incoming, Amount: money.New(25_000, money.TRY), State: state,
		PaymentID: payment.ID,
	}
	by := core.BankLine{
		WalletID: 7, LineID: "out", Version: 1, Direction: gateway.Outgoing, Amount: money.New(25_000, money.TRY), Reverses: "in",
	}
	return core.Reversal{Line: line, By: []core.BankLine{by}, Payment: payment}
}

func reversalDecision(t *testing.T) core.Decision {
	t.Helper()
	ids, err := core.NewIDs(reversedAt, zeroes{})
	if err != nil {
		t.Fatal(err)
	}
	return core.Decision{By: core.System, At: reversedAt, IDs: ids, Reason: "why"}
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { return len(p), nil }

func TestALineThatIsTakenBackNeverCredits(t *testing.T) {
	t.Parallel()
	for _, state := range core.LineStates() {
		r := reversalOf(state, core.Payment{})
		change := core.DecideReversal(r, reversalDecision(t))
		if state == core.LineMatched { // a transfer's, or an adjustment's: those say what it means
			if core.Has[core.BankLine](change) {
				t.Errorf("%s: changed to %+v", state, core.RowsOf[core.BankLine](change))
			}
			continue
		}
		l := core.RowsOf[core.BankLine](change)[0]
		want := core.LineReversed
		if state == core.LineUnbooked {
			want = core.LineUnbooked // the ledger still has to take it
		}
		if l.State != want || l.ReversedBy != "out" || l.Version != 4 || l.MayCredit() || core.Has[core.Discrepancy](change) {
			t.Errorf("%s: %+v, %+v", state, l, core.RowsOf[core.Discrepancy](change))
		}
		booked := core.RowsOf[core.BankLine](core.DecideBooking(l, nil, reversedAt, reversalDecision(t).IDs))[0]
		if booked.State != core.LineReversed || booked.MayCredit() {
			t.Errorf("%s: booked as %+v", state, booked)
		}
		r.Line = l
		if again := core.DecideReversal(r, reversalDecision(t)); core.Has[core.BankLine](again) {
			t.Errorf("%s: decided again: %+v", state, core.RowsOf[core.BankLine](again))
		}
		w := core.Wallet{ID: 7, DealerID: 1}
		p := core.Payment{ID: "p", Method: core.EIBANDeposit, DealerID: 1, Status: core.Processing, Amount: l.Amount}
		if _, err := core.DecideCredit(w, alone(l), p, nil, reversalDecision(t)); !fault.Is(err, fault.NotAllowed) {
			t.Errorf("%s: credited: %v", state, err)
		}
	}
}

func TestWhatIsTakenBackOfACreditIsTold(t *testing.T) {
	t.Parallel()
	p := core.Payment{
		ID: "p", TrackingCode: "EIBAN-1", Method: core.EIBANDeposit, DealerID: 4, ProviderID: 5, Status: core.Completed,
		Amount: money.New(25_000, money.TRY),
	}
	r := reversalOf(core.LineMatched, p)
	r.By[0].Amount = money.New(10_000, money.TRY)
	change := core.DecideReversal(r, reversalDecision(t))
	l, d := core.RowsOf[core.BankLine](change)[0], core.RowsOf[core.Discrepancy](change)[0]
	if l.State != core.LineReversed || l.PaymentID != "p" || d.Seen != gateway.Lira(money.New(10_000, money.TRY)) ||
		d.Expected != gateway.Lira(money.New(25_000, money.TRY)) || d.State != core.DiscrepancyOpen || d.DealerID != 4 || d.ProviderID != 5 {
		t.Fatalf("%+v, %+v", l, d)
	}
	if _, err := core.DecideLineResolution(d, core.AcceptMoney, reversalDecision(t)); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("accepted: %v", err)
	}
	written, err := core.DecideLineResolution(d, core.WriteOff, reversalDecision(t))
	if err != nil || core.RowsOf[core.Discrepancy](written)[0].State != core.DiscrepancyWrittenOff || core.RowsOf[core.Discrepancy](written)[0].Reason != "why" {
		t.Fatalf("written off: %+v, %v", written, err)
	}
	if _, err := core.DecideLineResolution(core.RowsOf[core.Discrepancy](written)[0], core.WriteOff, reversalDecision(t)); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("written off again: %v", err)
	}
	second := r.By[0]
	second.LineID, second.Amount = "out2", money.New(15_000, money.TRY)
	r.Line, r.By, r.Discrepancies = l, []core.BankLine{second, r.By[0]}, core.RowsOf[core.Discrepancy](written)
	change = core.DecideReversal(r, reversalDecision(t)) // the rest: what was dealt with does not count again
	if len(core.RowsOf[core.Discrepancy](change)) != 1 || core.RowsOf[core.Discrepancy](change)[0].Seen != gateway.Lira(money.New(15_000, money.TRY)) || core.RowsOf[core.BankLine](change)[0].Version != 5 {
		t.Errorf("the rest: %+v", change)
	}
}

func TestAllClaims(t *testing.T) {
	t.Parallel()
	c := core.Changeset{
		core.Account{Version: 1, Kind: core.EIBANAccount, IBAN: "tr 1"},
		core.Account{Version: 2, IBAN: "TR2"},
		core.Account{Version: 1},
		core.Account{Version: 1, Kind: core.ManualAccount, IBAN: "TR4"},
		core.Wallet{Version: 1, IBAN: "TR1"},
		core.Wallet{Version: 3, IBAN: "TR3"},
	}.Merge(core.Rows(core.CollectingClaims(core.GatewayAccount{Collects: []string{"A", "B"}}, core.GatewayAccount{Collects: []string{"B", "C"}})))
	got := core.IBANClaimsOf(c.Merge(core.Changeset{core.IBANClaim{"D", core.ManualIBAN, 1}, core.IBANClaim{"D", core.ManualIBAN, -1}}))
	want := []core.IBANClaim{{"A", core.GatewayIBAN, -1}, {"C", core.GatewayIBAN, 1}, {"TR1", core.StatementIBAN, 2}, {"TR4", core.ManualIBAN, 1}}
	if len(got) != len(want) {
		t.Fatalf("claims %+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("claim %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}
