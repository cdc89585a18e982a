package operation_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/operation"
)

// TestWhatWasOpenAtABackupIsDoubtedOnce: what has ended is left alone, what was asked about since is not asked again for that, and a
// deposit goes on for the time of grace.
func TestWhatWasOpenAtABackupIsDoubtedOnce(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	until := at.Add(24 * time.Hour)
	for _, phase := range []operation.Phase{operation.Planned, operation.Calling, operation.Open, operation.Late, operation.Closed} {
		o := operation.Operation{
			Version: 3, Kind: operation.DepositOperation, Phase: phase, DeadlineAt: at.Add(-time.Hour), LeaseUntil: at.Add(time.Minute), CuedAt: at.Add(-time.Hour),
		}
		doubted, ok := o.Doubt(at, until, at)
		if isOver := phase == operation.Closed; ok == isOver {
			t.Errorf("%s: in doubt: %t", phase, ok)
		} else if isOver {
			continue
		}
		if doubted.Version != 4 || !doubted.NextAt.Equal(at) || !doubted.DeadlineAt.Equal(until) || doubted.MaySend() || doubted.Moves() {
			t.Errorf("%s: it is %+v", phase, doubted)
		}
		if _, again := doubted.Doubt(at, until, at.Add(time.Second)); again {
			t.Errorf("%s: it is doubted again", phase)
		}
		doubted.CuedAt, doubted.AnsweredAt = time.Time{}, at.Add(time.Second)
		if _, again := doubted.Doubt(at, until, at.Add(time.Minute)); again {
			t.Errorf("%s: answered, it is doubted again", phase)
		}
	}
	waiting := operation.Operation{Version: 1, Kind: operation.PayoutOperation, Phase: operation.Planned}
	if doubted, _ := waiting.Doubt(at, until, at); !doubted.IsDoubted() || !doubted.DeadlineAt.IsZero() {
		t.Errorf("a payout that waits for approval is %+v", doubted)
	}
}
