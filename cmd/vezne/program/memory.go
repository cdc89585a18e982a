package program

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// How memory is given back to the system once a load is over. Go itself gives back what is beyond the heap at which it collects next, some
// minutes later: after a load that is three times of what is alive.
const (
	lookEach   = time.Second
	quietBytes = 1 << 20 // so little is allocated between two looks when there is no load: a collection delays nobody
	worthBytes = 8 << 20 // so much was allocated since memory was given back the last time that it is worth a collection
)

// allocations are what a process has allocated, in bytes, since it began.
type allocations struct{ last, released uint64 }

// isOver takes a look at the sum, and reports whether a load is over, whose memory can be given back. It reports that once.
func (a *allocations) isOver(sum uint64) bool {
	isQuiet := sum-a.last < quietBytes
	a.last = sum
	if !isQuiet || sum-a.released < worthBytes {
		return false
	}
	a.released = sum
	return true
}

// releaseMemory gives memory back whenever a load is over, until ctx ends.
func releaseMemory(ctx context.Context) {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	looks := time.NewTicker(lookEach)
	defer looks.Stop()
	metrics.Read(sample)
	for seen := (allocations{sample[0].Value.Uint64(), sample[0].Value.Uint64()}); ; {
		select {
		case <-ctx.Done():
			return
		case <-looks.C:
		}
		metrics.Read(sample)
		if seen.isOver(sample[0].Value.Uint64()) {
			runtime.GC() // what pools keep survives one collection, and not the next
			debug.FreeOSMemory()
		}
	}
}
