package bunstore_test

import (
	"maps"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// TestTheUpgradeSaysWhoTellsWhatCameIn: statements and staff held one bank account together before. It is its statement's now.
func TestTheUpgradeSaysWhoTellsWhatCameIn(t *testing.T) {
	t.Parallel()
	const manual, shown, both, gateways = "TR320010009999901234567890", "TR290006400000112345678901", "TR330006100519786457841326", "TR190006200000000000000088"
	at, none := time.UnixMicro(1_800_000_000_000_001).UTC(), money.New(0, money.TRY)
	account := func(id int64, kind core.AccountKind, iban string) core.Account {
		return core.Account{
			ID: id, Version: 1, DealerID: 1, Kind: kind, IBAN: iban, IsActive: true, Min: none, Max: none, DailyLimit: none, CreatedAt: at, UpdatedAt: at,
		}
	}
	wallet := func(id int64, public, iban string) core.Wallet {
		return core.Wallet{
			ID: id, Version: 1, WalletID: public, DealerID: 1, GatewayID: 1, BankAccount: public, IBAN: iban, CreatedAt: at, UpdatedAt: at,
		}
	}
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		err := s.Commit(t.Context(), core.Changeset{
			Accounts:   []core.Account{account(1, core.ManualAccount, manual), account(2, core.EIBANAccount, shown)},
			Wallets:    []core.Wallet{wallet(7, "W-7", shown), wallet(8, "W-8", both)},
			IBANClaims: []core.IBANClaim{{IBAN: gateways, Use: core.GatewayIBAN, Holders: 1}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bunstore.MigrateDown(t.Context(), cfg, stepsSince(t, s, "20261122000043_bank_account_uses")); err != nil {
			t.Fatal(err)
		}
		db := rawDatabase(t, cfg) // an account for manual deposits of the same bank account, as could be made then
		execute(t, db, "UPDATE accounts SET iban = 'TR33 0006 1005 1978 6457 8413 26' WHERE id = 1")
		execute(t, db, "UPDATE bank_accounts SET holders = holders + 1 WHERE iban = '"+both+"'")
		if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		want := map[string]core.IBANUse{
			manual: core.ManualIBAN, shown: core.StatementIBAN, both: core.StatementIBAN, gateways: core.GatewayIBAN,
		}
		if uses, err := s.IBANUses(t.Context(), []string{manual, shown, both, gateways}); err != nil || !maps.Equal(uses, want) {
			t.Errorf("the uses are %v (%v), want %v", uses, err, want)
		}
		if ibans, err := s.AccountsBesideStatements(t.Context()); err != nil || len(ibans) != 1 || ibans[0] != both {
			t.Errorf("beside statements there are %q (%v)", ibans, err)
		}
		execute(t, db, "UPDATE accounts SET is_active = (1 = 0)")
		if ibans, err := s.AccountsBesideStatements(t.Context()); err != nil || len(ibans) > 0 {
			t.Errorf("beside statements there are %q (%v), and each is off", ibans, err)
		}
		err = s.Commit(t.Context(), core.Changeset{Accounts: []core.Account{account(3, core.ManualAccount, both)}})
		if !fault.Is(err, fault.BankAccountTaken) {
			t.Errorf("a further account of it: %v", err)
		}
	})
}
