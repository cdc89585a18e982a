package wallet

import (
	"github.com/vezne/vezne/core/iban"
	"github.com/vezne/vezne/core/owner"
)

// IBANClaims implements Claimer: a new wallet's bank account.
func (w Wallet) IBANClaims() []owner.IBANClaim {
	if w.Version != 1 {
		return nil
	}
	return []owner.IBANClaim{{IBAN: iban.Normalize(w.IBAN), Use: owner.StatementIBAN, Holders: 1}}
}
