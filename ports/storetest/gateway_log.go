package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/operation"
)

func gatewayCallSentences() []sentence {
	return []sentence{
		{"calls are those of payments or of gateway accounts, newest first, at most Limit of each", callsInOrder},
	}
}

func callsInOrder(w *world) {
	p, other := w.payment(), w.payment()
	calls := []operation.GatewayCall{w.gatewayCall(p.ID), w.gatewayCall(p.ID), w.gatewayCall(other.ID), w.gatewayCall(p.ID)}
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
		w.same(want, w.gatewayCalls(asked.query))
	}
}

func (w *world) gatewayCalls(query operation.GatewayCallQuery) []operation.GatewayCall {
	w.t.Helper()
	found, err := w.store.GatewayCalls(w.ctx, query)
	w.no(err)
	return found
}
