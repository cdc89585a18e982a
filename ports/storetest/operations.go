package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
)

func operationSentences() []sentence {
	return []sentence{
		{"each next step comes back alone", everyStep},
		{"a step that was decided at once is not kept", decidedStep},
		{"of operations with one id at a gateway the newest is found", newestExternal},
		{"operations without names are as many as wanted", namelessOperations},
	}
}

// operationIs reads an operation in every way.
func (w *world) operationIs(want operation.Operation) {
	w.t.Helper()
	for _, key := range keysOf(want) {
		w.same(want, w.operationBy(key))
	}
	of := w.operationsOf(want.PaymentID)
	w.same([]operation.Operation{want}, slices.DeleteFunc(of, func(o operation.Operation) bool { return o.ID != want.ID }))
}

func everyStep(w *world) {
	p := w.payment()
	all := w.operation(p.ID).Next
	var written []operation.Operation
	for _, step := range []gateway.NextStep{
		{Redirect: all.Redirect}, {Form: all.Form}, {HTML: all.HTML}, {Pay: all.Pay}, {Wait: all.Wait},
		{Redirect: &gateway.Redirect{}}, {Form: &gateway.FormPost{}}, {HTML: &gateway.HostedHTML{}},
		{Pay: &gateway.Instructions{}}, {Wait: &gateway.Wait{}},
	} {
		o := w.operation(p.ID)
		o.Next = step
		written = append(written, o)
	}
	w.commit(core.Rows(written))
	w.same(written, w.operationsOf(p.ID))
}

func decidedStep(w *world) {
	o := w.operation(w.payment().ID)
	o.Next = gateway.NextStep{Done: &gateway.Observation{State: gateway.Paid}}
	w.commit(core.Changeset{o})
	o.Next = gateway.NextStep{}
	w.operationIs(o)
}

func newestExternal(w *world) {
	older, newer := w.operation(w.payment().ID), w.operation(w.payment().ID)
	elsewhere := w.operation(w.payment().ID)
	newer.GatewayID, newer.External.ID, elsewhere.External.ID = older.GatewayID, older.External.ID, older.External.ID
	w.commit(core.Changeset{newer})
	w.commit(core.Changeset{older, elsewhere})
	w.same(newer, w.operationBy(operation.Key{GatewayID: older.GatewayID, ExternalID: older.External.ID}))
}

func namelessOperations(w *world) {
	p := w.payment()
	one, other, third := w.bareOperation(p.ID), w.bareOperation(p.ID), w.bareOperation(p.ID)
	other.GatewayID, third.GatewayID = one.GatewayID, one.GatewayID
	w.commit(core.Changeset{one, other}, core.Changeset{third})
	w.same([]operation.Operation{one, other, third}, w.operationsOf(p.ID))
}

func (w *world) operationBy(key operation.Key) operation.Operation {
	w.t.Helper()
	o, err := w.store.OperationBy(w.ctx, key)
	w.no(err)
	return o
}

func (w *world) operationsOf(paymentID core.ID) []operation.Operation {
	w.t.Helper()
	found, err := w.store.OperationsOf(w.ctx, paymentID)
	w.no(err)
	return found
}

// claimOperations leases for a minute.
func (w *world) claimOperations(gatewayID int64, now time.Time, limit int) []operation.Operation {
	w.t.Helper()
	found, err := w.store.ClaimOperations(w.ctx, gatewayID, now, now.Add(time.Minute), limit)
	w.no(err)
	return found
}

func (w *world) dueGateways(now time.Time) []int64 {
	w.t.Helper()
	found, err := w.store.DueGateways(w.ctx, now)
	w.no(err)
	return found
}
