package core_test

import (
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/coretest"
)

// TestDayOf: the day changes at midnight of the service's time zone, not of UTC.
func TestDayOf(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 3, 9, 21, 0, 0, 0, time.UTC)
	if got := core.DayOf(midnight.Add(-1), coretest.Istanbul); got != "2026-03-09" {
		t.Errorf("a nanosecond before midnight: %s", got)
	}
	if got := core.DayOf(midnight, coretest.Istanbul); got != "2026-03-10" {
		t.Errorf("at midnight: %s", got)
	}
}

func TestDaysFollowEachOther(t *testing.T) {
	t.Parallel()
	for _, d := range []struct{ day, next core.Day }{
		{"2026-03-02", "2026-03-03"}, {"2026-02-28", "2026-03-01"}, {"2028-02-28", "2028-02-29"}, {"2026-12-31", "2027-01-01"},
	} {
		if d.day.After() != d.next || d.next.Before() != d.day || d.day.Add(0) != d.day {
			t.Errorf("after %s comes %s, before %s %s", d.day, d.day.After(), d.next, d.next.Before())
		}
	}
	if got := core.Day("2026-03-02").Add(-365); got != "2025-03-02" {
		t.Errorf("a year before is %s", got)
	}
}

func TestADayIsWrittenInFull(t *testing.T) {
	t.Parallel()
	for day, want := range map[core.Day]bool{
		"2026-03-02": true, "2028-02-29": true, "0001-01-01": true, "9998-12-31": true,
		"": false, "2026-02-29": false, "2026-3-2": false, "02.03.2026": false, "2026-03-02T00:00": false, "9999-01-01": false,
		"10000-01-01": false, "0000-12-31": false, "yesterday": false,
	} {
		if got := day.IsDay(); got != want {
			t.Errorf("%q is a day: %t", day, got)
		}
	}
	for _, none := range []core.Day{"", "2026-02-30", "zzzz", "9999-12-31", "10000-01-01"} {
		if from, until := none.Bounds(coretest.Istanbul); !from.IsZero() || !until.IsZero() {
			t.Errorf("%q is from %s until %s", none, from, until)
		}
	}
	if core.Day("none").Add(1) != "none" {
		t.Error("a day after none")
	}
}

func TestADayOfIstanbulIsFromNineInTheEvening(t *testing.T) {
	t.Parallel()
	from, until := core.Day("2026-03-02").Bounds(coretest.Istanbul)
	if !from.Equal(time.Date(2026, 3, 1, 21, 0, 0, 0, time.UTC)) || until.Sub(from) != 24*time.Hour || from.Location() != time.UTC {
		t.Errorf("it is from %s until %s", from, until)
	}
}

// TestEveryMomentIsOfTheDayWhoseBoundsHoldIt, also where clocks are changed at midnight: then a day begins at one
// o'clock, or midnight comes twice, or a day is left out.
func TestEveryMomentIsOfTheDayWhoseBoundsHoldIt(t *testing.T) {
	t.Parallel()
	var zones []*time.Location
	for _, name := range []string{
		"Europe/Istanbul", "America/Havana", "America/Sao_Paulo", "Africa/Cairo", "Asia/Beirut", "Atlantic/Azores",
		"Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia",
	} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, zone)
	}
	// Not St. John's, where until 2011 a minute past midnight was an hour before midnight again: such a day has no bounds.
	first, last := time.Date(1995, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	holds := func(t coretest.T, zone *time.Location, at time.Time) {
		day := core.DayOf(at, zone)
		from, until := day.Bounds(zone)
		if at.Before(from) || !at.Before(until) || core.DayOf(from, zone) != day || core.DayOf(from.Add(-1), zone) >= day ||
			core.DayOf(until, zone) <= day || core.DayOf(until.Add(-1), zone) != day {
			t.Fatalf("%s in %s is of %s, which is from %s until %s", at, zone, day, from.In(zone), until.In(zone))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom(zones).Draw(t, "zone")
		at := time.Unix(rapid.Int64Range(first, last).Draw(t, "at"), rapid.Int64Range(0, 1e9-1).Draw(t, "nanoseconds"))
		holds(t, zone, at)
		if change, _ := at.In(zone).ZoneBounds(); !change.IsZero() { // about the last change of the clocks
			holds(t, zone, change.Add(time.Duration(rapid.Int64Range(-2, 2).Draw(t, "hours"))*time.Hour))
		}
	})
}
