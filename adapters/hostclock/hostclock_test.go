package hostclock_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/hostclock"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// machine has a clock that can be set, and a database with another. Time passes when a test says so.
type machine struct {
	elapsed, asleep time.Duration // since the start; of it suspended
	skew            time.Duration
	database        time.Duration // how wrong the database's clock is
	fails           error
	slow            time.Duration // of the database's answer
	log             bytes.Buffer
	*hostclock.Clock
}

func newMachine(t *testing.T, skew time.Duration) *machine {
	t.Helper()
	m := &machine{skew: skew}
	m.Clock = hostclock.New(m.source, slog.New(slog.NewTextHandler(&m.log, nil)))
	m.Against(func(context.Context) (time.Time, error) {
		m.elapsed += m.slow / 2
		there := noon.Add(m.elapsed + m.asleep + m.database)
		m.elapsed += m.slow / 2
		return there, m.fails
	})
	return m
}

func (m *machine) source() (time.Time, time.Duration) {
	return noon.Add(m.elapsed + m.asleep + m.skew), m.elapsed
}

func (m *machine) compare(t *testing.T) {
	t.Helper()
	if err := m.Compare(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (m *machine) wants(t *testing.T, isRight bool) {
	t.Helper()
	err := m.Check()
	if isRight && err != nil || !isRight && !fault.Is(err, fault.Unavailable) {
		t.Errorf("%s after the start, %s off: %v", m.elapsed, m.skew, err)
	}
	written := 0
	commit := m.Commits(committer(func() { written++ })).Commit(t.Context(), nil)
	if (commit == nil) != isRight || (written == 1) != isRight {
		t.Errorf("%d commits, %v", written, commit)
	}
}

type committer func()

func (c committer) Commit(context.Context, core.Changeset) error {
	c()
	return nil
}

func TestAClockIsReliedOnWhenItAgreesWithTheDatabase(t *testing.T) {
	t.Parallel()
	for skew, isRight := range map[time.Duration]bool{
		0: true, 4900 * time.Millisecond: true, -4900 * time.Millisecond: true,
		5100 * time.Millisecond: false, -5100 * time.Millisecond: false, 45 * time.Minute: false, -45 * time.Minute: false,
	} {
		m := newMachine(t, skew)
		m.wants(t, false) // it was not compared yet
		m.compare(t)
		m.wants(t, isRight)
		if offset, ok := m.Offset(); !ok || offset != skew {
			t.Errorf("the offset is %s, want %s", offset, skew)
		}
		if n := strings.Count(m.log.String(), "level=ERROR"); (n == 0) != isRight {
			t.Errorf("with %s the log has %q", skew, &m.log)
		}
	}
}

// TestAClockThatIsSetIsSeenAtOnce: between two comparisons elapsed time shows it. What was decided by the wrong time is not
// committed a moment after the clock was set back either.
func TestAClockThatIsSetIsSeenAtOnce(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{45 * time.Minute, -45 * time.Minute} {
		m := newMachine(t, 0)
		m.compare(t)
		m.wants(t, true)
		m.skew = skew
		decided := m.Now()
		m.skew = 0
		m.wants(t, false)
		if decided.Sub(m.Now()).Round(time.Second) != skew {
			t.Errorf("it was decided at %s", decided)
		}
		m.elapsed += 5 * time.Second
		m.wants(t, true)
		m.skew = skew
		m.wants(t, false)
		m.elapsed += time.Minute
		m.compare(t)
		m.compare(t)
		m.wants(t, false)
		m.skew = 0 // and it comes back by itself
		m.compare(t)
		m.elapsed += 5 * time.Second
		m.wants(t, true)
		if n := strings.Count(m.log.String(), "level=ERROR"); n != 1 {
			t.Errorf("the log says it %d times:\n%s", n, &m.log)
		}
		if n := strings.Count(m.log.String(), "agrees"); n != 1 {
			t.Errorf("that it is over it says %d times:\n%s", n, &m.log)
		}
	}
}

// TestSuspension: elapsed time leaves it out, so that the clock seems to have been set until it was compared.
func TestSuspension(t *testing.T) {
	t.Parallel()
	m := newMachine(t, 0)
	m.compare(t)
	m.asleep = 8 * time.Hour
	m.wants(t, false)
	m.compare(t)
	m.elapsed += 5 * time.Second
	m.wants(t, true)
}

// TestADatabaseWithAWrongClockEndsNothing: after a failover to a machine whose clock is wrong nobody knows which one to believe.
func TestADatabaseWithAWrongClockEndsNothing(t *testing.T) {
	t.Parallel()
	m := newMachine(t, 0)
	m.compare(t)
	m.database = 45 * time.Minute
	m.compare(t)
	m.wants(t, false)
}

func TestAComparisonOfLongAgoIsNotReliedOn(t *testing.T) {
	t.Parallel()
	m := newMachine(t, 0)
	m.compare(t)
	m.fails = errors.New("gone")
	m.elapsed += 50 * time.Second
	if err := m.Compare(t.Context()); err == nil {
		t.Error("no answer is no fault")
	}
	m.wants(t, true)
	m.elapsed += 11 * time.Second
	m.wants(t, false)
	m.fails = nil
	m.compare(t)
	m.wants(t, true)
}

func TestASlowAnswerIsNotUsed(t *testing.T) {
	t.Parallel()
	m := newMachine(t, 0)
	m.slow = 3 * time.Second
	if err := m.Compare(t.Context()); !fault.Is(err, fault.Unavailable) {
		t.Errorf("an answer of three seconds is %v", err)
	}
	m.wants(t, false)
	m.slow = time.Second
	m.compare(t)
	if offset, _ := m.Offset(); offset != 0 {
		t.Errorf("half of the way is not left out: %s", offset)
	}
}

// TestAnEmbeddedInstallationSeesThatItsClockWasSet: there is no other clock, only the time that has passed.
func TestAnEmbeddedInstallationSeesThatItsClockWasSet(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{45 * time.Minute, -45 * time.Minute} {
		m := newMachine(t, -time.Hour) // as good as any
		m.Against(hostclock.Elapsed(m.source, func() (time.Duration, bool) { return m.elapsed + m.asleep, true }))
		m.compare(t)
		m.wants(t, true)
		m.asleep = time.Hour // suspension is no setting
		m.compare(t)
		m.elapsed += 5 * time.Second
		m.compare(t)
		m.wants(t, true)
		m.skew += skew
		m.wants(t, false)
		m.elapsed += 9 * time.Minute
		m.compare(t)
		m.wants(t, false)
		m.skew -= skew
		m.compare(t)
		m.elapsed += 5 * time.Second
		m.compare(t)
		m.wants(t, true)
		m.skew += skew // and now it stays
		m.compare(t)
		m.elapsed += 10 * time.Minute
		m.compare(t)
		m.elapsed += 5 * time.Second
		m.wants(t, true)
	}
}

func TestASystemThatCannotTellElapsedTimeComparesNothing(t *testing.T) {
	t.Parallel()
	m := newMachine(t, 0)
	m.Against(hostclock.Elapsed(m.source, func() (time.Duration, bool) { return 0, false }))
	m.compare(t)
	m.skew = time.Hour
	m.compare(t)
	m.elapsed += 5 * time.Second
	m.wants(t, true)
}

func TestSinceBootGoesOn(t *testing.T) {
	t.Parallel()
	before, ok := hostclock.SinceBoot()
	after, _ := hostclock.SinceBoot()
	if ok && (before <= 0 || after < before) {
		t.Errorf("%s, then %s", before, after)
	}
}
