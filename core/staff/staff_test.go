package staff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/staff"
)

// TestPermissionsAreKnown shows every change of who may do what.
func TestPermissionsAreKnown(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	for _, p := range staff.Admin.Permissions() {
		fmt.Fprintf(&table, "%-22s", p)
		for _, role := range staff.Roles() {
			may := "-"
			if role.May(p) {
				may = string(role)
			}
			fmt.Fprintf(&table, " %-16s", may)
		}
		table.WriteString("\n")
	}
	coretest.CheckGolden(t, "permissions.golden.txt", []byte(table.String()))
	for _, role := range []staff.Role{"", "root"} {
		if len(role.Permissions()) != 0 || role.May(staff.ReadTransactions) || staff.Admin.May("") {
			t.Errorf("%q may do something, or the admin what has no name", role)
		}
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
