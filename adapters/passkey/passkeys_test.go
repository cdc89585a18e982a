package passkey_test

import (
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/passkey"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/passkeytest"
)

// base is the installation of the tests.
const base = "https://pay.example.com:8443"

// world is an adapter under test and an authenticator.
type world struct {
	*testing.T
	ports.Passkeys
	passkeytest.Authenticator
	owner staff.PasskeyOwner
}

func TestPasskeys(t *testing.T) {
	t.Parallel()
	adapter, err := passkey.New(base, "Vezne")
	if err != nil {
		t.Fatal(err)
	}
	for says, test := range map[string]func(w *world){
		"a passkey is registered and signs its owner in":        registers,
		"a passkey signs in alone":                              signsInAlone,
		"an answer is good for its own request only":            answersItsRequest,
		"another's passkey, origin or owner is refused":         refusesOthers,
		"a counter that goes back is refused":                   refusesCopies,
		"without verification a passkey does not sign in alone": verifiesAlone,
		"what is no answer is refused":                          refusesNonsense,
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			test(&world{
				T: t, Passkeys: adapter, Authenticator: passkeytest.Authenticator{Origin: base},
				owner: staff.PasskeyOwner{StaffID: 7, Email: "ayşe@example.com"},
			})
		})
	}
}

func (w *world) no(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) refused(err error) {
	w.Helper()
	if !fault.Is(err, fault.BadCode) {
		w.Errorf("got %v, want BAD_CODE", err)
	}
}

// register makes the authenticator's passkey.
func (w *world) register() staff.Passkey {
	w.Helper()
	request, err := w.BeginRegistration(w.owner, nil)
	w.no(err)
	answer, err := w.Register(request.Options)
	w.no(err)
	use, err := w.FinishRegistration(w.owner, request.State, answer)
	w.no(err)
	return staff.Passkey{CredentialID: use.CredentialID, Record: use.Record}
}

// signIn answers a request and gives what the adapter says.
func (w *world) signIn(key staff.Passkey, known ...staff.Passkey) (staff.PasskeyUse, error) {
	w.Helper()
	request, err := w.BeginSignIn(w.owner, known)
	w.no(err)
	answer, err := w.SignIn(request.Options)
	w.no(err)
	return w.FinishSignIn(w.owner, key, request.State, answer)
}

func registers(w *world) {
	key := w.register()
	request, err := w.BeginRegistration(w.owner, []staff.Passkey{key})
	w.no(err)
	if !strings.Contains(request.Options, key.CredentialID) {
		w.Error("the known passkey is not excluded")
	}
	for range 2 {
		use, err := w.signIn(key, key)
		w.no(err)
		if use.CredentialID != key.CredentialID || !use.IsVerified || use.Record == key.Record {
			w.Errorf("got %+v", use)
		}
		key.Record = use.Record
	}
}

func signsInAlone(w *world) {
	key := w.register()
	request, err := w.BeginSignIn(staff.PasskeyOwner{}, nil)
	w.no(err)
	answer, err := w.SignIn(request.Options)
	w.no(err)
	id, err := w.CredentialOf(answer)
	w.no(err)
	if id != key.CredentialID {
		w.Errorf("the answer is of %q", id)
	}
	use, err := w.FinishSignIn(w.owner, key, request.State, answer)
	w.no(err)
	if !use.IsVerified {
		w.Error("not verified")
	}
}

func answersItsRequest(w *world) {
	key := w.register()
	first, err := w.BeginSignIn(w.owner, []staff.Passkey{key})
	w.no(err)
	second, err := w.BeginSignIn(w.owner, []staff.Passkey{key})
	w.no(err)
	answer, err := w.SignIn(first.Options)
	w.no(err)
	_, err = w.FinishSignIn(w.owner, key, second.State, answer)
	w.refused(err)
	_, err = w.FinishRegistration(w.owner, first.State, answer)
	w.refused(err)
	registration, err := w.BeginRegistration(w.owner, nil)
	w.no(err)
	_, err = w.FinishSignIn(w.owner, key, registration.State, answer)
	w.refused(err)
}

func refusesOthers(w *world) {
	key := w.register()
	other := &world{T: w.T, Passkeys: w.Passkeys, Authenticator: passkeytest.Authenticator{Origin: base}, owner: w.owner}
	otherKey := other.register()
	_, err := w.signIn(key, otherKey)
	w.refused(err)
	_, err = w.signIn(otherKey, key)
	w.refused(err)
	forged := key
	forged.Record = otherKey.Record
	_, err = w.signIn(forged, key)
	w.refused(err)
	w.owner.StaffID++
	_, err = w.signIn(key) // alone: the handle is another's
	w.refused(err)
	w.owner.StaffID--
	w.Origin = "https://pay.example.org:8443"
	_, err = w.signIn(key, key)
	w.refused(err)
}

func refusesCopies(w *world) {
	key := w.register()
	w.Counter = 41
	use, err := w.signIn(key, key)
	w.no(err)
	key.Record, w.Counter = use.Record, 10
	_, err = w.signIn(key, key)
	w.refused(err)
}

func verifiesAlone(w *world) {
	w.Unverified = true
	key := w.register()
	use, err := w.signIn(key, key)
	w.no(err)
	if use.IsVerified {
		w.Error("verified")
	}
	_, err = w.signIn(key)
	w.refused(err)
}

func refusesNonsense(w *world) {
	key := w.register()
	request, err := w.BeginSignIn(w.owner, []staff.Passkey{key})
	w.no(err)
	for _, answer := range []string{"", "{}", "null", "[]", `{"id":"AA","rawId":"AA","type":"public-key"}`, "\x00"} {
		_, err := w.CredentialOf(answer)
		w.refused(err)
		_, err = w.FinishSignIn(w.owner, key, request.State, answer)
		w.refused(err)
		_, err = w.FinishRegistration(w.owner, request.State, answer)
		w.refused(err)
	}
}
