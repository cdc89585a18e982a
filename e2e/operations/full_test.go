package operations_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// fillUp has PostgreSQL say at the end of each commit, when everything is written, that its disk is full: with the state that it
// has for that (disk_full).
var fillUp = []string{
	`CREATE FUNCTION fill_up() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
	`CREATE CONSTRAINT TRIGGER fill_up AFTER INSERT OR UPDATE ON payments DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION fill_up()`,
	`CREATE CONSTRAINT TRIGGER fill_up AFTER INSERT OR UPDATE ON processes DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION fill_up()`,
}

// TestAFullPostgresKeepsNothingByHalves: the process says that it is not ready, callers are told to come again, and nothing of what
// they asked for is kept. It goes on by itself when there is space.
func TestAFullPostgresKeepsNothingByHalves(t *testing.T) {
	t.Parallel()
	in := harness.NewOnServers(t)
	server := in.Serve("VEZNE_ROLE=api") // nothing else is written meanwhile
	operator := in.SignIn(server, "operator")
	earlier := in.Provider(server).Create(t, "start-manual-deposit", "10.00")
	awaitReadiness(t, server, http.StatusOK, ready)
	if err := in.Tamper(fillUp...); err != nil {
		t.Fatal(err)
	}
	awaitReadiness(t, server, http.StatusServiceUnavailable, notReady("full"))
	start := func() (harness.Answer, harness.Payment) {
		t.Helper()
		a, made, err := in.Provider(server).Try("start-manual-deposit", harness.Order("20.00"), "order-1")
		if err != nil {
			t.Fatal(err)
		}
		return a, made
	}
	before := in.Dump()
	for range 3 {
		a, _ := start()
		retry, isSaid := a.Header.Get("Retry-After"), strings.Contains(string(a.Body), `"Service unavailable"`)
		if a.Status != http.StatusServiceUnavailable || retry == "" || !isSaid {
			t.Errorf("without space a deposit is answered with %d, Retry-After %q, %s", a.Status, retry, a.Body)
		}
	}
	if !bytes.Equal(before, in.Dump()) {
		t.Error("without space something is kept")
	}
	if _, err := operator.Decide("approveDeposit", earlier.TrackingCode); harness.CodeOf(err) != "UNAVAILABLE" {
		t.Errorf("without space a decision is answered with %v", err)
	}
	if err := in.Tamper("DROP FUNCTION fill_up CASCADE"); err != nil {
		t.Fatal(err)
	}
	awaitReadiness(t, server, http.StatusOK, ready)
	a, first := start()
	_, again := start()
	if a.Status != http.StatusOK || again.TrackingCode != first.TrackingCode {
		t.Errorf("with space a deposit is answered with %d %s, and then with %s", a.Status, a.Body, again.TrackingCode)
	}
	operator.Must(t, "approveDeposit", earlier.TrackingCode)
	if n := len(operator.All(t)); n != 2 {
		t.Errorf("there are %d payments", n)
	}
	server.Stop(t)
}
