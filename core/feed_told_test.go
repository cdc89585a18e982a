package core_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/wallet"
)

// TestAFeedThatIsToldOfLines is read at once, from the earliest line of the last day on.
func TestAFeedThatIsToldOfLines(t *testing.T) {
	t.Parallel()
	at := func(ago time.Duration) gateway.StatementLine {
		return gateway.StatementLine{BookedAt: evening.Add(-ago)}
	}
	for name, tt := range map[string]struct {
		lines []gateway.StatementLine
		ago   time.Duration // of ReadUntil afterwards
	}{
		"none":               {nil, time.Minute},
		"one just booked":    {[]gateway.StatementLine{at(0)}, time.Minute},
		"one of yesterday":   {[]gateway.StatementLine{at(0), at(20 * time.Hour), at(time.Hour)}, 20 * time.Hour},
		"one of last week":   {[]gateway.StatementLine{at(200 * time.Hour)}, time.Minute},
		"one without a time": {[]gateway.StatementLine{{}}, time.Minute},
	} {
		f := wallet.Feed{
			Version: 3, ReadUntil: evening.Add(-time.Minute), NextAt: evening.Add(time.Hour), LeaseUntil: evening.Add(-time.Hour),
		}
		got := f.Told(tt.lines, evening)
		if got.Version != 4 || !got.NextAt.Equal(evening) || !got.LeaseUntil.IsZero() || !got.ReadUntil.Equal(evening.Add(-tt.ago)) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
