package gateway

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Class says what kind of failure a gateway call met, and so what the core does about it.
type Class string

// Classes.
const (
	Retryable       Class = "retryable"       // network, 5xx, a broken answer
	RateLimited     Class = "rate-limited"    // wait RetryAfter
	Maintenance     Class = "maintenance"     // published downtime
	Refused         Class = "declined"        // the bank or its risk engine said no
	OutOfFunds      Class = "no-funds"        // our balance at the gateway is too low
	Invalid         Class = "invalid"         // our request is wrong for this payer or payee
	Misconfigured   Class = "misconfigured"   // key, host, permission, address not allowed: never told as a decline
	Unauthenticated Class = "unauthenticated" // a session ended; the plugin has renewed it once already
	Unsupported     Class = "unsupported"     // the gateway lacks the capability or the currency
	NotFound        Class = "not-found"       // nothing under this reference, yet
	Conflicting     Class = "conflict"        // the key or reference was used: read what is there
)

// Outages are the classes of calls that met no working gateway. One that declines a card, or does not know an order, works.
func Outages() []Class {
	return []Class{Retryable, Maintenance, RateLimited, Misconfigured, Unauthenticated}
}

// IsOutage reports whether a call that failed with a class met no working gateway.
func (c Class) IsOutage() bool { return slices.Contains(Outages(), c) }

// Effect says whether the gateway may have acted.
type Effect int

// Effects. The zero one is the careful one.
const (
	EffectUnknown Effect = iota
	EffectNone
)

// String names the effect.
func (e Effect) String() string {
	if e == EffectNone {
		return "none"
	}
	return "unknown"
}

// Error is a failed call.
type Error struct {
	Class      Class
	Effect     Effect
	Reason     *Reason       // of a refusal
	RawCode    string        // the gateway's own
	RawText    string        // the gateway's own, without secrets; for staff
	RetryAfter time.Duration // 0: not stated
	Err        error         // for logs
}

// Error is for logs.
func (e *Error) Error() string {
	text := fmt.Sprintf("gateway: %s (effect %s)", e.Class, e.Effect)
	if e.RawCode != "" {
		text += " " + e.RawCode
	}
	if e.RawText != "" {
		text += ": " + e.RawText
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrorOf finds the Error in err. Anything else counts as retryable with unknown effect: nothing is guessed from a
// failure that nobody classified.
func ErrorOf(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Class: Retryable, Effect: EffectUnknown, Err: err}
}

// HasNoEffect reports whether the gateway is known not to have acted: only then another gateway may be tried.
func HasNoEffect(err error) bool { return err != nil && ErrorOf(err).Effect == EffectNone }

// IsClass reports whether err is a failure of the class.
func IsClass(err error, c Class) bool { return err != nil && ErrorOf(err).Class == c }
