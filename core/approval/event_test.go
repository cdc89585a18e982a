package approval_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

func TestEventsOfAChangeset(t *testing.T) {
	t.Parallel()
	change := core.Changeset{
		payment.Payment{ID: "P1", Version: 1, DealerID: 7, ProviderID: 3},
		payment.Payment{ID: "P2", Version: 2},
		discrepancy.Discrepancy{ID: "D1", Version: 1, DealerID: 7},
		discrepancy.Discrepancy{ID: "D2", Version: 3, DealerID: 8, ProviderID: 3},
		report.Job{ID: "J1", Version: 1, StaffID: 5},
		approval.Approval{ID: "A1", Version: 2, Guards: []core.Guard{{DealerID: 7}}},
		payment.Transition{ID: "M1"},
		payment.Callback{ID: "C1"},
	}
	want := []core.Event{
		{Kind: core.PaymentChanged, ID: "P1", DealerID: 7, ProviderID: 3, IsNew: true}, {Kind: core.PaymentChanged, ID: "P2"},
		{Kind: core.DiscrepancyChanged, ID: "D1", DealerID: 7, IsNew: true}, {Kind: core.DiscrepancyChanged, ID: "D2", DealerID: 8, ProviderID: 3},
		{Kind: core.JobChanged, ID: "J1", StaffID: 5, IsNew: true}, {Kind: core.ApprovalChanged, ID: "A1", DealerID: 7},
		{Kind: core.CallbackChanged, ID: "C1"},
	}
	if got := change.Events(); !slices.Equal(got, want) {
		t.Errorf("the news are %+v, want %+v", got, want)
	}
	if got := (core.Changeset{payment.Transition{ID: "M1"}}).Events(); got != nil {
		t.Errorf("what nobody watches gives %+v", got)
	}
}
