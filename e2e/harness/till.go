package harness

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

// Sent returns what the gateway has of a payout; none is not an error.
func (s *Shop) Sent(p Payment) (found []bank.Payout) {
	for _, sent := range s.Till.State().Payouts {
		if strings.HasPrefix(sent.Reference, strings.ReplaceAll(p.TrackingCode, "-", "")) {
			found = append(found, sent)
		}
	}
	return found
}

// Simulated lets a serving process use a simulated gateway on this machine.
var Simulated = []string{"VEZNE_GATEWAY_SANDBOX=true", "VEZNE_GATEWAY_ALLOW_PRIVATE=true"}

// Till is the sandbox gateway in the test's own process: it stays when every vezne has crashed, and it knows what really
// happened.
type Till struct {
	*bank.Bank
	URL     string
	closing chan struct{}

	mu      sync.Mutex
	plan    func(TillCall) Fate
	ordered map[string]int // by reference: how many requests for an order or payout came to the bank
	Stuck   chan TillCall  // those that met another fate than to be answered
	gate    chan struct{}  // closed when what is held may go on
	freed   int            // how many of those have gone
}

// TillCall is one call of the gateway's API.
type TillCall struct{ method, Path, reference string }

// IsOrder reports whether a call takes or sends money.
func (c TillCall) IsOrder() bool {
	return c.method == http.MethodPost && (c.Path == "/v1/payouts" || c.Path == "/v1/transfers" || c.Path == "/v1/deposits" || strings.HasSuffix(c.Path, "/refunds"))
}

// Fate is what becomes of a call.
type Fate int

// The fates of a call.
const (
	Answered     Fate = iota
	NeverArrives      // lost on its way; the caller waits
	NeverAnswers      // the gateway acts, and the caller waits
	Held              // answered when the test lets it go
)

// NewTill starts a gateway with the demo's keys. It tells of payouts at notifyURL. Without accounts it has two of its own.
func NewTill(t testing.TB, keys SandboxKeys, notifyURL string, accounts ...bank.Account) *Till {
	t.Helper()
	g := &Till{
		Bank: bank.New(bank.Config{
			APIKey: keys.APIKey, APISecret: keys.APISecret, NotifySecret: keys.NotifySecret, WalletSecret: keys.WalletSecret,
			AdminKey: keys.AdminKey, NotifyURL: notifyURL, Accounts: accounts,
		}),
		closing: make(chan struct{}), ordered: make(map[string]int), Stuck: make(chan TillCall, 10_000),
		gate: make(chan struct{}),
		plan: func(TillCall) Fate { return Answered },
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := tellsNoTrace(r.Header); err != nil && strings.HasPrefix(r.URL.Path, "/v1/") { // not of a customer's browser
			t.Errorf("the gateway is called with what is not its own: %v", err)
		}
		g.serve(w, r)
	}))
	g.URL = server.URL
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

// Till moves the installation's gateway account to a gateway of the test's own.
func (in *Installation) Till(p *Process) *Till {
	in.T.Helper()
	admin := in.SignIn(p, "admin")
	var data struct {
		GatewayAccount struct{ NotificationURL string }
	}
	id := fmt.Sprint(in.Keys.Sandbox.GatewayID)
	err := admin.Ask(`query($id: ID!) { gatewayAccount(id: $id) { notificationURL: notificationUrl } }`, map[string]any{"id": id}, &data)
	if err != nil {
		in.T.Fatal(err)
	}
	g := NewTill(in.T, in.Keys.Sandbox, data.GatewayAccount.NotificationURL)
	admin.UpdateGateway(in.T, in.Keys.Sandbox.GatewayID, map[string]any{
		"config": []any{map[string]any{"name": "base_url", "value": g.URL}},
	})
	return g
}

func (g *Till) serve(w http.ResponseWriter, r *http.Request) {
	if !strings.HasPrefix(r.URL.Path, "/v1/") {
		g.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the caller has gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	c := TillCall{method: r.Method, Path: r.URL.Path}
	var order struct{ Reference string }
	if json.Unmarshal(body, &order) == nil {
		c.reference = order.Reference
	}
	switch g.fateOf(c) {
	case NeverArrives:
	case NeverAnswers:
		g.order(c)
		g.ServeHTTP(httptest.NewRecorder(), r)
	case Held:
		g.Stuck <- c
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
	g.Stuck <- c
	select {
	case <-r.Context().Done():
	case <-g.closing:
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.freed++
}

// Gone is how many stuck calls have gone.
func (g *Till) Gone() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.freed
}

func (g *Till) fateOf(c TillCall) Fate {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.plan(c)
}

func (g *Till) order(c TillCall) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.IsOrder() {
		g.ordered[c.reference]++
	}
}

// DecideFates sets what becomes of calls from now on; it is asked about one call at a time.
func (g *Till) DecideFates(plan func(TillCall) Fate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.plan = plan
}

// LetGo has what is held answered, and everything from now on.
func (g *Till) LetGo() {
	g.DecideFates(func(TillCall) Fate { return Answered })
	close(g.gate)
}

// Orders is how many requests for an order came to the bank.
func (g *Till) Orders(reference string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ordered[reference]
}

// Deposit finds an order by its reference.
func (g *Till) Deposit(t testing.TB, reference string) bank.Deposit {
	t.Helper()
	d, ok := g.FindDeposit(reference)
	if !ok {
		t.Fatalf("the gateway has no order %s", reference)
	}
	return d
}

// FireEvent makes something happen to an order.
func (g *Till) FireEvent(t testing.TB, reference, event string) {
	t.Helper()
	if err := g.Fire(reference, event); err != nil {
		t.Fatalf("%s of %s: %v", event, reference, err)
	}
}

// AdvanceClock moves the gateway's clock on.
func (g *Till) AdvanceClock(t testing.TB, by time.Duration) {
	t.Helper()
	if err := g.Advance(by); err != nil {
		t.Fatal(err)
	}
}

// HasTold is an error as long as the gateway is about to tell of something.
func (g *Till) HasTold() error {
	now := g.Now()
	for _, planned := range g.State().Waiting {
		if !planned.At.After(now.Add(2 * time.Second)) {
			return errors.New("the gateway has not told of everything: " + planned.Type + " of " + planned.Reference)
		}
	}
	return nil
}
