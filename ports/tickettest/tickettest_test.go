package tickettest_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/tickettest"
)

func TestReference(t *testing.T) {
	t.Parallel()
	tickettest.Run(t, func(*testing.T) (ports.Tickets, func(time.Duration)) {
		clock := apptest.NewClock(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
		return apptest.NewTickets(clock), func(d time.Duration) { clock.Advance(d) }
	})
}
