package program

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/uptrace/bun/driver/pgdriver"
)

// driverLog takes what the PostgreSQL driver would print on standard error by itself: in a JSON log it would be no JSON.
// Nothing of it is news, since the driver returns the same as an error.
type driverLog struct{ log *slog.Logger }

// Printf implements pgdriver's logger.
func (d driverLog) Printf(ctx context.Context, format string, args ...any) {
	d.log.DebugContext(ctx, fmt.Sprintf(format, args...), "library", "pgdriver")
}

// captureDriverLog is for the whole process, because the driver has one logger.
func captureDriverLog(log *slog.Logger) { pgdriver.Logger = driverLog{log} }
