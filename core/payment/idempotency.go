package payment

import (
	"time"

	"github.com/vezne/vezne/core"
)

// IdempotencyWindow is how long a first answer is given again (decisions: Idempotency).
const IdempotencyWindow = 24 * time.Hour

// MaxIdempotencyKeyBytes bounds the Idempotency-Key header.
const MaxIdempotencyKeyBytes = 255

// IdempotencyKey names a creating call: a key belongs to its caller and endpoint.
type IdempotencyKey struct {
	Caller   string // "provider/7"
	Endpoint string // "E3"
	Key      string // the header's value
}

// IdempotencyRecord is the first answer of a creating call, kept in the commit that created the payment.
type IdempotencyRecord struct {
	IdempotencyKey
	RequestHash    string // of the body and the credential key
	Status         int    // HTTP status of the answer
	Body           []byte
	CreatedAt      time.Time
	ReplacesBefore time.Time // a record created before this moment is replaced, not a duplicate
}

// Identity implements Row.
func (r IdempotencyRecord) Identity() core.Identity {
	return core.Identity{Table: "idempotency", Key: r.Caller + "\x00" + r.Endpoint + "\x00" + r.Key, Version: 1}
}
