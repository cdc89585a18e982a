package tickettest_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/tickettest"
)

func TestReference(t *testing.T) {
	t.Parallel()
	tickettest.Run(t, func(*testing.T) (ports.Tickets, func(time.Duration)) {
		clock := memory.NewClock(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
		return memory.NewTickets(clock), func(d time.Duration) { clock.Advance(d) }
	})
}
