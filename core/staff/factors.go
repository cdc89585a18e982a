package staff

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/sign"
)

// FactorKind is a way of proving, beside the password, who one is.
type FactorKind string

// Kinds of second factors.
const (
	TOTPFactor     FactorKind = "totp"
	RecoveryFactor FactorKind = "recovery_code"
	PasskeyFactor  FactorKind = "passkey"
)

// FactorKinds lists all kinds.
func FactorKinds() []FactorKind { return []FactorKind{TOTPFactor, RecoveryFactor, PasskeyFactor} }

// Sizes of what members have.
const (
	RecoveryCodeCount = 10
	MaxPasskeys       = 10
)

// maxPlaces is from how many places a member is known at once.
const maxPlaces = 10

// Bounds of guessing: after lockAfter failures in a row the account is locked for lockFirst, and after every further
// failure for twice as long as before, lockLongest at most.
const (
	lockAfter   = 5
	lockFirst   = time.Minute
	lockLongest = time.Hour
)

// Factors is how a staff member proves who they are besides the password, and how their sign-in goes. Passkeys are rows
// of their own. Who has none of it has the Factors of version 0.
type Factors struct {
	StaffID       int64
	Version       int
	Strange       Lock        // what fails from elsewhere than Places costs
	Known         Lock        // what fails from there: so nobody who is elsewhere keeps the member out
	Places        []string    // whence the member signed in, the latest last
	TOTP          core.Secret // empty: none
	PendingTOTP   core.Secret // set up, not yet confirmed with a code
	TOTPStep      int64       // the last step whose code counted: a code counts once
	RecoveryCodes []string    // sign.Fingerprint of those that are left
	UpdatedAt     time.Time
}

// Identity implements Row.
func (f Factors) Identity() core.Identity {
	return core.Identity{Table: "factors", Key: strconv.FormatInt(f.StaffID, 10), Version: f.Version}
}

// Lock is how often it failed in a row, and until when that keeps everybody out. A sign-in that succeeds ends it.
type Lock struct {
	Failures int
	Until    time.Time // zero: never locked
}

// IsOn reports whether the lock keeps out at a moment.
func (l Lock) IsOn(now time.Time) bool { return now.Before(l.Until) }

func (l Lock) failed(now time.Time) Lock {
	l.Failures++
	if over := l.Failures - lockAfter; over >= 0 {
		wait := lockLongest
		if over < 6 { // 2^6 minutes are more than lockLongest
			wait = min(lockFirst<<over, lockLongest)
		}
		l.Until = now.Add(wait)
	}
	return l
}

// Knows reports whether the member signed in from a place before. No place is unknown.
func (f Factors) Knows(place string) bool { return place != "" && slices.Contains(f.Places, place) }

// LockAt is the lock that counts at a place.
func (f Factors) LockAt(place string) Lock {
	if f.Knows(place) {
		return f.Known
	}
	return f.Strange
}

func (f Factors) withLockAt(place string, l Lock) Factors {
	if f.Knows(place) {
		f.Known = l
	} else {
		f.Strange = l
	}
	return f
}

// IsLocked reports whether sign-in by password or code is refused from anywhere at a moment.
func (f Factors) IsLocked(now time.Time) bool { return f.Strange.IsOn(now) || f.Known.IsOn(now) }

// HasTOTP reports whether an authenticator app is set up.
func (f Factors) HasTOTP() bool { return !f.TOTP.IsZero() }

// Kinds lists what the member may prove themself with.
func (f Factors) Kinds(passkeys int) []FactorKind {
	var kinds []FactorKind
	if f.HasTOTP() {
		kinds = append(kinds, TOTPFactor)
	}
	if passkeys > 0 {
		kinds = append(kinds, PasskeyFactor)
	}
	if len(kinds) > 0 && len(f.RecoveryCodes) > 0 {
		kinds = append(kinds, RecoveryFactor)
	}
	return kinds
}

func (f Factors) changed(now time.Time) Factors {
	f.Version++
	f.UpdatedAt = now
	f.RecoveryCodes, f.Places = slices.Clone(f.RecoveryCodes), slices.Clone(f.Places)
	return f
}

// Touched is saved where nothing may change meanwhile.
func (f Factors) Touched(now time.Time) Factors { return f.changed(now) }

// Failed counts a failure at a place; the one that comes too many locks the account there.
func (f Factors) Failed(place string, now time.Time) Factors {
	f = f.changed(now)
	return f.withLockAt(place, f.LockAt(place).failed(now))
}

// Succeeded remembers the place and forgets what failed there; changed is false where that is nothing new.
func (f Factors) Succeeded(place string, now time.Time) (after Factors, changed bool) {
	isLatest := place == "" || (f.Knows(place) && f.Places[len(f.Places)-1] == place)
	if isLatest && f.LockAt(place) == (Lock{}) {
		return f, false
	}
	return f.forgiven(place, now), true
}

func (f Factors) forgiven(place string, now time.Time) Factors {
	f = f.changed(now).withLockAt(place, Lock{})
	if place == "" {
		return f
	}
	f.Places = append(slices.DeleteFunc(f.Places, func(p string) bool { return p == place }), place)
	f.Places = f.Places[max(0, len(f.Places)-maxPlaces):]
	return f
}

// Unlocked ends the locks; changed is false where nothing failed.
func (f Factors) Unlocked(now time.Time) (after Factors, changed bool) {
	if f.Strange == (Lock{}) && f.Known == (Lock{}) {
		return f, false
	}
	f = f.changed(now)
	f.Strange, f.Known = Lock{}, Lock{}
	return f, true
}

// UsedUntil are the factors when every code of the authenticator app that was good at or before a moment counts as used: a backup
// that was restored then does not know which were.
func (f Factors) UsedUntil(at time.Time) Factors {
	f.TOTPStep = max(f.TOTPStep, TOTPStep(at)+totpDrift)
	return f
}

// Use proves with a code, at a place: of the authenticator app, or a recovery code. It counts once, and failures before it
// are forgotten. ok reports whether it is one.
func (f Factors) Use(code, place string, now time.Time) (after Factors, kind FactorKind, ok bool) {
	code = plainCode(code)
	if f.HasTOTP() && len(code) == totpDigits {
		step, ok := MatchTOTP(f.TOTP, code, now, f.TOTPStep)
		after = f.forgiven(place, now)
		after.TOTPStep = step
		return after, TOTPFactor, ok
	}
	i := slices.Index(f.RecoveryCodes, sign.Fingerprint(code))
	if i < 0 {
		return f, RecoveryFactor, false
	}
	after = f.forgiven(place, now)
	after.RecoveryCodes = slices.Delete(after.RecoveryCodes, i, i+1)
	return after, RecoveryFactor, true
}

// BeginTOTP keeps a new secret until it is confirmed.
func (f Factors) BeginTOTP(secret core.Secret, now time.Time) Factors {
	f = f.changed(now)
	f.PendingTOTP = secret
	return f
}

// ConfirmTOTP takes the pending secret into use with its first code, and the recovery codes where there are none.
func (f Factors) ConfirmTOTP(code string, recovery []string, now time.Time) (after Factors, ok bool) {
	if f.PendingTOTP.IsZero() {
		return f, false
	}
	step, ok := MatchTOTP(f.PendingTOTP, plainCode(code), now, 0)
	if !ok {
		return f, false
	}
	f = f.changed(now)
	f.TOTP, f.PendingTOTP, f.TOTPStep = f.PendingTOTP, core.Secret{}, step
	if len(f.RecoveryCodes) == 0 {
		f.RecoveryCodes = fingerprints(recovery)
	}
	return f, true
}

// RemoveTOTP takes the authenticator app away; with no passkey left the recovery codes go as well.
func (f Factors) RemoveTOTP(passkeys int, now time.Time) Factors {
	f = f.changed(now)
	f.TOTP, f.PendingTOTP = core.Secret{}, core.Secret{} // TOTPStep stays: no code of the same secret could come again
	if passkeys == 0 {
		f.RecoveryCodes = nil
	}
	return f
}

// WithRecoveryCodes replaces the recovery codes; the old ones count no more.
func (f Factors) WithRecoveryCodes(codes []string, now time.Time) Factors {
	f = f.changed(now)
	f.RecoveryCodes = fingerprints(codes)
	return f
}

func fingerprints(codes []string) []string {
	list := make([]string, len(codes))
	for i, c := range codes {
		list[i] = sign.Fingerprint(plainCode(c))
	}
	return list
}

// Reset takes all factors and the lock away, for a member who lost them.
func (f Factors) Reset(now time.Time) Factors {
	f = f.changed(now)
	return Factors{StaffID: f.StaffID, Version: f.Version, Places: f.Places, TOTPStep: f.TOTPStep, UpdatedAt: now}
}

// NewRecoveryCodes makes codes of 80 random bits, in groups of four characters.
func NewRecoveryCodes(random io.Reader) ([]string, error) {
	codes := make([]string, RecoveryCodeCount)
	for i := range codes {
		var raw [core.IDRandomBytes]byte
		if _, err := io.ReadFull(random, raw[:]); err != nil {
			return nil, fmt.Errorf("recovery codes: %w", err)
		}
		c := strings.ToLower(core.Encode80(raw))
		codes[i] = c[:4] + "-" + c[4:8] + "-" + c[8:12] + "-" + c[12:]
	}
	return codes, nil
}

// plainCode is a code as people type it, without what they put between its characters.
func plainCode(code string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "").Replace(code))
}
