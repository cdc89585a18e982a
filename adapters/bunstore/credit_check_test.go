package bunstore_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

// TestTheCheckOfCreditsSeesWhatIsDoneToTheDatabase: what its constraints never let through, by who owns it.
func TestTheCheckOfCreditsSeesWhatIsDoneToTheDatabase(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		s, db := openStore(t, cfg), rawDatabase(t, cfg)
		first, second := core.RowsOf[payment.Payment](newDeposit(t))[0], core.RowsOf[payment.Payment](newDeposit(t))[0]
		for _, p := range []*payment.Payment{&first, &second} {
			p.Method, p.Status, p.Amount = payment.EIBANDeposit, payment.Completed, money.New(10_000, money.TRY)
		}
		l := wallet.BankLine{
			WalletID: 7, LineID: "line", ID: first.ID, Version: 1, Direction: gateway.Incoming, Amount: first.Amount,
			BookedAt: first.CreatedAt, ImportedAt: first.CreatedAt, State: wallet.LineMatched, PaymentID: first.ID,
		}
		k := payment.Credit{
			PaymentID: first.ID, Number: 1, ID: first.ID, Version: 1, TrackingCode: first.TrackingCode, Amount: first.Amount,
			Source: payment.CreditOfLine, WalletID: 7, LineID: "line", Brought: first.Amount, At: first.CreatedAt,
		}
		commit := func(change core.Changeset) {
			t.Helper()
			if err := s.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
		}
		finds := func(want ...payment.CreditBreachKind) {
			t.Helper()
			check, err := s.CheckCredits(t.Context(), 10)
			var got []payment.CreditBreachKind
			for _, b := range check.Breaches {
				got = append(got, b.Kind)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("the check finds %q (%v), want %q", got, err, want)
			}
		}
		commit(core.Changeset{l})
		commit(core.Changeset{first, k})
		finds()
		execute(t, db, "UPDATE payments SET corrected_minor = 1")
		finds(payment.CorrectedOtherwise)
		execute(t, db, "UPDATE payments SET corrected_minor = NULL")
		execute(t, db, "UPDATE bank_lines SET amount_minor = amount_minor - 1")
		finds(payment.CreditedBeyondLine)
		execute(t, db, "UPDATE bank_lines SET amount_minor = amount_minor + 1")
		finds()
		execute(t, db, "DROP INDEX credits_line")
		k.ID, k.PaymentID, k.TrackingCode = second.ID, second.ID, second.TrackingCode
		commit(core.Changeset{second, k})
		finds(payment.CreditedTwice)
	})
}
