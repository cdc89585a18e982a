package core

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core/gateway"
)

// auditEncoding is the version of how an entry is turned into bytes for its hash. Another field of AuditEntry, or another
// order, is another version: links of the older ones stay as they are, and are checked by their own.
const auditEncoding = 1

// AuditHash is a SHA-256 over an entry of the audit log and the hash of the entry chained before it.
type AuditHash [sha256.Size]byte

// String is the hash in hexadecimal.
func (h AuditHash) String() string { return hex.EncodeToString(h[:]) }

// ParseAuditHash reads the hexadecimal form.
func ParseAuditHash(text string) (AuditHash, error) {
	var h AuditHash
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(h) {
		return h, errors.New("a hash is 64 hexadecimal digits")
	}
	copy(h[:], raw)
	return h, nil
}

// AuditLink is an entry's place in the chain: Hash covers the entry and, through the hash before it, every entry with a
// smaller number. Links are inserted, never changed.
type AuditLink struct {
	No      int64 // from 1, without gaps
	EntryID ID
	Version int // of the encoding
	Hash    AuditHash
}

// Identity implements Row.
func (l AuditLink) Identity() Identity {
	return Identity{Table: "audit_links", Key: strconv.FormatInt(l.No, 10), Version: 1}
}

// Link chains an entry behind a link; behind the zero link as the first.
func (e AuditEntry) Link(previous AuditLink) AuditLink {
	l := AuditLink{No: previous.No + 1, EntryID: e.ID, Version: auditEncoding}
	l.Hash, _ = l.hashOf(e, previous.Hash)
	return l
}

// Follows reports whether the link is what chaining the entry behind the previous link gives.
func (l AuditLink) Follows(previous AuditLink, e AuditEntry) bool {
	want, ok := l.hashOf(e, previous.Hash)
	return ok && l.No == previous.No+1 && l.EntryID == e.ID && l.Hash == want
}

// hashOf is the hash of the link of an entry; ok is false for an encoding that this program does not know.
func (l AuditLink) hashOf(e AuditEntry, previous AuditHash) (h AuditHash, ok bool) {
	if l.Version != auditEncoding {
		return h, false
	}
	sum := auditSum{sha256.New()}
	sum.text("vezne audit " + strconv.Itoa(l.Version))
	sum.text(string(previous[:]))
	sum.number(l.No)
	sum.text(string(e.ID))
	sum.number(e.At.UnixMicro())
	for _, field := range []string{
		string(e.Actor.Kind), e.Actor.ID, e.Actor.Name, e.Actor.Addr, e.Action, e.Target, e.Reason, e.Before, e.After,
	} {
		sum.text(field)
	}
	return AuditHash(sum.Sum(nil)), true
}

// auditSum takes fields so that no two lists of fields give the same bytes: each text comes after its length.
type auditSum struct{ hash.Hash }

func (s auditSum) number(n int64) {
	_, _ = s.Write(binary.BigEndian.AppendUint64(nil, uint64(n))) //nolint:gosec // every int64 has bits of its own; a hash never fails to write
}

func (s auditSum) text(text string) {
	s.number(int64(len(text)))
	_, _ = s.Write([]byte(text))
}

// AuditHead is how far the chain goes, in the form in which an operator keeps it elsewhere.
type AuditHead struct {
	No   int64
	Hash AuditHash
}

// Head is the link as the end of the chain.
func (l AuditLink) Head() AuditHead { return AuditHead{No: l.No, Hash: l.Hash} }

// String is "no:hash".
func (h AuditHead) String() string { return fmt.Sprintf("%d:%s", h.No, h.Hash) }

// ParseAuditHead reads "no:hash".
func ParseAuditHead(text string) (AuditHead, error) {
	number, digits, _ := strings.Cut(strings.TrimSpace(text), ":")
	no, err := strconv.ParseInt(number, 10, 64)
	if err != nil || no < 1 {
		return AuditHead{}, errors.New("a head is a number and a hash, such as 17:6f1e… as `vezne audit head` prints it")
	}
	h, err := ParseAuditHash(digits)
	return AuditHead{No: no, Hash: h}, err
}

// ChainedEntry is a link and the entry that it names; HasEntry is false when there is no such entry.
type ChainedEntry struct {
	Link     AuditLink
	Entry    AuditEntry
	HasEntry bool
}

// AuditRecord is an entry of the audit log as it is read.
type AuditRecord struct {
	AuditEntry
	ChainNumber int64 // 0: not chained yet
}

// AuditQuery asks for entries of the audit log, newest first. Zero fields do not narrow.
type AuditQuery struct {
	ActorKind ActorKind
	ActorID   string // with ActorKind
	Action    string
	Target    string
	From      time.Time // included
	Until     time.Time // excluded
	Paging[ID]
}

// AuditEntry says what a person changed. Before and After are JSON without secrets.
type AuditEntry struct {
	ID            ID
	At            time.Time
	Actor         Actor
	Action        string // the mutation's or command's name
	Target        string // "payment/MAN-…", "provider/7"
	Reason        string
	Before, After string
}

// Identity implements Row.
func (e AuditEntry) Identity() Identity {
	return Identity{Table: "audit", Key: string(e.ID), Version: 1}
}

// AuditMoney is money as audit rows have it: of the contract's currency the amount alone.
func AuditMoney(m gateway.Money) string {
	switch {
	case m.IsSameAsset(gateway.Money{Asset: gateway.TRY}):
		return m.Amount.Fixed(2)
	case m.Amount.Sign() == 0:
		return ""
	default:
		return m.String()
	}
}

// AuditJSON is a state as audit rows have it.
func AuditJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: a struct of texts
	}
	return string(text)
}
