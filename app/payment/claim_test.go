package payment_test

import (
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

func wantWithdrawalCode(t *testing.T, what string, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
}

func TestAClaimTakesTheWithdrawalAndKeepsOthersAway(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartWithdrawal(t, payment.ManualWithdrawal, amount)
	claimed, err := w.Withdrawals.Claim(t.Context(), apptest.By(w.Operator, p, ""), false)
	want := payment.Claim{StaffID: w.Operator.ID, Name: w.Operator.Email, Until: w.Clock.Now().Add(w.Withdrawals.ClaimFor)}
	if err != nil || claimed.Claim != want || claimed.Status != payment.Processing || w.Reload(t, p) != claimed {
		t.Fatalf("claimed %+v as %s, %v", claimed.Claim, claimed.Status, err)
	}
	_, err = w.Withdrawals.Claim(t.Context(), apptest.By(w.Admin, p, "mine"), false)
	wantWithdrawalCode(t, "a claim of what is claimed", err, fault.Claimed)
	if args := fault.ArgsOf(err); len(args) != 1 || args[0] != w.Operator.Email {
		t.Errorf("the other is told %v", args)
	}
	_, err = w.Withdrawals.Claim(t.Context(), apptest.By(w.Admin, p, "mine"), true)
	wantWithdrawalCode(t, "a take-over of what is held", err, fault.Claimed)
	callbacks, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil || len(callbacks) != 0 {
		t.Errorf("a claim is told the provider: %+v, %v", callbacks, err)
	}
}

func TestClaimingAgainLengthensTheClaim(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartWithdrawal(t, payment.ManualWithdrawal, amount)
	for range 2 {
		for range 3 { // also after it has lapsed
			got, err := w.Withdrawals.Claim(t.Context(), apptest.By(w.Operator, p, ""), false)
			if until := w.Clock.Now().Add(w.Withdrawals.ClaimFor); err != nil || !got.Claim.Until.Equal(until) {
				t.Errorf("claimed until %s, want %s, %v", got.Claim.Until, until, err)
			}
			w.Clock.Advance(w.Withdrawals.ClaimFor - time.Second)
		}
		w.Clock.Advance(time.Minute)
	}
}

func TestOfFiftyClaimsByTwoPeopleOneHasTheWithdrawal(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartWithdrawal(t, payment.EIBANWithdrawal, amount)
	people := []staff.Staff{w.Operator, w.DealerStaff}
	var mu sync.Mutex
	won := map[int64]int{}
	var staff sync.WaitGroup
	for i := range 50 {
		staff.Go(func() {
			who := people[i%2]
			_, err := w.Withdrawals.Claim(t.Context(), apptest.By(who, p, ""), false)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won[who.ID]++
			} else if !fault.Is(err, fault.Claimed) {
				t.Errorf("a loser is told %v", err)
			}
		})
	}
	staff.Wait()
	if holder := w.Reload(t, p).Claim.StaffID; len(won) != 1 || won[holder] != 25 {
		t.Errorf("%d has it, won by %v", holder, won)
	}
	for _, who := range people {
		_, err := w.Withdrawals.Complete(t.Context(), apptest.By(who, p, ""), "")
		if want := won[who.ID] > 0; (err == nil) != want {
			t.Errorf("%s completes it: %v", who.Email, err)
		}
	}
}

func TestALapsedClaimIsTakenOverOnlyOnPurposeAndWithAReason(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartWithdrawal(t, payment.ManualWithdrawal, amount)
	take := func(who staff.Staff, takeOver bool, reason string) error {
		_, err := w.Withdrawals.Claim(t.Context(), apptest.By(who, p, reason), takeOver)
		return err
	}
	wantWithdrawalCode(t, "the first claim", take(w.Operator, false, ""), "")
	w.Clock.Advance(w.Withdrawals.ClaimFor - time.Microsecond)
	wantWithdrawalCode(t, "a nanosecond before it lapses", take(w.Admin, true, "looked"), fault.Claimed)
	w.Clock.Advance(time.Microsecond)
	wantWithdrawalCode(t, "without take-over", take(w.Admin, false, "looked"), fault.ClaimLapsed)
	wantWithdrawalCode(t, "without a reason", take(w.Admin, true, ""), fault.Invalid)
	wantWithdrawalCode(t, "with blanks", take(w.Admin, true, " \n "), fault.Invalid)
	if got := w.Reload(t, p).Claim.StaffID; got != w.Operator.ID {
		t.Errorf("what was refused gave it to %d", got)
	}
	wantWithdrawalCode(t, "on purpose", take(w.Admin, true, "not on the bank's list"), "")
	_, err := w.Withdrawals.Complete(t.Context(), apptest.By(w.Operator, p, ""), "")
	wantWithdrawalCode(t, "who lost it completes it", err, fault.NotClaimed)
	_, err = w.Withdrawals.Release(t.Context(), apptest.By(w.Operator, p, ""))
	wantWithdrawalCode(t, "who lost it gives it back", err, fault.NotClaimed)
	moves, err := w.Store.MovesOf(t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	if last := moves[len(moves)-1]; err != nil || last.Command != payment.Take || last.Reason != "not on the bank's list" {
		t.Errorf("the history ends with %+v, %v", last, err)
	}
}

func TestAReleasedWithdrawalIsAnybodysAgain(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartWithdrawal(t, payment.ManualWithdrawal, amount)
	_, err := w.Withdrawals.Release(t.Context(), apptest.By(w.Operator, p, ""))
	wantWithdrawalCode(t, "giving back what nobody has", err, fault.NotClaimed)
	if _, err := w.Withdrawals.Claim(t.Context(), apptest.By(w.Operator, p, ""), false); err != nil {
		t.Fatal(err)
	}
	_, err = w.Withdrawals.Release(t.Context(), apptest.By(w.Admin, p, ""))
	wantWithdrawalCode(t, "giving back somebody else's", err, fault.NotClaimed)
	got, err := w.Withdrawals.Release(t.Context(), apptest.By(w.Operator, p, "the bank is down"))
	if err != nil || got.Claim != (payment.Claim{}) || got.Status != payment.Processing || got.Reason != "the bank is down" {
		t.Errorf("given back as %+v, %v", got, err)
	}
	_, err = w.Withdrawals.Release(t.Context(), apptest.By(w.Operator, p, ""))
	wantWithdrawalCode(t, "giving back twice", err, fault.NotClaimed)
	_, err = w.Withdrawals.Claim(t.Context(), apptest.By(w.Admin, p, ""), false)
	wantWithdrawalCode(t, "a claim after that", err, "")
}

func TestWhoMayClaimAndWhat(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	done := reach(t, w, completed, w.Admin)
	deposit := w.StartDeposit(t, payment.ManualDeposit, amount)
	for _, m := range members(w) {
		p := w.StartWithdrawal(t, payment.EIBANWithdrawal, amount)
		_, err := w.Withdrawals.Claim(t.Context(), apptest.By(m.staff, p, ""), false)
		wantWithdrawalCode(t, "a claim by "+m.name, err, m.fault)
		_, err = w.Withdrawals.Release(t.Context(), apptest.By(m.staff, p, ""))
		wantWithdrawalCode(t, "a release by "+m.name, err, m.fault)
		if after := w.Reload(t, p); m.fault != "" && after != p {
			t.Errorf("%s was refused and changed it to %+v", m.name, after)
		}
	}
	_, err := w.Withdrawals.Claim(t.Context(), apptest.By(w.Admin, done, ""), true)
	wantWithdrawalCode(t, "a claim of what has ended", err, fault.AlreadyFinal)
	_, err = w.Withdrawals.Claim(t.Context(), apptest.By(w.Admin, deposit, ""), false)
	wantWithdrawalCode(t, "a claim of a deposit", err, fault.WrongMethod)
	_, err = w.Withdrawals.Release(t.Context(), apptest.By(w.Admin, deposit, ""))
	wantWithdrawalCode(t, "a release of a deposit", err, fault.WrongMethod)
}

func TestAClaimIsAudited(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	var audit []string
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		for _, a := range core.RowsOf[core.AuditEntry](c) {
			audit = append(audit, a.Action+" "+a.Actor.Name+" "+a.Target+" "+a.Reason)
		}
		return nil
	}}
	p := w.StartWithdrawal(t, payment.ManualWithdrawal, amount)
	if _, err := w.Withdrawals.Claim(t.Context(), apptest.By(w.Operator, p, ""), false); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Withdrawals.Release(t.Context(), apptest.By(w.Operator, p, "why")); err != nil {
		t.Fatal(err)
	}
	target := w.Operator.Email + " payment/" + p.TrackingCode + " "
	if len(audit) != 2 || audit[0] != "claimWithdrawal "+target || audit[1] != "releaseWithdrawal "+target+"why" {
		t.Errorf("audited %q", audit)
	}
}

// TestAWithdrawalIsPaidByWhoHasIt lets three people do anything in any order: whoever says that the money was sent is
// who claimed last, and nobody got it from somebody else who could still have been paying.
func TestAWithdrawalIsPaidByWhoHasIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := apptest.New(t)
		p := w.StartWithdrawal(t, payment.ManualWithdrawal, amount)
		people := []staff.Staff{w.Admin, w.Operator, w.DealerStaff}
		holder, until, ended := int64(0), time.Time{}, false
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			who := people[rapid.IntRange(0, 2).Draw(t, "who")]
			now, isOthers := w.Clock.Now(), holder != 0 && holder != who.ID
			switch rapid.SampledFrom([]string{"claim", "take over", "release", "complete", "fail", "wait"}).Draw(t, "what") {
			case "wait":
				w.Clock.Advance(time.Duration(rapid.IntRange(1, 20).Draw(t, "minutes")) * time.Minute)
			case "claim":
				_, err := w.Withdrawals.Claim(t.Context(), apptest.By(who, p, ""), false)
				if want := !ended && !isOthers; (err == nil) != want {
					t.Fatalf("%d claims what %d has: %v", who.ID, holder, err)
				} else if want {
					holder, until = who.ID, now.Add(w.Withdrawals.ClaimFor)
				}
			case "take over":
				_, err := w.Withdrawals.Claim(t.Context(), apptest.By(who, p, "looked"), true)
				if want := !ended && (!isOthers || !now.Before(until)); (err == nil) != want {
					t.Fatalf("%d takes over from %d, who has it until %s: %v", who.ID, holder, until, err)
				} else if want {
					holder, until = who.ID, now.Add(w.Withdrawals.ClaimFor)
				}
			case "release":
				_, err := w.Withdrawals.Release(t.Context(), apptest.By(who, p, ""))
				if want := !ended && holder == who.ID; (err == nil) != want {
					t.Fatalf("%d gives back what %d has: %v", who.ID, holder, err)
				} else if want {
					holder = 0
				}
			case "complete", "fail":
				_, err := w.Withdrawals.Complete(t.Context(), apptest.By(who, p, ""), "")
				if want := !ended && holder == who.ID; (err == nil) != want {
					t.Fatalf("%d says what became of what %d has: %v", who.ID, holder, err)
				} else if want {
					ended = true
				}
			}
		}
	})
}
