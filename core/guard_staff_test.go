package core_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core"
)

func TestWhatOfStaffIsGuarded(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	member := core.Staff{ID: 7, Version: 3, Email: "m@vezne.test", Role: core.Viewer, IsActive: true, PasswordHash: core.NewSecret("a")}
	factors := core.Factors{StaffID: 7, Version: 3, TOTP: core.NewSecret("s"), RecoveryCodes: []string{"r"}}
	invited := core.Invitation{ID: "I", Version: 1, Email: "n@vezne.test", Role: core.Viewer}
	fresh := core.Staff{ID: 8, Version: 1, Email: "n@vezne.test", Role: core.Viewer, IsActive: true}
	become := func(change func(*core.Staff)) core.Changeset {
		m := member
		m.Version++
		change(&m)
		return core.Changeset{Staff: []core.Staff{m}}
	}
	by := func(id int64, c core.Changeset) core.Changeset {
		c.Audit = []core.AuditEntry{{By: core.Staff{ID: id}.Actor("")}}
		return c
	}
	elevated := fresh
	elevated.Role = core.Admin
	used := core.Changeset{Factors: []core.Factors{factors.Reset(at)}}
	failed := core.Changeset{Factors: []core.Factors{factors.Failed("192.0.2.7", at)}}
	password := become(func(m *core.Staff) { m.PasswordHash = core.NewSecret("b") })
	key := core.Changeset{Passkeys: []core.Passkey{{ID: "P", Version: 1, StaffID: 7}}}
	for name, c := range map[string]struct {
		change core.Changeset
		want   bool
	}{
		"an invitation":                       {by(1, core.Changeset{Invitations: []core.Invitation{invited}}), true},
		"one that is revoked":                 {by(1, core.Changeset{Invitations: []core.Invitation{invited.Revoke(at)}}), false},
		"one that is accepted":                {by(8, core.Changeset{Staff: []core.Staff{fresh}, Invitations: []core.Invitation{invited.Accept(at)}}), false},
		"one that is accepted with more":      {by(8, core.Changeset{Staff: []core.Staff{elevated}, Invitations: []core.Invitation{invited.Accept(at)}}), true},
		"a member without an invitation":      {by(1, core.Changeset{Staff: []core.Staff{fresh}}), true},
		"a member as before":                  {by(1, become(func(*core.Staff) {})), false},
		"another role":                        {by(1, become(func(m *core.Staff) { m.Role = core.Operator })), true},
		"another dealer":                      {by(1, become(func(m *core.Staff) { m.DealerID = 2 })), true},
		"another provider":                    {by(1, become(func(m *core.Staff) { m.ProviderID = 2 })), true},
		"another address":                     {by(1, become(func(m *core.Staff) { m.Email = "x@vezne.test" })), true},
		"switched off":                        {by(1, become(func(m *core.Staff) { m.IsActive = false })), false},
		"somebody else's password":            {by(1, password), true},
		"one's own password":                  {by(7, password), false},
		"somebody else's factors":             {by(1, used), true},
		"one's own factors":                   {by(7, used), false},
		"a failed sign-in":                    {by(1, failed), false},
		"a passkey for somebody else":         {by(1, key), true},
		"a passkey of one's own":              {by(7, key), false},
		"factors that nobody says who resets": {used, true},
	} {
		b := core.Before{Staff: map[int64]core.Staff{7: member}, Factors: map[int64]core.Factors{7: factors}}
		got := guardsOf(b, c.change)
		if (len(got) == 1 && got[0] == core.GuardStaff) != c.want || len(got) > 1 || !c.change.IsGuardable() {
			t.Errorf("%s: guarded as %v", name, got)
		}
	}
	off := member
	off.IsActive = false
	on := core.GuardsOf(core.Before{Staff: map[int64]core.Staff{7: off}}, by(1, become(func(*core.Staff) {})))
	if len(on) != 1 || on[0].Action != core.GuardStaff || on[0].Subject != "staff/7" {
		t.Errorf("switched on again: %+v", on)
	}
}
