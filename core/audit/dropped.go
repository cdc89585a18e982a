package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
)

// Action and target of the entry of the audit log that says which entries are kept no longer. The store deletes none before it is there.
const (
	DropAction = "dropOldEntries"
	LogTarget  = "audit/log"
)

// Dropped is a signed statement that entries were old enough to be deleted, made when the chain was whole. Their links stay, and so does
// everything that the chain proves of later entries: a link is made from the hash of the one before it, not from its entry. What the links
// no longer prove is what was in the entries. An entry that is missing and is not covered by such a statement was deleted by somebody.
type Dropped struct {
	Until     core.ID // of the first entry that is kept
	Through   Head    // up to where the chain was whole
	Links     int64   // of entries with a smaller ID than Until, up to there
	Digest    Hash    // of these links, as Tally has it
	KeyID     string
	Signature Hash // HMAC-SHA-256 under the key
}

// droppedState is the statement in an entry's After.
type droppedState struct {
	Until     core.ID   `json:"until"` // which the store's triggers read
	Before    time.Time `json:"before"`
	Through   string    `json:"through"`
	Links     int64     `json:"links"`
	Digest    string    `json:"digest"`
	KeyID     string    `json:"keyId"`
	Signature string    `json:"signature"`
}

// Before is the moment before which the entries were made.
func (d Dropped) Before() time.Time {
	at, _ := d.Until.Time()
	return at
}

// Covers reports whether a link may be without its entry.
func (d Dropped) Covers(l Link) bool { return l.EntryID < d.Until && l.No <= d.Through.No }

// Sign returns the statement signed.
func (d Dropped) Sign(key Key) Dropped {
	d.KeyID = key.id
	d.Signature = d.signature(key)
	return d
}

// IsSigned reports whether one of the keys has signed it.
func (d Dropped) IsSigned(keys Keys) bool {
	key, ok := keys.byID(d.KeyID)
	want := d.signature(key)
	return ok && hmac.Equal(want[:], d.Signature[:])
}

func (d Dropped) signature(key Key) Hash {
	sum := key.hash()
	_, _ = sum.Write([]byte(strings.Join([]string{
		"vezne audit dropped 1", string(d.Until), d.Through.String(), strconv.FormatInt(d.Links, 10), d.Digest.String(), d.KeyID,
	}, "\n"))) // a hash never fails to write; no field has a line's end
	return Hash(sum.Sum(nil))
}

// State is the statement as the entry's After has it.
func (d Dropped) State() string {
	return core.AuditJSON(droppedState{
		Until: d.Until, Before: d.Before(), Through: d.Through.String(), Links: d.Links, Digest: d.Digest.String(), KeyID: d.KeyID,
		Signature: d.Signature.String(),
	})
}

// ParseDropped reads what State gives. Whether the statement is signed is another question.
func ParseDropped(state string) (Dropped, error) {
	var s droppedState
	if err := json.Unmarshal([]byte(state), &s); err != nil {
		return Dropped{}, errors.New("the statement is not JSON")
	}
	through, err1 := ParseHead(s.Through)
	digest, err2 := ParseHash(s.Digest)
	signature, err3 := ParseHash(s.Signature)
	if !core.IsID(string(s.Until)) {
		err1 = errors.Join(err1, errors.New("the statement names no ID"))
	}
	d := Dropped{Until: s.Until, Through: through, Links: s.Links, Digest: digest, KeyID: s.KeyID, Signature: signature}
	return d, errors.Join(err1, err2, err3)
}

// Tally counts links in the order of their numbers, and has a digest of them: a link that is added, taken away or changed makes another.
type Tally struct {
	Links int64
	sum   chainSum
}

// Add takes the next link.
func (t *Tally) Add(l Link) {
	if t.Links++; t.sum.Hash == nil {
		t.sum = chainSum{sha256.New()}
		t.sum.text("vezne audit links")
	}
	t.sum.number(l.No)
	t.sum.text(string(l.EntryID))
	t.sum.number(int64(l.Version))
	t.sum.text(l.KeyID)
	t.sum.text(string(l.Hash[:]))
}

// Digest is the digest of the links so far; zero: there were none.
func (t *Tally) Digest() Hash {
	if t.sum.Hash == nil {
		return Hash{}
	}
	return Hash(t.sum.Sum(nil))
}
