package fence_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/adapters/fence"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

type clock struct{}

func (clock) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// places are what marks are recorded in.
func places(t *testing.T) map[string]ports.EpochPlace {
	t.Helper()
	server := miniredis.NewMiniRedis()
	client := redis.NewClient(&redis.Options{
		ContextTimeoutEnabled: true, DisableIdentity: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		Dialer:                   func(context.Context, string, string) (net.Conn, error) { return server.Dial() },
	})
	t.Cleanup(func() { _ = client.Close() })
	return map[string]ports.EpochPlace{"file": fence.File(filepath.Join(t.TempDir(), "epoch.json")), "redis": fence.NewRedis(client)}
}

// database is one on which processes work.
type database struct {
	*bunstore.Store
	place ports.EpochPlace
}

func (d database) process(t *testing.T) *fence.Fence {
	t.Helper()
	f := fence.New(fence.Config{Epochs: d.Store, Follow: d.Follow, Store: d.Store, Place: d.place, Clock: clock{}, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
	look(t, f)
	return f
}

func look(t *testing.T, f *fence.Fence) {
	t.Helper()
	if err := f.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// commit has a process write something.
func commit(t *testing.T, f *fence.Fence, d database) error {
	t.Helper()
	ids, err := core.NewIDs(time.Now(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return f.Commits(d).Commit(t.Context(), core.Changeset{core.AuditEntry{ID: ids.Next(), At: clock{}.Now(), Actor: core.System, Action: "try", Target: "try/1"}})
}

// pair are two databases of one past: what was committed to the first after the backup the second lacks.
func pair(t *testing.T, place ports.EpochPlace) (lost, restored database) {
	t.Helper()
	data, err := sqlitetest.Make(func(s *bunstore.Store) {
		_, mark, err := s.Mark(t.Context())
		if err == nil {
			err = s.Grow(t.Context(), mark, clock{}.Now().Add(-time.Hour))
		}
		if err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return database{sqlitetest.OpenCopy(t, data), place}, database{sqlitetest.OpenCopy(t, data), place}
}

func wants(t *testing.T, f *fence.Fence, act, move fault.Code) {
	t.Helper()
	if got := fault.CodeOf(f.MayAct()); f.MayAct() != nil && got != act || f.MayAct() == nil && act != "" {
		t.Errorf("whether it may act is answered %v, want %q", f.MayAct(), act)
	}
	if got := fault.CodeOf(f.MayMove()); f.MayMove() != nil && got != move || f.MayMove() == nil && move != "" {
		t.Errorf("whether money may move is answered %v, want %q", f.MayMove(), move)
	}
}

// TestADatabaseThatWentBackIsFrozen by whichever process begins on it, and takes the place of the one that was lost when it is
// thawed. That one then changes nothing any more.
func TestADatabaseThatWentBackIsFrozen(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			lost, restored := pair(t, place)
			old := lost.process(t)
			wants(t, old, "", "")
			if err := commit(t, old, lost); err != nil {
				t.Fatal(err)
			}
			look(t, old)
			found := restored.process(t)
			wants(t, found, "", fault.Frozen)
			look(t, old) // a copy that somebody started by mistake holds up nobody
			wants(t, old, "", "")
			e, _ := found.Epoch()
			if e.Cause != epoch.Behind || e.Number != 1 {
				t.Errorf("it is frozen as %+v", e)
			}
			if err := found.Commits(restored).Commit(t.Context(), core.Changeset{epoch.Thaw(e, clock{}.Now(), "another")}); err != nil {
				t.Fatal(err)
			}
			wants(t, found, "", "")
			look(t, old)
			wants(t, old, fault.Unavailable, fault.Unavailable)
			if err := commit(t, old, lost); !fault.Is(err, fault.Unavailable) || !old.IsFenced() {
				t.Errorf("the database that was lost takes a commit: %v", err)
			}
			again := lost.process(t)
			wants(t, again, fault.Unavailable, fault.Unavailable)
		})
	}
}

// TestAnOperatorsRestoreTakesThePlaceAtOnce: the database that was lost is fenced before anybody has thawed the other, and of two that
// were restored from one backup the first has the place.
func TestAnOperatorsRestoreTakesThePlaceAtOnce(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			lost, restored := pair(t, place)
			_, second := pair(t, place)
			old := lost.process(t)
			for _, d := range []database{restored, second} {
				freezes(t, d)
			}
			wants(t, restored.process(t), "", fault.Frozen)
			look(t, old)
			wants(t, old, fault.Unavailable, fault.Unavailable)
			wants(t, second.process(t), fault.Unavailable, fault.Unavailable)
		})
	}
}

// TestHowFarTheLostDatabaseWasIsKnown by what was recorded outside: whoever has an older backup restored, so that something is undone,
// shows that to those who thaw. The place has it no more afterwards, and the database keeps it.
func TestHowFarTheLostDatabaseWasIsKnown(t *testing.T) {
	t.Parallel()
	for _, cause := range []epoch.Cause{epoch.Restored, epoch.Behind} {
		for name, place := range places(t) {
			t.Run(name+" "+string(cause), func(t *testing.T) {
				lost, restored := pair(t, place)
				old := lost.process(t)
				if err := commit(t, old, lost); err != nil {
					t.Fatal(err)
				}
				look(t, old)
				_, last, err := lost.Mark(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if cause == epoch.Restored {
					freezes(t, restored)
				}
				for range 3 {
					look(t, restored.process(t))
				}
				e, err := restored.Epoch(t.Context())
				if err != nil || e.Cause != cause || !e.LostUntil.Equal(last.At) || !e.LostUntil.After(e.RestoredTo) {
					t.Errorf("the lost database was at work until %s, and it is %+v, %v", last.At, e, err)
				}
			})
		}
	}
}

// freezes does what an operator does after a restore.
func freezes(t *testing.T, d database) {
	t.Helper()
	e, mark, err := d.Mark(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	change, _, err := fence.Freeze(e, mark, epoch.Restored, "a drill", clock{}.Now(), rand.Reader)
	if err == nil {
		err = d.Commit(t.Context(), change)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestNobodyIsFrozenWithoutReason: processes that end and begin, commit beside each other, and lose their place outside.
func TestNobodyIsFrozenWithoutReason(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			d, _ := pair(t, place)
			one, two := d.process(t), d.process(t)
			for range 3 {
				for _, f := range []*fence.Fence{one, two} {
					if err := commit(t, f, d); err != nil {
						t.Fatal(err)
					}
					look(t, f)
					wants(t, f, "", "")
				}
			}
			wants(t, d.process(t), "", "")
			d.place = fence.File(filepath.Join(t.TempDir(), "missing", "epoch.json"))
			wants(t, d.process(t), "", "")
		})
	}
}

// switched is a database whose place a standby takes that is behind.
type switched struct{ *bunstore.Store }

// TestAStandbyThatTakesOverIsNotBroughtUpToWhatItLacks by the commits of a process that goes on: it lacks one mark, and the process would
// write the next.
func TestAStandbyThatTakesOverIsNotBroughtUpToWhatItLacks(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			primary, standby := pair(t, place)
			now := &switched{primary.Store}
			f := fence.New(fence.Config{Epochs: now, Follow: now.Follow, Store: now, Place: place, Clock: clock{}, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)})
			look(t, f)
			if err := commit(t, f, primary); err != nil {
				t.Fatal(err)
			}
			look(t, f)
			wants(t, f, "", "")
			if err := commit(t, f, primary); err != nil { // answered by the primary, and not looked at yet
				t.Fatal(err)
			}
			now.Store = standby.Store
			look(t, f)
			wants(t, f, "", fault.Frozen)
			if e, _ := f.Epoch(); e.Cause != epoch.Behind {
				t.Errorf("it is frozen as %+v", e)
			}
		})
	}
}

// overtaken is a place to which another process records between what one reads and what it records.
type overtaken struct {
	ports.EpochPlace
	first func()
}

func (o *overtaken) Record(ctx context.Context, m epoch.Mark) (epoch.Mark, error) {
	if first := o.first; first != nil {
		o.first = nil
		first()
	}
	return o.EpochPlace.Record(ctx, m)
}

// TestProcessesThatOvertakeEachOtherAreNotFrozen: what one finds recorded may be further than what it has read itself.
func TestProcessesThatOvertakeEachOtherAreNotFrozen(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			d, _ := pair(t, place)
			other := d.process(t)
			slow := d
			o := &overtaken{EpochPlace: place}
			slow.place = o
			one := slow.process(t)
			for range 3 {
				o.first = func() {
					if err := commit(t, other, d); err != nil {
						t.Error(err)
					}
					look(t, other)
				}
				look(t, one)
				wants(t, one, "", "")
				wants(t, other, "", "")
			}
		})
	}
}

// TestNothingIsAllowedBeforeTheFirstLook: who does not know the epoch changes nothing.
func TestNothingIsAllowedBeforeTheFirstLook(t *testing.T) {
	t.Parallel()
	f := fence.New(fence.Config{Log: slog.New(slog.DiscardHandler)})
	wants(t, f, fault.Unavailable, fault.Unavailable)
}
