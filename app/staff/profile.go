package staff

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/staff"
)

// ProfilePatch is a change of what a member says about themself; what is nil stays.
type ProfilePatch struct {
	Name     *string // empty: none
	Language *string // empty: what the browser asks for
	Theme    *staff.Theme
}

// ProfileOf returns what a member says about themself, to that member and to whoever may see staff. Fault: Forbidden.
func (s *Service) ProfileOf(ctx context.Context, v app.Request, m staff.Staff) (staff.Profile, error) {
	if v.Staff.ID != m.ID {
		if err := v.Staff.Require(staff.ReadStaff); err != nil {
			return staff.Profile{}, err
		}
	}
	return s.Store.ProfileOf(ctx, m.ID)
}

// UpdateProfile changes what a member says about themself. Fault: Invalid.
func (s *Service) UpdateProfile(ctx context.Context, v app.Request, p ProfilePatch) (staff.Staff, error) {
	const op = "access.UpdateProfile"
	err := s.UnitOfWork.Again(ctx, func() error {
		before, err := s.Store.ProfileOf(ctx, v.Staff.ID)
		if err != nil {
			return err
		}
		after := before
		if err := p.apply(&after); err != nil {
			return err
		}
		return s.commit(ctx, v, "updateMyProfile", targetOf(v.Staff), func(audit *core.AuditEntry) (core.Changeset, error) {
			audit.Before, audit.After = stateOf(before), stateOf(after)
			return core.Changeset{after.Saved(audit.At)}, nil
		})
	})
	return v.Staff, fault.E(op, "", err)
}

// stateOf is what audit rows say of a profile: what others see of it.
func stateOf(p staff.Profile) string {
	text, err := json.Marshal(map[string]string{"name": p.Name})
	if err != nil {
		panic(err) // cannot happen: a text
	}
	return string(text)
}

func (p ProfilePatch) apply(to *staff.Profile) error {
	var form core.Form
	if p.Name != nil {
		to.Name = form.Text("name", core.Input{Kind: core.TextInput, Text: *p.Name}, staff.MaxProfileName)
		if strings.ContainsRune(to.Name, '@') { // nobody is called by somebody else's email
			form.Fail("name", "field.pattern")
		}
	}
	if p.Language != nil {
		tag, ok := lang.Parse(*p.Language)
		if !ok && *p.Language != "" {
			form.Fail("language", "field.choice", "tr, en")
		}
		to.Language = tag
	}
	set(&to.Theme, p.Theme)
	return form.Err("access.ProfilePatch.apply")
}
