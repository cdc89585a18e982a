package graph_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// everything is all that the schema has on a transaction.
const everything = `query($code: String!) { transaction(trackingCode: $code) {
	trackingCode status method kind amount requestedAmount currency
	requestedBy { kind name address } provider { id name } site { id name } dealerId claim { staffName until isHeld isOwn }
	customer { userId username fullname } iban isIbanSuspect account { bankName holder iban } isOverdue reason
	createdAt updatedAt expiresAt finishedAt
	history(first: 10) { nodes { at command from to amount reason actor { kind name address } } }
	callbacks { id kind status receiver attemptCount nextAttemptAt createdAt finishedAt
		attempts { number at durationMs url httpStatus error answer } }
} }`

func TestGoldenAnswers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.fixRandom(t)
	a.Sender.AnswerWith(func(context.Context, apptest.Sent) payment.DeliveryResult {
		return payment.DeliveryResult{Duration: 1234 * time.Millisecond, HTTPStatus: 503, Answer: "kapalı"}
	})
	fresh := a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	paid := a.payAndApprove(t)
	overdue := a.claim(t)
	a.Clock.Advance(time.Hour)
	rejected := a.StartWithdrawal(t, payment.EIBANWithdrawal, lira(99999))
	for name, query := range map[string]struct {
		query string
		vars  vars
	}{
		"deposit-new":       {everything, vars{"code": fresh.TrackingCode}},
		"deposit-overdue":   {everything, vars{"code": overdue.TrackingCode}},
		"deposit-completed": {everything, vars{"code": paid.TrackingCode}},
		"withdrawal":        {everything, vars{"code": rejected.TrackingCode}},
		"page":              {listQuery, vars{"first": 2}},
		"me":                {`{ me { id email role dealerId permissions } }`, nil},
		"not-found":         {`{ transaction(trackingCode: "MAN-0000000000000000") { status } }`, nil},
		"validation":        {`{ transactions(first: 0, after: null) { nodes { nothing } } }`, nil},
	} {
		checkGolden(t, name, a.as(t, staff.Operator, query.query, query.vars).Raw)
	}
	refuse := `mutation($code: String!) { rejectWithdrawal(input: {trackingCode: $code, reason: "IBAN\n  kapalı"}) { transaction {
		status reason finishedAt history { nodes { command from to reason } } callbacks { kind status } } } }`
	checkGolden(t, "withdrawal-rejected", a.as(t, staff.DealerStaff, refuse, vars{"code": rejected.TrackingCode}).Raw)
}

// payAndApprove takes a deposit to its end, and its callback to a first attempt that fails.
func (a *api) payAndApprove(t *testing.T) payment.Payment {
	t.Helper()
	p := a.claim(t)
	a.Clock.Advance(time.Minute)
	r := request(t, a.tokens[staff.Operator], approve, vars{"code": p.TrackingCode, "amount": "300.50", "expected": "300.00"})
	r.RemoteAddr = "203.0.113.9:4711"
	if answer := a.send(t, r); answer.code() != "" {
		t.Fatal(answer.Raw)
	}
	for _, wakeUp := range a.Waker.Drain() {
		if wakeUp.Kind == core.DueCallbacks {
			a.Callbacks.Wake(wakeUp.Receiver)
		}
	}
	if err := a.Callbacks.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

// claim starts a deposit, changes its amount, and says that it is paid.
func (a *api) claim(t *testing.T) payment.Payment {
	t.Helper()
	p, err := a.Deposits.Continue(t.Context(), a.StartDeposit(t, payment.ManualDeposit, lira(25000)), lira(30000))
	if err != nil {
		t.Fatal(err)
	}
	a.Clock.Advance(2 * time.Minute)
	if p, err = a.Deposits.ClaimPaid(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	return p
}

const updateProvider = `mutation($input: UpdateProviderInput!) { updateProvider(input: $input) { provider {
	id name isActive language callbackUrl depositCallbackUrl withdrawalCallbackUrl creditCardCallbackUrl ipWhitelist
	isCreditCardEnabled createdAt updatedAt } } }`

func TestUpdateProvider(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.Clock.Advance(time.Minute)
	checkGolden(t, "provider-updated", a.as(t, staff.Admin, updateProvider, vars{"input": vars{"id": 1,
		"name": " Acme ", "isActive": false, "language": "tr", "callbackUrl": "http://127.0.0.1:8080/in",
		"depositCallbackUrl": "https://acme.test/eiban", "withdrawalCallbackUrl": "", "creditCardCallbackUrl": "https://acme.test/cc",
		"ipWhitelist": []string{"192.0.2.7", "2001:db8::/32"}, "isCreditCardEnabled": true,
	}}).Raw)
	checkGolden(t, "provider-untouched", a.as(t, staff.Admin, updateProvider, vars{"input": vars{"id": "2", "name": nil, "callbackUrl": nil}}).Raw)
	checkGolden(t, "provider-invalid", a.as(t, staff.Admin, updateProvider, vars{"input": vars{"id": 2,
		"name": "", "language": "de", "callbackUrl": "ftp://acme.test", "ipWhitelist": []string{"acme.test"},
	}}).Raw)
	checkGolden(t, "provider-unknown", a.as(t, staff.Admin, updateProvider, vars{"input": vars{"id": 99}}).Raw)
	kept, err := a.Store.Provider(t.Context(), 1)
	if err != nil || kept.URLs.Deposit != "http://127.0.0.1:8080/in" || kept.SecretKey != a.Provider.SecretKey {
		t.Errorf("kept is %+v (%v)", kept, err)
	}
}

// checkGolden compares an answer with a file under testdata; -update writes it.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(got), "", "  "); err != nil {
		t.Fatal(err)
	}
	pretty.WriteByte('\n')
	compareGolden(t, name+".golden.json", pretty.String())
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("differs from %s (-want +got; go test ./graph -update writes it anew):\n%s", path, diff)
	}
}
