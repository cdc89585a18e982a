package bunstore_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core/fault"
)

// heldCommits is a committer whose transactions wait for the test: each begins when the test has let it, and ends with what
// the test says of its members.
type heldCommits struct {
	*bunstore.Committer
	begun chan []*bunstore.Change // transactions that wait
	end   chan error              // takes what the longest waiting one ends with
}

func newHeldCommits(workers int) *heldCommits {
	d := &heldCommits{begun: make(chan []*bunstore.Change, 1000), end: make(chan error)}
	d.Committer = bunstore.NewCommitter(workers, func(_ context.Context, batch []*bunstore.Change) error {
		d.begun <- batch
		return <-d.end
	}, nil)
	return d
}

// results are the outcomes of commits that run beside the test.
type results struct {
	all  sync.WaitGroup
	mu   sync.Mutex
	errs map[*bunstore.Change]error
}

// commit hands the changes in, in their order, and returns when all of them wait.
func (r *results) commit(ctx context.Context, d *heldCommits, changes ...*bunstore.Change) {
	for _, c := range changes {
		r.all.Go(func() {
			err := d.Do(ctx, c)
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.errs == nil {
				r.errs = map[*bunstore.Change]error{}
			}
			r.errs[c] = err
		})
		synctest.Wait()
	}
}

func changes(n int) []*bunstore.Change {
	list := make([]*bunstore.Change, n)
	for i := range list {
		list[i] = bunstore.NewChange(1, i)
	}
	return list
}

func TestBatchIsWhatCameMeanwhile(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, r := newHeldCommits(1), &results{}
		r.commit(t.Context(), d, changes(bunstore.MaxBatch+51)...)
		for _, want := range []int{1, bunstore.MaxBatch, 50} {
			if batch := <-d.begun; len(batch) != want {
				t.Errorf("a batch of %d, want %d", len(batch), want)
			}
			d.end <- nil
		}
		r.all.Wait()
		d.Close()
	})
}

func TestBadMembersFailAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		list := changes(1 + bunstore.MaxBatch)
		bad := map[*bunstore.Change]fault.Code{list[18]: fault.Conflict, list[19]: fault.Blocked, list[77]: fault.Internal}
		hold, calls := make(chan struct{}), 0
		d := &heldCommits{Committer: bunstore.NewCommitter(1, func(_ context.Context, batch []*bunstore.Change) error {
			<-hold
			calls++
			for _, c := range batch {
				if code, ok := bad[c]; ok {
					return fault.New("test", code)
				}
			}
			return nil
		}, nil)}
		r := &results{}
		r.commit(t.Context(), d, list...)
		close(hold)
		r.all.Wait()
		d.Close()
		for i, c := range list {
			if got := fault.CodeOf(r.errs[c]); got != bad[c] {
				t.Errorf("change %d: %q, want %q", i, got, bad[c])
			}
		}
		if most := 2 + 3*2*7; calls > most { // three bad ones, seven halvings of a hundred
			t.Errorf("%d transactions, want at most %d", calls, most)
		}
	})
}

// TestWhoAsksForTooMuchIsRefusedAtOnce has ninety of a hundred ask an empty wallet, and one fail for another reason.
func TestWhoAsksForTooMuchIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		list := changes(1 + bunstore.MaxBatch)
		codes := map[*bunstore.Change]fault.Code{list[5]: fault.Conflict}
		for _, c := range list[11:] {
			codes[c] = fault.Insufficient
		}
		hold, calls, looks := make(chan struct{}), 0, 0
		d := &heldCommits{Committer: bunstore.NewCommitter(1, func(_ context.Context, batch []*bunstore.Change) error {
			<-hold
			calls++
			for _, c := range slices.Backward(batch) {
				if codes[c] != "" {
					return fault.New("test", codes[c])
				}
			}
			return nil
		}, func(_ context.Context, batch []*bunstore.Change) []bool {
			looks++
			isShort := make([]bool, len(batch))
			for i, c := range batch {
				isShort[i] = codes[c] == fault.Insufficient
			}
			return isShort
		})}
		r := &results{}
		r.commit(t.Context(), d, list...)
		close(hold)
		r.all.Wait()
		d.Close()
		for i, c := range list {
			if got := fault.CodeOf(r.errs[c]); got != codes[c] {
				t.Errorf("change %d: %q, want %q", i, got, codes[c])
			}
		}
		if most := 3 + 2*4; calls > most || looks != 1 { // four halvings of ten
			t.Errorf("%d transactions, want at most %d, and %d looks", calls, most, looks)
		}
	})
}

// TestWhatTheDatabaseHasUndoneIsCommittedAgain: of a batch that was undone so that another transaction could go on nobody
// has lost anything. It is committed again whole, not in halves, until its true result is known.
func TestWhatTheDatabaseHasUndoneIsCommittedAgain(t *testing.T) {
	t.Parallel()
	for _, want := range []fault.Code{"", fault.Blocked} {
		synctest.Test(t, func(t *testing.T) {
			d, r := newHeldCommits(1), &results{}
			list := changes(4)
			r.commit(t.Context(), d, list...)
			<-d.begun
			d.end <- nil
			for range 3 {
				if batch := <-d.begun; len(batch) != 3 {
					t.Errorf("a batch of %d, want all 3", len(batch))
				}
				d.end <- fault.E("test", fault.Conflict, bunstore.ErrUndone)
			}
			var last error
			if want != "" {
				last = fault.New("test", want)
			}
			for answered := 0; answered < 3; { // a batch that fails is tried in parts
				batch := <-d.begun
				if d.end <- last; last == nil || len(batch) == 1 {
					answered += len(batch)
				}
			}
			r.all.Wait()
			d.Close()
			for i, c := range list[1:] {
				if got := fault.CodeOf(r.errs[c]); got != want {
					t.Errorf("change %d: %q, want %q", i, got, want)
				}
			}
		})
	}
}

func TestUnavailableIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, r := newHeldCommits(1), &results{}
		list := changes(3)
		r.commit(t.Context(), d, list...)
		<-d.begun
		d.end <- nil
		<-d.begun
		d.end <- fault.New("test", fault.Unavailable)
		r.all.Wait()
		d.Close()
		if got := fault.CodeOf(r.errs[list[1]]); got != fault.Unavailable {
			t.Errorf("%q, want unavailable", got)
		}
		if len(d.begun) > 0 {
			t.Error("a changeset of unknown outcome was sent again")
		}
	})
}

func TestCanceledWhileWaitingIsTakenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, r := newHeldCommits(1), &results{}
		list := changes(3)
		ctx, cancel := context.WithCancel(t.Context())
		r.commit(t.Context(), d, list[0])
		r.commit(ctx, d, list[1])
		r.commit(t.Context(), d, list[2])
		cancel()
		synctest.Wait()
		if err := r.errs[list[1]]; !errors.Is(err, context.Canceled) || !fault.Is(err, fault.Unavailable) {
			t.Errorf("the canceled caller got %v", err)
		}
		<-d.begun
		d.end <- nil
		if batch := <-d.begun; !slices.Equal(batch, list[2:]) {
			t.Errorf("what was taken back was committed: %v", batch)
		}
		d.end <- nil
		r.all.Wait()
		d.Close()
	})
}

func TestCanceledUnderWayIsCarriedThrough(t *testing.T) {
	t.Parallel()
	for _, want := range []fault.Code{"", fault.Conflict} {
		synctest.Test(t, func(t *testing.T) {
			d, r := newHeldCommits(1), &results{}
			ctx, cancel := context.WithCancel(t.Context())
			change := changes(1)[0]
			r.commit(ctx, d, change)
			<-d.begun
			cancel()
			synctest.Wait()
			if len(r.errs) > 0 {
				t.Error("the caller was answered before the transaction ended")
			}
			if want == "" {
				d.end <- nil
			} else {
				d.end <- fault.New("test", want)
			}
			r.all.Wait()
			d.Close()
			if got := fault.CodeOf(r.errs[change]); got != want {
				t.Errorf("the caller got %q, want the true result %q", got, want)
			}
		})
	}
}

// TestOneRowIsInOneTransactionAtATime, also where another transaction has begun beside one that takes long.
func TestOneRowIsInOneTransactionAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, r := newHeldCommits(2), &results{}
		first, second := bunstore.NewChange(1, 1, 2), bunstore.NewChange(1, 2, 3)
		third, other := bunstore.NewChange(1, 3), bunstore.NewChange(1, 4)
		r.commit(t.Context(), d, first, second, third, other)
		if batch := <-d.begun; !slices.Equal(batch, []*bunstore.Change{first}) {
			t.Errorf("first %v", batch)
		}
		if batch := <-d.begun; !slices.Equal(batch, []*bunstore.Change{third, other}) { // third shares a row with the waiting second only
			t.Errorf("beside it %v", batch)
		}
		if time.Sleep(time.Second); len(d.begun) > 0 {
			t.Error("a third transaction at once, or one that shares a row with another")
		}
		for range 2 {
			d.end <- nil
		}
		if batch := <-d.begun; !slices.Equal(batch, []*bunstore.Change{second}) {
			t.Errorf("after them %v", batch)
		}
		d.end <- nil
		r.all.Wait()
		d.Close()
	})
}

// TestBatchesFollowEachOtherUnlessOneTakesLong: then another one begins beside it, and others follow that one.
func TestBatchesFollowEachOtherUnlessOneTakesLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, r := newHeldCommits(2), &results{}
		list := changes(5)
		r.commit(t.Context(), d, list[:2]...)
		<-d.begun
		if time.Sleep(bunstore.Patience - 1); len(d.begun) > 0 {
			t.Error("a second batch begins beside one that has not taken long")
		}
		if batch := <-d.begun; !slices.Equal(batch, list[1:2]) {
			t.Errorf("beside the slow one: %v", batch)
		}
		r.commit(t.Context(), d, list[2])
		d.end <- nil // one of the two: the other one is late by now, or ends in time
		if batch := <-d.begun; !slices.Equal(batch, list[2:3]) {
			t.Errorf("when one has ended: %v", batch)
		}
		for range 2 {
			d.end <- nil
		}
		synctest.Wait()
		r.commit(t.Context(), d, list[3:]...) // nothing is left of the slow ones
		<-d.begun
		if synctest.Wait(); len(d.begun) > 0 {
			t.Error("a second batch begins beside a new one at once")
		}
		d.end <- nil
		<-d.begun
		d.end <- nil
		r.all.Wait()
		d.Close()
	})
}

func TestLargeChangesGoAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, r := newHeldCommits(1), &results{}
		large := bunstore.NewChange(2*bunstore.MaxBatchBytes, 100)
		r.commit(t.Context(), d, append(changes(3), large)...)
		for _, want := range []int{1, 2, 1} {
			if batch := <-d.begun; len(batch) != want {
				t.Errorf("a batch of %d, want %d", len(batch), want)
			}
			d.end <- nil
		}
		r.all.Wait()
		d.Close()
	})
}

func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, r := newHeldCommits(1), &results{}
		list := changes(1 + bunstore.MaxQueue)
		r.commit(t.Context(), d, list[0])
		for _, c := range list[1:] {
			r.all.Go(func() { _ = d.Do(t.Context(), c) })
		}
		synctest.Wait()
		if err := d.Do(t.Context(), bunstore.NewChange(1, -1)); !fault.Is(err, fault.Unavailable) {
			t.Errorf("beyond the bound: %v", err)
		}
		close(d.end)
		r.all.Wait()
		d.Close()
	})
}

func TestCloseDrains(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d, r := newHeldCommits(2), &results{}
		list := changes(5)
		r.commit(t.Context(), d, list...)
		closed := make(chan struct{})
		go func() {
			d.Close()
			close(closed)
		}()
		synctest.Wait()
		if err := d.Do(t.Context(), bunstore.NewChange(1, 6)); !fault.Is(err, fault.Unavailable) {
			t.Errorf("after Close: %v", err)
		}
		close(d.end)
		<-closed
		r.all.Wait()
		for i, c := range list {
			if err, ok := r.errs[c]; !ok || err != nil {
				t.Errorf("change %d was not committed: %v", i, err)
			}
		}
	})
}
