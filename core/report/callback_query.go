package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
)

// CallbackAnswer is what a receiver answered to a callback's last attempt.
type CallbackAnswer string

// Answers. Attempts are kept for a while only: of an older callback there is none.
const (
	AnsweredWell   CallbackAnswer = "success"      // HTTP 2xx
	AnsweredMoved  CallbackAnswer = "redirect"     // HTTP 3xx, which is not followed
	AnsweredNo     CallbackAnswer = "client_error" // HTTP 4xx
	AnsweredBroken CallbackAnswer = "server_error" // HTTP 5xx
	Unanswered     CallbackAnswer = "no_answer"    // no connection, or no answer in time
	Untried        CallbackAnswer = "no_attempt"   // none was made, or none is kept any more
)

// CallbackAnswers lists all of them.
func CallbackAnswers() []CallbackAnswer {
	return []CallbackAnswer{AnsweredWell, AnsweredMoved, AnsweredNo, AnsweredBroken, Unanswered, Untried}
}

// AnswerOf is what the last of a callback's attempts met.
func AnswerOf(attempts []payment.Attempt) CallbackAnswer {
	if len(attempts) == 0 {
		return Untried
	}
	switch attempts[len(attempts)-1].HTTPStatus / 100 {
	case 0:
		return Unanswered
	case 3:
		return AnsweredMoved
	case 4:
		return AnsweredNo
	case 5:
		return AnsweredBroken
	default:
		return AnsweredWell
	}
}

// CallbackQuery asks for callbacks, newest (greatest ID) first. Zero fields do not narrow. A dealer's scope has the callbacks of the
// dealer's own payments.
type CallbackQuery struct {
	core.Scope
	SiteID       int64
	Statuses     []payment.CallbackStatus
	Answers      []CallbackAnswer
	IsReplaced   *bool // whether what it reports is not what its receiver is to believe any more
	CreatedFrom  time.Time
	CreatedUntil time.Time // excluded
	IDs          []core.ID // only among these, at most core.MaxPage

	core.Paging[core.ID] `json:"-"` // what a job is about has no pages
}

// CallbackPage is what a search came to.
type CallbackPage struct {
	Callbacks []payment.Callback
	// Stop is where a search gave up before the page was full: beyond it the next one goes on. Nil: it did not.
	Stop *core.ID
}

// Check fails in the form what cannot be asked.
func (q CallbackQuery) Check(form *core.Form) {
	check := func(field string, isFine bool, all any) {
		if !isFine {
			form.Fail(field, "field.choice", fmt.Sprint(all))
		}
	}
	check("status", core.AreAmong(q.Statuses, payment.CallbackStatuses()), payment.CallbackStatuses())
	check("answer", core.AreAmong(q.Answers, CallbackAnswers()), CallbackAnswers())
}

// Holds reports whether a callback is one of those asked for, whatever it was answered.
func (q CallbackQuery) Holds(c *payment.Callback) bool {
	return q.Has(c.DealerID, c.ProviderID) && (q.SiteID == 0 || q.SiteID == c.SiteID) &&
		(len(q.Statuses) == 0 || slices.Contains(q.Statuses, c.Status)) &&
		(q.IsReplaced == nil || *q.IsReplaced != c.SupersededAt.IsZero()) &&
		(q.CreatedFrom.IsZero() || !c.CreatedAt.Before(q.CreatedFrom)) &&
		(q.CreatedUntil.IsZero() || c.CreatedAt.Before(q.CreatedUntil)) &&
		(len(q.IDs) == 0 || slices.Contains(q.IDs, c.ID))
}

// Next is the query beyond what a query found, and whether there may be more.
func (f CallbackPage) Next(q CallbackQuery) (next CallbackQuery, more bool) {
	switch n := len(f.Callbacks); {
	case f.Stop != nil:
		q.Paging = q.Beyond(*f.Stop)
	case n > 0 && q.IsLast:
		q.Paging = q.Beyond(f.Callbacks[0].ID)
	case n > 0:
		q.Paging = q.Beyond(f.Callbacks[n-1].ID)
	}
	return q, f.Stop != nil || len(f.Callbacks) >= q.Limit
}
