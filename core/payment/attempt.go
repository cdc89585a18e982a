package payment

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
)

// MaxAnswerBytes is how much of a receiver's answer an attempt keeps.
const MaxAnswerBytes = 4 << 10

// MaxLoggedAttempts is how many attempts of a callback are shown, the last ones: at least those of one retry schedule. Each time
// that the callback is sent again adds to them.
const MaxLoggedAttempts = maxAttempts

// maxRetryAfter bounds how far a receiver's Retry-After may push the next attempt.
const maxRetryAfter = 24 * time.Hour

// Attempt is the log of one try to deliver a callback.
type Attempt struct {
	ID         core.ID
	CallbackID core.ID
	Number     int // 1 is the first
	At         time.Time
	Duration   time.Duration
	URL        string
	HTTPStatus int    // 0: no answer
	Error      string // why there was no answer; empty when there was one
	Answer     string // the first MaxAnswerBytes of the body
}

// Identity implements Row.
func (a Attempt) Identity() core.Identity {
	return core.Identity{Table: "attempts", Key: string(a.ID), Version: 1}
}

// DeliveryResult is what came of sending one attempt.
type DeliveryResult struct {
	Duration   time.Duration
	HTTPStatus int           // 0: no answer
	Error      string        // why there was none
	Answer     string        // at most MaxAnswerBytes, valid UTF-8 without NUL
	RetryAfter time.Duration // the receiver asked to wait at least this long; 0: it did not

	Acknowledgement owner.Acknowledgement // which answers acknowledge, by the receiver's setting
}

// IsAccepted reports whether the receiver acknowledged: HTTP 200 does, and another 2xx where its setting says so.
func (a DeliveryResult) IsAccepted() bool { return a.Acknowledgement.Takes(a.HTTPStatus) }

// DecideAttempt takes an attempt's outcome into the callback: delivered, waiting for the next attempt, or failed when
// the schedule ends.
func DecideAttempt(c Callback, url string, a DeliveryResult, schedule RetrySchedule, at time.Time, ids *core.IDs) core.Changeset {
	c.Version++
	c.AttemptCount++
	c.LeaseUntil = time.Time{}
	attempt := Attempt{
		ID: ids.Next(), CallbackID: c.ID, Number: c.AttemptCount, At: at.Add(-a.Duration), Duration: a.Duration, URL: url,
		HTTPStatus: a.HTTPStatus, Error: a.Error, Answer: a.Answer,
	}
	wait, more := schedule.wait(c.ID, c.AttemptCount)
	switch {
	case a.IsAccepted():
		c.Status, c.NextAttemptAt, c.FinishedAt = Delivered, time.Time{}, at
	case more:
		c.NextAttemptAt = at.Add(max(wait, min(a.RetryAfter, maxRetryAfter)))
	default:
		c.Status, c.NextAttemptAt, c.FinishedAt = Undeliverable, time.Time{}, at
	}
	return core.Changeset{c, attempt}
}

// HandBack ends the leases of callbacks that were not tried: they are due again at once.
func HandBack(leased []Callback) core.Changeset {
	var change core.Changeset
	for _, c := range leased {
		c.Version++
		c.LeaseUntil = time.Time{}
		change = append(change, c)
	}
	return change
}

// DecideSkip parks a waiting callback whose URL was taken away since.
func DecideSkip(c Callback, at time.Time) core.Changeset {
	c.Version++
	c.Status, c.LeaseUntil, c.NextAttemptAt, c.FinishedAt = Skipped, time.Time{}, time.Time{}, at
	return core.Changeset{c}
}

// CallbackLog is a callback with its attempts, oldest first.
type CallbackLog struct {
	Callback
	Attempts []Attempt
}
