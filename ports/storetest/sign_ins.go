package storetest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

func signInSentences() []sentence {
	return []sentence{
		{"staff are listed by id, by role, page by page", staffListed},
		{"a staff member is found by id", staffByID},
		{"sessions of a member are those that live, newest first", sessionsListed},
		{"every field of a member's factors comes back", everyFactorsField},
		{"a member without factors has those of version 0", noFactors},
		{"of two who save the same factors at once one wins", factorsOnce},
		{"every field of a passkey comes back", everyPasskeyField},
		{"a removed passkey is found no more", removedPasskey},
		{"every field of a challenge comes back", everyChallengeField},
		{"what expired long ago is forgotten, and nothing else", signInsForgotten},
		{"every field of an invitation comes back", everyInvitationField},
		{"invitations are listed newest first, by email, page by page", invitationsListed},
		{"what is unknown of signing in is not found", unknownSignIn},
	}
}

func (m *maker) factors(staffID int64) staff.Factors {
	_, n, at := m.next()
	return staff.Factors{
		StaffID: staffID, Version: 1, Strange: staff.Lock{Failures: 7, Until: at.Add(time.Hour)},
		Known: staff.Lock{Failures: 8, Until: at.Add(2 * time.Hour)}, Places: []string{"192.0.2.7", awkward}, TOTP: secret("TOTP", n),
		PendingTOTP: secret("PENDING", n), TOTPStep: n, RecoveryCodes: []string{"a", awkward}, UpdatedAt: at,
	}
}

func (m *maker) passkey(staffID int64) staff.Passkey {
	id, n, at := m.next()
	return staff.Passkey{
		ID: id, Version: 1, StaffID: staffID, CredentialID: fmt.Sprint("credential ", n), Record: `{"key":"'"}`, Name: awkward,
		CreatedAt: at, LastUsedAt: at.Add(time.Second), RemovedAt: at.Add(time.Minute),
	}
}

func (m *maker) challenge(staffID int64) staff.Challenge {
	id, n, at := m.next()
	return staff.Challenge{
		Fingerprint: fmt.Sprint("challenge ", n), Version: 1, Kind: staff.LoginChallenge, StaffID: staffID, SessionID: id,
		State: secret("state", n), Tries: 3, CreatedAt: at, ExpiresAt: at.Add(staff.ChallengeLife), UsedAt: at.Add(time.Second),
	}
}

func (m *maker) invitation() staff.Invitation {
	id, n, at := m.next()
	return staff.Invitation{
		ID: id, Version: 1, Fingerprint: fmt.Sprint("invitation ", n), Email: fmt.Sprintf("davetli+%d@example.com", n),
		Role: staff.ProviderStaff, DealerID: n, ProviderID: n + 1, InvitedBy: actor(n), CreatedAt: at,
		ExpiresAt: at.Add(staff.InvitationLife), AcceptedAt: at.Add(time.Hour), RevokedAt: at.Add(2 * time.Hour),
	}
}

func (w *world) listStaff(q staff.StaffQuery) []staff.Staff {
	w.t.Helper()
	found, err := w.store.ListStaff(w.ctx, q)
	w.no(err)
	return found
}

func staffListed(w *world) {
	var all []staff.Staff
	for i := range 9 {
		s := w.staff()
		s.Role, s.IsActive = staff.Roles()[i%3], i%2 == 0
		all = append(all, s)
	}
	w.commit(core.Rows(all[4:]), core.Rows(all[:4]))
	w.same(all, w.listStaff(staff.StaffQuery{Limit: core.MaxPage}))
	w.same(all[3:5], w.listStaff(staff.StaffQuery{After: all[2].ID, Limit: 2}))
	w.same([]staff.Staff{all[0], all[6]}, w.listStaff(staff.StaffQuery{Role: staff.Admin, OnlyActive: true, Limit: core.MaxPage}))
	w.same(0, len(w.listStaff(staff.StaffQuery{Role: staff.ProviderStaff, Limit: 5})))
	w.same(0, len(w.listStaff(staff.StaffQuery{})))
}

func staffByID(w *world) {
	s := w.staff()
	w.commit(core.Changeset{s, w.staff()})
	found, err := w.store.StaffByID(w.ctx, s.ID)
	w.no(err)
	w.same(s, found)
	_, err = w.store.StaffByID(w.ctx, 1)
	w.fails(fault.NotFound, err)
}

func (w *world) sessionsOf(staffID int64, now time.Time, limit int) []staff.Session {
	w.t.Helper()
	found, err := w.store.SessionsOf(w.ctx, staffID, now, limit)
	w.no(err)
	return found
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
	w.same(live, w.sessionsOf(7, epoch, 10))
	w.same(live[:2], w.sessionsOf(7, epoch, 2))
	w.same(live[:2], w.sessionsOf(7, live[2].ExpiresAt, 10))
	w.same(0, len(w.sessionsOf(8, epoch, 10)))
	w.same(0, len(w.sessionsOf(7, epoch, 0)))
}

func (w *world) factorsAre(want staff.Factors) {
	w.t.Helper()
	found, err := w.store.FactorsOf(w.ctx, want.StaffID)
	w.no(err)
	w.same(want, found)
}

func everyFactorsField(w *world) {
	f := full(w, w.factors(7))
	w.commit(core.Changeset{w.factors(8), f})
	w.factorsAre(f)
	bare := staff.Factors{StaffID: 7, Version: 2, UpdatedAt: epoch}
	w.commit(core.Changeset{bare})
	w.factorsAre(bare)
}

func noFactors(w *world) {
	w.factorsAre(staff.Factors{StaffID: 7})
}

func factorsOnce(w *world) {
	w.commit(core.Changeset{w.factors(7)})
	for version := 2; version < 4; version++ {
		errs := together(4, func(i int) error {
			f := w.factors(7)
			f.Version, f.Strange.Failures = version, i
			return w.store.Commit(w.ctx, core.Changeset{f})
		})
		w.same(1, w.won(errs, fault.Conflict))
	}
}

func (w *world) passkeysOf(staffID int64) []staff.Passkey {
	w.t.Helper()
	found, err := w.store.PasskeysOf(w.ctx, staffID)
	w.no(err)
	return found
}

func everyPasskeyField(w *world) {
	p := full(w, w.passkey(7))
	other, second := w.passkey(8), w.passkey(7)
	p.RemovedAt, second.RemovedAt = time.Time{}, time.Time{}
	w.commit(core.Changeset{second, other, p})
	w.same([]staff.Passkey{p, second}, w.passkeysOf(7))
	found, err := w.store.PasskeyByCredential(w.ctx, p.CredentialID)
	w.no(err)
	w.same(p, found)
}

func removedPasskey(w *world) {
	p := w.passkey(7)
	p.RemovedAt = time.Time{}
	w.commit(core.Changeset{p}, core.Changeset{p.Remove(epoch)})
	w.same(0, len(w.passkeysOf(7)))
	_, err := w.store.PasskeyByCredential(w.ctx, p.CredentialID)
	w.fails(fault.NotFound, err)
}

func (w *world) challengeIs(want staff.Challenge) {
	w.t.Helper()
	found, err := w.store.ChallengeByFingerprint(w.ctx, want.Fingerprint)
	w.no(err)
	w.same(want, found)
}

func everyChallengeField(w *world) {
	c := full(w, w.challenge(7))
	w.commit(core.Changeset{c, w.challenge(7)})
	w.challengeIs(c)
	c = c.Use(epoch.Add(time.Hour))
	w.commit(core.Changeset{c})
	w.challengeIs(c)
}

func signInsForgotten(w *world) {
	staff := w.staff()
	old, fresh := w.challenge(7), w.challenge(7)
	gone, live := w.session(staff.ID), w.session(staff.ID)
	gone.ExpiresAt, old.ExpiresAt = epoch.Add(-time.Microsecond), epoch.Add(-time.Hour)
	fresh.ExpiresAt, live.ExpiresAt = epoch, epoch
	w.commit(core.Changeset{
		staff,
		old,
		fresh,
		w.challenge(7),
		gone,
		live,
	})
	forgotten, err := w.store.ForgetSignIns(w.ctx, epoch, 0)
	w.no(err)
	w.same(0, forgotten)
	forgotten, err = w.store.ForgetSignIns(w.ctx, epoch, 10)
	w.no(err)
	w.same(2, forgotten)
	w.challengeIs(fresh)
	w.sessionIs(live, staff)
	_, err = w.store.ChallengeByFingerprint(w.ctx, old.Fingerprint)
	w.fails(fault.NotFound, err)
	_, _, err = w.store.SessionByFingerprint(w.ctx, gone.Fingerprint)
	w.fails(fault.NotFound, err)
}

func everyInvitationField(w *world) {
	i := full(w, w.invitation())
	w.commit(core.Changeset{w.invitation(), i})
	found, err := w.store.InvitationByFingerprint(w.ctx, i.Fingerprint)
	w.no(err)
	w.same(i, found)
	i.Version, i.AcceptedAt, i.RevokedAt = 2, time.Time{}, time.Time{}
	w.commit(core.Changeset{i})
	found, err = w.store.Invitation(w.ctx, i.ID)
	w.no(err)
	w.same(i, found)
}

func (w *world) listInvitations(q staff.InvitationQuery) []staff.Invitation {
	w.t.Helper()
	found, err := w.store.ListInvitations(w.ctx, q)
	w.no(err)
	return found
}

func invitationsListed(w *world) {
	var all []staff.Invitation
	for i := range 5 {
		x := w.invitation()
		x.Email = []string{"a@example.com", awkward}[i%2]
		all = append(all, x)
	}
	w.commit(core.Rows(all))
	slices.Reverse(all)
	w.same(all, w.listInvitations(staff.InvitationQuery{Limit: core.MaxPage}))
	w.same(all[1:3], w.listInvitations(staff.InvitationQuery{After: all[0].ID, Limit: 2}))
	w.same([]staff.Invitation{all[1], all[3]}, w.listInvitations(staff.InvitationQuery{Email: awkward, Limit: 5}))
	w.same(0, len(w.listInvitations(staff.InvitationQuery{})))
}

func unknownSignIn(w *world) {
	w.commit(core.Changeset{w.passkey(7), w.invitation()})
	for _, text := range []string{"", "nothing", awkward} {
		_, err := w.store.PasskeyByCredential(w.ctx, text)
		w.fails(fault.NotFound, err)
		_, err = w.store.ChallengeByFingerprint(w.ctx, text)
		w.fails(fault.NotFound, err)
		_, err = w.store.InvitationByFingerprint(w.ctx, text)
		w.fails(fault.NotFound, err)
		_, err = w.store.Invitation(w.ctx, core.ID(text))
		w.fails(fault.NotFound, err)
	}
}

// versionedSignIns are the rows of signing in, for the sentences about versions.
func versionedSignIns(all core.Changeset) map[string]versions {
	return map[string]versions{
		"factors": func(version int) core.Changeset {
			row := core.RowsOf[staff.Factors](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"passkey": func(version int) core.Changeset {
			row := core.RowsOf[staff.Passkey](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"challenge": func(version int) core.Changeset {
			row := core.RowsOf[staff.Challenge](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
		"invitation": func(version int) core.Changeset {
			row := core.RowsOf[staff.Invitation](all)[0]
			row.Version = version
			return core.Changeset{row}
		},
	}
}

func (d *duel) drawSignIns(c *core.Changeset) {
	draw(d, c, func(x *staff.Factors) {
		x.Strange, x.Known.Until, x.TOTP = staff.Lock{Failures: int(d.small()), Until: d.momentOrNone()}, d.momentOrNone(), core.NewSecret(d.text())
	})
	draw(d, c, func(x *staff.Passkey) { x.Name, x.RemovedAt = d.text(), d.momentOrNone() })
	draw(d, c, func(x *staff.Challenge) { x.Tries, x.UsedAt = int(d.small()), d.momentOrNone() })
	draw(d, c, func(x *staff.Invitation) { x.Email, x.AcceptedAt = d.text(), d.momentOrNone() })
}

// signInReads asks everything about signing in once.
func signInReads(ctx context.Context, s ports.Staff, errs map[string]error) {
	_, errs["StaffByID"] = s.StaffByID(ctx, 1)
	_, errs["ListStaff"] = s.ListStaff(ctx, staff.StaffQuery{Limit: 1})
	_, errs["SessionsOf"] = s.SessionsOf(ctx, 1, epoch, 1)
	_, errs["ForgetSignIns"] = s.ForgetSignIns(ctx, epoch, 1)
	_, errs["FactorsOf"] = s.FactorsOf(ctx, 1)
	_, errs["PasskeysOf"] = s.PasskeysOf(ctx, 1)
	_, errs["PasskeyByCredential"] = s.PasskeyByCredential(ctx, "credential")
	_, errs["ChallengeByFingerprint"] = s.ChallengeByFingerprint(ctx, "fingerprint")
	_, errs["InvitationByFingerprint"] = s.InvitationByFingerprint(ctx, "fingerprint")
	_, errs["Invitation"] = s.Invitation(ctx, "01")
	_, errs["ListInvitations"] = s.ListInvitations(ctx, staff.InvitationQuery{Limit: 1})
}
