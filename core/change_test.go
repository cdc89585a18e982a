package core_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/core"
)

// TestChangesAreFieldsWithTheirKinds: what differs comes first, lists and objects are told apart, and what is no JSON says nothing.
func TestChangesAreFieldsWithTheirKinds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target, before, after string
		want                  []core.Change
	}{
		"a payment": {
			"payment/MAN-1", `{"status":"processing","amount":"250.00"}`, `{"status":"completed","amount":"250.00","claimedBy":"deniz"}`,
			[]core.Change{
				{Field: "claimedBy", Kind: core.TextChange, After: "deniz"},
				{Field: "status", Kind: core.EnumChange, Enum: "TransactionStatus", Before: "PROCESSING", After: "COMPLETED"},
				{Field: "amount", Kind: core.MoneyChange, Before: "250.00", After: "250.00"},
			},
		},
		"what is made": {
			"site/7", "", `{"dealerId":3,"isActive":false,"urls":{"Deposit":"https://a"},"ipWhitelist":["10.0.0.0/8","::1"]}`,
			[]core.Change{
				{Field: "dealerId", Kind: core.DealerChange, After: "3"}, {Field: "ipWhitelist", Kind: core.TextChange, After: "10.0.0.0/8, ::1"},
				{Field: "isActive", Kind: core.YesNoChange, After: "false"}, {Field: "urls.Deposit", Kind: core.TextChange, After: "https://a"},
			},
		},
		"a discrepancy": {
			"payment/GW-1", `{"discrepancies":[{"id":"D1","state":"open"}]}`, `{"discrepancies":[{"id":"D1","state":"accepted"}]}`,
			[]core.Change{
				{Field: "discrepancies.D1.state", Kind: core.EnumChange, Enum: "DiscrepancyStatus", Before: "OPEN", After: "ACCEPTED"},
				{Field: "discrepancies.D1.id", Kind: core.TextChange, Before: "D1", After: "D1"},
			},
		},
		"a line":        {"bankLine/W/1", `{"state":"unmatched"}`, `{"state":"set_aside"}`, []core.Change{{Field: "state", Kind: core.EnumChange, Enum: "BankLineStatus", Before: "UNMATCHED", After: "SET_ASIDE"}}},
		"no JSON":       {"job/1", "", "nothing", []core.Change{}},
		"a broken list": {"job/1", `[1]`, `{`, []core.Change{}},
	} {
		if got := core.Changes(c.target, c.before, c.after); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%+v\nwant\n%+v", name, got, c.want)
		}
	}
}
