package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) Jobs(
	ctx context.Context, filter *report.JobQuery, first *int, after *string, last *int, before *string,
) (*page.JobConnection, error) {
	staff := staffOf(ctx)
	query := valueOf(filter)
	place := func(j report.Job) core.ID { return j.ID }
	return page.Read(page.Of(first, after, last, before), page.ByID, place, func(p core.Paging[core.ID]) ([]report.Job, error) {
		query.Paging = p
		return q.Config.Jobs.Jobs(ctx, staff, query)
	})
}

func (q queryResolver) Job(ctx context.Context, id core.ID) (*report.Job, error) {
	staff := staffOf(ctx)
	if err := core.CheckID(id); err != nil {
		return nil, err
	}
	j, err := q.Config.Jobs.Job(ctx, staff, id)
	return &j, err
}

func (m mutationResolver) CancelJob(ctx context.Context, input generated.CancelJobInput) (*generated.JobPayload, error) {
	by := acting(ctx)
	if err := core.CheckID(input.ID); err != nil {
		return nil, err
	}
	j, err := m.Jobs.Cancel(ctx, by, input.ID)
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
	input.Language = callerOf(ctx).language
	j, err := run(ctx, m, m.Commands.StartExport, input)
	return &generated.JobPayload{Job: j}, err
}

func (m mutationResolver) ExportDownload(ctx context.Context, input generated.ExportDownloadInput) (*generated.ExportDownloadPayload, error) {
	by := acting(ctx)
	if err := core.CheckID(input.JobID); err != nil {
		return nil, err
	}
	path, fileName, err := m.Jobs.Ticket(ctx, by, callerOf(ctx).request.Session.Fingerprint, input.JobID)
	return &generated.ExportDownloadPayload{Path: path, FileName: fileName}, err
}

// Totals are never null: what does not write a file has none.
func (jobResolver) Totals(_ context.Context, j *report.Job) ([]report.ExportTotal, error) {
	return append([]report.ExportTotal{}, j.Totals...), nil
}

func (jobResolver) Failures(_ context.Context, j *report.Job) ([]report.JobFailure, error) {
	return append([]report.JobFailure{}, j.Failures...), nil
}

func (jobResolver) Skips(_ context.Context, j *report.Job) ([]report.JobSkip, error) {
	return append([]report.JobSkip{}, j.Skips...), nil
}

func (r jobResolver) HasFile(_ context.Context, j *report.Job) (bool, error) {
	return j.HasFile(r.Clock.Now()), nil
}

func (exportTotalResolver) Currency(_ context.Context, t *report.ExportTotal) (string, error) {
	return t.Amount.Currency().Code, nil
}
