package live

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

func (s *Service) readPayments(ctx context.Context, ids []core.ID) ([]candidate[payment.Payment], error) {
	rows, err := s.Payments.PaymentsByID(ctx, core.Scope{}, ids)
	return candidates(rows), err
}

// readTraced reads payments with what they are found by besides.
func (s *Service) readTraced(ctx context.Context, ids []core.ID) ([]candidate[payment.Payment], error) {
	found, err := s.readPayments(ctx, ids)
	if err != nil {
		return nil, err
	}
	operations, err := s.Operations.OperationsOf(ctx, ids...)
	if err != nil {
		return nil, err
	}
	lines, err := s.Statements.LinesOf(ctx, ids...)
	if err != nil {
		return nil, err
	}
	operationsOf, linesOf := map[core.ID][]operation.Operation{}, map[core.ID][]wallet.BankLine{}
	for _, o := range operations {
		operationsOf[o.PaymentID] = append(operationsOf[o.PaymentID], o)
	}
	for _, l := range lines {
		linesOf[l.PaymentID] = append(linesOf[l.PaymentID], l)
	}
	for i := range found {
		id := found[i].row.ID
		found[i].trace = report.TraceOf(operationsOf[id], linesOf[id])
	}
	return found, nil
}

func (s *Service) readDiscrepancies(ctx context.Context, ids []core.ID) ([]candidate[discrepancy.Discrepancy], error) {
	rows, err := s.Operations.Discrepancies(ctx, discrepancy.Query{IDs: ids, Paging: core.Paging[core.ID]{Limit: len(ids)}})
	return candidates(rows), err
}

func (s *Service) readJobs(ctx context.Context, ids []core.ID) ([]candidate[report.Job], error) {
	return each(ctx, ids, s.Reports.Job)
}

func (s *Service) readApprovals(ctx context.Context, ids []core.ID) ([]candidate[approval.Approval], error) {
	return each(ctx, ids, s.Requests.Approval)
}

// readLines reads bank lines with the dealers whose wallets they are of.
func (s *Service) readLines(ctx context.Context, ids []core.ID) ([]candidate[wallet.BankLine], error) {
	rows, err := s.Statements.LinesIn(ctx, wallet.LineQuery{IDs: ids, Paging: core.Paging[core.ID]{Limit: len(ids)}})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	wallets, err := s.Wallets.WalletsOf(ctx, 0)
	if err != nil {
		return nil, err
	}
	dealerOf := map[int64]int64{}
	for _, w := range wallets {
		dealerOf[w.ID] = w.DealerID
	}
	found := candidates(rows)
	for i := range found {
		found[i].dealerID = dealerOf[found[i].row.WalletID]
	}
	return found, nil
}

func (s *Service) readCallbacks(ctx context.Context, ids []core.ID) ([]candidate[payment.Callback], error) {
	found, err := s.Outbox.CallbacksIn(ctx, report.CallbackQuery{IDs: ids, Paging: core.Paging[core.ID]{Limit: len(ids)}})
	return candidates(found.Callbacks), err
}

func candidates[T any](rows []T) []candidate[T] {
	all := make([]candidate[T], len(rows))
	for i := range rows {
		all[i].row = rows[i]
	}
	return all
}

// each reads rows one by one, and keeps those that are there.
func each[T any](ctx context.Context, ids []core.ID, read func(context.Context, core.ID) (T, error)) ([]candidate[T], error) {
	var rows []candidate[T]
	for _, id := range ids {
		row, err := read(ctx, id)
		switch {
		case fault.Is(err, fault.NotFound):
		case err != nil:
			return nil, err
		default:
			rows = append(rows, candidate[T]{row: row})
		}
	}
	return rows, nil
}
