//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package dirlock

import (
	"errors"
	"os"
	"syscall"
)

func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}

func lock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errTaken
		case err != nil:
			return &os.PathError{Op: "flock", Path: file.Name(), Err: err}
		default:
			return nil
		}
	}
}
