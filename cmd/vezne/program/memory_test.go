package program

import "testing"

func TestMemoryIsGivenBackOnceALoadIsOver(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	sum := uint64(20 * mb) // of its start
	a := allocations{sum, sum}
	for i, look := range []struct {
		allocated uint64
		want      bool
	}{
		{allocated: mb / 10},
		{allocated: 15 * mb}, // a load begins
		{allocated: 200 * mb},
		{allocated: 2 * mb}, // and ebbs away
		{allocated: mb / 2, want: true},
		{allocated: 0}, // there is nothing more to give back
		{allocated: mb / 2},
		{allocated: 7 * mb},
		{allocated: mb - 1, want: true}, // little by little it is worth it again
		{allocated: mb - 1},
	} {
		sum += look.allocated
		if got := a.isOver(sum); got != look.want {
			t.Errorf("look %d, with %d more bytes: %t", i, look.allocated, got)
		}
	}
}
