package storetest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// statisticsModel is a world with every payment and callback that was committed, as they are now.
type statisticsModel struct {
	*world
	random    *rand.Rand
	now       time.Time
	zone      *time.Location
	payments  []payment.Payment
	callbacks []payment.Callback
	edge      time.Time // in the end one at which an hour begins, and a payment was created
}

func newStatisticsModel(w *world, zone string, start time.Time) *statisticsModel {
	w.t.Helper()
	at, err := time.LoadLocation(zone)
	w.no(err)
	start = start.UTC().Truncate(time.Microsecond)
	return &statisticsModel{world: w, random: rand.New(rand.NewPCG(7, uint64(len(zone)))), now: start, edge: start, zone: at}
}

// pick is one of the values.
func pick[T any](m *statisticsModel, values ...T) T { return values[m.random.IntN(len(values))] }

// create commits a payment that is created now.
func (m *statisticsModel) create() {
	m.t.Helper()
	p := m.payment()
	p.ID = m.idAt(m.now)
	p.TrackingCode, p.TokenFingerprint = "MAN-"+string(p.ID[10:]), ""
	p.Method = pick(m, payment.ManualDeposit, payment.CreditCard, payment.EIBANWithdrawal)
	p.Status, p.FinishedAt, p.CreatedAt, p.UpdatedAt = payment.Pending, time.Time{}, m.now, m.now
	p.ProviderID, p.DealerID, p.Gateway.GatewayID = pick[int64](m, 0, 1, 2), pick[int64](m, 1, 2), pick[int64](m, 0, 0, 3)
	p.RequestedAmount = lira(m.random.Int64N(1_000_000))
	p.Amount = p.RequestedAmount
	p.Gateway.Refunded, p.Account.Held = money.Amount{}, money.Amount{}
	m.commit(core.Changeset{p})
	m.payments = append(m.payments, p)
}

// decide ends a payment, or takes it to a gateway, with a callback. A decision may be changed by another.
func (m *statisticsModel) decide() {
	m.t.Helper()
	p := &m.payments[m.random.IntN(len(m.payments))]
	p.Version++
	p.Status = pick(m, payment.Completed, payment.Success, payment.Rejected, payment.Expired, payment.Refunded, payment.Processing)
	p.Amount, p.CorrectedAmount, p.UpdatedAt = lira(m.random.Int64N(1_000_000)), lira(m.random.Int64N(1_000)-500), m.now
	p.Gateway.GatewayID = pick(m, p.Gateway.GatewayID, 4)
	var change core.Changeset
	if p.Status != payment.Processing {
		p.FinishedAt = m.now
		c := m.callback(p.ID, receiver)
		c.CreatedAt, c.FinishedAt = m.now, time.Time{}
		change = core.Changeset{c}
		m.callbacks = append(m.callbacks, c)
	}
	m.commit(append(change, *p))
}

// deliver ends one of the callbacks, if it waits.
func (m *statisticsModel) deliver() {
	m.t.Helper()
	if len(m.callbacks) == 0 {
		return
	}
	c := &m.callbacks[m.random.IntN(len(m.callbacks))]
	if c.Status != payment.Waiting {
		return
	}
	c.Version++
	c.Status, c.FinishedAt, c.NextAttemptAt = pick(m, payment.Delivered, payment.Delivered, payment.Undeliverable, payment.Skipped), m.now, time.Time{}
	m.commit(core.Changeset{*c})
}

// refresh takes everything in.
func (m *statisticsModel) refresh() {
	m.t.Helper()
	m.refreshAnd(func() {})
	m.same(m.now, m.until())
}

// take is a step of a refresh as its worker makes it: one that a busy machine gives up is tried again.
func (m *statisticsModel) take() (more bool, err error) {
	for range 20 {
		if more, err = m.store.RefreshStatistics(m.ctx, m.zone, m.now); !fault.Is(err, fault.Unavailable) {
			break
		}
	}
	return more, err
}

// refreshAnd does something after every step.
func (m *statisticsModel) refreshAnd(do func()) {
	m.t.Helper()
	for range 10_000 {
		more, err := m.take()
		m.no(err)
		do()
		if !more {
			return
		}
	}
	m.t.Fatal("refreshing does not end")
}

func (m *statisticsModel) until() time.Time {
	m.t.Helper()
	until, err := m.store.StatisticsUntil(m.ctx)
	m.no(err)
	return until
}

// counted is what counting every payment gives.
func (m *statisticsModel) counted(q report.StatisticsQuery) []report.StatisticsRow {
	sums := report.NewStatisticsSums(q)
	for _, p := range m.payments {
		var callbacks []payment.Callback
		for _, c := range m.callbacks {
			if c.PaymentID == p.ID {
				callbacks = append(callbacks, c)
			}
		}
		sums.Count(report.FactOf(p, callbacks))
	}
	return sums.Rows()
}

// agree compares every interval, several choices of dimensions, filters and ranges.
func (m *statisticsModel) agree(when string) {
	m.t.Helper()
	begin, end := report.Hourly.StartOf(m.now.Add(-100*24*time.Hour), m.zone), report.Hourly.After(m.now.Add(time.Hour), m.zone)
	all, edge := report.Dimensions(), report.Hourly.StartOf(m.edge, m.zone)
	for _, per := range append(report.Intervals(), "") {
		for _, q := range []report.StatisticsQuery{
			{From: begin, Until: end}, {From: begin, Until: end, GroupBy: all}, {From: begin, Until: end, GroupBy: all[:2]},
			{From: begin, Until: end, GroupBy: all[4:], Providers: []int64{1, 2}},
			{From: begin, Until: end, GroupBy: all[5:], DealerID: 2, Methods: []payment.Method{payment.CreditCard, payment.ManualDeposit}, Currency: "TRY"},
			{From: begin, Until: end, GatewayID: 3, Providers: []int64{1}, DealerID: 1}, {From: begin, Until: end, Currency: "USD"},
			{From: report.Hourly.StartOf(m.now.Add(-50*time.Hour), m.zone), Until: end, GroupBy: all[3:4]},
			{From: begin, Until: report.Hourly.StartOf(m.now.Add(-40*24*time.Hour+7*time.Hour), m.zone), GroupBy: all[1:2]},
			{From: begin, Until: end, GroupBy: all[2:3]}, {From: begin, Until: end, SiteID: 2, GroupBy: all[:1]},
			{From: begin, Until: end, SiteID: 1, Providers: []int64{2}, DealerID: 1, GroupBy: all[2:]},
			{From: end, Until: begin}, {From: begin, Until: edge}, {From: edge, Until: end, GroupBy: all[:1]},
		} {
			q.Interval, q.Zone = per, m.zone
			got, err := m.store.Statistics(m.ctx, q)
			m.no(err)
			if diff := cmp.Diff(m.counted(q), got); diff != "" {
				m.t.Fatalf("%s, %+v: (-counted +statistics)\n%s", when, q, diff)
			}
		}
	}
}

// statisticsAgree lets days pass, over changes of clocks, in which payments are made, decided and reported.
func statisticsAgree(zone string, start time.Time) func(*world) {
	return func(w *world) {
		m := newStatisticsModel(w, zone, start)
		m.agree("before anything")
		for range 12 { // before there are statistics
			m.oneMore()
		}
		turns := 100
		if testing.Short() {
			turns = 40
		}
		for turn := range turns {
			m.step()
			switch {
			case turn == 20:
				m.around()
			case turn%20 == 9:
				m.refreshAnd(m.keepUp)
				m.agree(zone)
			case turn%20 == 19:
				m.refreshMany()
				m.refresh()
				m.agree(zone)
			}
		}
	}
}

// around creates payments shortly before and after clocks are changed, or else after a full hour.
func (m *statisticsModel) around() {
	m.t.Helper()
	m.edge = report.Hourly.StartOf(m.now.Add(3*time.Hour), m.zone)
	if _, change := m.now.In(m.zone).ZoneBounds(); !change.IsZero() && change.Before(m.now.AddDate(0, 1, 0)) {
		m.edge = change.UTC()
	}
	for _, from := range []time.Duration{-65, -50, -35, -20, -5, 0, 5, 20, 35, 50, 65, 80} {
		m.now = m.edge.Add(from * time.Minute)
		m.create()
	}
}

// wait lets some time pass.
func (m *statisticsModel) wait(most time.Duration) {
	m.now = m.now.Add(time.Duration(m.random.Int64N(int64(most)))).Truncate(time.Microsecond)
}

// step lets some time pass and something happen.
func (m *statisticsModel) step() {
	m.t.Helper()
	m.wait(pick(m, time.Minute, time.Hour, 20*time.Hour))
	switch m.random.IntN(5) {
	case 0, 1:
		m.create()
	case 2:
		m.decide()
	case 3:
		m.deliver()
	default: // a step of a refresh that goes no further
		_, err := m.take()
		m.no(err)
	}
}

// oneMore makes a payment and decides about one.
func (m *statisticsModel) oneMore() {
	m.t.Helper()
	m.wait(20 * time.Hour)
	m.create()
	m.decide()
	m.deliver()
}

// refreshMany has several processes refresh until nothing is left: what two take in at once is counted once.
func (m *statisticsModel) refreshMany() {
	m.t.Helper()
	errs := together(4, func(int) error {
		for {
			if more, err := m.take(); err != nil || !more {
				return err
			}
		}
	})
	m.same(4, m.won(errs, ""))
}

func statisticsAnew(w *world) {
	m := newStatisticsModel(w, "Europe/Istanbul", time.Date(2026, time.January, 30, 3, 0, 0, 0, time.UTC))
	m.same(time.Time{}, m.until())
	m.refresh()
	m.agree("of nothing")
	for range 20 {
		m.oneMore()
	}
	m.refresh()
	for _, zone := range []string{"America/New_York", "Asia/Kolkata", "Europe/Istanbul"} {
		var err error
		m.zone, err = time.LoadLocation(zone)
		m.no(err)
		m.refresh()
		m.agree(zone)
	}
	m.no(m.store.ForgetStatistics(m.ctx))
	m.same(time.Time{}, m.until())
	m.oneMore()
	m.refresh()
	m.agree("after they were forgotten")
}

// keepUp finds what changed last until the moment that statistics name: no less, and no more payments than there are.
func (m *statisticsModel) keepUp() {
	m.t.Helper()
	until := m.until()
	if until.IsZero() {
		return
	}
	q := report.StatisticsQuery{
		From: report.Monthly.StartOf(m.now.Add(-100*24*time.Hour), m.zone), Until: report.Monthly.After(m.now, m.zone),
		GroupBy: []report.Dimension{report.StatusDimension}, Zone: m.zone,
	}
	rows, err := m.store.Statistics(m.ctx, q)
	m.no(err)
	left := map[payment.Status]int64{}
	for _, row := range rows {
		left[row.Key.Status] += row.Count
		left[""] += row.Count
	}
	left[""] = int64(len(m.payments)) - left[""]
	for _, p := range m.payments {
		if !p.UpdatedAt.After(until) {
			left[p.Status.Common()]--
		}
	}
	for status, n := range left {
		if n < 0 {
			m.t.Fatalf("at %v of %v, %d of status %q are missing, or there are as many too much", until, m.now, -n, status)
		}
	}
}

func statisticsTooWide(w *world) {
	m := newStatisticsModel(w, "Europe/Istanbul", epoch)
	for range 6 {
		m.now = m.now.Add(24 * time.Hour)
		m.create()
	}
	m.refresh()
	q := report.StatisticsQuery{From: report.Hourly.StartOf(epoch, m.zone), Until: report.Hourly.After(m.now, m.zone), Interval: report.Daily, Zone: m.zone, MaxRead: 5}
	_, err := m.store.Statistics(m.ctx, q)
	m.fails(fault.Invalid, err)
	q.MaxRead = 6
	rows, err := m.store.Statistics(m.ctx, q)
	m.no(err)
	m.same(6, len(rows))
}
