// Package dirlock keeps a directory for one process: the operating system releases the lock when the process ends, however it
// ends. Where it can, it locks the directory itself, which stays the same one whatever is removed from it; and always a file in
// it, which says who has the lock.
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
// could remove another's, which is all that locks a directory on some file systems and systems.
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
type Lock struct {
	directory io.Closer // nil: the file alone is locked
	file      *os.File
}

// Take locks a directory that is there, for a command of this process. Of a directory that another process has, the error is a
// HeldError.
func Take(dir, command string) (*Lock, error) {
	path := filepath.Join(dir, Name)
	l := &Lock{}
	var err error
	if l.directory, err = lockDirectory(dir); err == nil {
		l.file, err = open(path)
	}
	if err == nil {
		err = lock(l.file)
	}
	if errors.Is(err, errTaken) {
		err = &HeldError{Holder: holder(path)}
	}
	if err == nil {
		err = sign(l.file, command)
	}
	if err != nil {
		_ = l.close() // nothing was written to the file, or it holds nothing that counts
		return nil, err
	}
	return l, nil
}

// close unlocks what is locked.
func (l *Lock) close() (err error) {
	if l.file != nil {
		err = l.file.Close()
	}
	if l.directory != nil {
		err = errors.Join(err, l.directory.Close())
	}
	return err
}

// Release releases the directory. It may be called on a nil Lock.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	return errors.Join(l.file.Truncate(0), l.close())
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
