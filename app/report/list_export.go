package report

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

// maxStatementDays is how many days of a wallet are exported at once.
const maxStatementDays = 366

// ListExport is an order for a file of something else than transactions.
type ListExport struct {
	Kind        report.JobKind
	WalletID    string    // of a statement and a ledger
	From, Until time.Time // of the same: required
	Lines       wallet.LineQuery
	Audit       core.AuditQuery
	Statistics  report.StatisticsQuery
	Format      report.ExportFormat
	Language    lang.Tag
	HasBOM      bool
}

// ExportList makes an export of a list a job. Faults: Forbidden, NotFound (no such wallet, or another dealer's), Invalid, RateLimited.
func (s *Jobs) ExportList(ctx context.Context, m app.Request, e ListExport) (report.Job, error) {
	const op = "job.ExportList"
	var form core.Form
	if !slices.Contains(report.ListExports(), e.Kind) {
		form.Fail("list", "field.choice", fmt.Sprint(report.ListExports()))
		return report.Job{}, form.Err(op)
	}
	for _, p := range e.Kind.Permissions() {
		if err := m.Staff.Require(p); err != nil {
			return report.Job{}, err
		}
	}
	if !slices.Contains(report.ExportFormats(), e.Format) {
		form.Fail("format", "field.choice", fmt.Sprint(report.ExportFormats()))
	}
	filter, err := s.listFilter(ctx, m, e, &form)
	if err == nil {
		err = form.Err(op)
	}
	if err != nil {
		return report.Job{}, err
	}
	ordered, err := s.place(ctx, m, report.JobOrder{
		Kind: e.Kind, List: filter, Format: e.Format, Language: string(e.Language), HasBOM: e.HasBOM && e.Format == report.CSV,
	}, false)
	return ordered.Job, err
}

// listFilter is what the file has, checked: nothing beyond what the member may see.
func (s *Jobs) listFilter(ctx context.Context, m app.Request, e ListExport, form *core.Form) (report.ListFilter, error) {
	var filter report.ListFilter
	switch e.Kind {
	case report.StatementExport, report.LedgerExport:
		filter = report.ListFilter{From: e.From, Until: e.Until}
		if e.WalletID == "" {
			form.Fail("walletId", "field.required")
		}
		switch {
		case e.From.IsZero() || e.Until.IsZero() || !e.From.Before(e.Until):
			form.Fail("until", "field.later", "from")
		case e.Until.Sub(e.From) > maxStatementDays*24*time.Hour+time.Hour:
			form.Fail("until", "field.range", e.From.AddDate(0, 0, maxStatementDays).UTC().Format(time.RFC3339))
		}
	case report.BankLinesExport:
		filter = report.FilterOfLines(e.Lines.Cleaned(form))
	case report.StatisticsExport:
		e.Statistics.Zone = s.Zone
		if err := s.Statistics.check(m.Staff, e.Statistics); err != nil {
			return filter, err
		}
		filter = report.FilterOfStatistics(widened(e.Statistics))
	default:
		for name, text := range map[string]string{"actorId": e.Audit.ActorID, "action": e.Audit.Action, "target": e.Audit.Target} {
			if len(text) > core.MaxNameChars || !core.IsCleanText(text) {
				form.Fail(name, "field.pattern")
			}
		}
		filter = report.FilterOfAudit(e.Audit)
	}
	if e.WalletID == "" {
		return filter, nil
	}
	w, err := s.Wallets.WalletBy(ctx, m.Staff.Scope().OfDealers().DealerID, e.WalletID)
	filter.Wallet, filter.WalletID = w.ID, w.WalletID
	return filter, err
}

// nextOfList reads what the file has next, and how far the job is with it.
func (w *work) nextOfList(ctx context.Context) (p report.JobProgress, rows [][]report.Cell, isLast bool, err error) {
	p = w.job.JobProgress
	switch w.job.Kind {
	case report.StatementExport:
		rows, isLast, err = w.nextStatement(ctx, &p)
	case report.LedgerExport:
		rows, isLast, err = w.nextEntries(ctx, &p)
	case report.BankLinesExport:
		rows, isLast, err = w.nextLines(ctx, &p)
	case report.StatisticsExport:
		rows, isLast, err = w.allStatistics(ctx, &p)
	default:
		rows, isLast, err = w.nextAudit(ctx, &p)
	}
	p.Done, p.Looked = p.Done+len(rows), p.Looked+len(rows)
	return p, rows, isLast, err
}

// nextStatement reads a day of the statement, the newest first. The cursor is the day that was read last.
func (w *work) nextStatement(ctx context.Context, p *report.JobProgress) (rows [][]report.Cell, isLast bool, err error) {
	f := w.job.List
	day := core.DayOf(f.Until.Add(-1), w.Zone)
	if p.Cursor != "" {
		day = core.Day(p.Cursor).Before()
	}
	from, until := day.Bounds(w.Zone)
	isLast = !from.After(f.From)
	if from.Before(f.From) {
		from = f.From
	}
	if until.After(f.Until) {
		until = f.Until
	}
	for skip := 0; ; skip += pageRows {
		lines, total, err := w.Wallets.BankLines(ctx, wallet.BankLineQuery{WalletID: f.Wallet, From: from, Until: until, Skip: skip, Limit: pageRows})
		if err != nil {
			return nil, false, err
		}
		more, err := w.lineRows(ctx, lines)
		if err != nil {
			return nil, false, err
		}
		rows, p.Totals = append(rows, more...), report.LineTotals(p.Totals, lines)
		if len(lines) < pageRows || skip+len(lines) >= total {
			p.Cursor = core.ID(day)
			return rows, isLast, nil
		}
	}
}

// nextLines reads a few pages of the list of lines.
func (w *work) nextLines(ctx context.Context, p *report.JobProgress) (rows [][]report.Cell, isLast bool, err error) {
	q := w.job.List.LineQuery(w.job.Scope)
	for pages := 0; pages < exportPages && !isLast; pages++ {
		q.Paging = core.Paging[core.ID]{After: p.Cursor, Limit: pageRows}
		lines, err := w.Lines.LinesIn(ctx, q)
		if err != nil {
			return nil, false, err
		}
		if isLast = len(lines) < pageRows; len(lines) > 0 {
			p.Cursor = lines[len(lines)-1].ID
		}
		lines = slices.DeleteFunc(lines, func(l wallet.BankLine) bool { return l.ImportedAt.After(w.job.CreatedAt) })
		more, err := w.lineRows(ctx, lines)
		if err != nil {
			return nil, false, err
		}
		rows, p.Totals = append(rows, more...), report.LineTotals(p.Totals, lines)
	}
	return rows, isLast, nil
}

func (w *work) lineRows(ctx context.Context, lines []wallet.BankLine) ([][]report.Cell, error) {
	var payments []core.ID
	for _, l := range lines {
		payments = append(payments, l.PaymentID)
	}
	told, err := w.tell(ctx, payments)
	rows := make([][]report.Cell, len(lines))
	for i, l := range lines {
		rows[i] = report.LineRow(l, told.wallets[l.WalletID], told.codes[l.PaymentID])
	}
	return rows, err
}

// nextEntries reads a few pages of a wallet's ledger, the newest first.
func (w *work) nextEntries(ctx context.Context, p *report.JobProgress) (rows [][]report.Cell, isLast bool, err error) {
	f := w.job.List
	for pages := 0; pages < exportPages && !isLast; pages++ {
		entries, err := w.Wallets.Entries(ctx, f.Wallet, core.Paging[core.ID]{After: p.Cursor, Limit: pageRows})
		if err != nil {
			return nil, false, err
		}
		if isLast = len(entries) < pageRows; len(entries) > 0 {
			p.Cursor = entries[len(entries)-1].ID
		}
		var kept []ledger.Entry
		var payments []core.ID
		for _, e := range entries {
			switch {
			case e.At.Before(f.From.Add(-time.Minute)): // an ID is made near the moment of its entry
				isLast = true
			case !e.At.Before(f.From) && e.At.Before(f.Until):
				kept, payments = append(kept, e), append(payments, e.PaymentID)
			}
		}
		told, err := w.tell(ctx, payments)
		if err != nil {
			return nil, false, err
		}
		for _, e := range kept {
			rows = append(rows, report.EntryRow(e, told.wallets[e.WalletID], told.codes[e.PaymentID]))
		}
		p.Totals = report.EntryTotals(p.Totals, kept)
	}
	return rows, isLast, nil
}

// nextAudit reads a few pages of the audit log.
func (w *work) nextAudit(ctx context.Context, p *report.JobProgress) (rows [][]report.Cell, isLast bool, err error) {
	q := w.job.List.AuditQuery()
	if q.Until.IsZero() || q.Until.After(w.job.CreatedAt) {
		q.Until = w.job.CreatedAt
	}
	for pages := 0; pages < exportPages && !isLast; pages++ {
		q.Paging = core.Paging[core.ID]{After: p.Cursor, Limit: pageRows}
		entries, err := w.Audit.AuditEntries(ctx, q)
		if err != nil {
			return nil, false, err
		}
		for _, e := range entries {
			rows = append(rows, report.AuditRow(e))
		}
		if isLast = len(entries) < pageRows; len(entries) > 0 {
			p.Cursor = entries[len(entries)-1].ID
		}
	}
	return rows, isLast, nil
}

// allStatistics reads all rows at once: they are bounded.
func (w *work) allStatistics(ctx context.Context, p *report.JobProgress) (rows [][]report.Cell, isLast bool, err error) {
	member, err := w.Staff.StaffByID(ctx, w.job.StaffID)
	if err != nil {
		return nil, false, err
	}
	answer, err := w.Statistics.Statistics(ctx, member, w.job.List.StatisticsQuery())
	if err != nil {
		return nil, false, err
	}
	var providers, dealers []int64
	for _, r := range answer.Rows {
		providers, dealers = append(providers, r.Key.ProviderID), append(dealers, r.Key.DealerID)
	}
	names, err := w.names(ctx, providers, dealers)
	if err != nil {
		return nil, false, err
	}
	names.Sites = map[int64]string{}
	for id, site := range answer.Sites {
		names.Sites[id] = site.Name
	}
	for i, r := range answer.Rows {
		rows = append(rows, report.StatisticsCells(r, answer.Ends[i], names))
	}
	p.Totals = report.StatisticsTotals(p.Totals, answer.Rows)
	return rows, true, nil
}

// told is what rows have beside themselves: what wallets are called, and the codes of payments.
type told struct {
	wallets map[int64]string
	codes   map[core.ID]string
}

func (w *work) tell(ctx context.Context, payments []core.ID) (told, error) {
	t := told{wallets: map[int64]string{}, codes: map[core.ID]string{}}
	wallets, err := w.Wallets.WalletsOf(ctx, w.job.Scope.OfDealers().DealerID)
	if err != nil {
		return t, err
	}
	for _, one := range wallets {
		t.wallets[one.ID] = one.BankName + " " + one.IBAN
	}
	payments = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(payments))), func(id core.ID) bool { return id == "" })
	if len(payments) == 0 {
		return t, nil
	}
	found, err := w.UnitOfWork.Payments.PaymentsByID(ctx, w.job.Scope, payments)
	for _, p := range found {
		t.codes[p.ID] = p.TrackingCode
	}
	return t, err
}
