package operations_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// TestDemoPast: a demo begins with weeks of payments and with open work of every kind, whose books are right, and which goes
// on: what the sandbox remembers can be paid, and what failed can be sent again.
func TestDemoPast(t *testing.T) {
	t.Parallel()
	forEachEmpty(t, func(t *testing.T, in *harness.Installation) {
		p := in.Seed("VEZNE_DEMO_PAST=true")
		admin := in.SignIn(p, "admin")
		work := openWork(t, admin)
		for kind, least := range map[string]int{
			"DEPOSITS": 5, "WITHDRAWALS": 3, "PAYOUTS": 2, "BANK_LINES": 3, "DISCREPANCIES": 3, "APPROVALS": 2, "CALLBACKS": 5, "DAYS": 1,
		} {
			if work[kind] < least {
				t.Errorf("%d of %s are open, at least %d were to be", work[kind], kind, least)
			}
		}
		found := find(t, admin, "Elif")
		if len(found) != 1 || found[0].Amount != "250.00" || found[0].Status != "PROCESSING" {
			t.Fatalf("Elif's payments are %+v", found)
		}
		admin.Must(t, "approveDeposit", found[0].TrackingCode)
		awaitDelivered(t, admin, found[0].TrackingCode)
		before := count(t, in, "payments")
		if before < 300 {
			t.Errorf("there are %d payments", before)
		}
		p.Stop(t)
		in.Env = append(in.Env, "VEZNE_BASE_URL=http://localhost:8080")
		in.Succeed("doctor") // the money behind its credits, its audit log, its keys

		p = in.Seed("VEZNE_DEMO_PAST=true") // has its past already
		if after := count(t, in, "payments"); after != before {
			t.Errorf("a demo that was started again has %d payments, it had %d", after, before)
		}
		if again := find(t, in.SignIn(p, "operator"), "Elif"); len(again) != 1 || again[0].Status != "COMPLETED" {
			t.Errorf("Elif's payments are %+v by now", again)
		}
		p.Stop(t)
	})
}

// TestDemoPastBeginsAnewAfterAKill: what was made of its past until then is nobody's, so that everybody is there once.
func TestDemoPastBeginsAnewAfterAKill(t *testing.T) {
	t.Parallel()
	in := harness.NewEmpty(t)
	killed, err := harness.Launch{
		Args: []string{"demo", "--listen", "127.0.0.1:0"}, Env: append(in.Env, "VEZNE_DEMO_PAST=true", "VEZNE_ADMIN_LISTEN=off"),
	}.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(killed.Kill)
	harness.Eventually(t, func() error { // some of the past has happened
		if _, err := os.Stat(filepath.Join(in.Dir, "demo.unfinished")); err != nil {
			return err
		}
		return nil
	})
	killed.Kill()
	p := in.Seed("VEZNE_DEMO_PAST=true")
	if found := find(t, in.SignIn(p, "admin"), "Elif"); len(found) != 1 {
		t.Errorf("Elif's payments are %+v", found)
	}
	var data struct {
		Providers struct{ Nodes []struct{ Name string } }
	}
	if err := in.SignIn(p, "admin").Ask(`{ providers { nodes { name } } }`, nil, &data); err != nil || len(data.Providers.Nodes) != 3 {
		t.Errorf("%+v (%v)", data.Providers, err)
	}
	p.Stop(t)
	if _, err := os.Stat(filepath.Join(in.Dir, "demo.unfinished")); err == nil {
		t.Error("a whole demo is said to be unfinished")
	}
}

// TestNoPastIsMadeUpElsewhere: only a demo has a past. Whoever serves has none, whatever the settings say, and a database that is
// in use gets none.
func TestNoPastIsMadeUpElsewhere(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	in.Serve().Stop(t)
	harness.Launch{Args: []string{"serve", "--listen", "127.0.0.1:0"}, Env: append(in.Env, "VEZNE_DEMO_PAST=true", "VEZNE_CALLBACK_SCHEDULE=never")}.
		ExpectFailure(t, "VEZNE_CALLBACK_SCHEDULE")
	if n := count(t, in, "payments"); n != 0 {
		t.Errorf("serving made %d payments", n)
	}
	real := harness.NewEmpty(t, "VEZNE_MASTER_KEY=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "VEZNE_STAFF_PASSWORD=correct horse battery")
	real.Succeed("migrate", "up")
	real.Succeed("staff", "create", "--email", "admin@demo.vezne.local", "--role", "admin")
	harness.Launch{Args: []string{"demo", "--past", "--listen", "127.0.0.1:0"}, Env: real.Env}.ExpectFailure(t, "neither empty nor marked as a demo's")
	if n := count(t, real, "payments"); n != 0 {
		t.Errorf("a refused demo made %d payments", n)
	}
}

type foundPayment struct{ TrackingCode, Status, Amount string }

func find(t *testing.T, s harness.Staff, text string) []foundPayment {
	t.Helper()
	var data struct {
		Transactions struct{ Nodes []foundPayment }
	}
	if err := s.Ask(`query($text: String!) { transactions(filter: { text: $text }, first: 10) { nodes { trackingCode status amount } } }`,
		map[string]any{"text": text}, &data); err != nil {
		t.Fatal(err)
	}
	return data.Transactions.Nodes
}

func openWork(t *testing.T, s harness.Staff) map[string]int {
	t.Helper()
	var data struct {
		OpenWork []struct {
			Kind  string
			Count int
		}
	}
	if err := s.Ask(`{ openWork { kind count } }`, nil, &data); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, w := range data.OpenWork {
		counts[w.Kind] = w.Count
	}
	return counts
}

// awaitDelivered waits until the newest callback of a payment has arrived.
func awaitDelivered(t *testing.T, s harness.Staff, code string) {
	t.Helper()
	harness.Eventually(t, func() error {
		if c := s.Transaction(t, code).Callbacks; len(c) == 0 || c[len(c)-1].Status != "DELIVERED" {
			return fmt.Errorf("the callbacks of %s are %+v", code, c)
		}
		return nil
	})
}

func count(t *testing.T, in *harness.Installation, table string) (n int) {
	t.Helper()
	if err := in.OpenDatabase().QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
