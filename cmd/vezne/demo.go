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
	"github.com/vezne/vezne/cmd/vezne/demo"
	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/cmd/vezne/signing"
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
	house := s.demoHouse()
	box, err := inbox.New(inbox.Config{
		Receiver: house.Receiver, Now: s.clock.Now, Zone: s.set.zone, Log: s.log,
	})
	if err != nil {
		return err
	}
	router.Mount(inbox.Path, box.Handler())
	router.Method(http.MethodGet, "/", http.RedirectHandler(inbox.Path, http.StatusFound))
	d, err := demofile.Read(s.set.DataDir)
	isSeeded := err == nil
	if isSeeded {
		if isSeeded, err = house.IsSeeded(ctx, d); err != nil {
			return err
		}
	}
	if !isSeeded {
		if d, err = house.Seed(ctx); err != nil {
			return err
		}
	} else if err := house.MoveInbox(ctx, d); err != nil {
		return err
	}
	if s.endDemo, err = house.ServeSandbox(ctx, router, &d.Sandbox); err != nil {
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
	return isPoll || isBelow(path, demo.SandboxPath) || isBelow(path, inbox.Path)
}

func isBelow(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// demoHouse is this process as the demo has it.
func (s *service) demoHouse() demo.House {
	return demo.House{
		Unit: s.unit, Directory: s.directory, Gateways: s.gatewayAdmin, Wallets: s.wallets, Staff: s.staffService, Approvals: s.approvals,
		Sequences: s.database, BaseURL: s.baseURL, Here: "http://" + localAddress(s.address), Dir: s.set.DataDir, Log: s.log,
	}
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
