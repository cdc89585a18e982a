package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/vezne/vezne/cmd/vezne/demofile"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/plugins/sandbox/bank"
)

// demoBank says which accounts the demo's sandbox has. The first collects what is paid through third parties; each of
// the others is a dealer's wallet.
var demoBank = []struct {
	id, owner, holder string
	opening           int64 // in lira
}{
	{"acc-1", "", "Vezne Sandbox A.Ş. (SIM)", 1_000_000},
	{"acc-2", "marmara", "Marmara Finans A.Ş.", 250_000},
	{"acc-3", "marmara", "Marmara Finans A.Ş.", 40_000},
	{"acc-4", "ege", "Ege Ödeme Ltd. Şti.", 100_000},
}

const demoBankName = "SIM Bank"

// openedBefore is how long before a bare demo its wallets were opened: what arrives late, booked yesterday, is theirs too.
const openedBefore = 48 * time.Hour

// SandboxAccounts are the sandbox's accounts.
func SandboxAccounts(d demofile.Sandbox) []bank.Account {
	var list []bank.Account
	for i, a := range demoBank {
		list = append(list, bank.Account{
			ID: a.id, IBAN: sandboxIBAN(d, i), Bank: demoBankName, Holder: a.holder, IsOpen: true,
			Opening: bank.Money{Value: lira(a.opening).Decimal(), Currency: money.TRY.Code},
		})
	}
	return list
}

// iban is that of one of demoBank's accounts. Demos that share a database have different ones.
func sandboxIBAN(d demofile.Sandbox, i int) string {
	return bank.TurkishIBAN("99998", d.Branch+fmt.Sprint(i+1))
}

func lira(n int64) money.Amount { return money.New(n*100, money.TRY) }

// wallets makes a wallet of each account that a dealer owns, opened so long ago. The sandbox does not run yet: what it would say is known.
func (m *seeder) wallets(ctx context.Context, sandbox demofile.Sandbox, ago time.Duration) (list []demofile.Wallet) {
	for i, a := range demoBank {
		if m.dealers[a.owner] == 0 {
			continue
		}
		m.try("the wallet of "+a.id, func() error {
			params, err := m.Wallets.Params(ctx, core.System)
			if err != nil {
				return err
			}
			change, err := wallet.DecideWallet(wallet.NewWallet{
				DealerID: m.dealers[a.owner], GatewayID: sandbox.GatewayID, Min: lira(1), Max: lira(100_000), DailyLimit: lira(5_000_000),
				Account: gateway.BankAccount{
					ID: a.id, IBAN: sandboxIBAN(sandbox, i), BankName: demoBankName, Holder: a.holder, Asset: gateway.TRY, IsOpen: true,
				},
				Balance: gateway.Balance{Total: lira(a.opening).Decimal(), Available: lira(a.opening).Decimal(), Asset: gateway.TRY, At: params.At.Add(-ago)},
			}, params)
			if err != nil {
				return err
			}
			list = append(list, demofile.Wallet{DealerID: m.dealers[a.owner], WalletID: params.WalletID, IBAN: sandboxIBAN(sandbox, i)})
			return m.Unit.Commit(ctx, change)
		})
	}
	return list
}

// booksFile keeps the sandbox's statements, in the demo's data directory: without them a bank that was started again
// would not know the money that Vezne remembers.
const booksFile = "sandbox-statements.json"

// booksEvery is how often the statements are looked at.
const booksEvery = 200 * time.Millisecond

// readBooks reads what an earlier run has kept; there may be none.
func readBooks(dir string) ([]bank.Books, error) {
	data, err := os.ReadFile(filepath.Join(dir, booksFile))
	if os.IsNotExist(err) {
		return nil, nil
	}
	var books []bank.Books
	if err == nil {
		err = json.Unmarshal(data, &books)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the sandbox's statements: %w", err)
	}
	return books, nil
}

// keepBooks writes the sandbox's statements whenever they have grown. What it gives ends that, and writes them once more:
// it is for when nothing moves money any longer.
func (h House) keepBooks(ctx context.Context, b *bank.Bank) (end func() error) {
	_, kept := b.Books()
	keep := func() error {
		books, lines := b.Books()
		if lines == kept {
			return nil
		}
		if err := demofile.WriteJSON(h.Dir, booksFile, books); err != nil {
			return fmt.Errorf("keeping the sandbox's statements: %w", err)
		}
		kept = lines
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	var keeping sync.WaitGroup
	keeping.Go(func() {
		for tick := time.Tick(booksEvery); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick:
			}
			if err := keep(); err != nil {
				h.Log.Error("the demo goes on", "error", err)
			}
		}
	})
	return func() error {
		stop()
		keeping.Wait()
		return keep()
	}
}
