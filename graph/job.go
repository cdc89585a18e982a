package graph

import (
	"cmp"
	"context"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) Jobs(
	ctx context.Context, filter *report.JobQuery, first *int, after *string, last *int, before *string,
) (*page.JobConnection, error) {
	place := func(j report.Job) core.ID { return j.ID }
	return list(ctx, filter, page.Of(first, after, last, before), page.ByID, place, q.Config.Jobs.Jobs)
}

func (q queryResolver) Job(ctx context.Context, id core.ID) (*report.Job, error) {
	if err := core.CheckID(id); err != nil {
		return nil, err
	}
	j, err := q.Config.Jobs.Job(ctx, staffOf(ctx), id)
	return &j, err
}

func (m mutationResolver) CancelJob(ctx context.Context, input generated.CancelJobInput) (*generated.JobPayload, error) {
	if err := core.CheckID(input.ID); err != nil {
		return nil, err
	}
	j, err := m.Jobs.Cancel(ctx, acting(ctx), input.ID)
	return &generated.JobPayload{Job: &j}, err
}

func (m mutationResolver) ResendCallback(ctx context.Context, input command.ResendCallbackInput) (*generated.CallbackPayload, error) {
	c, err := run(ctx, m, m.Commands.ResendCallback, input)
	if err != nil {
		return nil, err
	}
	log, err := m.Backoffice.CallbackLog(ctx, *c)
	return &generated.CallbackPayload{Callback: log}, err
}

func (m mutationResolver) ResendCallbacks(ctx context.Context, input command.ResendCallbacksInput) (*generated.ResendCallbacksPayload, error) {
	ordered, err := run(ctx, m, m.Commands.ResendCallbacks, input)
	if err != nil {
		return nil, err
	}
	order := &generated.ResendCallbacksPayload{Count: ordered.Count, IsExact: ordered.IsExact}
	if ordered.Job.ID != "" {
		order.Job = &ordered.Job
	}
	return order, nil
}

func (m mutationResolver) StartExport(ctx context.Context, input command.StartExportInput) (*generated.JobPayload, error) {
	var err error
	if input.Language, err = languageOf(ctx, input.Language); err != nil {
		return nil, err
	}
	j, err := run(ctx, m, m.Commands.StartExport, input)
	return &generated.JobPayload{Job: j}, err
}

func (m mutationResolver) ExportList(ctx context.Context, input generated.ExportListInput) (*generated.JobPayload, error) {
	language, err := languageOf(ctx, lang.Tag(valueOf(input.Language)))
	if err != nil {
		return nil, err
	}
	order := command.ListOrder{
		List: listKinds[input.List], WalletID: valueOf(input.WalletID), From: valueOf(input.From), Until: valueOf(input.Until),
		Audit: input.Audit, Statistics: &report.StatisticsQuery{}, Format: input.Format, BOM: input.Bom, Language: language,
		Said: command.Said{IdempotencyKey: input.IdempotencyKey},
	}
	if input.Statistics != nil {
		order.Statistics = input.Statistics
	}
	order.Statistics.GroupBy, order.Statistics.Interval = input.By, valueOf(input.Per)
	if input.BankLines != nil {
		order.Lines = new(lineQuery(*input.BankLines))
		order.WalletID = cmp.Or(order.WalletID, valueOf(input.BankLines.WalletID))
	}
	j, err := run(ctx, m, m.Commands.ExportList, order)
	return &generated.JobPayload{Job: j}, err
}

var listKinds = map[generated.ExportSubject]report.JobKind{
	generated.ExportSubjectStatement: report.StatementExport, generated.ExportSubjectLedger: report.LedgerExport,
	generated.ExportSubjectBankLines: report.BankLinesExport, generated.ExportSubjectStatistics: report.StatisticsExport,
	generated.ExportSubjectAudit: report.AuditExport,
}

// languageOf is the language that was asked for, or that of the request. Fault: Invalid.
func languageOf(ctx context.Context, asked lang.Tag) (lang.Tag, error) {
	if asked == "" {
		return callerOf(ctx).language, nil
	}
	tag, ok := lang.Parse(string(asked))
	if !ok {
		var form core.Form
		form.Fail("language", "field.choice", "tr, en")
		return "", form.Err("graph.languageOf")
	}
	return tag, nil
}

func (m mutationResolver) ExportDownload(ctx context.Context, input generated.ExportDownloadInput) (*generated.ExportDownloadPayload, error) {
	if err := core.CheckID(input.JobID); err != nil {
		return nil, err
	}
	path, fileName, err := m.Jobs.Ticket(ctx, acting(ctx), callerOf(ctx).request.Session.Fingerprint, input.JobID)
	return &generated.ExportDownloadPayload{Path: path, FileName: fileName}, err
}

func (r jobResolver) HasFile(_ context.Context, j *report.Job) (bool, error) {
	return j.HasFile(r.Clock.Now()), nil
}

func (exportTotalResolver) Currency(_ context.Context, t *report.ExportTotal) (string, error) {
	return t.Amount.Currency().Code, nil
}
