package redislimit_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/adapters/redislimit"
	"github.com/vezne/vezne/core"
)

// TestRedissClockIsSetBack: what was counted by a time to come is forgotten. Otherwise whoever was busy then would wait until that
// time has come again.
func TestRedissClockIsSetBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, client := embeddedServer(t, nil)
		l, rate := redislimit.New(client, slog.New(slog.DiscardHandler)), core.Rate{Events: 10, Per: time.Minute}
		server.SetTime(time.Now())
		for range 10 {
			if a := l.Take(t.Context(), "busy", 1, rate); !a.OK {
				t.Fatalf("%+v", a)
			}
		}
		if a := l.Take(t.Context(), "busy", 1, rate); a.OK {
			t.Fatalf("the eleventh: %+v", a)
		}
		time.Sleep(2 * time.Second) // what this process remembers is old
		server.SetTime(time.Now().Add(-time.Hour))
		for i := range 11 {
			if a := l.Take(t.Context(), "busy", 1, rate); a.OK != (i < 10) {
				t.Errorf("number %d after the clock was set back: %+v", i+1, a)
			}
		}
		closed(client)
	})
}
