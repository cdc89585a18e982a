package payment_test

import (
	"slices"
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

// callbackOf returns a payment's only callback, or a zero one.
func callbackOf(t *testing.T, w *apptest.World, p payment.Payment) payment.Callback {
	t.Helper()
	callbacks, err := w.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil || len(callbacks) > 1 {
		t.Fatalf("%d callbacks, %v", len(callbacks), err)
	}
	if len(callbacks) == 0 {
		return payment.Callback{}
	}
	return callbacks[0]
}

func TestPaidAndCanceledMayBePressedTwice(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	offer(t, w, p, lira(250))
	w.Clock.Advance(time.Minute)
	for range 2 {
		got, err := w.Deposits.ClaimPaid(t.Context(), p)
		if err != nil || got.Status != payment.Processing || got.Version != 3 {
			t.Errorf("paid: %s version %d, %v", got.Status, got.Version, err)
		}
	}
	w.Clock.Advance(time.Minute)
	for range 2 {
		got, err := w.Deposits.Cancel(t.Context(), p)
		if err != nil || got.Status != payment.Canceled || got.Version != 4 {
			t.Errorf("canceled: %s version %d, %v", got.Status, got.Version, err)
		}
	}
	if moves := movesOf(t, w, p); !slices.Equal(moves, []payment.Command{payment.Offer, payment.ClaimPaid, payment.Cancel}) {
		t.Errorf("history: %v", moves)
	}
	if cb := callbackOf(t, w, p); cb.Payload.Status != payment.Canceled {
		t.Errorf("callback: %+v", cb)
	}
	wantLoad(t, w, lira(0), 0)
}

func TestHistorySaysThatItWasTheCustomer(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	offer(t, w, p, lira(250))
	if _, err := w.Deposits.ClaimPaid(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	moves, err := w.Store.MovesOf(t.Context(), []core.ID{p.ID}, core.Paging[payment.TransitionID]{Limit: core.MaxPage})
	if err != nil || len(moves) != 2 {
		t.Fatalf("%v %v", moves, err)
	}
	for _, m := range moves {
		if want := (core.Actor{Kind: core.ByCustomer}); m.Actor != want {
			t.Errorf("%s by %+v, want %+v", m.Command, m.Actor, want)
		}
	}
}

func TestNothingIsPaidBeforeAnAccountIsShown(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	_, err := w.Deposits.ClaimPaid(t.Context(), p)
	wantCode(t, err, fault.NotAllowed)
}

func TestStaleActionsAfterTheEndChangeNothingAndSaySo(t *testing.T) {
	t.Parallel()
	ends := map[payment.Status]func(t *testing.T, w *apptest.World, p payment.Payment) error{
		payment.Completed: func(t *testing.T, w *apptest.World, p payment.Payment) error {
			_, err := w.Approve(t.Context(), apptest.By(w.Operator, p, ""), money.Amount{})
			return err
		},
		payment.Canceled: func(t *testing.T, w *apptest.World, p payment.Payment) error {
			_, err := w.Deposits.Reject(t.Context(), apptest.By(w.Operator, p, "no money came"))
			return err
		},
		payment.Expired: func(t *testing.T, w *apptest.World, p payment.Payment) error {
			w.Clock.Set(p.ExpiresAt)
			w.Work(t)
			return nil
		},
	}
	for end, reach := range ends {
		t.Run(string(end), func(t *testing.T) {
			t.Parallel()
			w, p := oneAccount(t)
			offer(t, w, p, lira(250))
			if err := reach(t, w, p); err != nil {
				t.Fatal(err)
			}
			before := w.Reload(t, p)
			if before.Status != end {
				t.Fatalf("ended as %s", before.Status)
			}
			for name, act := range map[string]func() (payment.Payment, error){
				"continue": func() (payment.Payment, error) { return w.Deposits.Continue(t.Context(), p, lira(300)) },
				"paid":     func() (payment.Payment, error) { return w.Deposits.ClaimPaid(t.Context(), p) },
				"cancel":   func() (payment.Payment, error) { return w.Deposits.Cancel(t.Context(), p) },
				"approve": func() (payment.Payment, error) {
					return w.Approve(t.Context(), apptest.By(w.Operator, p, ""), lira(300))
				},
				"reject": func() (payment.Payment, error) {
					return w.Deposits.Reject(t.Context(), apptest.By(w.Operator, p, "late"))
				},
			} {
				_, err := act()
				if isRepeated := name == "cancel" && end == payment.Canceled; isRepeated != (err == nil) {
					t.Errorf("%s: %v", name, err)
				} else if err != nil {
					wantCode(t, err, fault.AlreadyFinal)
				}
			}
			if after := w.Reload(t, p); after != before {
				t.Errorf("changed from %+v to %+v", before, after)
			}
			if cb := callbackOf(t, w, p); cb.Payload.Status != end {
				t.Errorf("callback: %+v", cb)
			}
		})
	}
}

func TestApprovalSettlesTheDayWithWhatReallyCame(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		seen, final money.Amount
	}{
		"as said": {money.Amount{}, lira(300)}, "more": {lira(9_900), lira(9_900)}, "less": {lira(1), lira(1)},
		"beyond the daily limit": {lira(12_000), lira(12_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, p := oneAccount(t)
			offer(t, w, p, lira(300))
			if _, err := w.Deposits.ClaimPaid(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			move := apptest.By(w.Operator, p, "seen")
			move.Session = move.Session.Prove(w.Clock.Now(), false) // as a large amount wants it
			done, err := w.Approve(t.Context(), move, tt.seen)
			if err != nil || done.Status != payment.Completed || !done.Amount.Equal(tt.final) || !done.RequestedAmount.Equal(lira(250)) {
				t.Fatalf("%s of %s, %v", done.Status, done.Amount, err)
			}
			wantLoad(t, w, tt.final, 1)
			if cb := callbackOf(t, w, p); !cb.Payload.Amount.Equal(tt.final) || cb.Payload.Status != payment.Completed {
				t.Errorf("callback: %+v", cb.Payload)
			}
			other := w.StartDeposit(t, payment.ManualDeposit, lira(250))
			_, err = w.Deposits.Continue(t.Context(), other, lira(250))
			if isFull := 10_000-250 < tt.final.Minor()/100; isFull != fault.Is(err, fault.NoAccount) {
				t.Errorf("the next offer of that day: %v", err)
			}
		})
	}
}

func TestApprovalMayComeBeforeAnyOffer(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	done, err := w.Approve(t.Context(), apptest.By(w.Operator, p, ""), money.Amount{})
	if err != nil || done.Status != payment.Completed || !done.Amount.Equal(lira(250)) {
		t.Fatalf("%+v %v", done, err)
	}
	if moves := movesOf(t, w, p); !slices.Equal(moves, []payment.Command{payment.Approve, payment.Approve}) {
		t.Errorf("history: %v, want a step through processing", moves)
	}
	wantLoad(t, w, lira(0), 0)
}

func TestDepositThatIsSaidToBePaidDoesNotExpire(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	offer(t, w, p, lira(250))
	w.Clock.Set(p.ExpiresAt.Add(time.Second)) // late, and before the sweeper came
	if _, err := w.Deposits.ClaimPaid(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(48 * time.Hour)
	w.Work(t)
	if got := w.Reload(t, p); got.Status != payment.Processing || !got.IsOverdue(w.Clock.Now()) {
		t.Errorf("two days later: %s, overdue %v", got.Status, got.IsOverdue(w.Clock.Now()))
	}
	wantLoadOn(t, w, "2026-03-02", lira(250), 1)
}

func TestStaffDecideWithinTheirRoleAndScope(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	elsewhere := w.DealerStaff
	elsewhere.DealerID = w.OtherDealer.ID
	inactive := w.Operator
	inactive.IsActive = false
	type decide func(staff.Staff, payment.Payment) error
	decisions := map[string]decide{
		"approveDeposit": func(s staff.Staff, p payment.Payment) error {
			_, err := w.Approve(t.Context(), apptest.By(s, p, "why"), money.Amount{})
			return err
		},
		"rejectDeposit": func(s staff.Staff, p payment.Payment) error {
			_, err := w.Deposits.Reject(t.Context(), apptest.By(s, p, "why"))
			return err
		},
	}
	var audit []core.AuditEntry
	w.UnitOfWork.Commits = &apptest.Commits{Committer: w.Store, After: func(c core.Changeset) error {
		audit = append(audit, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	for action, decide := range decisions {
		for name, tt := range map[string]struct {
			staff staff.Staff
			want  fault.Code
		}{
			"admin": {w.Admin, ""}, "operator": {w.Operator, ""}, "the dealer's": {w.DealerStaff, ""},
			"viewer": {w.Viewer, fault.Forbidden}, "inactive": {inactive, fault.Forbidden}, "nobody": {staff.Staff{}, fault.Forbidden},
			"another dealer's": {elsewhere, fault.NotFound},
		} {
			p := w.StartDeposit(t, payment.ManualDeposit, lira(250))
			audit = nil
			err := decide(tt.staff, p)
			if got := fault.CodeOf(err); got != tt.want {
				t.Errorf("%s by %s: %v, want %q", action, name, err, tt.want)
			}
			isDone := w.Reload(t, p).Status.IsFinal()
			if isDone != (tt.want == "") || isDone != (len(audit) == 1) {
				t.Errorf("%s by %s: done %v, audited %+v", action, name, isDone, audit)
			}
			if isDone && (audit[0].Action != action || audit[0].Reason != "why" || audit[0].Actor != tt.staff.Actor("192.0.2.7") ||
				audit[0].Target != "payment/"+p.TrackingCode || audit[0].Before == audit[0].After) {
				t.Errorf("%s by %s: audit %+v", action, name, audit[0])
			}
		}
	}
}

func TestDecisionsForWithdrawalsDoNotApply(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	p := w.StartWithdrawal(t, payment.EIBANWithdrawal, lira(100))
	_, err := w.Approve(t.Context(), apptest.By(w.Admin, p, ""), money.Amount{})
	wantCode(t, err, fault.WrongMethod)
	_, err = w.Deposits.Reject(t.Context(), apptest.By(w.Admin, p, ""))
	wantCode(t, err, fault.WrongMethod)
	_, err = w.Deposits.Reject(t.Context(), app.StaffMove{Request: app.Request{Staff: w.Admin}, TrackingCode: "MAN-NOBODY"})
	wantCode(t, err, fault.NotFound)
}

func TestReasonsAreTrimmedAndBounded(t *testing.T) {
	t.Parallel()
	w, p := oneAccount(t)
	for _, reason := range []string{string(make([]byte, 501)), "bell \x07", "\xff", string(slices.Repeat([]rune{'ş'}, 501))} {
		_, err := w.Deposits.Reject(t.Context(), apptest.By(w.Admin, p, reason))
		wantCode(t, err, fault.Invalid)
	}
	done, err := w.Deposits.Reject(t.Context(), apptest.By(w.Admin, p, "  no\r\nmoney\tcame "))
	if err != nil || done.Reason != "no money came" {
		t.Errorf("kept %q, %v", done.Reason, err)
	}
}
