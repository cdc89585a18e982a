package discrepancy

import (
	"github.com/vezne/vezne/core"
)

// DiscrepancyQuery asks for discrepancies, newest first. Zero fields do not narrow.
type DiscrepancyQuery struct {
	core.Scope
	ID        core.ID
	States    []DiscrepancyState
	Kinds     []DiscrepancyKind
	GatewayID int64
	After     core.ID // keyset cursor: only older ones
	Limit     int
	IDs       []core.ID // only among these, at most MaxPage; empty: among all
}
