//go:build !linux

package hostclock

import "time"

// SinceBoot would be the time that has passed since this machine started, suspension included, which Go does not tell here.
func SinceBoot() (time.Duration, bool) { return 0, false }
