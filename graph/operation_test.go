package graph_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

const (
	// atGateways is all that the schema has on what happened to a transaction at gateways.
	atGateways = ` gateway { id code name } orderId refundedAmount failure { code message } awaitsApproval
		cardPayer { firstName lastName email phone description } payee { cryptoType walletAddress walletNumber }
		operations { id kind number gateway { id code name } reference externalId why phase status rawState
			amount { amount asset } due { amount asset } paid { amount asset } fields { name value }
			reason { code rawCode rawText } proof confirmations checks nextAt createdAt startedAt endedAt isHeld }
		gatewayCalls { id gateway { id code name } operationId name at durationMs isOk outcome effect detail }
		discrepancies(first: 5) { nodes ` + discrepancyFields + ` }`
	refund = `mutation($code: String!, $amount: Decimal, $target: [NamedTextInput!], $reason: String) {
		refundTransaction(input: {trackingCode: $code, amount: $amount, target: $target, reason: $reason}) { transaction { status refundedAmount } } }`
	confirm = `mutation($code: String!, $factor: String!) { confirmPayout(input: {trackingCode: $code, code: $factor}) { transaction { status } } }`
)

// seeAtGateways asks as an operator for a transaction's status and what happened to it at gateways.
const seeAtGateways = `query($code: String!) { transaction(trackingCode: $code) { status reason` + atGateways + ` } }`

func (a *api) golden(t *testing.T, name string, p payment.Payment) {
	t.Helper()
	checkGolden(t, name, a.as(t, staff.Operator, seeAtGateways, vars{"code": p.TrackingCode}).Raw)
}

func TestGoldenCard(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	p := paidCard(a, t).Payment
	a.golden(t, "card-paid", p)
	answer := a.as(t, staff.Operator, refund, vars{"code": p.TrackingCode, "amount": "100.50", "reason": " came  twice "})
	checkGolden(t, "card-refunding", answer.Raw)
	a.work(t)
	a.golden(t, "card-refunded-in-part", p)
	if answer := a.as(t, staff.Admin, refund, vars{"code": p.TrackingCode}); answer.code() != "" {
		t.Fatal(answer.Raw)
	}
	a.work(t)
	if after := a.Reload(t, p); after.Status != payment.Refunded || after.Gateway.Refunded != lira(25000) {
		t.Errorf("after everything was given back the payment is %s with %s", after.Status, after.Gateway.Refunded)
	}
}

func TestGoldenCardThatFailed(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	a.Sandbox.Fault = func(gateway.Capability, gateway.Ref) apptest.Fault { return apptest.Refusing }
	p := a.start(t, payment.CreditCard)
	a.begin(t, p)
	a.golden(t, "card-failed", p)
}

func TestGoldenPayout(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	p := a.StartWithdrawal(t, payment.CryptoWithdrawal, lira(150000))
	a.golden(t, "payout-waiting", p)
	approve := `mutation($code: String!) { approvePayout(input: {trackingCode: $code}) { transaction { status awaitsApproval } } }`
	checkGolden(t, "payout-approved", a.as(t, staff.DealerStaff, approve, vars{"code": p.TrackingCode}).Raw)
	a.Work(t)
	a.happen(t, a.operationsOf(t, p)[0].Reference, bank.Done)
	a.golden(t, "payout-paid", p)
}

func TestRefundRefusesBadInput(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	paid, fresh := paidCard(a, t).TrackingCode, a.start(t, payment.CreditCard).TrackingCode
	over := overpaidCard(a, t).TrackingCode
	twice := []vars{{"name": "iban", "value": "x"}, {"name": "iban", "value": "y"}}
	for name, c := range map[string]struct {
		vars  vars
		code  string
		field string
	}{
		"too much":          {vars{"code": paid, "amount": "250.01"}, "INVALID", "amount"},
		"nothing":           {vars{"code": paid, "amount": "0"}, "INVALID", "amount"},
		"less than nothing": {vars{"code": paid, "amount": "-1"}, "INVALID", "amount"},
		"too precise":       {vars{"code": paid, "amount": "1.001"}, "INVALID", "amount"},
		"not an amount":     {vars{"code": paid, "amount": "all"}, "INVALID", "amount"},
		"given twice":       {vars{"code": paid, "target": twice}, "INVALID", "target"},
		"a long reason":     {vars{"code": paid, "reason": strings.Repeat("ğ", 501)}, "INVALID", "reason"},
		"not paid":          {vars{"code": fresh}, "NOT_ALLOWED_IN_STATUS", ""},
		"a discrepancy":     {vars{"code": over}, "NOT_ALLOWED_IN_STATUS", ""},
		"no such payment":   {vars{"code": "CC-0000000000000000"}, "NOT_FOUND", ""},
	} {
		answer := a.as(t, staff.Operator, refund, c.vars)
		if field, _ := answer.field(); answer.code() != c.code || field != c.field {
			t.Errorf("%s: got %s", name, answer.Raw)
		}
	}
}

func TestManyApprovalsAtOnceSendOnePayout(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := waitingPayout(a, t).Payment
	answers := make(chan reply, 20)
	var wg sync.WaitGroup
	for range cap(answers) {
		wg.Go(func() {
			answers <- a.as(t, staff.Operator, `mutation($code: String!) { approvePayout(input: {trackingCode: $code}) { transaction { status } } }`, vars{"code": p.TrackingCode})
		})
	}
	wg.Wait()
	close(answers)
	for answer := range answers {
		if answer.code() != "" {
			t.Errorf("got %s", answer.Raw)
		}
	}
	a.Work(t)
	if orders := a.Sandbox.Orders(a.operationsOf(t, p)[0].Reference); len(orders) != 1 {
		t.Errorf("the gateway was sent the payout %d times", len(orders))
	}
}

func TestPayoutDecisions(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for mutation, want := range map[string]payment.Status{
		`rejectPayout(input: {trackingCode: $code, reason: "wrong wallet"})`: payment.Rejected,
		`cancelPayout(input: {trackingCode: $code})`:                         payment.Canceled,
	} {
		p := waitingPayout(a, t).Payment
		query := `mutation($code: String!) { done: ` + mutation + ` { transaction { status awaitsApproval } } }`
		var done struct {
			Status         string
			AwaitsApproval bool
		}
		a.as(t, staff.DealerStaff, query, vars{"code": p.TrackingCode}).into(t, "done.transaction", &done)
		if done.Status != strings.ToUpper(string(want)) || done.AwaitsApproval {
			t.Errorf("%s: got %+v", mutation, done)
		}
		if again := a.as(t, staff.Admin, query, vars{"code": p.TrackingCode}); again.code() != "ALREADY_FINAL" {
			t.Errorf("%s again: got %s", mutation, again.Raw)
		}
		a.work(t)
		if _, ok := a.Sandbox.FindPayout(string(a.operationsOf(t, p)[0].Reference)); ok {
			t.Errorf("%s: the gateway has the payout", mutation)
		}
	}
	deposit := a.start(t, payment.ManualDeposit)
	for _, name := range []string{"approvePayout", "rejectPayout", "cancelPayout", "failPayout"} {
		query := `mutation($code: String!) { ` + name + `(input: {trackingCode: $code}) { transaction { status } } }`
		if answer := a.as(t, staff.Admin, query, vars{"code": deposit.TrackingCode}); answer.code() != "WRONG_METHOD" {
			t.Errorf("%s of a deposit: got %s", name, answer.Raw)
		}
	}
}

func TestWhatHasNotLeftIsStopped(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	stop := func(name string, p payment.Payment) reply {
		return a.as(t, staff.Operator, `mutation($code: String!) { `+name+`(input: {trackingCode: $code, reason: "no funds"}) { transaction { status } } }`, vars{"code": p.TrackingCode})
	}
	waiting, tried := waitingPayout(a, t).Payment, triedPayout(a, t).Payment
	for name, c := range map[string]struct {
		payment.Payment
		instead string
	}{"failPayout": {waiting, "showing → cancel, reject"}, "rejectPayout": {tried, "processing → fail"}, "cancelPayout": {tried, "processing → fail"}} {
		if answer := stop(name, c.Payment); answer.code() != "NOT_ALLOWED_IN_STATUS" || !strings.Contains(answer.Raw, c.instead) {
			t.Errorf("%s: got %s, want %q in it", name, answer.Raw, c.instead)
		}
	}
	if answer := stop("failPayout", tried); answer.code() != "" || a.Reload(t, tried).Status != payment.Failed {
		t.Errorf("got %s", answer.Raw)
	}
	refund := plannedRefund(a, t)
	cancel := `mutation($id: ID!) { cancelRefund(input: {operationId: $id, reason: "by mistake"}) { transaction { operations { kind phase status } } } }`
	want := `{"data":{"cancelRefund":{"transaction":{"operations":[{"kind":"DEPOSIT","phase":"CLOSED","status":"paid"},{"kind":"REFUND","phase":"CLOSED","status":"failed"}]}}}}`
	if answer := a.as(t, staff.Finance, cancel, vars{"id": refund.discrepancy}); answer.Raw != want {
		t.Errorf("got %s, want %s", answer.Raw, want)
	}
	if answer := a.as(t, staff.Finance, cancel, vars{"id": refund.discrepancy}); answer.code() != "ALREADY_FINAL" {
		t.Errorf("again: got %s", answer.Raw)
	}
}

func TestConfirmPayout(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := payoutWithCode(a, t).Payment
	for name, c := range map[string]struct{ factor, want string }{
		"none":        {" ", "INVALID"},
		"too long":    {strings.Repeat("1", 65), "INVALID"},
		"a wrong one": {"000000", "GATEWAY_FAILED"},
	} {
		if answer := a.as(t, staff.Operator, confirm, vars{"code": p.TrackingCode, "factor": c.factor}); answer.code() != c.want {
			t.Errorf("%s: got %s, want %s", name, answer.Raw, c.want)
		}
	}
	if answer := a.as(t, staff.Operator, confirm, vars{"code": p.TrackingCode, "factor": " 123456 "}); answer.code() != "" {
		t.Errorf("got %s", answer.Raw)
	}
	if answer := a.as(t, staff.Operator, confirm, vars{"code": p.TrackingCode, "factor": "123456"}); answer.code() != "NOT_ALLOWED_IN_STATUS" {
		t.Errorf("again: got %s", answer.Raw)
	}
}

func TestADealersStaffSeeOnlyTheirPaymentsAtGateways(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	mine := overpaidCard(a, t)
	a.Provider, a.OtherProvider, a.Site, a.OtherSite = a.OtherProvider, a.Provider, a.OtherSite, a.Site
	theirs, waiting, factor := a.overpaid(t, payment.BankDeposit), waitingPayout(a, t), payoutWithCode(a, t)
	for query, s := range map[string]subject{
		`query($code: String!) { transaction(trackingCode: $code) { operations { why } gatewayCalls { detail } } }`:           theirs,
		`mutation($code: String!) { approvePayout(input: {trackingCode: $code}) { transaction { status } } }`:                 waiting,
		`mutation($code: String!) { rejectPayout(input: {trackingCode: $code}) { transaction { status } } }`:                  waiting,
		`mutation($code: String!) { cancelPayout(input: {trackingCode: $code}) { transaction { status } } }`:                  waiting,
		`mutation($code: String!) { confirmPayout(input: {trackingCode: $code, code: "123456"}) { transaction { status } } }`: factor,
	} {
		answer := a.as(t, staff.DealerStaff, query, vars{"code": s.TrackingCode})
		if answer.code() != "NOT_FOUND" || a.Reload(t, s.Payment).Version != s.Version {
			t.Errorf("%s: got %s", query, answer.Raw)
		}
	}
	for name, filter := range map[string]string{"all": `{}`, "open": `{status: OPEN}`, "at a gateway": `{gatewayId: 1}`, "of a kind": `{kind: OVER}`} {
		var page struct{ Nodes []struct{ ID core.ID } }
		a.as(t, staff.DealerStaff, `{ discrepancies(filter: `+filter+`) { nodes { id } } }`, nil).into(t, "discrepancies", &page)
		if len(page.Nodes) != 1 || page.Nodes[0].ID != mine.discrepancy {
			t.Errorf("%s: the dealer's staff see %+v, want %s", name, page.Nodes, mine.discrepancy)
		}
	}
	var seen struct {
		Nodes []struct {
			Operations    []struct{ ID core.ID }
			Discrepancies struct{ Nodes []struct{ ID core.ID } }
		}
	}
	query := `{ transactions { nodes { operations { id } discrepancies { nodes { id } } } } }`
	a.as(t, staff.DealerStaff, query, nil).into(t, "transactions", &seen)
	if len(seen.Nodes) != 1 || len(seen.Nodes[0].Operations) != 1 || seen.Nodes[0].Discrepancies.Nodes[0].ID != mine.discrepancy {
		t.Errorf("the dealer's staff see %+v", seen)
	}
}

// TestWithoutGateways holds that whoever has no gateways asks for the rest as ever.
func TestWithoutGateways(t *testing.T) {
	t.Parallel()
	a := newAPI(t, withoutGateways)
	p := a.start(t, payment.ManualDeposit)
	all := strings.TrimSuffix(everything, "} }") + `gateway { code } orderId refundedAmount failure { code } cardPayer { email }
		payee { walletNumber } awaitsApproval claim { staffName } wallet { iban } } }`
	if answer := a.as(t, staff.Admin, all, vars{"code": p.TrackingCode}); answer.code() != "" {
		t.Errorf("got %s", answer.Raw)
	}
	answer := a.as(t, staff.Admin, `{ me { id } gatewayAccounts { code } routeRules { name } discrepancies { nodes { id } } }`, nil)
	if answer.code() != "INTERNAL" || string(answer.Data["me"]) == "null" || answer.Status != 200 {
		t.Errorf("got %s", answer.Raw)
	}
}

func TestATransactionsCallsAreShown(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Sandbox.Fault = func(call gateway.Capability, _ gateway.Ref) apptest.Fault {
		if call == gateway.CanReadDeposit {
			return apptest.Broken
		}
		return apptest.NoFault
	}
	p := a.start(t, payment.CreditCard)
	a.begin(t, p)
	a.Clock.Advance(10 * time.Second)
	a.Work(t)
	var seen struct {
		GatewayCalls []struct {
			Name, Outcome string
			Effect        *string
			IsOk          bool
		}
	}
	query := `query($code: String!) { transaction(trackingCode: $code) { gatewayCalls { name outcome effect isOk } } }`
	a.as(t, staff.Viewer, query, vars{"code": p.TrackingCode}).into(t, "transaction", &seen)
	if n := len(seen.GatewayCalls); n < 2 || seen.GatewayCalls[n-1].Name != "start_deposit" || !seen.GatewayCalls[n-1].IsOk {
		t.Fatalf("the calls are %+v", seen.GatewayCalls)
	}
	if last := seen.GatewayCalls[0]; last.Name != "read_deposit" || last.IsOk || last.Effect == nil || *last.Effect != "unknown" {
		t.Errorf("the last call is %+v", last)
	}
}
