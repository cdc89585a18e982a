package core

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"
)

// AuditKey is a key under which links of the audit log's chain, and its heads, are made. It is no key of encryption: it
// stays readable for as long as anybody wants to check what was made under it.
type AuditKey struct {
	id     string
	secret Secret
}

// auditKeyBytes is the size of an audit key: 256 bits.
const auditKeyBytes = 32

// auditKeyIDBytes of a hash tell keys apart, and say nothing about them.
const auditKeyIDBytes = 8

// ID is what links have of the key: 16 hexadecimal digits, which say nothing about it.
func (k AuditKey) ID() string { return k.id }

func (k AuditKey) isZero() bool { return k.secret.IsZero() }

func (k AuditKey) hash() hash.Hash { return hmac.New(sha256.New, []byte(k.secret.Reveal())) }

func newAuditKey(raw []byte) AuditKey {
	k := AuditKey{secret: NewSecret(string(raw))}
	sum := k.hash()
	_, _ = sum.Write([]byte("vezne audit key id")) // a hash never fails to write
	k.id = hex.EncodeToString(sum.Sum(nil)[:auditKeyIDBytes])
	return k
}

// AuditKeys are the audit keys of an installation. The first signs; the others only verify what they have signed.
type AuditKeys []AuditKey

// ParseAuditKeys reads 32-byte keys in base64, separated by commas. Its error shows none of them.
func ParseAuditKeys(text string) (AuditKeys, error) {
	var keys AuditKeys
	for i, part := range strings.Split(text, ",") {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(raw) != auditKeyBytes {
			return nil, fmt.Errorf("audit key %d is not 32 bytes in base64; `openssl rand -base64 32` makes one", i+1)
		}
		keys = append(keys, newAuditKey(raw))
	}
	return keys, nil
}

// Signer is the key that signs; the zero key when there is none.
func (k AuditKeys) Signer() AuditKey {
	if len(k) == 0 {
		return AuditKey{}
	}
	return k[0]
}

// Has reports whether a key is among them.
func (k AuditKeys) Has(id string) bool {
	_, ok := k.byID(id)
	return ok
}

func (k AuditKeys) byID(id string) (AuditKey, bool) {
	i := slices.IndexFunc(k, func(key AuditKey) bool { return key.id == id && !key.isZero() })
	if i < 0 {
		return AuditKey{}, false
	}
	return k[i], true
}
