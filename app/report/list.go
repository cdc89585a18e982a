package report

import (
	"cmp"
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
)

// Transactions returns a page of payments. Fault Invalid: a status, method or sort is none, MaxAmount is set to nothing, a
// text is too long or can't be what it is searched as, or the search is too wide.
func (s *Backoffice) Transactions(ctx context.Context, member staff.Staff, q report.PaymentQuery) (report.Page, error) {
	const op = "backoffice.Transactions"
	if err := member.Require(staff.ReadTransactions); err != nil {
		return report.Page{}, err
	}
	var form core.Form
	q = q.Cleaned(&form)
	if err := form.Err(op); err != nil {
		return report.Page{}, err
	}
	q.Scope = cmp.Or(member.Scope(), q.Scope)
	found, err := s.Reports.SearchPayments(ctx, q)
	return found, fault.E(op, "", err)
}
