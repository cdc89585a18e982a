package core

// DecideDealerOffer creates a dealer's manual deposit with its account in one decision (D2): the account is chosen as
// for a provider's customer who presses Continue. Fault: NoAccount.
func DecideDealerOffer(s Start, b Birth, loads []AccountLoad, day Day, d Decision) (Changeset, error) {
	change := DecideStart(s, b)
	offer, err := DecideOffer(RowsOf[Payment](change)[0], s.Amount, loads, day, d)
	if err != nil {
		return Changeset{}, err
	}
	made := RowsOf[Payment](offer)[0]
	made.Version = 1 // created and offered in one
	change = Without[Payment](change)
	offer = append(offer, made)
	return change.Merge(offer), nil
}
