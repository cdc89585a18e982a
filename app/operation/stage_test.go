package operation_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/operation"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	coreoperation "github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/plugins"
	"github.com/vezne/vezne/plugins/sandbox"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// news is how Vezne comes to know what happened at the gateway.
type news string

const (
	told     news = "notifications and the return"
	returned news = "the return alone"
	polled   news = "polling alone"
)

func allNews() []news { return []news{told, returned, polled} }

// stage is a World whose only gateway is the sandbox: the real plugin, and the bank that plays the other side on the World's
// own clock.
type stage struct {
	*world
	news    news
	bank    *bank.Bank
	hosts   apptest.Hosts
	account owner.GatewayAccount

	mu      sync.Mutex
	answers []int // to notifications, in their order
}

// bankHost is where the bank is.
const bankHost = "sandbox.test"

// newStage opens the stage. Changes are of the account's configuration.
func newStage(t *testing.T, n news, changes ...map[string]string) *stage {
	t.Helper()
	s := &stage{world: newWorld(t), news: n}
	registry, err := plugins.NewRegistry(sandbox.Plugin())
	s.no(err)
	s.Gateways.Plugins, s.Gateways.AllowSandbox = registry, true
	s.hosts = apptest.Hosts{}
	s.Gateways.Doers = s.hosts
	s.open(changes)
	s.bank = bank.New(bank.Config{
		APIKey: "key-1", APISecret: "secret-1", NotifySecret: "notify-2", PreviousSecret: "notify-1", WalletSecret: "wallet-1",
		NotifyURL: s.Operations.BaseURL + operation.NotifyPath + s.account.HookToken, Now: s.Clock.Now, Post: s.receive,
	})
	s.hosts[bankHost] = s.bank
	return s
}

// open makes the gateway account, whose notification secret was changed once.
func (s *stage) open(changes []map[string]string) {
	s.t.Helper()
	code, name, yes, approval := "sandbox", "Sandbox", true, lira(1000)
	config := map[string]string{
		"base_url": "http://" + bankHost, "api_key": "key-1", "api_secret": "secret-1", "notify_secret": "notify-1", "wallet_secret": "wallet-1",
	}
	made, err := s.GatewayAdmin.Create(s.t.Context(), app.BySystem, directory.NewAccount{
		Plugin: "sandbox", Environment: gateway.Sandbox,
		GatewayPatch: owner.GatewayPatch{Code: &code, Name: &name, IsEnabled: &yes, ApprovalFrom: &approval, Config: config},
	})
	s.no(err)
	for _, change := range append(changes, map[string]string{"notify_secret": "notify-2"}) {
		made, err = s.GatewayAdmin.Update(s.t.Context(), adminOf(s.world), directory.GatewayUpdate{ID: made.ID, GatewayPatch: owner.GatewayPatch{Config: change}})
		s.no(err)
	}
	s.account = made
}

// receive is Vezne's end of a notification, unless this stage is without them.
func (s *stage) receive(ctx context.Context, address string, header http.Header, body []byte) (int, error) {
	if s.news != told {
		return http.StatusOK, nil // lost on the way, as far as the gateway knows delivered
	}
	reply, err := s.Operations.Notify(ctx, path.Base(address), apptest.Inbound(header, body))
	if err != nil {
		reply.Status = http.StatusServiceUnavailable
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, reply.Status)
	return reply.Status, nil
}

// pass lets time go by, in small steps at first: the bank tells, and the sweeper comes by, at each.
func (s *stage) pass(d time.Duration) {
	s.t.Helper()
	for gone := time.Duration(0); gone < d; {
		step := time.Second
		switch {
		case gone >= 2*time.Hour:
			step = time.Hour
		case gone >= 20*time.Minute:
			step = 5 * time.Minute
		case gone >= time.Minute:
			step = time.Minute
		case gone >= 5*time.Second:
			step = 5 * time.Second
		}
		step = min(step, d-gone)
		gone += step
		s.Clock.Advance(step)
		s.bank.Step(s.t.Context())
		s.no(s.Sweep.Sweep(s.t.Context()))
		s.no(s.Operations.Wait(s.t.Context()))
		s.Work(s.t)
	}
}

// show is a payment with what its customer and staff do about it.
type show struct {
	*stage
	payment   payment.Payment
	operation coreoperation.Operation
	begun     error
}

// start creates a payment and presses the button.
func (s *stage) start(m payment.Method, amount money.Amount) *show {
	s.t.Helper()
	s.Gateway = s.account // of payouts
	p := &show{stage: s, payment: s.Start(s.t, payment.Request{Method: m, Amount: amount})}
	if m.HasPage() {
		p.press()
	}
	return p
}

// press is the customer's button: "pay with the sandbox".
func (p *show) press() {
	p.t.Helper()
	b := operation.Begin{Token: p.payment.Token, GatewayID: p.account.ID, Addr: "203.0.113.7"}
	if p.payment.Method == payment.CryptoDeposit {
		b.Option = "USDT-TRC20"
	}
	if _, p.operation, p.begun = p.Operations.Begin(p.t.Context(), b); p.begun != nil && !fault.Is(p.begun, fault.NoGateway) {
		p.t.Fatal(p.begun)
	}
}

// pressAgain has the customer wait until it is known what became of the first try, and press again; that one goes well.
func (p *show) pressAgain() {
	p.t.Helper()
	first := p.operations(p.payment)
	p.no(p.bank.SetOutcome(p.payment.Payer.OrderID+"N2", "00"))
	p.pass(2 * time.Minute)
	p.press()
	if all := p.operations(p.payment); len(all) != len(first)+1 || p.operation.Number != 2 {
		p.t.Fatalf("pressed again: %+v", all)
	}
}

// submit sends a form of the gateway's page, as the browser would, and comes back to Vezne where the page sends it.
func (p *show) submit(form string, fields url.Values) {
	p.t.Helper()
	if p.operation.Next.Redirect == nil {
		p.t.Fatalf("there is no page to go to: %+v", p.operation)
	}
	request := gateway.Request{
		Method: http.MethodPost, URL: p.operation.Next.Redirect.URL + "/" + form, Body: []byte(fields.Encode()),
		Header: gateway.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}},
	}
	for {
		answer, err := p.hosts.Do(p.t.Context(), request)
		p.no(err)
		way := answer.Header.Get("Location")
		if link := wayBack.FindString(string(answer.Body)); way == "" && link != "" { // a page that waits a moment
			p.bank.Step(p.t.Context())
			way = link
		}
		switch {
		case wayBack.MatchString(way):
			if p.news != polled {
				p.comesBack(way)
			}
			return
		case way == "":
			return
		}
		at, err := url.Parse(request.URL)
		p.no(err)
		next, err := at.Parse(way)
		p.no(err)
		request = gateway.Request{Method: http.MethodGet, URL: next.String()}
	}
}

var wayBack = regexp.MustCompile(`https://pay\.vezne\.test/pay/return/[^"&?]+`)

func (p *show) comesBack(address string) {
	p.t.Helper()
	u, err := url.Parse(address)
	p.no(err)
	token, err := p.Operations.Return(p.t.Context(), path.Base(u.Path), gateway.Inbound{Method: http.MethodGet, Query: u.RawQuery})
	p.no(err)
	if token != p.payment.Token {
		p.t.Fatalf("the customer is shown the page of %q", token)
	}
}

// What customers do at the gateway.

func paysByCard(p *show) {
	p.submit("card", url.Values{"holder": {"Ali Veli"}, "number": {"4242 4242 4242 4242"}, "expiry": {"12/30"}, "cvc": {"000"}})
}

func typesTheCode(p *show) { p.submit("code", url.Values{"code": {bank.Code}}) }

func typesWrongCodes(p *show) {
	for range 3 {
		p.submit("code", url.Values{"code": {"000000"}})
	}
}

func pressesCancelThere(p *show) { p.submit("cancel", nil) }

func paysByWallet(p *show) { p.submit("wallet", url.Values{"wallet": {"1234567890"}}) }

func triesAgain(p *show) { p.pressAgain() }

// refunds is staff who give everything back.
func refunds(p *show) {
	p.t.Helper()
	target := map[string]string{}
	if p.payment.Method == payment.CryptoDeposit {
		target["wallet_address"] = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"
	}
	p.pass(20 * time.Second)
	_, err := p.Operations.Refund(p.t.Context(), by(p), money.Amount{}, target)
	p.no(err)
}

// end is how a payment stands, in words: its status, the callback's error_code, every discrepancy with its state, the
// callbacks, the refunds.
func (p *show) end() string {
	p.t.Helper()
	now, callbacks := p.Reload(p.t, p.payment), p.callbacks(p.payment)
	words := []string{string(now.Status)}
	for _, c := range callbacks {
		if code := c.Payload.Card.ErrorCode; code != "" {
			words[0] += " " + code
		}
	}
	all, err := p.Store.DiscrepanciesOf(p.t.Context(), p.payment.Key())
	p.no(err)
	var kinds []string
	for _, d := range all {
		kinds = append(kinds, string(d.Kind)+" "+string(d.Status))
	}
	slices.Sort(kinds)
	words = append(words, kinds...)
	words = append(words, fmt.Sprintf("callbacks %d", len(callbacks)))
	for _, o := range p.operations(p.payment) {
		if o.Kind == coreoperation.RefundOperation {
			words = append(words, fmt.Sprintf("refund of %s %s", o.Amount, o.Status))
		}
	}
	return strings.Join(words, "; ")
}
