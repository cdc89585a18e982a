package core

import (
	"time"
)

// AuditEntry says what a person changed. Before and After are JSON without secrets.
type AuditEntry struct {
	ID            ID
	At            time.Time
	By            Actor
	Action        string // the mutation's or command's name
	Target        string // "payment/MAN-…", "provider/7"
	Reason        string
	Before, After string
}

// Identity implements Row.
func (e AuditEntry) Identity() Identity {
	return Identity{Table: "audit", Key: string(e.ID), Version: 1}
}
