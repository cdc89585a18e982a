package graph

import (
	"context"

	"github.com/vezne/vezne/app/command"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) BankLines(
	ctx context.Context, filter *generated.BankLineFilter, first *int, after *string, last *int, before *string,
) (*page.BankLineConnection, error) {
	narrowed := valueOf(filter)
	query, walletID := lineQuery(narrowed), valueOf(narrowed.WalletID)
	place := func(l wallet.BankLine) core.ID { return l.ID }
	lines, err := page.Read(page.Of(first, after, last, before), page.ByID, place, func(p core.Paging[core.ID]) ([]wallet.BankLine, error) {
		query.Paging = p
		return q.Statements.LinesIn(ctx, staffOf(ctx), walletID, query)
	})
	if err != nil {
		return nil, err
	}
	var named []core.ID
	for _, l := range lines.Nodes {
		named = append(named, l.PaymentID)
	}
	batchesOf(ctx).link(q.Backoffice, named...)
	batchesOf(ctx).candidates.add(lines.Nodes...)
	return lines, nil
}

// lineQuery is what a filter asks for, but the wallet.
func lineQuery(f generated.BankLineFilter) wallet.LineQuery {
	return wallet.LineQuery{
		Statuses: f.Status, Direction: valueOf(f.Direction), Text: valueOf(f.Text), Amount: valueOf(f.Amount),
		MinAmount: valueOf(f.MinAmount), MaxAmount: valueOf(f.MaxAmount), BookedFrom: valueOf(f.BookedFrom), BookedUntil: valueOf(f.BookedUntil),
	}
}

func (q queryResolver) BankLine(ctx context.Context, walletID, lineID string) (*wallet.BankLine, error) {
	l, err := q.Statements.Line(ctx, staffOf(ctx), walletID, lineID)
	return &l, err
}

func (m mutationResolver) CreditBankLine(ctx context.Context, input command.CreditBankLineInput) (*generated.BankLinePayload, error) {
	b, err := run(ctx, m, m.Commands.CreditBankLine, input)
	return &generated.BankLinePayload{BankLine: b}, err
}

func (m mutationResolver) SetAsideBankLine(ctx context.Context, input command.LineDecision) (*generated.BankLinePayload, error) {
	b, err := run(ctx, m, m.Commands.SetAsideBankLine, input)
	return &generated.BankLinePayload{BankLine: b}, err
}

func (m mutationResolver) BringBackBankLine(ctx context.Context, input command.LineDecision) (*generated.BankLinePayload, error) {
	b, err := run(ctx, m, m.Commands.BringBackBankLine, input)
	return &generated.BankLinePayload{BankLine: b}, err
}

func (r lineResolver) Wallet(ctx context.Context, l *wallet.BankLine) (*wallet.WalletBalance, error) {
	return r.wallet(ctx, l.WalletID)
}

func (lineResolver) Currency(_ context.Context, l *wallet.BankLine) (string, error) {
	return l.Amount.Currency().Code, nil
}

func (lineResolver) CounterpartyName(_ context.Context, l *wallet.BankLine) (*string, error) {
	return orNull(l.Party.Name), nil
}

func (lineResolver) CounterpartyIban(_ context.Context, l *wallet.BankLine) (*string, error) {
	return orNull(l.Party.IBAN), nil
}

func (r lineResolver) Transaction(ctx context.Context, l *wallet.BankLine) (*payment.Payment, error) {
	return r.payment(ctx, l.PaymentID)
}

func (r lineResolver) Candidates(ctx context.Context, l *wallet.BankLine) ([]wallet.MatchCandidate, error) {
	all, err := batchesOf(ctx).candidates.read(*l, func(rows ...wallet.BankLine) (map[core.ID][]wallet.MatchCandidate, error) {
		return r.Statements.Candidates(ctx, staffOf(ctx), rows...)
	})
	return all[l.ID], err
}

func (t transactionResolver) BankLines(ctx context.Context, p *payment.Payment) ([]wallet.BankLine, error) {
	return listed(t.batch(ctx, p).BankLines(ctx, staffOf(ctx), *p))
}
