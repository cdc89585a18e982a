package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// Waker wakes workers. Wake never blocks, never fails and promises nothing: the database is the truth, and the
// sweeper finds what a lost wake-up should have brought. Equal wake-ups in quick succession may become one, as long as a
// worker starts after the last of them.
type Waker interface {
	Wake(wakeUps ...core.WakeUp)
}

// CallbackSender sends one attempt of a callback.
type CallbackSender interface {
	// Send posts the message and reports what came of it. It never fails: no answer, a refused address or a timeout is
	// an outcome. Redirects are not followed; the answer is cut at core.MaxAnswerBytes.
	Send(ctx context.Context, url string, message payment.CallbackMessage) payment.DeliveryResult
}

// Limiter bounds how often something named by a key may happen.
type Limiter interface {
	// Take counts n events for the key and reports whether they are within the rate. When the limiter's own store is out
	// of reach each process counts alone.
	Take(ctx context.Context, key string, n int, rate core.Rate) core.Allowance
	// Peek returns the same without counting.
	Peek(ctx context.Context, key string, rate core.Rate) core.Allowance
}

// Sealer encrypts secrets at rest. What was sealed for one context ("providers.secret_key/7") does not open for another.
type Sealer interface {
	Seal(plain, context string) (string, error)
	Open(sealed, context string) (string, error)
}

// Keyring is a Sealer with several keys, of which the first seals and any of them opens.
type Keyring interface {
	// KeyIDs returns the ids of the keys, the first one first.
	KeyIDs() []string
	// KeyIDOf returns the id of the key that a text was sealed under, known or not, and nothing for what is no sealed text. The
	// first MaxKeyPrefix bytes of a sealed text are enough.
	KeyIDOf(sealed string) string
}

// MaxKeyPrefix is within how many bytes a sealed text says which key sealed it.
const MaxKeyPrefix = 32

// Clock returns the time. Only the fake one of tests is ever anything but time.Now.
type Clock interface{ Now() time.Time }

// TimeCheck reports whether the time may be relied on.
type TimeCheck interface {
	// Check reports whether this process's clock agrees with the one that all processes share. Fault: Unavailable.
	Check() error
}
