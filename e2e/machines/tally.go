// Package machines drills Vezne on many machines.
package machines

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Answered is the last that a caller was told of a payment.
type Answered struct {
	Key    string // the Idempotency-Key that created it
	Code   string // tracking code
	Status string // as the database has it
}

// Stored is what the database has of a payment in the end.
type Stored struct {
	Code      string
	Status    string
	Ends      int // transitions in its history into a status that it never leaves
	Callbacks int // callbacks that it is to send
}

// Told is one callback as the receiver of all callbacks got it; an attempt that is repeated has the same ID.
type Told struct{ Code, ID, Status string }

// Tally is what the comparison has found.
type Tally struct {
	Lost, Doubled int
	Findings      []string // a sentence for each, at most maxFindings
}

const maxFindings = 20

// Count compares what callers were told with what the database has and what the receiver got. Lost is what was answered and is
// not so: a payment that is not there, has another status, was given to two requests, or whose end was told to nobody. Doubled is
// what was booked more often than somebody asked for it: a payment that no request was answered with, a second end, a second
// callback.
func Count(answered []Answered, stored []Stored, told []Told) Tally {
	var t Tally
	lost := func(format string, args ...any) { t.Lost++; t.note(format, args...) }
	doubled := func(format string, args ...any) { t.Doubled++; t.note(format, args...) }

	rows := make(map[string]Stored, len(stored))
	for _, s := range stored {
		rows[s.Code] = s
	}
	ids := make(map[string]map[string]string, len(told)) // by code: the status by ID
	for _, c := range told {
		if ids[c.Code] == nil {
			ids[c.Code] = make(map[string]string)
		}
		ids[c.Code][c.ID] = c.Status
	}
	keys := make(map[string]string, len(answered))
	for _, a := range answered {
		if other, isTaken := keys[a.Code]; isTaken && other != a.Key {
			lost("%s was given to two requests, %s and %s", a.Code, other, a.Key)
		}
		keys[a.Code] = a.Key
		row, isThere := rows[a.Code]
		switch {
		case !isThere:
			lost("%s was answered as %s and is not there", a.Code, a.Status)
		case row.Status != a.Status:
			lost("%s was answered as %s and is %s", a.Code, a.Status, row.Status)
		case row.Ends > 0 && !slices.Contains(slices.Collect(maps.Values(ids[a.Code])), a.Status):
			lost("%s is %s, and no callback has said so", a.Code, a.Status)
		}
	}
	for _, s := range stored {
		if _, isKnown := keys[s.Code]; !isKnown {
			doubled("%s is there, and no request was answered with it", s.Code)
		}
		if s.Ends > 1 {
			doubled("%s has ended %d times", s.Code, s.Ends)
		}
		if n := max(s.Callbacks, len(ids[s.Code])); n > max(s.Ends, 0) {
			doubled("%s has ended %d times and has %d callbacks", s.Code, s.Ends, n)
		}
	}
	slices.SortFunc(t.Findings, cmp.Compare[string])
	return t
}

func (t *Tally) note(format string, args ...any) {
	if len(t.Findings) < maxFindings {
		t.Findings = append(t.Findings, fmt.Sprintf(format, args...))
	}
}
