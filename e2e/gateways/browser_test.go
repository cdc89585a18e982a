package gateways_test

import (
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// journey is what a customer does in a real browser, from the payment's page to its end.
type journey struct {
	name   string
	kind   string // card, or a third-party kind
	amount string
	walk   func(b *harness.Tab)
	phase  string // of the page in the end
	status string // of the callback
}

// toGateway presses the page's button and waits for the gateway's form.
func toGateway(b *harness.Tab, form string) {
	b.T.Helper()
	b.Click(`form[action*="/begin"] button[type=submit]`)
	b.Has(`form[action*="/` + form + `"]`)
}

// giveCard fills in the gateway's form and sends it.
func giveCard(b *harness.Tab, number string) {
	b.T.Helper()
	b.Fill("holder", "Ayşe Yılmaz", "number", number, "expiry", "12/40", "cvc", "123")
	b.Click(`form[action*="/card"] button`)
}

// giveCode answers the challenge.
func giveCode(b *harness.Tab, code string) {
	b.T.Helper()
	b.Fill("code", code)
	b.Click(`form[action*="/code"] button`)
}

func journeys() []journey {
	return []journey{
		{"card", "card", "250.00", func(b *harness.Tab) {
			b.Shot("card-1-page")
			toGateway(b, "card")
			b.Shot("card-2-gateway")
			giveCard(b, bank.TestCard("00"))
		}, "completed", "success"},
		{"card with the right code", "card", "1300.00", func(b *harness.Tab) {
			toGateway(b, "card")
			giveCard(b, bank.TestCard("01"))
			b.Has("#code")
			b.Shot("code-1-gateway")
			giveCode(b, bank.Code)
		}, "completed", "success"},
		{"card with wrong codes", "card", "1300.00", func(b *harness.Tab) {
			toGateway(b, "card")
			giveCard(b, bank.TestCard("01"))
			for _, left := range []string{"2", "1"} {
				giveCode(b, "000000")
				b.Until(`document.body.innerText.includes(": ` + left + `")`)
			}
			b.Shot("codes-1-gateway")
			giveCode(b, "000000")
		}, "failed", "failed"},
		{"card declined", "card", "99.90", func(b *harness.Tab) {
			toGateway(b, "card")
			giveCard(b, bank.TestCard("10"))
		}, "failed", "failed"},
		{"card at the second try", "card", "99.90", func(b *harness.Tab) {
			toGateway(b, "card")
			giveCard(b, bank.TestCard("32"))
			b.Has(`form[action*="/card"] [role=alert], main [role=alert]`)
			b.Shot("retry-1-gateway")
			giveCard(b, bank.TestCard("00"))
		}, "completed", "success"},
		{"card canceled", "card", "99.90", func(b *harness.Tab) {
			toGateway(b, "card")
			b.Click(`form[action*="/cancel"] button`)
		}, "canceled", "cancelled"},
		{"bank", "bank", "250.00", func(b *harness.Tab) {
			b.Shot("bank-1-page")
			b.Click(`form[action*="/begin"] button[type=submit]`)
			b.Shows("details")
			b.Shot("bank-2-details")
		}, "completed", "completed"},
		{"crypto", "crypto", "400.00", func(b *harness.Tab) {
			b.Shot("crypto-1-page")
			b.Click(`input[value="USDT-TRC20"]`)
			b.Click(`form[action*="/begin"] button[type=submit]`)
			b.Shows("details")
			b.Shot("crypto-2-details")
			b.Shows("seen") // by itself
			b.Shot("crypto-3-seen")
		}, "completed", "completed"},
		{"wallet", "wallet", "75.50", func(b *harness.Tab) {
			b.Shot("wallet-1-page")
			toGateway(b, "wallet")
			b.Fill("wallet", bank.TestWallet("00"))
			b.Shot("wallet-2-gateway")
			b.Click(`form[action*="/wallet"] button`)
		}, "completed", "completed"},
	}
}

// TestBrowserPays pays in a real browser on a phone, at a demo and its own gateway: each page leads to the next, the end
// shows by itself, and the provider is told.
func TestBrowserPays(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Demo()
	to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	in.CallBack(p, to)
	t.Run("journeys", func(t *testing.T) {
		for _, j := range journeys() {
			t.Run(j.name, func(t *testing.T) {
				t.Parallel()
				made := start(t, in.Provider(p), j.kind, j.amount)
				b := harness.OpenTab(t, made.PaymentURL+"?lang="+map[bool]string{true: "tr", false: "en"}[j.kind == "card"])
				j.walk(b)
				b.Shows(j.phase)
				b.Shot(j.name + "-end")
				if l := to.Callback(t, made); l.Status != j.status || l.Amount != made.Amount {
					t.Errorf("the callback says %s of %s", l.Status, l.Amount)
				}
			})
		}
	})
	p.Stop(t)
}

// start calls the endpoint of a kind.
func start(t *testing.T, c harness.Caller, kind, amount string) harness.Payment {
	t.Helper()
	if kind == "card" {
		return c.Card(t, amount)
	}
	return c.Create(t, "third-party/"+kind+"/start-deposit", amount)
}

// TestBrowserAbandoned: a customer who closes the gateway's page and opens the payment's again sees there, by itself,
// that its time is over.
func TestBrowserAbandoned(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	p := in.Demo("VEZNE_EXPIRY_CARD=45s")
	to := harness.NewReceiver(t, in.Keys.Provider, harness.Accept)
	in.CallBack(p, to)
	made := in.Provider(p).Card(t, "250.00")
	b := harness.OpenTab(t, made.PaymentURL)
	toGateway(b, "card")
	giveCard(b, bank.TestCard("04"))
	b.Has("main [role=status]")
	b.Shot("abandoned-1-gateway")
	b.Visit(made.PaymentURL)
	b.Shot("abandoned-2-page")
	b.Shows("expired")
	b.Shot("abandoned-3-end")
	if l := to.Callback(t, made); l.Status != "failed" || l.ErrorCode != "TIMEOUT" {
		t.Errorf("the callback says %s, %s", l.Status, l.ErrorCode)
	}
	in.Provider(p).ExpectStatus(t, made, "failed")
	p.Stop(t)
}
