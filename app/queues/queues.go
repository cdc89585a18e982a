// Package queues shows staff what waits: in the queue library, and by the database, which is the truth.
package queues

import (
	"context"

	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/ports"
)

// Service answers staff.
type Service struct {
	Tasks   ports.TaskQueues
	Reports ports.Reports
	Clock   ports.Clock
}

// TaskQueues is what the queue library says. Faults: Forbidden, Unavailable.
func (s *Service) TaskQueues(ctx context.Context, by staff.Staff) ([]report.TaskQueue, error) {
	if err := by.Require(staff.ReadQueues); err != nil {
		return nil, err
	}
	return s.Tasks.TaskQueues(ctx)
}

// DueWork is what the database says. Fault: Forbidden.
func (s *Service) DueWork(ctx context.Context, by staff.Staff) ([]report.DueWork, error) {
	if err := by.Require(staff.ReadQueues); err != nil {
		return nil, err
	}
	return s.Reports.DueWork(ctx, s.Clock.Now())
}
