package app_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core/fault"
)

var lostRace = fault.New("test", fault.Conflict)

// TestDecisionsAreMadeAgainForSomeTime: however many races are lost, what counts is the time.
func TestDecisionsAreMadeAgainForSomeTime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		patience time.Duration
		losses   int // races lost before one is won
		instead  error
		want     fault.Code
		within   time.Duration
	}{
		"won at once":                       {losses: 0, within: 0},
		"a few are lost":                    {losses: 2, within: 0},
		"more than a hundred small waits":   {patience: time.Hour, losses: 150, within: 150 * 50 * time.Millisecond},
		"a refusal is no lost race":         {losses: 5, instead: fault.New("test", fault.NotAllowed), want: fault.NotAllowed, within: time.Second},
		"every race is lost":                {losses: 1 << 30, want: fault.Conflict, within: app.DefaultPatience},
		"every race is lost, less patience": {patience: time.Second, losses: 1 << 30, want: fault.Conflict, within: time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			began, tries := time.Now(), 0
			err := (&app.UnitOfWork{Patience: c.patience}).Again(t.Context(), func() error {
				if tries++; tries <= c.losses {
					return lostRace
				}
				return c.instead
			})
			if fault.CodeOf(err) != c.want || time.Since(began) > c.within {
				t.Errorf("%s: %v after %d tries and %s", name, err, tries, time.Since(began))
			}
			if c.losses > 1<<20 && (time.Since(began) < c.within || tries > 1000) {
				t.Errorf("%s: given up after %s and %d tries", name, time.Since(began), tries)
			}
		})
	}
}

func TestWhoeverGoesAwayIsNotDecidedAboutAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		tries := 0
		err := (&app.UnitOfWork{}).Again(ctx, func() error {
			if tries++; tries == 7 {
				cancel()
			}
			return lostRace
		})
		if tries != 7 || !fault.Is(err, fault.Conflict) {
			t.Errorf("%v after %d tries, want none after the 7th", err, tries)
		}
	})
}
