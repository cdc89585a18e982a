package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/operation"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// SandboxPath is where the demo serves the gateway's own side.
const SandboxPath = "/sandbox"

const sandboxPlugin = "sandbox"

// newSandbox issues the keys of a sandbox, and the number of its branch.
func (m *seeder) newSandbox() (d demofile.Sandbox) {
	for _, key := range []*string{&d.AdminKey, &d.APIKey, &d.APISecret, &d.NotifySecret, &d.WalletSecret} {
		m.try("a sandbox key", func() (err error) {
			*key, err = core.NewKey("sim-", m.Unit.Random)
			return err
		})
	}
	m.try("the sandbox's branch", func() error {
		n, err := rand.Int(m.Unit.Random, big.NewInt(100_000_000))
		d.Branch = fmt.Sprintf("%08d", n)
		return err
	})
	return d
}

// sandbox makes the gateway account of the demo. A code that an earlier seeding of the database took gets a number.
func (m *seeder) sandbox(ctx context.Context) demofile.Sandbox {
	d := m.newSandbox()
	d.URL = m.Here + SandboxPath
	m.try("the sandbox gateway", func() (err error) {
		for i := 1; i < 100; i++ {
			account := sandboxAccount(d)
			if i > 1 {
				*account.Code, *account.Name = fmt.Sprintf("sandbox%d", i), fmt.Sprintf("Vezne Sandbox %d", i)
			}
			var made owner.GatewayAccount
			made, err = m.Gateways.Create(ctx, app.BySystem, account)
			if d.GatewayID = made.ID; !fault.Is(err, fault.Conflict) {
				break
			}
		}
		return err
	})
	return d
}

func sandboxAccount(d demofile.Sandbox) directory.NewAccount {
	code, name, about := "sandbox", "Vezne Sandbox", "Deneme: para hareket etmez · Simulated: no money moves"
	yes, approval := true, money.New(1_000_00, money.TRY)
	return directory.NewAccount{Plugin: sandboxPlugin, Environment: gateway.Sandbox, GatewayPatch: owner.GatewayPatch{
		Code: &code, Name: &name, Description: &about, IsEnabled: &yes, ApprovalFrom: &approval, Config: sandboxConfig(d),
	}}
}

func sandboxConfig(d demofile.Sandbox) map[string]string {
	return map[string]string{
		"base_url": d.URL, "api_key": d.APIKey, "api_secret": d.APISecret, "notify_secret": d.NotifySecret,
		"wallet_secret": d.WalletSecret,
	}
}

// ServeSandbox serves the gateway's side at this run's address, and has the account follow it there. A demo that was
// seeded before there was a sandbox gets one. b is the one that runs already, if any does. What it gives keeps the sandbox's
// books a last time.
func (h House) ServeSandbox(ctx context.Context, router chi.Router, d *demofile.Sandbox, b *bank.Bank) (end func() error, err error) {
	address := h.Here + SandboxPath
	if d.GatewayID == 0 {
		m := &seeder{House: h}
		if *d = m.sandbox(ctx); m.err != nil {
			return nil, m.err
		}
	}
	account, err := h.sandboxAccount(ctx, d.GatewayID)
	if err != nil {
		return nil, err
	}
	if d.URL != address {
		if err := h.moveSandbox(ctx, d.URL, address); err != nil {
			return nil, err
		}
		d.URL = address
	}
	if b == nil {
		config := h.bankConfig(*d, account)
		if config.Books, err = readBooks(h.Dir); err != nil {
			return nil, err
		}
		b = bank.New(config)
	}
	router.Mount(SandboxPath, sandboxEntrance(http.StripPrefix(SandboxPath, b)))
	go b.Run(ctx)
	return h.keepBooks(ctx, b), nil
}

// bankConfig is what the sandbox is opened with.
func (h House) bankConfig(d demofile.Sandbox, account owner.GatewayAccount) bank.Config {
	return bank.Config{
		Accounts: SandboxAccounts(d), HasBranch: true,
		APIKey: d.APIKey, APISecret: d.APISecret, AdminKey: d.AdminKey, NotifySecret: d.NotifySecret,
		WalletSecret: d.WalletSecret, PublicURL: h.BaseURL + SandboxPath, Now: h.Unit.Clock.Now, Log: h.Log,
		NotifyURL: h.Here + operation.NotifyPath + account.HookToken,
	}
}

// sandboxEntrance leads whoever looks at the sandbox itself to its one page for people, the bank's branch: everything else is
// behind a payment's link or a key.
func sandboxEntrance(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isRead := r.Method == http.MethodGet || r.Method == http.MethodHead
		if isRead && strings.TrimSuffix(r.URL.Path, "/") == SandboxPath {
			http.Redirect(w, r, SandboxPath+"/branch", http.StatusFound)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (h House) sandboxAccount(ctx context.Context, id int64) (owner.GatewayAccount, error) {
	accounts, err := h.Unit.Directory.GatewayAccounts(ctx)
	if err != nil {
		return owner.GatewayAccount{}, err
	}
	for _, a := range accounts {
		if a.ID == id {
			return a, nil
		}
	}
	return owner.GatewayAccount{}, fmt.Errorf("the sandbox's gateway account %d is gone", id)
}

// moveSandbox has all gateway accounts that are at an address follow to another.
func (h House) moveSandbox(ctx context.Context, from, to string) error {
	const name = "base_url"
	accounts, err := h.Unit.Directory.GatewayAccounts(ctx)
	if err != nil {
		return err
	}
	for _, a := range accounts {
		values, _, err := a.Values()
		if err != nil {
			return fmt.Errorf("moving the sandbox: %w", err)
		}
		if a.Plugin != sandboxPlugin || values[name] != from {
			continue
		}
		values[name] = to
		if a.Config, err = owner.ConfigSecret(values); err != nil {
			return fmt.Errorf("moving the sandbox: %w", err)
		}
		a.Version++
		a.UpdatedAt = h.Unit.Clock.Now()
		if err := h.Unit.Commit(ctx, core.Changeset{a}); err != nil {
			return err
		}
	}
	return nil
}
