package core

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/sign"
)

// ID names a row for ever: a ULID (26 characters of Crockford base32: 48 bits of milliseconds, 80 random bits).
// IDs sort by the time they were made, which makes keyset pagination one index scan.
type ID string

// Crockford is the alphabet of Douglas Crockford's base32: no I, L, O, U.
const Crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// IDRandomBytes are the random bytes of an ID and of a tracking code: 80 bits.
const IDRandomBytes = 10

// IDs returns the IDs of one decision: randomness is read once, when it is made, and every further ID is the next
// number, so that a decision stays pure and its rows sort in the order in which they were decided.
type IDs struct{ next [16]byte }

// NewIDs starts a sequence for the moment at.
func NewIDs(at time.Time, random io.Reader) (*IDs, error) {
	var ids IDs
	binary.BigEndian.PutUint64(ids.next[:8], uint64(at.UnixMilli())<<16)
	if _, err := io.ReadFull(random, ids.next[6:]); err != nil {
		return nil, fmt.Errorf("ids: %w", err)
	}
	return &ids, nil
}

// Next returns the next ID.
func (s *IDs) Next() ID {
	id := ID(encode128(s.next))
	for i := len(s.next) - 1; i >= 0; i-- {
		s.next[i]++
		if s.next[i] != 0 {
			break
		}
	}
	return id
}

// Time is the moment at which the ID was made, to the millisecond.
func (id ID) Time() (time.Time, bool) {
	if !IsID(string(id)) {
		return time.Time{}, false
	}
	ms := int64(0)
	for i := range 10 {
		ms = ms<<5 | int64(crockfordValue(id[i]))
	}
	return time.UnixMilli(ms).UTC(), true
}

// IsID reports whether s has the shape of an ID.
func IsID(s string) bool {
	return len(s) == 26 && s[0] <= '7' && isCrockford(s)
}

func isCrockford(s string) bool {
	for i := range len(s) {
		if crockfordValue(s[i]) < 0 {
			return false
		}
	}
	return true
}

// CheckID keeps what names nothing from the store. Fault: NotFound.
func CheckID(id ID) error {
	if !IsID(string(id)) {
		return fault.New("core.CheckID", fault.NotFound)
	}
	return nil
}

// NewTrackingCode is a prefix and 16 characters of Crockford base32: 80 random bits, never sequential.
func NewTrackingCode(prefix string, random io.Reader) (string, error) {
	var raw [IDRandomBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("tracking code: %w", err)
	}
	return prefix + Encode80(raw), nil
}

// NewToken is 160 random bits: 32 characters of Crockford base32.
func NewToken(random io.Reader) (string, error) {
	var raw [2 * IDRandomBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return Encode80([10]byte(raw[:10])) + Encode80([10]byte(raw[10:])), nil
}

// pageTokenTime is how many characters of an ID's time a page's token begins with: they change about once a second.
const pageTokenTime = 8

// NewPageToken is the secret part of a payment_url, unrelated to the tracking code: the time at which it is made, so that the index by which
// it is found grows at its end, and 160 random bits. It has 40 characters.
func NewPageToken(at time.Time, random io.Reader) (string, error) {
	token, err := NewToken(random)
	if err != nil {
		return "", err
	}
	return string(FirstID(at)[:pageTokenTime]) + token, nil
}

// PageTokenFingerprint is what a page's token is found by, and all that is kept of it where it is not sealed. Nobody comes from it to the
// token by trying. It is the token's time and half of its hash. Tokens of earlier releases are random alone, and found by the whole hash.
func PageTokenFingerprint(token string) string {
	hash := sign.Fingerprint(token)
	if len(token) != pageTokenTime+32 || !isCrockford(token) {
		return hash
	}
	return token[:pageTokenTime] + hash[:32]
}

// encode128 writes 16 bytes as 26 characters: 130 bits, of which the first two are zero.
func encode128(raw [16]byte) string {
	var out [26]byte
	hi, lo := binary.BigEndian.Uint64(raw[:8]), binary.BigEndian.Uint64(raw[8:])
	for i := 25; i >= 0; i-- {
		out[i] = Crockford[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(out[:])
}

// Encode80 writes 10 bytes as 16 characters.
func Encode80(raw [10]byte) string {
	var out [16]byte
	for half := range 2 {
		v := uint64(0)
		for _, b := range raw[half*5 : half*5+5] {
			v = v<<8 | uint64(b)
		}
		for i := 7; i >= 0; i-- {
			out[half*8+i] = Crockford[v&31]
			v >>= 5
		}
	}
	return string(out[:])
}

func crockfordValue(c byte) int {
	for i := range len(Crockford) {
		if Crockford[i] == c {
			return i
		}
	}
	return -1
}

// FirstID is the least ID that can be made at a moment: all IDs made before it, by the millisecond, are less.
func FirstID(at time.Time) ID {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(max(at.UnixMilli(), 0))<<16)
	return ID(encode128(raw))
}
