package btcpay_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/btcpay"
	"github.com/vezne/vezne/plugins/conformance"
)

// tables are those of README.md.
func tables() map[string]any {
	events, fields := conformance.Rows{}, conformance.Rows{}
	for name, e := range btcpay.Events() {
		events[name] = map[string]string{"State": string(e.State), "Trust": e.Trust.String()}
		if e.Flag != "" {
			events[name+" with "+e.Flag] = map[string]string{"State": string(e.Flagged), "Trust": gateway.Hint.String()}
		}
	}
	for _, name := range btcpay.PayoutEvents() {
		events[name] = map[string]string{"State": "by its payoutState", "Trust": gateway.Hint.String()}
	}
	for _, f := range btcpay.Plugin().Describe().Config {
		fields[f.Name] = map[string]string{"Needed": "", "Default": f.Default}
		if f.IsRequired {
			fields[f.Name]["Needed"] = "yes"
		}
	}
	const body = `{"type":"InvoiceSettled","invoiceId":"HMprBnL9BTXWuPvpoKBS6e"}`
	return map[string]any{
		"Deposits": btcpay.States(), "Payouts": btcpay.PayoutStates(), "Errors": btcpay.Failures(), "Notifications": events,
		"Configuration": fields,
		"Vectors":       conformance.Rows{"s3cr3t": {"Body": body, "BTCPay-Sig": btcpay.Signature("s3cr3t", []byte(body))}},
	}
}

// TestREADMEHasTheConfirmations: how many blocks each policy waits for.
func TestREADMEHasTheConfirmations(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for policy, n := range btcpay.Confirmations() {
		if !strings.Contains(string(text), "`"+policy+"` "+strconv.Itoa(n)) {
			t.Errorf("README.md does not say that %s waits for %d", policy, n)
		}
	}
}

// TestREADMEHasThePermissions: the setup steps of the back office and those of README.md ask for the same.
func TestREADMEHasThePermissions(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, step := range btcpay.Plugin().Describe().Setup {
		for word := range strings.FieldsSeq(step.Text) {
			if name := strings.Trim(word, ".,;"); strings.HasPrefix(name, "btcpay.store.") {
				count++
				if !strings.Contains(string(text), "`"+name+"`") {
					t.Errorf("README.md lacks the permission %s", name)
				}
			}
		}
	}
	if count < 7 {
		t.Errorf("the setup steps name %d permissions", count)
	}
}
