package payment_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

var amount = money.New(25000, money.TRY)

// decisions are the service's, by the action that the audit names.
func decisions(w *apptest.World) map[string]func(context.Context, app.StaffMove) (payment.Payment, error) {
	return map[string]func(context.Context, app.StaffMove) (payment.Payment, error){
		"completeWithdrawal": unnamed(w), "rejectWithdrawal": w.Withdrawals.Reject,
		"failWithdrawal": w.Withdrawals.Fail, "cancelWithdrawal": w.Withdrawals.Cancel,
	}
}

// unnamed completes a withdrawal without saying under which name the bank has it.
func unnamed(w *apptest.World) func(context.Context, app.StaffMove) (payment.Payment, error) {
	return func(ctx context.Context, m app.StaffMove) (payment.Payment, error) {
		return w.Withdrawals.Complete(ctx, m, "")
	}
}

// situation is where a withdrawal is when somebody decides about it: its status, and who has claimed it.
type situation string

const (
	waiting      situation = "nobody has it"
	own          situation = "claimed by who decides"
	ownLapsed    situation = "claimed by who decides, until a while ago"
	others       situation = "claimed by somebody else"
	lapsed       situation = "claimed by somebody else, until a while ago"
	released     situation = "claimed once and given back"
	completed    situation = "completed"
	rejected     situation = "rejected"
	failedAtBank situation = "failed"
	canceled     situation = "canceled"
)

// leadsTo is the contract: withdrawals (manual, E-IBAN) of decisions.md, States, and who may say that money was sent.
// What is not here is refused.
var leadsTo = map[situation]map[string]payment.Status{
	waiting:  {"rejectWithdrawal": payment.Rejected, "cancelWithdrawal": payment.Canceled},
	released: {"rejectWithdrawal": payment.Rejected},
	own: {
		"completeWithdrawal": payment.Completed, "rejectWithdrawal": payment.Rejected, "failWithdrawal": payment.Failed,
	},
	ownLapsed: {
		"completeWithdrawal": payment.Completed, "rejectWithdrawal": payment.Rejected, "failWithdrawal": payment.Failed,
	},
}

// refusedWith is the fault of what leadsTo does not have.
func (s situation) refusedWith(action string) fault.Code {
	isForHolder := action == "completeWithdrawal" || action == "failWithdrawal"
	switch {
	case s == completed || s == rejected || s == failedAtBank || s == canceled:
		return fault.AlreadyFinal
	case s == others || s == lapsed || isForHolder:
		return fault.NotClaimed
	default:
		return fault.NotAllowed
	}
}

// reach makes a withdrawal in a situation for somebody who will decide about it.
func reach(t *testing.T, w *apptest.World, s situation, staff staff.Staff) payment.Payment {
	t.Helper()
	p := w.StartWithdrawal(t, payment.ManualWithdrawal, amount)
	soon, gone, someone := w.Clock.Now().Add(time.Hour), w.Clock.Now().Add(-time.Second), staff.ID+1000
	steps := map[situation][]app.Decide{
		own: {claim(staff.ID, soon)}, ownLapsed: {claim(staff.ID, gone)}, others: {claim(someone, soon)}, lapsed: {claim(someone, gone)},
		released: {claim(someone, soon), func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
			return payment.DecideRelease(p, someone, d)
		}},
		completed: {claim(someone, soon), end(payment.Complete)}, failedAtBank: {claim(someone, soon), end(payment.Fail)},
		rejected: {end(payment.Reject)}, canceled: {end(payment.Cancel)},
	}[s]
	load := func(ctx context.Context) (payment.Payment, error) {
		return w.Store.PaymentByTrackingCode(ctx, p.TrackingCode)
	}
	for _, step := range steps {
		if _, err := w.UnitOfWork.Move(t.Context(), load, app.BySystem, step); err != nil {
			t.Fatalf("reach %s: %v", s, err)
		}
	}
	return w.Reload(t, p)
}

func claim(staffID int64, until time.Time) app.Decide {
	return func(p payment.Payment, d payment.Decision) (core.Changeset, error) {
		return payment.DecideClaim(p, staffID, until, false, d)
	}
}

func end(c payment.Command) app.Decide {
	return func(p payment.Payment, d payment.Decision) (core.Changeset, error) { return payment.Decide(p, c, d) }
}

// member is somebody who tries to decide, and the fault of that alone.
type member struct {
	name  string
	staff staff.Staff
	fault fault.Code
}

func members(w *apptest.World) []member {
	elsewhere, nowhere, inactive := w.DealerStaff, w.DealerStaff, w.Admin
	elsewhere.DealerID, nowhere.DealerID, inactive.IsActive = w.OtherDealer.ID, 0, false
	return []member{
		{"admin", w.Admin, ""}, {"operator", w.Operator, ""}, {"the dealer's own", w.DealerStaff, ""},
		{"viewer", w.Viewer, fault.Forbidden}, {"inactive admin", inactive, fault.Forbidden},
		{"nobody", staff.Staff{}, fault.Forbidden}, {"another dealer's", elsewhere, fault.NotFound},
		{"a dealer's without dealer", nowhere, fault.NotFound},
	}
}

// want is the fault of a decision, first by who decides and then by where the withdrawal is.
func want(m member, s situation, action string) fault.Code {
	switch {
	case m.fault != "":
		return m.fault
	case leadsTo[s][action] == "":
		return s.refusedWith(action)
	default:
		return ""
	}
}

func TestEveryDecisionInEverySituationByEveryRole(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var committed core.Changeset
	for _, s := range []situation{waiting, own, ownLapsed, others, lapsed, released, completed, rejected, failedAtBank, canceled} {
		for action, decide := range decisions(w) {
			for _, m := range members(w) {
				w.UnitOfWork.Commits = w.Store
				before := reach(t, w, s, m.staff)
				committed = core.Changeset{}
				w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
					committed = c
					return nil
				}}
				_, err := decide(t.Context(), apptest.By(m.staff, before, "why"))
				after := w.Reload(t, before)
				if got := fault.CodeOf(err); got != want(m, s, action) {
					t.Errorf("%s, %s by %s: %v, want %q", s, action, m.name, err, want(m, s, action))
				} else if err != nil && (after != before || len(core.RowsOf[payment.Payment](committed))+len(core.RowsOf[core.AuditEntry](committed)) != 0) {
					t.Errorf("%s, %s by %s: refused, yet changed to %+v", s, action, m.name, after)
				} else if err == nil {
					wantDone(t, m, action, leadsTo[s][action], before, after, committed)
				}
			}
		}
	}
}

// wantDone holds a decision that was made to what it has to leave behind.
func wantDone(t *testing.T, m member, action string, to payment.Status, before, after payment.Payment, c core.Changeset) {
	t.Helper()
	if after.Status != to || after.Reason != "why" || !after.Amount.Equal(amount) {
		t.Errorf("%s from %s leads to %s, %s, reason %q", action, before.Status, after.Status, after.Amount, after.Reason)
	}
	by := m.staff.Actor("192.0.2.7")
	from := before.Status
	for _, move := range core.RowsOf[payment.Transition](c) {
		if move.Actor != by || move.Reason != "why" || move.From != from {
			t.Errorf("%s from %s: move %+v", action, before.Status, move)
		}
		from = move.To
	}
	if from != after.Status {
		t.Errorf("%s: the history ends at %s", action, from)
	}
	if len(core.RowsOf[payment.Callback](c)) != 1 || core.RowsOf[payment.Callback](c)[0].Payload.Status != after.Status || core.RowsOf[payment.Callback](c)[0].Payload.IBAN != before.IBAN {
		t.Errorf("%s: callbacks %+v", action, core.RowsOf[payment.Callback](c))
	}
	wantAudit(t, c, action, by, before, after)
}

func wantAudit(t *testing.T, c core.Changeset, action string, by core.Actor, before, after payment.Payment) {
	t.Helper()
	if len(core.RowsOf[core.AuditEntry](c)) != 1 {
		t.Fatalf("%s: audit %+v", action, core.RowsOf[core.AuditEntry](c))
	}
	a := core.RowsOf[core.AuditEntry](c)[0]
	if a.Action != action || a.Actor != by || a.Reason != "why" || a.Target != "payment/"+before.TrackingCode ||
		a.Before != before.AuditState() || a.After != after.AuditState() || !a.At.Equal(after.UpdatedAt) {
		t.Errorf("%s: audit %+v", action, a)
	}
}

func TestFiftyDecisionsAtOnceEndTheWithdrawalOnce(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var mu sync.Mutex
	audits := 0
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		mu.Lock()
		defer mu.Unlock()
		audits += len(core.RowsOf[core.AuditEntry](c))
		return nil
	}}
	p := reach(t, w, own, w.Operator)
	kinds := []func(context.Context, app.StaffMove) (payment.Payment, error){
		unnamed(w), w.Withdrawals.Reject, w.Withdrawals.Fail,
	}
	won := make(chan payment.Status, 50)
	var staff sync.WaitGroup
	for i := range 50 {
		staff.Go(func() {
			got, err := kinds[i%len(kinds)](t.Context(), apptest.By(w.Operator, p, ""))
			if err == nil {
				won <- got.Status
			} else if !fault.Is(err, fault.AlreadyFinal) {
				t.Errorf("a loser is told %v", err)
			}
		})
	}
	staff.Wait()
	close(won)
	if len(won) != 1 || audits != 1 {
		t.Fatalf("%d decided, %d audit rows", len(won), audits)
	}
	status := <-won
	callbacks, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil || len(callbacks) != 1 || callbacks[0].Payload.Status != status || w.Reload(t, p).Status != status {
		t.Errorf("decided %s, stored %s, callbacks %+v, %v", status, w.Reload(t, p).Status, callbacks, err)
	}
	moves, err := w.Store.MovesOf(t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	finals := slices.DeleteFunc(moves, func(m payment.Transition) bool { return !m.To.IsFinal() })
	if err != nil || len(finals) != 1 {
		t.Errorf("final moves %+v, %v", finals, err)
	}
}

func TestDecisionsForDepositsDoNotApply(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartDeposit(t, payment.ManualDeposit, amount)
	for action, decide := range decisions(w) {
		if _, err := decide(t.Context(), apptest.By(w.Admin, p, "")); !fault.Is(err, fault.WrongMethod) {
			t.Errorf("%s of a deposit: %v", action, err)
		}
	}
	if got := w.Reload(t, p); got != p {
		t.Errorf("changed to %+v", got)
	}
}

func TestUnknownWithdrawalIsNotFound(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for action, decide := range decisions(w) {
		if _, err := decide(t.Context(), apptest.By(w.Admin, payment.Payment{TrackingCode: "WIT-NOBODY"}, "")); !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", action, err)
		}
	}
}

func TestWithdrawalKeepsItsIBANAndFlagsASuspectOne(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for iban, isSuspect := range map[string]bool{"TR330006100519786457841326": false, "TR340006100519786457841326": true} {
		p := w.Start(t, payment.Request{Method: payment.ManualWithdrawal, Amount: amount, IBAN: iban})
		if p.IBAN != iban || p.IsIBANSuspect != isSuspect {
			t.Errorf("%s: %+v", iban, p)
		}
	}
}

func TestAuditAndDecisionAreOneCommit(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := reach(t, w, own, w.Admin)
	w.Waker.Drain()
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if len(core.RowsOf[core.AuditEntry](c)) != 1 || len(core.RowsOf[payment.Payment](c)) != 1 || len(core.RowsOf[payment.Callback](c)) != 1 {
			t.Errorf("committed apart: %+v", c)
		}
		return fault.New("test", fault.Unavailable)
	}}
	_, err := w.Withdrawals.Complete(t.Context(), apptest.By(w.Admin, p, ""), "")
	if !fault.Is(err, fault.Unavailable) || w.Reload(t, p) != p {
		t.Errorf("%v, stored %+v", err, w.Reload(t, p))
	}
	if wakeUps := w.Waker.Drain(); len(wakeUps) != 0 {
		t.Errorf("wake-ups %v for nothing", wakeUps)
	}
}
