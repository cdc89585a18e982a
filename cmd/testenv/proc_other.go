//go:build !linux

package main

import "syscall"

// dieWithParent does nothing where the kernel has no such service; the janitor
// still cleans up.
func dieWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// endWithParent does nothing here either.
func endWithParent() {}

// available is not known.
func available() uint64 { return 0 }

// keepInMemory does nothing where no folder is known to be kept in memory.
func (*environment) keepInMemory(*janitor) error { return nil }
