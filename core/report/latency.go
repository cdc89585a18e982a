package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// LatencyHistogram counts durations by how long they are: in steps of a tenth, so that a median that is read from it is at most
// five percent off. Below ten milliseconds every one has a step of its own. The zero value is empty. It is ordered by
// step and has no count of zero: of a year's statistics there are tens of thousands, each of few steps.
type LatencyHistogram []LatencyCount

// LatencyCount is how many durations end in a step.
type LatencyCount struct {
	Step  int
	Count int64
}

// delaySteps are the upper ends of the steps in milliseconds, up to a hundred days: each at least a tenth more than the
// one before.
var delaySteps = func() (ends [231]int64) {
	for i := range ends {
		ends[i] = 1
		if i > 0 {
			ends[i] = max(ends[i-1]+1, ends[i-1]+ends[i-1]/10)
		}
	}
	return ends
}()

// Add counts one more. What is negative counts as nothing, what takes longer than the last step as that one.
func (d *LatencyHistogram) Add(took time.Duration) {
	ms := max(took.Milliseconds(), 0)
	step, _ := slices.BinarySearch(delaySteps[:], ms+1)
	d.count(0, min(step, len(delaySteps)-1), 1)
}

// count adds to a step, which is not before that of the place from, and answers its place.
func (d *LatencyHistogram) count(from, step int, n int64) int {
	i, ok := slices.BinarySearchFunc((*d)[from:], step, func(c LatencyCount, step int) int { return cmp.Compare(c.Step, step) })
	i += from
	if !ok {
		*d = slices.Insert(*d, i, LatencyCount{Step: step})
	}
	if (*d)[i].Count += n; (*d)[i].Count == 0 {
		*d = slices.Delete(*d, i, i+1)
	}
	return i
}

// Merge adds the counts of others, times a factor: -1 takes them away.
func (d *LatencyHistogram) Merge(others LatencyHistogram, factor int64) {
	at := 0
	for _, other := range others {
		at = d.count(at, other.Step, other.Count*factor)
	}
}

// Count is how many there are.
func (d LatencyHistogram) Count() int64 {
	total := int64(0)
	for _, c := range d {
		total += c.Count
	}
	return total
}

// Percentile is the middle of the step in which so many percent of the durations end; none: false.
func (d LatencyHistogram) Percentile(percent int64) (time.Duration, bool) {
	rank := (d.Count()*percent + 99) / 100
	for _, c := range d {
		if rank -= c.Count; rank <= 0 {
			low := int64(0)
			if c.Step > 0 {
				low = delaySteps[c.Step-1]
			}
			return time.Duration(low+delaySteps[c.Step]-1) * time.Millisecond / 2, true
		}
	}
	return 0, false
}

// String writes the counts for storage: "step:count" by step.
func (d LatencyHistogram) String() string {
	var text []byte
	for i, c := range d {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(c.Step), 10)
		text = append(text, ':')
		text = strconv.AppendInt(text, c.Count, 10)
	}
	return string(text)
}

// ParseLatencyHistogram reads what String has written, of one or, behind a space each, of several that it adds up.
func ParseLatencyHistogram(text string) (LatencyHistogram, error) {
	var sums [len(delaySteps)]int64
	steps := 0
	for rest := text; rest != ""; {
		if rest[0] == ' ' { // of those that are behind one another some are empty
			rest = rest[1:]
			continue
		}
		step, behind, ok := number(rest, ':')
		count, end, ok2 := number(behind, ' ')
		if !ok || !ok2 || step < 0 || step >= int64(len(sums)) {
			return nil, fmt.Errorf("the delays %.20q", rest)
		}
		if sums[step] == 0 {
			steps++
		}
		sums[step] += count
		rest = end
	}
	d := slices.Grow(LatencyHistogram(nil), steps)
	for step, n := range sums {
		if n != 0 {
			d = append(d, LatencyCount{step, n})
		}
	}
	return d, nil
}

// number reads the digits up to a separator or the end, and answers what is behind. It is called a million times for
// a year of statistics: strings.Cut and strconv would be most of the time it takes.
func number(text string, separator byte) (n int64, rest string, ok bool) {
	const most = 18 // digits
	isNegative := text != "" && text[0] == '-'
	if isNegative {
		text = text[1:]
	}
	i := 0
	for ; i < len(text) && text[i] != separator; i++ {
		if text[i] < '0' || text[i] > '9' || i == most {
			return 0, "", false
		}
		n = n*10 + int64(text[i]-'0')
	}
	if isNegative {
		n = -n
	}
	return n, text[min(i+1, len(text)):], i > 0
}
