package app

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// PanicError is a panic, of a plugin or of a worker.
type PanicError struct {
	Value any
	Stack []byte
}

// Error is for logs.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Guarded turns a panic into a *PanicError. A gateway's odd answer must not end the program, nor what one worker meets the
// work on all others.
func Guarded(do func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &PanicError{Value: cause, Stack: debug.Stack()}
		}
	}()
	return do()
}

// LogPanic reports whether an error is a panic, and logs it then, with its stack.
func LogPanic(log *slog.Logger, where string, err error) bool {
	var panicked *PanicError
	isPanic := errors.As(err, &panicked)
	if isPanic {
		log.Error("a panic", "where", where, "error", err, "stack", string(panicked.Stack))
	}
	return isPanic
}
