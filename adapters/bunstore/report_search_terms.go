package bunstore

import (
	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

// termRow is something that a payment is found by: a keyed hash of a word of the name, or of the IBAN. Words are the codes of all
// words of the name, behind a space each.
type termRow struct {
	bun.BaseModel `bun:"table:payment_terms"`

	Term  string  `bun:"term,pk"`
	ID    core.ID `bun:"id,pk"`
	Words string  `bun:"words"`
}
