package audit

import (
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
)

// ChainName is the name of the chain of the audit log.
const ChainName = "log"

// MaxAdoptions bounds how often what is wrong with a chain can be adopted.
const MaxAdoptions = 100

// Break says what is wrong with a chain.
type Break string

// Kinds of breaks.
const (
	BreakChanged    Break = "changed"     // the entry, or its link, is not what was chained
	BreakMissing    Break = "missing"     // the entry was deleted
	BreakUnlinked   Break = "unlinked"    // the link was deleted
	BreakInserted   Break = "inserted"    // the link was put in between
	BreakUnkeyed    Break = "unkeyed"     // a link without a key is behind one that has one
	BreakUnknownKey Break = "unknown_key" // the link or head was made under a key that was not given
	BreakHead       Break = "head"        // the chain does not go through a head that was kept
	BreakCheckpoint Break = "checkpoint"  // the signed head in the database is missing, forged or an older one
	BreakForgedHead Break = "forged_head" // a head that was kept elsewhere has no valid signature
	BreakDropped    Break = "dropped"     // the links of entries that are kept no longer are not those that were signed
)

// Breaks are all kinds of breaks.
func Breaks() []Break {
	return []Break{
		BreakChanged, BreakMissing, BreakUnlinked, BreakInserted, BreakUnkeyed, BreakUnknownKey,
		BreakHead, BreakCheckpoint, BreakForgedHead, BreakDropped,
	}
}

// Adoption is an operator's word that something is wrong with the chain, and that it goes on from here. It says what it
// is about, so that it covers nothing else.
type Adoption struct {
	Base int64 // heads from before, with a greater number, are given up: the chain ended here, or went another way
	Kind Break
	No   int64 // what was wrong there
	Seen Hash  // as it stood; zero where it is about no link
}

func (a Adoption) text() string { return fmt.Sprintf("%d/%s/%d/%s", a.Base, a.Kind, a.No, a.Seen) }

// Adoptions are all adoptions of a chain, oldest first.
type Adoptions []Adoption

// String is "base/kind/number/seen", separated by commas.
func (a Adoptions) String() string {
	texts := make([]string, len(a))
	for i, one := range a {
		texts[i] = one.text()
	}
	return strings.Join(texts, ",")
}

// ParseAdoptions reads what String gives.
func ParseAdoptions(text string) (Adoptions, error) {
	if text == "" {
		return nil, nil
	}
	parts := strings.Split(text, ",")
	if len(parts) > MaxAdoptions {
		return nil, errors.New("too many adoptions")
	}
	var all Adoptions
	for _, part := range parts {
		fields := strings.Split(part, "/")
		if len(fields) != 4 || !slices.Contains(Breaks(), Break(fields[1])) {
			return nil, errors.New("an adoption is base/kind/number/seen")
		}
		base, err1 := strconv.ParseInt(fields[0], 10, 64)
		no, err2 := strconv.ParseInt(fields[2], 10, 64)
		seen, err3 := ParseHash(fields[3])
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, err
		}
		all = append(all, Adoption{Base: base, Kind: Break(fields[1]), No: no, Seen: seen})
	}
	return all, nil
}

// Expect reports whether the chain still has to go through a head from the time when there were so many adoptions.
func (a Adoptions) Expect(no int64, adoptions int) bool {
	for _, later := range a[min(adoptions, len(a)):] {
		if no > later.Base {
			return false
		}
	}
	return true
}

// Covers reports whether a break was adopted. Links under a lost key were all adopted together.
func (a Adoptions) Covers(kind Break, no int64, seen Hash) bool {
	return slices.ContainsFunc(a, func(one Adoption) bool {
		isThere := one.No == no || kind == BreakUnknownKey && no > one.No && no <= one.Base
		return one.Kind == kind && isThere && one.Seen == seen
	})
}

// Checkpoint is a signed statement of how far the chain goes. It stands in the database, in one row that is replaced
// whenever the chain grows, and in the places outside to which heads are written.
type Checkpoint struct {
	Name      string // of the chain
	Version   int    // counts up: an older one that was put back has a smaller one
	Head      Head
	At        time.Time
	Adoptions Adoptions
	KeyID     string
	Signature Hash // HMAC-SHA-256 under the key
}

// Identity implements Row.
func (c Checkpoint) Identity() core.Identity {
	return core.Identity{Table: "audit_checkpoints", Key: c.Name, Version: c.Version}
}

// Sign returns the checkpoint signed. Its moment is as exact as a database keeps it.
func (c Checkpoint) Sign(key Key) Checkpoint {
	c.KeyID, c.At = key.id, c.At.UTC().Truncate(time.Microsecond)
	c.Signature = c.signature(key)
	return c
}

// IsSigned reports whether one of the keys has signed it.
func (c Checkpoint) IsSigned(keys Keys) bool {
	key, ok := keys.byID(c.KeyID)
	want := c.signature(key)
	return ok && hmac.Equal(want[:], c.Signature[:])
}

func (c Checkpoint) signature(key Key) Hash {
	sum := key.hash()
	_, _ = sum.Write([]byte(c.signedText()))
	return Hash(sum.Sum(nil))
}

// signedText is what is signed: lines, so that a few words of a shell compute the signature too. No field has a line's end.
func (c Checkpoint) signedText() string {
	return strings.Join([]string{
		"vezne audit head 1", c.Name, strconv.Itoa(c.Version), c.At.UTC().Format(time.RFC3339Nano), strconv.FormatInt(c.Head.No, 10),
		c.Head.Hash.String(), c.Adoptions.String(), c.KeyID,
	}, "\n")
}

// IsBefore reports whether the checkpoint is an older one than another of the same chain.
func (c Checkpoint) IsBefore(other Checkpoint) bool {
	if len(c.Adoptions) != len(other.Adoptions) {
		return len(c.Adoptions) < len(other.Adoptions)
	}
	return c.Version < other.Version
}

// Contradicts reports whether two checkpoints cannot be of one chain.
func (c Checkpoint) Contradicts(other Checkpoint) bool {
	return len(c.Adoptions) == len(other.Adoptions) && c.Version == other.Version && c.Head != other.Head
}

// checkpointLine is a checkpoint as a line of JSON.
type checkpointLine struct {
	Chain     string    `json:"chain"`
	Counter   int       `json:"counter"`
	Time      time.Time `json:"time"`
	No        int64     `json:"no"`
	Hash      string    `json:"hash"`
	Adoptions string    `json:"adoptions,omitempty"`
	KeyID     string    `json:"keyId"`
	Signature string    `json:"signature"`
}

// Line is the checkpoint as one line of JSON, without its end.
func (c Checkpoint) Line() []byte {
	return []byte(core.AuditJSON(checkpointLine{
		Chain: c.Name, Counter: c.Version, Time: c.At.UTC(), No: c.Head.No, Hash: c.Head.Hash.String(),
		Adoptions: c.Adoptions.String(), KeyID: c.KeyID, Signature: c.Signature.String(),
	}))
}

// ParseCheckpoint reads a line. Whether the checkpoint is signed is another question.
func ParseCheckpoint(line []byte) (Checkpoint, error) {
	var l checkpointLine
	if err := json.Unmarshal(line, &l); err != nil {
		return Checkpoint{}, errors.New("the line is not JSON")
	}
	hash, err1 := ParseHash(l.Hash)
	signature, err2 := ParseHash(l.Signature)
	adoptions, err3 := ParseAdoptions(l.Adoptions)
	return Checkpoint{
		Name: l.Chain, Version: l.Counter, Head: Head{No: l.No, Hash: hash}, At: l.Time, Adoptions: adoptions, KeyID: l.KeyID,
		Signature: signature,
	}, errors.Join(err1, err2, err3)
}

// End is where the chain ends, and what the database has as its end, both of one moment.
type End struct {
	Link       Link
	Checkpoint Checkpoint // zero: there is none
}

// IsSound reports whether the checkpoint is signed and says what the chain's end is. A log without either has yet to begin.
func (e End) IsSound(keys Keys) bool {
	if e.Checkpoint.Version == 0 {
		return e.Link.No == 0
	}
	return e.Checkpoint.IsSigned(keys) && e.Checkpoint.Head == e.Link.Head()
}

// Problem is something that a check found wrong with the audit log.
type Problem struct {
	Kind    Break
	No      int64   // in the chain
	EntryID core.ID // empty: it is about no entry
}

// Check is what the last check of the audit log found.
type Check struct {
	Name          string // of the chain
	Version       int
	At            time.Time
	Verified      Head   // up to where the chain is whole
	KeyID         string // of the link there
	Problems      []Problem
	FailingPlaces []string // places outside to which heads could not be written
}

// Identity implements Row.
func (c Check) Identity() core.Identity {
	return core.Identity{Table: "audit_checks", Key: c.Name, Version: c.Version}
}
