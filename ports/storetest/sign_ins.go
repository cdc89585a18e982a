package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

func sessionOfChangedStaff(w *world) {
	member := w.staff()
	session := w.session(member.ID) // revoked
	w.commit(core.Changeset{member, session})
	member.Version, member.IsActive, member.Role = 2, false, staff.Viewer
	w.commit(core.Changeset{member})
	found, whose, err := w.store.SessionByFingerprint(w.ctx, session.Fingerprint)
	w.no(err)
	w.same(session, found)
	w.same(member, whose)
}

func sessionsListed(w *world) {
	var live []staff.Session
	for range 3 {
		s := w.session(7)
		s.RevokedAt = time.Time{}
		live = append(live, s)
	}
	w.commit(core.Rows(append(slices.Clone(live), w.session(7), w.session(8)))) // those two are revoked
	slices.Reverse(live)
	for _, c := range []struct {
		staffID int64
		now     time.Time
		limit   int
		want    []staff.Session
	}{
		{7, epoch, 10, live}, {7, epoch, 2, live[:2]}, {7, epoch, 0, nil}, {7, live[2].ExpiresAt, 10, live[:2]}, {8, epoch, 10, nil},
	} {
		found, err := w.store.SessionsOf(w.ctx, c.staffID, c.now, c.limit)
		w.no(err)
		w.same(c.want, found)
	}
}

func removedPasskey(w *world) {
	p := made(w.maker, staff.Passkey{StaffID: 7})
	p.RemovedAt = time.Time{}
	w.commit(core.Changeset{p}, core.Changeset{p.Remove(epoch)})
	w.same(0, len(read(w, w.store.PasskeysOf, 7)))
	_, err := w.store.PasskeyByCredential(w.ctx, p.CredentialID)
	w.fails(fault.NotFound, err)
}

func signInsForgotten(w *world) {
	member := w.staff()
	challenge := func(expiresAt time.Time) staff.Challenge { return made(w.maker, staff.Challenge{ExpiresAt: expiresAt}) }
	old, fresh := challenge(epoch.Add(-time.Hour)), challenge(epoch)
	gone, live := w.session(member.ID), w.session(member.ID)
	gone.ExpiresAt, live.ExpiresAt = epoch.Add(-time.Microsecond), epoch
	w.commit(core.Changeset{member, old, fresh, gone, live})
	for _, c := range []struct{ limit, forgotten int }{{0, 0}, {10, 2}} {
		forgotten, err := w.store.Prune(w.ctx, core.SignIns, epoch, c.limit)
		w.no(err)
		w.same(c.forgotten, forgotten)
	}
	w.isStored(fresh, live)
	w.nothingThere(old, gone)
}

func savedViewsListed(w *world) {
	view := func(staffID int64, scope core.Scope, role staff.Role, with staff.ViewSharing) staff.SavedView {
		v := made(w.maker, staff.SavedView{StaffID: staffID, Role: role, Sharing: with, List: staff.JobsList})
		v.Scope, v.RemovedAt = scope, time.Time{}
		return v
	}
	house, dealer := core.Scope{}, core.Scope{DealerID: 7}
	own := view(7, house, staff.Viewer, staff.ViewPrivate)
	others := view(8, house, staff.Viewer, staff.ViewPrivate)
	forViewers := view(8, house, staff.Viewer, staff.ViewForRole)
	forAll := view(8, house, staff.Admin, staff.ViewForAll)
	before := view(7, dealer, staff.DealerStaff, staff.ViewPrivate) // they moved
	dealers := view(9, dealer, staff.DealerStaff, staff.ViewForAll)
	gone := view(7, house, staff.Viewer, staff.ViewForAll)
	w.commit(core.Rows([]staff.SavedView{own, others, forViewers, forAll, before, dealers, gone}), core.Changeset{gone.Remove(epoch)})
	for _, c := range []struct {
		query staff.ViewQuery
		want  []staff.SavedView
	}{
		{staff.ViewQuery{StaffID: 7}, []staff.SavedView{own}},
		{staff.ViewQuery{StaffID: 7, SharedWith: []staff.Role{staff.Viewer}}, []staff.SavedView{forAll, forViewers, own}},
		{staff.ViewQuery{StaffID: 7, SharedWith: []staff.Role{staff.Support}}, []staff.SavedView{forAll, own}},
		{staff.ViewQuery{Scope: dealer, SharedWith: staff.Roles()}, []staff.SavedView{dealers}},
		{staff.ViewQuery{Scope: core.Scope{ProviderID: 7}, StaffID: 7, SharedWith: staff.Roles()}, nil},
		{staff.ViewQuery{StaffID: 7, List: staff.AuditList}, nil},
	} {
		c.query.Limit = 10
		w.same(c.want, read(w, w.store.SavedViews, c.query))
	}
}

func savedViewsForgotten(w *world) {
	view := func() staff.SavedView {
		v := made(w.maker, staff.SavedView{})
		v.RemovedAt = time.Time{}
		return v
	}
	old, fresh, there := view(), view(), view()
	w.commit(core.Changeset{old, fresh, there}, core.Changeset{old.Remove(epoch.Add(-time.Microsecond)), fresh.Remove(epoch)})
	for _, c := range []struct{ limit, forgotten int }{{0, 0}, {10, 1}} {
		forgotten, err := w.store.Prune(w.ctx, core.SavedViews, epoch, c.limit)
		w.no(err)
		w.same(c.forgotten, forgotten)
	}
	for _, c := range []struct {
		id   core.ID
		want fault.Code
	}{{old.ID, fault.NotFound}, {fresh.ID, ""}, {there.ID, ""}} {
		if _, err := w.store.SavedView(w.ctx, c.id); c.want == "" {
			w.no(err)
		} else {
			w.fails(c.want, err)
		}
	}
}
