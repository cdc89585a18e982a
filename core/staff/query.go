package staff

import (
	"github.com/vezne/vezne/core"
)

// Query asks for staff members, by id. Zero fields do not narrow.
type Query struct {
	Role     Role
	IsActive *bool // nil: either
	core.Paging[int64]
}

// InvitationQuery asks for invitations, newest first.
type InvitationQuery struct {
	Email string // empty: any
	core.Paging[core.ID]
}
