package bunstore

import (
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

type statisticsRow struct {
	bun.BaseModel `bun:"table:statistics"`

	Span       report.Interval `bun:"span,pk"`
	Dims       dims            `bun:"dims,pk"`
	At         stamp           `bun:"at,pk,type:timestamptz"`
	Method     payment.Method  `bun:"method,pk"`
	ProviderID int64           `bun:"provider_id,pk"`
	DealerID   int64           `bun:"dealer_id,pk"`
	GatewayID  int64           `bun:"gateway_id,pk"`
	Status     payment.Status  `bun:"status,pk"`
	Currency   string          `bun:"currency,pk"`
	Count      int64           `bun:"count"`
	Ended      int64           `bun:"ended"`
	Approved   int64           `bun:"approved"`
	Requested  int64           `bun:"requested"`
	Final      int64           `bun:"final"`
	Corrected  int64           `bun:"corrected"`
	Decisions  string          `bun:"decisions"`
	Delivered  int64           `bun:"delivered"`
	Failed     int64           `bun:"failed"`
	Delays     string          `bun:"delays"`
}

func statisticsRowOf(span report.Interval, at time.Time, d dims, k report.StatisticsKey, t *report.Tally) statisticsRow {
	return statisticsRow{
		Span: span, Dims: d, At: stamp(at), Method: k.Method, ProviderID: k.ProviderID, DealerID: k.DealerID,
		GatewayID: k.GatewayID, Status: k.Status, Currency: k.Currency, Count: t.Count, Ended: t.Ended,
		Approved: t.Approved, Requested: t.Requested, Final: t.Final, Corrected: t.Corrected, Decisions: t.Decisions.String(),
		Delivered: t.Delivered, Failed: t.Failed, Delays: t.Delays.String(),
	}
}

func (r *statisticsRow) key() report.StatisticsKey {
	return report.StatisticsKey{
		Method: r.Method, ProviderID: r.ProviderID, DealerID: r.DealerID, GatewayID: r.GatewayID, Status: r.Status,
		Currency: r.Currency,
	}
}

func (r *statisticsRow) tally() (*report.Tally, error) {
	decisions, err := report.ParseDelays(r.Decisions)
	delays, err2 := report.ParseDelays(r.Delays)
	return &report.Tally{
		Count: r.Count, Ended: r.Ended, Approved: r.Approved, Requested: r.Requested, Final: r.Final, Corrected: r.Corrected,
		Decisions: decisions,
		Delivered: r.Delivered, Failed: r.Failed, Delays: delays,
	}, errors.Join(err, err2)
}

// factRow is a payment beside one of its callbacks, or beside nothing.
type factRow struct {
	ID            core.ID
	Method        payment.Method
	Status        payment.Status
	ProviderID    int64
	DealerID      int64
	GatewayID     int64
	Currency      string
	Requested     int64
	Amount        int64
	Corrected     int64
	CreatedAt     stamp
	FinishedAt    stamp
	CallbackState payment.CallbackState
	CallbackFrom  stamp
	CallbackUntil stamp
}

// factOf is what statistics look at of a payment: its rows differ by the callback.
func factOf(rows []factRow) report.StatisticsFact {
	r := &rows[0]
	f := report.StatisticsFact{
		Key: report.StatisticsKey{
			Method: r.Method, ProviderID: r.ProviderID, DealerID: r.DealerID, GatewayID: r.GatewayID, Status: r.Status,
			Currency: r.Currency,
		},
		Requested: r.Requested, Amount: r.Amount, Corrected: r.Corrected, CreatedAt: time.Time(r.CreatedAt), FinishedAt: time.Time(r.FinishedAt),
	}
	for i := range rows {
		if c := &rows[i]; c.CallbackState != "" {
			f.Reports = append(f.Reports, report.CallbackFact{
				State: c.CallbackState, CreatedAt: time.Time(c.CallbackFrom), FinishedAt: time.Time(c.CallbackUntil),
			})
		}
	}
	return f
}

// stateRow is how far statistics are.
type stateRow struct {
	bun.BaseModel `bun:"table:statistics_state"`

	ID         int64  `bun:"id,pk"`
	Version    int64  `bun:"version"`
	Zone       string `bun:"zone"`
	BuiltUntil stamp  `bun:"built_until,type:timestamptz"`
	ReadUntil  stamp  `bun:"read_until,type:timestamptz"`
	HoursFrom  stamp  `bun:"hours_from,type:timestamptz"`
}

// isBuilding tells whether a day on which something may have been created has never been counted.
func (s *stateRow) isBuilding() bool {
	return s.Zone == "" || !time.Time(s.BuiltUntil).After(time.Time(s.ReadUntil))
}
