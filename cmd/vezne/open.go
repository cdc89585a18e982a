package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/vezne/vezne/adapters/aesgcm"
	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/dircache"
	"github.com/vezne/vezne/adapters/hostclock"
	"github.com/vezne/vezne/adapters/readiness"
	"github.com/vezne/vezne/cmd/vezne/dirlock"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// openStore opens the database, at the version of this program.
func (s *service) openStore(ctx context.Context, sealer ports.Sealer, migrate bool) error {
	config, err := s.set.storeConfig(sealer, s.log)
	if err != nil {
		return err
	}
	config.Damaged, config.IsPrimary = s.metrics.Damaged, true
	if migrate {
		if _, err := bunstore.MigrateUp(ctx, config); err != nil {
			return fmt.Errorf("bringing the database up to date: %w", s.set.databaseFault(err))
		}
	}
	if s.database, err = bunstore.Open(ctx, config); err != nil {
		return fmt.Errorf("opening the database: %w", s.set.databaseFault(err))
	}
	if err = s.set.isUpToDate(ctx, s.database); err == nil {
		err = s.checkKey(ctx)
	}
	if err != nil {
		return errors.Join(err, s.database.Close())
	}
	s.owners = dircache.New(s.database, s.clock)
	s.writes = readiness.NewWrites(s.database, s.clock, rand.Text())
	return s.startClock(ctx)
}

// startClock compares the clock for the first time. One that is wrong is no reason not to start: it is said, and the process
// is not ready until the clocks agree.
func (s *service) startClock(ctx context.Context) error {
	reference := hostclock.Reference(s.database.Now)
	if s.set.isEmbedded() {
		reference = hostclock.Elapsed(hostSource(), hostclock.SinceBoot)
	}
	s.clock.Against(reference)
	s.metrics.ClockOffset(s.clock.Offset)
	if err := s.clock.Compare(ctx); err != nil {
		s.log.Warn("comparing the clock with the database's; it is tried again until it succeeds", "error", err)
	}
	return nil
}

// isUpToDate refuses a database that lacks migrations, or has those of a newer Vezne.
func (s settings) isUpToDate(ctx context.Context, database *bunstore.Store) error {
	pending, err := database.Pending(ctx)
	if err != nil {
		return s.databaseFault(err)
	}
	if pending > 0 {
		return fmt.Errorf("the database lacks %d migrations: run `vezne migrate up`", pending)
	}
	return nil
}

// databaseFault says which setting leads to a database that cannot be used.
func (s settings) databaseFault(err error) error {
	err = cause(err)
	if !s.isEmbedded() {
		return fmt.Errorf("%w (VEZNE_DATABASE_URL)", err)
	}
	if bunstore.IsDamaged(err) {
		return fmt.Errorf("%s in the data directory (VEZNE_DATA_DIR) is damaged or cut short: put the backup in its place (%w)",
			s.sqliteFile, err)
	}
	return fmt.Errorf("%w (in the data directory %s, VEZNE_DATA_DIR)", err, s.DataDir)
}

// checkKey opens what is stored with the configured keys: a wrong one must show now, not at the first payment.
func (s *service) checkKey(ctx context.Context) error {
	if _, err := s.database.CheckSecrets(ctx); err != nil {
		return fmt.Errorf("the master key does not open the secrets in this database: %w", cause(err))
	}
	return nil
}

// cause is what happened, without the trail of operations and codes that logs have: for sentences to a person.
func cause(err error) error {
	var f *fault.Error
	for errors.As(err, &f) && f.Err != nil {
		err = f.Err
		f = nil
	}
	return err
}

func (s *service) databaseName() string {
	if s.set.isEmbedded() {
		return "embedded SQLite in " + s.set.DataDir
	}
	return "PostgreSQL"
}

func (s *service) queueName() string {
	if s.set.RedisURL == "" {
		return "in process"
	}
	return "Redis"
}

// sealer opens the configured master keys, or those kept in the data directory. Embedded, and for the demo, they are
// made there; whoever runs on servers is asked for them.
func (s settings) sealer(o serveOptions) (ports.Sealer, error) {
	if s.MasterKey != "" {
		sealer, err := aesgcm.ParseKeys(s.MasterKey)
		if err != nil {
			return nil, fmt.Errorf("VEZNE_MASTER_KEY: %w", cause(err))
		}
		return sealer, nil
	}
	_, err := os.Stat(s.keyFile)
	if isMissing := errors.Is(err, os.ErrNotExist); isMissing && !s.isEmbedded() {
		if !o.isDemo {
			return nil, errors.New("VEZNE_MASTER_KEY is missing: secrets in PostgreSQL are encrypted with it; `openssl rand -base64 32` makes one")
		}
		if err := s.keepDemoKey(s.keyFile, demoKey); err != nil {
			return nil, err
		}
	}
	sealer, err := aesgcm.LoadOrCreate(s.keyFile)
	if err != nil {
		return nil, fmt.Errorf("the master key in the data directory (VEZNE_DATA_DIR): %w", cause(err))
	}
	return sealer, nil
}

// keepDemoKey keeps a key of demos, which is public, in a file of the data directory.
func (s settings) keepDemoKey(file, key string) error {
	if err := s.makeDirectory(); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		return fmt.Errorf("keeping the demo's key: %w", err)
	}
	return nil
}

// storeConfig says where the database is; the directory of an embedded one is made.
func (s settings) storeConfig(sealer ports.Sealer, log *slog.Logger) (bunstore.Config, error) {
	if !s.isEmbedded() {
		return bunstore.Config{DatabaseURL: s.DatabaseURL, IsUnprepared: !s.IsPrepared, Sealer: sealer, Log: log}, nil
	}
	if err := errors.Join(s.makeDirectory(), s.refuseCutOff()); err != nil {
		return bunstore.Config{}, err
	}
	return bunstore.Config{Path: s.sqliteFile, Sealer: sealer, Log: log}, nil
}

func (s settings) makeDirectory() error {
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return fmt.Errorf("VEZNE_DATA_DIR is %q: the data directory cannot be made: %w", s.DataDir, err)
	}
	return nil
}

// takeDirectory keeps the directory of an embedded database for this process, which writes to it. A database on a server has its
// own ways.
func (s settings) takeDirectory(command string) (*dirlock.Lock, error) {
	if !s.isEmbedded() {
		return nil, nil
	}
	if err := s.makeDirectory(); err != nil {
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
func (s settings) refuseCutOff() error {
	info, err := os.Stat(s.sqliteFile)
	if err == nil && info.Size() == 0 {
		return fmt.Errorf("%s in the data directory (VEZNE_DATA_DIR) is damaged or cut short: it has 0 bytes; put the backup in its "+
			"place, or remove it to begin anew", s.sqliteFile)
	}
	return nil
}

// errNotDemo is what demo and seed say of a database that somebody works with.
var errNotDemo = errors.New("this database is neither empty nor marked as a demo's, and what is made up could not be told from " +
	"what is real: choose an empty one by VEZNE_DATABASE_URL or VEZNE_DATA_DIR")

// refuseReal refuses a database that is neither empty nor a demo's, before anything in it is changed: its schema neither.
func (s settings) refuseReal(ctx context.Context) error {
	if _, err := os.Stat(s.sqliteFile); s.isEmbedded() && errors.Is(err, os.ErrNotExist) {
		return nil
	}
	config, err := s.storeConfig(noSealer{}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	store, err := bunstore.Open(ctx, config)
	if err != nil {
		return fmt.Errorf("opening the database: %w", s.databaseFault(err))
	}
	defer func() { _ = store.Close() }() // only read from
	if _, err := store.Pending(ctx); err != nil {
		return s.databaseFault(err)
	}
	isDemo, err := store.IsDemo(ctx)
	if err != nil || isDemo {
		return err
	}
	isEmpty, err := store.IsEmpty(ctx)
	if err == nil && !isEmpty {
		err = errNotDemo
	}
	return err
}

// markDemo marks the database, which was empty a moment ago, before anything is made up in it.
func (s *service) markDemo(ctx context.Context) error {
	err := s.database.MarkDemo(ctx, s.clock.Now())
	if fault.Is(err, fault.Conflict) {
		return errNotDemo
	}
	return cause(err)
}
