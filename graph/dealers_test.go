package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

const (
	tokenFields   = ` id dealerId name isActive credentialEnding createdAt updatedAt` + oldFields
	accountOfIBAN = ` id dealerId kind bankName holder iban isActive currency min max dailyLimit dailyCount createdAt updatedAt
		today { day usedAmount offerCount amountLeft countLeft lastOfferedAt } `
	dealerFields = ` id name isActive isCreditCardEnabled isEibanEnabled isManualIbanEnabled creditCardCallbackUrl ipWhitelist
		credentialEnding createdAt updatedAt` + oldFields + ` siteTokens {` + tokenFields + `} accounts {` + accountOfIBAN + `} `

	oneDealer    = `query($id: ID!) { dealer(id: $id) {` + dealerFields + `} }`
	createDealer = `mutation($input: CreateDealerInput!) { createDealer(input: $input) {
		dealer {` + dealerFields + `} credentials {` + issuedFields + `} } }`
	updateDealer = `mutation($input: UpdateDealerInput!) { updateDealer(input: $input) { dealer {` + dealerFields + `} } }`
	rotateDealer = `mutation($input: RotateCredentialInput!) { rotateDealerCredential(input: $input) {
		dealer { id credentialEnding` + oldFields + `} credentials {` + issuedFields + `} } }`
	createToken = `mutation($input: CreateSiteTokenInput!) { createSiteToken(input: $input) {
		siteToken {` + tokenFields + `} credentials {` + issuedFields + `} } }`
	updateToken = `mutation($input: UpdateSiteTokenInput!) { updateSiteToken(input: $input) { siteToken {` + tokenFields + `} } }`
	rotateToken = `mutation($input: RotateCredentialInput!) { rotateSiteTokenCredential(input: $input) {
		siteToken {` + tokenFields + `} credentials {` + issuedFields + `} } }`
	createIBAN = `mutation($input: CreateAccountInput!) { createAccount(input: $input) { ibanAccount {` + accountOfIBAN + `} } }`
	updateIBAN = `mutation($input: UpdateAccountInput!) { updateAccount(input: $input) { ibanAccount {` + accountOfIBAN + `} } }`
)

func TestGoldenDealers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Clock.Advance(time.Minute)
	checkKeys(t, "dealer-created", a.as(t, staff.Admin, createDealer, vars{"input": vars{
		"name": "Trakya", "isCreditCardEnabled": true, "isEibanEnabled": true, "isManualIbanEnabled": true,
		"creditCardCallbackUrl": "https://trakya.test/cc", "ipWhitelist": []string{"192.0.2.0/24"},
	}}))
	checkKeys(t, "site-token-created", a.as(t, staff.Admin, createToken, vars{"input": vars{"dealerId": 3, "name": "Shop"}}))
	a.Clock.Advance(time.Minute)
	checkKeys(t, "site-token-updated", a.as(t, staff.Admin, updateToken, vars{"input": vars{"id": 1, "name": "Shop 2", "isActive": false}}))
	checkKeys(t, "site-token-rotated", a.as(t, staff.Admin, rotateToken, vars{"input": vars{"id": 1, "credential": "SITE_TOKEN"}}))
	checkKeys(t, "dealer-rotated", a.as(t, staff.Admin, rotateDealer, vars{"input": vars{"id": 3, "credential": "SECRET_KEY", "graceHours": 2}}))
	checkKeys(t, "dealer-updated", a.as(t, staff.Admin, updateDealer, vars{"input": vars{"id": 3,
		"name": "Trakya 2", "isActive": false, "isCreditCardEnabled": false, "isEibanEnabled": false, "isManualIbanEnabled": false,
		"creditCardCallbackUrl": "", "ipWhitelist": []string{},
	}}))
	checkKeys(t, "dealers", a.as(t, staff.Viewer, `{ dealers { edges { cursor node { id } } nodes {`+dealerFields+`}
		pageInfo { hasNextPage endCursor } } }`, nil))
}

func TestGoldenAccounts(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	if _, err := a.Deposits.Continue(t.Context(), p, lira(250000)); err != nil {
		t.Fatal(err)
	}
	a.Clock.Advance(time.Minute)
	checkKeys(t, "account-created", a.as(t, staff.Operator, createIBAN, vars{"input": vars{
		"dealerId": 1, "kind": "MANUAL", "iban": " " + strings.ToLower(turkish(99)[:4]) + " " + turkish(99)[4:], "bankName": " Vezne Bank ", "holder": "Marmara",
		"min": "10", "max": "5000.00", "dailyLimit": "10000", "dailyCount": 3,
	}}))
	checkKeys(t, "account-updated", a.as(t, staff.Operator, updateIBAN, vars{"input": vars{"id": 1,
		"bankName": "Other", "holder": "Someone", "isActive": false, "min": "5", "max": "6000", "dailyLimit": "0", "dailyCount": 7,
	}}))
	checkKeys(t, "accounts-of-dealer", a.as(t, staff.DealerStaff, `{ dealer(id: 1) { accounts(kind: MANUAL) {`+accountOfIBAN+`} } }`, nil))
}

func TestBadDealersAndAccounts(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	account := func(change vars) vars {
		v := vars{
			"dealerId": 1, "kind": "MANUAL", "iban": turkish(7), "bankName": "B", "holder": "H", "min": "10", "max": "20",
		}
		for k, x := range change {
			v[k] = x
		}
		return vars{"input": v}
	}
	for _, tt := range []struct {
		query  string
		v      vars
		fields string
	}{
		{createDealer, vars{"input": vars{"name": "", "creditCardCallbackUrl": "x", "ipWhitelist": []string{"1.2.3"}}}, "name creditCardCallbackUrl ipWhitelist"},
		{updateDealer, vars{"input": vars{"id": 1, "name": " ", "creditCardCallbackUrl": "javascript:1"}}, "name creditCardCallbackUrl"},
		{createToken, vars{"input": vars{"dealerId": 99, "name": ""}}, "dealerId name"},
		{rotateDealer, vars{"input": vars{"id": 1, "credential": "WEBHOOK_SECRET"}}, "credential"},
		{createIBAN, account(vars{"dealerId": 99, "kind": "MANUAL", "iban": "TR00", "bankName": "", "holder": "", "min": "0.5", "max": "0.1",
			"dailyLimit": "0.2", "dailyCount": -1}), "dealerId iban bankName holder min max dailyLimit dailyCount"},
		{createIBAN, account(vars{"iban": "TR340006100519786457841326"}), "iban"},       // check digits
		{createIBAN, account(vars{"iban": "TR33 0006 1005 1978 6457 8413 26"}), "iban"}, // the dealer has it
		{createIBAN, account(vars{"min": "1.001"}), "min"},
		{updateIBAN, vars{"input": vars{"id": 1, "min": "20", "max": "19.99", "dailyLimit": "19"}}, "max dailyLimit"},
		{updateIBAN, vars{"input": vars{"id": 1, "max": "0.99"}}, "max"},
	} {
		answer := a.as(t, staff.Admin, tt.query, tt.v)
		var fields []string
		for _, e := range answer.Errors {
			for _, f := range e.Extensions.Fields {
				fields = append(fields, f.Name)
			}
		}
		if answer.code() != "INVALID" || strings.Join(fields, " ") != tt.fields {
			t.Errorf("%v: got %s, want %s", tt.v, answer.Raw, tt.fields)
		}
	}
	for query, v := range map[string]vars{
		updateDealer: {"input": vars{"id": 99}}, updateToken: {"input": vars{"id": 99}}, updateIBAN: {"input": vars{"id": 99}},
		oneDealer: {"id": 99},
	} {
		if got := a.as(t, staff.Admin, query, v).code(); got != "NOT_FOUND" {
			t.Errorf("%s: got %q", query, got)
		}
	}
}

// TestDealersStaffSeeTheirOwnDealerOnly: no list and no id shows another.
func TestDealersStaffSeeTheirOwnDealerOnly(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	if _, err := a.Directory.CreateSiteToken(t.Context(), app.BySystem, owner.SiteToken{DealerID: a.OtherDealer.ID, Name: "theirs"}); err != nil {
		t.Fatal(err)
	}
	all := `{ dealers { nodes {` + dealerFields + `} } }`
	for _, query := range []string{all, `{ dealers(filter: {name: "Ege"}) { nodes { name } } }`, `{ dealers(after: "MQ") { nodes { name } } }`} {
		answer := a.as(t, staff.DealerStaff, query, nil)
		if answer.code() != "" || strings.Contains(answer.Raw, a.OtherDealer.Name) || strings.Contains(answer.Raw, "theirs") {
			t.Errorf("%s: got %s", query, answer.Raw)
		}
	}
	if own := a.as(t, staff.DealerStaff, all, nil).Raw; !strings.Contains(own, a.Dealer.Name) || !strings.Contains(own, a.Accounts[0].IBAN) {
		t.Errorf("their own: got %s", own)
	}
	if got := a.as(t, staff.DealerStaff, oneDealer, vars{"id": a.OtherDealer.ID}).code(); got != "NOT_FOUND" {
		t.Errorf("the other dealer: got %q", got)
	}
	if got := a.as(t, staff.Viewer, oneDealer, vars{"id": a.OtherDealer.ID}); got.code() != "" || !strings.Contains(got.Raw, "theirs") {
		t.Errorf("as viewer: got %s", got.Raw)
	}
}
