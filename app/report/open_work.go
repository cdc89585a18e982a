package report

import (
	"context"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// OpenWork is what waits for a staff member, within their scope; kinds that are not theirs to decide or to see are left out.
// Fault: Forbidden.
func (s *Backoffice) OpenWork(ctx context.Context, by staff.Staff) ([]report.OpenWork, error) {
	const op = "backoffice.OpenWork"
	if !by.IsActive {
		return nil, fault.New(op, fault.Forbidden)
	}
	list, err := s.Reports.OpenWork(ctx, report.OpenWorkQuery{
		Scope: by.Scope(), Kinds: report.OpenWorkKinds(by.Role.May), StaffID: by.ID, Now: s.Clock.Now(),
	})
	return list, fault.E(op, "", err)
}
