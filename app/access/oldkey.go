package access

import (
	"context"

	"github.com/vezne/vezne/core/owner"
)

// usedKey is one of an owner's keys from before a rotation, and whether the caller used it.
type usedKey struct {
	kind   owner.KeyKind
	key    owner.PreviousKey
	isUsed bool
}

// oldUses returns the uses of old keys that nobody has noted yet.
func oldUses(whose owner.OldKeyUse, keys ...usedKey) []owner.OldKeyUse {
	var uses []owner.OldKeyUse
	for _, k := range keys {
		if k.isUsed && k.key.UsedAt.IsZero() {
			whose.Kind = k.kind
			uses = append(uses, whose)
		}
	}
	return uses
}

// note tells of the first uses of old keys, by a caller who was let in.
func (g *Authenticator) note(ctx context.Context, uses []owner.OldKeyUse) {
	if g.NoteOldKey == nil {
		return
	}
	for _, use := range uses {
		g.NoteOldKey(ctx, use)
	}
}
