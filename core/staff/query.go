package staff

import (
	"github.com/vezne/vezne/core"
)

// StaffQuery asks for staff members, by id. Zero fields do not narrow.
type StaffQuery struct {
	Role       Role
	OnlyActive bool
	After      int64 // keyset cursor: only greater ids
	Limit      int
}

// InvitationQuery asks for invitations, newest first.
type InvitationQuery struct {
	Email string  // empty: any
	After core.ID // keyset cursor: only older ones
	Limit int
}
