package main_test

import (
	"errors"
	"fmt"
	"testing"
)

// gatewayTransaction is what tests read of a transaction that a gateway moves.
type gatewayTransaction struct {
	transaction
	OrderID        string
	RefundedAmount string
	Reason         string
	AwaitsApproval bool
	Failure        *struct{ Code, Message string }
	Operations     []gatewayOperation
	Discrepancies  []discrepancy
}

type gatewayOperation struct {
	Kind      string
	Number    int
	Reference string
	Phase     string
	State     string
	Checks    int
	Gateway   struct{ ID string }
}

type discrepancy struct {
	ID           string
	TrackingCode string
	Kind         string
	State        string
	Detail       string
	Seen         *struct{ Amount, Asset string }
}

const (
	discrepancyFields        = `{ id trackingCode kind state detail seen { amount asset } }`
	gatewayTransactionFields = `{ trackingCode status amount requestedAmount orderId refundedAmount reason awaitsApproval
		history { command from to amount } failure { code message }
		callbacks { id sequence state supersededAt attemptCount attempts { number url httpStatus error answer } }
		operations { kind number reference phase state checks gateway { id } }
		discrepancies ` + discrepancyFields + ` }`
)

// at reads a transaction that a gateway moves.
func (s staff) at(t testing.TB, p payment) gatewayTransaction {
	t.Helper()
	var data struct{ Transaction gatewayTransaction }
	err := s.ask(`query($code: String!) { transaction(trackingCode: $code) `+gatewayTransactionFields+` }`,
		map[string]any{"code": p.TrackingCode}, &data)
	if err != nil {
		t.Fatalf("transaction %s: %v", p.TrackingCode, err)
	}
	return data.Transaction
}

// reference is the name under which the gateway knows a payment's last operation of a kind.
func (s staff) reference(t testing.TB, p payment, kind string) string {
	t.Helper()
	found := ""
	for _, o := range s.at(t, p).Operations {
		if o.Kind == kind {
			found = o.Reference
		}
	}
	if found == "" {
		t.Fatalf("%s has no %s at a gateway", p.TrackingCode, kind)
	}
	return found
}

// updateGateway changes settings of a gateway account.
func (s staff) updateGateway(t testing.TB, id int64, settings map[string]any) {
	t.Helper()
	var data struct {
		UpdateGatewayAccount struct{ GatewayAccount struct{ ID string } }
	}
	err := s.ask(`mutation($id: ID!, $input: UpdateGatewayAccountInput!) { updateGatewayAccount(id: $id, input: $input) { gatewayAccount { id } } }`,
		map[string]any{"id": fmt.Sprint(id), "input": settings}, &data)
	if err != nil || data.UpdateGatewayAccount.GatewayAccount.ID != fmt.Sprint(id) {
		t.Fatalf("updateGatewayAccount gives %q (%v)", data.UpdateGatewayAccount.GatewayAccount.ID, err)
	}
}

// discrepancy waits until a transaction has an open discrepancy of a kind.
func (s staff) discrepancy(t testing.TB, p payment, kind string) (found discrepancy) {
	t.Helper()
	eventually(t, func() error {
		all := s.at(t, p).Discrepancies
		for _, d := range all {
			if d.Kind == kind && d.State == "open" {
				found = d
				return nil
			}
		}
		return fmt.Errorf("%s has no open discrepancy %s but %+v", p.TrackingCode, kind, all)
	})
	return found
}

// resolve settles a discrepancy.
func (s staff) resolve(t testing.TB, d discrepancy, resolution, reason string) {
	t.Helper()
	var data struct {
		ResolveDiscrepancy struct{ Discrepancy discrepancy }
	}
	err := s.ask(`mutation($id: ID!, $resolution: Resolution!, $reason: String) {
		resolveDiscrepancy(id: $id, resolution: $resolution, reason: $reason) { discrepancy `+discrepancyFields+` } }`,
		map[string]any{"id": d.ID, "resolution": resolution, "reason": reason}, &data)
	want := map[string]string{"accept": "accepted", "write_off": "written_off"}[resolution]
	if err != nil || data.ResolveDiscrepancy.Discrepancy.State != want {
		t.Fatalf("%s of %s gives %+v (%v)", resolution, d.Kind, data.ResolveDiscrepancy, err)
	}
}

// open lists all open discrepancies.
func (s staff) open(t testing.TB) []discrepancy {
	t.Helper()
	var data struct {
		Discrepancies struct{ Nodes []discrepancy }
	}
	err := s.ask(`{ discrepancies(filter: { state: [open] }, first: 200) { nodes `+discrepancyFields+` } }`, nil, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.Discrepancies.Nodes
}

// until waits until a transaction is as it should be.
func (s staff) until(t testing.TB, p payment, isSo func(gatewayTransaction) bool) (found gatewayTransaction) {
	t.Helper()
	eventually(t, func() error {
		if found = s.at(t, p); !isSo(found) {
			return fmt.Errorf("%s is %+v", p.TrackingCode, found)
		}
		return nil
	})
	return found
}

var errNoCallback = errors.New("no callback has arrived")

// callbacks waits until a number of callbacks has arrived for a payment, and gives them.
func (r *receiver) callbacks(t testing.TB, p payment, count int) (found []letter) {
	t.Helper()
	eventually(t, func() error {
		if found = r.of(p.TrackingCode); len(found) < count {
			return fmt.Errorf("%w for %s: %d of %d", errNoCallback, p.TrackingCode, len(found), count)
		}
		return nil
	})
	if len(found) > count {
		t.Errorf("%s has %d callbacks, want %d: %+v", p.TrackingCode, len(found), count, found)
	}
	return found
}

// callback waits for the callback of a payment, which must be the only one.
func (r *receiver) callback(t testing.TB, p payment) letter {
	t.Helper()
	return r.callbacks(t, p, 1)[0]
}
