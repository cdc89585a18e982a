package graph_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/gateway"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// begin hands a payment's customer to the gateway that it is routed to.
func (a *api) begin(t *testing.T, p payment.Payment) coreoperation.Operation {
	t.Helper()
	return a.beginWith(t, operation.Begin{Token: p.Token})
}

func (a *api) beginWith(t *testing.T, b operation.Begin) coreoperation.Operation {
	t.Helper()
	_, o, err := a.Operations.Begin(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// work lets time pass until the gateway is asked about everything.
func (a *api) work(t *testing.T) {
	t.Helper()
	a.Clock.Advance(30 * time.Second)
	a.Work(t)
}

// happen has something happen to the order of a reference at the gateway.
func (a *api) happen(t *testing.T, ref gateway.Ref, event string) {
	t.Helper()
	a.Sandbox.Happen(ref, event)
	a.work(t)
}

// paidCard is a card payment of 250.00 that was paid.
func paidCard(a *api, t *testing.T) subject {
	t.Helper()
	p := a.start(t, payment.CreditCard)
	o := a.begin(t, p)
	a.happen(t, o.Reference, bank.Paid)
	return subject{Payment: a.Reload(t, p)}
}

// overpaidCard is a card payment of 250.00 of which the gateway has 300.00: it waits for staff.
func overpaidCard(a *api, t *testing.T) subject {
	t.Helper()
	return a.overpaid(t, payment.CreditCard)
}

// heldCard is a card payment whose money its gateway holds.
func heldCard(a *api, t *testing.T) subject {
	t.Helper()
	p := a.start(t, payment.CreditCard)
	a.happen(t, a.begin(t, p).Reference, bank.Review)
	return subject{Payment: a.Reload(t, p)}
}

func (a *api) overpaid(t *testing.T, m payment.Method) subject {
	t.Helper()
	return a.overpay(t, a.start(t, m))
}

// overpay pays 300.00 for a payment at its gateway.
func (a *api) overpay(t *testing.T, p payment.Payment) subject {
	t.Helper()
	o := a.begin(t, p)
	a.Sandbox.PayAmount(o.Reference, gateway.Lira(lira(30000)))
	a.work(t)
	return subject{Payment: a.Reload(t, p), discrepancy: a.discrepancyOf(t, p).ID}
}

func (a *api) discrepancyOf(t *testing.T, p payment.Payment) discrepancy.Discrepancy {
	t.Helper()
	list, err := a.Store.DiscrepanciesOf(t.Context(), p.Key())
	if err != nil || len(list) != 1 {
		t.Fatalf("the payment has the discrepancies %+v (%v)", list, err)
	}
	return list[0]
}

func (a *api) operationsOf(t *testing.T, p payment.Payment) []coreoperation.Operation {
	t.Helper()
	list, err := a.Store.OperationsOf(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// waitingPayout is a payout of 1500.00, which waits for approval.
func waitingPayout(a *api, t *testing.T) subject {
	t.Helper()
	return subject{Payment: a.StartWithdrawal(t, payment.BankWithdrawal, lira(150000))}
}

// triedPayout is a payout that was sent once, without any effect, and has not left.
func triedPayout(a *api, t *testing.T) subject {
	t.Helper()
	a.Sandbox.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.OutOfFunds }
	p := a.StartWithdrawal(t, payment.BankWithdrawal, lira(25000))
	a.Work(t)
	a.Sandbox.Fault = nil
	return subject{Payment: a.Reload(t, p)}
}

// plannedRefund is a payment with a refund that has not left; its id stands in the discrepancy's place.
func plannedRefund(a *api, t *testing.T) subject {
	t.Helper()
	p := paidCard(a, t).Payment
	a.Clock.Advance(time.Second) // operations of one moment have no order
	now := a.Clock.Now()
	ids, err := core.NewIDs(now, a.UnitOfWork.Random)
	if err != nil {
		t.Fatal(err)
	}
	known := coreoperation.CaseOf(p, a.operationsOf(t, p), nil, nil, p.Gateway.OperationID)
	change, err := coreoperation.DecideRefund(known, coreoperation.RefundPlan{}, payment.Decision{By: core.System, At: now, IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Store.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	return subject{Payment: a.Reload(t, p), discrepancy: core.RowsOf[coreoperation.Operation](change)[0].ID}
}

// payoutWithCode is a payout that has left, and for which the gateway wants a second factor.
func payoutWithCode(a *api, t *testing.T) subject {
	t.Helper()
	p := a.StartWithdrawal(t, payment.BankWithdrawal, lira(25000))
	a.Work(t)
	a.happen(t, a.operationsOf(t, p)[0].Reference, bank.NeedsApproval)
	return subject{Payment: a.Reload(t, p)}
}

// disputedCard is a card payment that is disputed, at a gateway that takes acceptances; the dispute's id stands in the discrepancy's place.
func disputedCard(a *api, t *testing.T) subject {
	t.Helper()
	p := paidCard(a, t).Payment
	a.Sandbox.As = a.Sandbox.Disputing()
	ids, err := core.NewIDs(a.Clock.Now(), a.UnitOfWork.Random)
	if err != nil {
		t.Fatal(err)
	}
	d := dispute.Named(p.Gateway.GatewayID, "dp_of_"+p.TrackingCode, ids.Next(), a.Clock.Now())
	d.PaymentID, d.TrackingCode, d.OperationID, d.DealerID, d.ProviderID = p.ID, p.TrackingCode, p.Gateway.OperationID, p.DealerID, p.ProviderID
	d.State, d.Reason, d.NextAt = gateway.DisputeNeedsResponse, gateway.DisputeFraud, time.Time{}
	d.Amount, d.EvidenceDue = gateway.Lira(p.Amount), a.Clock.Now().Add(24*time.Hour)
	if err := a.Store.Commit(t.Context(), core.Changeset{d}); err != nil {
		t.Fatal(err)
	}
	return subject{Payment: p, discrepancy: d.ID}
}

// paidByLetter is a card payment at a gateway that tells no disputes.
func paidByLetter(a *api, t *testing.T) subject {
	t.Helper()
	a.Sandbox.As = a.Sandbox
	return paidCard(a, t)
}
