package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/operation"
)

func discrepancySentences() []sentence {
	return []sentence{
		{"a payment's discrepancies come oldest first", discrepanciesInOrder},
		{"each filter narrows, alone and together with others", discrepancyFilters},
		{"there are at most Limit discrepancies, newest first, page by page", discrepancyPages},
	}
}

func discrepanciesInOrder(w *world) {
	p, other := w.payment(), w.payment()
	first, second, third := w.discrepancy(p.ID), w.discrepancy(p.ID), w.discrepancy(p.ID)
	first.CreatedAt, third.CreatedAt = third.CreatedAt, first.CreatedAt
	w.commit(
		core.Changeset{third, first},
		core.Changeset{w.discrepancy(other.ID), second},
	)
	w.same([]discrepancy.Discrepancy{first, second, third}, w.discrepanciesOf(p.ID))
	w.same(0, len(w.discrepanciesOf(w.payment().ID)))
}

// someDiscrepancies commits a few dozen that differ in everything a query asks for, and gives them newest first.
func someDiscrepancies(w *world) []discrepancy.Discrepancy {
	var all []discrepancy.Discrepancy
	for i := range 36 {
		d := w.discrepancy(w.payment().ID)
		d.Kind, d.State = discrepancyKinds()[i%5], discrepancyStates()[i%len(discrepancyStates())]
		d.GatewayID, d.DealerID, d.ProviderID = int64(1+i%4), int64(i%3), int64(i%5)
		all = append(all, d)
	}
	w.commit(core.Rows(all))
	slices.Reverse(all)
	return all
}

type discrepancyFilter struct {
	query discrepancy.DiscrepancyQuery
	keeps func(d discrepancy.Discrepancy) bool
}

func discrepancyFilters(w *world) {
	all := someDiscrepancies(w)
	some, states := all[13], []discrepancy.DiscrepancyState{discrepancy.DiscrepancySettled, discrepancy.DiscrepancyOpen}
	for says, f := range map[string]discrepancyFilter{
		"nothing": {discrepancy.DiscrepancyQuery{}, func(discrepancy.Discrepancy) bool { return true }},
		"scope": {discrepancy.DiscrepancyQuery{Scope: core.Scope{DealerID: 2}}, func(d discrepancy.Discrepancy) bool {
			return d.DealerID == 2
		}},
		"scope of a provider": {discrepancy.DiscrepancyQuery{Scope: core.Scope{ProviderID: 3}}, func(d discrepancy.Discrepancy) bool {
			return d.ProviderID == 3
		}},
		"scope of nobody": {discrepancy.DiscrepancyQuery{Scope: core.Scope{DealerID: -1}}, func(discrepancy.Discrepancy) bool { return false }},
		"id":              {discrepancy.DiscrepancyQuery{ID: some.ID}, func(d discrepancy.Discrepancy) bool { return d.ID == some.ID }},
		"states": {discrepancy.DiscrepancyQuery{States: append(states, states[0])}, func(d discrepancy.Discrepancy) bool {
			return slices.Contains(states, d.State)
		}},
		"kinds": {discrepancy.DiscrepancyQuery{Kinds: []discrepancy.DiscrepancyKind{discrepancy.LateMoney, discrepancy.Dispute, discrepancy.OverMoney}},
			func(d discrepancy.Discrepancy) bool {
				return d.Kind == discrepancy.LateMoney || d.Kind == discrepancy.OverMoney
			}},
		"gateway":        {discrepancy.DiscrepancyQuery{GatewayID: 3}, func(d discrepancy.Discrepancy) bool { return d.GatewayID == 3 }},
		"older than one": {discrepancy.DiscrepancyQuery{After: some.ID}, func(d discrepancy.Discrepancy) bool { return d.ID < some.ID }},
		"among some": {discrepancy.DiscrepancyQuery{IDs: []core.ID{some.ID, all[3].ID, "unknown"}}, func(d discrepancy.Discrepancy) bool {
			return d.ID == some.ID || d.ID == all[3].ID
		}},
		"among some, of a dealer and a state": {discrepancy.DiscrepancyQuery{
			Scope: core.Scope{DealerID: some.DealerID}, IDs: []core.ID{some.ID, all[14].ID}, States: states,
		}, func(d discrepancy.Discrepancy) bool {
			isAsked := d.ID == some.ID || d.ID == all[14].ID
			return isAsked && d.DealerID == some.DealerID && slices.Contains(states, d.State)
		}},
		"everything at once": {discrepancy.DiscrepancyQuery{
			Scope: core.Scope{DealerID: some.DealerID, ProviderID: some.ProviderID}, ID: some.ID, States: []discrepancy.DiscrepancyState{some.State},
			Kinds: []discrepancy.DiscrepancyKind{some.Kind}, GatewayID: some.GatewayID, After: all[0].ID,
		}, func(d discrepancy.Discrepancy) bool { return d.ID == some.ID }},
		"another's id": {discrepancy.DiscrepancyQuery{Scope: core.Scope{DealerID: 9}, ID: some.ID},
			func(discrepancy.Discrepancy) bool { return false }},
	} {
		w.t.Run(says, func(t *testing.T) {
			w := w.in(t)
			f.query.Limit = core.MaxPage
			want := slices.DeleteFunc(slices.Clone(all), func(d discrepancy.Discrepancy) bool { return !f.keeps(d) })
			w.same(want, w.discrepancies(f.query))
		})
	}
}

func discrepancyPages(w *world) {
	all := someDiscrepancies(w)
	for _, base := range []discrepancy.DiscrepancyQuery{{Limit: 7}, {Limit: 7, States: discrepancyStates()}} {
		var seen []discrepancy.Discrepancy
		for query := base; ; query.After = seen[len(seen)-1].ID {
			page := w.discrepancies(query)
			if len(page) == 0 || len(seen) > len(all) {
				break
			}
			if len(page) > query.Limit {
				w.t.Fatalf("%d discrepancies, the limit is %d", len(page), query.Limit)
			}
			seen = append(seen, page...)
		}
		w.same(all, seen)
	}
	w.same(0, len(w.discrepancies(discrepancy.DiscrepancyQuery{})))
}

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

func (w *world) discrepanciesOf(paymentID core.ID) []discrepancy.Discrepancy {
	w.t.Helper()
	found, err := w.store.DiscrepanciesOf(w.ctx, paymentID)
	w.no(err)
	return found
}

func (w *world) discrepancies(query discrepancy.DiscrepancyQuery) []discrepancy.Discrepancy {
	w.t.Helper()
	found, err := w.store.Discrepancies(w.ctx, query)
	w.no(err)
	return found
}

func (w *world) gatewayCalls(query operation.GatewayCallQuery) []operation.GatewayCall {
	w.t.Helper()
	found, err := w.store.GatewayCalls(w.ctx, query)
	w.no(err)
	return found
}
