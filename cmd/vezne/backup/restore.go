package backup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/fence"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
)

// Restore is `vezne restore`.
type Restore struct {
	settings.Config
	File   string `arg:"" optional:"" help:"Embedded: the backup to put into the data directory, which has no database. A PostgreSQL is restored by its own tools before."`
	Reason string `required:"" help:"Why, for the audit log."`
}

// maxReason bounds the reason, as everywhere.
const maxReason = 500

// Run puts a backup in place where the database is embedded, and freezes the database: the next epoch begins, and no money moves in
// it until two people have thawed it.
func (c Restore) Run(ctx context.Context, out io.Writer) (err error) {
	reason := strings.TrimSpace(c.Reason)
	if reason == "" || len(reason) > maxReason {
		return fmt.Errorf("--reason says why, in at most %d bytes", maxReason)
	}
	set, err := c.Check("data")
	if err != nil {
		return err
	}
	if set.IsEmbedded() == (c.File == "") {
		return errors.New("an embedded database is restored from a file, which is named; a PostgreSQL (VEZNE_DATABASE_URL) by its own tools, before this command")
	}
	lock, err := set.TakeDirectory("restore")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	if c.File != "" {
		if err := c.place(ctx, set, out); err != nil {
			return err
		}
	}
	frozen, err := freeze(ctx, set, reason)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, `Frozen: epoch %d, restored to %s. Start Vezne now. No money moves: it asks gateways and banks what happened after
that moment, lists what remains for people to look at, and goes on when two of them have thawed it (docs/operators.md, After a restore).
`, frozen.Number, frozen.RestoredTo.UTC().Format(time.RFC3339))
	return err
}

// place checks the backup and copies it into the data directory. A database that is there is what happened after the backup: nothing
// replaces it.
func (c Restore) place(ctx context.Context, set settings.Settings, out io.Writer) error {
	for _, name := range []string{set.SQLiteFile, set.SQLiteFile + "-wal"} {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there: move it away, with -wal and -shm, and keep it; it knows what happened after the backup", name)
		}
	}
	if _, err := os.Stat(set.KeyFile); set.MasterKey == "" && err != nil {
		return fmt.Errorf("the master key is missing, without which the backup opens no secret: put it back as %s, or set VEZNE_MASTER_KEY", set.KeyFile)
	}
	isThere, err := checkDigest(c.File)
	if err != nil {
		return err
	}
	if err := bunstore.CheckFile(ctx, c.File); err != nil {
		return fault.Cause(err)
	}
	if !isThere {
		if _, err := fmt.Fprintf(out, "%s%s is not there: the file is whole, and nothing tells whether it is what was written\n", c.File, digestSuffix); err != nil {
			return err
		}
	}
	if err := copyFile(c.File, set.SQLiteFile); err != nil {
		return errors.Join(err, os.Remove(set.SQLiteFile))
	}
	return nil
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // only read from
	target, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close())
}

// freeze begins the next epoch. An embedded database is brought up to date first, as at each start. What cannot be frozen is not left
// in place: it would be served.
func freeze(ctx context.Context, set settings.Settings, reason string) (frozen epoch.Epoch, err error) {
	defer func() {
		if err != nil && set.IsEmbedded() {
			err = errors.Join(err, removeDatabase(set.SQLiteFile))
		}
	}()
	sealer, err := set.Sealer()
	if err != nil {
		return frozen, err
	}
	config, err := set.StoreConfig(sealer, slog.New(slog.DiscardHandler))
	if err != nil {
		return frozen, err
	}
	config.IsPrimary = true
	if set.IsEmbedded() {
		if _, err := bunstore.MigrateUp(ctx, config); err != nil {
			return frozen, fmt.Errorf("bringing the database up to date: %w", set.DatabaseFault(err))
		}
	}
	store, err := set.Open(ctx, config)
	if err != nil {
		return frozen, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if _, err := store.CheckSecrets(ctx); err != nil {
		return frozen, fmt.Errorf("the master key does not open the secrets in this database: %w", fault.Cause(err))
	}
	before, mark, err := store.Mark(ctx)
	if err != nil {
		return frozen, set.DatabaseFault(err)
	}
	change, frozen, err := fence.Freeze(before, mark, epoch.Restored, reason, time.Now().UTC().Truncate(time.Microsecond), rand.Reader)
	if err != nil {
		return frozen, err
	}
	return frozen, fault.Cause(store.Commit(ctx, change))
}

func removeDatabase(path string) (err error) {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if failed := os.Remove(path + suffix); failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}
