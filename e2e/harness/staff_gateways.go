package harness

import (
	"errors"
	"fmt"
	"maps"
	"testing"
)

// RefundOf refunds the money that a discrepancy is about.
func (s Staff) RefundOf(d Discrepancy) error {
	return s.Ask(`mutation($id: ID!) { refundDiscrepancy(input: {id: $id, reason: "iade"}) { discrepancy { id } } }`, map[string]any{"id": d.ID}, &struct{}{})
}

// GatewayTransaction is what tests read of a transaction that a gateway moves.
type GatewayTransaction struct {
	Transaction
	OrderID        string
	RefundedAmount string
	Reason         string
	AwaitsApproval bool
	Failure        *struct{ Code, Message string }
	Operations     []GatewayOperation
	Discrepancies  Nodes[Discrepancy]
}

// GatewayOperation is what tests read of what was done at a gateway.
type GatewayOperation struct {
	Kind      string
	Number    int
	Reference string
	Phase     string
	Status    string
	Checks    int
	Gateway   struct{ ID string }
}

// Discrepancy is what tests read of one.
type Discrepancy struct {
	ID           string
	TrackingCode string
	Kind         string
	Status       string
	Detail       string
	Seen         *struct{ Amount, Asset string }
}

// The fields that are asked for of what tests read.
const (
	DiscrepancyFields        = `{ id trackingCode kind status detail seen { amount asset } }`
	gatewayTransactionFields = `{ trackingCode status amount requestedAmount orderId refundedAmount reason awaitsApproval
		history { nodes { command from to amount } } failure { code message }
		callbacks { id sequence status supersededAt attemptCount attempts { number url httpStatus error answer } }
		operations { kind number reference phase status checks gateway { id } }
		discrepancies { nodes ` + DiscrepancyFields + ` } }`
)

// At reads a transaction that a gateway moves.
func (s Staff) At(t testing.TB, p Payment) GatewayTransaction {
	t.Helper()
	var data struct{ Transaction GatewayTransaction }
	err := s.Ask(`query($code: String!) { transaction(trackingCode: $code) `+gatewayTransactionFields+` }`,
		map[string]any{"code": p.TrackingCode}, &data)
	if err != nil {
		t.Fatalf("transaction %s: %v", p.TrackingCode, err)
	}
	return data.Transaction
}

// Reference is the name under which the gateway knows a payment's last operation of a kind.
func (s Staff) Reference(t testing.TB, p Payment, kind string) string {
	t.Helper()
	found := ""
	for _, o := range s.At(t, p).Operations {
		if o.Kind == kind {
			found = o.Reference
		}
	}
	if found == "" {
		t.Fatalf("%s has no %s at a gateway", p.TrackingCode, kind)
	}
	return found
}

// UpdateGateway changes settings of a gateway account.
func (s Staff) UpdateGateway(t testing.TB, id int64, settings map[string]any) {
	t.Helper()
	var data struct {
		UpdateGatewayAccount struct{ GatewayAccount struct{ ID string } }
	}
	err := s.Ask(`mutation($input: UpdateGatewayAccountInput!) { updateGatewayAccount(input: $input) { gatewayAccount { id } } }`,
		map[string]any{"input": withID(settings, id)}, &data)
	if err != nil || data.UpdateGatewayAccount.GatewayAccount.ID != fmt.Sprint(id) {
		t.Fatalf("updateGatewayAccount gives %q (%v)", data.UpdateGatewayAccount.GatewayAccount.ID, err)
	}
}

// Discrepancy waits until a transaction has an open discrepancy of a kind.
func (s Staff) Discrepancy(t testing.TB, p Payment, kind string) (found Discrepancy) {
	t.Helper()
	Eventually(t, func() error {
		all := s.At(t, p).Discrepancies
		for _, d := range all {
			if d.Kind == kind && d.Status == "OPEN" {
				found = d
				return nil
			}
		}
		return fmt.Errorf("%s has no open discrepancy %s but %+v", p.TrackingCode, kind, all)
	})
	return found
}

// Resolve settles a discrepancy.
func (s Staff) Resolve(t testing.TB, d Discrepancy, resolution, reason string) {
	t.Helper()
	var data struct {
		ResolveDiscrepancy struct{ Discrepancy Discrepancy }
	}
	err := s.Ask(`mutation($id: ID!, $resolution: Resolution!, $reason: String) {
		resolveDiscrepancy(input: {id: $id, resolution: $resolution, reason: $reason}) { discrepancy `+DiscrepancyFields+` } }`,
		map[string]any{"id": d.ID, "resolution": resolution, "reason": reason}, &data)
	want := map[string]string{"ACCEPT": "ACCEPTED", "WRITE_OFF": "WRITTEN_OFF"}[resolution]
	if err != nil || data.ResolveDiscrepancy.Discrepancy.Status != want {
		t.Fatalf("%s of %s gives %+v (%v)", resolution, d.Kind, data.ResolveDiscrepancy, err)
	}
}

// open lists all open discrepancies.
func (s Staff) open(t testing.TB) []Discrepancy {
	t.Helper()
	var data struct {
		Discrepancies struct{ Nodes []Discrepancy }
	}
	err := s.Ask(`{ discrepancies(filter: { status: [OPEN] }, first: 200) { nodes `+DiscrepancyFields+` } }`, nil, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.Discrepancies.Nodes
}

// Until waits until a transaction is as it should be.
func (s Staff) Until(t testing.TB, p Payment, isSo func(GatewayTransaction) bool) (found GatewayTransaction) {
	t.Helper()
	Eventually(t, func() error {
		if found = s.At(t, p); !isSo(found) {
			return fmt.Errorf("%s is %+v", p.TrackingCode, found)
		}
		return nil
	})
	return found
}

var errNoCallback = errors.New("no callback has arrived")

// Callbacks waits until a number of callbacks has arrived for a payment, and gives them.
func (r *Receiver) Callbacks(t testing.TB, p Payment, count int) (found []Letter) {
	t.Helper()
	Eventually(t, func() error {
		if found = r.Of(p.TrackingCode); len(found) < count {
			return fmt.Errorf("%w for %s: %d of %d", errNoCallback, p.TrackingCode, len(found), count)
		}
		return nil
	})
	if len(found) > count {
		t.Errorf("%s has %d callbacks, want %d: %+v", p.TrackingCode, len(found), count, found)
	}
	return found
}

// Callback waits for the callback of a payment, which must be the only one.
func (r *Receiver) Callback(t testing.TB, p Payment) Letter {
	t.Helper()
	return r.Callbacks(t, p, 1)[0]
}

// withID is an input about the row with an id.
func withID(settings map[string]any, id int64) map[string]any {
	input := map[string]any{"id": fmt.Sprint(id)}
	maps.Copy(input, settings)
	return input
}
