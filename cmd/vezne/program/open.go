package program

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/dircache"
	"github.com/vezne/vezne/adapters/fence"
	"github.com/vezne/vezne/adapters/hostclock"
	"github.com/vezne/vezne/adapters/readiness"
	"github.com/vezne/vezne/cmd/vezne/settings"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// openStore opens the database, at the version of this program.
func (s *service) openStore(ctx context.Context, sealer ports.Sealer, migrate bool) error {
	config, err := s.set.StoreConfig(sealer, s.log)
	if err != nil {
		return err
	}
	config.Damaged, config.IsPrimary = s.metrics.Damaged, true
	if s.traces != nil {
		config.Batch = s.traces.Batch
	}
	if migrate {
		if _, err := bunstore.MigrateUp(ctx, config); err != nil {
			return fmt.Errorf("bringing the database up to date: %w", s.set.DatabaseFault(err))
		}
	}
	store, err := s.set.Open(ctx, config)
	if err != nil {
		return err
	}
	s.database = &bunstore.Replica{Store: store}
	if err := s.checkKey(ctx); err != nil {
		return errors.Join(err, s.database.Close())
	}
	if s.set.ReadURL != "" {
		if err := s.openReplica(ctx, config); err != nil {
			return errors.Join(err, s.database.Close())
		}
	}
	s.owners = dircache.New(s.database, s.clock)
	s.writes = readiness.NewWrites(s.database, s.clock, rand.Text())
	return s.startClock(ctx)
}

// openFence compares how far the database is with what is recorded outside of it, for the first time. What does not answer is asked
// again until it does: nothing is changed before that.
func (s *service) openFence(ctx context.Context) error {
	s.fence = fence.New(fence.Config{
		Epochs: s.database, Follow: s.database.Follow, Store: s.database, Place: s.epochPlace(), Clock: s.clock, Random: rand.Reader, Log: s.log,
	})
	s.metrics.Frozen(func() (isFrozen, isFenced, ok bool) {
		e, ok := s.fence.Epoch()
		return e.IsFrozen(), s.fence.IsFenced(), ok
	})
	if err := s.fence.Look(ctx); err != nil {
		return fmt.Errorf("reading the database's epoch: %w", s.set.DatabaseFault(err))
	}
	return nil
}

// epochPlace is where it is recorded how far the database is: in Redis, or beside an embedded database.
func (s *service) epochPlace() ports.EpochPlace {
	if s.set.RedisURL == "" && s.set.IsEmbedded() {
		return fence.File(s.set.EpochFile)
	}
	return fence.NewRedis(s.queue.Client())
}

// openReplica has lists, exports and statistics read from a standby.
func (s *service) openReplica(ctx context.Context, config bunstore.Config) error {
	replica, err := s.database.WithReplica(ctx, config, bunstore.ReplicaConfig{
		URL: s.set.ReadURL, MaxLag: s.set.ReadLag, Read: s.metrics.ReplicaRead,
	})
	if err != nil {
		return fmt.Errorf("opening the standby: %w (VEZNE_DATABASE_READ_URL)", fault.Cause(err))
	}
	s.database = replica
	s.metrics.Replica(replica.Lag)
	return nil
}

func (s *service) closeDatabase() error {
	return errors.Join(s.database.Close(), s.database.CloseReplica())
}

// startClock compares the clock for the first time. One that is wrong is no reason not to start: it is said, and the process
// is not ready until the clocks agree.
func (s *service) startClock(ctx context.Context) error {
	reference := hostclock.Reference(s.database.Now)
	if s.set.IsEmbedded() {
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
		return fmt.Errorf("the master key does not open the secrets in this database: %w", fault.Cause(err))
	}
	return nil
}

func (s *service) databaseName() string {
	if s.set.IsEmbedded() {
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

// markDemo marks the database, which was empty a moment ago, before anything is made up in it.
func (s *service) markDemo(ctx context.Context) error {
	err := s.database.MarkDemo(ctx, s.clock.Now())
	if fault.Is(err, fault.Conflict) {
		return settings.ErrNotDemo
	}
	return fault.Cause(err)
}
