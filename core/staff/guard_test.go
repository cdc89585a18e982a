package staff_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/staff"
)

func TestWhatOfStaffIsGuarded(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	member := staff.Staff{ID: 7, Version: 3, Email: "m@vezne.test", Role: staff.Viewer, IsActive: true, PasswordHash: core.NewSecret("a")}
	factors := staff.Factors{StaffID: 7, Version: 3, TOTP: core.NewSecret("s"), RecoveryCodes: []string{"r"}}
	invited := staff.Invitation{ID: "I", Version: 1, Email: "n@vezne.test", Role: staff.Viewer}
	fresh := staff.Staff{ID: 8, Version: 1, Email: "n@vezne.test", Role: staff.Viewer, IsActive: true}
	become := func(change func(*staff.Staff)) core.Changeset {
		m := member
		m.Version++
		change(&m)
		return core.Changeset{m}
	}
	by := func(id int64, c core.Changeset) core.Changeset {
		c = append(c, core.AuditEntry{Actor: staff.Staff{ID: id}.Actor("")})
		return c
	}
	elevated := fresh
	elevated.Role = staff.Admin
	used := core.Changeset{factors.Reset(at)}
	failed := core.Changeset{factors.Failed("192.0.2.7", at)}
	password := become(func(m *staff.Staff) { m.PasswordHash = core.NewSecret("b") })
	key := core.Changeset{staff.Passkey{ID: "P", Version: 1, StaffID: 7}}
	for name, c := range map[string]struct {
		change core.Changeset
		want   bool
	}{
		"an invitation":                       {by(1, core.Changeset{invited}), true},
		"one that is revoked":                 {by(1, core.Changeset{invited.Revoke(at)}), false},
		"one that is accepted":                {by(8, core.Changeset{fresh, invited.Accept(at)}), false},
		"one that is accepted with more":      {by(8, core.Changeset{elevated, invited.Accept(at)}), true},
		"a member without an invitation":      {by(1, core.Changeset{fresh}), true},
		"a member as before":                  {by(1, become(func(*staff.Staff) {})), false},
		"another role":                        {by(1, become(func(m *staff.Staff) { m.Role = staff.Operator })), true},
		"another dealer":                      {by(1, become(func(m *staff.Staff) { m.DealerID = 2 })), true},
		"another provider":                    {by(1, become(func(m *staff.Staff) { m.ProviderID = 2 })), true},
		"another address":                     {by(1, become(func(m *staff.Staff) { m.Email = "x@vezne.test" })), true},
		"switched off":                        {by(1, become(func(m *staff.Staff) { m.IsActive = false })), false},
		"somebody else's password":            {by(1, password), true},
		"one's own password":                  {by(7, password), false},
		"somebody else's factors":             {by(1, used), true},
		"one's own factors":                   {by(7, used), false},
		"a failed sign-in":                    {by(1, failed), false},
		"a passkey for somebody else":         {by(1, key), true},
		"a passkey of one's own":              {by(7, key), false},
		"factors that nobody says who resets": {used, true},
	} {
		got := coretest.GuardsOf(c.change, member, factors)
		if (len(got) == 1 && got[0] == core.GuardStaff) != c.want || len(got) > 1 || !c.change.IsGuarded() {
			t.Errorf("%s: guarded as %v", name, got)
		}
	}
	for name, c := range map[string]struct {
		was  staff.Staff
		want bool
	}{
		"an admin":               {staff.Staff{ID: 9, Version: 1, Role: staff.Admin, IsActive: true}, true},
		"one who is off already": {staff.Staff{ID: 9, Version: 1, Role: staff.Admin}, false},
		"an operator":            {staff.Staff{ID: 9, Version: 1, Role: staff.Operator, IsActive: true}, false},
		"a dealer's":             {staff.Staff{ID: 9, Version: 1, Role: staff.DealerStaff, DealerID: 1, IsActive: true}, false},
	} {
		now := c.was
		now.Version, now.IsActive = 2, false
		if got := coretest.GuardsOf(by(1, core.Changeset{now}), c.was); (len(got) == 1 && got[0] == core.GuardStaff) != c.want || len(got) > 1 {
			t.Errorf("switching off %s: guarded as %v", name, got)
		}
	}
	off := member
	off.IsActive = false
	on := core.Judge(by(1, become(func(*staff.Staff) {})), []core.Row{off}).Guards()
	if len(on) != 1 || on[0].Action != core.GuardStaff || on[0].Subject != "staff/7" {
		t.Errorf("switched on again: %+v", on)
	}
}
