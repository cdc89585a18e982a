package graph

import (
	"context"
	"time"

	reports "github.com/vezne/vezne/app/report"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/generated"
)

// Statistics answers with plain rows: there may be thousands, and every resolver of a field would run for each.
func (q queryResolver) Statistics(
	ctx context.Context, filter *report.StatisticsQuery, by []report.Dimension, per *report.Interval, from, until time.Time,
) (*generated.Statistics, error) {
	query := valueOf(filter)
	query.GroupBy, query.From, query.Until = by, from, until
	if per != nil {
		query.Interval = *per
	}
	answer, err := q.Config.Statistics.Statistics(ctx, staffOf(ctx), query)
	if err != nil {
		return nil, err
	}
	return q.statisticsOf(ctx, answer)
}

func (q queryResolver) statisticsOf(ctx context.Context, a reports.Answer) (*generated.Statistics, error) {
	s := &generated.Statistics{
		From: a.From, Until: a.Until, TimeZone: a.Zone.String(), CountedUntil: &a.CountedUntil,
		Rows: make([]generated.StatisticsGroup, len(a.Rows)),
	}
	var gateways []owner.GatewayAccount
	for i := range a.Rows {
		row := &a.Rows[i]
		s.Rows[i] = statisticsGroup(row, a.Ends[i])
		nameGroup(&s.Rows[i], row.Key, a)
		if row.Key.GatewayID == 0 {
			continue
		}
		if gateways == nil {
			var err error
			if gateways, err = q.Gateways.UnitOfWork.Directory.GatewayAccounts(ctx); err != nil {
				return nil, err
			}
		}
		s.Rows[i].Gateway = accountOf(gateways, row.Key.GatewayID)
	}
	return s, nil
}

func statisticsGroup(r *report.StatisticsRow, end time.Time) generated.StatisticsGroup {
	currency, _ := money.CurrencyOf(r.Key.Currency) // what is stored in another one was refused when it was read
	return generated.StatisticsGroup{
		From: r.At, Until: end, Method: orNull(r.Key.Method), Status: orNull(r.Key.Status), Currency: r.Key.Currency,
		Count: int(r.Count), EndedCount: int(r.Ended), ApprovedCount: int(r.Approved), ApprovalRate: rate(r.Approved, r.Ended),
		RequestedAmount: money.New(r.Requested, currency), ApprovedAmount: money.New(r.Final, currency),
		CorrectedAmount:  money.New(r.Corrected, currency),
		MedianDecisionMs: percentile(r.Decisions, 50), P90DecisionMs: percentile(r.Decisions, 90), P99DecisionMs: percentile(r.Decisions, 99),
		DeliveredCallbackCount: int(r.Delivered), FailedCallbackCount: int(r.Failed),
		CallbackSuccessRate: rate(r.Delivered, r.Delivered+r.Failed), MedianCallbackDelayMs: percentile(r.Delays, 50),
		P90CallbackDelayMs: percentile(r.Delays, 90), P99CallbackDelayMs: percentile(r.Delays, 99),
	}
}

func nameGroup(g *generated.StatisticsGroup, k report.StatisticsKey, a reports.Answer) {
	if p, ok := a.Providers[k.ProviderID]; ok {
		g.Provider = &p
	}
	if s, ok := a.Sites[k.SiteID]; ok {
		g.Site = &s
	}
	if d, ok := a.Dealers[k.DealerID]; ok {
		g.Dealer = &d
	}
}

// rate is a share of how many there are; null of none. It is a share of counts, not of money.
func rate(part, of int64) *float64 {
	if of == 0 {
		return nil
	}
	return new(float64(part) / float64(of))
}

// percentile is in milliseconds; null of none.
func percentile(d report.LatencyHistogram, percent int64) *int {
	took, ok := d.Percentile(percent)
	if !ok {
		return nil
	}
	return new(int(took.Milliseconds()))
}
