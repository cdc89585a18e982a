package core

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Delays counts durations by how long they are: in steps of a tenth, so that a median that is read from it is at most
// five percent off. Below ten milliseconds every one has a step of its own. The zero value is empty; the keys are steps.
type Delays map[int]int64

// delaySteps are the upper ends of the steps in milliseconds, up to a hundred days: each at least a tenth more than the
// one before.
var delaySteps = func() []int64 {
	const last = int64(100*24*time.Hour) / int64(time.Millisecond)
	ends := []int64{1}
	for end := int64(1); end < last; {
		end = max(end+1, end+end/10)
		ends = append(ends, end)
	}
	return ends
}()

// Add counts one more. What is negative counts as nothing.
func (d Delays) Add(took time.Duration) {
	ms := max(took.Milliseconds(), 0)
	step := sort.Search(len(delaySteps), func(i int) bool { return ms < delaySteps[i] })
	d[min(step, len(delaySteps)-1)]++
}

// Merge adds the counts of others, times a factor: -1 takes them away.
func (d Delays) Merge(others Delays, factor int64) {
	for step, n := range others {
		if d[step] += n * factor; d[step] == 0 {
			delete(d, step)
		}
	}
}

// Count is how many there are.
func (d Delays) Count() int64 {
	total := int64(0)
	for _, n := range d {
		total += n
	}
	return total
}

// Percentile is the middle of the step in which so many percent of the durations end; none: false.
func (d Delays) Percentile(percent int64) (time.Duration, bool) {
	rank := (d.Count()*percent + 99) / 100
	for _, step := range slices.Sorted(maps.Keys(d)) {
		if rank -= d[step]; rank <= 0 {
			low := int64(0)
			if step > 0 {
				low = delaySteps[step-1]
			}
			return time.Duration(low+delaySteps[step]-1) * time.Millisecond / 2, true
		}
	}
	return 0, false
}

// String writes the counts for storage: "step:count" by step.
func (d Delays) String() string {
	var text strings.Builder
	for _, step := range slices.Sorted(maps.Keys(d)) {
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		fmt.Fprintf(&text, "%d:%d", step, d[step])
	}
	return text.String()
}

// ParseDelays reads what String has written, of one or, behind a space each, of several that it adds up.
func ParseDelays(text string) (Delays, error) {
	sums := make([]int64, len(delaySteps)) // of many thousands, when a year is added up
	for item := range strings.SplitSeq(text, " ") {
		if item == "" {
			continue
		}
		step, n, _ := strings.Cut(item, ":")
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(delaySteps) {
			return nil, fmt.Errorf("the step %q", step)
		}
		count, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the count %q", n)
		}
		sums[i] += count
	}
	d := Delays{}
	for step, n := range sums {
		if n != 0 {
			d[step] = n
		}
	}
	return d, nil
}
