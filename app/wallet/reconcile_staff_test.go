package wallet_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

func TestWhatSomebodyHasExplainedStaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, day := t.Context(), w.today()
	w.Bank.Hide(w.receive(lira(70), stranger, ""), true)
	w.hours(untilNight)
	w.differs(day, wallet.BalanceDiffers)
	audits := w.audits()
	s := by(w.Operator, " the bank looks  into it")
	r, err := w.Statements.Explain(ctx, s, w.Wallet.WalletID, day, wallet.BalanceDiffers, "", "")
	w.no(err)
	if r.OpenCount() != 0 || r.Differences[0].Reason != "the bank looks into it" || r.Differences[0].ExplainedBy.Name != w.Operator.Email {
		t.Errorf("the day is %+v", r)
	}
	if len(*audits) != 1 || (*audits)[0].Action != "explainDifference" || (*audits)[0].Reason != "the bank looks into it" ||
		!strings.HasSuffix((*audits)[0].Target, "/"+string(day)) {
		t.Errorf("audited as %+v", *audits)
	}
	_, err = w.Statements.Reconcile(ctx, by(w.Operator, ""), w.Wallet.WalletID, day)
	w.no(err)
	if again := w.differs(day); again.Version != r.Version+1 || again.Differences[0].Reason != "the bank looks into it" {
		t.Errorf("the day is %+v", again)
	}
	w.receive(lira(1), stranger, "") // another day's
	w.Bank.Hide(w.Bank.Receive("acc-1", lira(2), stranger, "", w.Clock.Now().Add(-5*time.Hour)), true)
	_, err = w.Statements.Reconcile(ctx, by(w.Operator, ""), w.Wallet.WalletID, day)
	w.no(err)
	w.differs(day, wallet.BalanceDiffers) // it is another one
}

func TestAnExplanationHasAReasonAndADifference(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, day := t.Context(), w.today()
	w.Bank.Hide(w.receive(lira(70), stranger, ""), true)
	w.hours(untilNight)
	explain := func(reason string, d core.Day, kind wallet.DifferenceKind) error {
		_, err := w.Statements.Explain(ctx, by(w.Operator, reason), w.Wallet.WalletID, d, kind, "", "")
		return err
	}
	for _, reason := range []string{"", "  ", "a\x00b", strings.Repeat("x", 501)} {
		w.fails(explain(reason, day, wallet.BalanceDiffers), fault.Invalid)
	}
	w.fails(explain("why", day, wallet.MissingHere), fault.NotFound)
	w.fails(explain("why", day.Add(3), wallet.BalanceDiffers), fault.NotFound)
	w.differs(day, wallet.BalanceDiffers)
}

func TestStaffReconcileToday(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	today := w.today()
	w.receive(lira(10), stranger, "")
	for n := range 3 {
		r, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, today)
		w.no(err)
		if r.OpenCount() != 0 || r.Version != n+1 || r.LedgerClosing != lira(opening+10) || r.BankClosing != lira(opening+10) {
			t.Errorf("today is %+v", r)
		}
		w.Clock.Advance(time.Minute)
	}
	w.receive(lira(90), stranger, "") // the night finds the rest of the day
	w.hours(untilNight)
	if r := w.differs(today); r.LedgerClosing != lira(opening+100) || r.Version != 4 {
		t.Errorf("the day is %+v", r)
	}
}

func TestStaffReconcileADayWhoseDayBeforeWasNotCompared(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.no(w.Statements.Stop(t.Context()))
	first := w.today()
	for range 4 {
		w.receive(lira(10), stranger, "")
		w.Clock.Advance(aDay * time.Hour)
	}
	r, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, first.Add(3))
	w.no(err)
	if r.OpenCount() != 0 || r.LedgerClosing != lira(opening+40) {
		t.Errorf("the day is %+v", r)
	}
	w.differs(first)
}

func TestDaysAfterOneThatHasChangedFollow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.today()
	w.hours(12 * aDay)
	w.agree()
	id := w.Bank.Receive("acc-1", lira(10), stranger, "", w.Clock.Now().Add(-11*aDay*time.Hour))
	day := core.DayOf(w.Clock.Now().Add(-11*aDay*time.Hour), w.Zone)
	r, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, day)
	w.no(err)
	if r.OpenCount() != 0 || r.Day != day || r.LedgerClosing != lira(opening+10) {
		t.Errorf("the day is %+v", r)
	}
	w.is(id, wallet.LineUnmatched)
	w.agree()
	if last := w.day(first.Add(11)); last.LedgerClosing != lira(opening+10) || last.BankClosing != lira(opening+10) {
		t.Errorf("the last day is %+v", last)
	}
}

func TestADayThatIsNoneOfTheWalletsIsNotReconciled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hours(2 * aDay)
	today := w.today()
	for _, day := range []core.Day{today.After(), today.Add(-3), "", "yesterday", "2026-02-30", "2026-03-03T", "9999-12-31"} {
		_, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, day)
		w.fails(err, fault.Invalid)
	}
	_, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), "W-NONE", today)
	w.fails(err, fault.NotFound)
}

func TestStaffLearnThatTheBankCouldNotBeAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	odd := w.odd()
	odd.balance = func(gateway.Balance) (gateway.Balance, error) {
		return gateway.Balance{}, &gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectNone}
	}
	_, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, w.today())
	w.fails(err, fault.GatewayFailed)
	if args := fault.ArgsOf(err); len(args) != 1 || args[0] != string(gateway.Maintenance) {
		t.Errorf("the arguments are %v", args)
	}
}

// wrongLedger is a store that has lost a kuruş of a wallet.
type wrongLedger struct {
	ports.Wallets
	wallet int64
}

func (s wrongLedger) AddUpLedger(ctx context.Context, wallet int64) (wallet.LedgerSum, error) {
	sum, err := s.Wallets.AddUpLedger(ctx, wallet)
	if wallet == s.wallet {
		sum.Available = money.New(sum.Available.Minor()-1, money.TRY)
	}
	return sum, err
}

func TestALedgerThatDoesNotAddUpIsToldAndKeepsNothingFromBeingRead(t *testing.T) {
	t.Parallel()
	const told = "THE LEDGER OF A WALLET DOES NOT ADD UP"
	w := newWorld(t)
	w.hours(1)
	if f := w.feed(); f.IsLedgerOff || f.CheckedAt != w.Clock.Now() || strings.Contains(w.Logs.String(), told) {
		t.Fatalf("the feed is %+v", f)
	}
	right := w.Statements.Wallets
	w.Statements.Wallets = wrongLedger{right, w.Wallet.ID}
	w.Bank.Fault = nil
	odd := w.odd()
	odd.balance = func(gateway.Balance) (gateway.Balance, error) { // it is told also where the bank says nothing
		return gateway.Balance{}, &gateway.Error{Class: gateway.Retryable}
	}
	id := w.receive(lira(1), stranger, "")
	w.hours(1)
	w.is(id, wallet.LineUnmatched)
	if f := w.feed(); !f.IsLedgerOff || f.CheckedAt != w.Clock.Now() || f.FailureCount > 0 {
		t.Errorf("the feed is %+v", f)
	}
	if n := strings.Count(w.Logs.String(), told); n != 1 || !strings.Contains(w.Logs.String(), w.Wallet.WalletID) {
		t.Errorf("it is told %d times", n)
	}
	w.Statements.Wallets, odd.balance = right, nil
	w.hours(1)
	if f := w.feed(); f.IsLedgerOff {
		t.Errorf("the feed is %+v", f)
	}
}

func TestABankThatTellsNoBalanceIsReadAllTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	odd := w.odd()
	asked := 0
	odd.balance = func(b gateway.Balance) (gateway.Balance, error) {
		asked++
		return b, &gateway.Error{Class: gateway.Maintenance, Effect: gateway.EffectNone}
	}
	w.hours(untilNight)
	for range 120 {
		id := w.receive(lira(1), stranger, "")
		w.round()
		w.is(id, wallet.LineUnmatched)
	}
	if f := w.feed(); asked != untilNight+1 || f.FailureCount > 0 || f.Trouble != "reconciling: maintenance" || f.ReconciledTo != "" {
		t.Errorf("asked %d times, the feed is %+v", asked, f)
	}
	odd.balance = nil
	w.hours(1)
	if f := w.feed(); f.Trouble != "" || f.ReconciledTo != w.today().Before() {
		t.Errorf("the feed is %+v", f)
	}
}
