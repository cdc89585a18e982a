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

// HeldData is what is held of a subject. Without a user id it is of one payment, whose key is its own: a transfer's, which goes
// to somebody else each time, or that of a customer without a user id.
type HeldData struct {
	Subject
	KeyID         string    // of the key that seals it
	IsErased      bool      // the key was taken from them; something may be left to be erased
	PaymentCount  int       // of the subject's payments
	OpenCount     int       // of those, that have not ended
	PendingCount  int       // callbacks that wait, operations that are not closed and discrepancies that are open
	LastPaymentAt time.Time // when the last of them was created or changed
}

// KeepUntil is until when it has to be kept.
func (h HeldData) KeepUntil() time.Time { return h.LastPaymentAt.AddDate(KeepFor, 0, 0) }

// Erasure has the key erased.
func (h HeldData) Erasure(at time.Time) Erasure {
	return Erasure{KeyID: h.KeyID, UserID: h.UserID, At: at}
}

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

// Erasure takes a key from its subject, so that what it has sealed can be erased: a payment of the same subject afterwards has
// another. The commit fails with fault.Conflict when the key was taken before, or while a payment of theirs is open.
type Erasure struct {
	KeyID  string
	UserID string // empty: the key is one payment's own
	At     time.Time
}

// Identity implements Row.
func (e Erasure) Identity() core.Identity {
	return core.Identity{Table: "erasures", Key: e.KeyID, Version: 1}
}
