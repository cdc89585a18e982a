package live

import (
	"context"
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// Approvals watches the requests for a second person that a staff member may see.
func (s *Service) Approvals(ctx context.Context, member staff.Staff) (*Watch[approval.Approval], error) {
	if err := member.Require(staff.ReadApprovals); err != nil {
		return nil, err
	}
	return watch(ctx, s, question[approval.Approval]{
		kind: core.ApprovalChanged, Scope: member.Scope(), text: fmt.Sprintf("%+v", member.Scope()),
		load: func(ctx context.Context, ids []core.ID) ([]approval.Approval, error) {
			return each(ctx, ids, s.Requests.Approval, func(a approval.Approval) bool { return a.IsVisibleTo(member) })
		},
		id: func(a *approval.Approval) core.ID { return a.ID },
	})
}

// Jobs watches the jobs that a staff member may see: their own, an admin any; with an id that one only. Fault: NotFound.
func (s *Service) Jobs(ctx context.Context, member staff.Staff, only core.ID) (*Watch[report.Job], error) {
	if err := member.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	if only != "" {
		j, err := s.Reports.Job(ctx, only)
		if err != nil {
			return nil, err
		}
		if !j.MayBeSeenBy(member) {
			return nil, fault.New("live.Jobs", fault.NotFound)
		}
	}
	q := question[report.Job]{kind: core.JobChanged, owner: member.ID, only: only, id: func(j *report.Job) core.ID { return j.ID }}
	if member.Role == staff.Admin {
		q.owner = 0
	}
	q.text = fmt.Sprint(q.owner, only)
	q.load = func(ctx context.Context, ids []core.ID) ([]report.Job, error) {
		return each(ctx, ids, s.Reports.Job, func(j report.Job) bool { return j.MayBeSeenBy(member) })
	}
	return watch(ctx, s, q)
}

// each reads rows one by one, and keeps those that are there and may be seen.
func each[T any](
	ctx context.Context, ids []core.ID, read func(context.Context, core.ID) (T, error), isSeen func(T) bool,
) ([]T, error) {
	var rows []T
	for _, id := range ids {
		row, err := read(ctx, id)
		switch {
		case fault.Is(err, fault.NotFound):
		case err != nil:
			return nil, err
		case isSeen(row):
			rows = append(rows, row)
		}
	}
	return rows, nil
}
