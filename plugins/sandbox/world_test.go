package sandbox_test

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/conformance"
	"github.com/vezne/vezne/plugins/sandbox"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// world is the plugin and the bank, with real HTTP between them and a clock that stands still.
type world struct {
	*conformance.Shop
	t       *testing.T
	ctx     context.Context
	bank    *bank.Bank
	server  *httptest.Server // for browsers
	gateway *sandbox.Gateway

	mu      sync.Mutex
	letters []letter
}

// letter is a notification as it came, and what the plugin made of it.
type letter struct {
	gateway.Notification
	class  gateway.Class // of its refusal
	status int           // of the answer
}

func newWorld(t *testing.T, changes ...func(*bank.Config, map[string]string)) *world {
	t.Helper()
	w := &world{t: t, ctx: t.Context()}
	c := bank.Config{
		APIKey: "key-1", APISecret: "secret-1", NotifySecret: "notify-2", PreviousSecret: "notify-1", WalletSecret: "wallet-1",
		AdminKey: "admin-1", NotifyURL: "https://vezne.test/hook/panel", Post: w.receive,
	}
	values := map[string]string{
		"api_key": c.APIKey, "api_secret": c.APISecret, "notify_secret": c.NotifySecret, "wallet_secret": c.WalletSecret,
	}
	for _, change := range changes {
		change(&c, values)
	}
	mux := http.NewServeMux()
	w.server = httptest.NewServer(mux)
	t.Cleanup(w.server.Close)
	values["base_url"] = w.server.URL + "/sim"
	w.Shop = conformance.Open(t, conformance.Subject{
		Plugin: sandbox.Plugin(), Environment: gateway.Sandbox, Config: values, Previous: map[string]string{"notify_secret": "notify-1"},
		NewFake: func(_ testing.TB, _ gateway.Config, now func() time.Time) conformance.Fake {
			c.Now = now
			w.bank = bank.New(c)
			mux.Handle("/sim/", http.StripPrefix("/sim", w.bank))
			return conformance.Fake{Handler: mux}
		},
	})
	w.gateway = w.Gateway.(*sandbox.Gateway)
	return w
}

// receive is Vezne's end of a notification.
func (w *world) receive(ctx context.Context, _ string, header http.Header, body []byte) (int, error) {
	n, err := w.gateway.ReadNotification(ctx, gateway.Inbound{
		Method: "POST", Path: "/hook", Header: headerOf(header), Body: body, Arrived: w.Clock.Now(),
	})
	l := letter{Notification: n, status: w.gateway.Acknowledge(gateway.Stored).Status}
	if err != nil {
		l.class, l.status = gateway.ErrorOf(err).Class, w.gateway.Acknowledge(gateway.BadSignature).Status
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.letters = append(w.letters, l)
	return l.status, nil
}

// pass lets time go by, a second at a time while that is few, so that notifications go out as they would.
func (w *world) pass(d time.Duration) {
	for d > 0 {
		step := max(d/200, time.Second)
		step = min(step, d)
		w.Clock.Advance(step)
		w.bank.Step(w.ctx)
		d -= step
	}
}

// told lists what came since the last time, in words: "paid", "payout done", "refund failed", "line", or the class of
// a refusal; behind it the trust where it is not that of a signature.
func (w *world) told() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := []string{}
	for _, l := range w.letters {
		list = append(list, l.words()...)
	}
	w.letters = nil
	return list
}

func (l letter) words() []string {
	var list []string
	if l.class != "" {
		list = append(list, string(l.class))
	}
	for _, e := range l.Events {
		list = append(list, word(string(e.State), e.Trust))
	}
	for _, p := range l.Payouts {
		list = append(list, word("payout "+string(p.State), p.Trust))
	}
	for _, r := range l.Refunds {
		list = append(list, word("refund "+string(r.State), r.Trust))
	}
	for range l.Lines {
		list = append(list, "line")
	}
	return list
}

func word(text string, trust gateway.Trust) string {
	if trust == gateway.Signed {
		return text
	}
	return text + " by " + trust.String()
}

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) check(what string, got, want any) {
	w.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		w.t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// order asks for a deposit of a kind: "250.07" has the kuruş of scenario 07.
func (w *world) order(kind gateway.Kind, amount string) gateway.DepositOrder {
	back, err := url.Parse("https://vezne.test/back/3f1c?x=1")
	w.ok(err)
	hook, err := url.Parse("https://vezne.test/hook/3f1c")
	w.ok(err)
	return gateway.DepositOrder{
		Ref: "CC1", Key: "key-of-CC1", Amount: conformance.Lira(amount), Kind: kind, Customer: gateway.Customer{FullName: "Ali Veli"},
		ReturnURL: back, NotifyURL: hook, ExpiresAt: w.Clock.Now().Add(15 * time.Minute), Locale: "tr",
	}
}

func (w *world) start(o gateway.DepositOrder) gateway.DepositStarted {
	w.t.Helper()
	s, err := w.gateway.StartDeposit(w.ctx, o)
	w.ok(err)
	return s
}

func (w *world) read() gateway.Observation {
	w.t.Helper()
	o, err := w.gateway.ReadDeposit(w.ctx, gateway.DepositKey{Ref: "CC1"})
	w.ok(err)
	return o
}

// state is what the bank answers now, or the class of its error.
func (w *world) state() string {
	o, err := w.gateway.ReadDeposit(w.ctx, gateway.DepositKey{Ref: "CC1"})
	if err != nil {
		return string(gateway.ErrorOf(err).Class)
	}
	return string(o.State)
}

// browser is a customer's, without JavaScript. It follows the bank's own redirects, and stops at the way back.
type browser struct {
	w      *world
	client *http.Client
	at     *url.URL // where it is
	status int
	header http.Header
	body   string
}

func (w *world) browse(address string) *browser {
	w.t.Helper()
	b := &browser{w: w}
	b.client = &http.Client{Transport: w.server.Client().Transport, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if !strings.HasPrefix(r.URL.String(), w.server.URL) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	b.get(address)
	return b
}

func (b *browser) get(address string) {
	b.w.t.Helper()
	request, err := http.NewRequestWithContext(b.w.ctx, http.MethodGet, address, nil)
	b.w.ok(err)
	b.do(request)
}

var actions = regexp.MustCompile(`action="([^"]+)"`)

// submit fills in and sends the form of the page whose action ends in name.
func (b *browser) submit(name string, fields url.Values) {
	b.w.t.Helper()
	for _, found := range actions.FindAllStringSubmatch(b.body, -1) {
		target, err := b.at.Parse(found[1])
		b.w.ok(err)
		if strings.HasSuffix(target.Path, "/"+name) {
			request, err := http.NewRequestWithContext(b.w.ctx, http.MethodPost, target.String(), strings.NewReader(fields.Encode()))
			b.w.ok(err)
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			b.do(request)
			return
		}
	}
	b.w.t.Fatalf("the page at %s has no form %q:\n%s", b.at, name, b.body)
}

func (b *browser) do(r *http.Request) {
	b.w.t.Helper()
	answer, err := b.client.Do(r)
	b.w.ok(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	b.w.ok(err)
	b.at, b.status, b.header, b.body = answer.Request.URL, answer.StatusCode, answer.Header, string(body)
	if to := answer.Header.Get("Location"); to != "" {
		b.at, err = b.at.Parse(to)
		b.w.ok(err)
	}
}

// isBack reports whether the browser was sent back to the merchant.
func (b *browser) isBack() bool { return b.at.Host == "vezne.test" }

// card fills in the card form.
func (b *browser) card(number string) {
	b.w.t.Helper()
	b.submit("card", url.Values{"holder": {"Ali Veli"}, "number": {number}, "expiry": {"12/30"}, "cvc": {"000"}})
}

// visa is an ordinary test number, which leaves the outcome to the kuruş.
const visa = "4242 4242 4242 4242"

var links = regexp.MustCompile(`class="button" href="([^"]+)"`)

// link is where the page's button leads.
func link(body string) string {
	found := links.FindStringSubmatch(body)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}
