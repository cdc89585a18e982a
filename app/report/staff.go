package report

import (
	"context"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// Job returns a job that the staff member may see: their own, an admin any, and none that was ordered with rights that they do
// not have today. Faults: Forbidden; NotFound.
func (s *Jobs) Job(ctx context.Context, member staff.Staff, id core.ID) (report.Job, error) {
	if err := member.Require(staff.ReadTransactions); err != nil {
		return report.Job{}, err
	}
	j, err := s.Reports.Job(ctx, id)
	if err == nil && !j.MayBeSeenBy(member) {
		return report.Job{}, fault.New("job.Job", fault.NotFound)
	}
	return j, err
}

// Jobs returns the jobs that the staff member may see, newest first. Fault: Forbidden.
func (s *Jobs) Jobs(ctx context.Context, member staff.Staff, q report.JobQuery) ([]report.Job, error) {
	if err := member.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	if member.Role != staff.Admin {
		q.StaffID = member.ID
	}
	q.Scope = member.Scope()
	kinds := report.JobKindsOf(member)
	if len(q.Kinds) > 0 {
		kinds = slices.DeleteFunc(kinds, func(k report.JobKind) bool { return !slices.Contains(q.Kinds, k) })
	}
	if q.Kinds = kinds; len(kinds) == 0 {
		return nil, nil
	}
	return s.Reports.ListJobs(ctx, q)
}

// Cancel stops a job at its next step. Faults: Forbidden; NotFound; AlreadyFinal.
func (s *Jobs) Cancel(ctx context.Context, m app.Request, id core.ID) (report.Job, error) {
	var stopped report.Job
	err := s.UnitOfWork.Again(ctx, func() error {
		j, err := s.Job(ctx, m.Staff, id)
		if err != nil {
			return err
		}
		now := s.UnitOfWork.Clock.Now()
		ids, err := core.NewIDs(now, s.UnitOfWork.Random)
		if err != nil {
			return fault.E("job.Cancel", fault.Internal, err)
		}
		change, err := j.DecideCancel(m.Actor(), now, ids)
		if err != nil {
			return err
		}
		stopped = core.RowsOf[report.Job](change)[0]
		return s.UnitOfWork.CommitFor(ctx, m, change)
	})
	return stopped, err
}
