package gateways_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestNewsOutlivesAGatewayThatDoesNotAnswer: a gateway tells of a payout that it has come back, and does not answer the
// question about it. The news is kept, also by a process that ends, and asked about again when the gateway is there.
func TestNewsOutlivesAGatewayThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		p := payout(t, s, "bank", "500", "00")
		expectCallback(t, s, p, bank.TestIBAN("00"), "completed")
		before := quiet(t, s, p)
		if err := s.Till.Down(time.Hour); err != nil {
			t.Fatal(err)
		}
		s.Till.FireEvent(t, s.Operator.Reference(t, p, "PAYOUT"), bank.Returned)
		harness.Eventually(t, func() error {
			if now := watched(t, s.Operator, p); now.Checks == before.Checks || now.CuedAt == "" {
				return fmt.Errorf("of the news there is %+v", now)
			}
			return nil
		})
		if found := s.Operator.At(t, p); len(found.Discrepancies) > 0 {
			t.Errorf("nobody has answered, and there is %+v", found.Discrepancies)
		}
		s.Server.Stop(t)
		s.Till.AdvanceClock(t, 2*time.Hour)
		in.BringForward([]harness.Payment{p})
		server := in.Serve(harness.Simulated...)
		in.SignIn(server, "operator").Discrepancy(t, p, "RETURNED")
		server.Stop(t)
		if n := len(s.To.Of(p.TrackingCode)); n != 1 {
			t.Errorf("there are %d callbacks", n)
		}
	})
}

// watch is what becomes of the news of an operation.
type watch struct {
	Checks         int
	NextAt, CuedAt string
}

func watched(t *testing.T, s harness.Staff, p harness.Payment) watch {
	t.Helper()
	var data struct{ Transaction struct{ Operations []watch } }
	err := s.Ask(`query($code: String!) { transaction(trackingCode: $code) { operations { checks nextAt cuedAt } } }`, map[string]any{"code": p.TrackingCode}, &data)
	if err != nil || len(data.Transaction.Operations) != 1 {
		t.Fatalf("the operations of %s are %+v (%v)", p.TrackingCode, data, err)
	}
	return data.Transaction.Operations[0]
}

// quiet waits until the gateway has told of all that has happened to a payment, and nothing of it is left to ask.
func quiet(t *testing.T, s *harness.Shop, p harness.Payment) (found watch) {
	t.Helper()
	harness.Eventually(t, s.Till.HasTold)
	harness.Eventually(t, func() error {
		isWaiting := slices.ContainsFunc(notifications(t, s.Operator), func(n told) bool { return n.Status == "WAITING" })
		if found = watched(t, s.Operator, p); isWaiting || found.NextAt != "" || found.CuedAt != "" {
			return errors.New("there is news of " + p.TrackingCode)
		}
		return nil
	})
	return found
}

// TestRefundsThatHaveNotLeft: one that the gateway does not take for the moment is called off by staff, and does not leave when
// the gateway takes refunds again.
func TestRefundsThatHaveNotLeft(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		s := in.OpenShop()
		p := paidCard(t, s, "100.00", "50")
		if err := s.Till.Throttle(1000); err != nil { // takes nothing for the moment
			t.Fatal(err)
		}
		s.Admin.Must(t, "refundTransaction", p.TrackingCode, "amount", "40.00")
		cancel := func() error {
			return s.Admin.Ask(`mutation($id: ID!) { cancelRefund(input: {operationId: $id, reason: "nakit ödendi"}) { transaction { status } } }`,
				map[string]any{"id": refundID(t, s.Admin, p)}, &struct{}{})
		}
		harness.Eventually(t, cancel) // while the gateway is asked, it may have left
		if err := cancel(); harness.CodeOf(err) != "ALREADY_FINAL" {
			t.Errorf("calling it off once more gives %v", err)
		}
		s.Server.Stop(t)
		if err := s.Till.Throttle(0); err != nil {
			t.Fatal(err)
		}
		in.BringForward([]harness.Payment{p})
		server := in.Serve(harness.Simulated...)
		admin := in.SignIn(server, "admin")
		admin.Must(t, "refundTransaction", p.TrackingCode) // all of it: nothing was given back
		admin.Until(t, p, func(g harness.GatewayTransaction) bool { return g.RefundedAmount == "100.00" && g.Status == "REFUNDED" })
		server.Stop(t)
		if made := s.Till.State().Refunds; len(made) != 1 || made[0].Amount.Value.String() != "100" {
			t.Errorf("at the gateway there is %+v", made)
		}
	})
}

// refundID is the id of a transaction's only refund.
func refundID(t *testing.T, s harness.Staff, p harness.Payment) (id string) {
	t.Helper()
	var data struct {
		Transaction struct{ Operations []struct{ ID, Kind string } }
	}
	err := s.Ask(`query($code: String!) { transaction(trackingCode: $code) { operations { id kind } } }`, map[string]any{"code": p.TrackingCode}, &data)
	for _, o := range data.Transaction.Operations {
		if o.Kind == "REFUND" {
			id = o.ID
		}
	}
	if err != nil || id == "" {
		t.Fatalf("%s has no refund: %+v (%v)", p.TrackingCode, data, err)
	}
	return id
}
