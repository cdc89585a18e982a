package program

import (
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// timerSlack is by how much Linux may end a sleep of this process late. Its own 50 µs let the monitor of Go's runtime, which sleeps 20 µs
// at a time while anything runs, wake up so often that it takes a quarter of a server's processor time where one client asks at a time.
const timerSlack = 250 * time.Microsecond

// relaxed marks a process that was executed anew: one is enough, whatever the system makes of a thread's slack then.
const relaxed = "_VEZNE_TIMERS_RELAXED"

// relaxTimers gives a process its timer slack. A thread has it from the one that starts it, and the runtime's monitor is started before
// any code of the program: the program is executed anew, in the same process. It returns where that is done, where the process has as
// much already (TimerSlackNSec= of systemd), and where the system does not let it. No signal may be listened to yet: it could be lost.
func relaxTimers() {
	if _, isDone := os.LookupEnv(relaxed); isDone {
		_ = os.Unsetenv(relaxed) // it is nobody else's; a name like this one can be unset
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	path, err := os.Executable()
	has, failed := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err != nil || failed != nil || has >= int(timerSlack) || unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(timerSlack), 0, 0, 0) != nil {
		return
	}
	_ = syscall.Exec(path, os.Args, append(os.Environ(), relaxed+"=")) // where that fails it goes on as it is
}
