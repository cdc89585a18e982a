package staff_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/fence"
	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// restores a backup of this moment an hour later. A second passes before anybody asks for something.
func (h *house) restores() {
	h.t.Helper()
	backupAt := h.Clock.Now()
	h.Clock.Advance(time.Hour)
	h.Freeze(h.t, epoch.Restored, backupAt, fence.File(filepath.Join(h.t.TempDir(), "epoch.json")))
	h.Clock.Advance(time.Second)
}

// TestNobodyIsStillInAfterARestore: a session that was ended, an invitation that was used and a step of signing in that was finished
// after the backup are as they were before it. They end with the freeze, and stay ended.
func TestNobodyIsStillInAfterARestore(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin := h.login(h.Admin).Token
	_, recovery, _ := h.setUpTOTP(h.Finance)
	step := h.login(h.Finance)
	invited, err := h.Invite(t.Context(), h.resume(admin), appstaff.NewInvitation{Email: "new@vezne.test", Role: staff.Admin})
	h.no(err)
	h.restores()
	again := func() {
		t.Helper()
		_, err := h.Resume(t.Context(), admin, from(office))
		wantCode(t, err, fault.Unauthenticated)
		_, err = h.Authenticate(t.Context(), admin)
		wantCode(t, err, fault.Unauthenticated)
		_, err = h.LoginWithCode(t.Context(), step.Challenge, recovery[0], from(office))
		wantCode(t, err, fault.ChallengeOver)
		_, err = h.AcceptInvitation(t.Context(), invited.Token, "a long password of mine", from(office))
		wantCode(t, err, fault.BadInvitation)
	}
	again()
	now := h.visit(h.Admin)
	if all, err := h.SessionsFor(t.Context(), now, h.Admin.ID); err != nil || len(all) != 1 || all[0].ID != now.Session.ID {
		t.Errorf("sessions of an admin who has signed in again: %+v, %v", all, err)
	}
	listed, err := h.Invitations(t.Context(), now, staff.InvitationQuery{Paging: core.Paging[core.ID]{Limit: 9}})
	if err != nil || len(listed) != 1 || listed[0].IsOpen(h.Clock.Now()) {
		t.Errorf("invitations are %+v, %v", listed, err)
	}
	_, err = h.RevokeInvitation(t.Context(), now, invited.Invitation.ID)
	wantCode(t, err, fault.BadInvitation)
	_, err = h.Invite(t.Context(), now, appstaff.NewInvitation{Email: "new@vezne.test", Role: staff.Admin})
	h.no(err)
	again()
}

// TestSigningInWhileFrozen works with password and second factor, but not with a code that may have been used after the backup. Staff
// see to who works here meanwhile.
func TestSigningInWhileFrozen(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret, _, _ := h.setUpTOTP(h.Finance)
	h.restores()
	used := h.code(secret)
	with := func(code string) (app.Request, error) {
		t.Helper()
		s, err := h.LoginWithCode(t.Context(), h.login(h.Finance).Challenge, code, from(office))
		if err != nil {
			return app.Request{}, err
		}
		return h.resume(s.Token), nil
	}
	_, err := with(used)
	wantCode(t, err, fault.BadCode)
	h.Clock.Advance(time.Minute)
	v, err := with(h.code(secret))
	h.no(err)
	if !v.Session.HasSecondFactor || !v.Session.IsProven(h.Clock.Now()) {
		t.Errorf("the session is %+v", v.Session)
	}
	thief := h.Operator
	h.no(h.RevokeStaffSessions(t.Context(), h.visit(h.Admin), thief.ID, ""))
	_, err = h.UpdateMember(t.Context(), h.visit(h.Admin), appstaff.MemberUpdate{ID: thief.ID, MemberPatch: appstaff.MemberPatch{IsActive: new(false)}})
	h.no(err)
	_, err = h.Login(t.Context(), thief.Email, apptest.Password, from(office))
	wantCode(t, err, fault.BadLogin)
}
