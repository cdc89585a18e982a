package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/vezne/vezne/core/decision"
	"github.com/vezne/vezne/core/staff"
)

// mutationOf is the mutation of a decision.
func mutationOf(name decision.Name) string {
	words := strings.Split(string(name), "_")
	for i, w := range words[1:] {
		words[i+1] = string(unicode.ToUpper(rune(w[0]))) + w[1:]
	}
	return strings.Join(words, "")
}

// takes is what a decision takes besides the tracking code.
func takes(name decision.Name, amount string) string {
	switch name {
	case decision.ToApproveDeposit:
		return fmt.Sprintf(`, expectedAmount: %q`, amount)
	case decision.ToCorrectCredit:
		return fmt.Sprintf(`, expectedAmount: %q, amount: "1.00"`, amount)
	case decision.ToClaimWithdrawal:
		return `, takeOver: true`
	default:
		return ""
	}
}

// TestWhatIsPossibleIsWhatADecisionTakes: before and after each decision, and for each role, a decision is among the possible ones exactly
// when its preview is not refused.
func TestWhatIsPossibleIsWhatADecisionTakes(t *testing.T) {
	t.Parallel()
	for name, c := range previewed {
		if strings.Contains(c.input, "$id") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			s := c.about(a, t)
			v := vars{"code": s.TrackingCode}
			if c.claim {
				a.as(t, staff.Operator, claimWithdrawal, v)
			}
			before := a.possible(t, staff.Operator, s.TrackingCode)
			if !slices.ContainsFunc(before, func(n string) bool { return strings.EqualFold(strings.ReplaceAll(n, "_", ""), name) }) {
				t.Errorf("%s is not among %v", name, before)
			}
			for _, role := range []staff.Role{staff.Viewer, staff.Finance, staff.DealerStaff, staff.ProviderStaff, staff.Auditor} {
				a.possible(t, role, s.TrackingCode)
			}
			a.as(t, staff.Operator, fmt.Sprintf(`mutation($code: String!) { %s(input: {%s}) { transaction { status } } }`, name, c.input), v)
			a.possible(t, staff.Operator, s.TrackingCode)
			a.possible(t, staff.Finance, s.TrackingCode)
		})
	}
}

// possible is what a role could decide about a transaction, held against the preview of every decision.
func (a *api) possible(t *testing.T, role staff.Role, code string) []string {
	t.Helper()
	var found struct {
		Amount            string
		PossibleDecisions []string
		RefundTerms       *struct{ Left struct{ Amount string } }
	}
	v := vars{"code": code}
	a.as(t, role, `query($code: String!) { transaction(trackingCode: $code) { amount possibleDecisions refundTerms { left { amount } takesParts needs { name } } } }`, v).
		into(t, "transaction", &found)
	for _, name := range decision.Names() {
		if name == decision.ToConfirmPayout || name == decision.ToApproveHeld || name == decision.ToDeclineHeld {
			continue // has no preview: it asks the gateway
		}
		is := slices.Contains(found.PossibleDecisions, strings.ToUpper(string(name)))
		answer := a.as(t, role, fmt.Sprintf(`query($code: String!) { decisionPreview(decision: {%s: {trackingCode: $code, reason: "why"%s}}) { isChange } }`,
			mutationOf(name), takes(name, found.Amount)), v)
		if may := answer.code() == "" && strings.Contains(answer.Raw, `"isChange":true`); is != may {
			t.Errorf("to %s %s is possible: %t, and its preview is %s", role, name, is, answer.Raw)
		}
		if name == decision.ToRefundTransaction && is != (found.RefundTerms != nil) {
			t.Errorf("to %s a refund is possible: %t, and its terms are %+v", role, is, found.RefundTerms)
		}
	}
	return found.PossibleDecisions
}

// TestARefundSaysWhatIsLeft: a part is given back, and the rest is what is left.
func TestARefundSaysWhatIsLeft(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	s := paidCard(a, t)
	v := vars{"code": s.TrackingCode}
	left := func() string {
		var found struct {
			RefundTerms *struct {
				Left       struct{ Amount string }
				TakesParts bool
			}
		}
		a.as(t, staff.Finance, `query($code: String!) { transaction(trackingCode: $code) { refundTerms { left { amount } takesParts } } }`, v).into(t, "transaction", &found)
		if found.RefundTerms == nil {
			return ""
		}
		return found.RefundTerms.Left.Amount
	}
	if got := left(); got != "250.00" {
		t.Errorf("at first %q is left", got)
	}
	a.as(t, staff.Finance, `mutation($code: String!) { refundTransaction(input: {trackingCode: $code, amount: "100.00"}) { transaction { status } } }`, v)
	if got := left(); got != "150.00" {
		t.Errorf("after a part %q is left", got)
	}
	a.as(t, staff.Finance, `mutation($code: String!) { refundTransaction(input: {trackingCode: $code}) { transaction { status } } }`, v)
	if got := left(); got != "" {
		t.Errorf("of nothing %q is left", got)
	}
}
