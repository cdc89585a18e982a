package machines_test

import (
	"slices"
	"testing"

	"github.com/vezne/vezne/e2e/machines"
)

// whole is a run in which everything went as it should: one payment is open, one canceled, and a callback came twice.
func whole() ([]machines.Answered, []machines.Stored, []machines.Told) {
	return []machines.Answered{{"k1", "a", "pending"}, {"k2", "b", "canceled"}},
		[]machines.Stored{{"a", "pending", 0, 0}, {"b", "canceled", 1, 1}},
		[]machines.Told{{"b", "c1", "canceled"}, {"b", "c1", "canceled"}}
}

func TestWholeRunHasNothingLostOrDoubled(t *testing.T) {
	t.Parallel()
	if got := machines.Count(whole()); got.Lost != 0 || got.Doubled != 0 || len(got.Findings) != 0 {
		t.Errorf("the tally is %+v", got)
	}
}

// TestTallyFinds changes a run in each way in which money could be lost or doubled.
func TestTallyFinds(t *testing.T) {
	t.Parallel()
	type run struct {
		answered []machines.Answered
		stored   []machines.Stored
		told     []machines.Told
	}
	for name, c := range map[string]struct {
		change        func(*run)
		lost, doubled int
	}{
		"an answered payment that is not there": {func(r *run) { r.stored = r.stored[1:] }, 1, 0},
		"an answered end that is not there":     {func(r *run) { r.stored[1] = machines.Stored{"b", "pending", 0, 0}; r.told = nil }, 1, 0},
		"another end than the answered one":     {func(r *run) { r.stored[1].Status = "rejected" }, 1, 0},
		"a payment for two requests":            {func(r *run) { r.answered = append(r.answered, machines.Answered{"k3", "a", "pending"}) }, 1, 0},
		"an end that nobody was told":           {func(r *run) { r.told = nil }, 1, 0},
		"an end that was told wrong":            {func(r *run) { r.told[0].Status, r.told[1].Status = "rejected", "rejected" }, 1, 0},
		"a payment that nobody was answered":    {func(r *run) { r.stored = append(r.stored, machines.Stored{"c", "pending", 0, 0}) }, 0, 1},
		"a payment that ended twice":            {func(r *run) { r.stored[1].Ends = 2 }, 0, 1},
		"a second callback in the database":     {func(r *run) { r.stored[1].Callbacks = 2 }, 0, 1},
		"a second callback at the receiver":     {func(r *run) { r.told = append(r.told, machines.Told{"b", "c2", "canceled"}) }, 0, 1},
		"a callback of a payment that is open":  {func(r *run) { r.told = append(r.told, machines.Told{"a", "c3", "pending"}) }, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r run
			r.answered, r.stored, r.told = whole()
			c.change(&r)
			got := machines.Count(r.answered, r.stored, r.told)
			if got.Lost != c.lost || got.Doubled != c.doubled || len(got.Findings) == 0 || slices.Contains(got.Findings, "") {
				t.Errorf("the tally is %+v, want %d lost and %d doubled", got, c.lost, c.doubled)
			}
		})
	}
}
