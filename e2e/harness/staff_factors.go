package harness

import (
	"net/url"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
)

// AppCode is what an authenticator app shows: ahead is for the next code, which is taken as well.
func AppCode(t testing.TB, secret string, ahead int64) string {
	t.Helper()
	code, err := staff.TOTPCode(core.NewSecret(secret), staff.TOTPStep(time.Now())+ahead)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// SetUpTOTP adds an authenticator app as a second factor, which the session then has.
func (s Staff) SetUpTOTP(t testing.TB) (secret string, recovery []string) {
	t.Helper()
	var begun struct{ BeginTotp struct{ OtpauthURL string } }
	if err := s.Ask(`mutation { beginTotp { otpauthUrl } }`, nil, &begun); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(begun.BeginTotp.OtpauthURL)
	if err != nil {
		t.Fatal(err)
	}
	secret = u.Query().Get("secret")
	KeepSecret("a TOTP secret", secret)
	var confirmed struct {
		ConfirmTotp struct{ RecoveryCodes []string }
	}
	err = s.Ask(`mutation($code: String!) { confirmTotp(input: {code: $code}) { recoveryCodes } }`, map[string]any{"code": AppCode(t, secret, 0)}, &confirmed)
	if err != nil || len(confirmed.ConfirmTotp.RecoveryCodes) != 10 {
		t.Fatalf("confirmTotp returns %+v (%v)", confirmed, err)
	}
	return secret, confirmed.ConfirmTotp.RecoveryCodes
}
