package core_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/staff"
)

// allPermissions are those that some role has.
func allPermissions() []staff.Permission { return staff.Admin.Permissions() }

// TestPermissionsAreKnown shows every change of who may do what.
func TestPermissionsAreKnown(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	for _, p := range allPermissions() {
		fmt.Fprintf(&table, "%-22s", p)
		for _, role := range staff.Roles() {
			may := "-"
			if role.May(p) {
				may = string(role)
			}
			fmt.Fprintf(&table, " %-9s", may)
		}
		table.WriteString("\n")
	}
	path := filepath.Join("testdata", "permissions.golden.txt")
	if *update {
		if err := os.WriteFile(path, []byte(table.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), table.String()); diff != "" {
		t.Errorf("differs from %s (-want +got; go test ./core -run Permissions -update writes it anew):\n%s", path, diff)
	}
}

func TestNoRoleHasMoreThanTheAdmin(t *testing.T) {
	t.Parallel()
	for _, role := range staff.Roles() {
		if len(role.Permissions()) == 0 {
			t.Errorf("%s may do nothing", role)
		}
		for _, p := range role.Permissions() {
			if !staff.Admin.May(p) {
				t.Errorf("%s has %s, which the admin lacks", role, p)
			}
		}
	}
}

func TestScopeIsTheTenant(t *testing.T) {
	t.Parallel()
	payment := payment.Payment{DealerID: 3, ProviderID: 5}
	for _, tt := range []struct {
		staff             staff.Staff
		includes, wallets bool
	}{
		{staff.Staff{Role: staff.Auditor, DealerID: 9, ProviderID: 9}, true, true},
		{staff.Staff{Role: staff.DealerStaff, DealerID: 3}, true, true},
		{staff.Staff{Role: staff.DealerStaff, DealerID: 4}, false, false},
		{staff.Staff{Role: staff.DealerStaff, ProviderID: 5}, false, false},
		{staff.Staff{Role: staff.ProviderStaff, ProviderID: 5}, true, false},
		{staff.Staff{Role: staff.ProviderStaff, ProviderID: 6}, false, false},
		{staff.Staff{Role: staff.ProviderStaff, DealerID: 3}, false, false},
	} {
		scope := tt.staff.Scope()
		if payment.IsIn(scope) != tt.includes || scope.Covers(3) != tt.wallets {
			t.Errorf("%+v: includes %t, covers %t", tt.staff, payment.IsIn(scope), scope.Covers(3))
		}
		if lists := scope.OfDealers(); (lists.DealerID == 0 || lists.DealerID == 3) != tt.wallets || lists.ProviderID != 0 {
			t.Errorf("%+v: lists of dealers are narrowed to %+v", tt.staff, lists)
		}
	}
}
