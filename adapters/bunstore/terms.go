package bunstore

import (
	"context"
	"slices"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
)

// termsMigration is the step that makes payment_terms: what was stored before it gets its terms in the same transaction.
const termsMigration = "20261121000023_lists"

// termBatch is how many payments get their terms at once.
const termBatch = 1000

// fillTerms gives the payments that are there their terms, if the step was just applied.
func fillTerms(ctx context.Context, db *bun.DB, applied []string) error {
	if !slices.Contains(applied, termsMigration) {
		return nil
	}
	after := core.ID("")
	for {
		var rows []struct {
			ID       core.ID
			Fullname string
			IBAN     string `bun:"iban"`
		}
		err := db.NewRaw("SELECT id, fullname, iban FROM payments WHERE id > ? ORDER BY id LIMIT ?", after, termBatch).Scan(ctx, &rows)
		if err != nil || len(rows) == 0 {
			return err
		}
		var terms []termRow
		for _, r := range rows {
			terms = append(terms, termsOf(r.ID, r.Fullname, r.IBAN)...)
		}
		if len(terms) > 0 {
			if _, err := db.NewInsert().Model(&terms).Exec(ctx); err != nil {
				return err
			}
		}
		after = rows[len(rows)-1].ID
	}
}
