package staff_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/coretest"
	"github.com/vezne/vezne/core/staff"
)

func TestSessionIsLive(t *testing.T) {
	t.Parallel()
	s := staff.Session{ExpiresAt: coretest.Evening, LastSeenAt: coretest.Evening.Add(-staff.SessionIdle + time.Minute)}
	if !s.IsLive(coretest.Evening.Add(-1)) || s.IsLive(coretest.Evening) || s.IsLive(coretest.Evening.Add(time.Hour)) {
		t.Error("a session lives until the moment before ExpiresAt")
	}
	s.LastSeenAt = coretest.Evening.Add(-staff.SessionIdle - time.Minute)
	if s.IsLive(coretest.Evening.Add(-time.Minute)) || !s.IsLive(coretest.Evening.Add(-time.Minute-1)) {
		t.Error("a session lives until two hours after its last use")
	}
	s.LastSeenAt, s.RevokedAt = coretest.Evening, coretest.Evening.Add(-time.Hour)
	if s.IsLive(coretest.Evening.Add(-1)) {
		t.Error("a revoked session lives")
	}
	if (staff.Session{}).IsLive(coretest.Evening) {
		t.Error("a session that was never made lives")
	}
}

func TestAProofIsGoodForAWhileAndNoLongerWhenTheClockIsSetBack(t *testing.T) {
	t.Parallel()
	s := staff.Session{ProvenAt: coretest.Evening}
	for after, want := range map[time.Duration]bool{
		-time.Hour: false, -2 * time.Minute: false, -10 * time.Second: true, 0: true, staff.StepUpLife - 1: true, staff.StepUpLife: false,
	} {
		if got := s.IsProven(coretest.Evening.Add(after)); got != want {
			t.Errorf("%s after it was made the proof counts: %t", after, got)
		}
	}
}
