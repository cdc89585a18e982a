// Package passkeytest is an authenticator in software: what a browser and a security key do, for tests.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
)

// Authenticator holds one passkey (ES256), and attests to nothing.
type Authenticator struct {
	Origin     string // of the page that asks
	Unverified bool   // it does not check who holds it
	Counter    uint32 // the last one used

	key        *ecdsa.PrivateKey
	id, handle []byte
}

// Options is what both requests have in common, and what differs.
type options struct {
	Challenge string `json:"challenge"`
	RPID      string `json:"rpId"`
	RP        struct {
		ID string `json:"id"`
	} `json:"rp"`
	User struct {
		ID string `json:"id"`
	} `json:"user"`
}

// Flags of authenticator data (WebAuthn 6.1).
const (
	userPresent  = 1 << 0
	userVerified = 1 << 2
	hasKey       = 1 << 6
)

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// Register makes a passkey as navigator.credentials.create does, and returns the answer.
func (a *Authenticator) Register(request string) (string, error) {
	var o options
	if err := json.Unmarshal([]byte(request), &o); err != nil {
		return "", err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", err
	}
	a.key, a.id = key, make([]byte, 16)
	_, _ = rand.Read(a.id) // never fails
	if a.handle, err = base64.RawURLEncoding.DecodeString(o.User.ID); err != nil {
		return "", err
	}
	public, err := coseKey(key)
	if err != nil {
		return "", err
	}
	attested := make([]byte, 16, 200) // AAGUID: none
	attested = binary.BigEndian.AppendUint16(attested, uint16(len(a.id)))
	attested = append(append(attested, a.id...), public...)
	data := append(a.data(o.RP.ID, hasKey), attested...)
	object := append([]byte{0xa3}, cborText("fmt")...)
	object = append(append(object, cborText("none")...), cborText("attStmt")...)
	object = append(append(object, 0xa0), cborText("authData")...)
	object = append(object, cborBytes(data)...)
	return a.answer(map[string]any{
		"clientDataJSON": encode(a.clientData("webauthn.create", o.Challenge)), "attestationObject": encode(object),
	})
}

// SignIn signs a challenge as navigator.credentials.get does, and returns the answer.
func (a *Authenticator) SignIn(request string) (string, error) {
	var o options
	if err := json.Unmarshal([]byte(request), &o); err != nil {
		return "", err
	}
	a.Counter++
	data, client := a.data(o.RPID, 0), a.clientData("webauthn.get", o.Challenge)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		return "", err
	}
	return a.answer(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature),
		"userHandle": encode(a.handle),
	})
}

func (a *Authenticator) answer(response map[string]any) (string, error) {
	text, err := json.Marshal(map[string]any{
		"id": encode(a.id), "rawId": encode(a.id), "type": "public-key", "response": response,
		"clientExtensionResults": map[string]any{},
	})
	return string(text), err
}

func (a *Authenticator) data(rpID string, flags byte) []byte {
	hash := sha256.Sum256([]byte(rpID))
	flags |= userPresent
	if !a.Unverified {
		flags |= userVerified
	}
	return binary.BigEndian.AppendUint32(append(hash[:], flags), a.Counter)
}

func (a *Authenticator) clientData(kind, challenge string) []byte {
	text, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.Origin, "crossOrigin": false})
	if err != nil {
		panic(err) // cannot happen: texts
	}
	return text
}

// coseKey is the public key as RFC 9052 has it: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
func coseKey(key *ecdsa.PrivateKey) ([]byte, error) {
	point, err := key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		return nil, err
	}
	out := []byte{0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21}
	out = append(append(out, cborBytes(point[1:33])...), 0x22)
	return append(out, cborBytes(point[33:65])...), nil
}

func cborBytes(b []byte) []byte { return append(cborHead(0x40, len(b)), b...) }
func cborText(s string) []byte  { return append(cborHead(0x60, len(s)), s...) }

func cborHead(major byte, n int) []byte {
	switch {
	case n < 24:
		return []byte{major | byte(n)}
	case n < 256:
		return []byte{major | 24, byte(n)}
	default:
		return binary.BigEndian.AppendUint16([]byte{major | 25}, uint16(n))
	}
}
