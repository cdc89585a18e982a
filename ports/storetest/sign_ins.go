package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

func signInSentences() []sentence {
	return []sentence{
		{"sessions of a member are those that live, newest first", sessionsListed},
		{"a member without factors has those of version 0", noFactors},
		{"of two who save the same factors at once one wins", factorsOnce},
		{"a removed passkey is found no more", removedPasskey},
		{"what expired long ago is forgotten, and nothing else", signInsForgotten},
	}
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
