package graph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

const previewFields = `{ isChange status amount credited sent { amount } refunded { amount } leftToRefund { amount } discrepancyStatus
	callbacks { kind receiver status amount } needsSecondPerson guards { action subject } warnings transaction { status version } }`

// preview is what a preview answers.
type preview struct {
	IsChange          bool
	Status, Amount    string
	Credited          string
	Sent, Refunded    *struct{ Amount string }
	LeftToRefund      *struct{ Amount string }
	DiscrepancyStatus string
	Callbacks         []struct{ Kind, Receiver, Status, Amount string }
	NeedsSecondPerson bool
	Warnings          []string
	Transaction       struct {
		Status  string
		Version int
	}
}

// previewed are decisions that are previewed and then made: what each of them says of itself.
var previewed = map[string]struct {
	input string // without its braces
	about func(*api, *testing.T) subject
	claim bool // by whoever decides, before
	want  preview
}{
	"approveDeposit": {
		input: `trackingCode: $code, expectedAmount: "250.00", amount: "240.00"`, about: offered,
		want: preview{Status: "COMPLETED", Amount: "240.00", Credited: "240.00", Warnings: []string{"AMOUNT_DIFFERS"}},
	},
	"rejectDeposit":      {input: `trackingCode: $code`, about: offered, want: preview{Status: "CANCELED", Amount: "250.00"}},
	"claimWithdrawal":    {input: `trackingCode: $code`, about: fresh(payment.ManualWithdrawal), want: preview{Status: "PROCESSING", Amount: "250.00"}},
	"releaseWithdrawal":  {input: `trackingCode: $code`, about: fresh(payment.ManualWithdrawal), claim: true, want: preview{Status: "PROCESSING", Amount: "250.00"}},
	"completeWithdrawal": {input: `trackingCode: $code`, about: fresh(payment.ManualWithdrawal), claim: true, want: preview{Status: "COMPLETED", Amount: "250.00"}},
	"failWithdrawal": {
		input: `trackingCode: $code`, about: fresh(payment.ManualWithdrawal), claim: true,
		want: preview{Status: "FAILED", Amount: "250.00", Warnings: []string{"MAY_HAVE_LEFT"}},
	},
	"rejectWithdrawal":  {input: `trackingCode: $code`, about: fresh(payment.ManualWithdrawal), want: preview{Status: "REJECTED", Amount: "250.00"}},
	"cancelWithdrawal":  {input: `trackingCode: $code`, about: fresh(payment.ManualWithdrawal), want: preview{Status: "CANCELED", Amount: "250.00"}},
	"approvePayout":     {input: `trackingCode: $code`, about: waitingPayout, want: preview{Status: "SHOWING", Amount: "1500.00"}},
	"rejectPayout":      {input: `trackingCode: $code`, about: waitingPayout, want: preview{Status: "REJECTED", Amount: "1500.00"}},
	"cancelPayout":      {input: `trackingCode: $code`, about: waitingPayout, want: preview{Status: "CANCELED", Amount: "1500.00"}},
	"failPayout":        {input: `trackingCode: $code`, about: triedPayout, want: preview{Status: "FAILED", Amount: "250.00", Warnings: []string{"MAY_HAVE_LEFT"}}},
	"refundTransaction": {input: `trackingCode: $code, amount: "100.00"`, about: paidCard, want: preview{Status: "COMPLETED", Amount: "250.00"}},
	"resolveDiscrepancy": {
		input: `id: $id, resolution: ACCEPT`, about: overpaidCard,
		want: preview{Status: "COMPLETED", Amount: "250.00", Credited: "250.00", DiscrepancyStatus: "ACCEPTED"},
	},
	"refundDiscrepancy": {input: `id: $id`, about: overpaidCard, want: preview{Status: "PENDING", Amount: "250.00", DiscrepancyStatus: "REFUNDING"}},
}

func variablesOf(input string) string {
	if strings.Contains(input, "$id") {
		return "$id: ID!"
	}
	return "$code: String!"
}

// TestAPreviewIsWhatHappens previews each decision, finds nothing changed, and makes it: it comes out as it was said.
func TestAPreviewIsWhatHappens(t *testing.T) {
	t.Parallel()
	for name, c := range previewed {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			s := c.about(a, t)
			v := vars{"code": s.TrackingCode, "id": s.discrepancy}
			if strings.Contains(c.input, "$id") {
				delete(v, "code")
			} else {
				delete(v, "id")
			}
			if c.claim {
				a.as(t, staff.Operator, claimWithdrawal, vars{"code": s.TrackingCode})
			}
			before := a.Reload(t, s.Payment)
			made := a.madeBy(t)
			reported, err := a.Store.CallbacksOf(t.Context(), s.ID)
			if err != nil {
				t.Fatal(err)
			}
			var got preview
			query := fmt.Sprintf(`query(%s) { decisionPreview(decision: {%s: {%s}}) %s }`, variablesOf(c.input), name, c.input, previewFields)
			answer := a.as(t, staff.Operator, query, v)
			answer.into(t, "decisionPreview", &got)
			if after := a.Reload(t, s.Payment); after.Version != before.Version || len(made()) > 0 {
				t.Fatalf("the preview changed the payment to %+v, and left %v", after, made())
			}
			if got.Transaction.Version != before.Version || !got.IsChange {
				t.Errorf("the preview is of another state: %s", answer.Raw)
			}
			if got.Status != c.want.Status || got.Amount != c.want.Amount || got.Credited != c.want.Credited ||
				got.DiscrepancyStatus != c.want.DiscrepancyStatus || !slices.Equal(got.Warnings, append([]string{}, c.want.Warnings...)) {
				t.Errorf("got %s, want %+v", answer.Raw, c.want)
			}
			const shown = `transaction { status amount callbacks { kind receiver } }`
			field, path := shown, name+".transaction"
			if strings.Contains(c.input, "$id") {
				field, path = `discrepancy { status }`, name+".discrepancy"
			}
			var done struct {
				Status, Amount string
				Callbacks      []struct{ Kind, Receiver string }
			}
			a.as(t, staff.Operator, fmt.Sprintf(`mutation(%s) { %s(input: {%s}) { %s } }`, variablesOf(c.input), name, c.input, field), v).into(t, path, &done)
			if strings.Contains(c.input, "$id") {
				if done.Status != got.DiscrepancyStatus {
					t.Errorf("the discrepancy became %s, and the preview said %s", done.Status, got.DiscrepancyStatus)
				}
				return
			}
			if done.Status != got.Status || done.Amount != got.Amount {
				t.Errorf("it became %+v, and the preview said %s", done, answer.Raw)
			}
			if sent := len(done.Callbacks) - len(reported); sent != len(got.Callbacks) {
				t.Errorf("it sent %+v, and the preview said %+v", done.Callbacks, got.Callbacks)
			}
		})
	}
}

// TestAPreviewKeepsWhatTheDecisionKeeps: it refuses what the decision refuses, to whoever may not make it, and tells nothing of others'.
func TestAPreviewKeepsWhatTheDecisionKeeps(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := offered(a, t)
	reject := func(input string) string {
		return `query($code: String!) { decisionPreview(decision: {` + input + `}) { status } }`
	}
	v := vars{"code": s.TrackingCode}
	for _, c := range []struct {
		role        staff.Role
		input, want string
	}{
		{staff.Viewer, `rejectDeposit: {trackingCode: $code}`, "FORBIDDEN"},
		{staff.ProviderStaff, `rejectDeposit: {trackingCode: $code}`, "FORBIDDEN"},
		{staff.Operator, `completeWithdrawal: {trackingCode: $code}`, "WRONG_METHOD"},
		{staff.Operator, `approveDeposit: {trackingCode: $code, expectedAmount: "249.00"}`, "AMOUNT_CHANGED"},
		{staff.Operator, `rejectDeposit: {trackingCode: $code, expectedVersion: 999}`, "CHANGED_MEANWHILE"},
		{staff.Operator, ``, "INVALID"},
		{staff.Operator, `rejectDeposit: {trackingCode: $code}, approveDeposit: {trackingCode: $code, expectedAmount: "250.00"}`, "INVALID"},
	} {
		query := reject(c.input)
		if c.input == "" {
			query = `{ decisionPreview(decision: {}) { status } }`
		}
		if answer := a.as(t, c.role, query, v); answer.code() != c.want {
			t.Errorf("%s of %s: got %s, want %s", c.input, c.role, answer.Raw, c.want)
		}
	}
	other := a.Start(t, payment.Request{Method: payment.ManualWithdrawal, Amount: lira(5050), Provider: a.OtherProvider, Site: a.OtherSite})
	answer := a.as(t, staff.DealerStaff, reject(`rejectWithdrawal: {trackingCode: $code}`), vars{"code": other.TrackingCode})
	if answer.code() != "NOT_FOUND" {
		t.Errorf("another dealer's: %s", answer.Raw)
	}
}

// TestAPreviewSaysThatItTakesTwo, and so does the request that comes of it, which whoever approves sees in money.
func TestAPreviewSaysThatItTakesTwo(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.rule(t, core.GuardRefund, 5000)
	s := paidCard(a, t)
	v := vars{"code": s.TrackingCode}
	const input = `refundTransaction: {trackingCode: $code, amount: "100.00", reason: "twice"}`
	var got preview
	a.as(t, staff.Finance, `query($code: String!) { decisionPreview(decision: {`+input+`}) `+previewFields+` }`, v).into(t, "decisionPreview", &got)
	if !got.NeedsSecondPerson || got.Refunded == nil || got.Refunded.Amount != "100.00" || got.LeftToRefund == nil || got.LeftToRefund.Amount != "150.00" {
		t.Errorf("got %+v", got)
	}
	id := waits(t, a.as(t, staff.Finance, `mutation($code: String!) { refundTransaction(input: {trackingCode: $code, amount: "100.00", reason: "twice"}) { transaction { status } } }`, v))
	var shown struct{ Preview *preview }
	const ask = `query($id: ID!) { approval(id: $id) { preview ` + previewFields + ` } }`
	a.as(t, staff.Admin, ask, vars{"id": id}).into(t, "approval", &shown)
	if shown.Preview == nil || shown.Preview.Refunded == nil || shown.Preview.Refunded.Amount != "100.00" {
		t.Errorf("the request shows %+v", shown.Preview)
	}
	if got := a.refundedOf(t, s.Payment); got != "0.00" {
		t.Errorf("looking gave %s back", got)
	}
	a.as(t, staff.Admin, approveIt, vars{"id": id})
	a.as(t, staff.Admin, ask, vars{"id": id}).into(t, "approval", &shown)
	if shown.Preview != nil {
		t.Errorf("a request that is decided shows %+v", shown.Preview)
	}
}

// TestALostRaceSaysWhoWasFaster: two colleagues look at one deposit.
func TestALostRaceSaysWhoWasFaster(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := offered(a, t)
	a.Clock.Advance(time.Second) // what is told is the newest
	v := vars{"code": s.TrackingCode, "version": s.Version}
	const reject = `mutation($code: String!, $version: Int) {
		rejectDeposit(input: {trackingCode: $code, expectedVersion: $version, reason: "no money"}) { transaction { status } } }`
	if got := a.as(t, staff.DealerStaff, reject, v); got.code() != "" {
		t.Fatal(got.Raw)
	}
	late := a.as(t, staff.Operator, reject, v)
	var whole struct {
		Errors []struct {
			Extensions struct {
				Code      string
				Meanwhile struct{ Status, Command, By, ByKind, Amount string }
			}
		}
	}
	if err := json.Unmarshal([]byte(late.Raw), &whole); err != nil || len(whole.Errors) != 1 {
		t.Fatal(late.Raw, err)
	}
	m := whole.Errors[0].Extensions.Meanwhile
	if whole.Errors[0].Extensions.Code != "CHANGED_MEANWHILE" || m.Status != "CANCELED" || m.By != a.DealerStaff.Email || m.ByKind != "STAFF" {
		t.Errorf("got %s", late.Raw)
	}
}

// TestABatchIsNoWayRoundARule: a colleague splits what takes two people into rows that do not, and a row of a batch has the right, the
// scope, the step-up and the key of its own decision.
func TestABatchIsNoWayRoundARule(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.colleague(t, staff.Admin)
	_, err := a.Approvals.SetRule(t.Context(), app.BySystem, approval.Rule{
		Action: core.GuardCredit, IsOn: true, Above: lira(100000), PerDay: lira(60000), LapseAfter: approval.MaxLapse,
	})
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for i := range 4 {
		code := offered(a, t).TrackingCode
		rows = append(rows, fmt.Sprintf(`{approveDeposit: {trackingCode: %q, expectedAmount: "250.00", reason: "seen", idempotencyKey: "row-%d"}}`, code, i))
	}
	batch := func(rows ...string) string {
		return `mutation { decideMany(input: {decisions: [` + strings.Join(rows, " ") + `]}) { results { subject isDone code message approvalId transaction { status amount } } } }`
	}
	type result struct {
		IsDone                    bool
		Code, Message, ApprovalID string
		Transaction               *struct{ Status, Amount string }
	}
	codesOf := func(role staff.Role, rows ...string) (codes []string) {
		var results []result
		a.as(t, role, batch(rows...), nil).into(t, "decideMany.results", &results)
		for _, r := range results {
			if r.IsDone != (r.Code == "") || (r.Code == "APPROVAL_NEEDED") != (r.ApprovalID != "") || (r.Code != "") != (r.Message != "") {
				t.Errorf("a row says %+v", r)
			}
			codes = append(codes, r.Code)
		}
		return codes
	}
	if got, want := codesOf(staff.Operator, rows...), []string{"", "", "APPROVAL_NEEDED", "APPROVAL_NEEDED"}; !slices.Equal(got, want) {
		t.Errorf("four deposits of 250.00 under a day's bound of 600.00: got %q, want %q", got, want)
	}
	if got, want := codesOf(staff.Operator, rows[0]), []string{""}; !slices.Equal(got, want) {
		t.Errorf("a repeated row: got %q", got)
	}
	if got, want := codesOf(staff.Operator, strings.Replace(rows[0], "250.00", "249.00", 1)), []string{"IDEMPOTENCY_KEY_REUSED"}; !slices.Equal(got, want) {
		t.Errorf("a replayed key with another amount: got %q", got)
	}
	if got, want := codesOf(staff.Viewer, rows...), []string{"FORBIDDEN", "FORBIDDEN", "FORBIDDEN", "FORBIDDEN"}; !slices.Equal(got, want) {
		t.Errorf("a viewer: got %q", got)
	}
	other := a.Start(t, payment.Request{Method: payment.ManualWithdrawal, Amount: lira(5050), Provider: a.OtherProvider, Site: a.OtherSite})
	reject := fmt.Sprintf(`{rejectWithdrawal: {trackingCode: %q}}`, other.TrackingCode)
	if got, want := codesOf(staff.DealerStaff, reject), []string{"NOT_FOUND"}; !slices.Equal(got, want) {
		t.Errorf("another dealer's withdrawal: got %q", got)
	}
	for name, rows := range map[string][]string{
		"none": nil, "an empty one": {`{}`}, "too many": slices.Repeat([]string{reject}, 101),
	} {
		if got := a.as(t, staff.Operator, batch(rows...), nil); got.code() != "INVALID" && got.code() != "GRAPHQL_VALIDATION_FAILED" {
			t.Errorf("%s: got %s", name, got.Raw)
		}
	}
	if got := a.Reload(t, other); got.Status != payment.Pending {
		t.Errorf("the refused batches left %s", got.Status)
	}
}

// TestABatchOfRefundsWantsAProof as each refund does.
func TestABatchOfRefundsWantsAProof(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	prove := a.stale(t, staff.Operator)
	query := `mutation($code: String!) { decideMany(input: {decisions: [{refundTransaction: {trackingCode: $code}}]}) { results { isDone } } }`
	if got := a.still(t, staff.Operator, query, vars{"code": s.TrackingCode}); got.code() != "STEP_UP_NEEDED" {
		t.Errorf("got %s", got.Raw)
	}
	prove()
	if got := a.still(t, staff.Operator, query, vars{"code": s.TrackingCode}); got.code() != "" || !strings.Contains(got.Raw, "true") {
		t.Errorf("got %s", got.Raw)
	}
}
