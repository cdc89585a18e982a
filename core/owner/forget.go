package owner

import (
	"strings"
	"time"

	"github.com/vezne/vezne/core"
)

// KeepFor is how long what is known of a customer has to be kept after their last payment: ten years for commercial records
// (Turkish Commercial Code, article 82), which is longer than the eight years of the law against money laundering (5549,
// article 8).
const KeepFor = 10 // years

// Subject is whose personal data is held: a provider's customer, or a dealer's own. Exactly one of the two is set.
type Subject struct {
	ProviderID, DealerID int64
	UserID               string
}

// HeldData is what is held of a subject.
type HeldData struct {
	Subject
	KeyID         string    // of the key that seals it
	IsErased      bool      // the key was destroyed; something may be left to be cleared
	PaymentCount  int       // of the subject's payments
	OpenCount     int       // of those, that have not ended
	PendingCount  int       // callbacks that wait, operations that are not closed and discrepancies that are open
	LastPaymentAt time.Time // when the last of them was created or changed
}

// KeepUntil is until when it has to be kept.
func (h HeldData) KeepUntil() time.Time { return h.LastPaymentAt.AddDate(KeepFor, 0, 0) }

// Ref names the subject in audit rows by what tells nothing about them.
func (h HeldData) Ref() string { return "customer/" + Pseudonym(h.KeyID) }

const pseudonymPrefix = "forgotten-"

// Pseudonym takes the place of a forgotten customer's user id: the same in all of their payments, and in nobody else's.
func Pseudonym(keyID string) string { return pseudonymPrefix + keyID }

// IsForgotten reports whether a user id is a pseudonym. Nobody can be created with such a user id.
func IsForgotten(userID string) bool {
	id, ok := strings.CutPrefix(userID, pseudonymPrefix)
	return ok && core.IsID(id)
}

// Erasure destroys the key of a subject, and with it what it has sealed. The commit fails with fault.Conflict when the key
// was destroyed before, or while a payment of theirs is open.
type Erasure struct {
	KeyID  string
	UserID string
	At     time.Time
}

// Identity implements Row.
func (e Erasure) Identity() core.Identity {
	return core.Identity{Table: "erasures", Key: e.KeyID, Version: 1}
}
