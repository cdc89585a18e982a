package audit

import (
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
)

// Break is where a chain breaks first.
type Break struct {
	Kind    coreaudit.Break
	No      int64
	EntryID core.ID // empty: not known
	Action  string  // of the entry, where there is one
	Target  string
	Where   string    // of a head: who has it; of the checkpoint: what is wrong with it
	At      time.Time // of a head
	KeyID   string
	End     int64 // the chain's last number, where it is about a head

	seen coreaudit.Hash
}

// orRestored is what an operator has to know who restores backups.
const orRestored = "the end of the chain was cut off, or an older backup was restored. If it was a backup, and only then, " +
	"`vezne audit adopt --reason …` goes on from here"

// String is the break as a sentence.
func (b Break) String() string {
	named := fmt.Sprintf("number %d (entry %s, %s of %s)", b.No, b.EntryID, b.Action, b.Target)
	switch b.Kind {
	case coreaudit.BreakMissing:
		return fmt.Sprintf("the entry %s, number %d in the chain, is missing: it was deleted from the log", b.EntryID, b.No)
	case coreaudit.BreakUnlinked:
		return fmt.Sprintf("number %d of the chain is missing: its link was deleted", b.No)
	case coreaudit.BreakInserted:
		return named + " was inserted into the chain"
	case coreaudit.BreakUnkeyed:
		return named + " has no key, behind one that has: whoever wrote it has no key"
	case coreaudit.BreakUnknownKey:
		if b.EntryID == "" {
			return fmt.Sprintf("a head (%s) was signed under the key %s, which is not among VEZNE_AUDIT_KEY", b.Where, b.KeyID)
		}
		return named + " was chained under the key " + b.KeyID + ", which is not among VEZNE_AUDIT_KEY"
	case coreaudit.BreakHead:
		return b.headSentence()
	case coreaudit.BreakCheckpoint:
		return b.checkpointSentence()
	case coreaudit.BreakForgedHead:
		return fmt.Sprintf("what was kept as a head (%s) is not one that this installation has signed", b.Where)
	case coreaudit.BreakDropped:
		return fmt.Sprintf("the links of entries that are kept no longer, up to number %d, are not those that were signed when they were dropped: "+
			"somebody has changed them, so that an entry of later would be taken for one of those", b.No)
	default:
		return named + " was changed, in the log or in the chain"
	}
}

func (b Break) headSentence() string {
	who := b.Where
	if !b.At.IsZero() {
		who += ", of " + b.At.UTC().Format(time.RFC3339)
	}
	if b.No > b.End {
		return fmt.Sprintf("the chain ends at number %d, and number %d was there (%s): %s", b.End, b.No, who, orRestored)
	}
	return fmt.Sprintf("the chain does not go through number %d with the hash that was kept (%s): it was cut and went on, or was "+
		"written anew, or this is one of two copies that both went on; after restoring an older backup, `vezne audit adopt "+
		"--reason …` goes on from here", b.No, who)
}

func (b Break) checkpointSentence() string {
	text := "the signed checkpoint of the chain " + b.Where
	if b.Where == "is missing" {
		return text + fmt.Sprintf(" though the chain has %d links: it was deleted, or these links are from before there were keys; "+
			"after such an upgrade, `vezne audit adopt --reason …` goes on from here", b.No)
	}
	return text + ": somebody has changed it, or " + orRestored
}
