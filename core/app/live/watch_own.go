package live

import (
	"context"
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

// Approvals watches the requests for a second person that a staff member may see.
func (s *Service) Approvals(ctx context.Context, staff core.Staff) (*Watch[core.Approval], error) {
	if err := staff.Require(core.ReadApprovals); err != nil {
		return nil, err
	}
	return watch(ctx, s, question[core.Approval]{
		kind: core.ApprovalNews, Scope: staff.Scope(), text: fmt.Sprintf("%+v", staff.Scope()),
		load: func(ctx context.Context, ids []core.ID) ([]core.Approval, error) {
			return each(ctx, ids, s.Requests.Approval, func(a core.Approval) bool { return a.IsVisibleTo(staff) })
		},
		id: func(a *core.Approval) core.ID { return a.ID },
	})
}

// Jobs watches the jobs that a staff member may see: their own, an admin any; with an id that one only. Fault: NotFound.
func (s *Service) Jobs(ctx context.Context, staff core.Staff, only core.ID) (*Watch[core.Job], error) {
	if err := staff.Require(core.ReadTransactions); err != nil {
		return nil, err
	}
	if only != "" {
		j, err := s.Work.Job(ctx, only)
		if err != nil {
			return nil, err
		}
		if !j.MayBeSeenBy(staff) {
			return nil, fault.New("live.Jobs", fault.NotFound)
		}
	}
	q := question[core.Job]{kind: core.JobNews, owner: staff.ID, only: only, id: func(j *core.Job) core.ID { return j.ID }}
	if staff.Role == core.Admin {
		q.owner = 0
	}
	q.text = fmt.Sprint(q.owner, only)
	q.load = func(ctx context.Context, ids []core.ID) ([]core.Job, error) {
		return each(ctx, ids, s.Work.Job, func(j core.Job) bool { return j.MayBeSeenBy(staff) })
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
