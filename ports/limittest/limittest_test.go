package limittest_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/e2e/apptest"
	"github.com/vezne/vezne/ports"
	"github.com/vezne/vezne/ports/limittest"
)

func TestReference(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC)
	limittest.Run(t, func(*testing.T) ports.Limiter { return apptest.NewLimiter(apptest.NewClock(start)) })
}
