package bunstore_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/wallet"
)

// TestAnAccountBesideAStatement: one account for manual deposits is of a wallet's bank account, which no commit allows.
func TestAnAccountBesideAStatement(t *testing.T) {
	t.Parallel()
	const manual, shown, both = "TR320010009999901234567890", "TR290006400000112345678901", "TR330006100519786457841326"
	at, none := time.UnixMicro(1_800_000_000_000_001).UTC(), money.New(0, money.TRY)
	account := func(id int64, kind owner.AccountKind, iban string) owner.Account {
		return owner.Account{
			ID: id, Version: 1, DealerID: 1, Kind: kind, IBAN: iban, IsActive: true, Min: none, Max: none, DailyLimit: none, CreatedAt: at, UpdatedAt: at,
		}
	}
	wallet := func(id int64, public, iban string) wallet.Wallet {
		return wallet.Wallet{
			ID: id, Version: 1, WalletID: public, DealerID: 1, GatewayID: 1, BankAccountID: public, IBAN: iban, CreatedAt: at, UpdatedAt: at,
		}
	}
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		err := s.Commit(t.Context(), core.Changeset{
			account(1, owner.ManualAccount, manual),
			account(2, owner.EIBANAccount, shown),
			wallet(7, "W-7", shown),
			wallet(8, "W-8", both),
		})
		if err != nil {
			t.Fatal(err)
		}
		if ibans, err := s.AccountsBesideStatements(t.Context()); err != nil || len(ibans) > 0 {
			t.Errorf("beside statements there are %q (%v), and nothing is wrong", ibans, err)
		}
		db := rawDatabase(t, cfg)
		execute(t, db, "UPDATE accounts SET iban = 'TR33 0006 1005 1978 6457 8413 26' WHERE id = 1")
		if ibans, err := s.AccountsBesideStatements(t.Context()); err != nil || len(ibans) != 1 || ibans[0] != both {
			t.Errorf("beside statements there are %q (%v)", ibans, err)
		}
		execute(t, db, "UPDATE accounts SET is_active = (1 = 0)")
		if ibans, err := s.AccountsBesideStatements(t.Context()); err != nil || len(ibans) > 0 {
			t.Errorf("beside statements there are %q (%v), and each is off", ibans, err)
		}
		err = s.Commit(t.Context(), core.Changeset{account(3, owner.ManualAccount, both)})
		if !fault.Is(err, fault.BankAccountTaken) {
			t.Errorf("a further account of it: %v", err)
		}
	})
}
