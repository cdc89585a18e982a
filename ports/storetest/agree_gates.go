package storetest

import (
	"errors"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
)

// leaveOthersAlone leases what earlier checks left waiting, until after every moment of this one.
func (d *duel) leaveOthersAlone() {
	now, until := epoch.Add(time.Hour), epoch.Add(1000*time.Hour)
	_, errTested := d.tested.ClaimNotifications(d.ctx, now, until, 10_000)
	_, errReference := d.reference.ClaimNotifications(d.ctx, now, until, 10_000)
	_, errFeeds := d.tested.ClaimFeeds(d.ctx, now, until, 10_000)
	_, errFeedsWant := d.reference.ClaimFeeds(d.ctx, now, until, 10_000)
	if err := errors.Join(errTested, errReference, errFeeds, errFeedsWant); err != nil {
		d.Fatalf("claims: %v", err)
	}
}

func (d *duel) claimAtGates() {
	now := d.moment()
	until := now.Add(time.Duration(rapid.IntRange(1, 3).Draw(d.T, "lease")) * time.Minute)
	limit := int(d.small())
	claims := []func(now, until time.Time, limit int){d.claimOperations, d.claimNotifications, d.claimFeeds}
	rapid.SampledFrom(claims).Draw(d.T, "claim")(now, until, limit)
}

func (d *duel) claimOperations(now, until time.Time, limit int) {
	at := rapid.SampledFrom(d.gateways).Draw(d.T, "gateway")
	want, errWant := d.reference.ClaimOperations(d.ctx, at, now, until, limit)
	got, errGot := d.tested.ClaimOperations(d.ctx, at, now, until, limit)
	d.both("claim of operations", errGot, errWant)
	if diff := difference(want, got); diff != "" {
		d.Fatalf("claims of operations differ (-reference +tested):\n%s", diff)
	}
	d.remember(core.Rows(got))
}

func (d *duel) claimNotifications(now, until time.Time, limit int) {
	want, errWant := d.reference.ClaimNotifications(d.ctx, now, until, limit)
	got, errGot := d.tested.ClaimNotifications(d.ctx, now, until, limit)
	d.both("claim of notifications", errGot, errWant)
	if diff := difference(want, got); diff != "" {
		d.Fatalf("claims of notifications differ (-reference +tested):\n%s", diff)
	}
	d.remember(core.Rows(got))
}

func (d *duel) drawGates(c *core.Changeset) {
	draw(d, c, d.changeOperation)
	draw(d, c, d.changeNotification)
	draw(d, c, func(x *discrepancy.Discrepancy) {
		x.State, x.Kind = discrepancyStates()[d.small()], discrepancyKinds()[d.small()]
		x.GatewayID, x.DealerID, x.Detail = d.gateways[0], d.small(), d.text()
	})
	draw(d, c, func(a *owner.GatewayAccount) {
		a.Name, a.IsEnabled, a.Config, a.Min = d.text(), d.oneIn(2), core.NewSecret(d.text()), lira(d.small())
	})
	draw(d, c, func(r *routing.RouteRule) { r.Name, r.Max, r.Priority = d.text(), lira(d.small()), int(d.small()) })
	for _, o := range core.RowsOf[operation.Operation](*c) {
		call := d.gatewayCall(o.PaymentID)
		call.GatewayID, call.Detail = d.gateways[0], d.text()
		*c = append(*c, call)
	}
}

// shareNames lets rows want a name that another one has. They never give one up: whether it may be taken in the
// changeset that does so is not promised.
func (d *duel) shareNames() {
	for i := range core.RowsOf[operation.Notification](d.rows) {
		alter(d.rows, i, func(r *operation.Notification) { r.GatewayID = d.gateways[0] })
	}
	if d.oneIn(4) {
		alter(d.rows, 1, func(r *operation.Operation) { r.Ref = core.RowsOf[operation.Operation](d.rows)[0].Ref })
	}
	if d.oneIn(4) {
		alter(d.rows, 1, func(r *operation.Notification) { r.Key = core.RowsOf[operation.Notification](d.rows)[0].Key })
	}
	if d.oneIn(4) {
		alter(d.rows, 1, func(r *owner.GatewayAccount) { r.HookToken = core.RowsOf[owner.GatewayAccount](d.rows)[0].HookToken })
	}
}

func (d *duel) changeOperation(o *operation.Operation) {
	mine := string(core.RowsOf[operation.Operation](d.rows)[0].ID)
	o.GatewayID = rapid.SampledFrom(d.gateways).Draw(d.T, "gateway")
	o.External.ID = mine + rapid.SampledFrom([]string{"x", "y"}).Draw(d.T, "external")
	if d.oneIn(2) {
		o.ReturnToken = ""
	}
	o.Phase = rapid.SampledFrom([]operation.Phase{operation.Planned, operation.Calling, operation.Open, operation.Late}).Draw(d.T, "phase")
	o.Raw, o.Fields, o.Paid = d.text(), map[string]string{d.text(): d.text()}, gateway.Lira(lira(d.small()))
	o.NextAt, o.LeaseUntil, o.EndedAt = d.momentOrNone(), d.momentOrNone(), d.momentOrNone()
	if d.oneIn(2) {
		o.Quote, o.Next = nil, gateway.NextStep{Wait: &gateway.Wait{PollAfter: time.Duration(d.small())}}
	}
}

func (d *duel) changeNotification(n *operation.Notification) {
	n.State = notificationStates()[d.small()%4]
	n.Type, n.Parsed.Type, n.Inbound.Body = d.text(), d.text(), []byte(d.text())
	n.LeaseUntil, n.WorkedAt = d.momentOrNone(), d.momentOrNone()
}

func (d *duel) lookAtGates(s Store, now time.Time, note func(string, int, any, error)) {
	for i, o := range core.RowsOf[operation.Operation](d.rows) {
		p, err := s.PaymentByID(d.ctx, o.PaymentID)
		note("payment by id", i, p, err)
		for _, key := range keysOf(o) {
			found, err := s.OperationBy(d.ctx, key)
			note("operation by "+keyName(key), i, found, err)
		}
		operations, err := s.OperationsOf(d.ctx, o.PaymentID)
		note("operations", i, operations, err)
		discrepancies, err := s.DiscrepanciesOf(d.ctx, o.PaymentID)
		note("discrepancies", i, discrepancies, err)
		calls, err := s.GatewayCalls(d.ctx, operation.GatewayCallQuery{Payments: []core.ID{o.PaymentID}, Limit: 5})
		note("calls", i, calls, err)
		block, err := s.BlockOf(d.ctx, owner.CustomerKey(core.RowsOf[owner.NotBlocked](d.rows)[i]))
		note("is blocked", i, block, err)
		dealer, err := s.Dealer(d.ctx, core.RowsOf[owner.Dealer](d.rows)[i].ID)
		note("dealer", i, dealer, err)
	}
	for i, at := range d.gateways {
		for _, name := range []string{"x", "y"} {
			key := operation.OperationKey{GatewayID: at, ExternalID: string(core.RowsOf[operation.Operation](d.rows)[0].ID) + name}
			found, err := s.OperationBy(d.ctx, key)
			note("operation "+name, i, found, err)
		}
	}
	d.lookAtGateLists(s, now, note)
}

func keyName(key operation.OperationKey) string {
	switch {
	case key.ID != "":
		return "id"
	case key.Ref != "":
		return "ref"
	case key.ReturnToken != "":
		return "return token"
	default:
		return "external id"
	}
}

func (d *duel) lookAtGateLists(s Store, now time.Time, note func(string, int, any, error)) {
	at := d.gateways[0]
	for i, dealerID := range []int64{0, 1, 2} {
		query := discrepancy.DiscrepancyQuery{GatewayID: at, Limit: 2, Scope: core.Scope{DealerID: dealerID}}
		all, err := s.Discrepancies(d.ctx, query)
		note("all discrepancies", i, all, err)
		query.States, query.Kinds = discrepancyStates()[i:i+2], discrepancyKinds()[:3]
		few, err := s.Discrepancies(d.ctx, query)
		note("few discrepancies", i, few, err)
	}
	calls, err := s.GatewayCalls(d.ctx, operation.GatewayCallQuery{Gateways: []int64{at}, Limit: 5})
	note("calls at a gateway", 0, calls, err)
	notifications, err := s.Notifications(d.ctx, operation.NotificationQuery{GatewayID: at, Limit: 2})
	note("notifications", 0, notifications, err)
	notifications, err = s.Notifications(d.ctx, operation.NotificationQuery{GatewayID: at, States: notificationStates()[:2], Limit: 3})
	note("few notifications", 0, notifications, err)
	due, err := s.DueGateways(d.ctx, now)
	note("due gateways", 0, slices.DeleteFunc(due, func(id int64) bool { return !slices.Contains(d.gateways, id) }), err)
	accounts, err := s.GatewayAccounts(d.ctx)
	note("gateway accounts", 0, slices.DeleteFunc(accounts, func(a owner.GatewayAccount) bool {
		return a.ID < core.RowsOf[owner.GatewayAccount](d.rows)[0].ID
	}), err)
	rules, err := s.RouteRules(d.ctx)
	note("route rules", 0, slices.DeleteFunc(rules, func(r routing.RouteRule) bool {
		return r.ID < core.RowsOf[routing.RouteRule](d.rows)[0].ID
	}), err)
}
