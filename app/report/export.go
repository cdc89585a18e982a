package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/payment"
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
	if !core.AreAmong(e.Columns, report.ExportColumns()) || len(distinct(e.Columns)) < len(e.Columns) {
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
	next := w.nextRows
	if w.job.Kind != report.ExportJob {
		next = w.nextOfList
	}
	reading, err := w.reading(ctx)
	if err != nil {
		return err
	}
	p, rows, isLast, err := next(reading)
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

// reading returns the context in which rows are read: an export lacks nothing that was there before its step.
func (w *work) reading(ctx context.Context) (context.Context, error) {
	if w.Position == nil {
		return ctx, nil
	}
	at, err := w.Position(ctx)
	return core.After(ctx, at), fault.E("job.reading", "", err)
}

// nextRows reads a few pages of payments, and how far the job is with them.
func (w *work) nextRows(ctx context.Context) (p report.JobProgress, rows [][]report.Cell, isLast bool, err error) {
	p = w.job.JobProgress
	for pages := 0; pages < exportPages && !isLast; pages++ {
		next, err := w.page(ctx, w.job.Filter, p.Cursor)
		if err != nil {
			return p, nil, false, err
		}
		names, err := w.namesOf(ctx, next.rows)
		if err != nil {
			return p, nil, false, err
		}
		for i := range next.rows {
			rows = append(rows, report.ExportRow(next.rows[i], w.job.Columns, names))
		}
		p.Cursor, isLast = next.next, next.isLast
		p.Totals = report.AddUp(p.Totals, next.rows)
		p.Done, p.Looked = p.Done+len(next.rows), p.Looked+len(next.rows)
	}
	return p, rows, isLast, nil
}

// namesOf reads what the owners and gateways of payments are called, where a column asks for it.
func (w *work) namesOf(ctx context.Context, payments []payment.Payment) (report.Names, error) {
	isAsked := func(c report.ExportColumn) bool {
		return c == report.ColProvider || c == report.ColDealer || c == report.ColGateway
	}
	if !slices.ContainsFunc(w.job.Columns, isAsked) {
		return report.Names{}, nil
	}
	var providers, dealers []int64
	for i := range payments {
		providers, dealers = append(providers, payments[i].ProviderID), append(dealers, payments[i].DealerID)
	}
	return w.names(ctx, providers, dealers)
}

func (w *work) names(ctx context.Context, providerIDs, dealerIDs []int64) (report.Names, error) {
	names := report.Names{Providers: map[int64]string{}, Dealers: map[int64]string{}, Gateways: map[int64]string{}}
	providers, dealers, err := ownersNamed(ctx, w.UnitOfWork.Directory, providerIDs, dealerIDs)
	if err != nil {
		return names, err
	}
	gateways, err := w.UnitOfWork.Directory.GatewayAccounts(ctx)
	for _, g := range gateways {
		names.Gateways[g.ID] = g.Name
	}
	for id, p := range providers {
		names.Providers[id] = p.Name
	}
	for id, d := range dealers {
		names.Dealers[id] = d.Name
	}
	return names, err
}

// part is what the file's writer writes next.
func (w *work) part(rows [][]report.Cell, totals []report.ExportTotal, isLast bool) report.FilePart {
	language := lang.Tag(w.job.Language)
	part := report.FilePart{
		State: w.job.File, Rows: labeled(language, rows), HasBOM: w.job.HasBOM, Zone: w.Zone, Style: report.FileStyle{IsTurkish: language != lang.EN},
		IsLast: isLast,
	}
	columns := report.ListColumns(w.job.Kind)
	if w.job.Kind == report.ExportJob {
		columns = nil
		for _, column := range w.job.Columns {
			columns = append(columns, string(column))
		}
	}
	for _, column := range columns {
		part.Header = append(part.Header, lang.Say(language, "column."+column))
	}
	part.SheetName, part.TotalsName = lang.Say(language, "sheet."+string(w.job.Kind)), lang.Say(language, "sheet.totals")
	for _, column := range report.TotalColumns(w.job.Kind) {
		part.TotalsHeader = append(part.TotalsHeader, lang.Say(language, "column."+column))
	}
	if isLast {
		for _, t := range slices.Concat(totals, report.Overall(totals)) {
			part.Totals = append(part.Totals, t.Cells(w.job.Kind))
		}
		part.Totals = labeled(language, part.Totals)
	}
	return part
}

// labeled has what people call values in place of these.
func labeled(language lang.Tag, rows [][]report.Cell) [][]report.Cell {
	for _, row := range rows {
		for i, c := range row {
			if label, ok := lang.Label(language, c.Enum, c.Text); ok && c.Enum != "" {
				row[i].Text = label
			}
		}
	}
	return rows
}
