package staff_test

import (
	"crypto/rand"
	"encoding/base32"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
)

// TestTOTPOfRFC6238 has the RFC's own vectors (appendix B, SHA-1), whose last six digits count.
func TestTOTPOfRFC6238(t *testing.T) {
	t.Parallel()
	secret := core.NewSecret(base32.StdEncoding.EncodeToString([]byte("12345678901234567890")))
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		got, err := staff.TOTPCode(secret, staff.TOTPStep(time.Unix(at, 0)))
		if err != nil || got != want {
			t.Errorf("at %d: got %s (%v), want %s", at, got, err, want)
		}
	}
	if _, err := staff.TOTPCode(core.NewSecret("not base32!"), 1); err == nil {
		t.Error("a secret that is none has a code")
	}
}

func TestACodeIsTakenForOneStepOfDriftAndOnce(t *testing.T) {
	t.Parallel()
	secret, err := staff.NewTOTPSecret(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_800_000_000, 0)
	for drift := int64(-2); drift <= 2; drift++ {
		step := staff.TOTPStep(now) + drift
		code, err := staff.TOTPCode(secret, step)
		if err != nil {
			t.Fatal(err)
		}
		found, ok := staff.MatchTOTP(secret, code, now, 0)
		if want := drift >= -1 && drift <= 1; ok != want || ok && found != step {
			t.Errorf("%d steps off: got %d %t", drift, found, ok)
		}
		if _, ok := staff.MatchTOTP(secret, code, now, step); ok {
			t.Errorf("%d steps off: counted twice", drift)
		}
	}
}

func TestTOTPURLIsWhatAppsRead(t *testing.T) {
	t.Parallel()
	got := staff.TOTPURL(core.NewSecret("JBSWY3DPEHPK3PXP"), "Vezne", "ayşe@example.com")
	if got != "otpauth://totp/Vezne:ay%C5%9Fe@example.com?issuer=Vezne&secret=JBSWY3DPEHPK3PXP" {
		t.Error(got)
	}
}
