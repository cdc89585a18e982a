package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

const (
	accountFields = `{ id plugin code name description environment isEnabled priority weight min max approvalFrom trouble
		config { name label type isSet value }
		health { callCount failedCount lastOkAt lastError { name outcome } isFailing } createdAt updatedAt }`
	createAccount = `mutation($input: CreateGatewayAccountInput!) { createGatewayAccount(input: $input) { gatewayAccount ` + accountFields + ` } }`
	updateAccount = `mutation($input: UpdateGatewayAccountInput!) {
		updateGatewayAccount(input: $input) { gatewayAccount ` + accountFields + ` } }`
	testAccount = `mutation($id: ID!) { testGatewayAccount(input: {id: $id}) { isOk checks { name isOk detail failure } } }`
	allPlugins  = `{ gatewayPlugins { code title version maturity kinds notice isSimulator environments { name hosts }
		setup { title text } config { name label help type isRequired default choices pattern isRotating } capabilities
		deposit { assets min max steps needs { name label isOptional kinds } refundsParts refundNeeds { name } }
		payout { assets min max needs { name label isOptional kinds } approval } } }`
	allNotifications = `query($filter: GatewayNotificationFilter, $first: Int, $after: String) {
		gatewayNotifications(filter: $filter, first: $first, after: $after) {
			edges { cursor node { id } } nodes { id gateway { id code name } type status trackingCodes receivedAt workedAt }
			pageInfo { hasNextPage endCursor } } }`
)

// newAccount is the input of a valid gateway account.
func newAccount(code string, more vars) vars {
	input := vars{
		"plugin": "other-till", "environment": "PRODUCTION", "code": code, "name": "Account " + code,
		"config": []vars{{"name": "api_key", "value": "key-of-" + code}},
	}
	for name, value := range more {
		input[name] = value
	}
	return vars{"input": input}
}

// create makes a gateway account as an admin and gives its id.
func (a *api) create(t *testing.T, code string, more vars) string {
	t.Helper()
	var made struct{ ID string }
	a.as(t, staff.Admin, createAccount, newAccount(code, more)).into(t, "createGatewayAccount.gatewayAccount", &made)
	return made.ID
}

// update changes a gateway account as an admin.
func (a *api) update(t *testing.T, id any, input vars) {
	t.Helper()
	if answer := a.as(t, staff.Admin, updateAccount, vars{"input": with(input, "id", id)}); answer.code() != "" {
		t.Fatal(answer.Raw)
	}
}

func TestGoldenGateways(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	made := a.as(t, staff.Admin, createAccount, newAccount("third", vars{
		"description": "for large amounts", "isEnabled": true, "priority": 3, "weight": 2, "min": "100", "max": "5000.50",
		"approvalFrom": "250.00", "config": []vars{{"name": "api_key", "value": "planted"}, {"name": "note", "value": "ours"}},
	}))
	checkGolden(t, "gateway-created", made.Raw)
	a.Clock.Advance(time.Minute)
	changed := a.as(t, staff.Admin, updateAccount, vars{"input": vars{"id": 4,
		"name": " Third ", "description": "", "isEnabled": false, "min": 0, "max": "0", "approvalFrom": "0",
		"config": []vars{{"name": "note", "value": ""}},
	}})
	checkGolden(t, "gateway-updated", changed.Raw)
	checkGolden(t, "gateway-accounts", a.as(t, staff.Operator, `{ gatewayAccounts `+accountFields+` }`, nil).Raw)
	checkGolden(t, "gateway-plugins", a.as(t, staff.Operator, allPlugins, nil).Raw)
	checkGolden(t, "gateway-test", a.as(t, staff.Admin, testAccount, vars{"id": 1}).Raw)
	checkGolden(t, "gateway-url", a.as(t, staff.Admin, `{ gatewayAccount(id: 4) { notificationUrl } }`, nil).Raw)
}

func TestWhatAGatewayAccountMustNotBe(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, c := range map[string]struct {
		more  vars
		field string
	}{
		"no such plugin":      {vars{"plugin": "nothing"}, "plugin"},
		"no such environment": {vars{"environment": "SANDBOX"}, "environment"},

		"upper case":         {vars{"code": "Third"}, "code"},
		"no code":            {vars{"code": ""}, "code"},
		"a long code":        {vars{"code": strings.Repeat("x", 65)}, "code"},
		"no name":            {vars{"name": " "}, "name"},
		"a long name":        {vars{"name": strings.Repeat("ğ", 192)}, "name"},
		"a long description": {vars{"description": strings.Repeat("x", 501)}, "description"},
		"too heavy":          {vars{"weight": 10_001}, "weight"},
		"negative":           {vars{"priority": -1}, "priority"},
		"not an amount":      {vars{"min": "much"}, "min"},
		"too precise":        {vars{"max": "1.001"}, "max"},
		"less than nothing":  {vars{"approvalFrom": "-1"}, "approvalFrom"},
		"turned around":      {vars{"min": "10", "max": "9"}, "max"},
		"no configuration":   {vars{"config": nil}, "api_key"},
		"an unknown setting": {vars{"config": []vars{{"name": "api_key", "value": "x"}, {"name": "colour", "value": "red"}}}, "colour"},
		"given twice":        {vars{"config": []vars{{"name": "api_key", "value": "x"}, {"name": "api_key", "value": "y"}}}, "config"},
		"a long setting":     {vars{"config": []vars{{"name": "api_key", "value": strings.Repeat("x", 4097)}}}, "api_key"},
	} {
		answer := a.as(t, staff.Admin, createAccount, newAccount("third", c.more))
		if field, _ := answer.field(); answer.code() != "INVALID" || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
	for name, c := range map[string]struct {
		query string
		vars  vars
		want  string
	}{
		"a code that is taken": {createAccount, newAccount("till", nil), "CONFLICT"},
		"to a taken code":      {updateAccount, vars{"input": vars{"id": 2, "code": "till"}}, "CONFLICT"},
		"no such account":      {updateAccount, vars{"input": vars{"id": 99}}, "NOT_FOUND"},
		"no such account yet":  {testAccount, vars{"id": "99"}, "NOT_FOUND"},
		"nothing there":        {`query($id: ID!) { gatewayAccount(id: $id) { code } }`, vars{"id": 99}, "NOT_FOUND"},
		"not an id":            {`query($id: ID!) { gatewayAccount(id: $id) { code } }`, vars{"id": "till"}, "INVALID"},
		"id zero":              {testAccount, vars{"id": 0}, "INVALID"},
		"an endless id":        {updateAccount, vars{"input": vars{"id": strings.Repeat("9", 40)}}, "INVALID"},
	} {
		if answer := a.as(t, staff.Admin, c.query, c.vars); answer.code() != c.want {
			t.Errorf("%s: got %s, want %s", name, answer.Raw, c.want)
		}
	}
	if list, err := a.Store.GatewayAccounts(t.Context()); err != nil || len(list) != 3 {
		t.Errorf("there are %d gateway accounts (%v)", len(list), err)
	}
}

func TestAGatewayAccountTakesEffectAtOnce(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	routed := func() string {
		p := a.start(t, payment.CreditCard)
		a.begin(t, p)
		var seen struct {
			Gateway    struct{ Code string }
			Operations []struct{ Why string }
		}
		query := `query($code: String!) { transaction(trackingCode: $code) { gateway { code } operations { why } } }`
		a.as(t, staff.Viewer, query, vars{"code": p.TrackingCode}).into(t, "transaction", &seen)
		if len(seen.Operations) != 1 {
			t.Fatalf("the payment has the operations %+v", seen.Operations)
		}
		return seen.Gateway.Code + ": " + seen.Operations[0].Why
	}
	check := func(what, want string) {
		t.Helper()
		if got := routed(); got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	check("before", "till: default, priority 1, weight 1 of 1")
	third := a.create(t, "third", nil)
	check("created", "till: default, priority 1, weight 1 of 1")
	a.update(t, third, vars{"isEnabled": true})
	check("enabled, and tried first", "third: default, priority 0, weight 1 of 1")
	a.update(t, third, vars{"priority": 1})
	a.update(t, 1, vars{"weight": 0})
	check("of one priority with one that has no weight", "third: default, priority 1, weight 1 of 1")
	a.update(t, 1, vars{"weight": 5})
	a.update(t, third, vars{"weight": 0})
	check("weighed the other way round", "till: default, priority 1, weight 5 of 5")
	a.update(t, 1, vars{"max": "200"})
	check("beyond a limit", "third: default, priority 1, weight 0 of 0")
	a.update(t, third, vars{"isEnabled": false})
	check("disabled", "other-till: default, priority 2, weight 1 of 1")
}

func TestATestEndsTheTrouble(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	fault := apptest.Misset
	a.Sandbox.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return fault }
	a.begin(t, a.start(t, payment.CreditCard))
	trouble := func() (seen struct {
		Trouble *string
		Health  struct {
			CallCount, FailedCount int
			LastError              *struct{ Name, Outcome string }
		}
	}) {
		query := `{ gatewayAccount(id: 1) { trouble health { callCount failedCount lastError { name outcome } } } }`
		a.as(t, staff.Operator, query, nil).into(t, "gatewayAccount", &seen)
		return seen
	}
	before := trouble()
	if before.Trouble == nil || before.Health.FailedCount != 1 || before.Health.LastError == nil ||
		before.Health.LastError.Outcome != "misconfigured" {
		t.Errorf("after refused keys the account is %+v", before)
	}
	var result struct{ IsOk bool }
	a.as(t, staff.Admin, testAccount, vars{"id": 1}).into(t, "testGatewayAccount", &result)
	if result.IsOk || trouble().Trouble == nil {
		t.Error("a test that failed ended the trouble")
	}
	fault = apptest.NoFault
	a.as(t, staff.Admin, testAccount, vars{"id": 1}).into(t, "testGatewayAccount", &result)
	if after := trouble(); !result.IsOk || after.Trouble != nil {
		t.Errorf("a test that succeeded left the account %+v", after)
	}
}

func TestOnlyThoseWhoEditSeeTheNotificationURL(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	const query = `{ gatewayAccount(id: 1) { code notificationUrl } }`
	answer := a.as(t, staff.Operator, query, nil)
	if answer.code() != "FORBIDDEN" || strings.Contains(answer.Raw, a.Gateway.HookToken) ||
		string(answer.Data["gatewayAccount"]) != `{"code":"till","notificationUrl":null}` {
		t.Errorf("an operator got %s", answer.Raw)
	}
	var seen struct{ NotificationURL string }
	a.as(t, staff.Admin, query, nil).into(t, "gatewayAccount", &seen)
	if want := "https://pay.vezne.test/gateways/notify/" + a.Gateway.HookToken; seen.NotificationURL != want {
		t.Errorf("an admin got %s, want %s", seen.NotificationURL, want)
	}
}

// notify sends the gateway's notification about a reference, and works on it.
func (a *api) notify(t *testing.T, id string, ref gateway.Ref) {
	t.Helper()
	if _, err := a.Operations.Notify(t.Context(), a.Gateway.HookToken, a.Sandbox.Inform(id, ref, gateway.Hint)); err != nil {
		t.Fatal(err)
	}
	a.Work(t)
}

func TestNotifications(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	o := a.begin(t, a.start(t, payment.CreditCard))
	a.notify(t, "n-1", o.Reference)
	a.Clock.Advance(time.Second)
	a.notify(t, "n-2", "NOBODY")
	a.Clock.Advance(time.Second)
	forged := a.Sandbox.Inform("n-3", o.Reference, gateway.Signed)
	forged.Header = nil
	if _, err := a.Operations.Notify(t.Context(), a.Gateway.HookToken, forged); err != nil {
		t.Fatal(err)
	}
	checkGolden(t, "gateway-notifications", a.as(t, staff.Operator, allNotifications, vars{"first": 3}).Raw)
	for filter, want := range map[string]int{
		`{}`: 3, `{status: DONE}`: 1, `{status: [UNKNOWN, REJECTED]}`: 2, `{status: WAITING}`: 0, `{gatewayId: 1}`: 3, `{gatewayId: 2}`: 0,
	} {
		var page struct{ Nodes []struct{ ID string } }
		query := `{ gatewayNotifications(filter: ` + filter + `) { nodes { id } } }`
		a.as(t, staff.Operator, query, nil).into(t, "gatewayNotifications", &page)
		if len(page.Nodes) != want {
			t.Errorf("%s: got %d, want %d", filter, len(page.Nodes), want)
		}
	}
	for name, v := range map[string]vars{
		"first": {"first": 201}, "after": {"after": "x"}, "status": {"filter": vars{"status": "done"}},
		"gatewayId": {"filter": vars{"gatewayId": "till"}},
	} {
		answer := a.as(t, staff.Operator, allNotifications, v)
		if field, _ := answer.field(); answer.code() != "INVALID" || field != name {
			t.Errorf("a bad %s: got %s", name, answer.Raw)
		}
	}
}
