package staff_test

import (
	"testing"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports/passkeytest"
)

// registered returns a member a passkey.
func (h *house) registered(v app.Request, unverified bool) (*passkeytest.Authenticator, staff.Passkey) {
	h.t.Helper()
	a := &passkeytest.Authenticator{Origin: h.BaseURL, Unverified: unverified}
	ask, err := h.BeginPasskey(h.t.Context(), v)
	h.no(err)
	answer, err := a.Register(ask.Options)
	h.no(err)
	made, _, err := h.FinishPasskey(h.t.Context(), v, ask.Challenge, answer, "phone")
	h.no(err)
	_, _, err = h.FinishPasskey(h.t.Context(), h.visitAt(h.Clock.Now(), v), ask.Challenge, answer, "phone")
	wantCode(h.t, err, fault.ChallengeOver)
	return a, made
}

func (h *house) passkeyLogin(a *passkeytest.Authenticator, challenge string) (appstaff.SignIn, error) {
	h.t.Helper()
	ask, err := h.BeginPasskeyLogin(h.t.Context(), challenge, from(office))
	h.no(err)
	answer, err := a.SignIn(ask.Options)
	h.no(err)
	s, err := h.LoginWithPasskey(h.t.Context(), ask.Challenge, answer, from(office))
	if err == nil {
		_, again := h.LoginWithPasskey(h.t.Context(), ask.Challenge, answer, from(office))
		wantCode(h.t, again, fault.ChallengeOver)
	}
	return s, err
}

func TestSignInWithAPasskey(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	v := h.visit(h.Admin)
	key, made := h.registered(v, false)
	v = h.visitAt(h.Clock.Now(), v)
	s := h.login(h.Admin)
	if len(s.Kinds) != 2 || s.Kinds[0] != staff.PasskeyFactor {
		t.Fatalf("got %+v", s)
	}
	for _, challenge := range []string{s.Challenge, ""} { // as a second factor, and alone
		in, err := h.passkeyLogin(key, challenge)
		h.no(err)
		if got := h.resume(in.Token); got.Staff.ID != h.Admin.ID || !got.Session.HasSecondFactor {
			t.Errorf("signed in as %+v", got)
		}
	}
	state, err := h.Factors(t.Context(), v)
	h.no(err)
	if len(state.Passkeys) != 1 || state.Passkeys[0].Name != "phone" || state.Passkeys[0].LastUsedAt.IsZero() || state.RecoveryCodesLeft != 10 {
		t.Errorf("kept %+v", state)
	}
	renamed, err := h.RenamePasskey(t.Context(), v, made.ID, "laptop")
	h.no(err)
	if renamed.Name != "laptop" {
		t.Errorf("renamed to %q", renamed.Name)
	}
	h.no(h.RemovePasskey(t.Context(), v, made.ID))
	_, err = h.passkeyLogin(key, "")
	wantCode(t, err, fault.BadCode)
	wantCode(t, h.RemovePasskey(t.Context(), v, made.ID), fault.NotFound)
	if h.login(h.Admin).Token == "" {
		t.Error("without factors the password is enough again")
	}
}

func TestAnothersPasskeyIsNoSecondFactor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, _ = h.registered(h.visit(h.Admin), false)
	theirs, _ := h.registered(h.visit(h.Operator), false)
	_, err := h.passkeyLogin(theirs, h.login(h.Admin).Challenge)
	wantCode(t, err, fault.BadCode)
	unverified, _ := h.registered(h.visit(h.Viewer), true)
	_, err = h.passkeyLogin(unverified, "")
	wantCode(t, err, fault.BadCode) // alone it must verify who holds it
	_, err = h.passkeyLogin(unverified, h.login(h.Viewer).Challenge)
	h.no(err)
}

func TestStepUpWithAPasskeyIsOfItsOwnSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	v := h.visit(h.Admin)
	key, _ := h.registered(v, false)
	in, err := h.passkeyLogin(key, "")
	h.no(err)
	other := h.resume(in.Token)
	ask, err := h.BeginPasskeyStepUp(t.Context(), v)
	h.no(err)
	answer, err := key.SignIn(ask.Options)
	h.no(err)
	proof := appstaff.Proof{Challenge: ask.Challenge, Answer: answer}
	_, err = h.StepUp(t.Context(), other, proof, from(office))
	wantCode(t, err, fault.ChallengeOver)
	_, err = h.StepUp(t.Context(), v, proof, from(office))
	h.no(err)
	_, err = h.BeginPasskeyStepUp(t.Context(), h.visit(h.Viewer))
	wantCode(t, err, fault.NotFound)
}
