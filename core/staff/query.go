package staff

import (
	"github.com/vezne/vezne/core"
)

// Query asks for staff members, by id. Zero fields do not narrow.
type Query struct {
	Role     Role
	IsActive *bool // nil: either
	After    int64 // keyset cursor: only greater ids
	Limit    int
}

// InvitationQuery asks for invitations, newest first.
type InvitationQuery struct {
	Email string  // empty: any
	After core.ID // keyset cursor: only older ones
	Limit int
}
