package drill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/vezne/vezne/adapters/inbox"
	"github.com/vezne/vezne/cmd/vezne/demo"
	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

const (
	maxBody    = 1 << 20 // bytes of a request to the gateway
	readHeader = 10 * time.Second
)

// outside is everything that survives the loss of the database, in this process: the gateway, which is the wallets' bank too, and the
// provider's receiver of callbacks.
type outside struct {
	URL    string
	server *http.Server
	inbox  *inbox.Inbox
	provider

	mu       sync.Mutex
	bank     *bank.Bank
	isDeaf   bool // the receiver answers 503
	isFrozen bool // nothing may leave the installation
	left     []string
	ordered  map[string]int // payouts: requests by reference
	held     chan struct{}  // not nil: payouts' requests wait until it is closed
}

// provider is whose callbacks are received; unknown until the installation is made.
type provider struct {
	keyMu sync.Mutex
	keys  demofile.Provider
}

// openOutside listens on a free port of this machine.
func openOutside(ctx context.Context) (*outside, error) {
	o := &outside{ordered: make(map[string]int)}
	var err error
	o.inbox, err = inbox.New(inbox.Config{Receiver: o.receiver, Now: time.Now, Zone: time.UTC, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	o.URL = "http://" + listener.Addr().String()
	mux := http.NewServeMux()
	mux.Handle(inbox.Path, o.receives(o.inbox.Handler()))
	mux.HandleFunc("/", o.serveGateway)
	o.server = &http.Server{Handler: mux, ReadHeaderTimeout: readHeader, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)}
	go func() { _ = o.server.Serve(listener) }() // ends with Close
	return o, nil
}

func (o *outside) Close() error { return o.server.Close() }

// open opens the gateway with the keys that the installation has for it; it tells of everything at notifyURL.
func (o *outside) open(ctx context.Context, d demofile.File, notifyURL string) {
	b := bank.New(bank.Config{
		APIKey: d.Sandbox.APIKey, APISecret: d.Sandbox.APISecret, AdminKey: d.Sandbox.AdminKey, NotifySecret: d.Sandbox.NotifySecret,
		WalletSecret: d.Sandbox.WalletSecret, NotifyURL: notifyURL, Accounts: demo.SandboxAccounts(d.Sandbox),
	})
	o.mu.Lock()
	o.bank = b
	o.mu.Unlock()
	o.keyMu.Lock()
	o.keys = d.Provider
	o.keyMu.Unlock()
	go b.Run(ctx)
}

func (p *provider) receiver(_ context.Context, apiKey string) (inbox.Receiver, error) {
	p.keyMu.Lock()
	defer p.keyMu.Unlock()
	if p.keys.APIKey == "" || apiKey != p.keys.APIKey {
		return inbox.Receiver{}, fault.New("drill.receiver", fault.NotFound)
	}
	return inbox.Receiver{Name: p.keys.Name, Signer: payment.Signer{
		APIKey: p.keys.APIKey, SecretKey: core.NewSecret(p.keys.SecretKey), WebhookSecret: core.NewSecret(p.keys.WebhookSecret),
	}}, nil
}

// receives takes callbacks, unless the receiver is deaf.
func (o *outside) receives(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		o.mu.Lock()
		isDeaf := o.isDeaf
		if o.isFrozen {
			o.left = append(o.left, "a callback was sent while the installation was frozen")
		}
		o.mu.Unlock()
		if isDeaf {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serveGateway notes what sends or takes money, and serves it.
func (o *outside) serveGateway(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return // the caller has gone, or sends what no caller does
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var order struct{ Reference string }
	isPayout := r.Method == http.MethodPost && r.URL.Path == "/v1/payouts" && json.Unmarshal(body, &order) == nil
	isMoney := isPayout || r.Method == http.MethodPost && (r.URL.Path == "/v1/transfers" || r.URL.Path == "/v1/deposits" || strings.HasSuffix(r.URL.Path, "/refunds"))
	o.mu.Lock()
	b, held := o.bank, o.held
	if isPayout {
		o.ordered[order.Reference]++
	}
	if isMoney && o.isFrozen {
		o.left = append(o.left, "the gateway was asked to move money while the installation was frozen: "+r.URL.Path)
	}
	o.mu.Unlock()
	if b == nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if isPayout && held != nil {
		select {
		case <-held:
		case <-r.Context().Done():
		}
	}
	b.ServeHTTP(w, r)
}

// hold has payouts' requests wait at the gateway; what it returns lets them go on.
func (o *outside) hold() (release func()) {
	held := make(chan struct{})
	o.mu.Lock()
	o.held = held
	o.mu.Unlock()
	return sync.OnceFunc(func() {
		o.mu.Lock()
		o.held = nil
		o.mu.Unlock()
		close(held)
	})
}

func (o *outside) set(change func(*outside)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change(o)
}

// orders is how many requests for a payout came to the gateway by its reference.
func (o *outside) orders(reference string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.ordered[reference]
}

// letters is what the receiver has got, each callback once.
func (o *outside) letters() (all []Letter, err error) {
	for _, l := range o.inbox.Letters() {
		var body struct {
			RestoredTo string `json:"restored_to"`
		}
		if json.Unmarshal([]byte(l.Body), &body) != nil || !l.IsHashRight || !l.IsHookRight {
			err = errors.Join(err, errors.New("a callback came whose signatures are not right: "+l.Problem))
		}
		all = append(all, Letter{Code: l.TrackingCode, ID: l.CallbackID, Status: l.Status, IsMarked: body.RestoredTo != "", At: l.At})
	}
	return all, err
}

// movement is one movement of money at the gateway, by its reference.
type movement struct {
	reference, amount string
	isOut             bool
}

// movements are those that the gateway has made.
func (o *outside) movements() (all []movement) {
	state := o.bank.State()
	for _, d := range state.Deposits {
		if d.Paid != nil {
			all = append(all, movement{reference: d.Reference, amount: d.Paid.Value.Fixed(2)})
		}
	}
	for _, p := range state.Payouts {
		if p.Status == bank.Done {
			all = append(all, movement{reference: p.Reference, amount: p.Amount.Value.Fixed(2), isOut: true})
		}
	}
	return all
}
