package paypage_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/payment"
)

// bank is a gateway's own page, on another site.
type bank struct {
	url    string
	mu     sync.Mutex
	visits []*http.Request
}

// openBank opens a bank to which every card goes. Its page has a button that posts the customer back.
func (s *stage) openBank(next func(bank string) gateway.NextStep) *bank {
	s.t.Helper()
	b := &bank{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" {
			return
		}
		_ = r.ParseForm()
		b.mu.Lock()
		b.visits = append(b.visits, r)
		b.mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>The bank</title><main class="bank"><form method="post" action="%s"><input type="hidden" name="mdStatus" value="1"><button>Pay</button></form>`,
			s.booth.lastReturn())
	}))
	s.t.Cleanup(server.Close)
	b.url = strings.Replace(server.URL, "127.0.0.1", "bank.test", 1)
	s.Operations.BaseURL = s.server.URL
	s.booth.leads(next(b.url))
	return b
}

func (b *booth) lastReturn() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.orders[len(b.orders)-1].ReturnURL.String()
}

func (b *bank) visit(t *testing.T, n int) *http.Request {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.visits) != n {
		t.Fatalf("the bank was visited %d times, want %d", len(b.visits), n)
	}
	return b.visits[n-1]
}

func byRedirect(bank string) gateway.NextStep {
	return gateway.NextStep{Redirect: &gateway.Redirect{URL: bank + "/pay?id=1"}}
}

func byForm(bank string) gateway.NextStep {
	return gateway.NextStep{Form: &gateway.FormPost{Action: bank + "/gate", Fields: [][2]string{{"id", "1"}, {"submit", "x"}}}}
}

// byDocument is the bank's own page that sends itself on, as the top one.
func byDocument(bank string) gateway.NextStep {
	return gateway.NextStep{HTML: &gateway.HostedHTML{Origins: []string{bank}, Document: `<!doctype html><title>Bank</title>` +
		`<form method="post" target="_top" action="` + bank + `/acs"><input type="hidden" name="id" value="1"><button>Go on</button></form>` +
		`<script>document.forms[0].submit()</script>`}}
}

// TestBrowserCardToTheEnd: a customer on a phone goes to the bank and comes back, whatever way the gateway has of leading
// there, with a script and without. The bank learns nothing of the page's address.
func TestBrowserCardToTheEnd(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(string) gateway.NextStep{"redirect": byRedirect, "form": byForm, "document": byDocument} {
		for _, noScript := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, without script %v", name, noScript), func(t *testing.T) {
				t.Parallel()
				s := newStage(t)
				bank := s.openBank(next)
				p := s.card()
				d := phone
				d.noScript = noScript
				b := s.open(p, d)
				b.shows("card")
				b.click("main .primary")
				if isPressed := noScript && name != "redirect"; isPressed {
					b.until(`document.querySelector("button") !== null && location.pathname.endsWith("/go")`)
					b.click("button")
				}
				b.shows("bank")
				seen := bank.visit(t, 1)
				if seen.Form.Get("id") != "1" || seen.Referer() != "" || strings.Contains(fmt.Sprint(seen.Header, seen.URL, seen.Form), p.Token) {
					t.Errorf("the bank sees %s %s %v %v", seen.Method, seen.URL, seen.Header, seen.Form)
				}
				s.Sandbox.PayInFull(s.last(p).Reference)
				b.click("button")
				b.shows("completed")
				b.says("Your payment is complete ₺250.00")
				if path := eval[string](b, `location.pathname`); path != "/pay/"+p.Token {
					t.Errorf("ends on %s", path)
				}
			})
		}
	}
}

// TestBrowserBackWithoutAnOutcome: who comes back before the gateway knows sees that it is checked, and then the outcome.
func TestBrowserBackWithoutAnOutcome(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	bank := s.openBank(byRedirect)
	p := s.card()
	b := s.open(p, phone)
	b.click("main .primary")
	b.shows("bank")
	b.click("button")
	b.shows("back")
	b.mark()
	s.happens(p, refused(gateway.InsufficientFunds, true))
	b.shows("away")
	b.says("The last try was refused")
	b.says("There are not enough funds on the card or account.")
	if !b.isMarked() {
		t.Error("the page was reloaded")
	}
	b.click("main a.primary")
	b.shows("bank")
	bank.visit(t, 2)
	is(gateway.Processing)(s.booth, s.last(p).Reference)
	b.click("button")
	b.shows("checking")
	b.mark()
	s.happens(p, paid)
	b.shows("completed")
	if !b.isMarked() {
		t.Error("the page was reloaded")
	}
}

// TestBrowserBackFromTheBank: Back does not send the customer to the bank again, wherever the browser takes it to.
func TestBrowserBackFromTheBank(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	bank := s.openBank(byForm)
	b := s.open(s.card(), phone)
	b.click("main .primary")
	b.shows("bank")
	// To another site, which NavigateBack does not wait for, and which may end the page before it has answered.
	eval[bool](b, `(setTimeout(() => history.back()), true)`)
	b.until(`document.readyState === "complete" && document.querySelector("main.leave, main.away") !== null`)
	bank.visit(t, 1)
	eval[bool](b, `(document.querySelector("main .primary").click(), true)`)
	b.shows("bank")
	bank.visit(t, 2)
}

// TestBrowserDocumentIsApart: a gateway's document runs in an origin of its own.
func TestBrowserDocumentIsApart(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.booth.leads(gateway.NextStep{HTML: &gateway.HostedHTML{Document: `<!doctype html><title>Bank</title><p>hello<script>window.ran = true</script>`}})
	p := s.begun(payment.CreditCard, nil)
	b := s.open(p, phone)
	b.visit(b.url + "/go")
	b.until(`window.ran === true`)
	if origin := eval[string](b, `self.origin`); origin != "null" {
		t.Errorf("the document's origin is %s", origin)
	}
}

// TestBrowserPickToTheEnd: a customer picks a coin at a gateway, with the keyboard alone, and sees the money being confirmed.
func TestBrowserPickToTheEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.booth.leads(gateway.NextStep{Pay: &gateway.Instructions{
		Kind: gateway.Crypto, Address: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", Confirms: 2,
	}})
	p := s.StartDeposit(t, payment.BankDeposit, lira(250))
	b := s.open(p, desktop)
	press := func(selector string) {
		b.tabTo(selector)
		b.do(chromedp.KeyEvent(kb.Enter))
	}
	b.shows("pick")
	press(`.ways a[href*="kind=crypto"]`)
	b.until(`document.querySelector(".ways [aria-current]").textContent === "Crypto"`)
	press(".choices a.choice")
	b.until(`document.querySelector(".options") !== null`)
	press("main .primary")
	b.until(`document.activeElement !== null && document.activeElement.id === "problem"`)
	b.says("Choose one of them.")
	b.until(`location.search.includes("gateway=")`)
	b.tabTo("input[type=radio]")
	b.do(chromedp.KeyEvent(" "))
	press("main .primary")
	b.shows("details")
	b.says("Send 6.230779 USDT")
	b.mark()
	s.happens(p, is(gateway.Processing))
	b.shows("seen")
	b.says("Confirmations 0 / 2")
	s.booth.confirms = 1
	s.ask(p)
	b.says("Confirmations 1 / 2")
	s.happens(p, paid)
	b.shows("completed")
	if !b.isMarked() {
		t.Error("the page was reloaded")
	}
}

// TestBrowserPickWithoutScript: the whole way works without JavaScript, and the page moves on by itself.
func TestBrowserPickWithoutScript(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.needy()
	s.booth.needs = s.booth.needs[4:6]
	d := phone
	d.noScript = true
	p := s.StartDeposit(t, payment.BankDeposit, lira(250))
	b := s.open(p, d)
	b.shows("pick")
	b.do(chromedp.SendKeys(chromedp.CSS("#email"), "ayse@example.com"))
	b.click("main .primary")
	b.says("Fill this in.")
	if typed := eval[string](b, `document.getElementById("email").value`); typed != "ayse@example.com" {
		t.Errorf("what was typed became %q", typed)
	}
	b.do(chromedp.SendKeys(chromedp.CSS("#phone"), "0555 111 22 33"))
	b.click("main .primary")
	b.shows("details")
	b.click("main a.quiet")
	b.shows("pick")
	b.says("Back to the payment details")
	b.click("main a.quiet")
	b.shows("details")
	b.click("summary")
	b.click(".danger")
	b.shows("canceled")
}

// TestBrowserFieldsAreNotInTheAddress: what was typed wrong is nowhere in the history, and a reload sends nothing again.
func TestBrowserFieldsAreNotInTheAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.needy()
	s.booth.needs = s.booth.needs[4:6]
	p := s.StartDeposit(t, payment.BankDeposit, lira(250))
	b := s.open(p, phone)
	b.do(chromedp.SendKeys(chromedp.CSS("#email"), "nonsense"))
	b.click("main .primary")
	b.until(`document.activeElement !== null && document.activeElement.id === "problem"`)
	if at := eval[string](b, `location.pathname + location.search`); at != path(p)+"?kind=bank&step=pick" {
		t.Errorf("the address is %s", at)
	}
	b.do(chromedp.Reload())
	b.shows("pick")
	if typed := eval[string](b, `document.getElementById("email").value + document.querySelectorAll(".why").length`); typed != "0" {
		t.Errorf("after a reload: %s", typed)
	}
}

// TestBrowserPressedTwice: a double click begins one payment, and arrives.
func TestBrowserPressedTwice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.openBank(byRedirect)
	p := s.card()
	b := s.open(p, phone)
	b.do(chromedp.DoubleClick(chromedp.CSS("main .primary")))
	b.shows("bank")
	if all := must(s.Store.OperationsOf(t.Context(), p.ID))(t); len(all) != 1 {
		t.Errorf("begun %d times", len(all))
	}
}

// TestBrowserAskingGoesOn: once the gateway turns out to have it, the page that waited goes on.
func TestBrowserAskingGoesOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.asking()
	b := s.open(p, phone)
	b.shows("asking")
	s.happens(p, is(gateway.Processing))
	b.shows("checking")
	s.happens(p, paid)
	b.shows("completed")
}

// TestBrowserAWayOpensUp: the page without any way to pay goes on when a gateway is back.
func TestBrowserAWayOpensUp(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.card()
	s.turn(&s.Gateway, false)
	b := s.open(p, phone)
	b.shows("none")
	b.mark()
	s.turn(&s.Gateway, true)
	b.shows("card")
	if !b.isMarked() {
		t.Error("the page was reloaded")
	}
}

// TestBrowserNothingIsSwappedWhilePicking: what is being picked stays, whatever another tab does, until the end.
func TestBrowserNothingIsSwappedWhilePicking(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.StartDeposit(t, payment.CryptoDeposit, lira(250))
	b := s.open(p, phone)
	b.shows("pick")
	b.mark()
	s.begin(p, pick(gateway.Bank, s.Gateway.ID, ""))
	eval[bool](b, `new Promise((done) => {
		const ask = window.fetch;
		window.fetch = async (...of) => { const answer = await ask(...of); setTimeout(() => done(true), 100); return answer; };
	})`)
	b.shows("pick")
	s.happens(p, is(gateway.Processing))
	b.shows("seen")
	if !b.isMarked() {
		t.Error("the page was reloaded")
	}
}

// TestBrowserHeldShowsLive: money that does not fit leads to support, without a word about why.
func TestBrowserHeldShowsLive(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := s.begun(payment.BankDeposit, pick(gateway.Bank, s.Gateway.ID, ""))
	b := s.open(p, phone)
	b.shows("details")
	s.happens(p, paidInPart)
	b.shows("held")
	b.says("Your payment needs a look by support")
	if eval[bool](b, `document.body.innerText.includes("10.00") || document.querySelector(".danger") !== null`) {
		t.Error("the page says too much, or offers to cancel")
	}
}
