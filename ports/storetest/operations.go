package storetest

import (
	"time"

	"github.com/vezne/vezne/core/fault"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/operation"
)

func everyStep(w *world) {
	p := w.payment()
	all := w.operation(p.ID).Next
	var written []operation.Operation
	for _, step := range []gateway.NextStep{
		{Redirect: all.Redirect}, {Form: all.Form}, {HTML: all.HTML}, {Pay: all.Pay}, {Wait: all.Wait},
		{Redirect: &gateway.Redirect{}}, {Form: &gateway.FormPost{}}, {HTML: &gateway.HostedHTML{}},
		{Pay: &gateway.Instructions{}}, {Wait: &gateway.Wait{}}, {Done: &gateway.Observation{State: gateway.Paid}},
	} {
		o := w.operation(p.ID)
		o.Next = step
		written = append(written, o)
	}
	w.commit(core.Rows(written))
	written[len(written)-1].Next = gateway.NextStep{}
	w.same(written, each(w, w.store.OperationsOf, p.ID))
}

func newestExternal(w *world) {
	older, newer := w.operation(w.payment().ID), w.operation(w.payment().ID)
	elsewhere := w.operation(w.payment().ID)
	newer.GatewayID, newer.External.ID, elsewhere.External.ID = older.GatewayID, older.External.ID, older.External.ID
	w.commit(core.Changeset{newer})
	w.commit(core.Changeset{older, elsewhere})
	key := operation.Key{GatewayID: older.GatewayID, ExternalID: older.External.ID}
	w.same(newer, read(w, w.store.OperationBy, key))

	// Another one's payment has that id, too, and a third has a payment of its own.
	namesake, third := w.operation(w.payment().ID), w.operation(w.payment().ID)
	namesake.GatewayID, third.GatewayID = older.GatewayID, older.GatewayID
	namesake.External.Alt = map[string]string{gateway.AltPayment: older.External.ID}
	third.External.Alt = map[string]string{gateway.AltPayment: "payment of " + third.External.ID}
	w.commit(core.Changeset{namesake, third})
	w.same(newer, read(w, w.store.OperationBy, key))
	key.ExternalID = third.External.Alt[gateway.AltPayment]
	w.same(third, read(w, w.store.OperationBy, key))
	key.GatewayID++
	_, err := w.store.OperationBy(w.ctx, key)
	w.fails(fault.NotFound, err)
}

func nationalIDs(w *world) {
	n := w.notification()
	of := func() []*string {
		return []*string{&n.Parsed.Events[0].Payer.NationalID, &n.Parsed.Lines[0].Party.NationalID}
	}
	for _, id := range of() {
		*id = "12345678950"
	}
	w.commit(core.Changeset{n})
	kept := read(w, w.store.Notifications, notification.Query{Paging: core.Paging[core.ID]{Limit: 2}})
	for _, id := range of() {
		w.same("12345678950", *id)
		*id = ""
	}
	w.same([]notification.Notification{n}, kept)
}

func callsInOrder(w *world) {
	p, other := w.payment(), w.payment()
	call := func(paymentID core.ID) operation.GatewayCall {
		return made(w.maker, operation.GatewayCall{PaymentID: paymentID})
	}
	calls := []operation.GatewayCall{call(p.ID), call(p.ID), call(other.ID), call(p.ID)}
	for i := range calls {
		calls[i].GatewayID = []int64{1, 2, 1, 1}[i]
		calls[i].At = epoch.Add(-time.Duration(i) * time.Hour)
	}
	w.commit(core.Rows(calls[2:]), core.Rows(calls[:2]))
	for _, asked := range []struct {
		query operation.GatewayCallQuery
		want  []int
	}{
		{operation.GatewayCallQuery{Payments: []core.ID{p.ID}, Limit: 9}, []int{3, 1, 0}},
		{operation.GatewayCallQuery{Payments: []core.ID{p.ID}, Limit: 2}, []int{3, 1}},
		{operation.GatewayCallQuery{Payments: []core.ID{other.ID, p.ID}, Limit: 2}, []int{3, 2, 1}},
		{operation.GatewayCallQuery{Gateways: []int64{1}, Limit: 9}, []int{3, 2, 0}},
		{operation.GatewayCallQuery{Gateways: []int64{1}, Limit: 1}, []int{3}},
		{operation.GatewayCallQuery{Gateways: []int64{3, 2, 1}, Limit: 2}, []int{3, 2, 1}},
		{operation.GatewayCallQuery{Gateways: []int64{3}, Limit: 9}, nil},
		{operation.GatewayCallQuery{Payments: []core.ID{p.ID}}, nil},
		{operation.GatewayCallQuery{Gateways: []int64{1}}, nil},
		{operation.GatewayCallQuery{Limit: 9}, nil},
	} {
		var want []operation.GatewayCall
		for _, i := range asked.want {
			want = append(want, calls[i])
		}
		w.same(want, read(w, w.store.GatewayCalls, asked.query))
	}
}
