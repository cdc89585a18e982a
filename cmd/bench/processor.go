package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// usage is the processor time that processes have taken.
type usage struct{ vezne, database, bench time.Duration }

// usage reads it from /proc; where there is none it is nothing. The database's are the processes of the server that VEZNE_TEST_PG_DATA names:
// one that ends takes its time with it, so that pools must not shrink while something is measured.
func (v *installation) usage() (u usage) {
	u.vezne = processorTime(strconv.Itoa(v.command.Process.Pid))
	u.bench = processorTime("self")
	lock, err := os.ReadFile(filepath.Join(os.Getenv("VEZNE_TEST_PG_DATA"), "postmaster.pid"))
	if err != nil {
		return u
	}
	postmaster, _, _ := strings.Cut(string(lock), "\n")
	children, err := os.ReadFile(filepath.Join("/proc", postmaster, "task", postmaster, "children"))
	if err != nil {
		return u
	}
	for _, process := range strings.Fields(string(children)) {
		u.database += processorTime(process)
	}
	return u
}

// processorTime is the time of a process in user and system mode.
func processorTime(process string) time.Duration {
	data, err := os.ReadFile("/proc/" + process + "/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(data), ") ") // the name before it may have blanks
	fields := strings.Fields(rest)
	const user, system = 11, 12
	if len(fields) <= system {
		return 0
	}
	var ticks int64
	for _, field := range []int{user, system} {
		n, err := strconv.ParseInt(fields[field], 10, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	const perSecond = 100 // on every Linux
	return time.Duration(ticks) * time.Second / perSecond
}

// each says what one of n took from before to after.
func (before usage) each(after usage, n int) string {
	if n == 0 || after.vezne == before.vezne {
		return ""
	}
	share := func(before, after time.Duration) int64 { return ((after - before) / time.Duration(n)).Microseconds() }
	text := fmt.Sprintf("   µs of processor each: Vezne %d, clients %d", share(before.vezne, after.vezne), share(before.bench, after.bench))
	if after.database > before.database { // an embedded one is in Vezne
		text += fmt.Sprintf(", PostgreSQL %d", share(before.database, after.database))
	}
	return text
}
