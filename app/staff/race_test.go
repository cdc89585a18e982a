package staff_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// meanwhile does something once, right before a session of a member is saved.
func (h *house) meanwhile(member staff.Staff, do func()) {
	isDone := false
	h.UnitOfWork.Commits = &apptest.Commits{Committer: h.UnitOfWork.Commits, Before: func(c core.Changeset) error {
		for _, s := range core.RowsOf[staff.Session](c) {
			if s.Version == 1 && s.StaffID == member.ID && !isDone {
				isDone = true
				do()
			}
		}
		return nil
	}}
}

// TestAnOldPasswordsSignInLosesTheRace: whoever has stolen the password signs in again and again, so that one sign-in is always
// under way. The session that it begins must not outlive those that end with the password.
func TestAnOldPasswordsSignInLosesTheRace(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(h *house, owner, admin app.Request) error{
		"the password is changed": func(h *house, owner, _ app.Request) error {
			return h.ChangePassword(h.t.Context(), owner, "another long password")
		},
		"the member is deactivated": func(h *house, _, admin app.Request) error {
			_, err := h.UpdateMember(h.t.Context(), admin, appstaff.MemberUpdate{
				ID: h.Operator.ID, MemberPatch: appstaff.MemberPatch{IsActive: ptr(false)},
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			owner, admin := h.visit(h.Operator), h.visit(h.Admin)
			h.meanwhile(h.Operator, func() { h.no(change(h, owner, admin)) })
			got, err := h.Login(t.Context(), h.Operator.Email, apptest.Password, from(office))
			if !fault.Is(err, fault.BadLogin) || got.Token != "" {
				t.Errorf("it gives %+v (%v)", got, err)
			}
		})
	}
}

// TestANewPasswordEndsSignInsHalfWay: who had the old one is not asked for a second factor any more.
func TestANewPasswordEndsSignInsHalfWay(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret, _, _ := h.setUpTOTP(h.Operator)
	signIn, err := h.LoginWithCode(t.Context(), h.login(h.Operator).Challenge, h.code(secret), from(office))
	h.no(err)
	owner := h.resume(signIn.Token)
	h.Clock.Advance(30 * time.Second)
	half := h.login(h.Operator).Challenge
	h.Clock.Advance(time.Second)
	h.no(h.ChangePassword(t.Context(), owner, "another long password"))
	_, err = h.LoginWithCode(t.Context(), half, h.code(secret), from(office))
	wantCode(t, err, fault.ChallengeOver)
	_, err = h.BeginPasskeyLogin(t.Context(), half, from(office))
	wantCode(t, err, fault.ChallengeOver)
}

// TestNoSessionIsJudgedByAWrongClock: one that has ended is not taken by a clock that is behind, and one that has not is not said to
// have ended by one that is ahead.
func TestNoSessionIsJudgedByAWrongClock(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token := h.login(h.Viewer).Token
	h.UnitOfWork.Time = wrongClock{}
	for range 2 {
		_, err := h.Resume(t.Context(), token, from(office))
		wantCode(t, err, fault.Unavailable)
		h.Clock.Advance(staff.SessionLife)
	}
	h.UnitOfWork.Time = nil
	_, err := h.Resume(t.Context(), token, from(office))
	wantCode(t, err, fault.Unauthenticated)
}

// wrongClock is a process's that differs from the database's.
type wrongClock struct{}

func (wrongClock) Check() error { return fault.New("test", fault.Unavailable) }
