package limittest_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/app/apptest"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/limittest"
)

var start = time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC)

func TestReference(t *testing.T) {
	t.Parallel()
	limittest.Run(t, func(*testing.T) ports.Limiter { return apptest.NewLimiter(apptest.NewClock(start)) })
}
