package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// stopGrace is how long the command may take to end after it was asked to.
const stopGrace = 10 * time.Second

// runCommand runs the command to its end and returns its exit code. When a
// signal ends ctx the command gets the same signal, and after stopGrace a kill.
func runCommand(ctx context.Context, command, env []string, keeper *janitor) (int, error) {
	path, err := exec.LookPath(command[0])
	if err != nil {
		return 0, err
	}
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	gate, open, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, append([]string{"-begin", "--", path}, command[1:]...)...)
	cmd.Env, cmd.ExtraFiles = env, []*os.File{gate}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: !hasTerminal()}
	dieWithParent(cmd.SysProcAttr, syscall.SIGTERM)
	cmd.WaitDelay = stopGrace
	cmd.Cancel = func() error { return passOn(ctx, cmd) }
	err = cmd.Start()
	_ = gate.Close()
	if err == nil && cmd.SysProcAttr.Setpgid {
		keeper.killGroup(cmd.Process.Pid)
	}
	if err == nil {
		_, err = open.Write([]byte{1})
	}
	if err = errors.Join(err, open.Close()); err != nil {
		return 0, err
	}
	return exitCode(cmd, cmd.Wait())
}

// begin becomes the command as soon as its process group is known to the janitor: however early testenv is killed, nothing that
// the command starts stays behind.
func begin(command []string) error {
	gate := os.NewFile(3, "gate") // the first of ExtraFiles
	if _, err := gate.Read(make([]byte, 1)); err != nil {
		return fmt.Errorf("testenv ended before the command began: %w", err)
	}
	if err := gate.Close(); err != nil {
		return err
	}
	return syscall.Exec(command[0], command, os.Environ())
}

// passOn hands the signal that ended ctx to the command. At a terminal the
// kernel has sent Ctrl-C to the whole group already, and twice would be abrupt.
func passOn(ctx context.Context, cmd *exec.Cmd) error {
	number := syscall.SIGTERM
	var stopped signalled
	if errors.As(context.Cause(ctx), &stopped) {
		number = stopped.signal
	}
	if cmd.SysProcAttr.Setpgid {
		return syscall.Kill(-cmd.Process.Pid, number)
	}
	if number == syscall.SIGINT || number == syscall.SIGQUIT {
		return nil
	}
	return cmd.Process.Signal(number)
}

// exitCode turns the end of the command into an exit code, as a shell would.
func exitCode(cmd *exec.Cmd, waitErr error) (int, error) {
	if cmd.ProcessState == nil {
		return 0, fmt.Errorf("wait for the command: %w", waitErr)
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}

// hasTerminal reports whether a person may press Ctrl-C or type an answer. Then
// the command stays in the terminal's process group; otherwise it gets a group
// of its own, so that everything it leaves behind can be ended.
func hasTerminal() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	_ = tty.Close()
	return true
}
