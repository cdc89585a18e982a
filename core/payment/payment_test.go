package payment_test

import (
	"encoding/json"
	"testing"

	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// TestIsOverdue: only what the customer says is paid is overdue, and only after its time.
func TestIsOverdue(t *testing.T) {
	t.Parallel()
	for _, s := range payment.Statuses() {
		p := payment.Payment{Status: s, ExpiresAt: coretest.Evening}
		if p.IsOverdue(coretest.Evening) {
			t.Errorf("%s: overdue at its time", s)
		}
		if got := p.IsOverdue(coretest.Evening.Add(1)); got != (s == payment.Processing) {
			t.Errorf("%s: overdue %v", s, got)
		}
	}
	if (payment.Payment{Status: payment.Processing}).IsOverdue(coretest.Evening) {
		t.Error("what never expires is overdue")
	}
}

// TestAuditState: what goes into the audit log as JSON is JSON.
func TestAuditState(t *testing.T) {
	t.Parallel()
	var got struct{ Status, Amount string }
	text := payment.Payment{Status: payment.Showing, Amount: coretest.Lira(25050)}.AuditState()
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.Status != "showing" || got.Amount != "250.50" {
		t.Errorf("%s: %+v, %v", text, got, err)
	}
}

// TestWhoSeesAPayment: a dealer's staff see their dealer's payments, a provider's their provider's, and never all; the others
// see all.
func TestWhoSeesAPayment(t *testing.T) {
	t.Parallel()
	mine, nobodys := payment.Payment{DealerID: 3, ProviderID: 5}, payment.Payment{}
	for _, tt := range []struct {
		staff                 staff.Staff
		mine, wallets, nobody bool
	}{
		{staff.Staff{Role: staff.Admin}, true, true, true},
		{staff.Staff{Role: staff.Operator, DealerID: 9}, true, true, true},
		{staff.Staff{Role: staff.Viewer}, true, true, true},
		{staff.Staff{Role: staff.Auditor, DealerID: 9, ProviderID: 9}, true, true, true},
		{staff.Staff{Role: staff.DealerStaff, DealerID: 3}, true, true, false},
		{staff.Staff{Role: staff.DealerStaff, DealerID: 4}, false, false, false},
		{staff.Staff{Role: staff.DealerStaff, ProviderID: 5}, false, false, false},
		{staff.Staff{Role: staff.DealerStaff}, false, false, false},
		{staff.Staff{Role: staff.ProviderStaff, ProviderID: 5}, true, false, false},
		{staff.Staff{Role: staff.ProviderStaff, ProviderID: 6}, false, false, false},
		{staff.Staff{Role: staff.ProviderStaff, DealerID: 3}, false, false, false},
	} {
		s := tt.staff.Scope()
		if mine.IsIn(s) != tt.mine || nobodys.IsIn(s) != tt.nobody || s.Covers(3) != tt.wallets {
			t.Errorf("%+v: theirs %t, nobody's %t, wallets %t", tt.staff, mine.IsIn(s), nobodys.IsIn(s), s.Covers(3))
		}
		if lists := s.OfDealers(); (lists.DealerID == 0 || lists.DealerID == 3) != tt.wallets || lists.ProviderID != 0 {
			t.Errorf("%+v: lists of dealers are narrowed to %+v", tt.staff, lists)
		}
	}
}
