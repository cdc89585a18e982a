package operations_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
)

// browser asks as a page does: what a server sets is sent back.
type browser struct {
	harness.Staff
	client http.Client
}

func newBrowser(t *testing.T, s harness.Staff) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{Staff: s, client: http.Client{Jar: jar}}
}

func (b *browser) ask(t *testing.T, query string) (answer string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.Base+"/graphql", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+b.Token)
	response, err := b.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var text bytes.Buffer
	if _, err := text.ReadFrom(response.Body); err != nil || strings.Contains(text.String(), `"errors"`) {
		t.Fatalf("%s: %s, %v", query, text.String(), err)
	}
	return text.String()
}

// expectStandbyIsRead asks for each list that may be seconds old: each is read from the standby, and nothing of it from the primary.
func expectStandbyIsRead(t *testing.T, p *harness.Process, s harness.Staff) {
	t.Helper()
	var wallets struct{ Wallets []struct{ ID string } }
	if err := s.Ask(`{ wallets { id } }`, nil, &wallets); err != nil || len(wallets.Wallets) == 0 {
		t.Fatalf("there is no wallet: %v", err)
	}
	reads := func(from string) (n int) {
		t.Helper()
		_, rest, _ := strings.Cut(string(harness.Get(t, p.AdminURL+"/metrics").Body), "\nvezne_replica_reads_total{from=\""+from+"\"} ")
		_, _ = fmt.Sscan(rest, &n) // there is none before the first
		return n
	}
	for _, list := range []string{
		"auditLog(first: 5) { nodes { id } }", "callbacks(first: 5) { nodes { id } }", "bankLines(first: 5) { nodes { lineId } }",
		"disputes(first: 5) { nodes { id } }", "disputes(first: 5, sort: EVIDENCE_DUE_ASC) { nodes { id } }", "discrepancies(first: 5) { nodes { id } }",
		"reconciliations(first: 5) { nodes { day } }", "jobs(first: 5) { nodes { id } }", "gatewayNotifications(first: 5) { nodes { id } }",
		"transactions(first: 5) { nodes { notes { text } gatewayCalls { id } } }",
		fmt.Sprintf("wallet(id: %q) { entries(first: 5) { nodes { id } } }", wallets.Wallets[0].ID),
	} {
		replica, primary := reads("replica"), reads("primary")
		if err := s.Ask("{ "+list+" }", nil, &struct{}{}); err != nil {
			t.Errorf("%s: %v", list, err)
		}
		if replica, primary = reads("replica")-replica, reads("primary")-primary; replica == 0 || primary > 0 {
			t.Errorf("%s reads %d times from the standby and %d times from the primary", list, replica, primary)
		}
	}
}

// TestOutageListsAreReadFromAStandby that follows the primary, that is held up, and that is gone. Who has changed something sees it at once.
func TestOutageListsAreReadFromAStandby(t *testing.T) {
	t.Parallel()
	primary := harness.NewOwnPostgres(t)
	in := harness.NewEmpty(t, "VEZNE_DATABASE_URL="+primary.URL, "VEZNE_REDIS_URL="+harness.NewQueue(t))
	in.Seed().Stop(t)
	standby := harness.NewOwnStandby(t, primary)
	patient := in.Serve("VEZNE_DATABASE_READ_URL="+standby.URL, "VEZNE_DATABASE_READ_MAX_LAG=5m")
	strict := in.Serve("VEZNE_DATABASE_READ_URL="+standby.URL, "VEZNE_DATABASE_READ_MAX_LAG=1s")
	atPatient, atStrict := in.SignIn(patient, "operator"), in.SignIn(strict, "operator")
	isListed := func(s harness.Staff, p harness.Payment) bool {
		return slices.ContainsFunc(s.All(t), func(found harness.Transaction) bool { return found.TrackingCode == p.TrackingCode })
	}
	listed := func(s harness.Staff, p harness.Payment, want bool) { // a standby that answers late is left for a moment
		t.Helper()
		harness.Eventually(t, func() error {
			if isListed(s, p) != want {
				return fmt.Errorf("the list has %s: %t", p.TrackingCode, !want)
			}
			return nil
		})
	}
	until := func(s harness.Staff, p harness.Payment) { t.Helper(); listed(s, p, true) }
	replay := func(how string) {
		t.Helper()
		if err := standby.Execute("SELECT pg_wal_replay_" + how + "()"); err != nil {
			t.Fatal(err)
		}
	}

	first := in.Provider(patient).Create(t, "start-manual-withdraw", "10.00")
	until(atPatient, first)
	until(atStrict, first)
	replay("pause")
	second := in.Provider(patient).Create(t, "start-manual-withdraw", "20.00")
	listed(atPatient, second, false) // from the standby, which does not have it yet
	until(atStrict, second)          // too far behind: from the primary

	expectStandbyIsRead(t, patient, in.SignIn(patient, "admin"))

	own := newBrowser(t, atPatient)
	own.ask(t, fmt.Sprintf(`mutation { claimWithdrawal(input: {trackingCode: %q}) { transaction { status } } }`, second.TrackingCode))
	if list := own.ask(t, `{ transactions(first: 20) { nodes { trackingCode status } } }`); !strings.Contains(list, second.TrackingCode+`","status":"PROCESSING"`) {
		t.Errorf("who has changed something does not see it: %s", list)
	}
	listed(atPatient, second, false) // to others, still

	expectFindings(t, examine(in, 0, "VEZNE_DATABASE_READ_URL="+standby.URL), map[string]string{"standby": "ok answers"})
	replay("resume")
	until(atPatient, second)
	standby.Down(syscall.SIGQUIT)
	third := in.Provider(patient).Create(t, "start-manual-withdraw", "30.00")
	if !isListed(atPatient, third) || !isListed(atStrict, third) {
		t.Error("without the standby, lists are not read from the primary")
	}
	expectFindings(t, examine(in, 1, "VEZNE_DATABASE_READ_URL="+standby.URL), map[string]string{"standby": "FAIL does not answer"})
	patient.Stop(t)
	strict.Stop(t)

	other := append(slices.Clone(in.Env), "VEZNE_BASE_URL=http://localhost:8080", "VEZNE_DATABASE_READ_URL="+harness.NewDatabase(t, ""))
	if o := (harness.Launch{Args: []string{"serve"}, Env: other}).Execute(t); o.Code == 0 || !strings.Contains(o.Stderr, "VEZNE_DATABASE_READ_URL") ||
		!strings.Contains(o.Stderr, "no standby") {
		t.Errorf("with the standby of somebody else, serve ends with %d: %s", o.Code, o.Stderr)
	}
}
