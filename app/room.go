package app

import "github.com/vezne/vezne/core"

// MaxListed is how many rows a list has at most that staff fill one by one and that is read whole: a provider's sites, a dealer's
// site tokens, a dealer's accounts of a kind, gateway accounts, route rules and wallets.
const MaxListed = 1000

// CheckRoom refuses a row for which a list has no room. Of several that are made at once each may be the last. Fault: Invalid.
func CheckRoom(op, list string, count int) error {
	var form core.Form
	if count >= MaxListed {
		form.Fail(list, "field.full", MaxListed)
	}
	return form.Err(op)
}
