package storetest

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
)

func gatewayDirectorySentences() []sentence {
	return []sentence{
		{"gateway accounts come by id, disabled ones too", gatewayAccountsByID},
		{"every kind of a route rule comes back, by id, inactive ones too", rulesByID},
		{"without any there are none", noGateways},
	}
}

func gatewayAccountsByID(w *world) {
	first, second, third := w.gatewayAccount(), w.gatewayAccount(), w.gatewayAccount()
	first.Code, first.Priority, third.Priority = "z", 9, -9
	second.IsEnabled, second.Trouble = false, ""
	w.commit(
		core.Changeset{third, first},
		core.Changeset{second},
	)
	w.gatewayAccounts()[0].Name = "a caller's own copy"
	w.same([]owner.GatewayAccount{first, second, third}, w.gatewayAccounts())
}

func rulesByID(w *world) {
	var rules []routing.RouteRule
	for i, kind := range []gateway.Kind{gateway.Wallet, gateway.Card, "", gateway.Bank, gateway.Crypto} {
		r := w.routeRule()
		r.Kind, r.IsActive, r.Priority = kind, i%2 == 0, -i
		rules = append(rules, r)
	}
	w.commit(core.Rows(rules[3:]), core.Rows(rules[:3]))
	w.routeRules()[0].Name = "a caller's own copy"
	w.same(rules, w.routeRules())
}

func noGateways(w *world) {
	w.same(0, len(w.gatewayAccounts()))
	w.same(0, len(w.routeRules()))
	w.same(0, len(w.dueGateways(epoch)))
	w.same(0, len(w.notifications(operation.NotificationQuery{Limit: 1})))
	w.same(0, len(w.discrepancies(discrepancy.DiscrepancyQuery{Limit: 1})))
	w.same(0, len(w.gatewayCalls(operation.GatewayCallQuery{Gateways: []int64{0, 1}, Limit: 1})))
	_, err := w.store.OperationBy(w.ctx, operation.OperationKey{Ref: "R"})
	w.fails(fault.NotFound, err)
}

func (w *world) gatewayAccounts() []owner.GatewayAccount {
	w.t.Helper()
	found, err := w.store.GatewayAccounts(w.ctx)
	w.no(err)
	return found
}

func (w *world) routeRules() []routing.RouteRule {
	w.t.Helper()
	found, err := w.store.RouteRules(w.ctx)
	w.no(err)
	return found
}
