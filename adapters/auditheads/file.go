// Package auditheads keeps heads of the audit log's chain outside the database: in a file that is only appended to, and at an
// address to which they are posted.
package auditheads

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/ports"
)

var (
	_ ports.AuditPlace = File{}
	_ ports.AuditHeads = Files(nil)
)

// maxLineBytes bounds a line: one has 300 bytes, and at most 100 adoptions of 100 bytes each.
const maxLineBytes = 32 << 10

// File is a file with a line for each head. It is opened anew for each, so that it may be renamed and a new one takes its
// place.
type File struct{ Path string }

// Name implements ports.AuditPlace.
func (f File) Name() string { return "file" }

// HasNone implements ports.AuditPlace.
func (f File) HasNone() bool {
	info, err := os.Stat(f.Path)
	return err != nil || info.Size() == 0
}

// Write implements ports.AuditPlace. The line is synced to the disk, and written in one piece: several processes may share
// the file.
func (f File) Write(_ context.Context, c audit.Checkpoint) error {
	file, err := os.OpenFile(f.Path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	line, err := f.begin(file)
	if err == nil {
		_, err = file.Write(append(append(line, c.Line()...), '\n'))
	}
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = syncDir(filepath.Dir(f.Path))
	}
	return errors.Join(err, file.Close())
}

// begin ends a line that was cut short by a crash.
func (f File) begin(file *os.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file", f.Path)
	}
	last := make([]byte, 1)
	if _, err := file.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
		return nil, err
	}
	return []byte{'\n'}, nil
}

func syncDir(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // the operator names it
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Check reports why the file could not be written; nil: it can be. It writes nothing.
func (f File) Check() error {
	file, err := os.OpenFile(f.Path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, err := os.Stat(filepath.Dir(f.Path))
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no directory", filepath.Dir(f.Path))
	}
	return err
}

// Files are files with heads, a line each: the present one, or it and those that took turns before it.
type Files []string

// Heads implements ports.AuditHeads. A file that is not there has none.
func (f Files) Heads(ctx context.Context, each func(ports.KeptHead) error) error {
	for _, path := range f {
		if err := headsOf(ctx, path, each); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func headsOf(ctx context.Context, path string, each func(ports.KeptHead) error) error {
	file, err := os.Open(path) //nolint:gosec // the operator names it
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read from
	reader := bufio.NewReaderSize(file, maxLineBytes)
	for number := 1; ctx.Err() == nil; number++ {
		line, err := readLine(reader)
		if len(line) > 0 && isWhole(line) {
			h := ports.KeptHead{Where: fmt.Sprintf("line %d of %s has it", number, path)}
			var bad error
			h.Checkpoint, bad = audit.ParseCheckpoint(line)
			h.IsReadable = bad == nil
			if err := each(h); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// isWhole is false for an empty line, and for one that a crash has cut short.
func isWhole(line []byte) bool { return bytes.HasSuffix(line, []byte{'}'}) }

// readLine reads to the end of a line, of which it returns no more than maxLineBytes.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	line = bytes.Clone(bytes.TrimSpace(line))
	for errors.Is(err, bufio.ErrBufferFull) {
		line = []byte("{}") // too long to be a head
		_, err = r.ReadSlice('\n')
	}
	return line, err
}
