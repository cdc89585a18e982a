package app

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/staff"
)

// Request is who asks for something to be done, from where, and why.
type Request struct {
	Staff  staff.Staff
	Addr   string
	Reason string // empty where none is asked for
}

// Actor is who acts, as history and audit rows have it.
func (r Request) Actor() core.Actor { return r.Staff.Actor(r.Addr) }
