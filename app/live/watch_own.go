package live

import (
	"context"
	"fmt"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// Approvals watches the requests for a second person that a staff member may see.
func (s *Service) Approvals(ctx context.Context, member staff.Staff) (*Watch[approval.Approval], error) {
	if err := member.Require(staff.ReadApprovals); err != nil {
		return nil, err
	}
	whose := int64(0) // a provider's staff see their own alone: no two of them watch the same
	if member.Scope().ProviderID != 0 {
		whose = member.ID
	}
	return s.approvals.join(ctx, question[approval.Approval]{
		Scope: member.Scope(), text: fmt.Sprintf("%+v %d", member.Scope(), whose),
		holds: func(c *candidate[approval.Approval]) bool { return c.row.IsVisibleTo(member) },
	}, s.Buffer)
}

// Callbacks watches the callbacks that a staff member may see, as they are made, sent and given up.
func (s *Service) Callbacks(ctx context.Context, member staff.Staff) (*Watch[payment.Callback], error) {
	if err := member.Require(staff.ReadTransactions); err != nil {
		return nil, err
	}
	q := report.CallbackQuery{Scope: member.Scope()}
	return s.callbacks.join(ctx, question[payment.Callback]{
		Scope: q.Scope, text: fmt.Sprintf("%+v", q.Scope),
		holds: func(c *candidate[payment.Callback]) bool { return q.Holds(&c.row) },
	}, s.Buffer)
}

// BankLines watches the lines of the wallets that a staff member may see, as they are imported and as they change.
func (s *Service) BankLines(ctx context.Context, member staff.Staff) (*Watch[wallet.BankLine], error) {
	if err := member.Require(staff.ReadWallets); err != nil {
		return nil, err
	}
	scope := member.Scope().OfDealers()
	return s.lines.join(ctx, question[wallet.BankLine]{ // a cue of a line does not say whose it is
		text:  fmt.Sprintf("%+v", scope),
		holds: func(c *candidate[wallet.BankLine]) bool { return scope.Has(c.dealerID, 0) },
	}, s.Buffer)
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
	q := question[report.Job]{owner: member.ID, only: only}
	if member.Role == staff.Admin {
		q.owner = 0
	}
	q.text = fmt.Sprint(q.owner, only)
	q.holds = func(c *candidate[report.Job]) bool { return c.row.MayBeSeenBy(member) }
	return s.jobs.join(ctx, q, s.Buffer)
}
