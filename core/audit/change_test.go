package audit_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/core/audit"
)

// TestChangesAreFieldsWithTheirKinds: what differs comes first, lists and objects are told apart, and what is no JSON says nothing.
func TestChangesAreFieldsWithTheirKinds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target, before, after string
		want                  []audit.Change
	}{
		"a payment": {
			"payment/MAN-1", `{"status":"processing","amount":"250.00"}`, `{"status":"completed","amount":"250.00","claimedBy":"deniz"}`,
			[]audit.Change{
				{Field: "claimedBy", Kind: audit.TextChange, After: "deniz"},
				{Field: "status", Kind: audit.EnumChange, Enum: "TransactionStatus", Before: "PROCESSING", After: "COMPLETED"},
				{Field: "amount", Kind: audit.MoneyChange, Before: "250.00", After: "250.00"},
			},
		},
		"what is made": {
			"site/7", "", `{"dealerId":3,"isActive":false,"urls":{"Deposit":"https://a"},"ipWhitelist":["10.0.0.0/8","::1"]}`,
			[]audit.Change{
				{Field: "dealerId", Kind: audit.DealerChange, After: "3"}, {Field: "ipWhitelist", Kind: audit.TextChange, After: "10.0.0.0/8, ::1"},
				{Field: "isActive", Kind: audit.YesNoChange, After: "false"}, {Field: "urls.Deposit", Kind: audit.TextChange, After: "https://a"},
			},
		},
		"a discrepancy": {
			"payment/GW-1", `{"discrepancies":[{"id":"D1","state":"open"}]}`, `{"discrepancies":[{"id":"D1","state":"accepted"}]}`,
			[]audit.Change{
				{Field: "discrepancies.D1.state", Kind: audit.EnumChange, Enum: "DiscrepancyStatus", Before: "OPEN", After: "ACCEPTED"},
				{Field: "discrepancies.D1.id", Kind: audit.TextChange, Before: "D1", After: "D1"},
			},
		},
		"a line":        {"bankLine/W/1", `{"state":"unmatched"}`, `{"state":"set_aside"}`, []audit.Change{{Field: "state", Kind: audit.EnumChange, Enum: "BankLineStatus", Before: "UNMATCHED", After: "SET_ASIDE"}}},
		"no JSON":       {"job/1", "", "nothing", []audit.Change{}},
		"a broken list": {"job/1", `[1]`, `{`, []audit.Change{}},
	} {
		if got := audit.Changes(c.target, c.before, c.after); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%+v\nwant\n%+v", name, got, c.want)
		}
	}
}
