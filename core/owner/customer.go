package owner

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
)

// OwnerQuery asks for providers or dealers, by id. Zero fields do not narrow.
type OwnerQuery struct {
	core.Scope
	Name     string // a part of the name, compared as FoldName does
	IsActive *bool
	core.Paging[int64]
}

// Matches reports whether an owner of this name is asked for.
func (q OwnerQuery) Matches(name string, isActive bool) bool {
	if q.IsActive != nil && *q.IsActive != isActive {
		return false
	}
	return strings.Contains(FoldName(name), FoldName(q.Name))
}

// BlockQuery asks for the block list, newest first: by CreatedAt, then by customer. Zero fields do not narrow.
type BlockQuery struct {
	ProviderID int64
	core.Paging[BlockCursor]
}

// BlockCursor is a row's place in the block list.
type BlockCursor struct {
	CustomerKey
	CreatedAt time.Time
}

// Cursor is the row's place in the block list.
func (b Block) Cursor() BlockCursor { return BlockCursor{b.CustomerKey, b.BlockedAt} }

// Compare orders places as the block list does: newest first.
func (c BlockCursor) Compare(other BlockCursor) int {
	return cmp.Or(
		other.CreatedAt.Compare(c.CreatedAt), cmp.Compare(other.ProviderID, c.ProviderID), strings.Compare(other.UserID, c.UserID),
	)
}

// AuditState is what an audit row says of a block, as JSON.
func (b Block) AuditState() string {
	return auditJSON(map[string]any{"reason": b.Reason, "by": b.BlockedBy.Name, "createdAt": b.BlockedAt})
}

// Ref names the customer in audit rows, which are never changed: by a hash, which is the same for one customer and leads nobody to
// them who does not know the user id.
func (k CustomerKey) Ref() string {
	sum := sha256.Sum256([]byte("vezne customer\x00" + k.rowKey()))
	return Provider{ID: k.ProviderID}.Ref() + "/customer/" + hex.EncodeToString(sum[:16])
}
