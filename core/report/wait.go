package report

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core/payment"
)

// WaitQuery asks how long deposits of a method waited lately: of a site, or of a dealer's own payments.
type WaitQuery struct {
	SiteID   int64 // 0: of the dealer's own
	DealerID int64
	Method   payment.Method
	Since    time.Time // completed not before
	Limit    int       // how many of the last completed deposits are looked at, of all methods
}

// Bounds of what is said of other people's deposits: of fewer nothing is, and what takes longer is not usual.
const (
	minWaits    = 20
	usualOf     = 90 // percent
	LastWaits   = 200
	WaitsWithin = 7 * 24 * time.Hour
)

// usualWaits are what is said: so few that they tell nothing of anybody's own deposit.
var usualWaits = []time.Duration{
	time.Minute, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 20 * time.Minute,
	30 * time.Minute, 45 * time.Minute, time.Hour, 2 * time.Hour,
}

// UsualWait is within which time most of the deposits were decided, rounded up; 0: there are too few, or they took too long.
func UsualWait(waits []time.Duration) time.Duration {
	if len(waits) < minWaits {
		return 0
	}
	waits = slices.Sorted(slices.Values(waits))
	most := waits[(len(waits)*usualOf+99)/100-1]
	for _, usual := range usualWaits {
		if most <= usual {
			return usual
		}
	}
	return 0
}
