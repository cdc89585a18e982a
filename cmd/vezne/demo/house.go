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

// SendCallbacks has the callbacks of the demo's provider and dealer sent to an address, and those of the others to this run's inbox,
// where they still go to that of an earlier run or to the address that an earlier run was given. An empty address: all to the inbox.
func (h House) SendCallbacks(ctx context.Context, d *demofile.File, address string) error {
	if address == "" {
		address = h.inboxURL()
	}
	earlier := d.CallbackURL
	for id, to := range map[int64]string{
		d.Provider.ID: address, d.OtherProvider.ID: h.inboxURL(), d.InactiveProvider.ID: h.inboxURL(),
	} {
		p, err := h.Unit.Directory.Provider(ctx, id)
		if err != nil {
			return err
		}
		if !moved(&p.URLs, earlier, to) {
			continue
		}
		p.Version++
		if err := h.Unit.Commit(ctx, core.Changeset{p}); err != nil {
			return err
		}
	}
	d.CallbackURL = address
	dealer, err := h.Unit.Directory.Dealer(ctx, d.Dealer.ID)
	if err != nil || !moved(&dealer.URLs, earlier, address) {
		return err
	}
	dealer.Version++
	return h.Unit.Commit(ctx, core.Changeset{dealer})
}

// moved changes the URLs that an earlier run has set, and reports whether that changes any.
func moved(urls *owner.CallbackURLs, earlier, to string) bool {
	before := *urls
	for _, url := range []*string{&urls.Deposit, &urls.EIBANDeposit, &urls.Withdrawal, &urls.CreditCard} {
		if strings.HasSuffix(*url, inbox.Path) || earlier != "" && *url == earlier {
			*url = to
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
