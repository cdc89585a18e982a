package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
)

func staffSentences() []sentence {
	return []sentence{
		{"a revoked session is still given, as revoked", revokedSession},
		{"a session shows its staff member as it is now", sessionOfChangedStaff},
	}
}

func (w *world) sessionIs(want staff.Session, whose staff.Staff) {
	w.t.Helper()
	session, staff, err := w.store.SessionByFingerprint(w.ctx, want.Fingerprint)
	w.no(err)
	w.same(want, session)
	w.same(whose, staff)
}

func revokedSession(w *world) {
	staff := w.staff()
	session := w.session(staff.ID)
	session.RevokedAt = time.Time{}
	w.commit(core.Changeset{staff, session})
	w.sessionIs(session, staff)
	session.Version, session.RevokedAt = 2, epoch.Add(time.Hour)
	w.commit(core.Changeset{session})
	w.sessionIs(session, staff)
}

func sessionOfChangedStaff(w *world) {
	member := w.staff()
	session := w.session(member.ID)
	w.commit(core.Changeset{member, session})
	member.Version, member.IsActive, member.Role = 2, false, staff.Viewer
	w.commit(core.Changeset{member})
	w.sessionIs(session, member)
}
