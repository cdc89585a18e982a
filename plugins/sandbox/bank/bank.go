// Package bank is the other side of the sandbox gateway: the company that Vezne would have a contract with, played by an
// http.Handler. It knows nothing of the plugin and shares no code with it; the two meet in the JSON of the README.
//
// It keeps everything in memory, and nothing in it is random: what becomes of an order follows from the order (see
// Scenarios), from what was typed on its hosted page, and from the admin API. Its clock can be moved on.
//
// Vezne's binary contains it for vezne demo, so that trying Vezne takes one file. vezne serve never opens one, whatever its
// settings: there is no listener, no route and no goroutine, and the sandbox plugin reaches a bank over HTTP only.
package bank

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Config is what a bank is opened with.
type Config struct {
	APIKey    string // of the merchant, in X-Sandbox-Key
	APISecret string // signs the merchant's requests
	AdminKey  string // in X-Sandbox-Admin-Key; empty: there is no admin API

	NotifySecret   string // signs notifications
	PreviousSecret string // signed them before the last rotation: scenario 29 uses it once more; may be empty
	WalletSecret   string // stands in the body of the notifications of scenario 09, which have no signature
	// NotifyURL is notified of what has no order with an address of its own: payouts, transfers and statement lines.
	NotifyURL string

	// PublicURL is where browsers find this handler: "https://sandbox.example.com/sim". Empty: where the order came to.
	PublicURL string
	Now       func() time.Time // nil: time.Now
	Post      Post             // delivers notifications; nil: over HTTP
	Log       *slog.Logger     // nil: nowhere
	// ByHand: payers and payees do nothing of their own accord. Payments by bank and crypto, and payouts, wait for the
	// admin API: an outcome, or an event.
	ByHand   bool
	Accounts []Account // nil: two, with a million lira each
	Books    []Books   // what an earlier bank has written into the accounts: see Bank.Books
	// HasBranch: the page /branch, where whoever finds it sends money to the accounts as from another bank. For demos.
	HasBranch bool
}

// Bank is the gateway. It is an http.Handler: the API under /v1, hosted pages under /pay, the admin API under /admin,
// and where Config.HasBranch says so a page for people at /branch.
type Bank struct {
	config Config
	mux    *http.ServeMux

	mu             sync.Mutex // guards what follows
	offset         time.Duration
	seq            int
	changes        int
	deposits       book[*deposit]
	refunds        book[*refund]
	payouts        book[*payout] // transfers too
	disputes       book[*dispute]
	accounts       []*account
	balanceLag     time.Duration
	outcomes       map[string]string         // reference to code, set by hand
	hasFailed      map[string]bool           // references whose first request met its fault already
	tasks          queue[func(at time.Time)] // what happens by itself at its time
	notifications  queue[notification]
	deliveries     []Delivery
	deliveryFaults deliveryFaults
	outage         outage
}

// New opens a bank.
func New(c Config) *Bank {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Post == nil {
		c.Post = PostOverHTTP()
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	b := &Bank{
		config: c, mux: http.NewServeMux(),
		outcomes: map[string]string{}, hasFailed: map[string]bool{}, balanceLag: balanceLag,
	}
	for _, a := range accountsOf(c) {
		b.accounts = append(b.accounts, &account{Account: a, byID: map[string]*Line{}})
	}
	b.restore(c.Books)
	b.routeAPI()
	b.routePages()
	b.routeBranch()
	b.routeAdmin()
	return b
}

// ServeHTTP implements http.Handler.
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.mux.ServeHTTP(w, r) }

// tick is how often Run looks for notifications that are due.
const tick = 200 * time.Millisecond

// Run delivers notifications as they fall due, until ctx ends.
func (b *Bank) Run(ctx context.Context) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			b.Step(ctx)
		}
	}
}

// now is the bank's time: the real one, plus what the admin API has added. The caller holds b.mu.
func (b *Bank) now() time.Time { return b.config.Now().Add(b.offset).UTC().Truncate(time.Millisecond) }

// catchUp does what has fallen due since the last time anybody asked. The caller holds b.mu.
func (b *Bank) catchUp() time.Time {
	now := b.now()
	for {
		next, ok := b.tasks.pop(now)
		if !ok {
			return now
		}
		next.item(next.at)
	}
}
