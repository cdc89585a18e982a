package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// simulated lets a serving process use a simulated gateway on this machine.
var simulated = []string{"VEZNE_GATEWAY_SANDBOX=true", "VEZNE_GATEWAY_ALLOW_PRIVATE=true"}

// till is the sandbox gateway in the test's own process: it stays when every vezne has crashed, and it knows what really
// happened.
type till struct {
	*bank.Bank
	url     string
	closing chan struct{}

	mu      sync.Mutex
	plan    func(tillCall) fate
	ordered map[string]int // by reference: how many requests for an order or payout came to the bank
	stuck   chan tillCall  // those that met another fate than to be answered
	gate    chan struct{}  // closed when what is held may go on
	freed   int            // how many of those have gone
}

// tillCall is one call of the gateway's API.
type tillCall struct{ method, path, reference string }

// isOrder tells whether a call takes or sends money.
func (c tillCall) isOrder() bool {
	return c.method == http.MethodPost && (c.path == "/v1/payouts" || c.path == "/v1/transfers" || c.path == "/v1/deposits" || strings.HasSuffix(c.path, "/refunds"))
}

// fate is what becomes of a call.
type fate int

const (
	answered     fate = iota
	neverArrives      // lost on its way; the caller waits
	neverAnswers      // the gateway acts, and the caller waits
	held              // answered when the test lets it go
)

// newTill starts a gateway with the demo's keys. It tells of payouts at notifyURL. Without accounts it has two of its own.
func newTill(t testing.TB, keys sandboxKeys, notifyURL string, accounts ...bank.Account) *till {
	t.Helper()
	g := &till{
		Bank: bank.New(bank.Config{
			APIKey: keys.APIKey, APISecret: keys.APISecret, NotifySecret: keys.NotifySecret, WalletSecret: keys.WalletSecret,
			AdminKey: keys.AdminKey, NotifyURL: notifyURL, Accounts: accounts,
		}),
		closing: make(chan struct{}), ordered: make(map[string]int), stuck: make(chan tillCall, 10_000),
		gate: make(chan struct{}),
		plan: func(tillCall) fate { return answered },
	}
	server := httptest.NewServer(http.HandlerFunc(g.serve))
	g.url = server.URL
	running, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { g.Run(running); close(ended) }()
	t.Cleanup(func() {
		stop()
		close(g.closing)
		server.Close()
		<-ended
	})
	return g
}

// till moves the installation's gateway account to a gateway of the test's own.
func (in *installation) till(p *process) *till {
	in.t.Helper()
	admin := in.signIn(p, "admin")
	var data struct {
		GatewayAccount struct{ NotificationURL string }
	}
	id := fmt.Sprint(in.keys.Sandbox.GatewayID)
	err := admin.ask(`query($id: ID!) { gatewayAccount(id: $id) { notificationURL: notificationUrl } }`, map[string]any{"id": id}, &data)
	if err != nil {
		in.t.Fatal(err)
	}
	g := newTill(in.t, in.keys.Sandbox, data.GatewayAccount.NotificationURL)
	admin.updateGateway(in.t, in.keys.Sandbox.GatewayID, map[string]any{
		"config": []any{map[string]any{"name": "base_url", "value": g.url}},
	})
	return g
}

func (g *till) serve(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/v1/") {
		g.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller has gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	c := tillCall{method: r.Method, path: r.URL.Path}
	var order struct{ Reference string }
	if json.Unmarshal(body, &order) == nil {
		c.reference = order.Reference
	}
	switch g.fateOf(c) {
	case neverArrives:
	case neverAnswers:
		g.order(c)
		g.ServeHTTP(httptest.NewRecorder(), r)
	case held:
		g.stuck <- c
		select {
		case <-g.gate:
		case <-g.closing:
		}
		g.order(c)
		g.ServeHTTP(w, r)
		return
	default:
		g.order(c)
		g.ServeHTTP(w, r)
		return
	}
	g.stuck <- c
	select {
	case <-r.Context().Done():
	case <-g.closing:
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.freed++
}

// gone is how many stuck calls have gone.
func (g *till) gone() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.freed
}

func (g *till) fateOf(c tillCall) fate {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.plan(c)
}

func (g *till) order(c tillCall) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.isOrder() {
		g.ordered[c.reference]++
	}
}

// decideFates sets what becomes of calls from now on; it is asked about one call at a time.
func (g *till) decideFates(plan func(tillCall) fate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.plan = plan
}

// letGo has what is held answered, and everything from now on.
func (g *till) letGo() {
	g.decideFates(func(tillCall) fate { return answered })
	close(g.gate)
}

// orders is how many requests for an order came to the bank.
func (g *till) orders(reference string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ordered[reference]
}

// deposit finds an order by its reference.
func (g *till) deposit(t testing.TB, reference string) bank.Deposit {
	t.Helper()
	for _, d := range g.State().Deposits {
		if d.Reference == reference {
			return d
		}
	}
	t.Fatalf("the gateway has no order %s", reference)
	return bank.Deposit{}
}

// fire makes something happen to an order.
func (g *till) fire(t testing.TB, reference, event string) {
	t.Helper()
	if err := g.Fire(reference, event); err != nil {
		t.Fatalf("%s of %s: %v", event, reference, err)
	}
}

// advance moves the gateway's clock on.
func (g *till) advance(t testing.TB, by time.Duration) {
	t.Helper()
	if err := g.Advance(by); err != nil {
		t.Fatal(err)
	}
}

// hasTold is an error as long as the gateway is about to tell of something.
func (g *till) hasTold() error {
	now := g.Now()
	for _, planned := range g.State().Waiting {
		if !planned.At.After(now.Add(2 * time.Second)) {
			return errors.New("the gateway has not told of everything: " + planned.Type + " of " + planned.Reference)
		}
	}
	return nil
}
