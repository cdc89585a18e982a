package app_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
)

// wakeUps collects what a waker or a worker was told.
type wakeUps struct {
	mu  sync.Mutex
	all []core.WakeUp
}

func (w *wakeUps) Wake(ups ...core.WakeUp) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, ups...)
}

func (w *wakeUps) bring(up core.WakeUp) { w.Wake(up) }

func (w *wakeUps) taken() []core.WakeUp {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.all
	w.all = nil
	return all
}

func dueOf(receiver string) core.WakeUp {
	return core.WakeUp{Kind: core.DueCallbacks, Receiver: receiver, At: time.Now()}
}

func nearby(t *testing.T, test func(t *testing.T, waker *app.NearbyWaker, near, queue *wakeUps)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var near, queue wakeUps
		test(t, &app.NearbyWaker{Queue: &queue}, &near, &queue)
	})
}

func TestWhatIsDueIsBroughtToTheOwnWorkersAtOnce(t *testing.T) {
	t.Parallel()
	nearby(t, func(t *testing.T, waker *app.NearbyWaker, near, queue *wakeUps) {
		waker.Start(near.bring)
		began := time.Now()
		waker.Wake(dueOf("a"), dueOf("b"))
		synctest.Wait()
		if got := near.taken(); len(got) != 2 || len(queue.taken()) != 0 {
			t.Errorf("the own workers heard %v", got)
		}
		if !time.Now().Equal(began) {
			t.Error("the first wake-up waited")
		}
	})
}

func TestManyWakeUpsBecomeFewAndNoneIsForgotten(t *testing.T) {
	t.Parallel()
	nearby(t, func(t *testing.T, waker *app.NearbyWaker, near, _ *wakeUps) {
		waker.Start(near.bring)
		const commits = 1000
		for range commits {
			waker.Wake(dueOf("a"))
			time.Sleep(10 * time.Microsecond)
		}
		synctest.Wait()
		near.taken()
		waker.Wake(dueOf("a"), dueOf("b"))
		waker.Wake(dueOf("b"))
		time.Sleep(time.Second)
		if got := near.taken(); len(got) != 2 {
			t.Errorf("after the last commit the workers heard %v, want one of each receiver", got)
		}
		for range commits {
			waker.Wake(dueOf("a"))
			time.Sleep(10 * time.Microsecond)
		}
		synctest.Wait()
		if got := len(near.taken()); got == 0 || got > commits/100 {
			t.Errorf("%d commits in 10 ms woke a worker %d times", commits, got)
		}
	})
}

func TestWhatIsDueLaterIsTheQueues(t *testing.T) {
	t.Parallel()
	nearby(t, func(t *testing.T, waker *app.NearbyWaker, near, queue *wakeUps) {
		waker.Start(near.bring)
		later := dueOf("a")
		later.At = time.Now().Add(time.Minute)
		over := core.WakeUp{Kind: core.DuePayments, At: time.Now().Add(-time.Minute)}
		waker.Wake(later, over)
		time.Sleep(time.Second)
		if got := queue.taken(); len(got) != 2 || got[0] != later || got[1] != over {
			t.Errorf("the queue got %v", got)
		}
		if got := near.taken(); len(got) != 0 {
			t.Errorf("the own workers heard %v", got)
		}
	})
}

func TestWhoDoesNotWorkLeavesItToTheQueue(t *testing.T) {
	t.Parallel()
	nearby(t, func(t *testing.T, waker *app.NearbyWaker, near, queue *wakeUps) {
		waker.Wake(dueOf("before"))
		waker.Start(near.bring)
		waker.Wake(dueOf("first"))
		synctest.Wait()
		waker.Wake(dueOf("waits"))
		waker.Stop()
		waker.Wake(dueOf("after"))
		time.Sleep(time.Second)
		got := queue.taken()
		if len(got) != 3 || got[0].Receiver != "before" || got[1].Receiver != "waits" || got[2].Receiver != "after" {
			t.Errorf("the queue got %v", got)
		}
		if got := near.taken(); len(got) != 1 || got[0].Receiver != "first" {
			t.Errorf("the own workers heard %v", got)
		}
	})
}
