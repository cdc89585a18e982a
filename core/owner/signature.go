package owner

import (
	"time"

	"github.com/vezne/vezne/core"
)

// SignatureMode says which signatures of requests are taken from a caller.
type SignatureMode bool

// Signature modes.
const (
	SignatureAccepted SignatureMode = false // the contract's X-Hash, or X-Signature
	SignatureRequired SignatureMode = true  // X-Signature alone
)

// String is the mode as audit rows have it.
func (m SignatureMode) String() string {
	if m == SignatureRequired {
		return "required"
	}
	return "accepted"
}

// NonceLife is how long a used nonce is kept. A timestamp is fresh for ten minutes at most, from five minutes before it to
// five minutes after it: a day lets the clocks of two processes differ by nearly that much before one forgets what another
// would still take.
const NonceLife = 24 * time.Hour

// Nonce is one that a caller has used for a request that creates something. Nobody uses one twice: the second commit of it
// fails with fault.Conflict.
type Nonce struct {
	Caller string // "dealer/7", "site_token/3"
	Value  string // of X-Nonce
	UsedAt time.Time
}

// Identity implements Row.
func (n Nonce) Identity() core.Identity {
	return core.Identity{Table: "request_nonces", Key: n.Caller + "\x00" + n.Value, Version: 1}
}
