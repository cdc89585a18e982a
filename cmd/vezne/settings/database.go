package settings

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/cmd/vezne/dirlock"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// StoreConfig says where the database is; the directory of an embedded one is made.
func (s Settings) StoreConfig(sealer ports.Sealer, log *slog.Logger) (bunstore.Config, error) {
	if !s.IsEmbedded() {
		return bunstore.Config{
			DatabaseURL: s.DatabaseURL, IsUnprepared: !s.IsPrepared, IsByDealer: s.IsByDealer, Connections: s.Connections,
			Sealer: sealer, Log: log,
		}, nil
	}
	if err := errors.Join(s.MakeDirectory(), s.refuseCutOff()); err != nil {
		return bunstore.Config{}, err
	}
	return bunstore.Config{Path: s.SQLiteFile, Sealer: sealer, Log: log}, nil
}

// MakeDirectory makes the data directory where it is missing.
func (s Settings) MakeDirectory() error {
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return fmt.Errorf("VEZNE_DATA_DIR is %q: the data directory cannot be made: %w", s.DataDir, err)
	}
	return nil
}

// TakeDirectory keeps the directory of an embedded database for this process, which writes to it. A database on a server has its
// own ways.
func (s Settings) TakeDirectory(command string) (*dirlock.Lock, error) {
	if !s.IsEmbedded() {
		return nil, nil
	}
	if err := s.MakeDirectory(); err != nil {
		return nil, err
	}
	lock, err := dirlock.Take(s.DataDir, command)
	var held *dirlock.HeldError
	switch {
	case errors.As(err, &held):
		return nil, fmt.Errorf("the data directory %s is %w: an embedded database is for one process; stop that one first, or give "+
			"this one its own VEZNE_DATA_DIR", s.DataDir, err)
	case err != nil:
		return nil, fmt.Errorf("VEZNE_DATA_DIR is %q: the data directory cannot be written to: %w", s.DataDir, err)
	}
	return lock, nil
}

// refuseCutOff refuses a database file without a single byte: for SQLite it is a new database, and for its operator a lost one.
func (s Settings) refuseCutOff() error {
	info, err := os.Stat(s.SQLiteFile)
	if err == nil && info.Size() == 0 {
		return fmt.Errorf("%s in the data directory (VEZNE_DATA_DIR) is damaged or cut short: it has 0 bytes; put the backup in its "+
			"place, or remove it to begin anew", s.SQLiteFile)
	}
	return nil
}

// Open opens a database that is up to date. The caller closes it.
func (s Settings) Open(ctx context.Context, config bunstore.Config) (*bunstore.Store, error) {
	store, err := bunstore.Open(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", s.DatabaseFault(err))
	}
	if err := s.IsUpToDate(ctx, store); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// IsUpToDate refuses a database that lacks migrations, or has those of a newer Vezne, or that is reached in another way than the
// settings say.
func (s Settings) IsUpToDate(ctx context.Context, database *bunstore.Store) error {
	switch err := database.CheckSessions(ctx); {
	case errors.Is(err, bunstore.ErrPooled):
		return fmt.Errorf("%w: set VEZNE_DATABASE_PREPARED=false", err)
	case err != nil:
		return s.DatabaseFault(err)
	}
	pending, err := database.Pending(ctx)
	if err != nil {
		return s.DatabaseFault(err)
	}
	if pending > 0 {
		return fmt.Errorf("the database lacks %d migrations: run `vezne migrate up`", pending)
	}
	return nil
}

// DatabaseFault says which setting leads to a database that cannot be used.
func (s Settings) DatabaseFault(err error) error {
	err = fault.Cause(err)
	if !s.IsEmbedded() {
		return fmt.Errorf("%w (VEZNE_DATABASE_URL)", err)
	}
	if bunstore.IsDamaged(err) {
		return fmt.Errorf("%s in the data directory (VEZNE_DATA_DIR) is damaged or cut short: put the backup in its place (%w)",
			s.SQLiteFile, err)
	}
	return fmt.Errorf("%w (in the data directory %s, VEZNE_DATA_DIR)", err, s.DataDir)
}

// DemoMarked is said of a demo's database that is served.
const DemoMarked = "the database is marked as a demo's: its logins and keys are in a file, and it may be filled with what is " +
	"made up"

// ErrNotDemo is what demo and seed say of a database that somebody works with.
var ErrNotDemo = errors.New("this database is neither empty nor marked as a demo's, and what is made up could not be told from " +
	"what is real: choose an empty one by VEZNE_DATABASE_URL or VEZNE_DATA_DIR")

// RefuseReal refuses a database that is neither empty nor a demo's, before anything in it is changed: its schema neither.
func (s Settings) RefuseReal(ctx context.Context) error {
	if _, err := os.Stat(s.SQLiteFile); s.IsEmbedded() && errors.Is(err, os.ErrNotExist) {
		return nil
	}
	config, err := s.StoreConfig(NoSealer{}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	store, err := bunstore.Open(ctx, config)
	if err != nil {
		return fmt.Errorf("opening the database: %w", s.DatabaseFault(err))
	}
	defer func() { _ = store.Close() }() // only read from
	if _, err := store.Pending(ctx); err != nil {
		return s.DatabaseFault(err)
	}
	isDemo, err := store.IsDemo(ctx)
	if err != nil || isDemo {
		return err
	}
	isEmpty, err := store.IsEmpty(ctx)
	if err == nil && !isEmpty {
		err = ErrNotDemo
	}
	return err
}

// NoSealer stands in where no secret is touched.
type NoSealer struct{}

var errNoKey = errors.New("this command works without a master key")

// Seal refuses.
func (NoSealer) Seal(string, string) (string, error) { return "", errNoKey }

// Open refuses.
func (NoSealer) Open(string, string) (string, error) { return "", errNoKey }
