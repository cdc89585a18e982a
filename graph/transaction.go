package graph

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/page"
)

func (q queryResolver) Transaction(ctx context.Context, trackingCode string) (*payment.Payment, error) {
	p, err := q.Backoffice.Transaction(ctx, staffOf(ctx), trackingCode)
	return &p, err
}

func (q queryResolver) Transactions(
	ctx context.Context, filter *report.PaymentQuery, first *int, after *string, last *int, before *string, sort *report.PaymentSort,
) (*page.TransactionConnection, error) {
	query := valueOf(filter)
	if sort != nil {
		query.Sort = *sort
	}
	place := query.Sort.PlaceOf
	found, err := page.Search(page.Of(first, after, last, before), page.Sorted(query.Sort), place,
		func(p core.Paging[report.Cursor]) ([]payment.Payment, *report.Cursor, error) {
			query.Paging = p
			found, err := q.Backoffice.Transactions(ctx, staffOf(ctx), query)
			return found.Payments, found.Stop, err
		})
	if err != nil {
		return nil, err
	}
	batchesOf(ctx).add(q.Backoffice, found.Nodes...)
	return found, nil
}

// filterResolver reads what a filter has in other words than core.
type filterResolver struct{}

// Status takes the statuses of all methods, of which some are spelled in two ways.
func (filterResolver) Status(_ context.Context, q *report.PaymentQuery, list []payment.Status) error {
	q.Statuses = payment.WithCommon(list)
	return nil
}

func (transactionResolver) Kind(_ context.Context, p *payment.Payment) (payment.Kind, error) {
	return p.Method.Kind(), nil
}

func (transactionResolver) Currency(_ context.Context, p *payment.Payment) (string, error) {
	return p.Amount.Currency().Code, nil
}

func (t transactionResolver) RequestedBy(ctx context.Context, p *payment.Payment) (*core.Actor, error) {
	by, err := t.batch(ctx, p).RequestedBy(ctx, *p)
	return &by, err
}

func (t transactionResolver) Provider(ctx context.Context, p *payment.Payment) (*owner.Provider, error) {
	provider, err := t.batch(ctx, p).Provider(ctx, *p)
	if provider.ID == 0 {
		return nil, err // null: it is the dealer's own
	}
	return &provider, err
}

func (transactionResolver) Site(_ context.Context, p *payment.Payment) (*owner.Site, error) {
	if p.IsDealers() {
		return nil, nil //nolint:nilnil // null: it is the dealer's own
	}
	return &owner.Site{ID: p.SiteID, Name: p.SiteName}, nil
}

func (transactionResolver) Account(_ context.Context, p *payment.Payment) (*owner.OfferedAccount, error) {
	if p.Account.AccountID == 0 {
		return nil, nil //nolint:nilnil // null: nothing was offered
	}
	return &p.Account, nil
}

func (actorResolver) Name(ctx context.Context, a *core.Actor) (*string, error) {
	return orNull(callerOf(ctx).request.Staff.Sees(*a).Name), nil
}

func (actorResolver) Address(ctx context.Context, a *core.Actor) (*string, error) {
	return orNull(callerOf(ctx).request.Staff.Sees(*a).Addr), nil
}

func (t transactionResolver) IsOverdue(_ context.Context, p *payment.Payment) (bool, error) {
	return p.IsOverdue(t.Clock.Now()), nil
}

func (t transactionResolver) History(
	ctx context.Context, p *payment.Payment, first *int, after *string, last *int, before *string,
) (*page.TransitionConnection, error) {
	read := func(rows core.Paging[payment.TransitionID]) ([]payment.Transition, error) {
		return t.batch(ctx, p).History(ctx, *p, rows)
	}
	return page.Read(page.Of(first, after, last, before), page.ByTransition, payment.Transition.Place, read)
}

func (t transactionResolver) Credits(ctx context.Context, p *payment.Payment) ([]payment.Credit, error) {
	return t.batch(ctx, p).Credits(ctx, *p)
}

func (t transactionResolver) Callbacks(ctx context.Context, p *payment.Payment) ([]payment.CallbackLog, error) {
	return t.batch(ctx, p).Callbacks(ctx, *p)
}

func (attemptResolver) DurationMs(_ context.Context, a *payment.Attempt) (int, error) {
	return int(a.Duration.Milliseconds()), nil
}
