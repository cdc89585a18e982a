// Package aesgcm seals secrets at rest with AES-256-GCM under master keys that can be rotated.
package aesgcm

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// keyBytes is the size of a master key: 256 bits.
const keyBytes = 32

// version leads every sealed text, so that another form can one day stand beside this one.
const version = "v1"

var _ ports.Keyring = (*Sealer)(nil)

// Sealer seals with its first master key and opens what any of them has sealed. A sealed text reads
// "v1.<key id>.<base64 of nonce, ciphertext and tag>". It is safe for concurrent use and shows no key.
type Sealer struct {
	ids  []string // of the keys; the first one seals
	keys map[string]cipher.AEAD
}

// ParseKeys reads the form of VEZNE_MASTER_KEY: 32-byte keys in base64, separated by commas. The first one seals; the
// others only open, which is how a master key is rotated: put the new one in front and keep the old one behind it.
func ParseKeys(text string) (*Sealer, error) {
	s := &Sealer{keys: map[string]cipher.AEAD{}}
	for i, part := range strings.Split(text, ",") {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(raw) != keyBytes { // err could quote the key
			return nil, fault.E("aesgcm.ParseKeys", fault.Invalid,
				fmt.Errorf("master key %d is not 32 bytes in base64; `openssl rand -base64 32` makes one", i+1))
		}
		if err := s.add(raw); err != nil {
			return nil, fault.E("aesgcm.ParseKeys", fault.Internal, err)
		}
	}
	return s, nil
}

func (s *Sealer) add(raw []byte) error {
	block, err := aes.NewCipher(raw)
	if err != nil {
		return err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return err
	}
	id := keyID(raw)
	if s.keys[id] == nil {
		s.ids = append(s.ids, id)
	}
	s.keys[id] = aead
	return nil
}

// keyID names a master key in what it has sealed: 32 bits of a hash tell an operator's few keys apart and say nothing
// about a random key.
func keyID(raw []byte) string {
	sum := sha256.Sum256(append([]byte("vezne master key\x00"), raw...))
	return hex.EncodeToString(sum[:keyIDChars/2])
}

// Seal implements ports.Sealer. Sealing the same text twice gives two different results.
func (s *Sealer) Seal(plain, context string) (string, error) {
	sealed := s.keys[s.ids[0]].Seal(nil, nil, []byte(plain), []byte(context)) //nolint:gosec // this AEAD draws its own nonce
	return version + "." + s.ids[0] + "." + base64.RawURLEncoding.EncodeToString(sealed), nil
}

// KeyIDs implements ports.Keyring.
func (s *Sealer) KeyIDs() []string { return slices.Clone(s.ids) }

// keyIDChars is the length of a key's id.
const keyIDChars = 8

// KeyIDOf implements ports.Keyring.
func (s *Sealer) KeyIDOf(sealed string) string {
	rest, isSealed := strings.CutPrefix(sealed, version+".")
	id, _, isWhole := strings.Cut(rest, ".")
	if _, err := hex.DecodeString(id); !isSealed || !isWhole || err != nil || len(id) != keyIDChars {
		return ""
	}
	return id
}

// Open implements ports.Sealer.
func (s *Sealer) Open(sealed, context string) (string, error) {
	plain, err := s.open(sealed, context)
	if err != nil {
		return "", fault.E("aesgcm.Open", fault.Internal, err)
	}
	return plain, nil
}

func (s *Sealer) open(sealed, context string) (string, error) {
	form, rest, _ := strings.Cut(sealed, ".")
	id, text, _ := strings.Cut(rest, ".")
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if form != version || err != nil {
		return "", errors.New("this is not a sealed secret")
	}
	aead, ok := s.keys[id]
	if !ok {
		return "", fmt.Errorf("sealed under master key %.16q, which is not among the configured ones", id)
	}
	plain, err := aead.Open(nil, nil, raw, []byte(context))
	if err != nil {
		return "", errors.New("the sealed secret was changed, or sealed for another place")
	}
	return string(plain), nil
}
