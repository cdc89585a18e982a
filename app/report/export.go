package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// Export is an order for a file of all transactions that a filter matches.
type Export struct {
	Filter   report.PaymentQuery
	Format   report.ExportFormat
	Columns  []report.ExportColumn // none: all
	Language lang.Tag              // of the header
	HasBOM   bool                  // CSV begins with a byte order mark
}

// StartExport makes an export a job. Faults: Forbidden, Invalid, RateLimited.
func (s *Jobs) StartExport(ctx context.Context, m app.Request, e Export) (report.Job, error) {
	if err := m.Staff.Require(staff.ReadTransactions); err != nil {
		return report.Job{}, err
	}
	e, err := e.check()
	if err != nil {
		return report.Job{}, err
	}
	order := report.JobOrder{
		Kind: report.ExportJob, Filter: within(m.Staff, e.Filter), Format: e.Format, Columns: e.Columns,
		Language: string(e.Language), HasBOM: e.HasBOM && e.Format == report.CSV,
	}
	if len(order.Columns) == 0 {
		order.Columns = report.ExportColumns()
	}
	if order.Total, order.IsTotalExact, err = s.countPayments(ctx, order.Filter); err != nil {
		return report.Job{}, err
	}
	ordered, err := s.place(ctx, m, order, false)
	return ordered.Job, err
}

// check returns the order with its filter as it is searched.
func (e Export) check() (Export, error) {
	var form core.Form
	if !slices.Contains(report.ExportFormats(), e.Format) {
		form.Fail("format", "field.choice", fmt.Sprint(report.ExportFormats()))
	}
	if !report.AreAmong(e.Columns, report.ExportColumns()) || len(distinct(e.Columns)) < len(e.Columns) {
		form.Fail("columns", "field.choice", fmt.Sprint(report.ExportColumns()))
	}
	e.Filter = e.Filter.Cleaned(&form)
	return e, form.Err("job.Export")
}

// countPayments counts at most countBound.
func (s *Jobs) countPayments(ctx context.Context, filter report.PaymentQuery) (n int, isExact bool, err error) {
	var after core.ID
	for looks := 0; n < countBound && looks < countPages; looks++ {
		page, err := s.page(ctx, filter, after)
		if err != nil {
			return 0, false, err
		}
		if n += len(page.rows); page.isLast {
			return n, true, nil
		}
		after = page.next
	}
	return n, false, nil
}

// export writes the next rows. The last step writes what adds up all of them.
func (w *work) export(ctx context.Context) error {
	writer, ok := w.Writers[w.job.Format]
	if !ok {
		return fault.E("job.export", fault.Internal, fmt.Errorf("no writer of %q", w.job.Format))
	}
	p, rows, isLast, err := w.nextRows(ctx)
	if err != nil {
		return err
	}
	if p.Done > w.job.Format.MaxRows() {
		return w.breakOff(ctx, fault.TooManyRows)
	}
	bytes, file, err := writer.Write(w.part(rows, p.Totals, isLast))
	if fault.Is(err, fault.Invalid) {
		return w.breakOff(ctx, fault.TooManyRows)
	}
	if err != nil {
		return err
	}
	p.File = file
	var change core.Changeset
	if len(bytes) > 0 {
		p.Chunks++
		change = append(change, report.JobChunk{JobID: w.job.ID, Number: p.Chunks, Bytes: bytes})
	}
	return w.commit(ctx, p, isLast, change)
}

// nextRows reads a few pages of payments, and how far the job is with them.
func (w *work) nextRows(ctx context.Context) (p report.JobProgress, rows [][]report.Cell, isLast bool, err error) {
	p = w.job.JobProgress
	for pages := 0; pages < exportPages && !isLast; pages++ {
		next, err := w.page(ctx, w.job.Filter, p.Cursor)
		if err != nil {
			return p, nil, false, err
		}
		for i := range next.rows {
			rows = append(rows, report.ExportRow(next.rows[i], w.job.Columns))
		}
		p.Cursor, isLast = next.next, next.isLast
		p.Totals = report.AddUp(p.Totals, next.rows)
		p.Done, p.Looked = p.Done+len(next.rows), p.Looked+len(next.rows)
	}
	return p, rows, isLast, nil
}

// part is what the file's writer writes next.
func (w *work) part(rows [][]report.Cell, totals []report.ExportTotal, isLast bool) report.FilePart {
	language := lang.Tag(w.job.Language)
	part := report.FilePart{State: w.job.File, Rows: rows, HasBOM: w.job.HasBOM, Zone: w.Zone, IsLast: isLast}
	for _, column := range w.job.Columns {
		part.Header = append(part.Header, lang.Say(language, "column."+string(column)))
	}
	part.SheetName, part.TotalsName = lang.Say(language, "sheet.transactions"), lang.Say(language, "sheet.totals")
	for _, column := range []string{"method", "status", "count", "requested_amount", "amount", "currency"} {
		part.TotalsHeader = append(part.TotalsHeader, lang.Say(language, "column."+column))
	}
	if isLast {
		part.Totals = slices.Concat(totals, report.Overall(totals))
	}
	return part
}
