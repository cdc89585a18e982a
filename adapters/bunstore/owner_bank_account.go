package bunstore

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

// ibanRow says whose a bank account is.
type ibanRow struct {
	bun.BaseModel `bun:"table:bank_accounts"`

	IBAN    string        `bun:"iban,pk"`
	Use     owner.IBANUse `bun:"use"`
	Holders int           `bun:"holders"`
}

// takenIBANs takes bank accounts: one that somebody has for another use is missed by the count.
func (w templateWriter) takenIBANs() template {
	s := w.insert(rowType[ibanRow](), " ON CONFLICT (iban) DO UPDATE SET use = excluded.use,"+
		" holders = bank_accounts.holders + excluded.holders"+
		" WHERE bank_accounts.use = excluded.use OR bank_accounts.holders = 0 RETURNING 1")
	s.isCounted, s.lost = true, fault.BankAccountTaken
	return s
}

// freedIBANs returns bank accounts back; holders is how many do.
func (w templateWriter) freedIBANs() template {
	return w.data(w.table(rowType[ibanRow]()).Fields, "UPDATE bank_accounts SET holders = bank_accounts.holders - d.holders FROM d"+
		" WHERE bank_accounts.iban = d.iban AND bank_accounts.use = d.use RETURNING 1").all(fault.Conflict)
}

// bankAccounts says whose bank accounts are, by the claims of rows of several kinds.
func bankAccounts() table {
	return table{
		rows:      kinds[owner.IBANClaim](),
		templates: func(w templateWriter) []template { return []template{w.freedIBANs(), w.takenIBANs()} },
		all: func(e *encoder, at int, c core.Changeset) {
			taken := map[string]bool{}
			for _, claim := range owner.IBANClaimsOf(c) {
				row, isTaking := ibanRow{IBAN: claim.IBAN, Use: claim.Use, Holders: claim.Holders}, claim.Holders > 0
				if isTaking && taken[row.IBAN] {
					e.fail(fault.New("bunstore.encode", fault.BankAccountTaken))
				}
				taken[row.IBAN] = taken[row.IBAN] || isTaking
				e.touch("bank_accounts", row.IBAN)
				if isTaking {
					put(e, at+1, row, nil)
				} else {
					row.Holders = -row.Holders
					put(e, at, row, nil)
				}
			}
		},
	}
}

// IBANUses implements ports.Owners.
func (s *Store) IBANUses(ctx context.Context, ibans []string) (map[string]owner.IBANUse, error) {
	uses := map[string]owner.IBANUse{}
	if len(ibans) == 0 {
		return uses, nil
	}
	var rows []ibanRow
	err := s.reads.NewSelect().Model(&rows).Where("iban IN (?) AND holders > 0", bun.List(ibans)).Scan(ctx)
	for _, r := range rows {
		uses[r.IBAN] = r.Use
	}
	return uses, fail("bunstore.IBANUses", err)
}

// AccountsBesideStatements returns the IBANs of active accounts for manual deposits whose bank account is a wallet's or an E-IBAN
// account's as well, which only an installation from before that was refused can have.
func (s *Store) AccountsBesideStatements(ctx context.Context) (ibans []string, err error) {
	err = s.reads.NewRaw(`SELECT b.iban FROM accounts AS a JOIN bank_accounts AS b ON b.iban = upper(replace(a.iban, ' ', ''))
		WHERE a.kind = ? AND a.is_active AND b.use = ? ORDER BY b.iban LIMIT 100`,
		owner.ManualAccount, owner.StatementIBAN).Scan(ctx, &ibans)
	return ibans, fail("bunstore.AccountsBesideStatements", err)
}
