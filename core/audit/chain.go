// Package audit is the chain of the audit log: links under keys, signed checkpoints, and what is wrong with one.
package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"strings"

	"github.com/vezne/vezne/core"
)

// Encodings of a link's hash: how an entry is turned into bytes. Another field of AuditEntry, or another order, is another
// encoding: links of the older ones stay as they are, and are checked by their own.
const (
	plainLink = 1 // SHA-256, which whoever can write the table can compute
	keyedLink = 2 // HMAC-SHA-256 under an audit key
)

// Hash is a hash over an entry of the audit log and the hash of the entry chained before it.
type Hash [sha256.Size]byte

// String is the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash reads the hexadecimal form.
func ParseHash(text string) (Hash, error) {
	var h Hash
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(h) {
		return h, errors.New("a hash is 64 hexadecimal digits")
	}
	copy(h[:], raw)
	return h, nil
}

// Link is an entry's place in the chain: Hash covers the entry and, through the hash before it, every entry with a
// smaller number. Links are inserted, never changed.
type Link struct {
	No      int64 // from 1, without gaps
	EntryID core.ID
	Version int    // of the encoding
	KeyID   string // of the audit key; empty: the link is from before there were keys
	Hash    Hash
}

// Identity implements Row.
func (l Link) Identity() core.Identity {
	return core.Identity{Table: "audit_links", Key: strconv.FormatInt(l.No, 10), Version: 1}
}

// NewLink chains an entry behind a link; behind the zero link as the first. The zero key makes a link without a key, as they
// were before there were keys.
func NewLink(previous Link, e core.AuditEntry, key Key) Link {
	l := Link{No: previous.No + 1, EntryID: e.ID, Version: keyedLink, KeyID: key.id}
	if key.isZero() {
		l.Version = plainLink
	}
	l.Hash, _ = l.hashOf(e, previous.Hash, Keys{key})
	return l
}

// IsKeyed reports whether nobody can have made the link without an audit key.
func (l Link) IsKeyed() bool { return l.Version >= keyedLink }

// Follows reports whether the link is what chaining the entry behind the previous link gives. A link without a key follows
// none that has one: whoever can write the table but has no key would make such links.
func (l Link) Follows(previous Link, e core.AuditEntry, keys Keys) bool {
	want, ok := l.hashOf(e, previous.Hash, keys)
	isDowngrade := previous.IsKeyed() && !l.IsKeyed()
	return ok && !isDowngrade && l.No == previous.No+1 && l.EntryID == e.ID && hmac.Equal(l.Hash[:], want[:])
}

// hashOf is the hash of the link of an entry; ok is false for an encoding or a key that this program does not know.
func (l Link) hashOf(e core.AuditEntry, previous Hash, keys Keys) (h Hash, ok bool) {
	var sum chainSum
	switch {
	case l.Version == plainLink && l.KeyID == "":
		sum = chainSum{sha256.New()}
	case l.Version == keyedLink:
		key, found := keys.byID(l.KeyID)
		if !found {
			return h, false
		}
		sum = chainSum{key.hash()}
	default:
		return h, false
	}
	sum.text("vezne audit " + strconv.Itoa(l.Version))
	if l.Version == keyedLink {
		sum.text(l.KeyID)
	}
	sum.text(string(previous[:]))
	sum.number(l.No)
	sum.entry(e)
	return Hash(sum.Sum(nil)), true
}

// chainSum takes fields so that no two lists of fields give the same bytes: each text comes after its length.
type chainSum struct{ hash.Hash }

func (s chainSum) entry(e core.AuditEntry) {
	s.text(string(e.ID))
	s.number(e.At.UnixMicro())
	for _, field := range []string{
		string(e.Actor.Kind), e.Actor.ID, e.Actor.Name, e.Actor.Addr, e.Action, e.Target, e.Reason, e.Before, e.After,
	} {
		s.text(field)
	}
}

func (s chainSum) number(n int64) {
	_, _ = s.Write(binary.BigEndian.AppendUint64(nil, uint64(n))) //nolint:gosec // every int64 has bits of its own; a hash never fails to write
}

func (s chainSum) text(text string) {
	s.number(int64(len(text)))
	_, _ = s.Write([]byte(text))
}

// Head is how far the chain goes, in the form in which an operator keeps it elsewhere.
type Head struct {
	No   int64
	Hash Hash
}

// Head is the link as the end of the chain.
func (l Link) Head() Head { return Head{No: l.No, Hash: l.Hash} }

// String is "no:hash".
func (h Head) String() string { return fmt.Sprintf("%d:%s", h.No, h.Hash) }

// ParseHead reads "no:hash".
func ParseHead(text string) (Head, error) {
	number, digits, _ := strings.Cut(strings.TrimSpace(text), ":")
	no, err := strconv.ParseInt(number, 10, 64)
	if err != nil || no < 1 {
		return Head{}, errors.New("a head is a number and a hash, such as 17:6f1e… as `vezne audit head` prints it")
	}
	h, err := ParseHash(digits)
	return Head{No: no, Hash: h}, err
}

// ChainedEntry is a link and the entry that it names; HasEntry is false when there is no such entry.
type ChainedEntry struct {
	Link     Link
	Entry    core.AuditEntry
	HasEntry bool
}

// Seen is a digest of a link and its entry as they stand, whether they fit or not: what a person has seen who says that a
// break is known.
func (c ChainedEntry) Seen() Hash {
	sum := chainSum{sha256.New()}
	sum.text("vezne audit seen")
	sum.number(c.Link.No)
	sum.text(string(c.Link.EntryID))
	sum.text(string(c.Link.Hash[:]))
	sum.entry(c.Entry)
	return Hash(sum.Sum(nil))
}
