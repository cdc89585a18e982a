package memory

import (
	"context"

	"github.com/vezne/vezne/core"
)

// ibanUse is how often a bank account is held, and for what.
type ibanUse struct {
	use     core.IBANUse
	holders int
}

// claimed gives the bank accounts as they are with claims. isTaken: one is held for the other use; isLost: one is given back
// that nobody has.
func (s *Store) claimed(claims []core.IBANClaim) (after map[string]ibanUse, isTaken, isLost bool) {
	after = map[string]ibanUse{}
	for _, isFreeing := range []bool{true, false} {
		for _, claim := range claims {
			if claim.Holders < 0 != isFreeing {
				continue
			}
			held, isChanged := after[claim.IBAN]
			if !isChanged {
				held = s.ibans[claim.IBAN]
			}
			isLost = isLost || isFreeing && (held.use != claim.Use || held.holders+claim.Holders < 0)
			isTaken = isTaken || !isFreeing && held.holders > 0 && held.use != claim.Use
			after[claim.IBAN] = ibanUse{claim.Use, held.holders + claim.Holders}
		}
	}
	return after, isTaken, isLost
}

// IBANUses implements ports.BankAccounts.
func (s *Store) IBANUses(ctx context.Context, ibans []string) (map[string]core.IBANUse, error) {
	return read(ctx, s, "memory.IBANUses", func() (map[string]core.IBANUse, bool) {
		uses := map[string]core.IBANUse{}
		for _, iban := range ibans {
			if held := s.ibans[iban]; held.holders > 0 {
				uses[iban] = held.use
			}
		}
		return uses, true
	})
}
