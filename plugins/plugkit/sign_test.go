package plugkit_test

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/plugins/plugkit"
)

// TestHMAC256: the second test case of RFC 4231.
func TestHMAC256(t *testing.T) {
	t.Parallel()
	const (
		key, data = "Jefe", "what do ya want for nothing?"
		want      = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	)
	whole, inParts := plugkit.HMAC256(key, data), plugkit.HMAC256(key, data[:4], "", data[4:])
	if hex.EncodeToString(whole) != want || hex.EncodeToString(inParts) != want {
		t.Errorf("%x, %x", whole, inParts)
	}
}

func TestOnlyTheExactSignatureIsEqual(t *testing.T) {
	t.Parallel()
	want := []byte{0x01, 0xab, 0xff}
	if !plugkit.EqualHex("01abff", want) || !plugkit.EqualBase64("Aav/", want) {
		t.Error("the right signature is wrong")
	}
	for _, wrong := range []string{
		"", "01ABFF", "Aav/", "01abfe", "11abff", "01ab", "01abff00", "01abff01abff", "01abf", "01abfg", " 01abff", "01abff\n", "0x01abff",
		"\x01\xab\xff",
	} {
		if plugkit.EqualHex(wrong, want) {
			t.Errorf("%q is right", wrong)
		}
	}
	for _, wrong := range []string{"", "01abff", "Aav", "Aav/=", "Aav_", " Aav/", "Aav/Aav/"} {
		if plugkit.EqualBase64(wrong, want) {
			t.Errorf("%q is right", wrong)
		}
	}
	for _, nothing := range [][]byte{nil, {}} {
		if plugkit.EqualHex("", nothing) || plugkit.EqualHex("00", nothing) || plugkit.EqualBase64("", nothing) {
			t.Error("a signature is right where none was computed")
		}
	}
}

func TestASignatureUnderAnyOfTheSecretsIsRight(t *testing.T) {
	t.Parallel()
	sum := func(secret string) []byte { return plugkit.HMAC256(secret, "body") }
	under := func(secret string) string { return hex.EncodeToString(sum(secret)) }
	for _, c := range []struct {
		got     string
		secrets []string
		want    bool
	}{
		{under("new"), []string{"new", "old"}, true},
		{under("old"), []string{"new", "old"}, true},
		{under("older"), []string{"new", "old"}, false},
		{under("new"), nil, false},
		{under(""), []string{""}, false},
		{under(""), []string{"", "new"}, false},
		{"", []string{"new"}, false},
		{strings.Repeat("0", 64), []string{"new", "old"}, false},
	} {
		if plugkit.SignedByAny(c.got, c.secrets, sum) != c.want {
			t.Errorf("%s under %q: %v", c.got, c.secrets, !c.want)
		}
	}
	if plugkit.SignedByAny("", []string{"new"}, func(string) []byte { return nil }) {
		t.Error("no signature is right where none was computed")
	}
}

func TestAHeaderThatCountsIsThereOnce(t *testing.T) {
	t.Parallel()
	once := gateway.Header{{Name: "x-signature", Value: "a"}, {Name: "Other", Value: "b"}}
	if got := plugkit.OnlyHeader(once, "X-Signature"); got != "a" {
		t.Errorf("got %q", got)
	}
	for _, h := range []gateway.Header{nil, once[1:], append(once, gateway.Field{Name: "X-SIGNATURE", Value: "a"})} {
		if got := plugkit.OnlyHeader(h, "X-Signature"); got != "" {
			t.Errorf("%v: got %q", h, got)
		}
	}
}

// still is a clock that stands still.
type still struct{}

func (still) Now() time.Time { return time.Unix(1, 0) }

func TestANonceIsNewAlthoughTheClockStandsStill(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	nonces := plugkit.Nonces{Clock: still{}}
	for range 100 {
		seen[nonces.Next("POST", "/pay", "{}")] = true
	}
	if len(seen) != 100 {
		t.Errorf("100 calls gave %d", len(seen))
	}
}

func TestAContentsIDIsItsOwn(t *testing.T) {
	t.Parallel()
	seen := map[string][]string{}
	for _, parts := range [][]string{
		nil, {""}, {"", ""}, {"a"}, {"a", ""}, {"", "a"}, {"ab"}, {"a", "b"},
		{"a\x00", "b"}, {"a", "\x00b"}, {"a\x00b"}, {"1:a"}, {"a1:b"},
	} {
		id := plugkit.ContentID(parts...)
		if other, isTaken := seen[id]; isTaken || len(id) != 64 || id != plugkit.ContentID(parts...) {
			t.Errorf("%q has the ID %s, as %q", parts, id, other)
		}
		seen[id] = parts
	}
}
