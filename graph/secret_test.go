package graph_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// secretive is a card payment whose gateway left secrets in everything that is kept and not shown: in its own reference
// of the payment, and in a notification.
func secretive(a *api, t *testing.T) subject {
	t.Helper()
	s := overpaidCard(a, t)
	o := a.operationsOf(t, s.Payment)[0]
	o.Version++
	o.External.State, o.External.Alt = []byte("state-of-till"), map[string]string{"token": "token-of-till"}
	if err := a.UnitOfWork.Commit(t.Context(), core.Changeset{o}); err != nil {
		t.Fatal(err)
	}
	told := a.Sandbox.Inform("n-1", o.Reference, gateway.Hint)
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
	deposit, card := a.StartDeposit(t, payment.ManualDeposit, lira(25000)), secretive(a, t)
	o := a.operationsOf(t, card.Payment)[0]
	var shown bytes.Buffer
	ask := func(query string, v vars) { shown.WriteString(a.as(t, staff.Admin, query, v).Raw) }
	for _, query := range []string{
		`{ provider(id: 1) { id name callbackUrl ipWhitelist } me { id email } }`, `{ provider(id: 1) { secretKey apiKey } }`,
		`mutation { updateProvider(input: {id: 1, name: "New"}) { provider { name updatedAt } } }`, `{ gatewayAccounts ` + accountFields + ` }`,
		`{ providers { nodes {` + providerFields + `} } }`, `{ dealers { nodes {` + dealerFields + `} } }`,
		`{ gatewayAccount(id: 1) { config { value } hookToken } }`, allPlugins, allNotifications, listDiscrepancies,
	} {
		ask(query, nil)
	}
	for _, p := range []payment.Payment{deposit, card.Payment} {
		ask(everything, vars{"code": p.TrackingCode})
		ask(seeAtGateways, vars{"code": p.TrackingCode})
	}
	line := a.receive(t, a.Wallet, lira(1000), "Mehmet Demir", "havale")
	transfer := a.StartTransfer(t, lira(10000))
	a.Work(t)
	sent := a.operationsOf(t, transfer)[0]
	for _, query := range []string{everyList, allWallets, listLines, listDays, listEntries, bankAccounts, reconcileDay, setAside} {
		ask(query, vars{
			"wallet": a.Wallet.WalletID, "gateway": a.BankGateway.ID, "line": line.LineID, "reason": "why", "day": a.today(),
		})
	}
	ask(everything, vars{"code": transfer.TrackingCode})
	ask(seeAtGateways, vars{"code": transfer.TrackingCode})
	planted := []vars{{"name": "api_key", "value": "planted-by-test"}}
	ask(createAccount, newAccount("third", vars{"config": planted}))
	ask(createAccount, newAccount("third", vars{"config": append(planted, vars{"name": "planted", "value": "planted-by-test"})}))
	ask(updateAccount, vars{"input": vars{"id": 1, "config": planted}})
	ask(updateAccount, vars{"input": vars{"id": 1, "code": "UPPER", "config": planted}})
	ask(testAccount, vars{"id": 1})
	ask(confirm, vars{"code": card.TrackingCode, "factor": "factor-of-test"})
	if got := shown.String(); !strings.Contains(got, `"reference":"`+string(o.Reference)) || !strings.Contains(got, `"isSet":true`) ||
		!strings.Contains(got, "Mehmet Demir") || !strings.Contains(got, string(sent.Reference)) {
		t.Errorf("the answers lack what they should have: %s", got)
	}
	shown.WriteString(a.Logs.String())
	for name, secret := range map[string]string{
		"API key": a.Provider.APIKey, "secret key": a.Provider.SecretKey.Reveal(), "credential key": a.CredentialKey,
		"verification key": a.Provider.VerificationKey.Reveal(), "webhook secret": a.Provider.WebhookSecret.Reveal(),
		"password hash": a.Admin.PasswordHash.Reveal(), "token": a.tokens[staff.Admin], "page token": deposit.Token,
		"card's page token": card.Token, "return token": o.ReturnToken, "notification token": a.Gateway.HookToken,
		"gateway's key": "key-of-till", "other gateway's key": "key-of-other-till", "planted key": "planted-by-test",
		"gateway's state": "state-of-till", "gateway's token": "token-of-till", "notification's header": "header-of-till",
		"notification's body": "body-of-till", "second factor": "factor-of-test", "idempotency key": string(o.Key),
		"bank's key": "key-of-bank", "bank's notification token": a.BankGateway.HookToken, "transfer's key": string(sent.Key),
		"sender's identity number": senderID, "dealer's API key": a.Dealer.APIKey,
		"dealer's secret key": a.Dealer.SecretKey.Reveal(),
	} {
		if secret == "" || strings.Contains(shown.String(), secret) {
			t.Errorf("the %s is shown or logged", name)
		}
	}
}
