package fence

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

var _ ports.EpochPlace = File("")

// File is a place beside an embedded database, whose directory one process has. A backup of the database does not have it.
type File string

// maxFileBytes bounds what is read of it.
const maxFileBytes = 4 << 10

// Record implements ports.EpochPlace. A file that is no mark counts as none: it holds up nobody, and is replaced.
func (f File) Record(_ context.Context, m epoch.Mark) (epoch.Mark, error) {
	const op = "fence.File.Record"
	before, err := f.read()
	if err != nil {
		return epoch.Mark{}, fault.E(op, fault.Unavailable, err)
	}
	if m.Against(before) != epoch.Foremost || m == before {
		return before, nil
	}
	if err := f.write(m); err != nil {
		return epoch.Mark{}, fault.E(op, fault.Unavailable, err)
	}
	return before, nil
}

func (f File) read() (epoch.Mark, error) {
	file, err := os.Open(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return epoch.Mark{}, nil
	}
	if err != nil {
		return epoch.Mark{}, err
	}
	defer func() { _ = file.Close() }() // only read from
	var m epoch.Mark
	if err := json.NewDecoder(io.LimitReader(file, maxFileBytes)).Decode(&m); err != nil || m.Check() != nil {
		return epoch.Mark{}, nil
	}
	return m, nil
}

// write replaces the file in one step, so that a crash leaves one of the two.
func (f File) write(m epoch.Mark) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(string(f)), ".epoch-*") // for its owner's eyes only
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), string(f))
	}
	if err != nil {
		_ = os.Remove(file.Name()) // what is left of it holds nothing
	}
	return err
}
