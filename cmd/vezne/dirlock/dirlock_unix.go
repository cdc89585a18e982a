//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package dirlock

import (
	"errors"
	"io"
	"os"
	"syscall"
)

func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}

// lockDirectory locks the directory itself. Where that cannot be, as on NFS, there is nothing to close, and the file's lock has
// to do. Error: errTaken.
func lockDirectory(dir string) (io.Closer, error) {
	file, err := os.Open(dir)
	if err != nil {
		return nil, nil // opening the file in it says what is wrong
	}
	err = lock(file)
	if err == nil {
		return file, nil
	}
	_ = file.Close() // only opened to be locked
	if errors.Is(err, errTaken) {
		return nil, err
	}
	return nil, nil
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
