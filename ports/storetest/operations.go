package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

func operationSentences() []sentence {
	return []sentence{
		{"every field of an operation comes back", everyOperationField},
		{"an operation's empty fields come back empty", emptyOperationFields},
		{"saving an operation replaces every field", operationSavedWhole},
		{"every kind, phase and state of an operation comes back", everyOperationWord},
		{"each next step comes back alone", everyStep},
		{"a step that was decided at once is not kept", decidedStep},
		{"a payment's operations come oldest first", operationsInOrder},
		{"an operation is found by one name only, and by its own", operationNames},
		{"of operations with one id at a gateway the newest is found", newestExternal},
		{"operations without names are as many as wanted", namelessOperations},
		{"a payment is found by its ID", paymentByID},
		{"what a caller does to its copy does not reach the store", operationAliases},
	}
}

func everyOperationField(w *world) {
	o := w.operation(w.payment().ID)
	o.Next.Done = &gateway.Observation{
		External: external("x"), Ref: "R", State: gateway.Paid, Trust: gateway.Signed, Paid: &o.Paid, CanStillPay: true,
		Refunded: &o.Paid, Fee: &o.Paid, At: epoch, Reason: &o.Reason, Raw: "x", Confirms: 1,
		Payer: &gateway.Party{Name: "x", IBAN: "x", Wallet: "x", NationalID: "x"},
	}
	o = full(w, o)
	o.Next.Done = nil
	w.commit(core.Changeset{w.operation(o.PaymentID), o})
	w.operationIs(o)
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

// keysOf gives every way to name an operation.
func keysOf(o operation.Operation) []operation.OperationKey {
	return []operation.OperationKey{
		{ID: o.ID}, {Ref: string(o.Ref)}, {ReturnToken: o.ReturnToken}, {GatewayID: o.GatewayID, ExternalID: o.External.ID},
	}
}

func emptyOperationFields(w *world) {
	o := w.bareOperation(w.payment().ID)
	w.commit(core.Changeset{o})
	w.same(o, w.operationBy(operation.OperationKey{ID: o.ID}))
	w.same([]operation.Operation{o}, w.operationsOf(o.PaymentID))
}

func operationSavedWhole(w *world) {
	filled := w.operation(w.payment().ID)
	bare := w.bareOperation(filled.PaymentID)
	bare.ID, bare.Version = filled.ID, 2
	w.commit(core.Changeset{filled}, core.Changeset{bare})
	w.same([]operation.Operation{bare}, w.operationsOf(filled.PaymentID))
	for _, key := range keysOf(filled)[1:] {
		_, err := w.store.OperationBy(w.ctx, key)
		w.fails(fault.NotFound, err)
	}
	filled.Version = 3
	w.commit(core.Changeset{filled})
	w.operationIs(filled)
}

func everyOperationWord(w *world) {
	p := w.payment()
	var written []operation.Operation
	for i, state := range gateway.States() {
		o := w.operation(p.ID)
		o.Kind = []operation.OperationKind{operation.DepositOperation, operation.PayoutOperation, operation.RefundOperation}[i%3]
		o.Phase = []operation.Phase{operation.Planned, operation.Calling, operation.Open, operation.Late, operation.Closed}[i%5]
		o.State, o.Amount = string(state), gateway.Lira(lira(int64(i)*money.MaxMinor/20))
		written = append(written, o)
	}
	w.commit(core.Rows(written))
	w.same(written, w.operationsOf(p.ID))
}

func everyStep(w *world) {
	p, all := w.payment(), steps(epoch)
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

func operationsInOrder(w *world) {
	p, other := w.payment(), w.payment()
	first, second, third := w.operation(p.ID), w.operation(p.ID), w.operation(p.ID)
	first.CreatedAt, third.CreatedAt = third.CreatedAt, first.CreatedAt
	w.commit(
		core.Changeset{third, first},
		core.Changeset{w.operation(other.ID), second},
	)
	w.same([]operation.Operation{first, second, third}, w.operationsOf(p.ID))
	w.same(0, len(w.operationsOf(w.payment().ID)))
}

func operationNames(w *world) {
	o, other := w.operation(w.payment().ID), w.operation(w.payment().ID)
	other.Ref, other.ReturnToken = gateway.Ref(o.ReturnToken), string(o.Ref)
	w.commit(core.Changeset{o, other, w.bareOperation(o.PaymentID)})
	w.operationIs(o)
	w.operationIs(other)
	for _, key := range []operation.OperationKey{
		{}, {ID: w.payment().ID}, {ID: core.ID(o.Ref)}, {Ref: string(o.ID)}, {Ref: awkward}, {ReturnToken: awkward},
		{GatewayID: o.GatewayID}, {ExternalID: o.External.ID}, {GatewayID: other.GatewayID, ExternalID: o.External.ID},
		{GatewayID: o.GatewayID, ExternalID: o.External.ID + " "},
	} {
		_, err := w.store.OperationBy(w.ctx, key)
		w.fails(fault.NotFound, err)
	}
}

func newestExternal(w *world) {
	older, newer := w.operation(w.payment().ID), w.operation(w.payment().ID)
	elsewhere := w.operation(w.payment().ID)
	newer.GatewayID, newer.External.ID, elsewhere.External.ID = older.GatewayID, older.External.ID, older.External.ID
	w.commit(core.Changeset{newer})
	w.commit(core.Changeset{older, elsewhere})
	w.same(newer, w.operationBy(operation.OperationKey{GatewayID: older.GatewayID, ExternalID: older.External.ID}))
}

func namelessOperations(w *world) {
	p := w.payment()
	one, other, third := w.bareOperation(p.ID), w.bareOperation(p.ID), w.bareOperation(p.ID)
	other.GatewayID, third.GatewayID = one.GatewayID, one.GatewayID
	w.commit(core.Changeset{one, other}, core.Changeset{third})
	w.same([]operation.Operation{one, other, third}, w.operationsOf(p.ID))
}

func paymentByID(w *world) {
	p, other := w.payment(), w.barePayment()
	w.commit(core.Changeset{p, other})
	for _, want := range []payment.Payment{p, other} {
		found, err := w.store.PaymentByID(w.ctx, want.ID)
		w.no(err)
		w.same(want, found)
	}
	for _, id := range []core.ID{"", w.payment().ID, core.ID(p.TrackingCode), core.ID(p.Token)} {
		_, err := w.store.PaymentByID(w.ctx, id)
		w.fails(fault.NotFound, err)
	}
}

// operationAliases changes what was committed, and then what was read, behind every pointer, map and list.
func operationAliases(w *world) {
	o := w.operation(w.payment().ID)
	w.commit(core.Changeset{o})
	spoil := func(o operation.Operation) {
		o.Fields["spoilt"], o.External.Alt["spoilt"], o.External.State[0] = "x", "x", 'x'
		o.Quote.Source, o.Next.Redirect.URL, o.Next.Form.Action, o.Next.Form.Fields[0][0] = "spoilt", "x", "x", "x"
		o.Next.HTML.Document, o.Next.HTML.Origins[0], o.Next.Pay.Memo, o.Next.Pay.Lines[0][0] = "spoilt", "x", "x", "x"
		o.Next.Wait.PollAfter = time.Hour
	}
	want := o
	want.Quote, want.External, want.Next = pointer(*o.Quote), external(o.External.ID), steps(o.Quote.At)
	want.Fields = map[string]string{"iban": longName, awkward: "", "": awkward}
	spoil(o)
	for range 2 {
		found := w.operationBy(operation.OperationKey{ID: o.ID})
		w.same(want, found)
		spoil(found)
	}
	for _, listed := range [][]operation.Operation{
		w.claimOperations(o.GatewayID, o.NextAt, 1), w.operationsOf(o.PaymentID), w.operationsOf(o.PaymentID),
	} {
		want.Version, want.LeaseUntil = 2, o.NextAt.Add(time.Minute)
		w.same([]operation.Operation{want}, listed)
		spoil(listed[0])
	}
}

func (w *world) operationBy(key operation.OperationKey) operation.Operation {
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
