package operations_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/ports"
)

func notReady(database string) readiness { return readiness{"not ready", database, "ok", "ok"} }

// TestADatabaseThatIsReadOnlyIsNotReady: as after a failover to a standby that was not promoted. It answers everything that is
// asked of it.
func TestADatabaseThatIsReadOnlyIsNotReady(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	server := in.Serve()
	awaitReadiness(t, server, http.StatusOK, ready)
	conn, err := in.OpenDatabase().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	set := func(statement string) {
		t.Helper()
		for _, s := range []string{
			"SET default_transaction_read_only = off",
			"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I " + statement + "', current_database()); END $$",
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
		} {
			if _, err := conn.ExecContext(t.Context(), s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
	}
	set("SET default_transaction_read_only = on")
	awaitReadiness(t, server, http.StatusServiceUnavailable, notReady("read-only"))
	set("RESET default_transaction_read_only")
	awaitReadiness(t, server, http.StatusOK, ready)
	in.Provider(server).Create(t, "start-manual-deposit", "10.00")
	server.Stop(t)
}

// TestOutageAStandbyIsNotReadFrom: as after a failover in which the address leads to the server that was the primary. It answers what is
// asked, by what it knew then: a session that has ended since would still be good.
func TestOutageAStandbyIsNotReadFrom(t *testing.T) {
	t.Parallel()
	postgres := harness.NewOwnPostgres(t)
	in := harness.NewEmpty(t, "VEZNE_DATABASE_URL="+postgres.URL, "VEZNE_REDIS_URL="+harness.NewQueue(t))
	server := in.Seed()
	member := in.SignIn(server, "operator")
	ask := func() error { return member.Ask(`{ me { email } }`, nil, &struct{}{}) }
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	postgres.BeStandby(t)
	awaitReadiness(t, server, http.StatusServiceUnavailable, notReady("read-only"))
	if err := ask(); err == nil {
		t.Error("a standby says who is signed in")
	}
	postgres.Promote(t)
	awaitReadiness(t, server, http.StatusOK, ready)
	if err := ask(); err != nil {
		t.Error(err)
	}
	server.Stop(t)
}

// TestOutageAPrimaryThatNobodyHasLookedAt: a standby that has taken over may lack what was committed, until its mark was compared. Nothing is
// committed, claimed or read there before that, and all of it goes on after it.
func TestOutageAPrimaryThatNobodyHasLookedAt(t *testing.T) {
	t.Parallel()
	postgres := harness.NewOwnPostgres(t)
	in := harness.NewEmpty(t, "VEZNE_DATABASE_URL="+postgres.URL, "VEZNE_REDIS_URL="+harness.NewQueue(t))
	in.Seed().Stop(t)
	store := in.OpenPrimary()
	defer store.Close()
	ids, err := core.NewIDs(time.Now(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	works := func() (commit, claim, read, prove error) {
		entry := core.AuditEntry{ID: ids.Next(), At: time.Now(), Actor: core.System, Action: "try", Target: "try/1"}
		commit = store.Commit(t.Context(), core.Changeset{entry})
		_, claim = store.ClaimCallbacks(t.Context(), "nobody", time.Now(), time.Now(), 1)
		_, read = store.GatewayAccounts(t.Context())
		prove = store.ProveWrite(t.Context(), "a process", time.Now(), false) // what /readyz asks
		return commit, claim, read, prove
	}
	looks := func() {
		t.Helper()
		if _, _, err := store.Mark(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	looks()
	store.Follow()
	if err := errors.Join(works()); err != nil {
		t.Fatal(err)
	}
	postgres.BeStandby(t)
	postgres.Promote(t)
	for range 2 { // what hung in the pool, and what is connected anew
		commit, claim, read, prove := works()
		if !fault.Is(commit, fault.Unavailable) || !fault.Is(claim, fault.Unavailable) || !fault.Is(read, fault.Unavailable) ||
			!errors.Is(prove, ports.ErrReadOnly) {
			t.Errorf("a primary that nobody has looked at commits %v, claims %v, reads %v, is ready %v", commit, claim, read, prove)
		}
		looks() // which alone compares nothing
	}
	store.Follow()
	if err := errors.Join(works()); err != nil {
		t.Errorf("after the look: %v", err)
	}
}

// TestCommitsThatHangAreNotReady: somebody's lock holds every proof up, and what is asked of the database is answered.
func TestCommitsThatHangAreNotReady(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	server := in.Serve()
	awaitReadiness(t, server, http.StatusOK, ready)
	lock, err := in.OpenDatabase().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.ExecContext(t.Context(), "LOCK TABLE processes"); err != nil {
		t.Fatal(err)
	}
	awaitReadiness(t, server, http.StatusServiceUnavailable, notReady("commits hang"))
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	awaitReadiness(t, server, http.StatusOK, ready)
	server.Stop(t)
}

// TestOutageASynchronousStandbyThatDoesNotAnswer: every commit waits for it, for ever. What waits on the server does not grow with
// those who ask.
func TestOutageASynchronousStandbyThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	postgres := harness.NewOwnPostgres(t)
	in := harness.NewEmpty(t, "VEZNE_DATABASE_URL="+postgres.URL, "VEZNE_REDIS_URL="+harness.NewQueue(t))
	server := in.Seed()
	awaitReadiness(t, server, http.StatusOK, ready)
	set := func(name string) {
		t.Helper()
		if err := in.Tamper("ALTER SYSTEM SET synchronous_standby_names = '"+name+"'", "SELECT pg_reload_conf()"); err != nil {
			t.Fatal(err)
		}
	}
	set("nobody")
	awaitReadiness(t, server, http.StatusServiceUnavailable, notReady("commits hang"))
	for range 20 {
		if code, _ := readinessOf(t, server); code != http.StatusServiceUnavailable {
			t.Errorf("/readyz answers %d", code)
		}
	}
	const proofs = `SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'vezne proof %' AND wait_event = 'SyncRep'`
	var waiting int
	if err := in.OpenDatabase().QueryRowContext(t.Context(), proofs).Scan(&waiting); err != nil || waiting > 1 {
		t.Errorf("%d proofs wait on the server (%v)", waiting, err)
	}
	set("")
	awaitReadiness(t, server, http.StatusOK, ready)
	server.Stop(t)
}

// TestOutageAFrozenRedisKeepsTheProcessReady: it takes connections and says nothing. Payments go on.
func TestOutageAFrozenRedisKeepsTheProcessReady(t *testing.T) {
	t.Parallel()
	redis := harness.NewOwnRedis(t)
	in := harness.NewOnServersWith(t, redis.URL)
	server := in.Serve()
	awaitReadiness(t, server, http.StatusOK, ready)
	redis.Signal(t, syscall.SIGSTOP)
	defer redis.Signal(t, syscall.SIGCONT) // or it would not end
	awaitReadiness(t, server, http.StatusOK, readiness{"ready", "ok", "out of reach", "ok"})
	for range 20 {
		if code, got := readinessOf(t, server); code != http.StatusOK || got.Database != "ok" {
			t.Errorf("/readyz answers %d %+v", code, got)
		}
	}
	in.Provider(server).Create(t, "start-manual-deposit", "10.00")
	redis.Signal(t, syscall.SIGCONT)
	awaitReadiness(t, server, http.StatusOK, ready)
	server.Stop(t)
}

// TestProofsCostOneRow: however often a process is asked, it has one row.
func TestProofsCostOneRow(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		servers := in.ServeAll()
		harness.InParallel(t, 60, 8, func(i int) error {
			return harness.Await(func() error { // on a busy machine a clock may not have been compared for long
				if code, got := readinessOf(t, servers[i%len(servers)]); code != http.StatusOK || got != ready {
					return fmt.Errorf("/readyz answers %d %+v", code, got)
				}
				return nil
			})
		})
		var rows int
		const query = "SELECT count(*) FROM processes"
		if err := in.OpenDatabase().QueryRowContext(t.Context(), query).Scan(&rows); err != nil || rows > len(servers)+1 { // the seeding's too
			t.Errorf("%d processes are known (%v)", rows, err)
		}
	})
}
