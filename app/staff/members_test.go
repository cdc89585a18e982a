package staff_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

func ptr[T any](v T) *T { return &v }

func TestAnInvitationIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin := h.visit(h.Admin)
	invited, err := h.Invite(t.Context(), admin, appstaff.NewInvitation{
		Email: " New@Vezne.test", Role: staff.ProviderStaff, ProviderID: h.Provider.ID,
	})
	h.no(err)
	token, ok := strings.CutPrefix(invited.Link, "https://pay.vezne.test/invite#")
	if !ok || token != invited.Token || invited.Invitation.Fingerprint == token {
		t.Fatalf("the link is %q", invited.Link)
	}
	_, err = h.AcceptInvitation(t.Context(), token, "short", from(office))
	wantCode(t, err, fault.Invalid)
	if won := apptest.AtOnce(t, 3, func(int) error {
		_, err := h.AcceptInvitation(t.Context(), token, apptest.Password, from(office))
		return err
	}, fault.BadInvitation); won != 1 {
		t.Errorf("%d accepted it", won)
	}
	v := h.visit(staff.Staff{Email: "new@vezne.test"})
	if v.Staff.Role != staff.ProviderStaff || v.Staff.Scope() != (core.Scope{ProviderID: h.Provider.ID}) {
		t.Errorf("the new member is %+v", v.Staff)
	}
	_, err = h.Invite(t.Context(), admin, appstaff.NewInvitation{Email: "new@vezne.test", Role: staff.Viewer})
	wantCode(t, err, fault.Conflict)
}

// TestAnInvitationEndsWithItsInvitersRights: an admin who is let go has left nobody an invitation to be one.
func TestAnInvitationEndsWithItsInvitersRights(t *testing.T) {
	t.Parallel()
	for name, demote := range map[string]func(*staff.Staff){
		"demoted":     func(m *staff.Staff) { m.Role = staff.Auditor },
		"deactivated": func(m *staff.Staff) { m.IsActive = false },
	} {
		h := newHouse(t)
		invited, err := h.Invite(t.Context(), h.visit(h.Admin), appstaff.NewInvitation{Email: "new@vezne.test", Role: staff.Admin})
		if err != nil {
			t.Fatal(err)
		}
		inviter := h.Admin
		inviter.Version++
		demote(&inviter)
		if err := h.Store.Commit(t.Context(), core.Changeset{inviter}); err != nil {
			t.Fatal(err)
		}
		_, err = h.AcceptInvitation(t.Context(), invited.Token, apptest.Password, from(office))
		if !fault.Is(err, fault.BadInvitation) {
			t.Errorf("%s: %v", name, err)
		}
		inviter.Version, inviter.Role, inviter.IsActive = inviter.Version+1, staff.Admin, true
		if err := h.Store.Commit(t.Context(), core.Changeset{inviter}); err != nil {
			t.Fatal(err)
		}
		if _, err = h.AcceptInvitation(t.Context(), invited.Token, apptest.Password, from(office)); err != nil {
			t.Errorf("not %s: %v", name, err)
		}
	}
}

func TestAnInvitationEnds(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin := h.visit(h.Admin)
	invite := func() appstaff.Invited {
		made, err := h.Invite(t.Context(), admin, appstaff.NewInvitation{Email: "new@vezne.test", Role: staff.Viewer})
		h.no(err)
		return made
	}
	replaced, revoked := invite(), invite()
	_, err := h.RevokeInvitation(t.Context(), admin, replaced.Invitation.ID)
	wantCode(t, err, fault.BadInvitation)
	_, err = h.RevokeInvitation(t.Context(), admin, revoked.Invitation.ID)
	h.no(err)
	late := invite()
	h.Clock.Advance(staff.InvitationLife)
	for i, token := range []string{replaced.Token, revoked.Token, late.Token, "", "vzi_x"} {
		_, err := h.AcceptInvitation(t.Context(), token, apptest.Password, from(netip.AddrFrom4([4]byte{10, 1, 0, byte(i)})))
		wantCode(t, err, fault.BadInvitation)
	}
}

func TestAnInvitationIsHeldToTheRules(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin := h.visit(h.Admin)
	for name, n := range map[string]appstaff.NewInvitation{
		"no email":              {Role: staff.Viewer},
		"no role":               {Email: "a@b"},
		"provider, nowhere":     {Email: "a@b", Role: staff.ProviderStaff},
		"viewer with a tenant":  {Email: "a@b", Role: staff.Viewer, ProviderID: h.Provider.ID},
		"provider of a dealer":  {Email: "a@b", Role: staff.ProviderStaff, DealerID: h.Dealer.ID},
		"provider, not there":   {Email: "a@b", Role: staff.ProviderStaff, ProviderID: 99},
		"dealer, not there":     {Email: "a@b", Role: staff.DealerStaff, DealerID: 99},
		"dealer and a provider": {Email: "a@b", Role: staff.DealerStaff, DealerID: h.Dealer.ID, ProviderID: h.Provider.ID},
	} {
		if _, err := h.Invite(t.Context(), admin, n); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := h.Invite(t.Context(), h.visit(h.Auditor), appstaff.NewInvitation{Email: "a@b", Role: staff.Viewer})
	wantCode(t, err, fault.Forbidden)
	h.Clock.Advance(staff.StepUpLife)
	_, err = h.Invite(t.Context(), admin, appstaff.NewInvitation{Email: "a@b", Role: staff.Viewer})
	wantCode(t, err, fault.StepUpRequired)
}

func TestTheLastAdminStays(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin := h.visit(h.Admin)
	for _, patch := range []appstaff.MemberPatch{{IsActive: ptr(false)}, {Role: ptr(staff.Viewer)}} {
		_, err := h.UpdateMember(t.Context(), admin, appstaff.MemberUpdate{ID: h.Admin.ID, MemberPatch: patch})
		wantCode(t, err, fault.LastAdmin)
	}
	_, err := h.UpdateMember(t.Context(), admin, appstaff.MemberUpdate{ID: h.Operator.ID, MemberPatch: appstaff.MemberPatch{Role: ptr(staff.Admin)}})
	h.no(err)
	other := h.visit(h.Operator)
	h.UnitOfWork.Staff = apptest.Ungated{Committer: h.Store} // as when a second person has approved both
	if won := apptest.AtOnce(t, 2, func(i int) error {
		by, id := admin, h.Operator.ID
		if i == 1 {
			by, id = other, h.Admin.ID
		}
		_, err := h.UpdateMember(t.Context(), by, appstaff.MemberUpdate{ID: id, MemberPatch: appstaff.MemberPatch{IsActive: ptr(false)}})
		return err
	}, fault.LastAdmin); won != 1 {
		t.Errorf("%d of two admins removed each other", won)
	}
}

func TestWhoIsDeactivatedLosesTheSessions(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token := h.login(h.Viewer).Token
	admin := h.visit(h.Admin)
	gone, err := h.UpdateMember(t.Context(), admin, appstaff.MemberUpdate{ID: h.Viewer.ID, MemberPatch: appstaff.MemberPatch{IsActive: ptr(false)}})
	h.no(err)
	_, err = h.Authenticate(t.Context(), token)
	wantCode(t, err, fault.Unauthenticated)
	back, err := h.UpdateMember(t.Context(), admin, appstaff.MemberUpdate{ID: h.Viewer.ID, MemberPatch: appstaff.MemberPatch{IsActive: ptr(true)}})
	h.no(err)
	if gone.IsActive || !back.IsActive {
		t.Errorf("got %+v and %+v", gone, back)
	}
	_, err = h.Authenticate(t.Context(), token)
	wantCode(t, err, fault.Unauthenticated) // the old session stays ended
}

func TestARoleIsChangedWithItsTenant(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	admin := h.visit(h.Admin)
	change := func(p appstaff.MemberPatch) (staff.Staff, error) {
		return h.UpdateMember(t.Context(), admin, appstaff.MemberUpdate{ID: h.DealerStaff.ID, MemberPatch: p})
	}
	_, err := change(appstaff.MemberPatch{Role: ptr(staff.ProviderStaff)})
	wantCode(t, err, fault.Invalid)
	m, err := change(appstaff.MemberPatch{Role: ptr(staff.ProviderStaff), ProviderID: ptr(h.Provider.ID)})
	h.no(err)
	if m.DealerID != 0 || m.ProviderID != h.Provider.ID {
		t.Errorf("got %+v", m)
	}
	if m, err = change(appstaff.MemberPatch{Role: ptr(staff.Support)}); err != nil || m.ProviderID != 0 {
		t.Errorf("got %+v (%v)", m, err)
	}
	_, err = h.UpdateMember(t.Context(), admin, appstaff.MemberUpdate{ID: 999, MemberPatch: appstaff.MemberPatch{}})
	wantCode(t, err, fault.NotFound)
}

func TestResetTakesEveryFactorAndSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, _, v := h.setUpTOTP(h.Admin)
	_, _ = h.registered(h.visitAt(h.Clock.Now(), v), false)
	h.no(h.ResetFactorsOf(t.Context(), app.BySystem, " Admin@vezne.test "))
	_, err := h.SessionsFor(t.Context(), v, h.Admin.ID)
	h.no(err)
	list, err := h.Sessions(t.Context(), v)
	h.no(err)
	state, err := h.Factors(t.Context(), v)
	h.no(err)
	if len(list) != 0 || state.HasTOTP || len(state.Passkeys) != 0 || state.RecoveryCodesLeft != 0 {
		t.Errorf("left are %+v and %+v", list, state)
	}
	if h.login(h.Admin).Token == "" {
		t.Error("a second factor is asked for")
	}
	wantCode(t, h.ResetFactorsOf(t.Context(), app.BySystem, "nobody@vezne.test"), fault.NotFound)
}

func TestChangingThePasswordEndsTheOtherSessions(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	v, other := h.visit(h.Viewer), h.login(h.Viewer).Token
	wantCode(t, h.ChangePassword(t.Context(), v, "short"), fault.Invalid)
	h.no(h.ChangePassword(t.Context(), v, "another long password"))
	_, err := h.Authenticate(t.Context(), other)
	wantCode(t, err, fault.Unauthenticated)
	_, err = h.Login(t.Context(), h.Viewer.Email, apptest.Password, from(office))
	wantCode(t, err, fault.BadLogin)
	_, err = h.Login(t.Context(), h.Viewer.Email, "another long password", from(office))
	h.no(err)
	h.Clock.Advance(time.Hour)
	wantCode(t, h.ChangePassword(t.Context(), v, "yet another password"), fault.StepUpRequired)
}
