package ports

import (
	"context"

	"github.com/vezne/vezne/core/owner"
)

// Subjects finds and erases what is known of customers.
type Subjects interface {
	// HeldData counts what is held of a subject; NotFound where nothing is.
	HeldData(ctx context.Context, subject owner.Subject) (owner.HeldData, error)
	// EraseTerms deletes what the subject's payments are found by, and of the vocabulary of names what no other payment has.
	// It comes before the key is destroyed (owner.Erasure): it has to read the names.
	EraseTerms(ctx context.Context, held owner.HeldData) error
	// EraseData clears what is left after the key was destroyed: user ids give way to the pseudonym, and what gateways,
	// banks and receivers of callbacks have said of the subject goes. Doing so again changes nothing more.
	EraseData(ctx context.Context, held owner.HeldData) error
}
