package readiness_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/adapters/readiness"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

var errGone = errors.New("gone")

// server is a database, or another part: it answers, fails or hangs.
type server struct {
	asked, spaces atomic.Int64
	forgotten     atomic.Int64
	mu            sync.Mutex
	fails         error
	hang          chan struct{} // nil: it does not
}

func (s *server) set(fails error, hang chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fails, s.hang = fails, hang
}

func (s *server) answer(ctx context.Context) error {
	s.mu.Lock()
	fails, hang := s.fails, s.hang
	s.mu.Unlock()
	if hang != nil {
		select {
		case <-hang:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return fails
}

func (s *server) ask(ctx context.Context) error {
	s.asked.Add(1)
	return s.answer(ctx)
}

func (s *server) Now(context.Context) (time.Time, error) { return time.Now(), nil }

func (s *server) ProveWrite(ctx context.Context, _ string, _ time.Time, needsSpace bool) error {
	if needsSpace {
		s.spaces.Add(1)
	}
	return s.ask(ctx)
}

func (s *server) ForgetProcess(context.Context, string) error {
	s.forgotten.Add(1)
	return nil
}

// Commit implements ports.Committer.
func (s *server) Commit(ctx context.Context, _ core.Changeset) error { return s.answer(ctx) }

type clock struct{}

func (clock) Now() time.Time { return time.Now() }

func newWrites(s *server) (*readiness.Writes, ports.Committer) {
	w := readiness.NewWrites(s, clock{}, "this")
	return w, w.Commits(s)
}

// wantWithin fails the test unless a state is told within a time of the bubble's.
func wantWithin(t *testing.T, most time.Duration, state func(context.Context) string, want string) {
	t.Helper()
	began := time.Now()
	if got := state(t.Context()); got != want {
		t.Errorf("the state is %q, want %q", got, want)
	}
	if took := time.Since(began); took > most {
		t.Errorf("that took %s, %s at most", took, most)
	}
}

func wantProofs(t *testing.T, s *server, want, spaces int64) {
	t.Helper()
	if got := s.asked.Load(); got != want {
		t.Errorf("%d proofs were made, want %d", got, want)
	}
	if got := s.spaces.Load(); got != spaces {
		t.Errorf("%d of them needed space, want %d", got, spaces)
	}
}

// TestAPartThatHangsIsAskedOnce: whoever wants to know waits a moment at most, and the question goes on without them.
func TestAPartThatHangsIsAskedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, hang := &server{}, make(chan struct{})
		p := &readiness.Part{Ask: s.ask, Patience: 500 * time.Millisecond, Failed: "out of reach"}
		wantWithin(t, 0, p.State, readiness.OK)
		wantWithin(t, 0, p.State, readiness.OK)
		wantProofs(t, s, 1, 0)
		s.set(nil, hang)
		time.Sleep(time.Second)
		wantWithin(t, 500*time.Millisecond, p.State, "out of reach")
		for range 10 {
			wantWithin(t, 0, p.State, "out of reach")
		}
		wantProofs(t, s, 2, 0)
		s.set(nil, nil)
		close(hang)
		synctest.Wait()
		wantWithin(t, 0, p.State, readiness.OK)
		time.Sleep(time.Second)
		s.set(errGone, nil)
		wantWithin(t, 0, p.State, "out of reach")
	})
}

func TestADatabaseThatSaysWhyItTakesNothing(t *testing.T) {
	t.Parallel()
	for want, cause := range map[string]error{
		readiness.ReadOnly: ports.ErrReadOnly, readiness.Full: ports.ErrFull, readiness.OutOfReach: errGone,
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{}
			w, _ := newWrites(s)
			wantWithin(t, 0, w.State, readiness.OK)
			time.Sleep(time.Second)
			s.set(fault.E("test", fault.Unavailable, cause), nil)
			wantWithin(t, 0, w.State, want)
			time.Sleep(time.Second)
			s.set(nil, nil)
			wantWithin(t, 0, w.State, readiness.OK)
		})
	}
}

// TestAProofThatHangs: nobody waits long, and there is one of it.
func TestAProofThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, hang := &server{}, make(chan struct{})
		w, _ := newWrites(s)
		s.set(nil, hang)
		wantWithin(t, 2*time.Second, w.State, readiness.Hanging)
		for range 10 {
			time.Sleep(time.Second)
			wantWithin(t, 0, w.State, readiness.Hanging)
		}
		wantProofs(t, s, 1, 1)
		s.set(nil, nil)
		close(hang)
		synctest.Wait()
		wantWithin(t, 0, w.State, readiness.OK)
	})
}

// TestCommitsAreProofEnough: while the process commits nothing more is written, and a commit that fails is looked into at once.
func TestCommitsAreProofEnough(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		w, commits := newWrites(s)
		for range 100 {
			if err := commits.Commit(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			wantWithin(t, 0, w.State, readiness.OK)
			time.Sleep(500 * time.Millisecond)
		}
		wantProofs(t, s, 0, 0)
		s.set(fault.E("test", fault.Unavailable, ports.ErrFull), nil)
		_ = commits.Commit(t.Context(), nil)
		wantWithin(t, 0, w.State, readiness.Full)
		wantProofs(t, s, 1, 1)
		s.set(fault.New("test", fault.Conflict), nil) // a lost race is nothing to look into
		_ = commits.Commit(t.Context(), nil)
		s.set(nil, nil)
		time.Sleep(time.Second)
		wantWithin(t, 0, w.State, readiness.OK)
		wantProofs(t, s, 2, 2)
		time.Sleep(time.Second)
		wantWithin(t, 0, w.State, readiness.OK)
		wantProofs(t, s, 3, 2) // space is looked for once a minute
		time.Sleep(time.Minute)
		wantWithin(t, 0, w.State, readiness.OK)
		wantProofs(t, s, 4, 3)
	})
}

// TestCommitsThatHang: another table may be locked than the one that proofs are written to. Commits that end, however late, are
// none that hang, and nobody's leaving is a fault of the database.
func TestCommitsThatHang(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, hang := &server{}, make(chan struct{})
		w, commits := newWrites(s)
		s.set(nil, hang)
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() { _ = commits.Commit(ctx, nil) })
		synctest.Wait()
		s.set(nil, nil)
		wantWithin(t, 0, w.State, readiness.OK)
		time.Sleep(4 * time.Second)
		_ = commits.Commit(t.Context(), nil)
		time.Sleep(4 * time.Second)
		wantWithin(t, 0, w.State, readiness.OK) // one has ended meanwhile
		time.Sleep(2 * time.Second)
		wantWithin(t, 0, w.State, readiness.Hanging)
		leave()
		all.Wait()
		wantWithin(t, 0, w.State, readiness.OK)
		if n := s.spaces.Load(); n != 1 {
			t.Errorf("space was looked for %d times", n)
		}
	})
}

// TestAProcessSaysThatItRuns while nobody asks, with its own commits beside it and without, and is forgotten when it ends. A proof
// that hangs is not made once more, and is waited for a moment.
func TestAProcessSaysThatItRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, hang := &server{}, make(chan struct{})
		w, commits := newWrites(s)
		announce := func() (end func()) {
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			all.Go(func() { w.Announce(ctx) })
			return func() {
				cancel()
				all.Wait()
			}
		}
		end := announce()
		for range 29 {
			time.Sleep(time.Second)
			_ = commits.Commit(t.Context(), nil)
		}
		if n := s.asked.Load(); n != 6 {
			t.Errorf("it has said so %d times in 29 seconds", n)
		}
		end()
		if n := s.forgotten.Load(); n != 1 {
			t.Errorf("it was forgotten %d times", n)
		}
		s.set(nil, hang)
		end = announce()
		time.Sleep(time.Minute)
		began := time.Now()
		end()
		if n, took := s.asked.Load(), time.Since(began); n != 7 || took > 2*time.Second || s.forgotten.Load() != 1 {
			t.Errorf("%d proofs, the end took %s, forgotten %d times", n, took, s.forgotten.Load())
		}
		close(hang)
	})
}
