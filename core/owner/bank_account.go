package owner

import (
	"cmp"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/iban"
)

// IBANUse says who tells what came in to a bank account: its statement, staff or a gateway. No account has two uses: what is
// paid there once would count twice.
type IBANUse string

// Uses of a bank account.
const (
	StatementIBAN IBANUse = "statement" // of a wallet or an E-IBAN account: its bank lines credit
	ManualIBAN    IBANUse = "manual"    // of a dealer's account for manual deposits: staff say what came in
	GatewayIBAN   IBANUse = "gateway"   // a gateway's customers pay to it
)

// IsDealers reports whether the bank account is a dealer's: its statement or staff tell what came in, and no gateway may
// collect there. One that is free is nobody's.
func (u IBANUse) IsDealers() bool { return u == StatementIBAN || u == ManualIBAN }

// use is who tells what came in to an account of the kind.
func (k AccountKind) use() IBANUse {
	if k == EIBANAccount {
		return StatementIBAN
	}
	return ManualIBAN
}

// IBANClaim takes a bank account for a use, or gives it back. A commit that takes one which is held for another use fails
// with fault.BankAccountTaken. It is held as often as it is taken, and free when all have given it back.
type IBANClaim struct {
	IBAN    string // normalized
	Use     IBANUse
	Holders int // 1: one more has it; negative: fewer do
}

// Identity implements Row.
func (c IBANClaim) Identity() core.Identity {
	return core.Identity{Table: "bank_accounts", Key: c.IBAN, Version: 1}
}

// CollectingClaims are those of a gateway account that is saved: for the bank accounts on which it collects from now on, and
// for those on which it does not any more.
func CollectingClaims(before, after GatewayAccount) []IBANClaim {
	var claims []IBANClaim
	for _, account := range after.CollectingIBANs {
		if !slices.Contains(before.CollectingIBANs, account) {
			claims = append(claims, IBANClaim{account, GatewayIBAN, 1})
		}
	}
	for _, account := range before.CollectingIBANs {
		if !slices.Contains(after.CollectingIBANs, account) {
			claims = append(claims, IBANClaim{account, GatewayIBAN, -1})
		}
	}
	return claims
}

// Claimer is a row that takes bank accounts for a use.
type Claimer interface {
	core.Row
	IBANClaims() []IBANClaim
}

// IBANClaims implements Claimer.
func (c IBANClaim) IBANClaims() []IBANClaim { return []IBANClaim{c} }

// IBANClaims implements Claimer: a new account's bank account.
func (a Account) IBANClaims() []IBANClaim {
	if a.Version != 1 {
		return nil
	}
	return []IBANClaim{{iban.Normalize(a.IBAN), a.Kind.use(), 1}}
}

// IBANClaimsOf are all claims of a changeset, by IBAN, each IBAN and use once.
func IBANClaimsOf(c core.Changeset) []IBANClaim {
	var claims []IBANClaim
	for _, row := range c {
		if claimer, ok := row.(Claimer); ok {
			claims = append(claims, claimer.IBANClaims()...)
		}
	}
	slices.SortStableFunc(claims, func(a, b IBANClaim) int { return cmp.Or(cmp.Compare(a.IBAN, b.IBAN), cmp.Compare(a.Use, b.Use)) })
	var all []IBANClaim
	for _, claim := range claims {
		last := len(all) - 1
		switch {
		case claim.IBAN == "":
		case last >= 0 && all[last].IBAN == claim.IBAN && all[last].Use == claim.Use:
			all[last].Holders += claim.Holders
		default:
			all = append(all, claim)
		}
	}
	return slices.DeleteFunc(all, func(claim IBANClaim) bool { return claim.Holders == 0 })
}
