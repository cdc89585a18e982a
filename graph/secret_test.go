package graph_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
)

// secretive is a card payment whose gateway left secrets in everything that is kept and not shown: in its own reference
// of the payment, and in a notification.
func secretive(a *api, t *testing.T) subject {
	t.Helper()
	s := overpaidCard(a, t)
	o := a.operationsOf(t, s.Payment)[0]
	o.Version++
	o.External.State, o.External.Alt = []byte("state-of-till"), map[string]string{"token": "token-of-till"}
	if err := a.Desk.Commit(t.Context(), core.Changeset{Operations: []core.Operation{o}}); err != nil {
		t.Fatal(err)
	}
	told := a.Till.Notification("n-1", o.Ref, gateway.Hint)
	told.Header = append(told.Header, gateway.Field{Name: "Authorization", Value: "header-of-till"})
	told.Body = bytes.Replace(told.Body, []byte("{"), []byte(`{"secret":"body-of-till",`), 1)
	if _, err := a.Operations.Notify(t.Context(), a.Gateway.HookToken, told); err != nil {
		t.Fatal(err)
	}
	a.Work(t)
	return s
}

func TestNoSecretIsEverShown(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	deposit, card := a.StartDeposit(t, core.ManualDeposit, lira(25000)), secretive(a, t)
	o := a.operationsOf(t, card.Payment)[0]
	var shown bytes.Buffer
	ask := func(query string, v vars) { shown.WriteString(a.as(t, core.Admin, query, v).Raw) }
	for _, query := range []string{
		`{ provider(id: 1) { id name callbackUrl ipWhitelist } me { id email } }`, `{ provider(id: 1) { secretKey apiKey } }`,
		`mutation { updateProvider(id: 1, input: {name: "New"}) { name updatedAt } }`, `{ gatewayAccounts ` + accountFields + ` }`,
		`{ gatewayAccount(id: 1) { config { value } hookToken } }`, allPlugins, allNotifications, listDiscrepancies,
	} {
		ask(query, nil)
	}
	for _, p := range []core.Payment{deposit, card.Payment} {
		ask(everything, vars{"code": p.TrackingCode})
		ask(seeAtGateways, vars{"code": p.TrackingCode})
	}
	planted := []vars{{"name": "api_key", "value": "planted-by-test"}}
	ask(createAccount, newAccount("third", vars{"config": planted}))
	ask(createAccount, newAccount("third", vars{"config": append(planted, vars{"name": "planted", "value": "planted-by-test"})}))
	ask(updateAccount, vars{"id": 1, "input": vars{"config": planted}})
	ask(updateAccount, vars{"id": 1, "input": vars{"code": "UPPER", "config": planted}})
	ask(testAccount, vars{"id": 1})
	ask(confirm, vars{"code": card.TrackingCode, "factor": "factor-of-test"})
	if got := shown.String(); !strings.Contains(got, `"reference":"`+string(o.Ref)) || !strings.Contains(got, `"isSet":true`) {
		t.Errorf("the answers lack what they should have: %s", got)
	}
	shown.WriteString(a.Logs.String())
	for name, secret := range map[string]string{
		"API key": a.Provider.APIKey, "secret key": a.Provider.SecretKey.Reveal(), "credential key": a.CredentialKey,
		"verification key": a.Provider.VerificationKey.Reveal(), "webhook secret": a.Provider.WebhookSecret.Reveal(),
		"password hash": a.Admin.PasswordHash.Reveal(), "token": a.tokens[core.Admin], "page token": deposit.Token,
		"card's page token": card.Token, "return token": o.ReturnToken, "notification token": a.Gateway.HookToken,
		"gateway's key": "key-of-till", "other gateway's key": "key-of-other-till", "planted key": "planted-by-test",
		"gateway's state": "state-of-till", "gateway's token": "token-of-till", "notification's header": "header-of-till",
		"notification's body": "body-of-till", "second factor": "factor-of-test", "idempotency key": string(o.Key),
	} {
		if secret == "" || strings.Contains(shown.String(), secret) {
			t.Errorf("the %s is shown or logged", name)
		}
	}
}
