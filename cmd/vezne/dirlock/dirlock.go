// Package dirlock keeps a directory for one process: the operating system gives the lock back when the process ends, however it
// ends.
package dirlock

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Name is what the file is called, in the directory that it locks. It stays there when nobody holds the lock: whoever removed it
// could remove another's.
const Name = "vezne.lock"

// maxHolderBytes bounds what is read of a holder.
const maxHolderBytes = 256

// errTaken is what the operating system's lock says when another process has it.
var errTaken = errors.New("taken")

// HeldError says who has the directory.
type HeldError struct{ Holder string }

// Error implements error.
func (e *HeldError) Error() string { return "in use by " + e.Holder }

// Lock is a directory that this process has.
type Lock struct{ file *os.File }

// Take locks a directory that is there, for a command of this process. Of a directory that another process has, the error is a
// HeldError.
func Take(dir, command string) (*Lock, error) {
	path := filepath.Join(dir, Name)
	file, err := open(path)
	if err == nil {
		err = lock(file)
	}
	if errors.Is(err, errTaken) {
		err = &HeldError{Holder: holder(path)}
	}
	if err == nil {
		err = sign(file, command)
	}
	if err != nil {
		if file != nil {
			_ = file.Close() // nothing was written to it, or it holds nothing that counts
		}
		return nil, err
	}
	return &Lock{file: file}, nil
}

// Release gives the directory back. It may be called on a nil Lock.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	return errors.Join(l.file.Truncate(0), l.file.Close()) // closing unlocks
}

// sign writes who has the lock, for the people who ask.
func sign(file *os.File, command string) error {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	text := fmt.Sprintf("vezne %s, process %d on %s, since %s", command, os.Getpid(), host, time.Now().UTC().Format(time.RFC3339))
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err = file.WriteAt([]byte(text+"\n"), 0)
	return err
}

// holder is what the holder has written, which whoever may write to the directory could have changed.
func holder(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return "another process"
	}
	defer func() { _ = file.Close() }() // only read from
	text, err := io.ReadAll(io.LimitReader(file, maxHolderBytes))
	if text = bytes.TrimSpace(text); err != nil || len(text) == 0 {
		return "another process"
	}
	quoted := strconv.QuoteToASCII(string(text))
	return quoted[1 : len(quoted)-1]
}
