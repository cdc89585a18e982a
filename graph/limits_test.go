package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph"
)

// introspection is what graphql-js 16 asks for.
const introspection = `query IntrospectionQuery {
	__schema {
		description
		queryType { name } mutationType { name } subscriptionType { name }
		types { ...FullType }
		directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } }
	}
}
fragment FullType on __Type {
	kind name description specifiedByURL isOneOf
	fields(includeDeprecated: true) {
		name description args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason
	}
	inputFields(includeDeprecated: true) { ...InputValue }
	interfaces { ...TypeRef }
	enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
	possibleTypes { ...TypeRef }
}
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue isDeprecated deprecationReason }
fragment TypeRef on __Type {
	kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
	ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } }
}`

func TestIntrospectionIsSwitchable(t *testing.T) {
	t.Parallel()
	on := newAPI(t, withIntrospection).as(t, "", introspection, nil)
	if on.code() != "" || !strings.Contains(on.Raw, `"name":"Transaction"`) {
		t.Errorf("switched on: got %.200s", on.Raw)
	}
	off := newAPI(t)
	for _, query := range []string{
		introspection, `{ __type(name: "Staff") { name } }`, `{ ... on Query { ...F } } fragment F on Query { __schema { types { name } } }`,
	} {
		answer := off.as(t, staff.Admin, query, nil)
		if answer.code() != "GRAPHQL_VALIDATION_FAILED" || answer.Status != 400 || len(answer.Data) != 0 {
			t.Errorf("switched off: got %.200s", answer.Raw)
		}
	}
	typo := off.as(t, staff.Admin, `{ transaction(trackingCode: "x") { statu } }`, nil)
	if strings.Contains(typo.Raw, "Did you mean") {
		t.Errorf("switched off: suggestions give the schema away: %s", typo.Raw)
	}
}

func TestOperationsAreBounded(t *testing.T) {
	t.Parallel()
	a := newAPI(t, withIntrospection)
	for name, c := range map[string]struct{ query, want string }{
		"deep":            {`{ __type(name: "Staff") { ` + nest("ofType", 30) + ` } }`, "levels deep"},
		"wide":            {`{ ` + strings.Repeat("...F ", 6) + `} fragment F on Query { ` + numbered("a%d: __typename ", 200) + `}`, "fields"},
		"spread again":    {bomb(30), "fields"},
		"spread deeply":   {bomb(100), "fragments"},
		"a long text":     {`{ ` + strings.Repeat("__typename ", 1500) + `}`, "token"},
		"all at once":     {`{ transactions(first: 200) { nodes { history { nodes { at command actor { name } } } callbacks { attempts { url answer } } } } }`, "costs"},
		"many rows":       {`{ ` + numbered("a%d: transactions(first: 200) { nodes { trackingCode status } } ", 40) + `}`, "costs"},
		"many last rows":  {`{ ` + numbered("a%d: transactions(last: 200) { nodes { trackingCode status } } ", 40) + `}`, "costs"},
		"a small first":   {`{ ` + numbered("a%d: transactions(first: 1, last: 200) { nodes { trackingCode status } } ", 40) + `}`, "costs"},
		"many sign-ins":   {`mutation { ` + numbered(`a%d: login(input: {email: "a@b.test", password: "x"}) { token } `, 4) + `}`, "costs"},
		"many decisions":  {`mutation { ` + numbered(`a%d: completeWithdrawal(input: {trackingCode: "x"}) { transaction { status } } `, 100) + `}`, "token"},
		"many tests":      {`mutation { ` + numbered(`a%d: testGatewayAccount(input: {id: 1}) { isOk } `, 15) + `}`, "costs"},
		"many refunds":    {`mutation { ` + numbered(`a%d: refundTransaction(input: {trackingCode: "x"}) { transaction { status } } `, 100) + `}`, "token"},
		"many rules":      {`mutation { ` + numbered(`a%d: saveRouteRule(input: {}) { routeRule { id } } `, 99) + `}`, "costs"},
		"all histories":   {`{ transactions(first: 50) { nodes { history(last: 200) { nodes { at command to } } } } }`, "costs"},
		"all that differ": {`{ transactions(first: 50) { nodes { discrepancies(first: 200) { nodes { id kind } } } } }`, "costs"},
		"all calls":       {`{ transactions(first: 200) { nodes { gatewayCalls { name at outcome effect detail gateway { code } } } } }`, "costs"},
		"all approvals":   {`{ ` + numbered("a%d: transactions(first: 200) { nodes { awaitsApproval } } ", 4) + `}`, "costs"},
		"many mismatches": {`{ ` + numbered("a%d: discrepancies(first: 200) { nodes { id detail } } ", 30) + `}`, "costs"},
		"many credits": {
			`mutation { ` + numbered(`a%d: creditBankLine(input: {walletId: "x", lineId: "x", trackingCode: "x"}) { bankLine { status } } `, 110) + `}`, "token",
		},
		"many claims":       {`mutation { ` + numbered(`a%d: claimWithdrawal(input: {trackingCode: "x"}) { transaction { status } } `, 100) + `}`, "token"},
		"many wallets":      {`mutation { ` + numbered(`a%d: createWallet(input: {dealerId: 1, gatewayId: 1, bankAccountId: "x", min: 1, max: 1}) { wallet { iban } } `, 15) + `}`, "costs"},
		"many days":         {`mutation { ` + numbered(`a%d: reconcileDay(input: {walletId: "x", day: "2026-03-02"}) { reconciliation { status } } `, 8) + `}`, "costs"},
		"many explanations": {`mutation { ` + numbered(`a%d: explainDifference(input: {walletId: "x", day: "2026-03-02", kind: MISSING_HERE, reason: "x"}) { reconciliation { status } } `, 100) + `}`, "token"},
		"many banks":        {`{ ` + numbered(`a%d: bankAccounts(gatewayId: 1) { iban } `, 15) + `}`, "costs"},
		"all candidates":    {`{ bankLines(first: 200) { nodes { candidates { score } } } }`, "costs"},
		"all that is known of lines": {
			`{ bankLines(first: 200) { nodes { text amount bookedAt status note wallet { iban } transaction { status customer { fullname } history { nodes { at command to } } } } } }`, "costs",
		},
		"all entries":     {`{ wallets { entries(first: 200) { nodes { at kind available reserved } } } }`, "costs"},
		"all statements":  {`{ wallets { statement(from: "2026-03-01", until: "2026-03-02") { lines { text amount bookedAt status note direction lineId } } } }`, "costs"},
		"all days":        {`{ wallets { days(first: 200) { nodes { day differences { kind } } } } }`, "costs"},
		"all differences": {`{ reconciliations(first: 200) { nodes { wallet { iban } differences { kind ours theirs transaction { status } } } } }`, "costs"},
		"around in a circle": {
			`{ wallet(id: "x") { entries { nodes { transaction { wallet { entries { nodes { transaction { wallet { iban } } } } } } } } } }`,
			"costs",
		},
		"down the circle": {
			`{ bankLines(first: 1) { nodes { ` + strings.Repeat("transaction { bankLines { ", 8) + "text" + strings.Repeat(" } }", 8) + ` } } }`,
			"levels deep",
		},
		"the whole desk": {`{ ` + numbered("a%d: deskWithdrawals(first: 200) { nodes { status amount } } ", 30) + `}`, "costs"},
		"deferred":       {`{ me { id } ... @defer { transactions { nodes { status } } } }`, "@defer"},
		"NUL":            {`{ transaction(trackingCode: "MAN-\u0000") { status } }`, "NUL"},
		"NUL in a list":  {`{ transactions(filter: {userId: "a\u0000"}) { nodes { status } } }`, "NUL"},
		"a cycle":        {`{ me { ...F } } fragment F on Staff { ...F }`, "cannot spread fragment"},
	} {
		answer := a.as(t, staff.Admin, c.query, nil)
		if answer.Status != 400 || !strings.HasPrefix(answer.code(), "GRAPHQL_") || !strings.Contains(strings.ToLower(answer.Raw), strings.ToLower(c.want)) {
			t.Errorf("%s: got %d %.300s", name, answer.Status, answer.Raw)
		}
	}
	if answer := a.as(t, staff.Admin, `query($c: String!) { transaction(trackingCode: $c) { status } }`, vars{"c": "\x00"}); answer.Status != 400 {
		t.Errorf("NUL in a variable: got %s", answer.Raw)
	}
}

func TestAFullPageIsWithinTheLimits(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	all := strings.TrimSuffix(strings.TrimPrefix(everything, `query($code: String!) { transaction(trackingCode: $code) {`), "} }")
	for name, query := range map[string]string{
		"without gateways": `{ transactions { nodes { ` + all + ` } } }`,
		"with gateways":    `{ transactions(first: 20) { nodes { ` + all + atGateways + ` } } }`,
		"rows":             `{ transactions(first: 200) { edges { cursor node { trackingCode status amount createdAt customer { fullname } } } } }`,
		"what to approve":  `{ transactions(first: 200, filter: {status: SHOWING}) { nodes { trackingCode awaitsApproval payee { walletNumber } } } }`,
		"discrepancies":    `{ discrepancies(first: 200) { nodes ` + discrepancyFields + ` } }`,
		"plugins":          allPlugins,
		"accounts":         `{ gatewayAccounts ` + accountFields + ` routeRules { name gateway { code } } }`,
		"wallets":          `{ wallets {` + walletOwn + feedFields + `} }`,
		"entries":          strings.ReplaceAll(`{ wallet(id: "W") { entries(first: 200) { nodes {`+entryFields+`} } } }`, "W", a.Wallet.WalletID),
		"bank lines":       `{ bankLines { edges { cursor } nodes {` + lineFields + `} pageInfo { endCursor } } }`,
		"lines that wait":  `{ bankLines(first: 200, filter: {status: [UNMATCHED, DOUBTFUL]}) { nodes { lineId amount text counterpartyName wallet { id } } } }`,
		"days":             `{ reconciliations { nodes {` + dayFields + `} } }`,
		"desk":             `{ withdrawalDesk { dealerId amount } deskWithdrawals(first: 200) { nodes { trackingCode amount iban claim { staffName isHeld } } } }`,
	} {
		if answer := a.as(t, staff.Admin, query, nil); answer.code() != "" {
			t.Errorf("%s: got %.500s", name, answer.Raw)
		}
	}
}

// nest is field{field{…}}.
func nest(field string, times int) string {
	return strings.Repeat(field+" { ", times) + "kind" + strings.Repeat(" }", times)
}

func numbered(format string, times int) string {
	var b strings.Builder
	for i := range times {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// bomb is a query whose fragments each spread the next one twice: 2^levels fields in a few lines.
func bomb(levels int) string {
	var b strings.Builder
	b.WriteString("{ ...F0 }")
	for i := range levels {
		fmt.Fprintf(&b, " fragment F%d on Query { ...F%d ...F%d }", i, i+1, i+1)
	}
	fmt.Fprintf(&b, " fragment F%d on Query { __typename }", levels)
	return b.String()
}

// TestWhatHasACostIsAField: a name that the schema does not have would leave the field that is meant without its cost.
func TestWhatHasACostIsAField(t *testing.T) {
	t.Parallel()
	priced := graph.PricedFields()
	if len(priced) == 0 {
		t.Fatal("nothing has a cost")
	}
	for _, name := range priced {
		typeName, field, _ := strings.Cut(name, ".")
		if d := schema().Types[typeName]; d == nil || d.Fields.ForName(field) == nil {
			t.Errorf("the schema has no field %s", name)
		}
	}
}
