package main_test

import (
	"testing"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// journey is what a customer does in a real browser, from the payment's page to its end.
type journey struct {
	name   string
	kind   string // card, or a third-party kind
	amount string
	walk   func(b *tab)
	phase  string // of the page in the end
	status string // of the callback
}

// toGateway presses the page's button and waits for the gateway's form.
func (b *tab) toGateway(form string) {
	b.t.Helper()
	b.click(`form[action*="/begin"] button[type=submit]`)
	b.has(`form[action*="/` + form + `"]`)
}

// giveCard fills in the gateway's form and sends it.
func (b *tab) giveCard(number string) {
	b.t.Helper()
	b.fill("holder", "Ayşe Yılmaz", "number", number, "expiry", "12/40", "cvc", "123")
	b.click(`form[action*="/card"] button`)
}

// giveCode answers the challenge.
func (b *tab) giveCode(code string) {
	b.t.Helper()
	b.fill("code", code)
	b.click(`form[action*="/code"] button`)
}

func journeys() []journey {
	return []journey{
		{"card", "card", "250.00", func(b *tab) {
			b.shot("card-1-page")
			b.toGateway("card")
			b.shot("card-2-gateway")
			b.giveCard(bank.TestCard("00"))
		}, "completed", "success"},
		{"card with the right code", "card", "1300.00", func(b *tab) {
			b.toGateway("card")
			b.giveCard(bank.TestCard("01"))
			b.has("#code")
			b.shot("code-1-gateway")
			b.giveCode(bank.Code)
		}, "completed", "success"},
		{"card with wrong codes", "card", "1300.00", func(b *tab) {
			b.toGateway("card")
			b.giveCard(bank.TestCard("01"))
			for _, left := range []string{"2", "1"} {
				b.giveCode("000000")
				b.until(`document.body.innerText.includes(": ` + left + `")`)
			}
			b.shot("codes-1-gateway")
			b.giveCode("000000")
		}, "failed", "failed"},
		{"card declined", "card", "99.90", func(b *tab) {
			b.toGateway("card")
			b.giveCard(bank.TestCard("10"))
		}, "failed", "failed"},
		{"card at the second try", "card", "99.90", func(b *tab) {
			b.toGateway("card")
			b.giveCard(bank.TestCard("32"))
			b.has(`form[action*="/card"] [role=alert], main [role=alert]`)
			b.shot("retry-1-gateway")
			b.giveCard(bank.TestCard("00"))
		}, "completed", "success"},
		{"card canceled", "card", "99.90", func(b *tab) {
			b.toGateway("card")
			b.click(`form[action*="/cancel"] button`)
		}, "canceled", "cancelled"},
		{"bank", "bank", "250.00", func(b *tab) {
			b.shot("bank-1-page")
			b.click(`form[action*="/begin"] button[type=submit]`)
			b.shows("details")
			b.shot("bank-2-details")
		}, "completed", "completed"},
		{"crypto", "crypto", "400.00", func(b *tab) {
			b.shot("crypto-1-page")
			b.click(`input[value="USDT-TRC20"]`)
			b.click(`form[action*="/begin"] button[type=submit]`)
			b.shows("details")
			b.shot("crypto-2-details")
			b.shows("seen") // by itself
			b.shot("crypto-3-seen")
		}, "completed", "completed"},
		{"wallet", "wallet", "75.50", func(b *tab) {
			b.shot("wallet-1-page")
			b.toGateway("wallet")
			b.fill("wallet", bank.TestWallet("00"))
			b.shot("wallet-2-gateway")
			b.click(`form[action*="/wallet"] button`)
		}, "completed", "completed"},
	}
}

// TestBrowserPays pays in a real browser on a phone, at a demo and its own gateway: each page leads to the next, the end
// shows by itself, and the provider is told.
func TestBrowserPays(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	p := in.demo()
	to := newReceiver(t, in.keys.Provider, accept)
	in.callBack(p, to)
	t.Run("journeys", func(t *testing.T) {
		for _, j := range journeys() {
			t.Run(j.name, func(t *testing.T) {
				t.Parallel()
				made := in.provider(p).start(t, j.kind, j.amount)
				b := openTab(t, made.PaymentURL+"?lang="+map[bool]string{true: "tr", false: "en"}[j.kind == "card"])
				j.walk(b)
				b.shows(j.phase)
				b.shot(j.name + "-end")
				if l := to.callback(t, made); l.Status != j.status || l.Amount != made.Amount {
					t.Errorf("the callback says %s of %s", l.Status, l.Amount)
				}
			})
		}
	})
	p.stop(t)
}

// start calls the endpoint of a kind.
func (c caller) start(t *testing.T, kind, amount string) payment {
	t.Helper()
	if kind == "card" {
		return c.card(t, amount)
	}
	return c.create(t, "third-party/"+kind+"/start-deposit", amount)
}

// TestBrowserAbandoned: a customer who closes the gateway's page and opens the payment's again sees there, by itself,
// that its time is over.
func TestBrowserAbandoned(t *testing.T) {
	t.Parallel()
	in := newEmbedded(t)
	p := in.demo("VEZNE_EXPIRY_CARD=10s")
	to := newReceiver(t, in.keys.Provider, accept)
	in.callBack(p, to)
	made := in.provider(p).card(t, "250.00")
	b := openTab(t, made.PaymentURL)
	b.toGateway("card")
	b.giveCard(bank.TestCard("04"))
	b.has("main [role=status]")
	b.shot("abandoned-1-gateway")
	b.visit(made.PaymentURL)
	b.shot("abandoned-2-page")
	b.shows("expired")
	b.shot("abandoned-3-end")
	if l := to.callback(t, made); l.Status != "failed" || l.ErrorCode != "TIMEOUT" {
		t.Errorf("the callback says %s, %s", l.Status, l.ErrorCode)
	}
	in.provider(p).expectStatus(t, made, "failed")
	p.stop(t)
}
