package core

// CompleteWith completes a payment with a credit, as the decisions do.
func CompleteWith(p Payment, c Command, k Credit, d Decision) (Changeset, error) {
	return complete(p, c, k, d)
}

// Transition makes a move without looking at credits.
func Transition(p Payment, c Command, d Decision) (Changeset, error) {
	return transition(p, c, p.Amount, d)
}
