package dispute_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

func lira(minor int64) money.Amount { return money.New(minor, money.TRY) }

// TestADisputeIsConcededByTwoPeople, and its gateway told once it answers, even if the first answer is lost.
func TestADisputeIsConcededByTwoPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.Sandbox.Dispute(w.ref, 0, bank.NeedsResponse)
	w.tells(id, gateway.Signed)
	d := w.is(0, gateway.DisputeNeedsResponse)
	finance := apptest.By(w.Finance, w.paid, "theirs").Request
	if _, err := w.Disputes.Accept(t.Context(), finance, d.ID); approval.Needs(err) == nil {
		t.Fatalf("one person concedes it: %v", err)
	}
	for _, who := range []app.Request{apptest.By(w.DealerStaff, w.paid, "theirs").Request, apptest.By(w.Viewer, w.paid, "theirs").Request} {
		if _, err := w.Disputes.Accept(t.Context(), who, d.ID); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s concedes it: %v", who.Staff.Email, err)
		}
	}
	if _, err := w.Disputes.Accept(t.Context(), app.BySystem, d.ID); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	lost := true
	w.Sandbox.Fault = func(c gateway.Capability, _ gateway.Ref) apptest.Fault {
		if c == gateway.CanAcceptDispute && lost {
			lost = false
			return apptest.Lost
		}
		return apptest.NoFault
	}
	agreed := app.BySystem.Because("theirs") // whom no guard holds up, as one that a second person has approved
	if _, err := w.Disputes.Accept(t.Context(), agreed, d.ID); err != nil {
		t.Fatal(err)
	}
	w.Work(t)
	w.later(5 * time.Minute)
	w.is(0, gateway.DisputeLost)
	if _, err := w.Disputes.Accept(t.Context(), agreed, d.ID); !fault.Is(err, fault.AlreadyFinal) {
		t.Errorf("conceded twice: %v", err)
	}
}

// TestADisputeByLetter is kept at a gateway that tells none; what moves the credit takes two people, and totals never fall.
func TestADisputeByLetter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	told := dispute.Told{State: gateway.DisputeNeedsResponse, Reason: gateway.DisputeFraud, Amount: lira(10_000), Withdrawn: lira(10_000), Reinstated: lira(0)}
	record := func(by app.Request, reference string, told dispute.Told) error {
		_, err := w.Disputes.Record(t.Context(), app.StaffMove{Request: by, TrackingCode: w.paid.TrackingCode}, reference, told)
		return err
	}
	agreed := app.BySystem.Because("a letter")
	if err := record(agreed, "L-1", told); !fault.Is(err, fault.NotAllowed) {
		t.Errorf("the gateway tells its disputes itself: %v", err)
	}
	w.Sandbox.As = w.Sandbox
	if err := record(apptest.By(w.Finance, w.paid, "a letter").Request, "L-1", told); approval.Needs(err) == nil {
		t.Fatalf("one person takes money: %v", err)
	}
	if err := record(agreed, "L-1", told); err != nil {
		t.Fatal(err)
	}
	w.is(15_000, gateway.DisputeNeedsResponse)
	less, more := told, told
	less.Withdrawn = lira(9_999)
	more.Reinstated = lira(10_001)
	for name, wrong := range map[string]dispute.Told{"less than before": less, "more than was withdrawn": more} {
		if err := record(agreed, "L-1", wrong); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	told.State, told.Reinstated = gateway.DisputeWon, lira(10_000)
	if err := record(agreed, "L-1", told); err != nil {
		t.Fatal(err)
	}
	if d := w.is(25_000, gateway.DisputeWon); !d.NextAt.IsZero() {
		t.Errorf("a gateway that tells none is asked at %s", d.NextAt)
	}
}
