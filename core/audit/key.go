package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/vezne/vezne/core"
)

// Key is a key under which links of the audit log's chain, and its heads, are made. It is no key of encryption: it
// stays readable for as long as anybody wants to check what was made under it.
type Key struct {
	id     string
	secret core.Secret
}

// keyBytes is the size of an audit key: 256 bits.
const keyBytes = 32

// keyIDBytes of a hash tell keys apart, and say nothing about them.
const keyIDBytes = 8

// ID is what links have of the key: 16 hexadecimal digits, which say nothing about it.
func (k Key) ID() string { return k.id }

func (k Key) isZero() bool { return k.secret.IsZero() }

func (k Key) hash() hash.Hash { return hmac.New(sha256.New, []byte(k.secret.Reveal())) }

func newKey(raw []byte) Key {
	k := Key{secret: core.NewSecret(string(raw))}
	sum := k.hash()
	_, _ = sum.Write([]byte("vezne audit key id")) // a hash never fails to write
	k.id = hex.EncodeToString(sum.Sum(nil)[:keyIDBytes])
	return k
}

// Keys are the audit keys of an installation. The first signs; the others only verify what they have signed.
type Keys []Key

// ParseKeys reads 32-byte keys in base64, separated by commas. Its error shows none of them.
func ParseKeys(text string) (Keys, error) {
	var keys Keys
	for i, part := range strings.Split(text, ",") {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(raw) != keyBytes {
			return nil, fmt.Errorf("audit key %d is not 32 bytes in base64; `openssl rand -base64 32` makes one", i+1)
		}
		keys = append(keys, newKey(raw))
	}
	return keys, nil
}

// Signer is the key that signs; the zero key when there is none.
func (k Keys) Signer() Key {
	if len(k) == 0 {
		return Key{}
	}
	return k[0]
}

// Has reports whether a key is among them.
func (k Keys) Has(id string) bool {
	_, ok := k.byID(id)
	return ok
}

func (k Keys) byID(id string) (Key, bool) {
	i := slices.IndexFunc(k, func(key Key) bool { return key.id == id && !key.isZero() })
	if i < 0 {
		return Key{}, false
	}
	return k[i], true
}
