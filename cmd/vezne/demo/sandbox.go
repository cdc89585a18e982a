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
	return directory.NewAccount{Plugin: "sandbox", Environment: gateway.Sandbox, GatewayPatch: owner.GatewayPatch{
		Code: &code, Name: &name, Description: &about, IsEnabled: &yes, ApprovalFrom: &approval, Config: sandboxConfig(d),
	}}
}

func sandboxConfig(d demofile.Sandbox) map[string]string {
	return map[string]string{
		"base_url": d.URL, "api_key": d.APIKey, "api_secret": d.APISecret, "notify_secret": d.NotifySecret,
		"wallet_secret": d.WalletSecret,
	}
}

// ServeSandbox starts the gateway's side at this run's address, and has the account follow it there. A demo that was
// seeded before there was a sandbox gets one.
// What it gives keeps the sandbox's books a last time.
func (h House) ServeSandbox(ctx context.Context, router chi.Router, d *demofile.Sandbox) (end func() error, err error) {
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
		d.URL = address
		if err := h.moveSandbox(ctx, account, *d); err != nil {
			return nil, err
		}
	}
	books, err := readBooks(h.Dir)
	if err != nil {
		return nil, err
	}
	b := bank.New(bank.Config{
		Accounts: sandboxAccounts(*d), Books: books, HasBranch: true,
		APIKey: d.APIKey, APISecret: d.APISecret, AdminKey: d.AdminKey, NotifySecret: d.NotifySecret,
		WalletSecret: d.WalletSecret, PublicURL: h.BaseURL + SandboxPath, Now: h.Unit.Clock.Now, Log: h.Log,
		NotifyURL: h.Here + operation.NotifyPath + account.HookToken,
	})
	router.Mount(SandboxPath, sandboxEntrance(http.StripPrefix(SandboxPath, b)))
	go b.Run(ctx)
	return h.keepBooks(ctx, b), nil
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

func (h House) moveSandbox(ctx context.Context, a owner.GatewayAccount, d demofile.Sandbox) error {
	config, err := owner.ConfigSecret(sandboxConfig(d))
	if err != nil {
		return fmt.Errorf("moving the sandbox: %w", err)
	}
	a.Version++
	a.Config, a.UpdatedAt = config, h.Unit.Clock.Now()
	return h.Unit.Commit(ctx, core.Changeset{a})
}
