package report_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core/report"
)

var someTook = rapid.Custom(func(t *rapid.T) time.Duration {
	most := rapid.SampledFrom([]time.Duration{10 * time.Millisecond, time.Minute, 100 * 24 * time.Hour}).Draw(t, "most")
	return time.Duration(rapid.Int64Range(0, int64(most)-1).Draw(t, "took"))
})

func delaysOf(took []time.Duration) report.LatencyHistogram {
	var d report.LatencyHistogram
	for _, one := range took {
		d.Add(one)
	}
	return d
}

func TestAPercentileIsWithinFivePercent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		took := rapid.SliceOfN(someTook, 1, 60).Draw(t, "took")
		percent := rapid.Int64Range(1, 100).Draw(t, "percent")
		got, ok := delaysOf(took).Percentile(percent)
		slices.Sort(took)
		want := took[(int64(len(took))*percent+99)/100-1]
		if far := (got - want).Abs(); !ok || far > want/20+time.Millisecond {
			t.Fatalf("of %v %d percent end within %v, not %v", took, percent, want, got)
		}
	})
	if _, ok := (report.LatencyHistogram{}).Percentile(50); ok {
		t.Fatal("of nothing half ends at some time")
	}
}

func TestDelaysThatAreMergedAreAllOfThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		some, others := rapid.SliceOf(someTook).Draw(t, "some"), rapid.SliceOf(someTook).Draw(t, "others")
		sum := delaysOf(some)
		sum.Merge(delaysOf(others), 1)
		all := delaysOf(slices.Concat(others, some))
		if sum.String() != all.String() || sum.Count() != int64(len(some)+len(others)) {
			t.Fatalf("%v and %v are %v, not %v", delaysOf(some), delaysOf(others), sum, all)
		}
		read, err := report.ParseLatencyHistogram(strings.Join([]string{delaysOf(some).String(), "", delaysOf(others).String()}, " "))
		if err != nil || read.String() != all.String() {
			t.Fatalf("one behind the other they are read as %v, not %v: %v", read, all, err)
		}
		sum.Merge(delaysOf(others), -1)
		if sum.String() != delaysOf(some).String() {
			t.Fatalf("without the others again there are %v, not %v", sum, delaysOf(some))
		}
	})
}

func TestLessThanNothingIsKept(t *testing.T) {
	t.Parallel()
	var taken report.LatencyHistogram
	taken.Merge(delaysOf([]time.Duration{time.Second}), -1)
	read, err := report.ParseLatencyHistogram(taken.String())
	read.Add(time.Second)
	if err != nil || len(read) != 0 {
		t.Fatalf("one less than nothing and one are %v: %v", read, err)
	}
}

func TestDelaysBeyondTheirBounds(t *testing.T) {
	t.Parallel()
	d := delaysOf([]time.Duration{-time.Hour, 3000 * 24 * time.Hour})
	least, _ := d.Percentile(50)
	most, _ := d.Percentile(100)
	if least != 0 || most < 100*24*time.Hour*9/10 || d.Count() != 2 {
		t.Fatalf("what is before nothing and after everything is %v and %v", least, most)
	}
}

func TestDelaysThatAreNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"1", "1:", ":1", "a:1", "1:a", "1:2:3", "-1:1", "231:1", "1:1,2:2", "1:1234567890123456789", "--1:1", "1:-"} {
		if d, err := report.ParseLatencyHistogram(text); err == nil {
			t.Errorf("%q is read as %v", text, d)
		}
	}
}
