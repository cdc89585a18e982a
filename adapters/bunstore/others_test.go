package bunstore_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/ports"
)

// TestWhoHasSaidThatItRunsIsFoundUnconnected until it says that it ends, or has said nothing for long. What a wrong clock has
// written counts no longer, and a database without tables has nobody.
func TestWhoHasSaidThatItRunsIsFoundUnconnected(t *testing.T) {
	t.Parallel()
	cfg := ownPostgresConfig(t)
	db := rawDatabase(t, cfg)
	s, err := bunstore.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	now, err := s.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ahead := now.Add(ports.GoneAfter / 2) // so that it is of now, however slow this test is
	for process, at := range map[string]time.Time{
		"this": ahead, "one that is gone": now.Add(-2 * ports.GoneAfter), "by a wrong clock": now.Add(45 * time.Minute),
	} {
		if err := s.ProveWrite(t.Context(), process, at, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	found := func(want ...time.Time) {
		t.Helper()
		others, err := bunstore.FindOthers(t.Context(), cfg)
		if err != nil || len(others.Announced) != len(want) || len(want) > 0 && !others.Announced[0].Equal(want[0]) {
			t.Errorf("found are %+v (%v), want %v", others, err, want)
		}
	}
	found(ahead)
	s = openStore(t, cfg)
	if err := s.ForgetProcess(t.Context(), "this"); err != nil {
		t.Fatal(err)
	}
	found()
	execute(t, db, "DROP TABLE processes")
	found()
}
