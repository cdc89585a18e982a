package staff

import (
	"context"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
)

// maxSessions is how many sessions a member may have at once: beyond it the oldest end.
const maxSessions = 100

// Authenticate finds the active staff member of a bearer token for what asks by itself, without a person: it does not
// keep an idle session alive. Fault: Unauthenticated.
func (s *Service) Authenticate(ctx context.Context, token string) (staff.Staff, error) {
	_, member, err := s.bearer(ctx, token)
	return member, fault.E("access.Authenticate", "", err)
}

// Look is Authenticate, with the session. Fault: Unauthenticated.
func (s *Service) Look(ctx context.Context, token string) (app.Request, error) {
	session, member, err := s.bearer(ctx, token)
	return app.Request{Staff: member, Session: session}, fault.E("access.Look", "", err)
}

// Resume finds the session of a bearer token, and the active member whose it is. Fault: Unauthenticated.
func (s *Service) Resume(ctx context.Context, token string, from Origin) (app.Request, error) {
	session, member, err := s.bearer(ctx, token)
	if err != nil {
		return app.Request{}, fault.E("access.Resume", "", err)
	}
	if seen, changed := session.Seen(s.UnitOfWork.Clock.Now()); changed {
		// A lost race is another request of the same session; without a store nothing else goes on either.
		if err := s.UnitOfWork.Commit(ctx, core.Changeset{seen}); err == nil {
			session = seen
		}
	}
	return app.Request{Staff: member, Session: session, Addr: from.addr()}, nil
}

// bearer finds the session of a token, and whose it is. By a wrong clock none is judged: one that is behind takes what has ended
// for good, one that is ahead signs everybody out.
func (s *Service) bearer(ctx context.Context, token string) (staff.Session, staff.Staff, error) {
	if token == "" || len(token) > maxTokenBytes {
		return staff.Session{}, staff.Staff{}, fault.New("access.bearer", fault.Unauthenticated)
	}
	if err := s.UnitOfWork.OnTime(); err != nil {
		return staff.Session{}, staff.Staff{}, err
	}
	session, member, err := s.Store.SessionByFingerprint(ctx, sign.Fingerprint(token))
	session.ExpiresAt = s.UnitOfWork.EndsAt(session.CreatedAt, session.ExpiresAt)
	if fault.Is(err, fault.NotFound) || err == nil && (!session.IsLive(s.UnitOfWork.Clock.Now()) || !member.IsActive) {
		err = fault.New("access.bearer", fault.Unauthenticated)
	}
	return session, member, err
}

// IsLimited reports whether the session may do nothing but set a second factor up, which the member's role demands.
func (s *Service) IsLimited(v app.Request) bool {
	return s.isRequired(v.Staff.Role) && !v.Session.HasSecondFactor
}

// Sessions returns the member's own sessions that live, newest first.
func (s *Service) Sessions(ctx context.Context, v app.Request) ([]staff.Session, error) {
	return s.live(ctx, v.Staff.ID)
}

// SessionsFor returns the sessions of any member.
func (s *Service) SessionsFor(ctx context.Context, v app.Request, staffID int64) ([]staff.Session, error) {
	if err := v.Staff.Require(staff.ReadStaff); err != nil {
		return nil, err
	}
	if _, err := s.Store.StaffByID(ctx, staffID); err != nil {
		return nil, err
	}
	return s.live(ctx, staffID)
}

func (s *Service) live(ctx context.Context, staffID int64) ([]staff.Session, error) {
	now := s.UnitOfWork.Clock.Now()
	all, err := s.Store.SessionsOf(ctx, staffID, now, 2*maxSessions)
	return slices.DeleteFunc(all, func(x staff.Session) bool {
		x.ExpiresAt = s.UnitOfWork.EndsAt(x.CreatedAt, x.ExpiresAt)
		return !x.IsLive(now)
	}), err
}

// trim ends the oldest of too many sessions. What fails here is done at the next sign-in.
func (s *Service) trim(ctx context.Context, staffID int64) {
	now := s.UnitOfWork.Clock.Now()
	all, err := s.Store.SessionsOf(ctx, staffID, now, 2*maxSessions)
	if err != nil || len(all) <= maxSessions {
		return
	}
	_ = s.UnitOfWork.Commit(ctx, core.Rows(revoked(all[maxSessions:], func(x staff.Session) staff.Session { return x.Revoke(now) })))
}

func revoked(list []staff.Session, revoke func(staff.Session) staff.Session) []staff.Session {
	list = slices.Clone(list)
	for i := range list {
		list[i] = revoke(list[i])
	}
	return list
}

// Logout ends the session itself.
func (s *Service) Logout(ctx context.Context, v app.Request) error {
	return s.revoke(ctx, v, v.Staff, "logout", func(x staff.Session) bool { return x.ID == v.Session.ID })
}

// RevokeSession ends one of the member's own sessions. Fault: NotFound.
func (s *Service) RevokeSession(ctx context.Context, v app.Request, id core.ID) error {
	return s.revoke(ctx, v, v.Staff, "revokeSession", func(x staff.Session) bool { return x.ID == id })
}

// RevokeOtherSessions ends all of the member's own sessions but this one.
func (s *Service) RevokeOtherSessions(ctx context.Context, v app.Request) error {
	err := s.revoke(ctx, v, v.Staff, "revokeOtherSessions", func(x staff.Session) bool { return x.ID != v.Session.ID })
	if fault.Is(err, fault.NotFound) {
		return nil // there are none
	}
	return err
}

// RevokeStaffSessions ends sessions of any member: one, or, without an id, all. Fault: NotFound.
func (s *Service) RevokeStaffSessions(ctx context.Context, v app.Request, staffID int64, id core.ID) error {
	if err := v.Staff.Require(staff.EditStaff); err != nil {
		return err
	}
	m, err := s.Store.StaffByID(ctx, staffID)
	if err != nil {
		return err
	}
	err = s.revoke(ctx, v, m, "revokeStaffSessions", func(x staff.Session) bool { return id == "" || x.ID == id })
	if id == "" && fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

func (s *Service) revoke(ctx context.Context, v app.Request, of staff.Staff, action string, is func(staff.Session) bool) error {
	return s.UnitOfWork.Again(ctx, func() error {
		all, err := s.live(ctx, of.ID)
		if err != nil {
			return err
		}
		ended := slices.DeleteFunc(all, func(x staff.Session) bool { return !is(x) })
		if len(ended) == 0 {
			return fault.New("access.revoke", fault.NotFound)
		}
		audit, err := s.record(v.Actor(), action, targetOf(of))
		if err != nil {
			return err
		}
		ended = revoked(ended, func(x staff.Session) staff.Session { return x.Revoke(audit.At) })
		return s.UnitOfWork.CommitFor(ctx, v, core.Changeset{audit}.Merge(core.Rows(ended)))
	})
}
