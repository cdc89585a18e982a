package bunstore

import (
	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
)

type termRow struct {
	bun.BaseModel `bun:"table:payment_terms"`

	Term  string  `bun:"term,pk"`
	ID    core.ID `bun:"id,pk"`
	Words string  `bun:"words"`
}

// termsOf are what a payment is found by.
func termsOf(id core.ID, fullname, iban string) []termRow {
	var rows []termRow
	words := " " + owner.FoldName(fullname)
	for _, w := range report.NameWords(fullname) {
		rows = append(rows, termRow{Term: nameTerm + w, ID: id, Words: words})
	}
	if iban != "" {
		rows = append(rows, termRow{Term: ibanTerm + iban, ID: id})
	}
	return rows
}
