package bunstore_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
)

// TestTheUpgradeMarksWhatWasTakenBackBefore takes lines and accounts of an installation to the schema before and back.
func TestTheUpgradeMarksWhatWasTakenBackBefore(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		at := time.UnixMicro(1_800_000_000_000_001).UTC()
		line := func(id string, d gateway.Direction, state core.LineState, reverses string) core.BankLine {
			return core.BankLine{
				WalletID: 7, LineID: id, ID: core.ID("L" + id), Version: 1, Direction: d, Amount: money.New(100, money.TRY),
				BookedAt: at, ImportedAt: at, State: state, Reverses: reverses, Text: "İ'\\ \"reverses\":\"\"",
			}
		}
		credited := line("credited", gateway.Incoming, core.LineMatched, "")
		credited.PaymentID = "P1"
		lira := money.New(100, money.TRY)
		none := money.New(0, money.TRY)
		account := core.Account{
			ID: 1, Version: 1, DealerID: 1, Kind: core.EIBANAccount, IBAN: "tr33 0006 1005 1978 6457 8413 26", Min: lira, Max: lira,
			DailyLimit: none, CreatedAt: at, UpdatedAt: at,
		}
		change := core.Changeset{
			Accounts: []core.Account{account},
			Wallets: []core.Wallet{{
				ID: 7, Version: 1, WalletID: "W-7", DealerID: 1, GatewayID: 1, BankAccount: "a", IBAN: "TR330006100519786457841326",
				CreatedAt: at, UpdatedAt: at,
			}},
			IBANClaims: []core.IBANClaim{{IBAN: "TR190006200000000000000088", Use: core.GatewayIBAN, Holders: 1}},
			BankLines: []core.BankLine{
				line("waits", gateway.Incoming, core.LineUnmatched, ""), line("takes", gateway.Outgoing, core.LineUnmatched, "waits"),
				line("aside", gateway.Incoming, core.LineSetAside, ""), line("again", gateway.Outgoing, core.LineUnmatched, "aside"),
				credited, line("late", gateway.Outgoing, core.LineUnmatched, "credited"),
				line("free", gateway.Incoming, core.LineDoubtful, ""), line("same", gateway.Incoming, core.LineUnmatched, "free"),
				line("unknown", gateway.Outgoing, core.LineUnmatched, "nothing"),
			},
		}
		if err := s.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		if _, err := bunstore.MigrateDown(t.Context(), cfg, stepsSince(t, s, "20261121000037_bank_accounts")); err != nil {
			t.Fatal(err)
		}
		if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		for _, before := range change.BankLines {
			want := before
			want.WasDoubtful = before.State == core.LineDoubtful // migration 40
			switch before.LineID {
			case "waits", "aside":
				want.Version, want.State, want.ReversedBy = 2, core.LineReversed, map[string]string{"waits": "takes", "aside": "again"}[before.LineID]
				want.Note = "taken back by " + want.ReversedBy
			case "takes", "again":
				want.Version, want.State, want.Note = 2, core.LineReversed, "takes back "+before.Reverses
			}
			if got, err := s.BankLine(t.Context(), 7, before.LineID); err != nil || got != want {
				t.Errorf("after the upgrade\n%+v (%v), want\n%+v", got, err, want)
			}
		}
		taken := func(use core.IBANUse, iban string) error {
			return s.Commit(t.Context(), core.Changeset{IBANClaims: []core.IBANClaim{{IBAN: iban, Use: use, Holders: 1}}})
		}
		if err := taken(core.GatewayIBAN, "TR330006100519786457841326"); !fault.Is(err, fault.BankAccountTaken) {
			t.Errorf("a dealer's account is taken by a gateway: %v", err)
		}
		if err := taken(core.ManualIBAN, "TR190006200000000000000088"); err != nil { // gateways take theirs at the start
			t.Errorf("what nobody holds is refused: %v", err)
		}
	})
}

// stepsSince counts the steps from a migration on.
func stepsSince(t *testing.T, s *bunstore.Store, name string) int {
	t.Helper()
	all, err := s.Migrations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range all {
		if m.Name == name {
			return len(all) - i
		}
	}
	t.Fatalf("there is no migration %s", name)
	return 0
}
