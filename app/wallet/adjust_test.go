package wallet_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
)

// charge has the bank take a fee of which it lists no line, and returns the line.
func (w *world) charge(amount money.Amount) (hidden string) {
	hidden = w.take(amount)
	w.Bank.Hide(hidden, true)
	return hidden
}

// corrects has money come in of which the bank says afterwards that it was another amount, and waits for the night.
func (w *world) corrects(amount, corrected money.Amount) {
	w.t.Helper()
	id := w.receive(amount, stranger, "")
	w.round()
	odd := w.odd()
	odd.read = func(_ gateway.StatementQuery, page gateway.StatementPage) (gateway.StatementPage, error) {
		for i := range page.Lines {
			if page.Lines[i].ID == id {
				page.Lines[i].Amount = corrected.Decimal()
			}
		}
		return page, nil
	}
	odd.balance = func(b gateway.Balance) (gateway.Balance, error) {
		b.Total = b.Total.Sub(amount.Decimal()).Add(corrected.Decimal())
		return b, nil
	}
	w.hours(aDay)
}

// explainAll explains every difference of a day.
func (w *world) explainAll(day core.Day) {
	w.t.Helper()
	for _, d := range w.day(day).Differences {
		_, err := w.Statements.Explain(w.t.Context(), by(w.Operator, "a fee"), w.Wallet.WalletID, day, d.Kind, d.LineID, d.EntryID)
		w.no(err)
	}
}

func (w *world) adjust(day core.Day, amount money.Amount) (wallets.Adjusted, error) {
	return w.Statements.Adjust(w.t.Context(), by(w.Admin, "a fee of the bank"), w.Wallet.WalletID, day, amount)
}

// refuses checks that a day can't be adjusted, and why.
func (w *world) refuses(day core.Day, amount money.Amount, why string) {
	w.t.Helper()
	before := w.Held(w.t, w.Wallet)
	_, err := w.adjust(day, amount)
	w.fails(err, fault.NotAdjustable)
	if said := lang.Say(lang.EN, string(fault.NotAdjustable), fault.ArgsOf(err)...); !strings.Contains(said, why) {
		w.t.Errorf("it says %q, want %q", said, why)
	}
	if after := w.Held(w.t, w.Wallet); after != before {
		w.t.Errorf("refused, and the wallet holds %s", after.AvailableBalance)
	}
}

func TestAnAdjustmentSettlesTheDayAndThoseAfterIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.charge(lira(5))
	w.hours(untilNight + 2*aDay)
	for d := day; d <= day.Add(2); d = d.After() {
		w.differs(d, wallet.BalanceDiffers)
	}
	w.explainAll(day)
	audits := w.audits()
	done, err := w.adjust(day, lira(-5))
	w.no(err)
	w.holds(opening-5, 0)
	w.entries(ledger.EntryAdjustment)
	e := done.Entry
	if e.Day != day || e.Number != 1 || e.Note != "a fee of the bank" || e.BookedBy != w.Admin.Actor("192.0.2.7") || !e.At.Equal(w.Clock.Now()) ||
		e.Available != lira(-5) || e.Reserved != lira(0) || e.Outside != lira(5) || e.PaymentID != "" {
		t.Errorf("the entry is %+v", e)
	}
	if r := done.Reconciliation; r.Day != day || r.Adjusted != lira(-5) || r.LedgerClosing != lira(opening-5) || len(r.Differences) != 0 {
		t.Errorf("the day is %+v", r)
	}
	w.agree() // at once, without the bank
	if len(*audits) != 1 || (*audits)[0].Action != "adjustDifference" || (*audits)[0].Reason != e.Note ||
		(*audits)[0].Target != "reconciliation/"+w.Wallet.WalletID+"/"+string(day) ||
		(*audits)[0].Before == (*audits)[0].After || (*audits)[0].Actor.Name != w.Admin.Email {
		t.Errorf("audited as %+v", *audits)
	}
	_, err = w.adjust(day, lira(-5))
	w.fails(err, fault.NotFound)
	w.receive(lira(7), stranger, "")
	w.hours(3 * aDay) // compared with the bank again, the later ones for the first time
	w.agree()
	w.holds(opening+2, 0)
}

// TestTheDealerSeesAnAdjustmentOnTheStatement as a line of the moment at which it was booked, once.
func TestTheDealerSeesAnAdjustmentOnTheStatement(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.charge(lira(5))
	w.hours(untilNight)
	w.explainAll(day)
	done, err := w.adjust(day, lira(-5))
	w.no(err)
	lines, total, err := w.Store.BankLines(t.Context(), wallet.BankLineQuery{
		WalletID: w.Wallet.ID, From: w.Clock.Now(), Until: w.Clock.Now().Add(time.Second), Limit: 5,
	})
	w.no(err)
	if total != 1 || lines[0].LineID != done.Entry.LineID || lines[0].Direction != gateway.Outgoing || lines[0].Amount != lira(5) ||
		lines[0].Text != "Bakiye düzeltmesi "+string(day) || lines[0].Status != wallet.LineMatched {
		t.Errorf("%d lines: %+v", total, lines)
	}
	w.fails(func() error {
		_, err := w.Statements.BringBack(t.Context(), by(w.Operator, "why"), w.Wallet.WalletID, done.Entry.LineID)
		return err
	}(), fault.NotAllowed)
	r, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, w.today())
	w.no(err)
	if len(r.Differences) != 0 || r.MatchedCount != 0 || r.LedgerOut != lira(0) {
		t.Errorf("the day on which it was booked is %+v", r)
	}
}

func TestWhatCanNotBeAdjusted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happens func(w *world)
		want    string
	}{
		"a difference that nobody has explained": {func(w *world) {
			w.charge(lira(5))
			w.hours(untilNight)
		}, "not explained"},
		"a day that is not over": {func(w *world) {
			w.charge(lira(5))
			w.later(time.Minute)
			_, err := w.Statements.Reconcile(w.t.Context(), by(w.Operator, ""), w.Wallet.WalletID, w.today())
			w.no(err)
			w.explainAll(w.today())
		}, "not over"},
		"a day with a line that waits to be booked": {func(w *world) {
			w.charge(lira(5))
			w.transfer(lira(9_900))
			w.take(lira(500))
			w.hours(untilNight)
			w.explainAll(w.today().Before())
		}, "still has to book"},
		"a day with a transfer that may have left": {func(w *world) {
			w.transfer(lira(250))
			w.charge(lira(5))
			w.hours(untilNight)
			w.explainAll(w.today().Before())
		}, "has not ended"},
		"a difference that is gone the day after": {func(w *world) {
			w.charge(lira(5))
			w.hours(untilNight)
			w.corrects(lira(10), lira(15))
			w.explainAll(w.today().Before().Before())
		}, "a later day agrees"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			day := w.today()
			c.happens(w)
			w.refuses(day, lira(-5), c.want)
		})
	}
}

func TestADifferenceIsSettledOnTheDayThatBroughtIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.charge(lira(5))
	w.hours(untilNight)
	w.corrects(lira(10), lira(8))
	w.explainAll(day)
	w.explainAll(day.After())
	w.refuses(day.After(), lira(-7), "an earlier day")
	_, err := w.adjust(day, lira(-7))
	w.fails(err, fault.Invalid)
	_, err = w.adjust(day, lira(-5))
	w.no(err)
	r := w.differs(day.After(), wallet.BalanceDiffers) // what is left of it nobody has explained
	if d := r.Differences[0]; d.Ours != lira(opening+5) || d.Theirs != lira(opening+3) {
		t.Errorf("the day after is %+v", r)
	}
	w.explainAll(day.After())
	_, err = w.adjust(day.After(), lira(-2))
	w.no(err)
	if r := w.differs(day.After()); len(r.Differences) != 1 || r.Differences[0].Kind != wallet.AmountDiffers {
		t.Errorf("the day after is %+v", r)
	}
	w.holds(opening+3, 0)
	w.hours(2 * aDay)
	w.holds(opening+3, 0)
	if r := w.day(day.Add(3)); len(r.Differences) != 0 || r.BankClosing != lira(opening+3) {
		t.Errorf("two days later: %+v", r)
	}
}

// TestALineThatComesAfterItsAdjustmentIsNotCountedTwice: it is booked as any line, the day differs again by it, and is
// adjusted back.
func TestALineThatComesAfterItsAdjustmentIsNotCountedTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	fee := w.charge(lira(5))
	w.hours(untilNight)
	w.explainAll(day)
	_, err := w.adjust(day, lira(-5))
	w.no(err)
	w.agree()
	w.Bank.Hide(fee, false)
	w.hours(aDay)
	w.is(fee, wallet.LineUnmatched)
	w.holds(opening-10, 0)
	r := w.differs(day, wallet.BalanceDiffers)
	if r.MatchedCount != 1 || r.LedgerOut != lira(5) || r.Adjusted != lira(-5) || r.LedgerClosing != lira(opening-10) {
		t.Errorf("the day is %+v", r)
	}
	w.explainAll(day)
	done, err := w.adjust(day, lira(5))
	w.no(err)
	if done.Entry.Number != 2 || done.Entry.Available != lira(5) || done.Reconciliation.Adjusted != lira(0) {
		t.Errorf("adjusted back by %+v: %+v", done.Entry, done.Reconciliation)
	}
	w.agree()
	w.entries(ledger.EntryAdjustment, ledger.EntryAdjustment, ledger.EntryOutgoing)
	w.holds(opening-5, 0)
	w.hours(aDay)
	w.agree()
}

// TestABookingThatTheBankNeverShowsIsTakenBack: staff said that a transfer left, and it did not.
func TestABookingThatTheBankNeverShowsIsTakenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	id := w.receive(lira(70), stranger, "")
	w.round()
	w.Bank.Hide(id, true)
	odd := w.odd()
	odd.balance = func(b gateway.Balance) (gateway.Balance, error) { // the bank has struck the line
		b.Total = b.Total.Sub(lira(70).Decimal())
		return b, nil
	}
	w.hours(untilNight)
	w.differs(day, wallet.MissingThere, wallet.BalanceDiffers)
	w.explainAll(day)
	done, err := w.adjust(day, lira(-70))
	w.no(err)
	if r := done.Reconciliation; len(r.Differences) != 1 || r.Differences[0].Kind != wallet.MissingThere || r.OpenCount() != 0 {
		t.Errorf("what is missing there still is: %+v", r)
	}
	w.holds(opening, 0)
	w.hours(aDay)
	if r := w.day(day.After()); len(r.Differences) != 0 {
		t.Errorf("the day after is %+v", r)
	}
}

func TestAnAdjustmentTakesNoMoreThanThereIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.charge(lira(500))
	w.hours(untilNight)
	w.take(lira(9_900))
	w.round()
	w.explainAll(day)
	_, err := w.adjust(day, lira(-500))
	w.fails(err, fault.Insufficient)
	w.holds(opening-9_900, 0)
	w.entries(ledger.EntryOutgoing)
	w.differs(day)
}

func TestOfManyThatAdjustAtOnceOneDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.charge(lira(5))
	w.hours(untilNight + aDay)
	w.explainAll(day)
	w.explainAll(day.After())
	if won := apptest.AtOnce(t, 16, func(i int) error {
		_, err := w.adjust(day.Add(i%2), lira(-5)) // both days differ by the same fee
		return err
	}, fault.NotFound, fault.NotAdjustable); won != 1 {
		t.Errorf("%d adjustments", won)
	}
	w.entries(ledger.EntryAdjustment)
	w.holds(opening-5, 0)
	w.agree()
}

// overtaken lets something happen once, after a day was read and before those around it are.
type overtaken struct {
	ports.Wallets
	meanwhile func()
}

func (o *overtaken) Reconciliations(ctx context.Context, q wallet.ReconciliationQuery) ([]wallet.Reconciliation, error) {
	if do := o.meanwhile; do != nil {
		o.meanwhile = nil
		do()
	}
	return o.Wallets.Reconciliations(ctx, q)
}

// TestWhoIsOvertakenIsToldWhatHoldsNow: somebody else adjusts a day just when it was read, and the days after it were not.
// These agree then, which would be a reason not to adjust it; but it agrees, too, and that is the answer.
func TestWhoIsOvertakenIsToldWhatHoldsNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	day := w.today()
	w.charge(lira(5))
	w.hours(untilNight + aDay)
	w.explainAll(day)
	w.Statements.Wallets = &overtaken{w.Store, func() {
		if _, err := w.adjust(day, lira(-5)); err != nil {
			t.Error(err)
		}
	}}
	_, err := w.adjust(day, lira(-5))
	w.fails(err, fault.NotFound)
	w.entries(ledger.EntryAdjustment)
}

func TestWhoMayAdjustAndWithWhat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, day, id := t.Context(), w.today(), w.Wallet.WalletID
	w.charge(lira(5))
	w.hours(untilNight)
	w.explainAll(day)
	try := func(s staff.Staff, reason, wallet string, day core.Day, amount money.Amount) error {
		_, err := w.Statements.Adjust(ctx, by(s, reason), wallet, day, amount)
		return err
	}
	for _, s := range []staff.Staff{w.Operator, w.Viewer, w.DealerStaff} {
		w.fails(try(s, "why", id, day, lira(-5)), fault.Forbidden)
	}
	for _, reason := range []string{"", "  ", "a\x00b", strings.Repeat("x", 501)} {
		w.fails(try(w.Admin, reason, id, day, lira(-5)), fault.Invalid)
	}
	for _, amount := range []money.Amount{lira(5), lira(-6), lira(0), {}} {
		w.fails(try(w.Admin, "why", id, day, amount), fault.Invalid)
	}
	for _, other := range []core.Day{"", "2026-02-30", day.Add(9), day.Before()} {
		w.fails(try(w.Admin, "why", id, other, lira(-5)), fault.Invalid)
	}
	w.fails(try(w.Admin, "why", "W-NONE", day, lira(-5)), fault.NotFound)
	w.Bank.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Broken }
	w.fails(try(w.Admin, "why", id, day, lira(-5)), fault.GatewayFailed)
	w.Bank.Fault = nil
	w.entries()
	finance := w.Admin
	finance.Role = staff.Finance
	w.no(try(finance, "why", id, day, lira(-5)))
}

func TestAnAdjustmentMayNeedASecondPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.Approvals.SetRule(t.Context(), app.BySystem, coreapproval.Rule{
		Action: core.GuardAdjustment, IsOn: true, Above: lira(4), LapseAfter: time.Hour,
	})
	w.no(err)
	day := w.today()
	w.charge(lira(5))
	w.hours(untilNight)
	w.corrects(lira(10), lira(13))
	w.explainAll(day)
	_, err = w.adjust(day, lira(-5))
	needs := approval.Needs(err)
	want := core.Guard{
		Action: core.GuardAdjustment, DealerID: w.Dealer.ID, Amount: gateway.Lira(lira(5)),
		Subject: "wallet/1/" + string(day) + "/out",
	}
	if needs == nil || len(needs.Guards) != 1 || needs.Guards[0] != want || !strings.Contains(needs.After, `"adjusted":"-5.00"`) {
		t.Fatalf("got %v: %+v", err, needs)
	}
	w.entries(ledger.EntryIncoming)
	guarded := w.UnitOfWork.Staff
	w.UnitOfWork.Staff = apptest.Ungated{Committer: w.Store}
	_, err = w.adjust(day, lira(-5))
	w.no(err)
	w.UnitOfWork.Staff = guarded
	w.explainAll(day.After())
	_, err = w.adjust(day.After(), lira(3)) // up to the amount
	w.no(err)
	w.holds(opening+8, 0)
}
