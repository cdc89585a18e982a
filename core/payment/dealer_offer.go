package payment

import (
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
)

// DecideDealerOffer creates a dealer's manual deposit with its account in one decision (D2): the account is chosen as
// for a provider's customer who presses Continue. Fault: NoAccount.
func DecideDealerOffer(s Request, b CreateParams, loads []owner.DailyUsage, day core.Day, d Decision) (core.Changeset, error) {
	change := DecideCreate(s, b)
	offer, err := DecideOffer(core.RowsOf[Payment](change)[0], s.Amount, loads, day, d)
	if err != nil {
		return core.Changeset{}, err
	}
	made := core.RowsOf[Payment](offer)[0]
	made.Version = 1 // created and offered in one
	change = core.Without[Payment](change)
	offer = append(offer, made)
	return change.Merge(offer), nil
}
