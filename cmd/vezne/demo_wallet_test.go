package main_test

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

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

var (
	printedSign    = regexp.MustCompile(`vezne (sign [a-z-]+ --demo \S+)`)
	printedAddress = regexp.MustCompile(`http://[^\s']+`)
)

// checkPrinted follows everything that the demo prints: each address, and each command.
func checkPrinted(t *testing.T, p *process, in *installation) {
	t.Helper()
	text, _, _ := strings.Cut(p.stdout.String(), "curl ")
	for _, address := range printedAddress.FindAllString(text, -1) {
		isPage := !strings.HasSuffix(address, "/graphql") && !strings.HasSuffix(address, "/sandbox")
		if a := get(t, address); isPage && a.status >= http.StatusBadRequest {
			t.Errorf("%s, which the demo prints, answers %d", address, a.status)
		}
	}
	commands := printedSign.FindAllStringSubmatch(p.stdout.String(), -1)
	if len(commands) < 2 {
		t.Errorf("the demo prints commands for a provider and for a dealer, here are %q", commands)
	}
	for _, command := range commands {
		said := in.succeed(strings.Fields(command[1])...)
		a, err := send(printedRequest(t, said))
		if err != nil || a.status != http.StatusOK || !strings.Contains(string(a.body), `"success":true`) {
			t.Errorf("what vezne %s prints is answered with %d %s (%v)", command[1], a.status, a.body, err)
		}
	}
}

// checkWallets does in the demo what a dealer can: it sends money from a wallet, has a customer pay a deposit at the
// bank's branch, and takes a card payment.
func checkWallets(t *testing.T, p *process, in *installation) {
	t.Helper()
	d := in.dealer(p)
	a, err := send(printedRequest(t, in.succeed("sign", "dealer-send-money", "--demo", in.dir)))
	var whole struct{ Transfer transfer }
	if err != nil || a.status != http.StatusOK || json.Unmarshal(a.body, &whole) != nil {
		t.Fatalf("what sign dealer-send-money prints is answered with %d %s (%v)", a.status, a.body, err)
	}
	eventually(t, func() error {
		sent, err := d.transferStatus(whole.Transfer.ID)
		if err == nil && sent.Status != "completed" {
			err = fmt.Errorf("the transfer is %+v", sent)
		}
		return err
	})
	payAtBranch(t, p, in)
	card, err := d.tryCard("200")
	if err != nil {
		t.Fatal(err)
	}
	if err := card.must(t, press("begin"), withCard("4242424242424242")).shows("completed"); err != nil {
		t.Error(err)
	}
	awaitInInbox(t, p, card, "Marmara Finans", "X-Hash is right")
	for _, e := range in.keys.Wallets[:2] {
		awaitAgreement(t, p, in, e)
	}
}

// payAtBranch pays an E-IBAN deposit at the simulated bank, as its customer would.
func payAtBranch(t *testing.T, p *process, in *installation) {
	t.Helper()
	made := in.provider(p).create(t, "start-eiban-deposit", "321.50")
	made.at(p).press(t, "continue", url.Values{"amount": {"321,50"}})
	iban := in.signIn(p, "operator").transaction(t, made.TrackingCode).Account.IBAN
	v := &visitor{}
	err := v.open(p.url + "/sandbox/branch")
	if err == nil {
		err = v.press("branch", url.Values{
			"iban": {iban}, "name": {"AYSE YILMAZ"}, "amount": {"321,50"}, "text": {made.TrackingCode}, "arrives": {"now"},
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	awaitInInbox(t, p, made, "X-Hash is right", "webhook-signature is right")
	made.sees(t, "completed")
}

// awaitInInbox waits until a payment's callback is in the demo's inbox, which has to say some things of it.
func awaitInInbox(t *testing.T, p *process, made payment, says ...string) {
	t.Helper()
	eventually(t, func() error {
		page := string(get(t, p.url+"/demo/inbox").body)
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
func awaitAgreement(t *testing.T, p *process, in *installation, k walletKeys) {
	t.Helper()
	eventually(t, func() error {
		atBank := in.holding(t, k.IBAN)
		w, b := in.dealer(p).eiban(t, k.WalletID), branch{shop: &shop{in: in}, dealer: in.dealer(p)}
		if total := atBank.Balance.Total.Value.Fixed(2); w.Balance != total || w.Available != total {
			return fmt.Errorf("the bank has %s, and the wallet %+v", total, w)
		}
		if records := b.allRecords(t, w); len(records) != len(atBank.Lines) {
			return fmt.Errorf("the bank has %d lines, and D5 %d", len(atBank.Lines), len(records))
		}
		return nil
	})
}

// holding is an account at the demo's bank.
func (in *installation) holding(t testing.TB, iban string) bank.Holding {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, in.keys.Sandbox.URL+"/admin/state", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(bank.AdminHeader, in.keys.Sandbox.AdminKey)
	a, err := send(r)
	var state bank.State
	if err = errors.Join(err, json.Unmarshal(a.body, &state)); err != nil {
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
func stopWithNews(t *testing.T, p *process, in *installation) {
	t.Helper()
	k := in.keys.Wallets[0]
	before := in.holding(t, k.IBAN)
	a, err := postJSON(in.keys.Sandbox.URL+"/admin/lines", http.Header{bank.AdminHeader: {in.keys.Sandbox.AdminKey}}, map[string]any{
		"account_id": before.ID, "direction": bank.Incoming, "amount": map[string]string{"value": "12.34", "currency": "TRY"},
	})
	if err != nil || a.status != http.StatusOK {
		t.Fatalf("booking a line is answered with %d %s (%v)", a.status, a.body, err)
	}
	after := in.holding(t, k.IBAN)
	p.stop(t)
	if len(after.Lines) != len(before.Lines)+1 {
		t.Fatalf("the bank had %d lines, and has %d", len(before.Lines), len(after.Lines))
	}
	in.freeStatements()
	next := in.seed()
	if kept := in.holding(t, k.IBAN); !reflect.DeepEqual(kept.Lines, after.Lines) {
		t.Errorf("before the restart the bank had\n%+v\nand then\n%+v", after.Lines, kept.Lines)
	}
	awaitAgreement(t, next, in, k)
	next.stop(t)
}
