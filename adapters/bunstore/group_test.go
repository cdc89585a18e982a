package bunstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// TestOneOfManyFails commits many deposits at the same time, of which one comes from a decision that lost its race.
func TestOneOfManyFails(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		s := openStore(t, cfg)
		taken := newDeposit(t)
		if err := s.Commit(t.Context(), taken); err != nil {
			t.Fatal(err)
		}
		const rounds, callers = 10, 64
		for round := range rounds {
			list := make([]core.Changeset, callers)
			for i := range list {
				list[i] = newDeposit(t)
			}
			bad := round * callers / rounds
			list[bad] = core.Edit(list[bad], func(p *payment.Payment) {
				if round%2 == 0 {
					p.TrackingCode = core.RowsOf[payment.Payment](taken)[0].TrackingCode // a unique violation
				} else {
					p.Version = 2 // saves what is not there
				}
			})
			for i, err := range commitTogether(t, s, list) {
				want := fault.Code("")
				if i == bad {
					want = fault.Conflict
				}
				if fault.CodeOf(err) != want {
					t.Errorf("round %d: changeset %d: %v, want %q", round, i, err, want)
				}
				if _, err := s.PaymentByToken(t.Context(), core.RowsOf[payment.Payment](list[i])[0].Token); (err == nil) != (i != bad) {
					t.Errorf("round %d: the payment of changeset %d: %v", round, i, err)
				}
			}
		}
	})
}

func commitTogether(t *testing.T, s *bunstore.Store, list []core.Changeset) []error {
	t.Helper()
	errs := make([]error, len(list))
	var all sync.WaitGroup
	for i := range list {
		all.Go(func() { errs[i] = s.Commit(t.Context(), list[i]) })
	}
	all.Wait()
	return errs
}

// TestTwoStoresOneDatabase races two processes' worth of committers for the same rows.
func TestTwoStoresOneDatabase(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, cfg bunstore.Config) {
		stores := []*bunstore.Store{openStore(t, cfg), openStore(t, cfg)}
		const rounds, payments = 10, 20
		for range rounds {
			list := make([]core.Changeset, payments)
			for i := range list {
				list[i] = newDeposit(t)
			}
			var (
				all  sync.WaitGroup
				errs [2][]error
			)
			for n, s := range stores {
				all.Go(func() { errs[n] = commitTogether(t, s, list) })
			}
			all.Wait()
			for i := range list {
				a, b := fault.CodeOf(errs[0][i]), fault.CodeOf(errs[1][i])
				if a+b != fault.Conflict { // one of them "", the other Conflict
					t.Fatalf("payment %d: %q and %q, want one success and one conflict", i, a, b)
				}
			}
		}
	})
}

func TestSQLitePathsAreTakenLiterally(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"with space", "what?mode=memory", "100%25", "#fragment", "ğ:x"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := emptySQLiteConfig(t)
			cfg.Path = filepath.Join(filepath.Dir(cfg.Path), name)
			if _, err := bunstore.MigrateUp(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			s := openStore(t, cfg)
			if err := s.Commit(t.Context(), newDeposit(t)); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(cfg.Path)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(info.Mode()); got != "-rw-------" {
				t.Errorf("the file is %s", got)
			}
		})
	}
}
