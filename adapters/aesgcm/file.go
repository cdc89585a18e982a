package aesgcm

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/vezne/vezne/core/fault"
)

// maxFileBytes bounds a key file: about a thousand keys.
const maxFileBytes = 64 << 10

// LoadOrCreate reads the master keys of a file, in the form of ParseKeys. A file that does not exist is made, with one
// new random key and mode 0600, and its directory with 0700. Processes that start at the same moment end up with the
// same key. A file that others may read is refused.
func LoadOrCreate(path string) (*Sealer, error) {
	text, err := LoadOrCreateText(path)
	if err != nil {
		return nil, err
	}
	sealer, err := ParseKeys(text)
	if err != nil {
		return nil, fault.E("aesgcm.LoadOrCreate "+path, "", err)
	}
	return sealer, nil
}

// LoadOrCreateText is LoadOrCreate for keys of another kind: it returns the file's text.
func LoadOrCreateText(path string) (string, error) {
	text, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = create(path); err == nil {
			text, err = read(path)
		}
	}
	if err != nil {
		return "", fault.E("aesgcm.LoadOrCreate", fault.Internal, err)
	}
	return text, nil
}

func read(path string) (string, error) {
	file, err := os.Open(path) //nolint:gosec // the operator names it
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if mode := info.Mode(); !mode.IsRegular() || mode.Perm()&0o077 != 0 {
		return "", fmt.Errorf("the key file %s has mode %v, which lets others at it: run `chmod 600 %s`, "+
			"and put a new key in front of the old one if somebody may have read it", path, mode, path)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFileBytes))
	return strings.TrimSpace(string(text)), err
}

// create publishes a complete key file by a hard link, which unlike a rename never replaces a file: the first of
// several processes wins, and nobody ever sees half a key.
func create(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(dir, ".master-key-*") // O_EXCL, 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	if err := writeKey(draft); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(dir)
}

func writeKey(file *os.File) error {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails
	_, err := file.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	return errors.Join(err, file.Sync(), file.Close())
}

// syncDir makes the new name survive a power cut: secrets sealed under a key that is gone are gone too.
func syncDir(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // the operator names it
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
