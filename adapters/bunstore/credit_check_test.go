package bunstore_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// TestTheCheckOfCreditsSeesWhatIsDoneToTheDatabase: what its constraints never let through, by who owns it.
func TestTheCheckOfCreditsSeesWhatIsDoneToTheDatabase(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		s, db := openStore(t, cfg), rawDatabase(t, cfg)
		o := &credited{T: t, want: map[core.ID]payment.Credit{}}
		first := *o.payment(payment.EIBANDeposit, payment.Completed, theSystem, "", payment.CreditOfLine)
		o.line(&first, "line", true)
		second := *o.payment(payment.EIBANDeposit, payment.Completed, theSystem, "", payment.CreditOfLine)
		second.Amount = first.Amount
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
		k := o.want[first.ID]
		commit(core.Rows(o.lines))
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

// TestTheCheckOfCreditsReadsAllStepByStep: payments at both ends of steps are wrong, and each is found once.
func TestTheCheckOfCreditsReadsAllStepByStep(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	s, db := openStore(t, cfg), rawDatabase(t, cfg)
	if err := bunstore.Load(t.Context(), cfg, crowd(t, 2*bunstore.CreditStep+1000)); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, place := range []int{0, bunstore.CreditStep - 1, bunstore.CreditStep, 2*bunstore.CreditStep + 999} {
		var code string
		const spoil = `UPDATE payments SET corrected_minor = 1 WHERE id = (SELECT id FROM payments ORDER BY id LIMIT 1 OFFSET $1) RETURNING tracking_code`
		if err := db.QueryRowContext(t.Context(), spoil, place).Scan(&code); err != nil {
			t.Fatal(err)
		}
		want = append(want, code)
	}
	seen := &spy{}
	check, err := s.WithHook(seen).CheckCredits(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range check.Breaches {
		if b.Kind == payment.CorrectedOtherwise {
			got = append(got, b.TrackingCode)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the check finds %q, want %q", got, want)
	}
	const steps, whole = 3, 5 // statements that look at everything
	if each := 1 + bunstore.PaymentBreaches; len(seen.queries) != steps*each+whole {
		t.Errorf("%d statements for %d steps of %d each", len(seen.queries), steps, each)
	}
}
