package main_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// TestNewsOutlivesAGatewayThatDoesNotAnswer: a gateway tells of a payout that it has come back, and does not answer the
// question about it. The news is kept, also by a process that ends, and asked about again when the gateway is there.
func TestNewsOutlivesAGatewayThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		p := s.payout(t, "bank", "500", "00")
		s.expectCallback(t, p, bank.TestIBAN("00"), "completed")
		before := s.quiet(t, p)
		if err := s.till.Down(time.Hour); err != nil {
			t.Fatal(err)
		}
		s.till.fire(t, s.operator.reference(t, p, "payout"), bank.Returned)
		eventually(t, func() error {
			if now := s.operator.watched(t, p); now.Checks == before.Checks || now.CuedAt == "" {
				return fmt.Errorf("of the news there is %+v", now)
			}
			return nil
		})
		if found := s.operator.at(t, p); len(found.Discrepancies) > 0 {
			t.Errorf("nobody has answered, and there is %+v", found.Discrepancies)
		}
		s.server.stop(t)
		s.till.advance(t, 2*time.Hour)
		in.bringForward([]payment{p})
		server := in.serve(simulated...)
		in.signIn(server, "operator").discrepancy(t, p, "returned")
		server.stop(t)
		if n := len(s.to.of(p.TrackingCode)); n != 1 {
			t.Errorf("there are %d callbacks", n)
		}
	})
}

// watch is what becomes of the news of an operation.
type watch struct {
	Checks         int
	NextAt, CuedAt string
}

func (s staff) watched(t *testing.T, p payment) watch {
	t.Helper()
	var data struct{ Transaction struct{ Operations []watch } }
	err := s.ask(`query($code: String!) { transaction(trackingCode: $code) { operations { checks nextAt cuedAt } } }`, map[string]any{"code": p.TrackingCode}, &data)
	if err != nil || len(data.Transaction.Operations) != 1 {
		t.Fatalf("the operations of %s are %+v (%v)", p.TrackingCode, data, err)
	}
	return data.Transaction.Operations[0]
}

// quiet waits until the gateway has told of all that has happened to a payment, and nothing of it is left to ask.
func (s *shop) quiet(t *testing.T, p payment) (found watch) {
	t.Helper()
	eventually(t, s.till.hasTold)
	eventually(t, func() error {
		isWaiting := slices.ContainsFunc(s.operator.notifications(t), func(n told) bool { return n.State == "waiting" })
		if found = s.operator.watched(t, p); isWaiting || found.NextAt != "" || found.CuedAt != "" {
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
	forEach(t, func(t *testing.T, in *installation) {
		s := in.openShop()
		p := s.paidCard(t, "100.00", "50")
		if err := s.till.Throttle(1000); err != nil { // takes nothing for the moment
			t.Fatal(err)
		}
		s.admin.must(t, "refundTransaction", p.TrackingCode, "amount", "40.00")
		cancel := func() error {
			return s.admin.ask(`mutation($id: ID!) { cancelRefund(operationId: $id, reason: "nakit ödendi") { transaction { status } } }`,
				map[string]any{"id": s.admin.refundID(t, p)}, &struct{}{})
		}
		eventually(t, cancel) // while the gateway is asked, it may have left
		if err := cancel(); codeOf(err) != "ALREADY_FINAL" {
			t.Errorf("calling it off once more gives %v", err)
		}
		s.server.stop(t)
		if err := s.till.Throttle(0); err != nil {
			t.Fatal(err)
		}
		in.bringForward([]payment{p})
		server := in.serve(simulated...)
		admin := in.signIn(server, "admin")
		admin.must(t, "refundTransaction", p.TrackingCode) // all of it: nothing was given back
		admin.until(t, p, func(g gatewayTransaction) bool { return g.RefundedAmount == "100.00" && g.Status == "refunded" })
		server.stop(t)
		if made := s.till.State().Refunds; len(made) != 1 || made[0].Amount.Value.String() != "100" {
			t.Errorf("at the gateway there is %+v", made)
		}
	})
}

// refundID is the id of a transaction's only refund.
func (s staff) refundID(t *testing.T, p payment) (id string) {
	t.Helper()
	var data struct {
		Transaction struct{ Operations []struct{ ID, Kind string } }
	}
	err := s.ask(`query($code: String!) { transaction(trackingCode: $code) { operations { id kind } } }`, map[string]any{"code": p.TrackingCode}, &data)
	for _, o := range data.Transaction.Operations {
		if o.Kind == "refund" {
			id = o.ID
		}
	}
	if err != nil || id == "" {
		t.Fatalf("%s has no refund: %+v (%v)", p.TrackingCode, data, err)
	}
	return id
}
