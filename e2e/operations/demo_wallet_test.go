package operations_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

var (
	printedSign    = regexp.MustCompile(`vezne (sign [a-z-]+ --demo \S+)`)
	printedAddress = regexp.MustCompile(`http://[^\s']+`)
)

// checkPrinted follows everything that the demo prints: each address, and each command.
func checkPrinted(t *testing.T, p *harness.Process, in *harness.Installation) {
	t.Helper()
	text, _, _ := strings.Cut(p.Stdout.String(), "curl ")
	for _, address := range printedAddress.FindAllString(text, -1) {
		isPage := !strings.HasSuffix(address, "/graphql") && !strings.HasSuffix(address, "/sandbox")
		if a := harness.Get(t, address); isPage && a.Status >= http.StatusBadRequest {
			t.Errorf("%s, which the demo prints, answers %d", address, a.Status)
		}
	}
	commands := printedSign.FindAllStringSubmatch(p.Stdout.String(), -1)
	if len(commands) < 2 {
		t.Errorf("the demo prints commands for a provider and for a dealer, here are %q", commands)
	}
	for _, command := range commands {
		said := in.Succeed(strings.Fields(command[1])...)
		a, err := harness.Send(printedRequest(t, said))
		if err != nil || a.Status != http.StatusOK || !strings.Contains(string(a.Body), `"success":true`) {
			t.Errorf("what vezne %s prints is answered with %d %s (%v)", command[1], a.Status, a.Body, err)
		}
	}
}

// checkWallets does in the demo what a dealer can: it sends money from a wallet, has a customer pay a deposit at the
// bank's branch, and takes a card payment.
func checkWallets(t *testing.T, p *harness.Process, in *harness.Installation) {
	t.Helper()
	d := in.Dealer(p)
	a, err := harness.Send(printedRequest(t, in.Succeed("sign", "dealer-send-money", "--demo", in.Dir)))
	var whole struct{ Transfer harness.Transfer }
	if err != nil || a.Status != http.StatusOK || json.Unmarshal(a.Body, &whole) != nil {
		t.Fatalf("what sign dealer-send-money prints is answered with %d %s (%v)", a.Status, a.Body, err)
	}
	harness.Eventually(t, func() error {
		sent, err := d.TransferStatus(whole.Transfer.ID)
		if err == nil && sent.Status != "completed" {
			err = fmt.Errorf("the transfer is %+v", sent)
		}
		return err
	})
	payAtBranch(t, p, in)
	card, err := d.TryCard("200")
	if err != nil {
		t.Fatal(err)
	}
	if err := card.Must(t, harness.Press("begin"), harness.WithCard("4242424242424242")).Shows("completed"); err != nil {
		t.Error(err)
	}
	awaitInInbox(t, p, card, "Marmara Finans", "X-Hash is right")
	for _, e := range in.Keys.Wallets[:2] {
		awaitAgreement(t, p, in, e)
	}
}

// payAtBranch pays an E-IBAN deposit at the simulated bank, as its customer would.
func payAtBranch(t *testing.T, p *harness.Process, in *harness.Installation) {
	t.Helper()
	made := in.Provider(p).Create(t, "start-eiban-deposit", "321.50")
	made.At(p).Press(t, "continue", url.Values{"amount": {"321,50"}})
	iban := in.SignIn(p, "operator").Transaction(t, made.TrackingCode).Account.IBAN
	v := &harness.Visitor{}
	err := v.Open(p.URL + "/sandbox/branch")
	if err == nil {
		err = v.Press("branch", url.Values{
			"iban": {iban}, "name": {"AYSE YILMAZ"}, "amount": {"321,50"}, "text": {made.TrackingCode}, "arrives": {"now"},
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	awaitInInbox(t, p, made, "X-Hash is right", "webhook-signature is right")
	made.Sees(t, "completed")
}

// awaitInInbox waits until a payment's callback is in the demo's inbox, which has to say some things of it.
func awaitInInbox(t *testing.T, p *harness.Process, made harness.Payment, says ...string) {
	t.Helper()
	harness.Eventually(t, func() error {
		page := string(harness.Get(t, p.URL+"/demo/inbox").Body)
		_, rest, _ := strings.Cut(page, made.TrackingCode)
		article, _, isThere := strings.Cut(rest, "</article>")
		if !isThere {
			return fmt.Errorf("%s is not in the inbox:\n%s", made.TrackingCode, page)
		}
		for _, text := range says {
			if !strings.Contains(article, text) {
				t.Fatalf("the inbox does not say %q:\n%s", text, article)
			}
		}
		return nil
	})
}

// awaitAgreement waits until a wallet has what its account at the demo's bank has, and its statement every line of it.
func awaitAgreement(t *testing.T, p *harness.Process, in *harness.Installation, k harness.WalletKeys) {
	t.Helper()
	harness.Eventually(t, func() error {
		atBank := holding(t, in, k.IBAN)
		w, b := in.Dealer(p).Eiban(t, k.WalletID), harness.Branch{Shop: &harness.Shop{In: in}, Dealer: in.Dealer(p)}
		if total := atBank.Balance.Total.Value.Fixed(2); w.Balance != total || w.Available != total {
			return fmt.Errorf("the bank has %s, and the wallet %+v", total, w)
		}
		if records := b.AllRecords(t, w); len(records) != len(atBank.Lines) {
			return fmt.Errorf("the bank has %d lines, and D5 %d", len(atBank.Lines), len(records))
		}
		return nil
	})
}

// holding is an account at the demo's bank.
func holding(t testing.TB, in *harness.Installation, iban string) bank.Holding {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, in.Keys.Sandbox.URL+"/admin/state", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(bank.AdminHeader, in.Keys.Sandbox.AdminKey)
	a, err := harness.Send(r)
	var state bank.State
	if err = errors.Join(err, json.Unmarshal(a.Body, &state)); err != nil {
		t.Fatal(err)
	}
	for _, account := range state.Accounts {
		if account.IBAN == iban {
			return account
		}
	}
	t.Fatalf("the bank has no account %s", iban)
	return bank.Holding{}
}

// stopWithNews books a line at the demo's bank and ends the process at once: the next one's bank still has it.
func stopWithNews(t *testing.T, p *harness.Process, in *harness.Installation) {
	t.Helper()
	k := in.Keys.Wallets[0]
	before := holding(t, in, k.IBAN)
	a, err := harness.PostJSON(in.Keys.Sandbox.URL+"/admin/lines", http.Header{bank.AdminHeader: {in.Keys.Sandbox.AdminKey}}, map[string]any{
		"account_id": before.ID, "direction": bank.Incoming, "amount": map[string]string{"value": "12.34", "currency": "TRY"},
	})
	if err != nil || a.Status != http.StatusOK {
		t.Fatalf("booking a line is answered with %d %s (%v)", a.Status, a.Body, err)
	}
	after := holding(t, in, k.IBAN)
	p.Stop(t)
	if len(after.Lines) != len(before.Lines)+1 {
		t.Fatalf("the bank had %d lines, and has %d", len(before.Lines), len(after.Lines))
	}
	in.FreeStatements()
	next := in.Seed()
	if kept := holding(t, in, k.IBAN); !reflect.DeepEqual(kept.Lines, after.Lines) {
		t.Errorf("before the restart the bank had\n%+v\nand then\n%+v", after.Lines, kept.Lines)
	}
	awaitAgreement(t, next, in, k)
	next.Stop(t)
}
