package statement_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/app/statement"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// Hours from the worlds' noon until the days that follow were compared.
const (
	untilNight = 14 // 02:00
	aDay       = 24
)

// day gives a wallet's day as it was compared last.
func (w *world) day(d core.Day) core.Reconciliation {
	w.t.Helper()
	r, err := w.Store.Reconciliation(w.t.Context(), w.Wallet.ID, d)
	w.no(err)
	return r
}

// differs checks what is open of a day.
func (w *world) differs(d core.Day, want ...core.DifferenceKind) core.Reconciliation {
	w.t.Helper()
	r := w.day(d)
	var got []core.DifferenceKind
	for _, one := range r.Differences {
		if one.Reason == "" {
			got = append(got, one.Kind)
		}
	}
	if !sameSet(got, want) || r.Open() != len(want) {
		w.t.Fatalf("%s differs in %q, want %q: %+v", d, got, want, r)
	}
	return r
}

// today is the day of the world's clock.
func (w *world) today() core.Day { return core.DayOf(w.Clock.Now(), w.Zone) }

func TestADayThatAgreesIsClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	p := w.transfer(lira(400))
	w.Bank.Settle(w.operation(p).Ref)
	w.receive(lira(1_000), stranger, "")
	w.take(lira(5))
	w.hours(untilNight)
	r := w.differs(day)
	want := core.Reconciliation{
		WalletID: w.Wallet.ID, Day: day, Version: 1, DealerID: w.Dealer.ID, At: r.At, Matched: 3, LedgerIn: lira(1_000),
		LedgerOut: lira(405), LedgerClosing: lira(opening + 595), BankIn: lira(1_000), BankOut: lira(405),
		BankClosing: lira(opening + 595), HasBank: true,
	}
	if len(r.Differences) > 0 || r.Matched != want.Matched || r.LedgerClosing != want.LedgerClosing || r.BankClosing != want.BankClosing ||
		r.LedgerIn != want.LedgerIn || r.LedgerOut != want.LedgerOut || r.BankIn != want.BankIn || r.BankOut != want.BankOut || !r.HasBank {
		t.Errorf("the day is %+v, want %+v", r, want)
	}
	if f := w.feed(); f.ReconciledTo != day {
		t.Errorf("the feed is %+v", f)
	}
}

func TestADayIsComparedAnHourAfterItsEndAndInTheNightsOfAWeek(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.today()
	w.hours(12) // until 00:00
	if got := len(w.days()); got != 1 {
		t.Errorf("%d days", got)
	}
	w.hours(2)
	if r := w.day(first); r.Version != 1 || !r.HasBank || r.Matched != 0 || r.BankClosing != lira(opening) {
		t.Errorf("a day with nothing: %+v", r)
	}
	w.hours(20)
	if r := w.day(first); r.Version != 1 {
		t.Errorf("compared %d times within a day", r.Version)
	}
	w.hours(9 * aDay)
	if r := w.day(first); r.Version != 7 {
		t.Errorf("compared %d times", r.Version)
	}
	w.agree()
}

func TestDaysOfADowntimeAreComparedInOneGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.today()
	for n := range 12 {
		w.receive(lira(int64(n)+1), stranger, "")
		w.Clock.Advance(aDay * time.Hour)
	}
	w.round()
	w.agree()
	if r := w.day(first); !r.HasBank || r.BankClosing != lira(opening+1) {
		t.Errorf("the first day is %+v", r)
	}
	if r := w.day(first.Add(11)); r.LedgerClosing != lira(opening+78) {
		t.Errorf("the last day is %+v", r)
	}
	if got := len(w.days()); got != 13 {
		t.Errorf("%d days", got)
	}
}

func TestWhatIsMissingHereIsFoundByTheBalance(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.Bank.Hide(w.receive(lira(70), stranger, ""))
	w.hours(untilNight)
	if r := w.differs(day, core.BalanceDiffers); r.Differences[0].Ours != lira(opening) || r.Differences[0].Theirs != lira(opening+70) {
		t.Errorf("the difference is %+v", r.Differences[0])
	}
	if !strings.Contains(w.Logs.String(), "a wallet's day does not agree with the bank") {
		t.Error("nobody is told")
	}
}

func TestWhatWaitsToBeBookedIsMissingHere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.transfer(lira(9_900))
	fee := w.take(lira(500))
	w.hours(untilNight)
	if r := w.differs(day, core.MissingHere, core.BalanceDiffers); r.Differences[1].LineID != fee {
		t.Errorf("the differences are %+v", r.Differences)
	}
	w.receive(lira(400), stranger, "")
	w.hours(2)
	w.differs(day)
}

func TestATransferWithoutALineIsMissingThereUntilItsLineComes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	p := w.transfer(lira(250))
	ref := w.operation(p).Ref
	w.Bank.Settle(ref)
	at, _ := w.Bank.Transfer(ref)
	w.Bank.Hide(at.LineID)
	w.later(10 * time.Second)
	w.has(p, core.Completed)
	w.hours(untilNight)
	if r := w.differs(day, core.MissingThere); r.Differences[0].PaymentID != p.ID || r.BankClosing != lira(opening-250) {
		t.Errorf("the day is %+v", r)
	}
	w.hours(3 * aDay)
	w.differs(day, core.MissingThere)
	w.differs(day.After())
	w.Bank.Show(at.LineID)
	w.hours(1)
	w.differs(day)
	w.is(at.LineID, core.LineMatched)
	w.agree()
}

func TestADayThatIsOpenForAWeekIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	id := w.receive(lira(70), stranger, "")
	w.round()
	w.Bank.Hide(id)
	w.hours(8 * aDay)
	left := w.differs(day, core.MissingThere)
	w.Bank.Show(id)
	w.hours(2)
	if after := w.day(day); after.Version != left.Version {
		t.Errorf("it was compared again: %+v", after)
	}
	compared, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, day)
	w.no(err)
	if compared.Open() != 0 || !compared.HasBank {
		t.Errorf("staff get %+v", compared)
	}
}

func TestALineInAnotherAmountThanWasImportedDiffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	id := w.receive(lira(70), stranger, "")
	w.round()
	odd := w.odd()
	odd.read = func(_ gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		for i := range page.Lines {
			page.Lines[i].Amount = lira(7).Decimal()
		}
		return page, nil
	}
	w.hours(untilNight)
	r := w.differs(day, core.AmountDiffers)
	if d := r.Differences[0]; d.LineID != id || d.Ours != lira(70) || d.Theirs != lira(7) {
		t.Errorf("the difference is %+v", d)
	}
	w.holds(opening+70, 0)
}

func TestABalanceThatLagsOrComesLateIsReckonedWith(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bank.Lag = 20 * time.Minute
	for range 40 {
		w.receive(lira(3), stranger, "")
		w.later(time.Hour)
	}
	w.agree()
	w.receive(lira(11), stranger, "")
	w.Clock.Advance(time.Minute)
	r, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, w.today())
	w.no(err)
	if r.Open() != 0 || r.BankClosing != lira(opening+131) {
		t.Errorf("today is %+v", r)
	}
}

func TestABalanceThatIsNoneTellsNothing(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*gateway.Balance){
		"another currency": func(b *gateway.Balance) { b.Asset.Code = "USD" },
		"parts of a kuruş": func(b *gateway.Balance) { b.Total = money.MustDecimal("1.001") },
		"of no moment":     func(b *gateway.Balance) { b.At = time.Time{} },
		"of last year":     func(b *gateway.Balance) { b.At = b.At.AddDate(-1, 0, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			day := w.today()
			odd := w.odd()
			odd.balance = func(b gateway.Balance) (gateway.Balance, error) {
				spoil(&b)
				return b, nil
			}
			w.receive(lira(1), stranger, "")
			w.hours(untilNight)
			if r := w.differs(day); r.HasBank || r.Matched != 1 {
				t.Errorf("the day is %+v", r)
			}
			if f := w.feed(); f.Failures != 0 || f.ReconciledTo != day {
				t.Errorf("the feed is %+v", f)
			}
		})
	}
}

func TestAnOverdrawnAccountIsReckonedWith(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.take(lira(opening + 50))
	w.hours(untilNight)
	if r := w.differs(day, core.MissingHere, core.BalanceDiffers); r.BankClosing != lira(-50) {
		t.Errorf("the day is %+v", r)
	}
}

func TestWhatSomebodyHasExplainedStaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, day := t.Context(), w.today()
	w.Bank.Hide(w.receive(lira(70), stranger, ""))
	w.hours(untilNight)
	w.differs(day, core.BalanceDiffers)
	audits := w.audits()
	r, err := w.Statements.Explain(ctx, by(w.Operator, " the bank looks  into it"), w.Wallet.WalletID, day, core.BalanceDiffers, "", "")
	w.no(err)
	if r.Open() != 0 || r.Differences[0].Reason != "the bank looks into it" || r.Differences[0].By.Name != w.Operator.Email {
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
	w.Bank.Hide(w.Bank.Receive("acc-1", lira(2), stranger, "", w.Clock.Now().Add(-5*time.Hour)))
	_, err = w.Statements.Reconcile(ctx, by(w.Operator, ""), w.Wallet.WalletID, day)
	w.no(err)
	w.differs(day, core.BalanceDiffers) // it is another one
}

func TestAnExplanationHasAReasonAndADifference(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, day := t.Context(), w.today()
	w.Bank.Hide(w.receive(lira(70), stranger, ""))
	w.hours(untilNight)
	explain := func(reason string, d core.Day, kind core.DifferenceKind) error {
		_, err := w.Statements.Explain(ctx, by(w.Operator, reason), w.Wallet.WalletID, d, kind, "", "")
		return err
	}
	for _, reason := range []string{"", "  ", "a\x00b", strings.Repeat("x", 501)} {
		w.fails(explain(reason, day, core.BalanceDiffers), fault.Invalid)
	}
	w.fails(explain("why", day, core.MissingHere), fault.NotFound)
	w.fails(explain("why", day.Add(3), core.BalanceDiffers), fault.NotFound)
	w.differs(day, core.BalanceDiffers)
}

func TestStaffReconcileToday(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	today := w.today()
	w.receive(lira(10), stranger, "")
	w.Clock.Advance(time.Hour)
	for n := range 3 {
		r, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, today)
		w.no(err)
		if r.Open() != 0 || r.Version != n+1 || r.LedgerClosing != lira(opening+10) || r.BankClosing != lira(opening+10) {
			t.Errorf("today is %+v", r)
		}
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
	if r.Open() != 0 || r.LedgerClosing != lira(opening+40) {
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
	if r.Open() != 0 || r.Day != day || r.LedgerClosing != lira(opening+10) {
		t.Errorf("the day is %+v", r)
	}
	w.is(id, core.LineUnmatched)
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
	for _, day := range []core.Day{today.After(), today.Add(-3), "", "yesterday", "2026-02-30", "9999-12-31"} {
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
	statement.Store
	wallet int64
}

func (s wrongLedger) AddUpLedger(ctx context.Context, wallet int64) (core.LedgerSum, error) {
	sum, err := s.Store.AddUpLedger(ctx, wallet)
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
	right := w.Statements.Store
	w.Statements.Store = wrongLedger{right, w.Wallet.ID}
	w.Bank.Fault = nil
	odd := w.odd()
	odd.balance = func(gateway.Balance) (gateway.Balance, error) { // it is told also where the bank says nothing
		return gateway.Balance{}, &gateway.Error{Class: gateway.Retryable}
	}
	id := w.receive(lira(1), stranger, "")
	w.hours(1)
	w.is(id, core.LineUnmatched)
	if f := w.feed(); !f.IsLedgerOff || f.CheckedAt != w.Clock.Now() {
		t.Errorf("the feed is %+v", f)
	}
	if n := strings.Count(w.Logs.String(), told); n != 1 || !strings.Contains(w.Logs.String(), w.Wallet.WalletID) {
		t.Errorf("it is told %d times", n)
	}
	w.Statements.Store, odd.balance = right, nil
	w.hours(1)
	if f := w.feed(); f.IsLedgerOff {
		t.Errorf("the feed is %+v", f)
	}
}
