package backoffice_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/vezne/vezne/e2e/harness"
)

// authenticator is a passkey's device within a real browser's tab.
type authenticator struct {
	*harness.Tab
	id webauthn.AuthenticatorID
}

// plugIn opens an address of a host with a device that knows its owner.
func plugIn(t *testing.T, address string) *authenticator {
	t.Helper()
	a := &authenticator{Tab: harness.OpenTab(t, address)}
	_, err := chromedp.Call(a.Ctx, webauthn.Enable, webauthn.EnableParams{})
	if err == nil {
		var added webauthn.AddVirtualAuthenticatorResult
		added, err = chromedp.Call(a.Ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
			Options: &webauthn.VirtualAuthenticatorOptions{
				Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
				HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
			},
		})
		a.id = added.AuthenticatorID
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// answer has the page ask the browser for a passkey, as a console does: kind is create or get.
func (a *authenticator) answer(kind, options string) string {
	a.T.Helper()
	text, err := json.Marshal(options)
	if err != nil {
		a.T.Fatal(err)
	}
	parse := map[string]string{"create": "parseCreationOptionsFromJSON", "get": "parseRequestOptionsFromJSON"}[kind]
	answer, err := chromedp.Run(a.Ctx, chromedp.Evaluate[string](fmt.Sprintf(
		`navigator.credentials.%s({publicKey: PublicKeyCredential.%s(JSON.parse(%s))}).then((c) => JSON.stringify(c.toJSON()))`,
		kind, parse, text), chromedp.EvalAwaitPromise))
	if err != nil {
		a.T.Fatalf("the browser refuses to %s: %v", kind, err)
	}
	return answer
}

// credential is the one passkey that the device has.
func (a *authenticator) credential() *webauthn.Credential {
	a.T.Helper()
	all, err := chromedp.Call(a.Ctx, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: a.id})
	if err != nil || len(all.Credentials) != 1 {
		a.T.Fatalf("the device has %+v (%v)", all, err)
	}
	return all.Credentials[0]
}

// addCredential is webauthn.AddCredential without what devices of today do not know.
var addCredential = cdp.Command[map[string]any, cdp.Empty]{Method: webauthn.CommandAddCredential}

// copyTo gives another device the passkey, as whoever has read it out does.
func (a *authenticator) copyTo(other *authenticator, c *webauthn.Credential) {
	a.T.Helper()
	_, err := chromedp.Call(other.Ctx, addCredential, map[string]any{"authenticatorId": other.id, "credential": map[string]any{
		"credentialId": c.CredentialID, "isResidentCredential": true, "rpId": c.RpID, "privateKey": c.PrivateKey,
		"userHandle": c.UserHandle, "signCount": c.SignCount,
	}})
	if err != nil {
		a.T.Fatal(err)
	}
}

// spoil has the device answer wrongly from now on.
func (a *authenticator) spoil(bits webauthn.SetResponseOverrideBitsParams) {
	a.T.Helper()
	bits.AuthenticatorID = a.id
	if _, err := chromedp.Call(a.Ctx, webauthn.SetResponseOverrideBits, bits); err != nil {
		a.T.Fatal(err)
	}
}

type passkeyAsk struct{ Challenge, Options string }

// begin asks for a passkey by one of the mutations that do.
func begin(t *testing.T, s harness.Staff, mutation string) passkeyAsk {
	t.Helper()
	var data map[string]passkeyAsk
	if err := s.Ask("mutation { "+mutation+" { challenge options } }", nil, &data); err != nil {
		t.Fatal(err)
	}
	return data[mutation]
}

func finishLogin(anybody harness.Staff, challenge, answer string) (harness.Staff, error) {
	var data struct{ LoginWithPasskey struct{ Token string } }
	err := anybody.Ask(`mutation($challenge: String!, $answer: String!) {
		loginWithPasskey(input: {challenge: $challenge, answer: $answer}) { token } }`,
		map[string]any{"challenge": challenge, "answer": answer}, &data)
	harness.KeepSecret("a staff session's token", data.LoginWithPasskey.Token)
	return harness.Staff{Base: anybody.Base, Token: data.LoginWithPasskey.Token}, err
}

// signsIn signs in with what a device has, and fails the test unless the code is what is wanted; empty: it is let in.
func (a *authenticator) signsIn(anybody harness.Staff, want string) harness.Staff {
	a.T.Helper()
	asked := begin(a.T, anybody, "beginPasskeyLogin")
	s, err := finishLogin(anybody, asked.Challenge, a.answer("get", asked.Options))
	if got := harness.CodeOf(err); got != want || (want == "") != (err == nil) {
		a.T.Errorf("signing in is answered by %q (%v), want %q", got, err, want)
	}
	return s
}

// TestBrowserAPasskey registers a passkey in a real browser, signs in and steps up with it, and tries what an attacker would: a page
// of another port, whose passkeys are the same host's; a copy of the device; a device that did not verify who holds it; one
// answer twice at once; a passkey that was removed.
func TestBrowserAPasskey(t *testing.T) {
	t.Parallel()
	in := harness.NewEmbedded(t)
	front, elsewhere := harness.NewFront(t), harness.NewFront(t)
	named := func(f *harness.Front) string {
		u, err := url.Parse(f.URL)
		if err != nil {
			t.Fatal(err)
		}
		return "http://localhost:" + u.Port() + "/invite"
	}
	server := in.Serve("VEZNE_BASE_URL=" + named(front)[:len(named(front))-len("/invite")])
	front.Lead(t, server)
	elsewhere.Lead(t, server)
	member, anybody := in.SignIn(server, "operator"), harness.Staff{Base: server.URL}
	device := plugIn(t, named(front))

	asked := begin(t, member, "beginPasskey")
	var made struct {
		FinishPasskey struct {
			SecondFactors struct{ Passkeys []struct{ ID string } }
		}
	}
	err := member.Ask(`mutation($challenge: String!, $answer: String!) {
		finishPasskey(input: {challenge: $challenge, answer: $answer, name: "laptop"}) { secondFactors { passkeys { id } } } }`,
		map[string]any{"challenge": asked.Challenge, "answer": device.answer("create", asked.Options)}, &made)
	if err != nil || len(made.FinishPasskey.SecondFactors.Passkeys) != 1 {
		t.Fatalf("registering gives %+v (%v)", made, err)
	}
	old := device.credential()
	session := device.signsIn(anybody, "")
	device.stepsUp(session)

	other := plugIn(t, named(elsewhere))
	copied := device.credential()
	copied.SignCount += 100
	device.copyTo(other, copied)
	other.signsIn(anybody, "BAD_CODE") // its counter is good, its origin is not

	clone := plugIn(t, named(front))
	device.copyTo(clone, old)
	clone.signsIn(anybody, "BAD_CODE")
	device.signsIn(anybody, "")

	yes := true
	device.spoil(webauthn.SetResponseOverrideBitsParams{IsBadUV: &yes})
	device.signsIn(anybody, "BAD_CODE")
	device.spoil(webauthn.SetResponseOverrideBitsParams{IsBogusSignature: &yes})
	device.signsIn(anybody, "BAD_CODE")
	device.spoil(webauthn.SetResponseOverrideBitsParams{})
	device.answersOnce(anybody)

	var removed map[string]any
	err = session.Ask(`mutation($id: ID!) { removePasskey(input: {id: $id}) { secondFactors { hasTotp } } }`,
		map[string]any{"id": made.FinishPasskey.SecondFactors.Passkeys[0].ID}, &removed)
	if err != nil {
		t.Errorf("removing it: %v", err)
	}
	device.signsIn(anybody, "BAD_CODE")
	server.Stop(t)
}

// stepsUp proves with the device within a session.
func (a *authenticator) stepsUp(s harness.Staff) {
	a.T.Helper()
	asked := begin(a.T, s, "beginPasskeyStepUp")
	var proven map[string]any
	err := s.Ask(`mutation($passkey: PasskeyAnswer!) { stepUp(input: {passkey: $passkey}) { session { provenUntil } } }`,
		map[string]any{"passkey": map[string]string{"challenge": asked.Challenge, "answer": a.answer("get", asked.Options)}}, &proven)
	if err != nil {
		a.T.Errorf("stepping up: %v", err)
	}
}

// answersOnce gives one answer many times at once.
func (a *authenticator) answersOnce(anybody harness.Staff) {
	a.T.Helper()
	asked := begin(a.T, anybody, "beginPasskeyLogin")
	answer := a.answer("get", asked.Options)
	var all sync.WaitGroup
	var mu sync.Mutex
	in := 0
	for range 8 {
		all.Go(func() {
			_, err := finishLogin(anybody, asked.Challenge, answer)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				in++
			}
		})
	}
	all.Wait()
	if in != 1 {
		a.T.Errorf("one answer signs in %d times", in)
	}
}
