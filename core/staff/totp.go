package staff

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // RFC 6238 as every authenticator app has it; an HMAC does not need collision resistance
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/sign"
)

// Parameters of RFC 6238, which authenticator apps take for granted.
const (
	totpStep        = 30 * time.Second
	totpDrift       = 1 // steps that a phone's clock may be off, either way
	totpDigits      = 6
	totpModulus     = 1_000_000
	totpSecretBytes = 20 // RFC 4226: as long as the hash
)

// NewTOTPSecret makes the secret that an authenticator app and Vezne share, in base32.
func NewTOTPSecret(random io.Reader) (core.Secret, error) {
	var raw [totpSecretBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return core.Secret{}, fmt.Errorf("totp secret: %w", err)
	}
	return core.NewSecret(totpEncoding().EncodeToString(raw[:])), nil
}

func totpEncoding() *base32.Encoding { return base32.StdEncoding.WithPadding(base32.NoPadding) }

// TOTPURL is what an authenticator app reads as a QR code.
func TOTPURL(secret core.Secret, issuer, account string) string {
	q := url.Values{"secret": {secret.Reveal()}, "issuer": {issuer}}
	u := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + issuer + ":" + account, RawQuery: q.Encode()}
	return u.String()
}

// TOTPStep numbers the 30 seconds of a moment.
func TOTPStep(at time.Time) int64 { return at.Unix() / int64(totpStep/time.Second) }

// TOTPCode is the six digits of a step.
func TOTPCode(secret core.Secret, step int64) (string, error) {
	key, err := totpEncoding().DecodeString(secret.Reveal())
	if err != nil || len(key) == 0 {
		return "", fmt.Errorf("totp secret is not base32")
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, step) // a hash takes everything
	sum := mac.Sum(nil)
	cut := binary.BigEndian.Uint32(sum[sum[len(sum)-1]&0xf:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", totpDigits, cut%totpModulus), nil
}

// MatchTOTP finds the step of a code that is near a moment and later than the last step that counted.
func MatchTOTP(secret core.Secret, code string, at time.Time, last int64) (step int64, ok bool) {
	now := TOTPStep(at)
	for s := now - totpDrift; s <= now+totpDrift; s++ {
		want, err := TOTPCode(secret, s)
		if err == nil && sign.Equal(code, want) && s > last {
			step, ok = s, true
		}
	}
	return step, ok
}
