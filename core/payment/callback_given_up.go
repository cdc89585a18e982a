package payment

import (
	"fmt"
	"slices"

	"github.com/vezne/vezne/core"
)

// GivenUpStatuses are those of callbacks that are not tried any more, though nobody has them: every attempt failed, or there was
// no address.
func GivenUpStatuses() []CallbackStatus { return []CallbackStatus{Undeliverable, Skipped} }

// GivenUpQuery asks for callbacks that were given up and still hold, newest (greatest ID) first. A dealer's scope has the
// callbacks of the dealer's own payments.
type GivenUpQuery struct {
	core.Scope
	Statuses []CallbackStatus // of GivenUpStatuses; empty: any of them
	core.Paging[core.ID]
}

// Check fails in the form what cannot be asked.
func (q GivenUpQuery) Check(form *core.Form) {
	for _, s := range q.Statuses {
		if !slices.Contains(GivenUpStatuses(), s) {
			form.Fail("status", "field.choice", fmt.Sprint(GivenUpStatuses()))
		}
	}
}
