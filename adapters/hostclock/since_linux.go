package hostclock

import (
	"time"

	"golang.org/x/sys/unix"
)

// SinceBoot is the time that has passed since this machine started, suspension included. False: the system does not say.
func SinceBoot() (time.Duration, bool) {
	var at unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &at)
	return time.Duration(at.Nano()), err == nil
}
