package staff_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
)

func TestLockDoublesUpToAnHourAndSuccessEndsIt(t *testing.T) {
	t.Parallel()
	f, now := staff.Factors{StaffID: 7}, time.Unix(1_800_000_000, 0)
	var waits []time.Duration
	for range 14 {
		f = f.Failed("", now)
		if f.IsLocked(now) {
			waits = append(waits, f.Strange.Until.Sub(now))
			now = f.Strange.Until
		} else {
			waits = append(waits, 0)
		}
	}
	m := time.Minute
	for i, want := range []time.Duration{0, 0, 0, 0, m, 2 * m, 4 * m, 8 * m, 16 * m, 32 * m, 60 * m, 60 * m, 60 * m, 60 * m} {
		if waits[i] != want {
			t.Errorf("failure %d: locked for %s, want %s", i+1, waits[i], want)
		}
	}
	after, changed := f.Succeeded("", now)
	if again, twice := after.Succeeded("", now); !changed || twice || after.Strange.Failures != 0 || again.IsLocked(now) {
		t.Errorf("after success: %+v", after)
	}
}

// TestALockCountsWhereItFailed: what fails elsewhere does not lock a place from which the member signs in.
func TestALockCountsWhereItFailed(t *testing.T) {
	t.Parallel()
	f, now := staff.Factors{StaffID: 7}, time.Unix(1_800_000_000, 0)
	f, changed := f.Succeeded("office", now)
	if _, twice := f.Succeeded("office", now); !changed || twice || !f.Knows("office") || f.Knows("") || f.Knows("abroad") {
		t.Fatalf("got %+v", f)
	}
	for range 5 {
		f = f.Failed("abroad", now)
	}
	if f.LockAt("office").IsOn(now) || !f.LockAt("abroad").IsOn(now) || !f.LockAt("").IsOn(now) || !f.IsLocked(now) {
		t.Errorf("after failures abroad: %+v", f)
	}
	f, _ = f.Succeeded("office", now)
	if !f.LockAt("elsewhere").IsOn(now) {
		t.Errorf("the lock ended where nobody signed in: %+v", f)
	}
	for range 5 {
		f = f.Failed("office", now)
	}
	if !f.LockAt("office").IsOn(now) {
		t.Errorf("after failures in the office: %+v", f)
	}
	f, changed = f.Unlocked(now)
	if _, twice := f.Unlocked(now); !changed || twice || f.IsLocked(now) || !f.Knows("office") {
		t.Errorf("unlocked: %+v", f)
	}
	for i := range 9 {
		f, _ = f.Succeeded(string(rune('a'+i)), now)
	}
	f, _ = f.Succeeded("office", now) // is the latest again
	f, _ = f.Succeeded("new", now)
	if len(f.Places) != 10 || !f.Knows("office") || !f.Knows("new") || f.Knows("a") {
		t.Errorf("known are %v", f.Places)
	}
}

func TestRecoveryCodesCountOnceHoweverTheyAreTyped(t *testing.T) {
	t.Parallel()
	codes, err := staff.NewRecoveryCodes(rand.Reader)
	if err != nil || len(codes) != 10 {
		t.Fatal(codes, err)
	}
	now := time.Unix(1_800_000_000, 0)
	f := staff.Factors{StaffID: 7, Version: 1, Strange: staff.Lock{Failures: 3}}.WithRecoveryCodes(codes, now)
	for i, code := range codes {
		typed := []string{code, strings.ToUpper(code), strings.ReplaceAll(code, "-", " ")}[i%3]
		after, kind, ok := f.Use(typed, "", now)
		if !ok || kind != staff.RecoveryFactor || len(after.RecoveryCodes) != 9-i || after.Strange.Failures != 0 || after.Version != f.Version+1 {
			t.Fatalf("%q: %+v %t", typed, after, ok)
		}
		if _, _, twice := after.Use(code, "", now); twice {
			t.Errorf("%q counts twice", code)
		}
		f = after
	}
	if _, _, ok := f.Use("", "", now); ok {
		t.Error("no code counts")
	}
}

func TestASetUpSecretCountsOnceItIsConfirmed(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	first, second := core.NewSecret("JBSWY3DPEHPK3PXP"), core.NewSecret("KRSXG5CTMVRXEZLU")
	codeOf := func(s core.Secret, at time.Time) string {
		code, err := staff.TOTPCode(s, staff.TOTPStep(at))
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	f := staff.Factors{StaffID: 7}.BeginTOTP(first, now)
	if _, _, ok := f.Use(codeOf(first, now), "", now); ok || len(f.Kinds(0)) != 0 {
		t.Error("an unconfirmed secret counts")
	}
	f, ok := f.ConfirmTOTP(codeOf(first, now), []string{"a-b"}, now)
	if !ok || !f.HasTOTP() || len(f.RecoveryCodes) != 1 {
		t.Fatalf("confirmed: %+v %t", f, ok)
	}
	if _, _, twice := f.Use(codeOf(first, now), "", now); twice {
		t.Error("the confirming code signs in as well")
	}
	later := now.Add(time.Minute)
	f = f.BeginTOTP(second, later)
	if _, _, ok := f.Use(codeOf(first, later), "", later); !ok {
		t.Error("the old app is out before the new one is confirmed")
	}
	f, ok = f.ConfirmTOTP(codeOf(second, later), []string{"c"}, later)
	if _, _, old := f.Use(codeOf(first, later.Add(time.Minute)), "", later.Add(time.Minute)); !ok || old || len(f.RecoveryCodes) != 1 {
		t.Error("the old app goes on, or codes were given twice")
	}
	if f = f.RemoveTOTP(0, later); f.HasTOTP() || len(f.RecoveryCodes) != 0 {
		t.Errorf("removed: %+v", f)
	}
}
