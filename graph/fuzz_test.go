package graph_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
)

// FuzzOperation sends any operation as an admin: whatever it is, it is answered, and never with an internal fault.
func FuzzOperation(f *testing.F) {
	a := newAPI(f, withIntrospection)
	variables, err := json.Marshal(vars{
		"code": a.StartDeposit(f, core.ManualDeposit, lira(25000)).TrackingCode, "amount": "300.50", "first": 5, "after": nil,
		"filter": vars{"status": []string{"showing"}, "minAmount": 1.5, "createdFrom": "2026-03-02T09:00:00Z", "siteId": 1},
		"id":     1, "input": vars{"name": "Acme", "ipWhitelist": []string{"::/0"}},
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, query := range []string{
		everything, listQuery, approve, updateProvider, introspection, bomb(5), `{ me { id } }`, "\x00", seeAtGateways,
		listDiscrepancies, resolve, refundDiscrepancy, refund, confirm, allPlugins, allNotifications, testAccount, saveRule,
		createAccount, updateAccount,
	} {
		f.Add(query, string(variables))
	}
	for _, input := range []string{`{"config":[{"name":"api_key","value":"x"},null]}`, `{"kind":null,"min":"1e9","siteId":""}`, `[]`} {
		f.Add(updateAccount, `{"id":1,"input":`+input+`}`)
		f.Add(saveRule, `{"input":`+input+`}`)
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
		r.Header.Set("Authorization", "Bearer "+a.tokens[core.Admin])
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
