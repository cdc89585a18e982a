package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// memoryDir is a folder that is kept in memory and may hold programs.
const memoryDir = "/dev/shm"

// memoryNeeded is what has to be free for tests to keep their files in memory: the whole suite makes some 4 GiB of them.
const memoryNeeded = 10 << 30

// hasMemory reports whether tests may keep their files in memoryDir.
func hasMemory() bool {
	var of unix.Statfs_t
	if unix.Statfs(memoryDir, &of) != nil || unix.Access(memoryDir, unix.W_OK) != nil {
		return false
	}
	isInMemory := of.Type == unix.TMPFS_MAGIC && of.Flags&unix.ST_NOEXEC == 0
	return isInMemory && of.Bavail*uint64(of.Bsize) >= memoryNeeded && available() >= memoryNeeded //nolint:gosec // a size is positive
}

// available is how much memory new work may take, in bytes; 0: not known.
func available() uint64 {
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		var kib uint64
		if _, err := fmt.Sscanf(line, "MemAvailable: %d kB", &kib); err == nil {
			return kib << 10
		}
	}
	return 0
}

// keepInMemory has everything that is made from now on go where no disk is waited for: nothing of it outlives the run. A TMPDIR of
// the caller's is left alone.
func (e *environment) keepInMemory(keeper *janitor) error {
	if e.isDurable || e.vars["TMPDIR"] != "" || !hasMemory() {
		return nil
	}
	dir, err := os.MkdirTemp(memoryDir, "vezne-")
	if err != nil {
		return err
	}
	if err := keeper.removeDir(dir); err != nil {
		return err
	}
	e.vars["TMPDIR"] = dir
	e.started = append(e.started, "files in "+dir)
	if err := os.Chmod(dir, 0o711); err != nil { // PostgreSQL's user passes through it
		return err
	}
	return os.Setenv("TMPDIR", dir)
}
