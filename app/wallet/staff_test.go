package wallet_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/e2e/apptest"
)

// audits collects every audit row from now on.
func (w *world) audits() *[]core.AuditEntry {
	var mu sync.Mutex
	all := &[]core.AuditEntry{}
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		mu.Lock()
		defer mu.Unlock()
		*all = append(*all, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	return all
}

// credit completes a deposit with a line.
func (w *world) credit(s staff.Staff, line string, p payment.Payment) error {
	_, err := w.Statements.Credit(w.t.Context(), by(s, "seen in the branch"), w.Wallet.WalletID, line, p.TrackingCode)
	return err
}

func TestStaffCompleteADepositWithWhatTheLineBrought(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	id := w.receive(lira(240), stranger, "")
	w.round()
	audits := w.audits()
	l, err := w.Statements.Credit(t.Context(), by(w.DealerStaff, "  his father  paid "), w.Wallet.WalletID, id, p.TrackingCode)
	w.no(err)
	w.Work(t)
	if l.Status != wallet.LineMatched || l.PaymentID != p.ID || l != w.line(id) {
		t.Errorf("the line is %+v", l)
	}
	p = w.has(p, payment.Completed)
	if p.Amount != lira(240) || p.RequestedAmount != lira(250) {
		t.Errorf("%s of %s", p.Amount, p.RequestedAmount)
	}
	if all := w.callbacks(p); len(all) != 1 || all[0].Payload.Amount != lira(240) {
		t.Errorf("callbacks %+v", all)
	}
	if used, _ := w.used(); used != "240.00" {
		t.Errorf("%s are used of the day", used)
	}
	last := w.moves(p)[len(w.moves(p))-1]
	if last.Command != payment.Approve || last.Actor.Name != w.DealerStaff.Email || last.Reason != "bank line "+id+": his father paid" {
		t.Errorf("the timeline says %+v", last)
	}
	want := core.AuditEntry{
		ID: (*audits)[len(*audits)-1].ID, At: w.Clock.Now(), Actor: w.DealerStaff.Actor("192.0.2.7"), Action: "creditBankLine",
		Target: "bankLine/" + w.Wallet.WalletID + "/" + id, Reason: "his father paid",
		Before: `{"state":"unmatched","amount":"240.00","payment":""}`, After: `{"state":"matched","amount":"240.00","payment":"` + string(p.ID) + `"}`,
	}
	if len(*audits) != 2 || (*audits)[1] != want {
		t.Errorf("audited as %+v, want %+v", *audits, want)
	}
	if first := (*audits)[0]; first.Target != "payment/"+p.TrackingCode || first.Before != `{"status":"showing","amount":"250.00"}` ||
		first.After != `{"status":"completed","amount":"240.00","line":"`+id+`","lineAmount":"240.00"}` {
		t.Errorf("the payment is told %+v", first)
	}
	w.entries(ledger.EntryIncoming)
}

func TestOnlyStaffAcceptMoneyThatCameTooLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(250), owner.Customer{})
	w.later(31 * time.Minute)
	w.has(p, payment.Expired)
	id := w.receive(lira(250), ayse, p.TrackingCode)
	w.round()
	w.is(id, wallet.LineDoubtful)
	w.has(p, payment.Expired)
	if used, n := w.used(); used != "0.00" || n != 0 {
		t.Errorf("%s and %d are used of the day", used, n)
	}
	w.fails(w.credit(w.DealerStaff, id, p), fault.Forbidden) // who decides about late money anywhere
	w.no(w.credit(w.Operator, id, p))
	w.Work(t)
	p = w.has(p, payment.Completed)
	if all := w.callbacks(p); len(all) != 2 || all[1].Payload.Status != payment.Completed || all[1].Status != payment.Delivered {
		t.Errorf("callbacks %+v", all)
	}
	if used, n := w.used(); used != "250.00" || n != 1 {
		t.Errorf("%s and %d are used of the day", used, n)
	}
}

func TestALineCreditsOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.offered(lira(250), owner.Customer{}), w.offered(lira(250), alike)
	w.Clock.Advance(time.Second)
	id, second := w.receive(lira(250), ayse, ""), w.receive(lira(250), ayse, "")
	w.round()
	w.no(w.credit(w.Operator, id, p))
	w.fails(w.credit(w.Operator, id, other), fault.NotAllowed)
	w.fails(w.credit(w.Operator, id, p), fault.NotAllowed)
	w.fails(w.credit(w.Operator, second, p), fault.AlreadyFinal)
	w.has(other, payment.Showing)
}

func TestOfStaffWhoCreditAtOnceOneWins(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := newWorld(t)
		deposits := []payment.Payment{w.offered(lira(250), owner.Customer{}), w.offered(lira(250), alike)}
		w.Clock.Advance(time.Second)
		line := w.receive(lira(250), ayse, "")
		w.round()
		done := make(chan error)
		for _, p := range deposits {
			go func() { done <- w.credit(w.Operator, line, p) }()
		}
		loser, winner := <-done, <-done
		if loser == nil {
			loser, winner = winner, loser
		}
		w.no(winner)
		w.fails(loser, fault.NotAllowed)
	}
}

func TestOfTwoLinesForOneDepositOneWins(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := newWorld(t)
		w.Statements.AutoScore = 0
		p := w.offered(lira(250), owner.Customer{})
		w.Clock.Advance(time.Second)
		lines := []string{w.receive(lira(250), ayse, "a"), w.receive(lira(250), ayse, "b")}
		w.round()
		done := make(chan error)
		for _, line := range lines {
			go func() { done <- w.credit(w.Operator, line, p) }()
		}
		loser, winner := <-done, <-done
		if loser == nil {
			loser, winner = winner, loser
		}
		w.no(winner)
		w.fails(loser, fault.AlreadyFinal)
		if got := len(w.callbacks(p)); got != 1 {
			t.Fatalf("%d callbacks", got)
		}
	}
}

// before has something done in the moment before the first commit that is so.
func (w *world) before(is func(core.Changeset) bool, do func()) {
	var once sync.Once
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if is(c) {
			once.Do(func() {
				w.UnitOfWork.Commits = w.Store
				do()
			})
		}
		return nil
	}}
}

func isCredit(c core.Changeset) bool {
	return core.Has[wallet.BankLine](c) && core.Has[payment.Payment](c)
}

func TestStaffWinAgainstTheWorkerOrLose(t *testing.T) {
	t.Parallel()
	t.Run("staff are first", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		p := w.offered(lira(250), owner.Customer{})
		other := w.offered(lira(100), alike)
		w.Clock.Advance(time.Second)
		id := w.receive(lira(250), ayse, "")
		w.before(isCredit, func() { w.no(w.credit(w.Operator, id, other)) })
		w.round()
		w.has(p, payment.Showing)
		w.has(other, payment.Completed)
		w.is(id, wallet.LineMatched)
	})
	t.Run("the worker is first", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		id := w.receive(lira(250), ayse, "")
		w.round()
		w.later(5 * time.Minute)
		p := w.offered(lira(250), owner.Customer{})
		other := w.offered(lira(100), alike)
		w.before(isCredit, w.round)
		w.fails(w.credit(w.Operator, id, other), fault.NotAllowed)
		w.has(p, payment.Completed)
		w.has(other, payment.Showing)
	})
}

func TestStaffSayWhatALineIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	id, fee := w.receive(lira(249), ayse, ""), w.take(lira(3))
	w.round()
	ctx, audits := t.Context(), w.audits()
	aside, err := w.Statements.SetAside(ctx, by(w.Operator, "a loan"), w.Wallet.WalletID, id)
	w.no(err)
	if aside.Status != wallet.LineSetAside || aside.Note != "a loan" {
		t.Errorf("the line is %+v", aside)
	}
	_, err = w.Statements.SetAside(ctx, by(w.Operator, "the bank's fee"), w.Wallet.WalletID, fee)
	w.no(err)
	w.hours(1)
	w.is(id, wallet.LineSetAside)
	w.fails(w.credit(w.Operator, id, p), fault.NotAllowed)
	_, err = w.Statements.SetAside(ctx, by(w.Operator, "again"), w.Wallet.WalletID, id)
	w.fails(err, fault.NotAllowed)
	_, err = w.Statements.BringBack(ctx, by(w.Operator, "no loan"), w.Wallet.WalletID, id)
	w.no(err)
	w.hours(1)
	w.is(id, wallet.LineDoubtful)
	_, err = w.Statements.BringBack(ctx, by(w.Operator, "again"), w.Wallet.WalletID, id)
	w.fails(err, fault.NotAllowed)
	var actions []string
	for _, a := range *audits {
		actions = append(actions, a.Action+": "+a.Reason)
	}
	want := []string{"setAsideBankLine: a loan", "setAsideBankLine: the bank's fee", "bringBackBankLine: no loan"}
	if !slices.Equal(actions, want) {
		t.Errorf("audited as %q", actions)
	}
}

func TestALineIsExplainedWithAReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.receive(lira(249), ayse, "")
	w.round()
	for _, reason := range []string{"", " \n ", "a\x00b", strings.Repeat("x", 501)} {
		_, err := w.Statements.SetAside(t.Context(), by(w.Operator, reason), w.Wallet.WalletID, id)
		w.fails(err, fault.Invalid)
		_, err = w.Statements.BringBack(t.Context(), by(w.Operator, reason), w.Wallet.WalletID, id)
		w.fails(err, fault.Invalid)
	}
	w.is(id, wallet.LineUnmatched)
}

func TestNobodyDecidesAboutWhatIsNotTheirs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	id := w.receive(lira(249), ayse, "")
	w.round()
	other := w.DealerStaff
	other.DealerID = w.OtherDealer.ID
	none := w.DealerStaff
	none.DealerID = 0
	off := w.Operator
	off.IsActive = false
	for name, c := range map[string]struct {
		staff staff.Staff
		want  fault.Code
	}{
		"another dealer's": {other, fault.NotFound}, "a dealer's without a dealer": {none, fault.NotFound},
		"a viewer": {w.Viewer, fault.Forbidden}, "who is gone": {off, fault.Forbidden},
	} {
		day := core.DayOf(w.Clock.Now(), w.Zone)
		s := by(c.staff, "why")
		_, err := w.Statements.Credit(ctx, s, w.Wallet.WalletID, id, p.TrackingCode)
		failures := map[string]error{"credit": err}
		_, failures["set aside"] = w.Statements.SetAside(ctx, s, w.Wallet.WalletID, id)
		_, failures["bring back"] = w.Statements.BringBack(ctx, s, w.Wallet.WalletID, id)
		_, failures["candidates"] = w.Statements.Candidates(ctx, c.staff, w.line(id))
		_, failures["lines of"] = w.Backoffice.Batch(p).BankLines(ctx, c.staff, p)
		_, failures["lines in"] = w.Statements.LinesIn(ctx, c.staff, w.Wallet.WalletID, wallet.LineQuery{Paging: core.Paging[core.ID]{Limit: 10}})
		_, failures["days of"] = w.Statements.DaysOf(ctx, c.staff, w.Wallet.WalletID, wallet.ReconciliationQuery{Paging: core.Paging[wallet.DayCursor]{Limit: 10}})
		_, failures["feed"] = w.Statements.Feeds(ctx, c.staff, w.Wallet)
		for what, err := range failures {
			if got := fault.CodeOf(err); got != c.want {
				t.Errorf("%s: %s gives %q, want %q", name, what, got, c.want)
			}
		}
		_, err = w.Statements.Reconcile(ctx, s, w.Wallet.WalletID, day)
		_, err2 := w.Statements.Explain(ctx, s, w.Wallet.WalletID, day, wallet.BalanceDiffers, "", "")
		if fault.CodeOf(err) != fault.Forbidden || fault.CodeOf(err2) != fault.Forbidden { // for the house's staff only
			t.Errorf("%s: %v, %v", name, err, err2)
		}
		for _, list := range []func() (int, error){
			func() (int, error) {
				l, err := w.Statements.LinesIn(ctx, c.staff, "", wallet.LineQuery{Paging: core.Paging[core.ID]{Limit: 10}})
				return len(l), err
			},
			func() (int, error) {
				d, err := w.Statements.Days(ctx, c.staff, wallet.ReconciliationQuery{Paging: core.Paging[wallet.DayCursor]{Limit: 10}, WalletID: w.Wallet.ID})
				return len(d), err
			},
		} {
			if n, err := list(); n > 0 || err != nil && !fault.Is(err, c.want) {
				t.Errorf("%s sees %d: %v", name, n, err)
			}
		}
	}
	w.is(id, wallet.LineDoubtful)
	if lines, err := w.Statements.LinesIn(ctx, w.DealerStaff, "", wallet.LineQuery{Paging: core.Paging[core.ID]{Limit: 10}}); err != nil || len(lines) != 1 {
		t.Errorf("the dealer's own staff see %v, %v", lines, err)
	}
}

func TestALineNeverCreditsWhatIsNotTheWallets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	manual := w.StartDeposit(t, payment.ManualDeposit, lira(250))
	foreign := w.Start(t, payment.Request{Method: payment.EIBANDeposit, Amount: lira(250), Provider: w.OtherProvider, Site: w.OtherSite})
	in, out := w.receive(lira(250), ayse, ""), w.take(lira(250))
	w.round()
	w.fails(w.credit(w.Operator, in, manual), fault.WrongMethod)
	w.fails(w.credit(w.Operator, in, foreign), fault.WrongMethod)
	w.fails(w.credit(w.DealerStaff, in, foreign), fault.NotFound)
	w.fails(w.credit(w.Operator, in, payment.Payment{TrackingCode: "EIBAN-NONE"}), fault.NotFound)
	w.fails(w.credit(w.Operator, "none", manual), fault.NotFound)
	p := w.offered(lira(250), owner.Customer{})
	w.fails(w.credit(w.Operator, out, p), fault.NotAllowed)
	if list, err := w.Statements.Candidates(t.Context(), w.Operator, w.line(out)); err != nil || len(list) > 0 {
		t.Errorf("candidates of what left: %v %v", list, err)
	}
	_, err := w.Statements.Credit(t.Context(), by(w.Operator, ""), "W-NONE", in, p.TrackingCode)
	w.fails(err, fault.NotFound)
}

func TestADepositSaysWhichLinesPaidIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.offered(lira(250), owner.Customer{})
	w.Clock.Advance(time.Second)
	id := w.receive(lira(250), ayse, "")
	w.round()
	for _, s := range []staff.Staff{w.Operator, w.DealerStaff} {
		lines, err := w.Backoffice.Batch(p).BankLines(t.Context(), s, p)
		w.no(err)
		if len(lines) != 1 || lines[0] != w.line(id) {
			t.Errorf("%s sees %+v", s.Email, lines)
		}
	}
}

func TestOfTwoReadersWhoTakeTwoLinesForOneTransferOneBooksIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.transfer(lira(250))
	ref := w.operation(p).Reference
	w.Bank.Settle(ref)
	w.later(10 * time.Second)
	w.has(p, payment.Completed)
	line := w.Bank.LineOf(ref)
	other := w.Bank.BookLine("acc-1", gateway.StatementLine{
		Direction: gateway.Outgoing, Amount: lira(250).Decimal(), Text: "Invoice 7", EndToEnd: string(ref),
		Party: gateway.Party{Name: "Ayşe Yılmaz", IBAN: "TR330006100519786457841326"},
	})
	w.Bank.Hide(other, true)
	w.before(func(c core.Changeset) bool { return core.Has[wallet.BankLine](c) }, func() {
		w.Bank.Hide(other, false)
		w.Bank.Hide(line, true)
		_, err := w.Statements.Reconcile(t.Context(), by(w.Operator, ""), w.Wallet.WalletID, core.DayOf(w.Clock.Now(), w.Zone))
		w.no(err)
		w.Bank.Hide(line, false)
	})
	w.round()
	w.is(other, wallet.LineMatched)
	w.is(line, wallet.LineUnmatched)
	w.entries(ledger.EntryReserve, ledger.EntryPost, ledger.EntryOutgoing)
	w.holds(opening-500, 0)
}
