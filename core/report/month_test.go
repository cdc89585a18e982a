package report_test

import (
	"testing"
	"time"

	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

var october = report.Month{
	From: time.Date(2026, 9, 30, 21, 0, 0, 0, time.UTC), Until: time.Date(2026, 10, 31, 21, 0, 0, 0, time.UTC),
	CountedUntil: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC),
}

// TestADiscrepancyIsCountedWhereItBelongs: by when it was found and closed, to the moment at which the month ends.
func TestADiscrepancyIsCountedWhereItBelongs(t *testing.T) {
	t.Parallel()
	before, first, last, after := october.From.Add(-1), october.From, october.Until.Add(-1), october.Until
	for name, c := range map[string]struct {
		created, updated          time.Time
		status                    discrepancy.Status
		opened, closed, openAtEnd int
	}{
		"closed before":                 {before, before, discrepancy.Accepted, 0, 0, 0},
		"found before, closed in it":    {before, first, discrepancy.Accepted, 0, 1, 0},
		"found and closed in it":        {first, last, discrepancy.Refunded, 1, 1, 0},
		"found in it, closed after":     {last, after, discrepancy.WrittenOff, 1, 0, 1},
		"found in it, open":             {first, first, discrepancy.Open, 1, 0, 1},
		"found before, being refunded":  {before, last, discrepancy.Refunding, 0, 0, 1},
		"found after, whatever becomes": {after, after, discrepancy.Open, 0, 0, 0},
	} {
		m := october
		m.Find(discrepancy.Discrepancy{CreatedAt: c.created, UpdatedAt: c.updated, Status: c.status})
		if want := (report.MonthDiscrepancies{Opened: c.opened, Closed: c.closed, OpenAtEnd: c.openAtEnd}); m.Discrepancies != want {
			t.Errorf("%s: %+v, want %+v", name, m.Discrepancies, want)
		}
	}
}

// TestAMonthAddsUpExactly: amounts to the last digit, callbacks by how late they came, gateways without what went through none, and the
// days without payments that are over.
func TestAMonthAddsUpExactly(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("+03", 3*60*60)
	var delays report.LatencyHistogram
	for took, count := range map[time.Duration]int{time.Millisecond: 90, 20 * time.Second: 5, time.Minute: 4, 24 * time.Hour: 1} {
		for range count {
			delays.Add(took)
		}
	}
	const most = 9_007_199_254_740_993_01 // no floating point number
	m := october
	m.CountedUntil = m.From.Add(4*24*time.Hour + time.Hour)
	m.Take([]report.StatisticsRow{
		{Key: report.StatisticsKey{Method: payment.ManualDeposit, Status: payment.Completed, Currency: "TRY"}, Tally: report.Tally{Count: 2, Requested: most, Final: most, Corrected: -5, Failed: 7, Delays: delays}},
		{Key: report.StatisticsKey{Method: payment.ManualDeposit, Status: payment.Expired, Currency: "XYZ"}, Tally: report.Tally{Count: 1, Requested: 12345}},
	}, []report.StatisticsRow{
		{Key: report.StatisticsKey{Currency: "TRY"}, Tally: report.Tally{Count: 100}},
		{Key: report.StatisticsKey{GatewayID: 9, Currency: "TRY"}, Tally: report.Tally{Count: 5, Ended: 4, Approved: 3}},
		{Key: report.StatisticsKey{GatewayID: 9, Currency: "XYZ"}, Tally: report.Tally{Count: 1, Ended: 1}},
	}, []report.StatisticsRow{{At: m.From.Add(24 * time.Hour), Tally: report.Tally{Count: 1}}}, zone)
	if p := m.Payments[0]; p.Requested != "9007199254740993.01" || p.Final != p.Requested || p.Corrected != "-0.05" {
		t.Errorf("amounts are %+v", p)
	}
	if p := m.Payments[1]; p.Requested != "12345" || p.Currency != "XYZ" {
		t.Errorf("what is not known has %+v", p)
	}
	if c := m.Callbacks; c.Prompt != 95 || c.Late != 5 || c.Failed != 7 {
		t.Errorf("callbacks are %+v", c)
	}
	if len(m.Gateways) != 1 || m.Gateways[0] != (report.MonthGateway{GatewayID: 9, Count: 6, Ended: 5, Approved: 3}) {
		t.Errorf("gateways are %+v", m.Gateways)
	}
	if got, want := m.QuietDays, []string{"2026-10-01", "2026-10-03", "2026-10-04"}; len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("without payments were %v, want %v: a day that is not over is none", got, want)
	}
}
