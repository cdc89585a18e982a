package core_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
)

// allPermissions are those that some role has.
func allPermissions() []core.Permission { return core.Admin.Permissions() }

// TestPermissionsAreKnown shows every change of who may do what.
func TestPermissionsAreKnown(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	for _, p := range allPermissions() {
		fmt.Fprintf(&table, "%-22s", p)
		for _, role := range core.Roles() {
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
	for _, role := range core.Roles() {
		if len(role.Permissions()) == 0 {
			t.Errorf("%s may do nothing", role)
		}
		for _, p := range role.Permissions() {
			if !core.Admin.May(p) {
				t.Errorf("%s has %s, which the admin lacks", role, p)
			}
		}
	}
}

func TestScopeIsTheTenant(t *testing.T) {
	t.Parallel()
	payment := core.Payment{DealerID: 3, ProviderID: 5}
	for _, tt := range []struct {
		staff             core.Staff
		includes, wallets bool
	}{
		{core.Staff{Role: core.Auditor, DealerID: 9, ProviderID: 9}, true, true},
		{core.Staff{Role: core.DealerStaff, DealerID: 3}, true, true},
		{core.Staff{Role: core.DealerStaff, DealerID: 4}, false, false},
		{core.Staff{Role: core.DealerStaff, ProviderID: 5}, false, false},
		{core.Staff{Role: core.ProviderStaff, ProviderID: 5}, true, false},
		{core.Staff{Role: core.ProviderStaff, ProviderID: 6}, false, false},
		{core.Staff{Role: core.ProviderStaff, DealerID: 3}, false, false},
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
