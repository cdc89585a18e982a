package plugkit

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strconv"
	"strings"
)

// HMAC256 is the HMAC-SHA256 of the joined parts.
func HMAC256(key string, parts ...string) []byte {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(strings.Join(parts, "")))
	return mac.Sum(nil)
}

// EqualHex compares a signature in hex with what it must be, in constant time. Anything but exactly that many hex
// digits is wrong, and so is everything where there is nothing that it must be.
func EqualHex(got string, want []byte) bool {
	raw, err := hex.DecodeString(got)
	return err == nil && len(want) > 0 && subtle.ConstantTimeCompare(raw, want) == 1
}

// SignedByAny reports whether a signature in hex is right under one of the secrets, each of which is tried.
func SignedByAny(got string, secrets []string, sum func(secret string) []byte) bool {
	ok := false
	for _, s := range secrets {
		if s != "" && EqualHex(got, sum(s)) {
			ok = true
		}
	}
	return ok
}

// ContentID derives a notification's ID from its exact content, for gateways that send none.
func ContentID(parts ...string) string {
	sum := sha256.New()
	for _, p := range parts {
		sum.Write([]byte(strconv.Itoa(len(p)) + ":" + p)) // no two lists of parts read the same
	}
	return hex.EncodeToString(sum.Sum(nil))
}
