package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core/owner"
)

// Subjects finds and erases what is known of customers.
type Subjects interface {
	// HeldData counts what is held of a subject; NotFound where nothing is.
	HeldData(ctx context.Context, subject owner.Subject) (owner.HeldData, error)
	// OldestData lists what is held under keys that were made before a time and come behind a key, from the oldest key on; of at
	// most so many keys. Next is the last key that was looked at; empty: there is none behind it. What is erased already is
	// left out.
	OldestData(ctx context.Context, madeBefore time.Time, after string, limit int) (held []owner.HeldData, next string, err error)
	// EraseData erases what the erased key (owner.Erasure) has sealed: what the subject's payments are found by goes, and of the
	// vocabulary of names what no other payment has; the key is destroyed; user ids give way to the pseudonym, and what gateways,
	// banks and receivers of callbacks have said of the subject goes. Where it was broken off, the next call goes on.
	EraseData(ctx context.Context, held owner.HeldData) error
}
