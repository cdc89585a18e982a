package approval_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

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

func lira(minor int64) money.Amount { return money.New(minor, money.TRY) }

func (w world) rule(action core.GuardedAction, isOn bool, above, perDay int64) {
	w.t.Helper()
	_, err := w.Approvals.SetRule(w.t.Context(), app.BySystem, coreapproval.Rule{
		Action: action, IsOn: isOn, Above: lira(above), PerDay: lira(perDay), LapseAfter: time.Hour,
	})
	w.no(err)
}

func (w world) claim(s staff.Staff, p payment.Payment, takeOver bool) error {
	_, err := w.Withdrawals.Claim(w.t.Context(), apptest.By(s, p, "looked"), takeOver)
	return err
}

// TestNobodyElseGetsAWithdrawalThatWaits: neither by claiming nor by taking it over, however long the request waits, and they
// are told whose request it is. Whoever asked cannot complete it either.
func TestNobodyElseGetsAWithdrawalThatWaits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, a := w.asked(w.Operator)
	for range 3 {
		w.Clock.Advance(w.Withdrawals.ClaimFor)
		for _, takeOver := range []bool{false, true} {
			err := w.claim(w.DealerStaff, p, takeOver)
			w.fails(err, fault.AwaitsApproval)
			if args := fault.ArgsOf(err); len(args) != 1 || args[0] != w.Operator.Email {
				t.Errorf("the other is told %v", args)
			}
		}
	}
	_, err := w.Withdrawals.Complete(t.Context(), apptest.By(w.Operator, p, ""), "")
	w.fails(err, fault.AwaitsApproval)
	free, err := w.Withdrawals.Queue(t.Context(), w.Operator, payment.DeskQuery{IsFree: new(true), Paging: core.Paging[core.ID]{Limit: 9}})
	loads, err2 := w.Withdrawals.Loads(t.Context(), w.Operator)
	if errors.Join(err, err2) != nil || len(free) != 0 || len(loads) != 1 || loads[0].AwaitingApprovalCount != 1 || loads[0].ClaimedCount != 1 {
		t.Errorf("free are %+v, the desk has %+v", free, loads)
	}
	again := w.claim(w.Operator, p, true) // in other words, yet the same
	if same := w.keep(w.Operator, "claimWithdrawal", p, again); same.ID != a.ID {
		t.Errorf("asking again made %s beside %s", same.ID, a.ID)
	}
	w.wantStill(p, a)
}

// TestApprovedItIsPaidByWhoAsked: the claim begins when it is approved, and completing it needs nobody any more.
func TestApprovedItIsPaidByWhoAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, a := w.asked(w.Operator)
	w.Clock.Advance(w.Withdrawals.ClaimFor * 3)
	w.no(w.approve(w.Admin, a))
	if got := w.Reload(t, p).Claim; !got.Until.Equal(w.Clock.Now().Add(w.Withdrawals.ClaimFor)) || got.IsAwaiting() {
		t.Errorf("approved, it has %+v", got)
	}
	w.fails(w.claim(w.DealerStaff, p, true), fault.Claimed)
	w.Clock.Advance(w.Withdrawals.ClaimFor)
	_, err := w.Withdrawals.Complete(t.Context(), apptest.By(w.Operator, p, ""), "")
	if done := w.Reload(t, p); err != nil || done.Status != payment.Completed {
		t.Errorf("completed, it is %s (%v)", done.Status, err)
	}
}

// TestTheEndOfARequestGivesTheClaimBack: to whoever had it before, whose claim may have paid it.
func TestTheEndOfARequestGivesTheClaimBack(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w world, a coreapproval.Approval) error{
		"refused": func(w world, a coreapproval.Approval) error {
			_, err := w.Approvals.Refuse(w.t.Context(), by(w.Admin), a.ID, "no")
			return err
		},
		"withdrawn": func(w world, a coreapproval.Approval) error {
			_, err := w.Approvals.Withdraw(w.t.Context(), by(w.Operator), a.ID)
			return err
		},
		"lapsed": func(w world, _ coreapproval.Approval) error {
			w.Clock.Advance(time.Hour)
			return w.Sweep.Sweep(w.t.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p, a := w.asked(w.Operator)
			w.no(end(w, a))
			if free := w.Reload(t, p); free.Claim != (payment.Claim{}) || string(w.state(a)) != name {
				t.Errorf("it has %+v, and the request is %s", free.Claim, w.state(a))
			}
			had := w.StartWithdrawal(t, payment.ManualWithdrawal, lira(100_01))
			w.rule(core.GuardWithdrawal, false, 100_00, 0)
			w.no(w.claim(w.DealerStaff, had, false))
			before := w.Reload(t, had).Claim
			w.Clock.Advance(w.Withdrawals.ClaimFor)
			w.rule(core.GuardWithdrawal, true, 100_00, 0)
			w.no(end(w, w.keep(w.Operator, "claimWithdrawal", had, w.claim(w.Operator, had, true))))
			if back := w.Reload(t, had).Claim; back != before {
				t.Errorf("taken over in vain, it has %+v, want %+v", back, before)
			}
			w.fails(w.claim(w.Operator, had, false), fault.ClaimLapsed)
		})
	}
}

// TestARequestEndsWithItsSubject: within a round of the sweeper, and for whoever approves it before that.
func TestARequestEndsWithItsSubject(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var audited []core.AuditEntry
	recorded := &apptest.Commits{Committer: w.UnitOfWork.Commits, After: func(c core.Changeset) error {
		audited = append(audited, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	w.UnitOfWork.Commits = recorded
	reject := func(p payment.Payment) { // behind the gate, as a machine does
		d, err := w.UnitOfWork.Decision(t.Context(), p, app.BySystem)
		w.no(err)
		change, err := payment.Decide(w.Reload(t, p), payment.Reject, d)
		w.no(err)
		w.no(w.Store.Commit(t.Context(), change))
	}
	p, a := w.asked(w.Operator)
	reject(p)
	err := w.approve(w.Admin, a)
	w.fails(err, fault.ApprovalDecided)
	if args := fault.ArgsOf(err); len(args) != 1 || args[0] != "obsolete" {
		t.Errorf("whoever approves is told %v", args)
	}
	other, b := w.asked(w.Operator)
	reject(other)
	w.no(w.Sweep.Sweep(t.Context()))
	for _, request := range []coreapproval.Approval{a, b} {
		if w.state(request) != coreapproval.Obsolete {
			t.Errorf("it is %s", w.state(request))
		}
	}
	if last := audited[len(audited)-1]; last.Action != "endRequest" || last.Target != b.Ref() || last.After != `{"state":"obsolete"}` {
		t.Errorf("audited: %+v", last)
	}
}

// TestWhoGivesUpEndsTheirRequest: in the same commit.
func TestWhoGivesUpEndsTheirRequest(t *testing.T) {
	t.Parallel()
	for name, give := range map[string]func(world, payment.Payment) error{
		"released": func(w world, p payment.Payment) error {
			_, err := w.Withdrawals.Release(w.t.Context(), apptest.By(w.Operator, p, ""))
			return err
		},
		"rejected": func(w world, p payment.Payment) error {
			_, err := w.Withdrawals.Reject(w.t.Context(), apptest.By(w.Operator, p, ""))
			return err
		},
		"the rule is off": func(w world, p payment.Payment) error {
			w.rule(core.GuardWithdrawal, false, 0, 0)
			return w.claim(w.Operator, p, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p, a := w.asked(w.Operator)
			w.no(give(w, p))
			if got := w.Reload(t, p).Claim; got.IsAwaiting() || w.state(a) != coreapproval.Obsolete {
				t.Errorf("it has %+v, and the request is %s", got, w.state(a))
			}
			w.fails(w.approve(w.Admin, a), fault.ApprovalDecided)
		})
	}
}

// TestWhatWasClaimedBeforeTheRuleWaitsAtItsEnd: its money may have been sent, so that the claim stays with the request, and
// approving it late does what was asked for.
func TestWhatWasClaimedBeforeTheRuleWaitsAtItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rule(core.GuardWithdrawal, false, 0, 0)
	p := w.StartWithdrawal(t, payment.ManualWithdrawal, lira(100_01))
	w.no(w.claim(w.Operator, p, false))
	w.rule(core.GuardWithdrawal, true, 100_00, 0)
	_, err := w.Withdrawals.Complete(t.Context(), apptest.By(w.Operator, p, ""), "")
	a := w.keep(w.Operator, "completeWithdrawal", p, err)
	w.Clock.Advance(3 * w.Withdrawals.ClaimFor)
	w.fails(w.claim(w.DealerStaff, p, true), fault.AwaitsApproval)
	_, err = w.ask(w.Operator, "claimWithdrawal", p, w.claim(w.Operator, p, false)) // something else than what waits
	w.fails(err, fault.AwaitsApproval)
	w.no(w.approve(w.Admin, a))
	if done := w.Reload(t, p); done.Status != payment.Completed || done.Claim.IsAwaiting() {
		t.Errorf("approved, it is %s with %+v", done.Status, done.Claim)
	}
}

// TestNobodyIsAskedWhereThereIsNobody: what nobody could decide is refused at once, and nothing is kept or held.
func TestNobodyIsAskedWhereThereIsNobody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	leave := func(s staff.Staff) {
		s.Version, s.IsActive = 2, false
		w.no(w.UnitOfWork.Commit(t.Context(), core.Changeset{s}))
	}
	leave(w.Admin)
	other := w.Start(t, payment.Request{
		Method: payment.ManualWithdrawal, Amount: lira(100_01), Provider: w.OtherProvider, Site: w.OtherSite,
	})
	_, err := w.ask(w.Operator, "claimWithdrawal", other, w.claim(w.Operator, other, false)) // Finance may not, and DealerStaff is another dealer's
	w.fails(err, fault.NoSecondPerson)
	p, _ := w.asked(w.Operator) // DealerStaff could
	_, err = w.Withdrawals.Release(t.Context(), apptest.By(w.Operator, p, ""))
	w.no(err)
	leave(w.DealerStaff)
	leave(w.DealerManager)
	_, err = w.ask(w.Operator, "claimWithdrawal", p, w.claim(w.Operator, p, false))
	w.fails(err, fault.NoSecondPerson)
	waiting, err := w.Store.ListApprovals(t.Context(), coreapproval.Query{Statuses: coreapproval.Statuses()[:1], Paging: core.Paging[core.ID]{Limit: 9}})
	if err != nil || len(waiting) != 0 || w.Reload(t, p).Claim != (payment.Claim{}) {
		t.Errorf("there wait %+v (%v), it has %+v", waiting, err, w.Reload(t, p).Claim)
	}
}

// TestOneDayInManyWindows: however many small withdrawals somebody claims at the same moment, alone they get no more of them
// than the day allows; the next day begins anew, and somebody else has a day of their own.
func TestOneDayInManyWindows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.rule(core.GuardWithdrawal, true, 100_00, 250_00)
	claimAll := func(s staff.Staff) (alone int) {
		var windows sync.WaitGroup
		var mu sync.Mutex
		for range 24 {
			p := w.StartWithdrawal(t, payment.ManualWithdrawal, lira(50_00))
			windows.Go(func() {
				err := w.claim(s, p, false)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					alone++
				} else if !fault.Is(err, fault.ApprovalNeeded) {
					t.Errorf("claiming gives %v", err)
				}
			})
		}
		windows.Wait()
		return alone
	}
	for _, s := range []staff.Staff{w.Operator, w.DealerStaff} {
		if got := claimAll(s); got != 5 {
			t.Errorf("%s claimed %d times 50.00 alone", s.Email, got)
		}
	}
	w.Clock.Advance(24 * time.Hour)
	if got := claimAll(w.Operator); got != 5 {
		t.Errorf("the next day: %d", got)
	}
}

// TestNobodyPaysTwoFold lets people do anything in any order under a rule: whoever may send the money of a withdrawal above the
// bound was let to by a second person, and what holds it is the one request that waits.
func TestNobodyPaysTwoFold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t)
		p := w.StartWithdrawal(t, payment.ManualWithdrawal, lira(100_01))
		people := []staff.Staff{w.Admin, w.Operator, w.DealerStaff}
		approvers := map[int64]bool{}
		var requests []coreapproval.Approval
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			who := people[rapid.IntRange(0, 2).Draw(rt, "who")]
			move := apptest.By(who, p, "looked")
			var err error
			action := rapid.SampledFrom([]string{"claim", "take over", "release", "complete", "approve", "refuse", "withdraw", "wait"}).Draw(rt, "what")
			switch action {
			case "wait":
				w.Clock.Advance(time.Duration(rapid.IntRange(1, 70).Draw(rt, "minutes")) * time.Minute)
				err = w.Sweep.Sweep(context.Background())
			case "claim", "take over":
				_, err = w.Withdrawals.Claim(w.t.Context(), move, action == "take over")
				action = "claimWithdrawal"
			case "release":
				_, err = w.Withdrawals.Release(w.t.Context(), move)
			case "complete":
				_, err = w.Withdrawals.Complete(w.t.Context(), move, "")
				action = "completeWithdrawal"
			default:
				if len(requests) == 0 {
					continue
				}
				a := requests[rapid.IntRange(0, len(requests)-1).Draw(rt, "request")]
				switch action {
				case "approve":
					_, err = w.Approvals.Approve(w.t.Context(), by(who), a.ID, "", w.run)
					if err == nil {
						approvers[who.ID] = true
						if who.ID == a.RequesterID {
							rt.Fatalf("%s approved their own request", who.Email)
						}
					}
				case "refuse":
					_, err = w.Approvals.Refuse(w.t.Context(), by(who), a.ID, "")
				default:
					_, err = w.Approvals.Withdraw(w.t.Context(), by(who), a.ID)
				}
			}
			if approval.Needs(err) != nil {
				a, failed := w.ask(who, action, p, err)
				if failed == nil {
					requests = append(requests, a)
				}
			} else if fault.Is(err, fault.Conflict) || fault.Is(err, fault.Internal) {
				rt.Fatalf("%s: %v", action, err)
			}
			now := w.Reload(t, p)
			mayPay := now.Claim.StaffID != 0 && !now.Claim.IsAwaiting()
			if (mayPay || now.Status == payment.Completed) && (len(approvers) == 0 || now.Cleared != now.Amount) {
				rt.Fatalf("%s with %+v was let through by nobody", now.Status, now.Claim)
			}
			w.checkHeld(rt, now)
		}
	})
}

// checkHeld: what holds a withdrawal waits, and of the requests about it no other does.
func (w world) checkHeld(t *rapid.T, p payment.Payment) {
	waiting, err := w.Store.ListApprovals(w.t.Context(), coreapproval.Query{
		Statuses: coreapproval.Statuses()[:1], Subject: "payment/" + p.TrackingCode, Paging: core.Paging[core.ID]{Limit: 9},
	})
	isOne := len(waiting) == 1 && p.Claim.Hold.ApprovalID == waiting[0].ID && p.Claim.StaffID == waiting[0].RequesterID
	if err != nil || p.Claim.IsAwaiting() != isOne || !isOne && len(waiting) > 0 {
		t.Fatalf("it has %+v, and there wait %+v (%v)", p.Claim, waiting, err)
	}
}
