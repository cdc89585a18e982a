package queues_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// visit is an admin who is signed in and has opened the queues.
type visit struct {
	*apptest.World
	token, ticket string
	audited       []core.AuditEntry
}

func newVisit(t *testing.T) *visit {
	t.Helper()
	v := &visit{World: apptest.New(t)}
	v.UnitOfWork.Commits = &apptest.Commits{Committer: v.Store, After: func(c core.Changeset) error {
		v.audited = append(v.audited, core.RowsOf[core.AuditEntry](c)...)
		return nil
	}}
	signIn, err := v.Staff.Login(t.Context(), v.Admin.Email, apptest.Password, appstaff.Origin{Addr: netip.MustParseAddr("192.0.2.7")})
	if err != nil {
		t.Fatal(err)
	}
	v.token = signIn.Token
	url, err := v.Queues.Open(t.Context(), app.Request{Staff: v.Admin, Addr: "192.0.2.7"}, core.NewSecret(v.token))
	if err != nil {
		t.Fatal(err)
	}
	var ok bool
	if v.ticket, ok = strings.CutPrefix(url, "https://pay.vezne.test/queues/open?ticket="); !ok {
		t.Fatalf("the address is %s", url)
	}
	return v
}

func (v *visit) enter(t *testing.T) string {
	t.Helper()
	pass, err := v.Queues.Enter(t.Context(), v.ticket)
	if err != nil {
		t.Fatal(err)
	}
	return pass
}

func (v *visit) isOut(t *testing.T, why string, err error) {
	t.Helper()
	if code := fault.CodeOf(err); code != fault.Unauthenticated && code != fault.Forbidden {
		t.Errorf("%s: %v", why, err)
	}
}

func TestATicketOpensOnceWithinAMinute(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	pass := v.enter(t)
	member, err := v.Queues.Admit(t.Context(), pass)
	if err != nil || member.ID != v.Admin.ID {
		t.Errorf("%+v, %v", member, err)
	}
	_, err = v.Queues.Enter(t.Context(), v.ticket)
	v.isOut(t, "a second time", err)
	late := newVisit(t)
	late.Clock.Advance(time.Minute)
	_, err = late.Queues.Enter(t.Context(), late.ticket)
	v.isOut(t, "after a minute", err)
}

func TestOneKeyIsNoOther(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	pass := v.enter(t)
	for name, key := range map[string]string{
		"nothing": "", "the ticket": v.ticket, "the bearer token": v.token, "a long one": strings.Repeat("x", 5000), "its fingerprint": sign.Fingerprint(pass),
	} {
		_, err := v.Queues.Admit(t.Context(), key)
		v.isOut(t, name+" as a pass", err)
	}
	for name, key := range map[string]string{"nothing": "", "the pass": pass, "the bearer token": v.token} {
		_, err := v.Queues.Enter(t.Context(), key)
		v.isOut(t, name+" as a ticket", err)
	}
	if _, err := v.Staff.Authenticate(t.Context(), pass); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("the pass as a bearer token: %v", err)
	}
}

func TestAPassEndsWithItsSession(t *testing.T) {
	t.Parallel()
	for why, end := range map[string]func(*visit) core.Changeset{
		"revoked": func(v *visit) core.Changeset {
			session, _, _ := v.Store.SessionByFingerprint(context.Background(), sign.Fingerprint(v.token))
			session.Version++
			session.RevokedAt = v.Clock.Now()
			return core.Changeset{session}
		},
		"inactive": func(v *visit) core.Changeset {
			v.Admin.Version++
			v.Admin.IsActive = false
			return core.Changeset{v.Admin}
		},
		"no admin any more": func(v *visit) core.Changeset {
			v.Admin.Version++
			v.Admin.Role = staff.Operator
			return core.Changeset{v.Admin}
		},
		"expired": func(v *visit) core.Changeset { v.Clock.Advance(12 * time.Hour); return core.Changeset{} },
	} {
		v := newVisit(t)
		pass := v.enter(t)
		other := newVisit(t)
		for _, w := range []*visit{v, other} {
			if err := w.Store.Commit(t.Context(), end(w)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := v.Queues.Admit(t.Context(), pass)
		v.isOut(t, why, err)
		_, err = other.Queues.Enter(t.Context(), other.ticket)
		v.isOut(t, why+", with a ticket", err)
	}
}

func TestOpeningIsAuditedAndKeepsNoSecret(t *testing.T) {
	t.Parallel()
	v := newVisit(t)
	last := v.audited[len(v.audited)-1]
	if last.Action != "openQueues" || last.Actor != v.Admin.Actor("192.0.2.7") || last.Target != "queues" {
		t.Errorf("audited %+v", last)
	}
	if strings.Contains(v.Logs.String(), v.ticket) {
		t.Error("the ticket was logged")
	}
}

func TestOnlyWhoMaySeesTheQueues(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for _, member := range []staff.Staff{w.Operator, w.Viewer, w.DealerStaff, {}} {
		_, errTasks := w.Queues.TaskQueues(t.Context(), member)
		_, errWork := w.Queues.DueWork(t.Context(), member)
		_, errOpen := w.Queues.Open(t.Context(), app.Request{Staff: member, Addr: "192.0.2.7"}, core.NewSecret("token"))
		for what, err := range map[string]error{"tasks": errTasks, "work": errWork, "open": errOpen} {
			if !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s, %s: %v", member.Role, what, err)
			}
		}
	}
}
