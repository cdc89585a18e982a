// Package backup backs up an embedded database while it is used, and begins the restore of any.
package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core/fault"
)

// digestSuffix ends the name of the file beside a backup that has its digest, as sha256sum reads it.
const digestSuffix = ".sha256"

// Command is `vezne backup`.
type Command struct {
	settings.Config
	File string `arg:"" help:"The file to write, which must not be there yet. Its SHA-256 is written to FILE.sha256."`
}

// Run writes the backup, checks it, and writes its digest last: a backup without one was broken off.
func (c Command) Run(ctx context.Context, out io.Writer) error {
	set, err := c.Check("data")
	if err != nil {
		return err
	}
	if !set.IsEmbedded() {
		return errors.New("the database is a PostgreSQL, which has its own tools: pg_basebackup and its archive of WAL (docs/operators.md, Backups)")
	}
	if _, err := os.Stat(set.SQLiteFile); err != nil {
		return fmt.Errorf("there is no database in %s: %w", set.DataDir, err)
	}
	config, err := set.StoreConfig(settings.NoSealer{}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	if err := makeNew(c.File); err != nil {
		return err
	}
	if err := makeNew(c.File + digestSuffix); err != nil {
		return errors.Join(err, os.Remove(c.File))
	}
	digest, size, err := write(ctx, config, c.File)
	if err != nil { // what was begun is no backup
		return errors.Join(fmt.Errorf("backing up %s: %w", set.SQLiteFile, fault.Cause(err)), os.Remove(c.File), os.Remove(c.File+digestSuffix))
	}
	_, err = fmt.Fprintf(out, `%s  %s
%d bytes, read through and in order. Keep apart from it, where whoever has the backup has not:
  the master key   %s
  the audit key    %s
  the audit heads  of the log, where you have them written
`, digest, c.File, size, keptIn(set.MasterKey, "VEZNE_MASTER_KEY", set.KeyFile), keptIn(set.AuditKey, "VEZNE_AUDIT_KEY", set.AuditKeyFile))
	return err
}

// makeNew makes an empty file for its owner's eyes only, whatever the umask is.
func makeNew(name string) error {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("a backup is written to a file that is not there yet: %w", err)
	}
	return file.Close()
}

func write(ctx context.Context, config bunstore.Config, name string) (digest string, size int64, err error) {
	if err := bunstore.Backup(ctx, config, name); err != nil {
		return "", 0, err
	}
	if err := writeThrough(name); err != nil {
		return "", 0, err
	}
	if digest, size, err = digestOf(name); err != nil {
		return "", 0, err
	}
	return digest, size, writeDigest(name, digest)
}

func keptIn(value, name, file string) string {
	if value != "" {
		return name
	}
	return file
}

// writeThrough has a file written through to the disk.
func writeThrough(name string) error {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// digestOf reads a whole file, which may be on what cannot be written to.
func digestOf(name string) (digest string, size int64, err error) {
	file, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = file.Close() }() // only read from
	hash := sha256.New()
	size, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

func writeDigest(name, digest string) error {
	file, err := os.OpenFile(name+digestSuffix, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s  %s\n", digest, filepath.Base(name))
	return errors.Join(err, file.Sync(), file.Close())
}

// maxDigestLine bounds what is read of a digest's file.
const maxDigestLine = 4 << 10

// checkDigest compares a backup with the digest beside it. Without one there is nothing to compare.
func checkDigest(name string) (isThere bool, err error) {
	file, err := os.Open(name + digestSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // only read from
	text, err := io.ReadAll(io.LimitReader(file, maxDigestLine))
	if err != nil {
		return true, err
	}
	want, _, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	got, _, err := digestOf(name)
	if err == nil && got != want {
		err = fmt.Errorf("%s is not what %s%s says: it was broken off, or changed since", name, filepath.Base(name), digestSuffix)
	}
	return true, err
}
