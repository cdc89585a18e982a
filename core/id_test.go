package core_test

import (
	"bytes"
	"math/bits"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/sign"
)

// TestIDVector holds the first ten characters against the ULID specification's example.
func TestIDVector(t *testing.T) {
	t.Parallel()
	ids, err := core.NewIDs(time.UnixMilli(1469918176385), bytes.NewReader(make([]byte, 10)))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []core.ID{"01ARYZ6S410000000000000000", "01ARYZ6S410000000000000001"} {
		if got := ids.Next(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestIDOrder: IDs sort by their time, whatever their random part, and give that time back to the millisecond.
func TestIDOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) (time.Time, core.ID) {
			at := time.UnixMilli(rapid.Int64Range(0, 1<<48-1).Draw(t, label)).UTC()
			ids, err := core.NewIDs(at, bytes.NewReader(rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "random")))
			if err != nil {
				t.Fatal(err)
			}
			return at, ids.Next()
		}
		t1, a := draw("first")
		t2, b := draw("second")
		if t1.Before(t2) && a >= b || t2.Before(t1) && b >= a {
			t.Fatalf("%s at %s, %s at %s", a, t1, b, t2)
		}
		if got, ok := a.Time(); !ok || !got.Equal(t1) || !core.IsID(string(a)) {
			t.Fatalf("%s says %s, %v, was made at %s", a, got, ok, t1)
		}
	})
}

// TestIDsIncrease, also where the random part is used up and the count carries into the time.
func TestIDsIncrease(t *testing.T) {
	t.Parallel()
	for _, last := range []byte{0x00, 0xFE} {
		random := bytes.Repeat([]byte{0xFF}, 10)
		random[9] = last
		ids, err := core.NewIDs(coretest.Evening, bytes.NewReader(random))
		if err != nil {
			t.Fatal(err)
		}
		before := ids.Next()
		for range 1000 {
			id := ids.Next()
			if id <= before || !core.IsID(string(id)) {
				t.Fatalf("%s after %s", id, before)
			}
			before = id
		}
	}
}

func TestIsID(t *testing.T) {
	t.Parallel()
	good := "01ARYZ6S41TSV4RRFFQ69G5FAV"
	tests := map[string]bool{
		good: true, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ": true, "00000000000000000000000000": true,
		"": false, good[1:]: false, good + "0": false, strings.ToLower(good): false,
		"8" + good[1:]:  false, // more than 128 bits
		good[:25] + "I": false, good[:25] + "L": false, good[:25] + "O": false, good[:25] + "U": false,
		good[:25] + "-": false, good[:24] + "ş": false, good[:25] + "\x00": false,
	}
	for text, want := range tests {
		if got := core.IsID(text); got != want {
			t.Errorf("IsID(%q) = %v", text, got)
		}
		if at, ok := core.ID(text).Time(); ok != want || !ok && !at.IsZero() {
			t.Errorf("ID(%q).Time() = %s, %v", text, at, ok)
		}
	}
}

// TestTrackingCode: a method's prefix and 16 characters of Crockford's base32, never twice the same.
func TestTrackingCode(t *testing.T) {
	t.Parallel()
	for i, prefix := range []string{"MAN-", "EIBAN-WIT-"} {
		code, err := core.NewTrackingCode(prefix, coretest.Random(byte(i)))
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^` + prefix + `[0-9A-HJKMNP-TV-Z]{16}$`).MatchString(code) {
			t.Errorf("%s: %s", prefix, code)
		}
	}
	source, seen := coretest.Random(1), make(map[string]bool, 100_000)
	used := map[byte]bool{}
	for range 100_000 {
		code, err := core.NewTrackingCode("MAN-", source)
		if err != nil || seen[code] {
			t.Fatalf("%s again, or %v", code, err)
		}
		seen[code] = true
		used[code[len(code)-1]], used[code[len("MAN-")]] = true, true
	}
	if len(used) != 32 {
		t.Errorf("%d of 32 characters are used", len(used))
	}
}

// TestRandomBitsCount: every bit of randomness reaches the code, and the token, as one character of its own.
func TestRandomBitsCount(t *testing.T) {
	t.Parallel()
	makers := map[int]func([]byte) (string, error){
		10: func(raw []byte) (string, error) {
			return core.NewTrackingCode("MAN-", bytes.NewReader(raw))
		},
		20: func(raw []byte) (string, error) { return core.NewPageToken(coretest.Evening, bytes.NewReader(raw)) },
	}
	for size, maker := range makers {
		zero, err := maker(make([]byte, size))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{zero: true}
		for bit := range size * 8 {
			raw := make([]byte, size)
			raw[bit/8] = 1 << (bit % 8)
			text, err := maker(raw)
			if err != nil || seen[text] || differences(zero, text) != 1 {
				t.Errorf("bit %d: %s, %v", bit, text, err)
			}
			seen[text] = true
		}
		if _, err := maker(make([]byte, size-1)); err == nil {
			t.Errorf("%d bytes of randomness were enough", size-1)
		}
	}
}

func differences(a, b string) (n int) {
	for i := range min(len(a), len(b)) {
		n += min(1, bits.OnesCount8(a[i]^b[i]))
	}
	return n
}

func TestPageToken(t *testing.T) {
	t.Parallel()
	source, seen := coretest.Random(2), map[string]bool{}
	ids, err := core.NewIDs(coretest.Evening, source)
	if err != nil {
		t.Fatal(err)
	}
	made := string(ids.Next()[:8])
	for range 1000 {
		token, err := core.NewPageToken(coretest.Evening, source)
		if err != nil || !regexp.MustCompile(`^`+made+`[0-9A-HJKMNP-TV-Z]{32}$`).MatchString(token) || seen[token[8:]] {
			t.Fatalf("%s, %v", token, err)
		}
		seen[token[8:]] = true
	}
}

// TestPageTokenFingerprint: fingerprints sort by the token's time; an earlier release's token, and what a customer may send in place of a
// token, is hashed whole.
func TestPageTokenFingerprint(t *testing.T) {
	t.Parallel()
	source := coretest.Random(3)
	for range 100 {
		earlier, err := core.NewPageToken(coretest.Evening, source)
		if err != nil {
			t.Fatal(err)
		}
		random := earlier[8:]
		later := string(core.FirstID(coretest.Evening.Add(2 * time.Second))[:8]) + random
		a, b := core.PageTokenFingerprint(earlier), core.PageTokenFingerprint(later)
		if a >= b || a[:8] != earlier[:8] || a[8:] == b[8:] || len(a) != 40 {
			t.Fatalf("%s of %s, %s of %s", a, earlier, b, later)
		}
		for _, other := range []string{random, earlier + "0", earlier[1:], "\xff" + earlier[1:], strings.ToLower(earlier), "", a} {
			if got := core.PageTokenFingerprint(other); got != sign.Fingerprint(other) {
				t.Fatalf("%s of %q", got, other)
			}
		}
	}
}

// TestNoRandomness: nothing is made from a source that is out of order.
func TestNoRandomness(t *testing.T) {
	t.Parallel()
	if ids, err := core.NewIDs(coretest.Evening, failing{}); err == nil || ids != nil {
		t.Error("NewIDs made ids")
	}
	if code, err := core.NewTrackingCode("MAN-", failing{}); err == nil || code != "" {
		t.Errorf("NewTrackingCode made %q", code)
	}
	if token, err := core.NewPageToken(coretest.Evening, failing{}); err == nil || token != "" {
		t.Errorf("NewPageToken made %q", token)
	}
}
