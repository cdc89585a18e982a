package staff_test

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/passkey"
	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// house is a World whose desk has passkeys, and where some roles must have a second factor.
type house struct {
	*apptest.World
	*appstaff.Service
	t *testing.T
}

func newHouse(t *testing.T, required ...staff.Role) *house {
	t.Helper()
	w := apptest.New(t)
	c := w.Staff.Config
	var err error
	if c.Passkeys, err = passkey.New(c.BaseURL, "Vezne"); err != nil {
		t.Fatal(err)
	}
	c.Required = required
	return &house{World: w, Service: appstaff.New(c), t: t}
}

func (h *house) no(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

// login signs in with the password.
func (h *house) login(m staff.Staff) appstaff.SignIn {
	h.t.Helper()
	s, err := h.Login(h.t.Context(), m.Email, apptest.Password, from(office))
	h.no(err)
	return s
}

func (h *house) resume(token string) app.Request {
	h.t.Helper()
	v, err := h.Resume(h.t.Context(), token, from(office))
	h.no(err)
	return v
}

// visit is a member in a new session.
func (h *house) visit(m staff.Staff) app.Request {
	h.t.Helper()
	return h.resume(h.login(m).Token)
}

// code is what the member's app shows now.
func (h *house) code(secret core.Secret) string {
	h.t.Helper()
	code, err := staff.TOTPCode(secret, staff.TOTPStep(h.Clock.Now()))
	h.no(err)
	return code
}

// setUpTOTP returns a member an authenticator app, and moves the clock past the code that confirmed it.
func (h *house) setUpTOTP(m staff.Staff) (secret core.Secret, recovery []string, v app.Request) {
	h.t.Helper()
	v = h.visit(m)
	text, err := h.BeginTOTP(h.t.Context(), v)
	h.no(err)
	u, err := url.Parse(text)
	h.no(err)
	secret = core.NewSecret(u.Query().Get("secret"))
	recovery, err = h.ConfirmTOTP(h.t.Context(), v, h.code(secret))
	h.no(err)
	h.Clock.Advance(time.Minute)
	return secret, recovery, v
}

func TestSignInWithAnAuthenticatorApp(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret, recovery, _ := h.setUpTOTP(h.Operator)
	if len(recovery) != staff.RecoveryCodeCount {
		t.Fatalf("%d recovery codes", len(recovery))
	}
	s := h.login(h.Operator)
	if s.Token != "" || s.Challenge == "" || len(s.Kinds) != 2 || s.Kinds[0] != staff.TOTPFactor || s.Kinds[1] != staff.RecoveryFactor {
		t.Fatalf("got %+v", s)
	}
	if _, err := h.Authenticate(t.Context(), s.Challenge); !fault.Is(err, fault.Unauthenticated) {
		t.Errorf("the challenge as a token: %v", err)
	}
	_, err := h.LoginWithCode(t.Context(), s.Challenge, "000000x", from(office))
	wantCode(t, err, fault.BadCode)
	in, err := h.LoginWithCode(t.Context(), s.Challenge, " "+h.code(secret)[:3]+" "+h.code(secret)[3:], from(office))
	h.no(err)
	if v := h.resume(in.Token); v.Staff.ID != h.Operator.ID || !v.Session.HasSecondFactor {
		t.Errorf("signed in as %+v", v)
	}
	_, err = h.LoginWithCode(t.Context(), s.Challenge, recovery[0], from(office))
	wantCode(t, err, fault.ChallengeOver)
	_, err = h.LoginWithCode(t.Context(), h.login(h.Operator).Challenge, h.code(secret), from(office))
	wantCode(t, err, fault.BadCode) // counted already
	_, err = h.LoginWithCode(t.Context(), h.login(h.Operator).Challenge, recovery[0], from(office))
	h.no(err)
	_, err = h.LoginWithCode(t.Context(), h.login(h.Operator).Challenge, recovery[0], from(office))
	wantCode(t, err, fault.BadCode)
}

func TestAChallengeIsGoodForFiveMinutesAndFewTries(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret, recovery, _ := h.setUpTOTP(h.Operator)
	s := h.login(h.Operator)
	h.Clock.Advance(staff.ChallengeLife)
	_, err := h.LoginWithCode(t.Context(), s.Challenge, h.code(secret), from(office))
	wantCode(t, err, fault.ChallengeOver)
	s = h.login(h.Operator)
	for i := range 5 {
		_, err = h.LoginWithCode(t.Context(), s.Challenge, "x", from(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)})))
		wantCode(t, err, fault.BadCode)
	}
	_, err = h.LoginWithCode(t.Context(), s.Challenge, recovery[0], from(office))
	wantCode(t, err, fault.ChallengeOver)
	_, err = h.Login(t.Context(), h.Operator.Email, apptest.Password, from(netip.MustParseAddr("10.0.1.1")))
	wantCode(t, err, fault.BadLogin) // wrong codes lock as wrong passwords do
	h.Clock.Advance(time.Minute)
	_, err = h.LoginWithCode(t.Context(), h.login(h.Operator).Challenge, h.code(secret), from(office))
	h.no(err)
}

// TestOfTwoWithTheSameCodeOneSignsIn: each at a challenge of their own.
func TestOfTwoWithTheSameCodeOneSignsIn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	secret, recovery, _ := h.setUpTOTP(h.Operator)
	for _, code := range []string{h.code(secret), recovery[3]} {
		challenges := []string{h.login(h.Operator).Challenge, h.login(h.Operator).Challenge, h.login(h.Operator).Challenge}
		if won := apptest.AtOnce(t, len(challenges), func(i int) error {
			_, err := h.LoginWithCode(t.Context(), challenges[i], code, from(office))
			return err
		}, fault.BadCode); won != 1 {
			t.Errorf("%d signed in with one code", won)
		}
	}
	challenge := h.login(h.Operator).Challenge
	h.Clock.Advance(time.Minute)
	code := h.code(secret)
	if won := apptest.AtOnce(t, 3, func(int) error {
		_, err := h.LoginWithCode(t.Context(), challenge, code, from(office))
		return err
	}, fault.ChallengeOver, fault.BadCode); won != 1 {
		t.Errorf("%d signed in with one challenge", won)
	}
}

func TestARoleThatDemandsASecondFactorMayOnlySetOneUp(t *testing.T) {
	t.Parallel()
	h := newHouse(t, staff.Admin)
	v := h.visit(h.Admin)
	if !h.IsLimited(v) || h.IsLimited(h.visit(h.Viewer)) {
		t.Error("it is the admin's session that is limited")
	}
	_, _, v = h.setUpTOTP(h.Admin)
	if v = (app.Request{Staff: v.Staff, Session: h.sessionNow(v), Addr: v.Addr}); h.IsLimited(v) {
		t.Error("limited after setting one up")
	}
	wantCode(t, h.RemoveTOTP(t.Context(), v), fault.FactorRequired)
	fresh := h.visitAt(h.Clock.Now(), v)
	wantCode(t, h.RemoveTOTP(t.Context(), fresh), fault.FactorRequired)
}

func (h *house) sessionNow(v app.Request) staff.Session {
	h.t.Helper()
	s, _, err := h.Store.SessionByFingerprint(h.t.Context(), v.Session.Fingerprint)
	h.no(err)
	return s
}

// visitAt is the visit as it stands, proven at a moment.
func (h *house) visitAt(at time.Time, v app.Request) app.Request {
	h.t.Helper()
	v.Session = h.sessionNow(v)
	v.Session.ProvenAt = at
	return v
}

func TestStepUpIsByFactorOrByThePasswordOfWhoHasNone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	v := h.visit(h.Viewer)
	h.Clock.Advance(staff.StepUpLife - time.Microsecond)
	h.no(h.CheckProven(t.Context(), v))
	h.Clock.Advance(time.Microsecond)
	wantCode(t, h.CheckProven(t.Context(), v), fault.StepUpRequired)
	_, err := h.BeginTOTP(t.Context(), v)
	wantCode(t, err, fault.StepUpRequired)
	_, err = h.StepUp(t.Context(), v, appstaff.Proof{Password: "wrong password"}, from(office))
	wantCode(t, err, fault.BadLogin)
	_, err = h.StepUp(t.Context(), v, appstaff.Proof{Code: "123456"}, from(office))
	wantCode(t, err, fault.BadCode)
	session, err := h.StepUp(t.Context(), v, appstaff.Proof{Password: apptest.Password}, from(office))
	h.no(err)
	v.Session = session
	h.no(h.CheckProven(t.Context(), v))

	secret, recovery, v := h.setUpTOTP(h.Operator)
	h.Clock.Advance(staff.StepUpLife)
	_, err = h.StepUp(t.Context(), v, appstaff.Proof{Password: apptest.Password}, from(office))
	wantCode(t, err, fault.FactorRequired)
	for _, code := range []string{h.code(secret), recovery[0]} {
		_, err = h.StepUp(t.Context(), v, appstaff.Proof{Code: code}, from(office))
		h.no(err)
		_, err = h.StepUp(t.Context(), v, appstaff.Proof{Code: code}, from(office))
		wantCode(t, err, fault.BadCode)
	}
}

func TestLockIsForUnknownAndKnownAccountsAlike(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	var seen []string
	h.UnitOfWork.Commits = &apptest.Commits{Committer: h.Store, After: func(c core.Changeset) error {
		for _, a := range core.RowsOf[core.AuditEntry](c) {
			seen = append(seen, a.Action+" "+a.Target)
		}
		return nil
	}}
	for _, email := range []string{h.Admin.Email, "nobody@vezne.test"} {
		for range 5 {
			_, err := h.Login(t.Context(), email, "wrong password", from(office))
			wantCode(t, err, fault.BadLogin)
		}
		h.Clock.Advance(30 * time.Second)
		_, err := h.Login(t.Context(), email, apptest.Password, from(office.Next()))
		wantCode(t, err, fault.BadLogin)
		h.Clock.Advance(31 * time.Second)
	}
	h.no(func() error {
		_, err := h.Login(t.Context(), h.Admin.Email, apptest.Password, from(office.Next()))
		return err
	}())
	failed := func(who string) string { return strings.Repeat("loginFailed staff/"+who+",", 4) }
	want := failed("admin@vezne.test") + "lockStaff staff/admin@vezne.test,loginFailed staff/admin@vezne.test," +
		failed("unknown") + "loginFailed staff/unknown,loginFailed staff/unknown,login staff/admin@vezne.test"
	if got := strings.Join(seen, ","); got != want {
		t.Errorf("audit rows:\n%s\nwant\n%s", got, want)
	}
}

func TestAnAdminUnlocksAnAccount(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for range 5 {
		_, err := h.Login(t.Context(), h.Viewer.Email, tooLong[:200], from(office))
		wantCode(t, err, fault.BadLogin)
	}
	_, err := h.Unlock(t.Context(), h.visit(h.Operator), h.Viewer.ID)
	wantCode(t, err, fault.Forbidden)
	_, err = h.Unlock(t.Context(), h.visit(h.Admin), h.Viewer.ID)
	h.no(err)
	if h.login(h.Viewer).Token == "" {
		t.Error("still locked")
	}
}

func TestSessionsAreListedAndRevoked(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	first, second := h.visit(h.Viewer), h.visit(h.Viewer)
	third := h.visit(h.Viewer)
	list, err := h.Sessions(t.Context(), first)
	h.no(err)
	if len(list) != 3 || list[0].UserAgent != "Firefox" || list[0].Address != office.String() {
		t.Fatalf("listed %+v", list)
	}
	wantCode(t, h.RevokeSession(t.Context(), h.visit(h.Operator), first.Session.ID), fault.NotFound)
	h.no(h.RevokeSession(t.Context(), first, second.Session.ID))
	h.no(h.RevokeOtherSessions(t.Context(), third))
	list, err = h.Sessions(t.Context(), third)
	h.no(err)
	if len(list) != 1 || list[0].ID != third.Session.ID {
		t.Errorf("left are %+v", list)
	}
	_, err = h.SessionsFor(t.Context(), third, h.Admin.ID)
	wantCode(t, err, fault.Forbidden)
	h.no(h.RevokeStaffSessions(t.Context(), h.visit(h.Admin), h.Viewer.ID, ""))
	list, err = h.Sessions(t.Context(), third)
	h.no(err)
	if len(list) != 0 {
		t.Errorf("left are %+v", list)
	}
}

func TestAnIdleSessionEndsAndSeenIsWrittenOnceAMinute(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, writes := h.login(h.Viewer).Token, 0
	h.UnitOfWork.Commits = &apptest.Commits{Committer: h.Store, After: func(core.Changeset) error {
		writes++
		return nil
	}}
	for range 6 {
		h.Clock.Advance(30 * time.Second)
		h.resume(token)
	}
	if writes != 3 {
		t.Errorf("written %d times in three minutes", writes)
	}
	h.Clock.Advance(staff.SessionIdle)
	_, err := h.Authenticate(context.WithoutCancel(t.Context()), token)
	wantCode(t, err, fault.Unauthenticated)
}
