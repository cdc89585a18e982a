package staff_test

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/vezne/vezne/app"
	appstaff "github.com/vezne/vezne/app/staff"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	coresign "github.com/vezne/vezne/core/sign"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/e2e/apptest"
)

// guess tries a wrong password from an address, whatever comes of it.
func (h *house) guess(email string, addr netip.Addr) {
	h.t.Helper()
	if _, err := h.Login(h.t.Context(), email, "wrong password", from(addr)); !fault.Is(err, fault.BadLogin) && !fault.Is(err, fault.RateLimited) {
		h.t.Fatal(err)
	}
}

// TestNobodyElsewhereKeepsAMemberOut guesses for hours from ever new addresses, as often as it takes to keep the account
// locked and its email limited.
func TestNobodyElsewhereKeepsAMemberOut(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.login(h.Admin) // in the office
	stranger := netip.MustParseAddr("198.51.100.1")
	for range 4 {
		for range 12 {
			h.guess(h.Admin.Email, stranger)
			stranger = stranger.Next()
		}
		_, err := h.Login(t.Context(), h.Admin.Email, apptest.Password, from(stranger))
		wantCode(t, err, fault.RateLimited)
		if h.login(h.Admin).Token == "" {
			t.Error("kept out of the office")
		}
		h.Clock.Advance(time.Hour)
	}
	h.guess(h.Admin.Email, stranger)
	_, err := h.Login(t.Context(), h.Admin.Email, apptest.Password, from(stranger))
	wantCode(t, err, fault.BadLogin) // locked, and refused as a wrong password is
	h.Clock.Advance(time.Hour)
	_, err = h.Login(t.Context(), h.Admin.Email, apptest.Password, from(stranger))
	h.no(err) // an hour after the last guess the member may sign in from anywhere
}

func TestGuessesWhereAMemberSignsInLockAsWell(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.login(h.Admin)
	for range 5 {
		h.guess(h.Admin.Email, office)
	}
	_, err := h.Login(t.Context(), h.Admin.Email, apptest.Password, from(office))
	wantCode(t, err, fault.BadLogin)
	state, err := h.FactorsFor(t.Context(), app.Request{Staff: h.Auditor}, h.Admin)
	if h.no(err); !state.IsLocked {
		t.Error("the lock does not show")
	}
	_, err = h.Login(t.Context(), h.Admin.Email, apptest.Password, from(office.Next()))
	h.no(err)
}

func TestALockKeepsNoPasskeyOut(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	key, _ := h.registered(h.visit(h.Admin), false)
	for range 5 {
		h.guess(h.Admin.Email, office)
	}
	_, err := h.Login(t.Context(), h.Admin.Email, apptest.Password, from(office))
	wantCode(t, err, fault.BadLogin)
	_, err = h.passkeyLogin(key, "")
	h.no(err)
	if h.login(h.Admin).Challenge == "" {
		t.Error("the passkey did not end the lock")
	}
}

// TestAnIPv6ConnectionIsOnePlace, however many addresses it has.
func TestAnIPv6ConnectionIsOnePlace(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	addr := netip.MustParseAddr("2001:db8:0:7::1")
	for range 10 {
		_, err := h.Login(t.Context(), "nobody@vezne.test", tooLong, from(addr))
		wantCode(t, err, fault.BadLogin)
		addr = addr.Next()
	}
	_, err := h.Login(t.Context(), h.Admin.Email, apptest.Password, from(addr))
	wantCode(t, err, fault.RateLimited)
	_, err = h.Login(t.Context(), h.Admin.Email, apptest.Password, from(netip.MustParseAddr("2001:db8:0:8::1")))
	h.no(err)
	factors, err := h.Store.FactorsOf(t.Context(), h.Admin.ID)
	if h.no(err); len(factors.Places) != 1 || factors.Places[0] != "2001:db8:0:8::/64" {
		t.Errorf("known are %v", factors.Places)
	}
}

// TestASessionOfBeforeTheFactorAddsNone: whoever knows only the password does not bring an authenticator of their own, nor
// change the password, in the minutes after they signed in.
func TestASessionOfBeforeTheFactorAddsNone(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	thief := h.visit(h.Operator)
	secret, _, _ := h.setUpTOTP(h.Operator)
	wantCode(t, h.CheckProven(t.Context(), thief), fault.StepUpRequired)
	_, err := h.BeginTOTP(t.Context(), thief)
	wantCode(t, err, fault.StepUpRequired)
	_, err = h.BeginPasskey(t.Context(), thief)
	wantCode(t, err, fault.StepUpRequired)
	_, err = h.NewRecoveryCodes(t.Context(), thief)
	wantCode(t, err, fault.StepUpRequired)
	wantCode(t, h.RemoveTOTP(t.Context(), thief), fault.StepUpRequired)
	wantCode(t, h.ChangePassword(t.Context(), thief, "another long password"), fault.StepUpRequired)
	_, err = h.StepUp(t.Context(), thief, appstaff.Proof{Password: apptest.Password}, from(office))
	wantCode(t, err, fault.FactorRequired)
	_, err = h.StepUp(t.Context(), thief, appstaff.Proof{Code: h.code(secret)}, from(office))
	h.no(err)
	_, err = h.BeginPasskey(t.Context(), h.visitAt(h.Clock.Now(), thief))
	h.no(err)
}

// TestRecoveryCodesAreKeptAsFingerprints, and new ones replace them.
func TestRecoveryCodesAreKeptAsFingerprints(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, codes, v := h.setUpTOTP(h.Operator)
	factors, err := h.Store.FactorsOf(t.Context(), h.Operator.ID)
	h.no(err)
	for i, kept := range factors.RecoveryCodes {
		if plain := codes[i]; kept == plain || kept != coresign.Fingerprint(plain[:4]+plain[5:9]+plain[10:14]+plain[15:]) {
			t.Errorf("kept is %q", kept)
		}
	}
	fresh, err := h.NewRecoveryCodes(t.Context(), h.visitAt(h.Clock.Now(), v))
	h.no(err)
	_, err = h.LoginWithCode(t.Context(), h.login(h.Operator).Challenge, codes[0], from(office))
	wantCode(t, err, fault.BadCode)
	_, err = h.LoginWithCode(t.Context(), h.login(h.Operator).Challenge, fresh[0], from(office))
	h.no(err)
}

// TestAChangedRoleActsAtOnce in the session that goes on.
func TestAChangedRoleActsAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token, admin := h.login(h.Operator).Token, h.visit(h.Admin)
	_, err := h.UpdateMember(t.Context(), admin, appstaff.MemberUpdate{ID: h.Operator.ID, MemberPatch: appstaff.MemberPatch{
		Role: ptr(staff.ProviderStaff), ProviderID: ptr(h.OtherProvider.ID),
	}})
	h.no(err)
	v := h.resume(token)
	wantCode(t, v.Staff.Require(staff.DecideDeposits), fault.Forbidden)
	if v.Staff.Scope() != (core.Scope{ProviderID: h.OtherProvider.ID}) {
		t.Errorf("sees %+v", v.Staff.Scope())
	}
}

func TestAddressIsLockedOutAfterTenFailuresWhateverTheEmails(t *testing.T) {
	t.Parallel()
	w := apptest.New(t)
	for i := range 10 {
		_, err := w.Staff.Login(t.Context(), fmt.Sprintf("guess%d@vezne.test", i), tooLong, from(office))
		wantCode(t, err, fault.BadLogin)
	}
	_, err := w.Staff.Login(t.Context(), w.Admin.Email, apptest.Password, from(office))
	wantCode(t, err, fault.RateLimited)
	if _, err = w.Staff.Login(t.Context(), w.Admin.Email, apptest.Password, from(office.Next())); err != nil {
		t.Errorf("another address: %v", err)
	}
}

// TestANetworkGuessesAsOne: whoever has a network of IPv6 has 65,536 places to guess from. Members who sign in from one of them go on.
func TestANetworkGuessesAsOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	at := func(network, place int) appstaff.Origin {
		return from(netip.MustParseAddr(fmt.Sprintf("2001:db8:%x:%x::1", network, place)))
	}
	_, err := h.Login(t.Context(), h.Admin.Email, apptest.Password, at(1, 0))
	h.no(err)
	for place := range 100 {
		_, err := h.Login(t.Context(), fmt.Sprintf("guess%d@vezne.test", place), tooLong, at(1, place+1))
		wantCode(t, err, fault.BadLogin)
	}
	_, err = h.Login(t.Context(), "guess@vezne.test", tooLong, at(1, 101))
	wantCode(t, err, fault.RateLimited)
	_, err = h.Login(t.Context(), h.Operator.Email, apptest.Password, at(1, 102))
	wantCode(t, err, fault.RateLimited)
	_, err = h.Login(t.Context(), h.Admin.Email, apptest.Password, at(1, 0))
	h.no(err)
	_, err = h.Login(t.Context(), h.Operator.Email, apptest.Password, at(2, 0))
	h.no(err)
	h.Clock.Advance(time.Minute)
	_, err = h.Login(t.Context(), h.Operator.Email, apptest.Password, at(1, 102))
	h.no(err)
}

// TestAGuestsNetworkHasARate: what is asked by nobody from all places of one network is counted together.
func TestAGuestsNetworkHasARate(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	refused := -1
	for i := 0; refused < 0 && i < 10_000; i++ {
		if !h.AdmitGuest(t.Context(), from(netip.MustParseAddr(fmt.Sprintf("2001:db8:1:%x::1", i))), 1).OK {
			refused = i
		}
	}
	if refused != 600 {
		t.Errorf("refused was number %d", refused)
	}
	if !h.AdmitGuest(t.Context(), from(netip.MustParseAddr("2001:db8:2::1")), 1).OK {
		t.Error("another network is refused")
	}
}
