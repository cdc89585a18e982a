package aesgcm_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/aesgcm"
	"github.com/vezne/vezne/core/fault"
	"pgregory.net/rapid"
)

// key is a master key in its text form; seed tells keys apart.
func key(seed byte) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{seed}, 32)) }

func sealer(t *testing.T, keys ...string) *aesgcm.Sealer {
	t.Helper()
	s, err := aesgcm.ParseKeys(strings.Join(keys, ","))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSealedTextOpensOnlyInItsContext(t *testing.T) {
	t.Parallel()
	s := sealer(t, key(1))
	rapid.Check(t, func(t *rapid.T) {
		plain, context, other := rapid.String().Draw(t, "plain"), rapid.String().Draw(t, "context"), rapid.String().Draw(t, "other")
		sealed, err := s.Seal(plain, context)
		if err != nil {
			t.Fatal(err)
		}
		opened, err := s.Open(sealed, context)
		if err != nil || opened != plain {
			t.Fatalf("opened %q, %v; want %q", opened, err, plain)
		}
		if len(plain) > 8 && strings.Contains(sealed, plain) {
			t.Fatalf("the sealed text shows %q", plain)
		}
		if opened, err := s.Open(sealed, other); other != context && err == nil {
			t.Fatalf("opened %q for another context", opened)
		}
	})
}

func TestEveryChangedCharacterIsNoticed(t *testing.T) {
	t.Parallel()
	s := sealer(t, key(1), key(2))
	sealed, err := s.Seal("vzs_secret", "providers.secret_key/7")
	if err != nil {
		t.Fatal(err)
	}
	for i := range sealed {
		for _, c := range []byte("A.b0_-9") {
			if sealed[i] == c {
				continue
			}
			changed := sealed[:i] + string(c) + sealed[i+1:]
			if opened, err := s.Open(changed, "providers.secret_key/7"); err == nil {
				t.Fatalf("changing character %d to %q went unnoticed: opened %q", i, c, opened)
			}
		}
	}
	for i := range sealed {
		if opened, err := s.Open(sealed[:i], "providers.secret_key/7"); err == nil {
			t.Fatalf("the first %d characters opened: %q", i, opened)
		}
	}
}

func TestSealingTwiceGivesTwoTexts(t *testing.T) {
	t.Parallel()
	s := sealer(t, key(1))
	seen := map[string]bool{}
	for range 1000 {
		sealed, err := s.Seal("same", "same")
		if err != nil || seen[sealed] {
			t.Fatalf("%v, or a nonce was used twice", err)
		}
		seen[sealed] = true
	}
}

func TestRotationOfTheMasterKey(t *testing.T) {
	t.Parallel()
	old, err := sealer(t, key(1)).Seal("secret", "place")
	if err != nil {
		t.Fatal(err)
	}
	both := sealer(t, key(2), key(1))
	if opened, err := both.Open(old, "place"); err != nil || opened != "secret" {
		t.Fatalf("the old key no longer opens: %q, %v", opened, err)
	}
	fresh, err := both.Seal("secret", "place")
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := sealer(t, key(2)).Open(fresh, "place"); err != nil || opened != "secret" {
		t.Fatalf("the first key does not seal: %q, %v", opened, err)
	}
	_, err = sealer(t, key(2)).Open(old, "place")
	if !fault.Is(err, fault.Internal) || !strings.Contains(err.Error(), "not among the configured ones") {
		t.Fatalf("a secret under a forgotten key gave %v", err)
	}
}

func TestKeyIDsAndKeysStayApart(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for seed := range byte(100) {
		sealed, err := sealer(t, key(seed)).Seal("x", "")
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(sealed, ".")
		if len(parts) != 3 || parts[0] != "v1" || len(parts[1]) != 8 || ids[parts[1]] {
			t.Fatalf("sealed text %q has not the form v1.<key id>.<base64>, or two keys share an id", sealed)
		}
		ids[parts[1]] = true
	}
}

func TestKeysAreNeverShown(t *testing.T) {
	t.Parallel()
	secret := key(7)
	for _, text := range []string{
		"", ",", secret + ",", secret + "," + secret[:20], secret[:43], "!" + secret[1:], secret + " " + secret,
		base64.StdEncoding.EncodeToString(make([]byte, 31)), base64.StdEncoding.EncodeToString(make([]byte, 33)),
	} {
		s, err := aesgcm.ParseKeys(text)
		if !fault.Is(err, fault.Invalid) || s != nil {
			t.Errorf("%q was taken as master keys: %v", text, err)
			continue
		}
		if strings.Contains(err.Error(), secret[:16]) {
			t.Errorf("the error shows a key: %v", err)
		}
	}
	if text := fmt.Sprintf("%v %+v %#v", sealer(t, secret), sealer(t, secret), sealer(t, secret)); strings.Contains(text, secret[:16]) {
		t.Errorf("printing a sealer shows its key: %s", text)
	}
}

func TestSpacesAroundKeysAreFine(t *testing.T) {
	t.Parallel()
	sealed, err := sealer(t, " "+key(1)+" ", "\n"+key(2)+"\n").Seal("x", "y")
	if err != nil {
		t.Fatal(err)
	}
	if opened, err := sealer(t, key(1)).Open(sealed, "y"); err != nil || opened != "x" {
		t.Fatalf("opened %q, %v", opened, err)
	}
}
