package core

import (
	"time"
)

// Day is a calendar day in the service's time zone, "2006-01-02".
type Day string

// DayOf is the calendar day of a moment in a time zone.
func DayOf(at time.Time, zone *time.Location) Day { return Day(at.In(zone).Format(time.DateOnly)) }

// Add is the day some days later.
func (d Day) Add(days int) Day {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return d
	}
	return Day(t.AddDate(0, 0, days).Format(time.DateOnly))
}

// After is the next day.
func (d Day) After() Day { return d.Add(1) }

// Before is the day before.
func (d Day) Before() Day { return d.Add(-1) }

// Bounds are the moments between which the day is in a time zone: from, included, until the next day. Both are zero for
// what is no day. The clock is asked, and not reckoned with: where it is changed at midnight, a day may begin at one
// o'clock, or midnight come twice.
func (d Day) Bounds(zone *time.Location) (from, until time.Time) {
	if !d.IsDay() {
		return from, until
	}
	return d.begin(zone), d.After().begin(zone)
}

// begin is the first moment of the day. Clocks are changed at quarters of an hour.
func (d Day) begin(zone *time.Location) time.Time {
	const quarter = 15 * time.Minute
	t, _ := time.ParseInLocation(time.DateOnly, string(d), zone)
	for DayOf(t, zone) >= d {
		t = t.Add(-quarter)
	}
	for DayOf(t, zone) < d {
		t = t.Add(quarter)
	}
	return t.UTC()
}

// IsDay reports whether the text is a calendar day, with days before and after it that are written in the same way.
func (d Day) IsDay() bool {
	t, err := time.Parse(time.DateOnly, string(d))
	return err == nil && t.Year() >= 1 && t.Year() < 9999
}
