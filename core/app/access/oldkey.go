package access

import (
	"context"

	"github.com/vezne/vezne/core"
)

// usedKey is one of an owner's keys from before a rotation, and whether the caller used it.
type usedKey struct {
	kind   core.KeyKind
	key    core.PreviousKey
	isUsed bool
}

// oldUses gives the uses of old keys that nobody has noted yet.
func oldUses(owner core.OldKeyUse, keys ...usedKey) []core.OldKeyUse {
	var uses []core.OldKeyUse
	for _, k := range keys {
		if k.isUsed && k.key.UsedAt.IsZero() {
			owner.Kind = k.kind
			uses = append(uses, owner)
		}
	}
	return uses
}

// note tells of the first uses of old keys, by a caller who was let in.
func (g *Gate) note(ctx context.Context, uses []core.OldKeyUse) {
	if g.NoteOldKey == nil {
		return
	}
	for _, use := range uses {
		g.NoteOldKey(ctx, use)
	}
}
