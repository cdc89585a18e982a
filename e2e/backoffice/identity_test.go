package backoffice_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/e2e/harness"
	"github.com/vezne/vezne/ports/passkeytest"
)

// firstStep is what login answers to the right password.
type firstStep struct {
	Token        string
	SecondFactor *struct {
		Challenge string
		Kinds     []string
	}
}

func login(t *testing.T, s harness.Staff, m harness.StaffKeys) firstStep {
	t.Helper()
	var data struct{ Login firstStep }
	err := s.Ask(`mutation($email: String!, $password: String!) { login(input: {email: $email, password: $password}) {
		token secondFactor { challenge kinds } } }`, map[string]any{"email": m.Email, "password": m.Password}, &data)
	if err != nil {
		t.Fatal(err)
	}
	return data.Login
}

// loginWithCode answers a challenge and returns the new session.
func loginWithCode(s harness.Staff, challenge, code string) (harness.Staff, error) {
	var data struct{ LoginWithCode firstStep }
	err := s.Ask(`mutation($challenge: String!, $code: String!) { loginWithCode(input: {challenge: $challenge, code: $code}) { token } }`,
		map[string]any{"challenge": challenge, "code": code}, &data)
	harness.KeepSecret("a staff session's token", data.LoginWithCode.Token)
	return harness.Staff{Base: s.Base, Token: data.LoginWithCode.Token}, err
}

func role(s harness.Staff) (string, error) {
	var data struct{ Me struct{ Role string } }
	err := s.Ask(`{ me { role } }`, nil, &data)
	return data.Me.Role, err
}

// TestSecondFactor signs the admin in with an authenticator app, a recovery code and a passkey, and helps one who lost them.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve("VEZNE_REQUIRE_SECOND_FACTOR=admin")
		admin, anybody := in.SignIn(server, "admin"), harness.Staff{Base: server.URL}
		if _, err := role(admin); harness.CodeOf(err) != "SECOND_FACTOR_REQUIRED" {
			t.Errorf("an admin without a second factor: %v", err)
		}
		elsewhere, err := harness.SignIn(server.URL, in.Member("admin").Email, in.Member("admin").Password)
		if err != nil {
			t.Fatal(err)
		}
		secret, recovery := admin.SetUpTOTP(t)
		if _, err := role(elsewhere); harness.CodeOf(err) != "UNAUTHENTICATED" {
			t.Errorf("a session that the password alone had opened elsewhere: %v", err)
		}
		if role, err := role(admin); role != "ADMIN" {
			t.Errorf("with a second factor: %q (%v)", role, err)
		}
		first := login(t, anybody, in.Member("admin"))
		if first.Token != "" || first.SecondFactor == nil || fmt.Sprint(first.SecondFactor.Kinds) != "[TOTP RECOVERY_CODE]" {
			t.Fatalf("login gives %+v", first)
		}
		code := harness.AppCode(t, secret, 1)
		again, err := loginWithCode(anybody, first.SecondFactor.Challenge, code)
		if role, _ := role(again); err != nil || role != "ADMIN" {
			t.Errorf("signed in as %q (%v)", role, err)
		}
		second := login(t, anybody, in.Member("admin")).SecondFactor.Challenge
		if _, err := loginWithCode(anybody, second, code); harness.CodeOf(err) != "BAD_CODE" {
			t.Errorf("the same code again: %v", err)
		}
		if _, err := loginWithCode(anybody, second, recovery[0]); err != nil {
			t.Errorf("a recovery code: %v", err)
		}
		usePasskey(t, again)
		var found struct{ Me, ResetStaffFactors struct{ ID string } }
		err = again.Ask(`{ me { id } }`, nil, &found)
		if err == nil {
			err = again.Ask(`mutation($id: ID!) { resetStaffFactors(input: {id: $id}) { __typename } }`, map[string]any{"id": found.Me.ID}, &found)
		}
		if harness.CodeOf(err) != "SECOND_FACTOR_REQUIRED" {
			t.Errorf("an admin resets their own factors, which their role demands: %v", err)
		}
		server = in.InTurn(server, "", "staff", "reset-factors", "--email", in.Member("admin").Email)
		if _, err := role(again); harness.CodeOf(err) != "UNAUTHENTICATED" {
			t.Errorf("a session of before: %v", err)
		}
		if login(t, anybody, in.Member("admin")).Token == "" {
			t.Error("a second factor is asked for after the reset")
		}
		server.Stop(t)
		if said := in.Succeed("staff", "reset-factors", "--email", in.Member("admin").Email); !strings.Contains(said, "password alone") {
			t.Errorf("staff reset-factors says %q", said)
		}
		harness.Launch{Args: []string{"staff", "reset-factors", "--email", "nobody@x"}, Env: in.Env}.ExpectFailure(t, "there is no staff member nobody@x")
	})
}

// usePasskey returns the member a passkey and signs them in with it alone.
func usePasskey(t *testing.T, s harness.Staff) {
	t.Helper()
	key := passkeytest.Authenticator{Origin: s.Base}
	type ask struct{ Challenge, Options string }
	var begun struct{ BeginPasskey, BeginPasskeyLogin ask }
	if err := s.Ask(`mutation { beginPasskey { challenge options } beginPasskeyLogin { challenge options } }`, nil, &begun); err != nil {
		t.Fatal(err)
	}
	answer, err := key.Register(begun.BeginPasskey.Options)
	if err != nil {
		t.Fatal(err)
	}
	var ignored map[string]any
	err = s.Ask(`mutation($challenge: String!, $answer: String!) { finishPasskey(input: {challenge: $challenge, answer: $answer, name: "key"}) {
		secondFactors { hasTotp } } }`, map[string]any{"challenge": begun.BeginPasskey.Challenge, "answer": answer}, &ignored)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err = key.SignIn(begun.BeginPasskeyLogin.Options); err != nil {
		t.Fatal(err)
	}
	var data struct{ LoginWithPasskey firstStep }
	err = harness.Staff{Base: s.Base}.Ask(`mutation($challenge: String!, $answer: String!) {
		loginWithPasskey(input: {challenge: $challenge, answer: $answer}) { token } }`,
		map[string]any{"challenge": begun.BeginPasskeyLogin.Challenge, "answer": answer}, &data)
	harness.KeepSecret("a staff session's token", data.LoginWithPasskey.Token)
	if role, _ := role((harness.Staff{Base: s.Base, Token: data.LoginWithPasskey.Token})); err != nil || role != "ADMIN" {
		t.Errorf("a passkey signs in as %q (%v)", role, err)
	}
}

// invite has a member of the other provider's staff invited by the two admins whom it takes, and returns the link.
func invite(in *harness.Installation, p *harness.Process) string {
	in.T.Helper()
	admin, second := in.SignIn(p, "admin"), secondAdmin(in, p)
	err := admin.Ask(`mutation($provider: ID!) { inviteStaff(input: {email: "new@other.example", role: PROVIDER, providerId: $provider}) { link } }`,
		map[string]any{"provider": in.Keys.OtherProvider.ID}, &struct{}{})
	waiting := second.Requests(in.T, "WAITING")
	if harness.CodeOf(err) != "APPROVAL_NEEDED" || len(waiting) != 1 {
		in.T.Fatalf("inviting gives %v, and there wait %+v", err, waiting)
	}
	id := map[string]any{"id": waiting[0].ID}
	if err := second.Approve(waiting[0].ID); err != nil {
		in.T.Fatal(err)
	}
	var taken struct {
		TakeApprovalResult struct{ Credentials []struct{ Value string } }
	}
	err = admin.Ask(`mutation($id: ID!) { takeApprovalResult(input: {id: $id}) { credentials { value } } }`, id, &taken)
	if err != nil || len(taken.TakeApprovalResult.Credentials) != 1 {
		in.T.Fatalf("the result is %+v (%v)", taken, err)
	}
	return taken.TakeApprovalResult.Credentials[0].Value
}

// TestInvitation makes staff of a provider by a link, who see its transactions and no others, and locks an account.
func TestInvitation(t *testing.T) {
	t.Parallel()
	harness.ForEach(t, func(t *testing.T, in *harness.Installation) {
		server := in.Serve()
		anybody := harness.Staff{Base: server.URL}
		base, token, _ := strings.Cut(invite(in, server), "/invite#")
		harness.KeepSecret("an invitation's token", token)
		if base != server.URL {
			t.Errorf("the link is of %q", base)
		}
		accept := func(password string) (harness.Staff, error) {
			var data struct{ AcceptInvitation firstStep }
			err := anybody.Ask(`mutation($token: String!, $password: String!) { acceptInvitation(input: {token: $token, password: $password}) { token } }`,
				map[string]any{"token": token, "password": password}, &data)
			harness.KeepSecret("a staff session's token", data.AcceptInvitation.Token)
			return harness.Staff{Base: server.URL, Token: data.AcceptInvitation.Token}, err
		}
		for _, guessable := range []string{"password123456", "qwertyuiop123", "new@other.example"} {
			if _, err := accept(guessable); harness.CodeOf(err) != "INVALID" {
				t.Errorf("with the password %s: %v", guessable, err)
			}
		}
		member, err := accept("a password of their own")
		if role, _ := role(member); err != nil || role != "PROVIDER" {
			t.Fatalf("accepted as %q (%v)", role, err)
		}
		if _, err := accept("a password of their own"); harness.CodeOf(err) != "INVITATION_INVALID" {
			t.Errorf("accepted again: %v", err)
		}
		if list := member.All(t); len(list) != 0 {
			t.Errorf("the other provider's staff see %+v", list)
		}
		for range 5 {
			if _, err := harness.SignIn(server.URL, "new@other.example", "wrong"); harness.CodeOf(err) != "BAD_LOGIN" {
				t.Errorf("a wrong password: %v", err)
			}
		}
		if _, err := harness.SignIn(server.URL, "new@other.example", "a password of their own"); harness.CodeOf(err) != "BAD_LOGIN" {
			t.Errorf("a locked account: %v", err)
		}
		server.Stop(t)
	})
}
