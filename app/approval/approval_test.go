package approval_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/core"
	coreapproval "github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

type world struct {
	*apptest.World
	t *testing.T
}

// newWorld has withdrawals above 100.00 wait for a second person.
func newWorld(t *testing.T) world {
	t.Helper()
	w := world{World: apptest.New(t), t: t}
	_, err := w.Approvals.SetRule(t.Context(), app.BySystem, coreapproval.Rule{
		Action: core.GuardWithdrawal, IsOn: true, Above: money.New(100_00, money.TRY), LapseAfter: time.Hour,
	})
	w.no(err)
	return w
}

func (w world) no(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w world) fails(err error, want fault.Code) {
	w.t.Helper()
	if !fault.Is(err, want) {
		w.t.Fatalf("got %v, want %s", err, want)
	}
}

func by(s staff.Staff) app.Request { return app.Request{Staff: s, Addr: "192.0.2.7"} }

// asked is a withdrawal that a staff member wants to pay, and the request, which holds it.
func (w world) asked(s staff.Staff) (payment.Payment, coreapproval.Approval) {
	w.t.Helper()
	p := w.StartWithdrawal(w.t, payment.ManualWithdrawal, money.New(100_01, money.TRY))
	_, err := w.Withdrawals.Claim(w.t.Context(), apptest.By(s, p, ""), false)
	return p, w.keep(s, "claimWithdrawal", p, err)
}

// keep keeps a request for what failed with ApprovalNeeded.
func (w world) keep(s staff.Staff, action string, p payment.Payment, err error) coreapproval.Approval {
	w.t.Helper()
	a, err := w.ask(s, action, p, err)
	w.no(err)
	return a
}

func (w world) ask(s staff.Staff, action string, p payment.Payment, err error) (coreapproval.Approval, error) {
	w.t.Helper()
	needs := approval.Needs(err)
	if needs == nil {
		w.t.Fatalf("it needs nobody: %v", err)
	}
	return w.Approvals.Ask(w.t.Context(), approval.Asked{
		Request: by(s), Action: action, Permission: staff.DecideWithdrawal, Input: p.TrackingCode,
	}, needs)
}

// run runs a request: what its input names is claimed, or completed.
func (w world) run(ctx context.Context, requester app.Request, a coreapproval.Approval) (string, error) {
	move := app.StaffMove{Request: requester, TrackingCode: a.Input.Reveal()}
	if a.Action == "completeWithdrawal" {
		_, err := w.Withdrawals.Complete(ctx, move, "")
		return "", err
	}
	_, err := w.Withdrawals.Claim(ctx, move, false)
	return "", err
}

func (w world) approve(s staff.Staff, a coreapproval.Approval) error {
	_, err := w.Approvals.Approve(w.t.Context(), by(s), a.ID, "", w.run)
	return err
}

func (w world) state(a coreapproval.Approval) coreapproval.Status {
	w.t.Helper()
	now, err := w.Store.Approval(w.t.Context(), a.ID)
	w.no(err)
	return now.Status
}

func (w world) wantStill(p payment.Payment, a coreapproval.Approval) {
	w.t.Helper()
	now, err := w.Store.Approval(w.t.Context(), a.ID)
	w.no(err)
	if kept := w.Reload(w.t, p); kept.Claim.Hold.ApprovalID != a.ID || now.Status != coreapproval.Waiting {
		w.t.Errorf("it is %s with %+v, and the request is %s", kept.Status, kept.Claim, now.Status)
	}
}

func TestARequestRunsOnceHoweverManyApprove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, a := w.asked(w.Operator)
	won := apptest.AtOnce(t, 32, func(i int) error {
		return w.approve([]staff.Staff{w.Admin, w.DealerStaff}[i%2], a)
	}, fault.ApprovalDecided)
	moves, err := w.Store.MovesOf(t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	moves = slices.DeleteFunc(moves, func(m payment.Transition) bool { return m.From == m.To })
	if err != nil || len(moves) != 1 {
		t.Errorf("who lost did it all the same: %+v (%v)", moves, err)
	}
	claimed := payment.Claim{StaffID: w.Operator.ID, Name: w.Operator.Email, Until: w.Clock.Now().Add(w.Withdrawals.ClaimFor)}
	if done := w.Reload(t, p); won != 1 || done.Claim != claimed || done.Cleared != done.Amount || w.state(a) != coreapproval.Approved {
		t.Errorf("%d won; it is %s with %+v, the request %s", won, done.Status, done.Claim, w.state(a))
	}
}

func TestWhatFailsWhenItIsApprovedStillWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, a := w.asked(w.Operator)
	_, err := w.Approvals.Approve(t.Context(), by(w.Admin), a.ID, "", func(context.Context, app.Request, coreapproval.Approval) (string, error) {
		return "", fault.New("test", fault.Unavailable)
	})
	w.fails(err, fault.Unavailable)
	w.wantStill(p, a)
	_, err = w.Approvals.Refuse(t.Context(), by(w.Admin), a.ID, "released")
	w.no(err)
	w.fails(w.approve(w.DealerStaff, a), fault.ApprovalDecided)
}

// TestWhoAskedMustStillBeAllowedTo: a request is worth no more than whoever made it.
func TestWhoAskedMustStillBeAllowedTo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, a := w.asked(w.Operator)
	gone := w.Operator
	gone.Version, gone.IsActive = 2, false
	w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{gone}))
	w.fails(w.approve(w.Admin, a), fault.ApprovalStale)
	gone.Version, gone.IsActive, gone.Role = 3, true, staff.Viewer
	w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{gone}))
	w.fails(w.approve(w.Admin, a), fault.ApprovalStale)
	w.wantStill(p, a)
}

// TestOnlyWhatWasApprovedRuns: a request cannot carry anything else through the gate.
func TestOnlyWhatWasApprovedRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, a := w.asked(w.Operator)
	other, _ := w.asked(w.Operator)
	_, err := w.Approvals.Approve(t.Context(), by(w.Admin), a.ID, "", func(ctx context.Context, r app.Request, _ coreapproval.Approval) (string, error) {
		return w.run(ctx, r, coreapproval.Approval{Input: core.NewSecret(other.TrackingCode)})
	})
	w.fails(err, fault.ApprovalStale)
	w.wantStill(p, a)
	_, err = w.Approvals.Approve(t.Context(), by(w.Admin), a.ID, "", func(ctx context.Context, r app.Request, a coreapproval.Approval) (string, error) {
		if _, err := w.run(ctx, r, a); err != nil {
			return "", err
		}
		return w.run(ctx, r, coreapproval.Approval{Input: core.NewSecret(other.TrackingCode)}) // once more with one approval
	})
	w.fails(err, fault.ApprovalNeeded)
	if !w.Reload(t, other).Claim.IsAwaiting() {
		t.Error("one approval let two withdrawals through")
	}
}

func TestWhoMayDecideAndSeeWhat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, a := w.asked(w.Operator)
	stranger := w.DealerStaff
	stranger.ID, stranger.DealerID = 99, w.OtherDealer.ID
	w.fails(w.approve(stranger, a), fault.NotFound)
	w.fails(w.approve(w.Viewer, a), fault.Forbidden)
	w.fails(w.approve(w.Operator, a), fault.OwnRequest)
	_, err := w.Approvals.Approval(t.Context(), stranger, a.ID)
	w.fails(err, fault.NotFound)
	list, err := w.Approvals.Approvals(t.Context(), stranger, coreapproval.Query{Paging: core.Paging[core.ID]{Limit: 9}})
	if err != nil || len(list) != 0 {
		t.Errorf("another dealer's staff see %+v (%v)", list, err)
	}
	list, err = w.Approvals.Approvals(t.Context(), w.DealerStaff, coreapproval.Query{Paging: core.Paging[core.ID]{Limit: 9}})
	if err != nil || len(list) != 1 || list[0].ID != a.ID {
		t.Errorf("the dealer's staff see %+v (%v)", list, err)
	}
	_, err = w.Approvals.Withdraw(t.Context(), by(w.Admin), a.ID)
	w.fails(err, fault.NotFound)
	w.wantStill(p, a)
	taken, err := w.Approvals.Withdraw(t.Context(), by(w.Operator), a.ID)
	if err != nil || taken.Status != coreapproval.Withdrawn {
		t.Errorf("taken back, it is %s (%v)", taken.Status, err)
	}
}

func TestRequestsLapse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, a := w.asked(w.Operator)
	w.Clock.Advance(time.Hour)
	w.fails(w.approve(w.Admin, a), fault.ApprovalDecided)
	w.wantStill(p, a)
	w.no(w.Sweep.Sweep(t.Context()))
	if free := w.Reload(t, p); w.state(a) != coreapproval.Lapsed || free.Claim != (payment.Claim{}) {
		t.Errorf("it is %s, and the withdrawal has %+v", w.state(a), free.Claim)
	}
}

// TestRequestThatCannotLapseHoldsUpNoOther: of more requests than are read at once, the one that is due first cannot be ended.
func TestRequestThatCannotLapseHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var all []coreapproval.Approval
	for range core.MaxPage + 2 {
		ids, err := core.NewIDs(w.Clock.Now(), w.UnitOfWork.Random)
		w.no(err)
		all = append(all, coreapproval.Approval{
			ID: ids.Next(), Version: 1, Status: coreapproval.Waiting, RequesterID: w.Operator.ID, CreatedAt: w.Clock.Now(),
			ExpiresAt: w.Clock.Now(),
		})
	}
	w.no(w.Store.Commit(t.Context(), core.Rows(all)))
	first, err := w.Store.DueApprovals(t.Context(), w.Clock.Now(), core.DueCursor{}, 1)
	w.no(err)
	stuck := first.Rows[0].ID
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, Before: func(c core.Changeset) error {
		if core.Has[coreapproval.Approval](c) && core.RowsOf[coreapproval.Approval](c)[0].ID == stuck {
			return fault.New("test", fault.Internal)
		}
		return nil
	}}
	if err := w.Approvals.LapseDue(t.Context()); !fault.Is(err, fault.Internal) || !strings.Contains(err.Error(), string(stuck)) {
		t.Errorf("the fault is %v, and names no request that could not lapse", err)
	}
	for _, a := range all {
		now, err := w.Store.Approval(t.Context(), a.ID)
		w.no(err)
		if isStuck := a.ID == stuck; isStuck != (now.Status == coreapproval.Waiting) {
			t.Errorf("a request is %s, and the one that cannot lapse is another: %t", now.Status, !isStuck)
		}
	}
}

// TestEveryStepIsAudited: who asked, and who approved, each with what changed.
func TestEveryStepIsAudited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var rows []core.AuditEntry
	recorded := &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		rows = append(rows, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	w.UnitOfWork.Commits = recorded
	_, a := w.asked(w.Operator)
	rows = nil
	w.no(w.approve(w.Admin, a))
	if len(rows) != 3 {
		t.Fatalf("audited: %+v", rows)
	}
	if outcome := rows[2]; outcome.Target != a.Subject() || outcome.Actor.Name != w.Admin.Email ||
		!strings.Contains(outcome.After, `"requestedBy":"`+w.Operator.Email+`","decidedBy":"`+w.Admin.Email) {
		t.Errorf("the payment is told %+v", outcome)
	}
	done, approved := rows[0], rows[1]
	if done.Action != "claimWithdrawal" || done.Actor.Name != w.Operator.Email || done.Before == done.After {
		t.Errorf("what was done: %+v", done)
	}
	if approved.Action != "approveRequest" || approved.Actor.Name != w.Admin.Email || approved.Target != a.Ref() ||
		approved.Before != `{"state":"waiting"}` || approved.After != `{"state":"approved"}` {
		t.Errorf("who approved: %+v", approved)
	}
}
