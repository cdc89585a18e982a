package payment

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
)

// RetrySchedule is the waiting time before each attempt of a callback: the first counts from the decision, every other from
// the attempt before.
type RetrySchedule []time.Duration

// DefaultRetrySchedule is the schedule of the decisions: ten attempts over some 47 hours.
var DefaultRetrySchedule = RetrySchedule{
	0, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// Bounds of a configured schedule.
const (
	maxAttempts = 50
	maxWait     = 7 * 24 * time.Hour
)

// ParseRetrySchedule reads "0s,30s,2m".
func ParseRetrySchedule(text string) (RetrySchedule, error) {
	var l RetrySchedule
	for part := range strings.SplitSeq(text, ",") {
		d, err := time.ParseDuration(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("%q is not a duration such as 30s, 2m or 1h", strings.TrimSpace(part))
		}
		if d < 0 || d > maxWait {
			return nil, fmt.Errorf("%s is not between 0s and %s", d, maxWait)
		}
		l = append(l, d)
	}
	if len(l) > maxAttempts {
		return nil, errors.New("more than 50 attempts")
	}
	return l, nil
}

// String is the form that ParseRetrySchedule reads.
func (l RetrySchedule) String() string {
	parts := make([]string, len(l))
	for i, d := range l {
		parts[i] = d.String()
	}
	return strings.Join(parts, ",")
}

func (l RetrySchedule) first() time.Duration {
	if len(l) == 0 {
		return 0
	}
	return l[0]
}

// wait is the time before the attempt that follows made attempts, with up to 10 % more so that callbacks which failed
// together do not return together. The addition comes from the callback's id: a decision uses no randomness.
func (l RetrySchedule) wait(id core.ID, made int) (time.Duration, bool) {
	if made >= len(l) {
		return 0, false
	}
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s/%d", id, made) // a hash never fails to write
	perMille := time.Duration(h.Sum32() % 101)
	return l[made] + l[made]*perMille/1000, true
}
