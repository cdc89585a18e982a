package redislimit

import "time"

// moment is a time within this process, in eight bytes: how long after its clock's beginning.
type moment = time.Duration

// clock tells the moment.
type clock struct{ began time.Time }

// newClock is a clock by which the zero moment is long ago.
func newClock() clock { return clock{time.Now().Add(-24 * time.Hour)} }

func (c clock) now() moment { return time.Since(c.began) }
