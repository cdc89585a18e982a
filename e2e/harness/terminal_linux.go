package harness

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// NewTerminal makes a pseudo-terminal: what is written to the keyboard is read from the other end, which is a terminal.
func NewTerminal(t testing.TB) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keyboard.Close() })
	var number, isLocked int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &isLocked, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, keyboard.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Fatal(errno)
		}
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	return keyboard, terminal
}
