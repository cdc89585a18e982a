//go:build drill

package install_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/e2e/install"
)

const password = "one more battery staple"

// TestDrillInstall: whoever follows docs/install.md on a bare machine has an installation over TLS that is watched and backed up, and its
// first payment. Whoever then follows docs/operators.md has the backup in place of the lost database, with the payment, frozen.
func TestDrillInstall(t *testing.T) {
	blocks, restoring := install.Blocks(t, "install.md", install.OnBareMachine), install.Blocks(t, "operators.md", install.OnBareMachine)
	if len(blocks) != 7 || len(restoring) == 0 {
		t.Fatalf("install.md has %d blocks of commands and operators.md %d", len(blocks), len(restoring))
	}
	began := time.Now()
	m := install.Boot(t, os.Getenv("VEZNE_TEST_ROOT"))
	for _, b := range blocks[:6] { // doctor, and whatever else finds something wrong, fails
		m.Do(b, password+"\n")
	}
	m.Do("vezne-admin staff create --email second@example.com --role admin", password+"\n")
	admin, err := harness.SignIn("https://"+install.Host, "you@example.com", password)
	if err != nil {
		t.Fatal(err)
	}
	admin.Second = func() (harness.Staff, error) {
		return harness.SignIn("https://"+install.Host, "second@example.com", password)
	}
	code := firstPayment(t, admin, m.Do, blocks[6])
	t.Logf("from a bare machine to the first payment, over TLS, watched and backed up, in %s", time.Since(began).Round(time.Second))
	watched(t, m)

	said := m.Do("systemctl is-active vezne-backup.timer; vezne-backup >/dev/null; ls /var/backups/vezne", "")
	if !strings.HasPrefix(said, "active\n") || strings.Count(said, "base-") != 2 {
		t.Errorf("the backups are\n%s", said)
	}
	const archived = `runuser -u postgres -- psql --no-psqlrc --tuples-only --no-align --command "SELECT archived_count > 1 AND failed_count = 0 FROM pg_stat_archiver"`
	m.Do(`runuser -u postgres -- psql --quiet --command "SELECT pg_switch_wal()"`, "")
	harness.Eventually(t, func() error { // what was committed after the base backup is in the archive
		if said := m.Do("cd /; "+archived, ""); said != "t\n" {
			return fmt.Errorf("whether WAL is archived: %s", said)
		}
		return nil
	})
	m.Do("rm -rf /var/lib/postgresql/15/main/base/*", "") // the disk is lost, or somebody slips
	for _, b := range restoring {
		m.Do(b, "")
	}
	harness.Eventually(t, func() error {
		said := m.Do("curl --silent http://127.0.0.1:8081/readyz", "")
		if !strings.Contains(said, `"money":"frozen"`) {
			return fmt.Errorf("/readyz says %s", said)
		}
		return nil
	})
	var staff harness.Staff
	harness.Eventually(t, func() (err error) { // once the proxy has seen that it is back
		staff, err = harness.SignIn("https://"+install.Host, "you@example.com", password)
		return err
	})
	if found, err := staff.Read(code); err != nil || found.Status != "COMPLETED" {
		t.Errorf("the restored payment is %+v (%v)", found, err)
	}
}

// firstPayment makes what a payment needs in the back office, and the payment by the page's commands, which do runs. It returns its tracking code.
func firstPayment(t *testing.T, staff harness.Staff, do func(script, input string) string, commands string) string {
	t.Helper()
	type made struct {
		Dealer, Provider struct{ ID string }
		Credentials      []struct{ Credential, Value string }
	}
	make := func(mutation, input, what string, variables map[string]any) made {
		var data map[string]made
		query := fmt.Sprintf("mutation($input: %s!) { %s(input: $input) { %s } }", input, mutation, what)
		if err := staff.Ask(query, map[string]any{"input": variables}, &data); err != nil {
			t.Fatalf("%s: %v", mutation, err)
		}
		return data[mutation]
	}
	dealer := make("createDealer", "CreateDealerInput", "dealer { id }", map[string]any{"name": "Kapadokya"}).Dealer.ID
	make("createAccount", "CreateAccountInput", "ibanAccount { id }", map[string]any{
		"dealerId": dealer, "kind": "MANUAL", "iban": "TR330006100519786457841326", "bankName": "Banka", "holder": "Kapadokya A.Ş.", "min": "1.00", "max": "5000.00",
	})
	provider := make("createProvider", "CreateProviderInput", "provider { id } credentials { credential value }", map[string]any{"name": "Initech"})
	site := make("createSite", "CreateSiteInput", "credentials { credential value }", map[string]any{
		"providerId": provider.Provider.ID, "dealerId": dealer, "name": "initech.example",
	})
	keys := map[string]string{}
	for _, c := range append(provider.Credentials, site.Credentials...) {
		keys[c.Credential] = c.Value
	}
	said := do(commands, keys["API_KEY"]+"\n"+keys["SECRET_KEY"]+"\n"+keys["CREDENTIAL_KEY"]+"\n")
	_, answer, _ := strings.Cut(said, `{"success"`)
	var whole struct {
		Data struct {
			TrackingCode string `json:"tracking_code"`
			PaymentURL   string `json:"payment_url"`
		}
	}
	if err := json.NewDecoder(strings.NewReader(`{"success"` + answer)).Decode(&whole); err != nil || whole.Data.TrackingCode == "" {
		t.Fatalf("the deposit is answered with %s (%v)", said, err)
	}
	created := whole.Data
	var customer harness.Visitor
	if err := customer.Open(created.PaymentURL); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(customer.Page, "TR33") {
		t.Errorf("the page shows no IBAN:\n%s", customer.Body())
	}
	if err := customer.Press("paid", url.Values{}); err != nil {
		t.Fatal(err)
	}
	if done := staff.Must(t, "approveDeposit", created.TrackingCode); done.Status != "COMPLETED" {
		t.Fatalf("the first payment is %+v", done)
	}
	return created.TrackingCode
}

// watched: Prometheus has the figures, and no alarm fires but that nobody wakes anybody yet.
func watched(t *testing.T, m *install.Machine) {
	t.Helper()
	ask := func(query string) (found []string) {
		said := m.Do(`curl --silent --fail --get --data-urlencode 'query=`+query+`' http://127.0.0.1:9090/api/v1/query`, "")
		var answer struct {
			Data struct {
				Result []struct{ Metric map[string]string }
			}
		}
		if err := json.Unmarshal([]byte(said), &answer); err != nil {
			t.Fatalf("Prometheus says %s (%v)", said, err)
		}
		for _, r := range answer.Data.Result {
			found = append(found, r.Metric["job"]+r.Metric["alertname"])
		}
		return found
	}
	harness.Eventually(t, func() error {
		if up := ask(`up{instance=~"127.0.0.1:.*"} == 1`); len(up) != 3 {
			return fmt.Errorf("up are %v", up)
		}
		if moves := ask(`vezne_payment_moves_total{to="completed"} > 0`); len(moves) == 0 {
			return fmt.Errorf("the first payment is not counted")
		}
		return nil
	})
	if firing := ask(`ALERTS{alertstate="firing"}`); len(firing) != 0 {
		t.Errorf("alarms are raised: %v", firing)
	}
	r, err := http.Get("https://" + install.Host + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	if r.StatusCode != http.StatusNotFound {
		t.Errorf("others read the figures: %d", r.StatusCode)
	}
}
