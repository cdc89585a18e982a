package plugkit

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/ports"
)

// HMAC256 is the HMAC-SHA256 of the joined parts.
func HMAC256(key string, parts ...string) []byte {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(strings.Join(parts, "")))
	return mac.Sum(nil)
}

// EqualHex compares a signature in hex with what it must be, in constant time. Anything but exactly that many small hex
// digits is wrong, and so is everything where there is nothing that it must be.
func EqualHex(got string, want []byte) bool { return equal(got, hex.EncodeToString(want)) }

// EqualBase64 compares a signature in padded base64 in the same way.
func EqualBase64(got string, want []byte) bool {
	return equal(got, base64.StdEncoding.EncodeToString(want))
}

func equal(got, want string) bool {
	return want != "" && subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}

// OnlyHeader is the value of a header that must be there exactly once; otherwise it is empty. Of two signatures nobody knows which
// one counts.
func OnlyHeader(h gateway.Header, name string) string {
	if values := h.Values(name); len(values) == 1 {
		return values[0]
	}
	return ""
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

// Nonces makes texts that are new with every request. A plugin has no source of randomness, and need not have one: such a text is public
// and protected by a signature, so that it must be unique and need not be secret. A counter makes it so within one gateway; the clock
// and what it is made for between processes.
type Nonces struct {
	Clock ports.Clock
	made  atomic.Uint64
}

// Next is 64 hex digits that no earlier call gave.
func (n *Nonces) Next(of ...string) string {
	return ContentID(append(of, strconv.FormatInt(n.Clock.Now().UnixNano(), 10), strconv.FormatUint(n.made.Add(1), 10))...)
}
