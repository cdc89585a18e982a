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
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// openStore opens the database, at the version of this program.
func (s *service) openStore(ctx context.Context, sealer ports.Sealer, migrate bool) error {
	config, err := s.set.storeConfig(sealer, s.log)
	if err != nil {
		return err
	}
	config.Damaged = s.metrics.Damaged
	if migrate {
		if _, err := bunstore.MigrateUp(ctx, config); err != nil {
			return fmt.Errorf("bringing the database up to date: %w", cause(err))
		}
	}
	if s.database, err = bunstore.Open(ctx, config); err != nil {
		return fmt.Errorf("opening the database: %w", cause(err))
	}
	pending, err := s.database.Pending(ctx)
	if err == nil && pending > 0 {
		err = fmt.Errorf("the database lacks %d migrations: run `vezne migrate up`", pending)
	}
	if err == nil {
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
		if err := s.keepDemoKey(); err != nil {
			return nil, err
		}
	}
	sealer, err := aesgcm.LoadOrCreate(s.keyFile)
	if err != nil {
		return nil, cause(err)
	}
	return sealer, nil
}

func (s settings) keepDemoKey() error {
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return fmt.Errorf("making the data directory: %w", err)
	}
	if err := os.WriteFile(s.keyFile, []byte(demoKey+"\n"), 0o600); err != nil {
		return fmt.Errorf("keeping the demo's master key: %w", err)
	}
	return nil
}

// storeConfig says where the database is; the directory of an embedded one is made.
func (s settings) storeConfig(sealer ports.Sealer, log *slog.Logger) (bunstore.Config, error) {
	if !s.isEmbedded() {
		return bunstore.Config{DatabaseURL: s.DatabaseURL, Sealer: sealer, Log: log}, nil
	}
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return bunstore.Config{}, fmt.Errorf("making the data directory: %w", err)
	}
	return bunstore.Config{Path: s.sqliteFile, Sealer: sealer, Log: log}, nil
}
