// Package demo fills a demo's database, and keeps what stands beside it: the receiver of callbacks and the sandbox of a
// gateway. It makes everything the way an operator would, through the use cases.
package demo

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/vezne/vezne/adapters/inbox"
	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/approval"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	staffs "github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// House is the installation that is shown: its use cases, and where it is.
type House struct {
	Unit      *app.UnitOfWork
	Directory *directory.Directory
	Gateways  *directory.Gateways
	Wallets   *wallet.Wallets
	Staff     *staff.Service
	Approvals *approval.Service
	Sequences ports.Sequences
	Reports   ports.Reports

	BaseURL string // for whoever looks at it
	Here    string // the address at which this process reaches itself
	Dir     string // of the demo's data
	Log     *slog.Logger
}

func (h House) inboxURL() string { return h.Here + inbox.Path }

// Receiver finds whom a callback is for: a provider, or a dealer.
func (h House) Receiver(ctx context.Context, apiKey string) (inbox.Receiver, error) {
	p, err := h.Unit.Directory.ProviderByAPIKey(ctx, apiKey)
	if !fault.Is(err, fault.NotFound) {
		return inbox.Receiver{Name: p.Name, Signer: payment.SignerOf(p)}, err
	}
	d, err := h.Unit.Directory.DealerByAPIKey(ctx, apiKey)
	return inbox.Receiver{Name: d.Name, Signer: payment.SignerOfDealer(d)}, err
}

// IsSeeded reports whether the provider of an earlier demo.json is in this database.
func (h House) IsSeeded(ctx context.Context, d demofile.File) (bool, error) {
	_, err := h.Unit.Directory.ProviderByAPIKey(ctx, d.Provider.APIKey)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

// MoveInbox points the demo's providers and dealer at this run's receiver, where they still point at an earlier run's.
func (h House) MoveInbox(ctx context.Context, d demofile.File) error {
	for _, id := range []int64{d.Provider.ID, d.OtherProvider.ID, d.InactiveProvider.ID} {
		p, err := h.Unit.Directory.Provider(ctx, id)
		if err != nil {
			return err
		}
		if !moved(&p.URLs, h.inboxURL()) {
			continue
		}
		p.Version++
		if err := h.Unit.Commit(ctx, core.Changeset{p}); err != nil {
			return err
		}
	}
	dealer, err := h.Unit.Directory.Dealer(ctx, d.Dealer.ID)
	if err != nil || !moved(&dealer.URLs, h.inboxURL()) {
		return err
	}
	dealer.Version++
	return h.Unit.Commit(ctx, core.Changeset{dealer})
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

// seeder makes things until the first that fails.
type seeder struct {
	House
	dealers map[string]int64               // ids, by the names that demoBank has
	members map[staffs.Role][]staffs.Staff // those who were made
	err     error
}

// try runs a step unless an earlier one failed.
func (m *seeder) try(what string, step func() error) {
	if m.err != nil {
		return
	}
	if err := step(); err != nil {
		m.err = fmt.Errorf("seeding %s: %w", what, err)
	}
}
