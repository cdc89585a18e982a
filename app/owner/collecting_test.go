package owner_test

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	directory "github.com/vezne/vezne/app/owner"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/e2e/apptest"
)

// free is an account at the bank of the wallets that is no wallet yet.
const free = "TR250006200000000000000077"

// collecting is an account at a gateway that declares the bank accounts on which it collects.
func collecting(ibans string) map[string]string {
	return map[string]string{"api_key": "key-of-third", "note": "for tests", "collecting_ibans": ibans}
}

func newWorld(t *testing.T) *apptest.World {
	t.Helper()
	w := apptest.New(t)
	w.Sandbox.Describes = func(d *gateway.Descriptor) {
		d.Config = append(d.Config, gateway.ConfigField{
			Name: "collecting_ibans", Label: "Collecting accounts", Type: gateway.ListField, Collects: true,
		})
	}
	w.Bank.AddAccount(gateway.BankAccount{ID: "acc-77", IBAN: free, BankName: "Vezne Bank", Holder: "Marmara Finans A.Ş."}, money.New(100_00, money.TRY))
	return w
}

func makeWallet(t *testing.T, w *apptest.World) error {
	t.Helper()
	_, err := w.Wallets.Create(t.Context(), app.Request{Staff: w.Admin}, wallet.NewWallet{
		DealerID: w.Dealer.ID, GatewayID: w.BankGateway.ID, BankAccountID: "acc-77", Min: money.New(1000, money.TRY),
		Max: money.New(500_000, money.TRY), DailyLimit: money.New(0, money.TRY),
	})
	return err
}

func TestAGatewayCollectsOnNoAccountOfADealer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spelled := "tr40 0006 2000 0000 0000 0000 01"
	for name, ibans := range map[string]string{
		"a wallet's": w.OtherWallet.IBAN, "a manual account's": w.Accounts[0].IBAN, "an E-IBAN account's": spelled,
		"among others": free + ", " + spelled,
	} {
		n := newAccount()
		n.Config = collecting(ibans)
		if _, err := w.GatewayAdmin.Create(t.Context(), by(w.Admin), n); !fault.Is(err, fault.BankAccountTaken) {
			t.Errorf("%s: created: %v", name, err)
		}
	}
	n := newAccount()
	n.Config = collecting(free)
	a, err := w.GatewayAdmin.Create(t.Context(), by(w.Admin), n)
	if err != nil || !slices.Equal(a.CollectingIBANs, []string{free}) {
		t.Fatalf("created %+v: %v", a, err)
	}
	_, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{Config: map[string]string{"collecting_ibans": w.Wallet.IBAN}}})
	wantGatewayCode(t, err, fault.BankAccountTaken)
	_, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{Config: map[string]string{"collecting_ibans": "TR00"}}})
	wantGatewayCode(t, err, fault.Invalid)
	wantGatewayCode(t, makeWallet(t, w), fault.BankAccountTaken) // though the gateway is switched off
	_, err = w.Directory.CreateAccount(t.Context(), app.BySystem, owner.Account{
		DealerID: w.Dealer.ID, Kind: owner.ManualAccount, BankName: "B", Holder: "H", IBAN: free[:4] + " " + free[4:],
		Min: money.New(100, money.TRY), Max: money.New(1000, money.TRY), DailyLimit: money.New(0, money.TRY),
	})
	wantGatewayCode(t, err, fault.BankAccountTaken)
	if _, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{Config: map[string]string{"collecting_ibans": ""}}}); err != nil {
		t.Fatal(err)
	}
	if err := makeWallet(t, w); err != nil { // given back
		t.Errorf("the account is free, and a wallet of it: %v", err)
	}
}

func TestOfAWalletAndAGatewayAtOnceOneTakesTheAccount(t *testing.T) {
	t.Parallel()
	for range 20 {
		w := newWorld(t)
		n := newAccount()
		n.Config = collecting(free)
		var both sync.WaitGroup
		var made, created error
		both.Go(func() { made = makeWallet(t, w) })
		both.Go(func() { _, created = w.GatewayAdmin.Create(t.Context(), by(w.Admin), n) })
		both.Wait()
		if (made == nil) == (created == nil) {
			t.Fatalf("the wallet: %v, the gateway: %v", made, created)
		}
		for _, err := range []error{made, created} {
			if err != nil {
				wantGatewayCode(t, err, fault.BankAccountTaken)
			}
		}
	}
}

// TestAnOlderClashIsToldAndCanBeEnded: an installation from before may have one.
func TestAnOlderClashIsToldAndCanBeEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, err := w.GatewayAdmin.Create(t.Context(), by(w.Admin), newAccount())
	if err != nil {
		t.Fatal(err)
	}
	config, err := owner.ConfigSecret(collecting(w.Wallet.IBAN + "," + free))
	if err != nil {
		t.Fatal(err)
	}
	a.Version++
	a.Config, a.IsEnabled = config, true
	if err := w.Store.Commit(t.Context(), core.Changeset{a}); err != nil {
		t.Fatal(err)
	}
	var logs apptest.Logs
	for range 2 {
		if err := w.GatewayAdmin.Declare(t.Context(), slog.New(slog.NewTextHandler(&logs, nil))); err != nil {
			t.Fatal(err)
		}
	}
	said := logs.String()
	if strings.Count(said, "level=ERROR") != 2 || !strings.Contains(said, "iban="+w.Wallet.IBAN) || strings.Contains(said, "iban="+free) {
		t.Errorf("the log says %s", said)
	}
	wantGatewayCode(t, makeWallet(t, w), fault.BankAccountTaken) // what is free was taken for it
	clashes, err := w.GatewayAdmin.Clashes(t.Context())
	if err != nil || len(clashes) != 1 || clashes[0].Account.Code != "third" || clashes[0].IBAN != w.Wallet.IBAN {
		t.Errorf("clashes %+v: %v", clashes, err)
	}
	yes, no, first := true, false, 1
	_, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{Priority: &first}})
	wantGatewayCode(t, err, fault.BankAccountTaken)
	if _, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{IsEnabled: &no}}); err != nil {
		t.Fatalf("it can't be switched off: %v", err)
	}
	_, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{IsEnabled: &yes}})
	wantGatewayCode(t, err, fault.BankAccountTaken)
	if _, err = w.GatewayAdmin.Update(t.Context(), by(w.Admin), directory.GatewayUpdate{ID: a.ID, GatewayPatch: owner.GatewayPatch{
		IsEnabled: &yes, Config: map[string]string{"collecting_ibans": free},
	}}); err != nil {
		t.Errorf("put right, and refused: %v", err)
	}
}
