package storetest_test

import (
	"context"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
)

// brokenSignIns is what may be broken about signing in.
type brokenSignIns struct {
	staff       func(q *core.StaffQuery)
	live        func(now time.Time) time.Time
	invitations func(q *core.InvitationQuery)
	forget      func(before time.Time) time.Time
}

func (b broken) ListStaff(ctx context.Context, q core.StaffQuery) ([]core.Staff, error) {
	if b.staff != nil {
		b.staff(&q)
	}
	return b.Store.ListStaff(ctx, q)
}

func (b broken) SessionsOf(ctx context.Context, staffID int64, now time.Time, limit int) ([]core.Session, error) {
	if b.live != nil {
		now = b.live(now)
	}
	return b.Store.SessionsOf(ctx, staffID, now, limit)
}

func (b broken) ListInvitations(ctx context.Context, q core.InvitationQuery) ([]core.Invitation, error) {
	if b.invitations != nil {
		b.invitations(&q)
	}
	return b.Store.ListInvitations(ctx, q)
}

func (b broken) ForgetSignIns(ctx context.Context, before time.Time, limit int) (int, error) {
	if b.forget != nil {
		before = b.forget(before)
	}
	return b.Store.ForgetSignIns(ctx, before, limit)
}

// eachOf breaks every row of a kind that is committed.
func eachOf[R any](rows func(c *core.Changeset) []R, spoil func(row *R)) func() broken {
	return func() broken {
		return broken{change: func(_ *memory.Store, c *core.Changeset) {
			list := rows(c)
			for i := range list {
				spoil(&list[i])
			}
		}}
	}
}

func signInDefects() []defect {
	factors := func(c *core.Changeset) []core.Factors { return c.Factors }
	passkeys := func(c *core.Changeset) []core.Passkey { return c.Passkeys }
	challenges := func(c *core.Changeset) []core.Challenge { return c.Challenges }
	invitations := func(c *core.Changeset) []core.Invitation { return c.Invitations }
	const everyFactor = "signing in/every field of a member's factors comes back"
	return []defect{
		{"forgets which code counted", everyFactor, eachOf(factors, func(f *core.Factors) { f.TOTPStep = 0 })},
		{"forgets where a member signs in", everyFactor, eachOf(factors, func(f *core.Factors) { f.Places = nil })},
		{"forgets a lock", everyFactor, eachOf(factors, func(f *core.Factors) { f.Known = core.Lock{} })},
		{"keeps removed passkeys", "signing in/a removed passkey is found no more",
			eachOf(passkeys, func(p *core.Passkey) { p.RemovedAt = time.Time{} })},
		{"forgets that a challenge was answered", "signing in/every field of a challenge comes back",
			eachOf(challenges, func(c *core.Challenge) { c.UsedAt = time.Time{} })},
		{"forgets that an invitation was accepted", "signing in/every field of an invitation comes back",
			eachOf(invitations, func(i *core.Invitation) { i.AcceptedAt = time.Time{} })},
		{"lists staff who are gone", "signing in/staff are listed by id, by role, page by page", func() broken {
			return broken{brokenSignIns: brokenSignIns{staff: func(q *core.StaffQuery) { q.OnlyActive = false }}}
		}},
		{"lists sessions that are over", "signing in/sessions of a member are those that live, newest first", func() broken {
			return broken{brokenSignIns: brokenSignIns{live: func(now time.Time) time.Time { return now.Add(-time.Hour) }}}
		}},
		{"lists everybody's invitations", "signing in/invitations are listed newest first, by email, page by page", func() broken {
			return broken{brokenSignIns: brokenSignIns{invitations: func(q *core.InvitationQuery) { q.Email = "" }}}
		}},
		{"forgets what may still be used", "signing in/what expired long ago is forgotten, and nothing else", func() broken {
			return broken{brokenSignIns: brokenSignIns{forget: func(at time.Time) time.Time { return at.Add(time.Second) }}}
		}},
	}
}
