package graph_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// FuzzOperation sends any operation as an admin: whatever it is, it is answered, and never with an internal fault.
func FuzzOperation(f *testing.F) {
	a := newAPI(f, withIntrospection, unlimited)
	variables, err := json.Marshal(vars{
		"code": a.StartDeposit(f, payment.ManualDeposit, lira(25000)).TrackingCode, "amount": "300.50", "first": 5, "after": nil,
		"filter": vars{"status": []string{"SHOWING"}, "minAmount": 1.5, "createdFrom": "2026-03-02T09:00:00Z", "siteId": 1},
		"input":  vars{"id": 1, "name": "Acme", "ipWhitelist": []string{"::/0"}},
		"wallet": a.Wallet.WalletID, "line": a.receive(f, a.Wallet, lira(25000), "Ayşe Yılmaz", "havale").LineID, "reason": "why",
		"day": a.today(), "from": "2026-02-28", "to": "2026-03-02", "page": 1, "kind": "MISSING_THERE", "entry": "01", "is": true,
		"dealer": "1", "gateway": "3", "takeOver": true, "free": true, "open": false, "challenge": "vzx_1", "provider": 1, "token": "vzi_1", "email": "a@b", "password": "p",
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, query := range []string{
		everything, listQuery, approve, updateProvider, introspection, bomb(5), `{ me { id } }`, "\x00", seeAtGateways,
		listDiscrepancies, resolve, refundDiscrepancy, refund, confirm, allPlugins, allNotifications, testAccount, saveRule,
		createAccount, updateAccount, allWallets, oneWallet, listEntries, walletStatement, createWallet, setActive, bankAccounts,
		listLines, credit, setAside, bringBack, listDays, reconcileDay, explain, deskLoads, deskQueue, claimWithdrawal,
		releaseWithdrawal, complete, everyList, everyOwn, loginAny, loginCode, beginTotp, confirmTotp, mySessions, stepUpCode,
		inviteProvider, acceptInvitation, staffList,
	} {
		f.Add(query, string(variables))
	}
	for _, input := range []string{`{"config":[{"name":"api_key","value":"x"},null]}`, `{"kind":null,"min":"1e9","siteId":""}`, `[]`} {
		f.Add(updateAccount, `{"id":1,"input":`+input+`}`)
		f.Add(saveRule, `{"input":`+input+`}`)
	}
	for _, v := range []string{
		`{"wallet":"W-\u0007","line":"` + strings.Repeat("ş", 300) + `","code":"","reason":"\n"}`, `{"wallet":1,"line":[],"code":null}`,
		`{"wallet":"` + a.OtherWallet.WalletID + `","day":"9999-12-31","from":"2999-12-31","to":"2999-12-31","page":10000}`,
	} {
		for _, query := range []string{credit, setAside, walletStatement, reconcileDay, explain, listEntries} {
			f.Add(query, v)
		}
	}
	for _, v := range []string{`{"dealerId":1,"gatewayId":3,"bankAccountId":"\u0000","min":"1","max":1e3}`, `{"dealerId":"9223372036854775808"}`} {
		f.Add(createWallet, `{"input":`+v+`}`)
	}
	for _, variables := range []string{"", "null", "[]", `{"code":1e999}`, `{"code":["x"]}`, `{"first":{}}`, `{"filter":{"status":[[]]}}`} {
		f.Add(listQuery, variables)
		f.Add(approve, variables)
	}
	f.Fuzz(func(t *testing.T, query, variables string) {
		text, err := json.Marshal(query)
		if err != nil {
			t.Fatal(err)
		}
		body := `{"query":` + string(text) + `,"variables":` + variables + `}`
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+a.tokens[staff.Admin])
		answer := a.send(t, r)
		if answer.Status != 200 && answer.Status != 400 && answer.Status != 413 {
			t.Errorf("answered %d", answer.Status)
		}
		for _, e := range answer.Errors {
			if e.Extensions.Code == "" || e.Extensions.Code == "INTERNAL" {
				t.Errorf("answered %s; logged %s", answer.Raw, a.Logs)
			}
		}
	})
}
