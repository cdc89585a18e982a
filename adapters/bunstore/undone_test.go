package bunstore_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// TestDeadlockCostsNobodyTheirCommit: PostgreSQL undoes a commit since it and somebody else's transaction wait for each
// other, or since they could not have come one after the other. No version was lost, and the commit is carried through. A
// trigger plays the other transaction, twice: a sequence counts what is undone, too.
func TestDeadlockCostsNobodyTheirCommit(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"40P01", "40001"} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			cfg := ownPostgresConfig(t)
			s, db, change := openStore(t, cfg), rawDatabase(t, cfg), due(time.Unix(1_800_000_000, 0))
			if err := s.Commit(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			execute(t, db, `CREATE SEQUENCE tries; CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
				IF nextval('tries') < 3 THEN RAISE EXCEPTION 'undone' USING ERRCODE = '`+state+`'; END IF;
				RETURN NEW;
			END $$; CREATE TRIGGER undone BEFORE UPDATE ON callbacks FOR EACH ROW EXECUTE FUNCTION undo()`)
			p, c := core.RowsOf[payment.Payment](change)[0], core.RowsOf[payment.Callback](change)[0]
			p.Version, c.Version = 2, 2
			if err := s.Commit(t.Context(), core.Changeset{p, c}); err != nil {
				t.Errorf("the commit: %v", err)
			}
			if now, err := s.PaymentByID(t.Context(), p.ID); err != nil || now.Version != 2 {
				t.Errorf("the payment is at version %d (%v)", now.Version, err)
			}
		})
	}
}
