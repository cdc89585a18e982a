package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app/operation"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

const (
	discrepancyFields = `{ id trackingCode operationId gateway { id code name } dealerId kind status
		expected { amount asset } seen { amount asset } detail refundId createdAt updatedAt
		resolvedBy { kind name address } reason }`
	listDiscrepancies = `query($filter: DiscrepancyFilter, $first: Int, $after: String) {
		discrepancies(filter: $filter, first: $first, after: $after) {
			edges { cursor node { id } } nodes ` + discrepancyFields + ` pageInfo { hasNextPage endCursor } } }`
	resolve = `mutation($id: ID!, $resolution: Resolution!, $amount: Decimal, $reason: String) {
		resolveDiscrepancy(input: {id: $id, resolution: $resolution, amount: $amount, reason: $reason}) { discrepancy ` + discrepancyFields + ` } }`
	refundDiscrepancy = `mutation($id: ID!, $target: [NamedTextInput!], $reason: String) {
		refundDiscrepancy(input: {id: $id, target: $target, reason: $reason}) { discrepancy ` + discrepancyFields + ` } }`
)

func TestGoldenAcceptedMoney(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	s := overpaidCard(a, t)
	a.golden(t, "card-overpaid", s.Payment)
	checkGolden(t, "discrepancy-accepted", a.as(t, staff.Admin, resolve, vars{
		"id": s.discrepancy, "resolution": "ACCEPT", "amount": "300.00", "reason": "agreed on the phone",
	}).Raw)
	checkGolden(t, "discrepancies", a.as(t, staff.Viewer, listDiscrepancies, nil).Raw)
	if p := a.Reload(t, s.Payment); p.Status != payment.Success || p.Amount != lira(30000) {
		t.Errorf("the payment is %s with %s", p.Status, p.Amount)
	}
}

func TestGoldenMoneyThatIsGivenBack(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	s := overpaidCard(a, t)
	checkGolden(t, "discrepancy-refunding", a.as(t, staff.Operator, refundDiscrepancy, vars{
		"id": s.discrepancy, "reason": "not ordered",
	}).Raw)
	a.work(t)
	// Its calls are left out, and the words of the gateway: two are made at once, in any order.
	query := `query($code: String!) { transaction(trackingCode: $code) { status failure { code message } refundedAmount
		operations { kind phase why amount { amount asset } isHeld } discrepancies { nodes ` + discrepancyFields + ` } } }`
	checkGolden(t, "discrepancy-refunded", a.as(t, staff.Operator, query, vars{"code": s.TrackingCode}).Raw)
}

func TestResolvingADiscrepancyRefuses(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	open, settled := overpaidCard(a, t), overpaidCard(a, t)
	answer := a.as(t, staff.Admin, resolve, vars{"id": settled.discrepancy, "resolution": "WRITE_OFF", "reason": "theirs"})
	if answer.code() != "" {
		t.Fatal(answer.Raw)
	}
	for name, c := range map[string]struct {
		vars  vars
		code  string
		field string
	}{
		"no reason":         {vars{"id": open.discrepancy, "resolution": "WRITE_OFF"}, "INVALID", "reason"},
		"blanks":            {vars{"id": open.discrepancy, "resolution": "WRITE_OFF", "reason": " \n "}, "INVALID", "reason"},
		"a long reason":     {vars{"id": open.discrepancy, "resolution": "ACCEPT", "reason": strings.Repeat("x", 501)}, "INVALID", "reason"},
		"small letters":     {vars{"id": open.discrepancy, "resolution": "write_off"}, "INVALID", "resolution"},
		"nothing":           {vars{"id": open.discrepancy, "resolution": "ACCEPT", "amount": "0"}, "INVALID", "amount"},
		"not an amount":     {vars{"id": open.discrepancy, "resolution": "ACCEPT", "amount": "much"}, "INVALID", "amount"},
		"settled before":    {vars{"id": settled.discrepancy, "resolution": "ACCEPT"}, "ALREADY_FINAL", ""},
		"not an id":         {vars{"id": "1", "resolution": "ACCEPT"}, "NOT_FOUND", ""},
		"no such one":       {vars{"id": core.ID("01KJPWD8JGV8SKQDX74V77Q0RZ"), "resolution": "ACCEPT"}, "NOT_FOUND", ""},
		"the payment's own": {vars{"id": open.ID, "resolution": "ACCEPT"}, "NOT_FOUND", ""},
	} {
		answer := a.as(t, staff.Operator, resolve, c.vars)
		if field, _ := answer.field(); answer.code() != c.code || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
	for name, c := range map[string]struct {
		vars vars
		code string
	}{
		"settled before": {vars{"id": settled.discrepancy}, "ALREADY_FINAL"},
		"not an id":      {vars{"id": "1"}, "NOT_FOUND"},
		"given twice":    {vars{"id": open.discrepancy, "target": []vars{{"name": "x", "value": "1"}, {"name": "x", "value": "2"}}}, "INVALID"},
	} {
		if answer := a.as(t, staff.Operator, refundDiscrepancy, c.vars); answer.code() != c.code {
			t.Errorf("a refund, %s: got %s", name, answer.Raw)
		}
	}
	if a.Reload(t, open.Payment).Version != open.Version {
		t.Error("what was refused moved the payment")
	}
}

func TestAResolvedDiscrepancyIsNotResolvedAgain(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := overpaidCard(a, t)
	if answer := a.as(t, staff.Operator, refundDiscrepancy, vars{"id": s.discrepancy}); answer.code() != "" {
		t.Fatal(answer.Raw)
	}
	for _, query := range []string{resolve, refundDiscrepancy} {
		v := vars{"id": s.discrepancy}
		if query == resolve {
			v["resolution"] = "ACCEPT"
		}
		if code := a.as(t, staff.Operator, query, v).code(); code != "NOT_ALLOWED_IN_STATUS" && code != "ALREADY_FINAL" {
			t.Errorf("while it is being given back: got %q", code)
		}
	}
	a.work(t)
	if refunds := len(a.operationsOf(t, s.Payment)) - 1; refunds != 1 {
		t.Errorf("there are %d refunds", refunds)
	}
}

func TestDiscrepancyPagesAndFilters(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	var want []core.ID // newest first
	for range 5 {
		a.Clock.Advance(time.Second)
		want = append([]core.ID{overpaidCard(a, t).discrepancy}, want...)
	}
	var got []core.ID
	for v := (vars{"first": 2}); v != nil; {
		var page struct {
			Nodes    []struct{ ID core.ID }
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
		a.as(t, staff.Viewer, listDiscrepancies, v).into(t, "discrepancies", &page)
		for _, n := range page.Nodes {
			got = append(got, n.ID)
		}
		v = vars{"first": 2, "after": page.PageInfo.EndCursor}
		if !page.PageInfo.HasNextPage {
			v = nil
		}
	}
	if strings.Join(texts(got), " ") != strings.Join(texts(want), " ") {
		t.Errorf("got %v, want %v", got, want)
	}
	for filter, n := range map[string]int{
		`null`: 5, `{status: [OPEN, REFUNDING]}`: 5, `{status: ACCEPTED}`: 0, `{kind: OVER, gatewayId: 1}`: 5, `{kind: [LATE, SHORT]}`: 0,
		`{gatewayId: "2"}`: 0,
	} {
		var page struct{ Nodes []struct{ ID core.ID } }
		a.as(t, staff.Viewer, `{ discrepancies(filter: `+filter+`) { nodes { id } } }`, nil).into(t, "discrepancies", &page)
		if len(page.Nodes) != n {
			t.Errorf("%s: got %d, want %d", filter, len(page.Nodes), n)
		}
	}
	for name, v := range map[string]vars{
		"first": {"first": 0}, "after": {"after": "x"}, "status": {"filter": vars{"status": "open"}},
		"kind": {"filter": vars{"kind": strings.Split(strings.Repeat("late,", 40)+"late", ",")}}, "gatewayId": {"filter": vars{"gatewayId": 0}},
	} {
		answer := a.as(t, staff.Viewer, listDiscrepancies, v)
		if field, _ := answer.field(); answer.code() != "INVALID" || field != name {
			t.Errorf("a bad %s: got %s", name, answer.Raw)
		}
	}
}

func texts(ids []core.ID) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = string(id)
	}
	return list
}

func TestAnAmountOfACoinKeepsItsDecimals(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Sandbox.As = a.Sandbox.Quoting()
	p := a.start(t, payment.CryptoDeposit)
	o := a.beginWith(t, operation.Begin{Token: p.Token, Option: "USDT-TRC20"})
	a.Sandbox.PayAmount(o.Reference, gateway.Money{Amount: money.MustDecimal("6.249999"), Asset: apptest.USDT})
	a.work(t)
	query := `{ discrepancies { nodes { expected { amount asset } seen { amount asset } } } }`
	answer := a.as(t, staff.Viewer, query, nil)
	want := `{"expected":{"amount":"6.25","asset":"USDT (TRC20)"},"seen":{"amount":"6.249999","asset":"USDT (TRC20)"}}`
	if !strings.Contains(answer.Raw, want) {
		t.Errorf("got %s", answer.Raw)
	}
}
