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

// ViewFilter narrows a list of saved views.
type ViewFilter struct {
	List staff.ViewList // empty: any
	// DealerID and ProviderID ask for what the staff of one of these share with each other: for admins, who can take it away.
	DealerID, ProviderID int64
	core.Paging[core.ID]
}

// Views returns the saved views that a member has, newest first: their own, and those that are shared with them. An admin also has
// what members of other roles share with each other. Fault: Forbidden (another scope's, for anybody but an admin).
func (s *Service) Views(ctx context.Context, v app.Request, f ViewFilter) ([]staff.SavedView, error) {
	q := staff.ViewQuery{
		Scope: v.Staff.Scope(), StaffID: v.Staff.ID, SharedWith: []staff.Role{v.Staff.Role}, List: f.List, Paging: f.Paging,
	}
	if v.Staff.Role == staff.Admin {
		q.SharedWith = staff.Roles()
	}
	if asked := (core.Scope{DealerID: f.DealerID, ProviderID: f.ProviderID}); asked != (core.Scope{}) && asked != q.Scope {
		if v.Staff.Role != staff.Admin {
			return nil, fault.New("access.Views", fault.Forbidden)
		}
		q.Scope, q.StaffID = asked, 0
	}
	return s.Store.SavedViews(ctx, q)
}

// ViewPatch is what a view is made with, or a change of it; what is nil stays. Whether its list takes the filter is for whoever
// knows the lists to say.
type ViewPatch struct {
	Name    *string
	Filter  *string
	Sharing *staff.ViewSharing
}

func (p ViewPatch) apply(to *staff.SavedView) error {
	var form core.Form
	if p.Name != nil {
		name := core.Input{Kind: core.TextInput, Text: *p.Name}
		if strings.TrimSpace(lang.Bare(*p.Name)) == "" {
			form.Fail("name", "field.required")
		}
		to.Name = form.Text("name", name, staff.MaxViewName)
	}
	if p.Filter != nil {
		plain, ok := staff.PlainFilter(*p.Filter)
		if !ok {
			form.Fail("filter", "field.pattern")
		}
		to.Filter = core.NewSecret(plain)
	}
	set(&to.Sharing, p.Sharing)
	return form.Err("access.ViewPatch.apply")
}

// CreateView saves a view of a list. Fault: Invalid (also when the member has as many as they may have).
func (s *Service) CreateView(ctx context.Context, v app.Request, list staff.ViewList, p ViewPatch) (made staff.SavedView, err error) {
	const op = "access.CreateView"
	err = s.UnitOfWork.Again(ctx, func() error {
		profile, err := s.Store.ProfileOf(ctx, v.Staff.ID)
		if err != nil {
			return err
		}
		own := staff.ViewQuery{Scope: v.Staff.Scope(), StaffID: v.Staff.ID}
		own.Limit = staff.MaxViews
		views, err := s.Store.SavedViews(ctx, own)
		if err != nil {
			return err
		}
		if len(views) >= staff.MaxViews {
			var form core.Form
			form.Fail("savedViews", "field.items", staff.MaxViews)
			return form.Err(op)
		}
		now := s.UnitOfWork.Clock.Now()
		ids, err := core.NewIDs(now, s.UnitOfWork.Random)
		if err != nil {
			return fault.E(op, fault.Internal, err)
		}
		made = staff.SavedView{
			ID: ids.Next(), Version: 1, StaffID: v.Staff.ID, OwnerEmail: v.Staff.Email, Scope: v.Staff.Scope(), Role: v.Staff.Role,
			List: list, Sharing: staff.ViewPrivate, CreatedAt: now, UpdatedAt: now,
		}
		if err := p.apply(&made); err != nil {
			return err
		}
		// With the profile's next version, so that two at one moment are not both the last that there may be.
		return s.commitView(ctx, v, "createSavedView", made, profile.Saved(now))
	})
	return made, fault.E(op, "", err)
}

// View finds a view that the member has. Fault: NotFound.
func (s *Service) View(ctx context.Context, v app.Request, id core.ID) (staff.SavedView, error) {
	found, err := s.Store.SavedView(ctx, id)
	if err == nil && !found.MayBeSeenBy(v.Staff) {
		err = fault.New("access.View", fault.NotFound)
	}
	return found, err
}

// UpdateView changes a view. Faults: NotFound; Forbidden (somebody else's, for anybody but an admin); Invalid.
func (s *Service) UpdateView(ctx context.Context, v app.Request, id core.ID, p ViewPatch) (staff.SavedView, error) {
	return s.changeView(ctx, v, "updateSavedView", id, func(found staff.SavedView) (staff.SavedView, error) {
		if !found.MayBeChangedBy(v.Staff) {
			return found, fault.New("access.UpdateView", fault.Forbidden)
		}
		if err := p.apply(&found); err != nil {
			return found, err
		}
		if found.StaffID == v.Staff.ID {
			found.Role = v.Staff.Role // as it is by now
		}
		return found.Changed(s.UnitOfWork.Clock.Now()), nil
	})
}

// RemoveView takes a view away and returns it as it was. Faults: NotFound; Forbidden.
func (s *Service) RemoveView(ctx context.Context, v app.Request, id core.ID) (before staff.SavedView, err error) {
	_, err = s.changeView(ctx, v, "removeSavedView", id, func(found staff.SavedView) (staff.SavedView, error) {
		if !found.MayBeRemovedBy(v.Staff) {
			return found, fault.New("access.RemoveView", fault.Forbidden)
		}
		before = found
		return found.Remove(s.UnitOfWork.Clock.Now()), nil
	})
	return before, err
}

func (s *Service) changeView(
	ctx context.Context, v app.Request, action string, id core.ID, decide func(staff.SavedView) (staff.SavedView, error),
) (changed staff.SavedView, err error) {
	err = s.UnitOfWork.Again(ctx, func() error {
		found, err := s.View(ctx, v, id)
		if err != nil {
			return err
		}
		if changed, err = decide(found); err != nil {
			return err
		}
		return s.commitView(ctx, v, action, changed)
	})
	return changed, fault.E("access.changeView", "", err)
}

// commitView commits a view with its audit row, which does not say what the view says.
func (s *Service) commitView(ctx context.Context, v app.Request, action string, view staff.SavedView, with ...core.Row) error {
	after, err := json.Marshal(map[string]string{"list": string(view.List), "sharing": string(view.Sharing)})
	if err != nil {
		return fault.E("access.commitView", fault.Internal, err)
	}
	entry := core.AuditEntry{Action: action, Target: "view/" + string(view.ID), After: string(after)}
	return s.UnitOfWork.CommitEntry(ctx, v, entry, append(core.Changeset{view}, with...))
}
