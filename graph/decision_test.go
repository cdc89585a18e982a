package graph_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// approve expects a deposit of 250.00, unless it is told otherwise.
const approve = `mutation($code: String!, $amount: Decimal, $expected: Decimal! = "250.00") {
	approveDeposit(input: {trackingCode: $code, expectedAmount: $expected, reason: "seen", amount: $amount}) { transaction { trackingCode status amount } }
}`

func TestApprove(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, c := range map[string]struct {
		vars vars
		want string // empty: it takes a second person, who sees it in the request
	}{
		"no amount":         {vars{}, "250.00"},
		"null":              {vars{"amount": nil}, "250.00"},
		"another amount":    {vars{"amount": "300.50"}, "300.50"},
		"a whole number":    {vars{"amount": "500"}, "500.00"},
		"spaces around":     {vars{"amount": " 12.3 "}, "12.30"},
		"the greatest":      {vars{"amount": "999999999.99"}, ""},
		"a JSON number":     {vars{"amount": 300.5}, "300.50"},
		"the smallest":      {vars{"amount": "1"}, "1.00"},
		"more than 2 to 53": {vars{"amount": "90071992.54"}, ""},
	} {
		p := a.OfferedDeposit(t, lira(25000))
		c.vars["code"] = p.TrackingCode
		if c.want == "" {
			asked, err := a.Store.Approval(t.Context(), core.ID(waits(t, a.as(t, staff.Operator, approve, c.vars))))
			if err != nil || len(asked.Guards) != 1 || asked.Guards[0].Amount.String() != fmt.Sprint(c.vars["amount"], " TRY") {
				t.Errorf("%s: %+v, %v", name, asked, err)
			}
			continue
		}
		var done struct{ TrackingCode, Status, Amount string }
		a.as(t, staff.Operator, approve, c.vars).into(t, "approveDeposit.transaction", &done)
		if done.TrackingCode != p.TrackingCode || done.Status != "COMPLETED" || done.Amount != c.want {
			t.Errorf("%s: got %+v, want completed with %s", name, done, c.want)
		}
		if kept := a.Reload(t, p); kept.Amount.String() != c.want || kept.Status != payment.Completed {
			t.Errorf("%s: kept is %s %s", name, kept.Status, kept.Amount)
		}
	}
}

func TestApproveRefusesBadAmounts(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	for amount, want := range map[string]string{
		"": "required", " ": "required", "abc": "must be a number", "300,50": "must be a number", "-5": "at least 0.00",
		"0": "at least 1.00", "0.99": "at least 1.00", "1.005": "at most 2 decimals", "1e3": "must be a number",
		"1000000000": "at most 999999999.99", "NaN": "must be a number", "0x10": "must be a number", "١٢": "must be a number",
		strings.Repeat("9", 5000): "at most 999999999.99", "٫5": "must be a number", "+5": "must be a number",
	} {
		answer := a.as(t, staff.Operator, approve, vars{"code": p.TrackingCode, "amount": amount})
		name, sentence := answer.field()
		if answer.code() != "INVALID" || name != "amount" || !strings.Contains(sentence, want) {
			t.Errorf("%.20q: got %s", amount, answer.Raw)
		}
	}
	if a.Reload(t, p).Version != p.Version {
		t.Error("a refused amount moved the deposit")
	}
}

func TestARepeatedDecisionChangesNothing(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.OfferedDeposit(t, lira(25000))
	if answer := a.as(t, staff.Operator, approve, vars{"code": p.TrackingCode, "amount": "300.50"}); answer.code() != "" {
		t.Fatal(answer.Raw)
	}
	first := a.Reload(t, p)
	for _, query := range []string{
		`mutation($code: String!) { approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", reason: "seen", amount: "400"}) { transaction { status } } }`,
		`mutation($code: String!) { rejectDeposit(input: {trackingCode: $code, reason: "late"}) { transaction { status } } }`,
	} {
		answer := a.as(t, staff.Admin, query, vars{"code": p.TrackingCode})
		if answer.code() != "ALREADY_FINAL" || answer.Errors[0].Message != "The payment has already ended: completed." {
			t.Errorf("got %s", answer.Raw)
		}
	}
	if again := a.Reload(t, p); again != first {
		t.Errorf("the deposit was %+v and is %+v", first, again)
	}
}

func TestFiftyApprovalsAtOnceAreOne(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.OfferedDeposit(t, lira(25000))
	codes := make(chan string, 50)
	var wg sync.WaitGroup
	for range cap(codes) {
		wg.Go(func() {
			codes <- a.as(t, staff.Operator, approve, vars{"code": p.TrackingCode}).code()
		})
	}
	wg.Wait()
	close(codes)
	got := map[string]int{}
	for code := range codes {
		got[code]++
	}
	if got[""] != 1 || got["ALREADY_FINAL"] != 49 {
		t.Errorf("fifty approvals were answered %v", got)
	}
	callbacks, err := a.Store.CallbacksOf(t.Context(), p.ID)
	if err != nil || len(callbacks) != 1 {
		t.Errorf("there are %d callbacks (%v)", len(callbacks), err)
	}
}

func TestWithdrawalDecisions(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for mutation, want := range map[string]payment.Status{
		`completeWithdrawal(input: {trackingCode: $code})`:                         payment.Completed,
		`rejectWithdrawal(input: {trackingCode: $code, reason: "wrong IBAN"})`:     payment.Rejected,
		`failWithdrawal(input: {trackingCode: $code, reason: "the bank is down"})`: payment.Failed,
		`cancelWithdrawal(input: {trackingCode: $code, reason: "by request"})`:     payment.Canceled,
		`cancelWithdrawal(input: {trackingCode: $code})`:                           payment.Canceled,
		`rejectWithdrawal(input: {trackingCode: $code, reason: null})`:             payment.Rejected,
	} {
		p := a.StartWithdrawal(t, payment.EIBANWithdrawal, lira(25000))
		if want != payment.Canceled { // only what nobody has taken is called off
			a.as(t, staff.DealerStaff, claimWithdrawal, vars{"code": p.TrackingCode})
		}
		answer := a.as(t, staff.DealerStaff, `mutation($code: String!) { done: `+mutation+` { transaction { status reason } } }`, vars{"code": p.TrackingCode})
		var done struct {
			Status string
			Reason *string
		}
		answer.into(t, "done.transaction", &done)
		_, reason, hasReason := strings.Cut(strings.TrimSuffix(mutation, `"})`), `reason: "`)
		if done.Status != strings.ToUpper(string(want)) || hasReason != (done.Reason != nil) || hasReason && *done.Reason != reason {
			t.Errorf("%s: got %s", mutation, answer.Raw)
		}
	}
}

func TestRefusedDecisions(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	deposit := a.StartDeposit(t, payment.ManualDeposit, lira(25000)).TrackingCode
	withdrawal := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(25000)).TrackingCode
	for name, c := range map[string]struct {
		mutation, code, want string
	}{
		"approve a withdrawal": {`approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", reason: "seen"})`, withdrawal, "WRONG_METHOD"},
		"complete a deposit":   {`completeWithdrawal(input: {trackingCode: $code})`, deposit, "WRONG_METHOD"},
		"no such payment":      {`approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", reason: "seen"})`, "MAN-0000000000000000", "NOT_FOUND"},
		"an empty code":        {`approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", reason: "seen"})`, "", "NOT_FOUND"},
		"a long reason":        {`rejectDeposit(input: {trackingCode: $code, reason: "` + strings.Repeat("ğ", 501) + `"})`, deposit, "INVALID"},
		"a control character":  {`rejectDeposit(input: {trackingCode: $code, reason: "a\u0007b"})`, deposit, "INVALID"},
	} {
		answer := a.as(t, staff.Operator, `mutation($code: String!) { `+c.mutation+` { transaction { status } } }`, vars{"code": c.code})
		if answer.code() != c.want || answer.Status != 200 {
			t.Errorf("%s: got %s, want %s", name, answer.Raw, c.want)
		}
	}
}

func TestOneRefusalDoesNotHideOtherResults(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.OfferedDeposit(t, lira(25000))
	answer := a.as(t, staff.Operator, `mutation($code: String!) {
		first: approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", reason: "seen"}) { transaction { status } }
		second: approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", reason: "seen"}) { transaction { status } }
	}`, vars{"code": p.TrackingCode})
	if string(answer.Data["first"]) != `{"transaction":{"status":"COMPLETED"}}` || string(answer.Data["second"]) != "null" ||
		answer.code() != "ALREADY_FINAL" || answer.Errors[0].Path[0] != "second" {
		t.Errorf("got %s", answer.Raw)
	}
}

func TestADealersStaffSeeOnlyTheirDealers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	mine := a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	a.Provider, a.OtherProvider, a.Site, a.OtherSite = a.OtherProvider, a.Provider, a.OtherSite, a.Site
	theirs := a.StartDeposit(t, payment.ManualDeposit, lira(25000))
	paid := a.StartWithdrawal(t, payment.ManualWithdrawal, lira(25000))
	for query, p := range map[string]payment.Payment{
		`query($code: String!) { transaction(trackingCode: $code) { status } }`:                                                                          theirs,
		`mutation($code: String!) { approveDeposit(input: {trackingCode: $code, expectedAmount: "250.00", reason: "seen"}) { transaction { status } } }`: theirs,
		`mutation($code: String!) { rejectDeposit(input: {trackingCode: $code}) { transaction { status } } }`:                                            theirs,
		`mutation($code: String!) { completeWithdrawal(input: {trackingCode: $code}) { transaction { status } } }`:                                       paid,
		`mutation($code: String!) { rejectWithdrawal(input: {trackingCode: $code}) { transaction { status } } }`:                                         paid,
		`mutation($code: String!) { failWithdrawal(input: {trackingCode: $code}) { transaction { status } } }`:                                           paid,
		`mutation($code: String!) { cancelWithdrawal(input: {trackingCode: $code}) { transaction { status } } }`:                                         paid,
	} {
		answer := a.as(t, staff.DealerStaff, query, vars{"code": p.TrackingCode})
		if answer.code() != "NOT_FOUND" || a.Reload(t, p).Version != p.Version {
			t.Errorf("%s: got %s", query, answer.Raw)
		}
	}
	for name, filter := range map[string]string{
		"all": `{}`, "their code": `{trackingCode: "` + theirs.TrackingCode + `"}`, "their provider": `{providerId: 2}`,
	} {
		var list struct {
			Nodes []struct{ TrackingCode string }
		}
		a.as(t, staff.DealerStaff, `{ transactions(filter: `+filter+`) { nodes { trackingCode } } }`, nil).into(t, "transactions", &list)
		for _, n := range list.Nodes {
			if n.TrackingCode != mine.TrackingCode {
				t.Errorf("%s: the dealer's staff see %s", name, n.TrackingCode)
			}
		}
		if name == "all" && len(list.Nodes) != 1 {
			t.Errorf("the dealer's staff see %d of their payments, want 1", len(list.Nodes))
		}
	}
}
