package main

import "syscall"

// dieWithParent has the kernel send the signal to the child when testenv ends
// without a chance to do it itself.
func dieWithParent(attr *syscall.SysProcAttr, number syscall.Signal) { attr.Pdeathsig = number }

// endWithParent has the kernel stop testenv when its parent ends. "go run"
// hands Ctrl-C on to what it runs but not SIGTERM, which is what a CI machine
// sends: without this the servers would outlive the run.
func endWithParent() {
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
}
