package graph

import (
	"context"

	"github.com/vezne/vezne/app/live"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
)

func (s subscriptionResolver) TransactionChanged(
	ctx context.Context, filter *report.PaymentQuery,
) (<-chan *generated.TransactionEvent, error) {
	var form core.Form
	query := valueOf(filter).Cleaned(&form)
	if err := form.Err("graph.TransactionChanged"); err != nil {
		return nil, err
	}
	watch, err := s.Live.Transactions(ctx, staffOf(ctx), query)
	return eventsOf(ctx, watch, err, func(e live.Event[payment.Payment]) *generated.TransactionEvent {
		return &generated.TransactionEvent{Transaction: e.Row, IsNew: e.IsNew, HasGap: e.HasGap}
	})
}

func (s subscriptionResolver) DiscrepancyChanged(
	ctx context.Context, filter *discrepancy.Query,
) (<-chan *generated.DiscrepancyEvent, error) {
	query := valueOf(filter)
	watch, err := s.Live.Discrepancies(ctx, staffOf(ctx), query)
	return eventsOf(ctx, watch, err, func(e live.Event[discrepancy.Discrepancy]) *generated.DiscrepancyEvent {
		return &generated.DiscrepancyEvent{Discrepancy: e.Row, IsNew: e.IsNew, HasGap: e.HasGap}
	})
}

func (s subscriptionResolver) ApprovalChanged(ctx context.Context) (<-chan *generated.ApprovalEvent, error) {
	watch, err := s.Live.Approvals(ctx, staffOf(ctx))
	return eventsOf(ctx, watch, err, func(e live.Event[approval.Approval]) *generated.ApprovalEvent {
		return &generated.ApprovalEvent{Approval: e.Row, IsNew: e.IsNew, HasGap: e.HasGap}
	})
}

func (s subscriptionResolver) BankLineChanged(ctx context.Context) (<-chan *generated.BankLineEvent, error) {
	watch, err := s.Live.BankLines(ctx, staffOf(ctx))
	return eventsOf(ctx, watch, err, func(e live.Event[wallet.BankLine]) *generated.BankLineEvent {
		return &generated.BankLineEvent{BankLine: e.Row, IsNew: e.IsNew, HasGap: e.HasGap}
	})
}

func (s subscriptionResolver) CallbackChanged(ctx context.Context) (<-chan *generated.CallbackEvent, error) {
	watch, err := s.Live.Callbacks(ctx, staffOf(ctx))
	return eventsOf(ctx, watch, err, func(e live.Event[payment.Callback]) *generated.CallbackEvent {
		event := &generated.CallbackEvent{IsNew: e.IsNew, HasGap: e.HasGap}
		if e.Row != nil {
			event.CallbackID, event.Status = &e.Row.ID, &e.Row.Status
		}
		return event
	})
}

func (s subscriptionResolver) JobChanged(ctx context.Context, id *core.ID) (<-chan *generated.JobEvent, error) {
	if id != nil {
		if err := core.CheckID(*id); err != nil {
			return nil, err
		}
	}
	watch, err := s.Live.Jobs(ctx, staffOf(ctx), valueOf(id))
	return eventsOf(ctx, watch, err, func(e live.Event[report.Job]) *generated.JobEvent {
		return &generated.JobEvent{Job: e.Row, IsNew: e.IsNew, HasGap: e.HasGap}
	})
}

// eventsOf returns the events of a watch as the schema has them. Why the watch ends is kept for the transport.
func eventsOf[T, E any](
	ctx context.Context, watch *live.Watch[T], err error, show func(live.Event[T]) *E,
) (<-chan *E, error) {
	if err != nil {
		return nil, err
	}
	shown := make(chan *E)
	go func() {
		defer close(shown)
		for e := range watch.Events {
			select {
			case shown <- show(e):
			case <-ctx.Done():
				return
			}
		}
		endingOf(ctx).set(watch.Err())
	}()
	return shown, nil
}
