package main_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports/passkeytest"
)

// member is the demo's member of a role.
func (in *installation) member(role string) staffKeys {
	in.t.Helper()
	for _, m := range in.keys.Staff {
		if m.Role == role {
			return m
		}
	}
	in.t.Fatalf("demo.json has nobody of role %s", role)
	return staffKeys{}
}

// firstStep is what login answers to the right password.
type firstStep struct {
	Token        string
	SecondFactor *struct {
		Challenge string
		Kinds     []string
	}
}

func (s staff) login(t *testing.T, m staffKeys) firstStep {
	t.Helper()
	var data struct{ Login firstStep }
	err := s.ask(`mutation($email: String!, $password: String!) { login(email: $email, password: $password) {
		token secondFactor { challenge kinds } } }`, map[string]any{"email": m.Email, "password": m.Password}, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.Login
}

// loginWithCode answers a challenge and gives the new session.
func (s staff) loginWithCode(challenge, code string) (staff, error) {
	var data struct{ LoginWithCode firstStep }
	err := s.ask(`mutation($challenge: String!, $code: String!) { loginWithCode(challenge: $challenge, code: $code) { token } }`,
		map[string]any{"challenge": challenge, "code": code}, &data)
	shared.keepSecret("a staff session's token", data.LoginWithCode.Token)
	return staff{base: s.base, token: data.LoginWithCode.Token}, err
}

// appCode is of an authenticator app: ahead is for the next code, which is taken as well.
func appCode(t *testing.T, secret string, ahead int64) string {
	t.Helper()
	code, err := core.TOTPCode(core.NewSecret(secret), core.TOTPStep(time.Now())+ahead)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// setUpTOTP gives the signed-in member an authenticator app.
func (s staff) setUpTOTP(t *testing.T) (secret string, recovery []string) {
	t.Helper()
	var begun struct{ BeginTotp struct{ OtpauthURL string } }
	if err := s.ask(`mutation { beginTotp { otpauthUrl } }`, nil, &begun); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(begun.BeginTotp.OtpauthURL)
	if err != nil {
		t.Fatal(err)
	}
	secret = u.Query().Get("secret")
	shared.keepSecret("a TOTP secret", secret)
	var confirmed struct {
		ConfirmTotp struct{ RecoveryCodes []string }
	}
	err = s.ask(`mutation($code: String!) { confirmTotp(code: $code) { recoveryCodes } }`, map[string]any{"code": appCode(t, secret, 0)}, &confirmed)
	if err != nil || len(confirmed.ConfirmTotp.RecoveryCodes) != 10 {
		t.Fatalf("confirmTotp gives %+v (%v)", confirmed, err)
	}
	return secret, confirmed.ConfirmTotp.RecoveryCodes
}

func (s staff) role() (string, error) {
	var data struct{ Me struct{ Role string } }
	err := s.ask(`{ me { role } }`, nil, &data)
	return data.Me.Role, err
}

// TestSecondFactor signs the admin in with an authenticator app, a recovery code and a passkey, and helps one who lost them.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		server := in.serve("VEZNE_REQUIRE_SECOND_FACTOR=admin")
		admin, anybody := in.signIn(server, "admin"), staff{base: server.url}
		if _, err := admin.role(); codeOf(err) != "SECOND_FACTOR_REQUIRED" {
			t.Errorf("an admin without a second factor: %v", err)
		}
		secret, recovery := admin.setUpTOTP(t)
		if role, err := admin.role(); role != "admin" {
			t.Errorf("with a second factor: %q (%v)", role, err)
		}
		first := anybody.login(t, in.member("admin"))
		if first.Token != "" || first.SecondFactor == nil || fmt.Sprint(first.SecondFactor.Kinds) != "[totp recovery_code]" {
			t.Fatalf("login gives %+v", first)
		}
		code := appCode(t, secret, 1)
		again, err := anybody.loginWithCode(first.SecondFactor.Challenge, code)
		if role, _ := again.role(); err != nil || role != "admin" {
			t.Errorf("signed in as %q (%v)", role, err)
		}
		second := anybody.login(t, in.member("admin")).SecondFactor.Challenge
		if _, err := anybody.loginWithCode(second, code); codeOf(err) != "BAD_CODE" {
			t.Errorf("the same code again: %v", err)
		}
		if _, err := anybody.loginWithCode(second, recovery[0]); err != nil {
			t.Errorf("a recovery code: %v", err)
		}
		again.usePasskey(t)
		said := in.succeed("staff", "reset-factors", "--email", in.member("admin").Email)
		if !strings.Contains(said, "password alone") {
			t.Errorf("staff reset-factors says %q", said)
		}
		if _, err := again.role(); codeOf(err) != "UNAUTHENTICATED" {
			t.Errorf("a session of before: %v", err)
		}
		if anybody.login(t, in.member("admin")).Token == "" {
			t.Error("a second factor is asked for after the reset")
		}
		launch{args: []string{"staff", "reset-factors", "--email", "nobody@x"}, env: in.env}.expectFailure(t, "there is no staff member nobody@x")
		server.stop(t)
	})
}

// usePasskey gives the member a passkey and signs them in with it alone.
func (s staff) usePasskey(t *testing.T) {
	t.Helper()
	key := passkeytest.Authenticator{Origin: s.base}
	type ask struct{ Challenge, Options string }
	var begun struct{ BeginPasskey, BeginPasskeyLogin ask }
	if err := s.ask(`mutation { beginPasskey { challenge options } beginPasskeyLogin { challenge options } }`, nil, &begun); err != nil {
		t.Fatal(err)
	}
	answer, err := key.Register(begun.BeginPasskey.Options)
	if err != nil {
		t.Fatal(err)
	}
	var ignored map[string]any
	err = s.ask(`mutation($challenge: String!, $answer: String!) { finishPasskey(challenge: $challenge, answer: $answer, name: "key") {
		secondFactors { hasTotp } } }`, map[string]any{"challenge": begun.BeginPasskey.Challenge, "answer": answer}, &ignored)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err = key.SignIn(begun.BeginPasskeyLogin.Options); err != nil {
		t.Fatal(err)
	}
	var data struct{ LoginWithPasskey firstStep }
	err = staff{base: s.base}.ask(`mutation($challenge: String!, $answer: String!) {
		loginWithPasskey(challenge: $challenge, answer: $answer) { token } }`,
		map[string]any{"challenge": begun.BeginPasskeyLogin.Challenge, "answer": answer}, &data)
	shared.keepSecret("a staff session's token", data.LoginWithPasskey.Token)
	if role, _ := (staff{base: s.base, token: data.LoginWithPasskey.Token}).role(); err != nil || role != "admin" {
		t.Errorf("a passkey signs in as %q (%v)", role, err)
	}
}

// invite has a member of the other provider's staff invited by the two admins whom it takes, and gives the link.
func (in *installation) invite(p *process) string {
	in.t.Helper()
	admin, second := in.signIn(p, "admin"), in.secondAdmin(p)
	err := admin.ask(`mutation($provider: ID!) { inviteStaff(input: {email: "new@other.example", role: provider, providerId: $provider}) { link } }`,
		map[string]any{"provider": in.keys.OtherProvider.ID}, &struct{}{})
	waiting := second.requests(in.t, "waiting")
	if codeOf(err) != "APPROVAL_NEEDED" || len(waiting) != 1 {
		in.t.Fatalf("inviting gives %v, and there wait %+v", err, waiting)
	}
	id := map[string]any{"id": waiting[0].ID}
	if err := second.approve(waiting[0].ID); err != nil {
		in.t.Fatal(err)
	}
	var taken struct {
		TakeApprovalResult struct{ Credentials []struct{ Value string } }
	}
	err = admin.ask(`mutation($id: ID!) { takeApprovalResult(id: $id) { credentials { value } } }`, id, &taken)
	if err != nil || len(taken.TakeApprovalResult.Credentials) != 1 {
		in.t.Fatalf("the result is %+v (%v)", taken, err)
	}
	return taken.TakeApprovalResult.Credentials[0].Value
}

// TestInvitation makes staff of a provider by a link, who see its transactions and no others, and locks an account.
func TestInvitation(t *testing.T) {
	t.Parallel()
	forEach(t, func(t *testing.T, in *installation) {
		server := in.serve()
		anybody := staff{base: server.url}
		base, token, _ := strings.Cut(in.invite(server), "/invite#")
		shared.keepSecret("an invitation's token", token)
		if base != server.url {
			t.Errorf("the link is of %q", base)
		}
		accept := func() (staff, error) {
			var data struct{ AcceptInvitation firstStep }
			err := anybody.ask(`mutation($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { token } }`,
				map[string]any{"token": token, "password": "a password of their own"}, &data)
			shared.keepSecret("a staff session's token", data.AcceptInvitation.Token)
			return staff{base: server.url, token: data.AcceptInvitation.Token}, err
		}
		member, err := accept()
		if role, _ := member.role(); err != nil || role != "provider" {
			t.Fatalf("accepted as %q (%v)", role, err)
		}
		if _, err := accept(); codeOf(err) != "INVITATION_INVALID" {
			t.Errorf("accepted again: %v", err)
		}
		if list := member.all(t); len(list) != 0 {
			t.Errorf("the other provider's staff see %+v", list)
		}
		for range 5 {
			if _, err := signIn(server.url, "new@other.example", "wrong"); codeOf(err) != "BAD_LOGIN" {
				t.Errorf("a wrong password: %v", err)
			}
		}
		if _, err := signIn(server.url, "new@other.example", "a password of their own"); codeOf(err) != "BAD_LOGIN" {
			t.Errorf("a locked account: %v", err)
		}
		server.stop(t)
	})
}
