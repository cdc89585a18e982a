package report

import (
	"context"
	"errors"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/ports"
)

// maxDiscrepancies is how many of them a month's report looks at, the newest.
const maxDiscrepancies = 20_000

// Months reports of whole months, for whoever runs Vezne and has the database: nobody's scope narrows it.
type Months struct {
	Reports    ports.Reports
	Operations ports.Operations
	Zone       *time.Location // the service's, in which months begin
}

// Of reports of the month that a moment is in, as far as statistics have come. Fault: Unavailable (statistics are being built), Invalid (the
// month has not begun by then, or has more rows than a report may read).
func (m Months) Of(ctx context.Context, at time.Time) (report.Month, error) {
	const op = "report.Months.Of"
	month := report.Month{From: report.Monthly.StartOf(at, m.Zone), Payments: []report.MonthPayments{}, Gateways: []report.MonthGateway{}, QuietDays: []string{}}
	month.Until = report.Monthly.After(month.From, m.Zone)
	until, err := m.Reports.StatisticsUntil(ctx)
	switch {
	case err != nil:
		return month, fault.E(op, "", err)
	case until.IsZero():
		return month, fault.E(op, fault.Unavailable, errors.New("statistics are being built"))
	case !month.From.Before(until):
		return month, fault.E(op, fault.Invalid, errors.New("the month has not begun, as far as statistics have come"))
	}
	month.CountedUntil = until
	ask := func(interval report.Interval, by ...report.Dimension) (rows []report.StatisticsRow) {
		if err == nil {
			rows, err = m.Reports.Statistics(ctx, report.StatisticsQuery{
				From: month.From, Until: month.Until, GroupBy: by, Interval: interval, Zone: m.Zone, MaxRead: maxRead,
			})
		}
		return rows
	}
	month.Take(ask("", report.MethodDimension, report.StatusDimension), ask("", report.GatewayDimension), ask(report.Daily), m.Zone)
	if err == nil {
		err = m.discrepancies(ctx, &month)
	}
	return month, fault.E(op, "", err)
}

// discrepancies counts those that were found before the month's end, page by page, newest first.
func (m Months) discrepancies(ctx context.Context, month *report.Month) error {
	q := discrepancy.Query{CreatedUntil: month.Until}
	q.Limit = core.MaxPage
	for seen := 0; ; seen += q.Limit {
		list, err := m.Operations.Discrepancies(ctx, q)
		if err != nil {
			return err
		}
		if len(list) > 0 && seen >= maxDiscrepancies {
			month.Discrepancies.IsCut = true
			return nil
		}
		for _, d := range list {
			month.Find(d)
		}
		if len(list) < q.Limit {
			return nil
		}
		q.After = list[len(list)-1].ID
	}
}
