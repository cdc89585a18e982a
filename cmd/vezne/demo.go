package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/adapters/inbox"
	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/cmd/vezne/signing"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
)

type demoCommand struct {
	Config
}

// Run migrates, seeds once and serves, and says where everything is.
func (c demoCommand) Run(ctx context.Context, t terminal) error {
	set, err := c.check("demo-data")
	if err != nil {
		return err
	}
	return serve(ctx, t, set, serveOptions{
		command: "demo", role: roleAll, migrate: true, isDemo: true, prepare: prepareDemo,
		loopback: c.CallbackAllowPrivate == nil, // the demo's receiver is on this machine
	})
}

// prepareDemo seeds an empty installation, puts the demo's receiver in place, and prints where things are.
func prepareDemo(ctx context.Context, t terminal, s *service, router chi.Router) error {
	if err := os.MkdirAll(s.set.DataDir, 0o700); err != nil { // before anything is made whose keys would have no place
		return err
	}
	if err := s.markDemo(ctx); err != nil {
		return err
	}
	box, err := inbox.New(inbox.Config{
		Receiver: s.receiver, Now: s.clock.Now, Zone: s.set.zone, Log: s.log,
	})
	if err != nil {
		return err
	}
	router.Mount(inbox.Path, box.Handler())
	router.Method(http.MethodGet, "/", http.RedirectHandler(inbox.Path, http.StatusFound))
	here := "http://" + localAddress(s.address)
	inboxURL := here + inbox.Path
	d, err := demofile.Read(s.set.DataDir)
	isSeeded := err == nil
	if isSeeded {
		if isSeeded, err = s.isSeeded(ctx, d); err != nil {
			return err
		}
	}
	if !isSeeded {
		if d, err = s.seed(ctx, inboxURL, here+sandboxPath); err != nil {
			return err
		}
	} else if err := s.moveInbox(ctx, d, inboxURL); err != nil {
		return err
	}
	if err := s.serveSandbox(ctx, router, &d.Sandbox, here+sandboxPath); err != nil {
		return err
	}
	d.BaseURL = s.baseURL
	if err := d.Write(s.set.DataDir); err != nil {
		return fmt.Errorf("writing %s: %w", demofile.Name, err)
	}
	return printDemo(t, s, d)
}

// isChatter tells of what the demo asks itself, and of what an open page asks again and again: who reads the demo's log
// looks for what happens to payments.
func isChatter(r *http.Request) bool {
	path := r.URL.Path
	isPoll := strings.HasPrefix(path, "/pay/") && strings.HasSuffix(path, "/state")
	return isPoll || isBelow(path, sandboxPath) || isBelow(path, inbox.Path)
}

func isBelow(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// receiver finds whom a callback is for: a provider, or a dealer.
func (s *service) receiver(ctx context.Context, apiKey string) (inbox.Receiver, error) {
	p, err := s.owners.ProviderByAPIKey(ctx, apiKey)
	if !fault.Is(err, fault.NotFound) {
		return inbox.Receiver{Name: p.Name, Signer: payment.SignerOf(p)}, err
	}
	d, err := s.owners.DealerByAPIKey(ctx, apiKey)
	return inbox.Receiver{Name: d.Name, Signer: payment.SignerOfDealer(d)}, err
}

// isSeeded reports whether the provider of an earlier demo.json is in this database.
func (s *service) isSeeded(ctx context.Context, d demofile.File) (bool, error) {
	_, err := s.owners.ProviderByAPIKey(ctx, d.Provider.APIKey)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// moveInbox points the demo's providers and dealer at this run's receiver, where they still point at an earlier run's.
func (s *service) moveInbox(ctx context.Context, d demofile.File, inboxURL string) error {
	for _, id := range []int64{d.Provider.ID, d.OtherProvider.ID, d.InactiveProvider.ID} {
		p, err := s.owners.Provider(ctx, id)
		if err != nil {
			return err
		}
		if !moved(&p.URLs, inboxURL) {
			continue
		}
		p.Version++
		if err := s.unit.Commit(ctx, core.Changeset{p}); err != nil {
			return err
		}
	}
	dealer, err := s.owners.Dealer(ctx, d.Dealer.ID)
	if err != nil || !moved(&dealer.URLs, inboxURL) {
		return err
	}
	dealer.Version++
	return s.unit.Commit(ctx, core.Changeset{dealer})
}

// moved points the URLs that are an inbox's at another, and reports whether there are any.
func moved(urls *owner.CallbackURLs, inboxURL string) bool {
	before := *urls
	for _, url := range []*string{&urls.Deposit, &urls.EIBANDeposit, &urls.Withdrawal, &urls.CreditCard} {
		if strings.HasSuffix(*url, inbox.Path) {
			*url = inboxURL
		}
	}
	return *urls != before
}

func printDemo(t terminal, s *service, d demofile.File) error {
	curl := signing.Command{
		BaseURL: d.BaseURL, APIKey: d.Provider.APIKey, SecretKey: d.Provider.SecretKey,
		Key: d.Sites[0].CredentialKey, Timestamp: s.clock.Now().Unix(),
	}.Example("start-manual-deposit")
	var staff strings.Builder
	for _, m := range d.Staff {
		fmt.Fprintf(&staff, "    %-10s %s  %s\n", m.Role, m.Email, m.Password)
	}
	_, err := fmt.Fprintf(t.out, `Vezne demo is ready.

  Callback inbox   %[1]s%[2]s
  API reference    %[1]s/docs
  Console          %[1]s/console  (staff sign in here)
  Back office API  %[1]s/graphiql  (GraphiQL; docs/staff.md has operations to paste)
  GraphQL          %[1]s/graphql
  Sandbox gateway  %[1]s/sandbox
  Sandbox branch   %[1]s/sandbox/branch  (pay an E-IBAN deposit here, as its customer)
  Keys and logins  %[3]s%[4]c%[5]s
  Staff
%[6]s
Create a deposit (signed just now, valid for five minutes), then open its payment_url:

%[7]s

Sign further calls:  vezne sign start-manual-deposit --demo %[3]s
As a dealer:         vezne sign dealer-eibans --demo %[3]s
`, d.BaseURL, inbox.Path, s.set.DataDir, os.PathSeparator, demofile.Name, staff.String(), curl)
	return err
}

// localAddress is how this machine reaches an address that was listened on.
func localAddress(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return "127.0.0.1:" + strconv.Itoa(tcp.Port)
}
