package asynqqueue

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"

	"github.com/hibiken/asynq"
)

// What an operator reads when the wake-ups' way is blocked.
const (
	redisGone     = "Redis is out of reach: wake-ups wait, and the sweeper finds what they would have brought"
	redisBack     = "Redis is back: wake-ups get through again"
	nobodyListens = "nobody takes the wake-ups out of Redis: is a worker running?"
	heardAgain    = "wake-ups are taken out of Redis again"
)

// trouble says once when it begins and once when it ends.
type trouble struct {
	log          *slog.Logger
	begins, ends string
	is           atomic.Bool
}

func (t *trouble) report(err error) {
	switch {
	case err != nil && !t.is.Swap(true):
		t.log.Warn(t.begins, "reason", err)
	case err == nil && t.is.Load() && t.is.Swap(false):
		t.log.Info(t.ends)
	}
}

var _ asynq.Logger = libraryLog{}

// libraryLog takes what asynq and go-redis say to the debug level: they report every failed try of an outage.
type libraryLog struct{ log *slog.Logger }

// Printf is go-redis's only method.
func (l libraryLog) Printf(ctx context.Context, format string, args ...any) {
	l.log.DebugContext(ctx, fmt.Sprintf(format, args...), "library", "go-redis")
}

func (l libraryLog) debug(args []any) { l.log.Debug(fmt.Sprint(args...), "library", "asynq") }

// Debug implements asynq.Logger.
func (l libraryLog) Debug(args ...any) { l.debug(args) }

// Info implements asynq.Logger.
func (l libraryLog) Info(args ...any) { l.debug(args) }

// Warn implements asynq.Logger.
func (l libraryLog) Warn(args ...any) { l.debug(args) }

// Error implements asynq.Logger.
func (l libraryLog) Error(args ...any) { l.debug(args) }

// Fatal implements asynq.Logger. asynq's server does not use it.
func (l libraryLog) Fatal(args ...any) { l.debug(args) }
