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

func statisticsSentences() []sentence {
	return []sentence{
		{
			"statistics are what counting every payment gives, whenever and by however many they are refreshed",
			statisticsAgree("Europe/Istanbul", time.Date(2026, time.January, 30, 3, 0, 0, 0, time.UTC)),
		},
		{"statistics agree where the day begins twice", statisticsAgree("America/Havana", time.Date(2025, time.October, 20, 3, 0, 0, 0, time.UTC))},
		{"statistics agree where midnight is left out", statisticsAgree("Africa/Cairo", time.Date(2026, time.April, 10, 3, 0, 0, 0, time.UTC))},
		{"statistics agree where clocks change by half an hour", statisticsAgree("Australia/Lord_Howe", time.Date(2026, time.March, 15, 3, 0, 0, 0, time.UTC))},
		{"statistics agree where hours begin at quarters", statisticsAgree("Asia/Kathmandu", time.Date(2026, time.January, 1, 3, 0, 0, 0, time.UTC))},
		{"statistics are built anew for another time zone, and after they were forgotten", statisticsAnew},
		{"more rows than may be read are refused", statisticsTooWide},
	}
}

// ledgerOfAll is a world with every payment and callback that was committed, as they are now.
type ledgerOfAll struct {
	*world
	random    *rand.Rand
	now       time.Time
	zone      *time.Location
	payments  []payment.Payment
	callbacks []payment.Callback
	edge      time.Time // in the end one at which an hour begins, and a payment was created
}

func newLedger(w *world, zone string, start time.Time) *ledgerOfAll {
	w.t.Helper()
	at, err := time.LoadLocation(zone)
	w.no(err)
	start = start.UTC().Truncate(time.Microsecond)
	return &ledgerOfAll{world: w, random: rand.New(rand.NewPCG(7, uint64(len(zone)))), now: start, edge: start, zone: at}
}

// pick is one of the values.
func pick[T any](l *ledgerOfAll, values ...T) T { return values[l.random.IntN(len(values))] }

// create commits a payment that is created now.
func (l *ledgerOfAll) create() {
	l.t.Helper()
	p := l.payment()
	p.ID = l.idAt(l.now)
	p.TrackingCode, p.Token = "MAN-"+string(p.ID[10:]), ""
	p.Method = pick(l, payment.ManualDeposit, payment.CreditCard, payment.EIBANWithdrawal)
	p.Status, p.FinishedAt, p.CreatedAt, p.UpdatedAt = payment.Pending, time.Time{}, l.now, l.now
	p.ProviderID, p.DealerID, p.AtGate.GatewayID = pick[int64](l, 0, 1, 2), pick[int64](l, 1, 2), pick[int64](l, 0, 0, 3)
	p.RequestedAmount = lira(l.random.Int64N(1_000_000))
	p.Amount = p.RequestedAmount
	p.AtGate.Refunded, p.Account.Held = money.Amount{}, money.Amount{}
	l.commit(core.Changeset{p})
	l.payments = append(l.payments, p)
}

// decide ends a payment, or takes it to a gateway, with a callback. A decision may be changed by another.
func (l *ledgerOfAll) decide() {
	l.t.Helper()
	p := &l.payments[l.random.IntN(len(l.payments))]
	p.Version++
	p.Status = pick(l, payment.Completed, payment.Success, payment.Rejected, payment.Expired, payment.Refunded, payment.Processing)
	p.Amount, p.CorrectedAmount, p.UpdatedAt = lira(l.random.Int64N(1_000_000)), lira(l.random.Int64N(1_000)-500), l.now
	p.AtGate.GatewayID = pick(l, p.AtGate.GatewayID, 4)
	var change core.Changeset
	if p.Status != payment.Processing {
		p.FinishedAt = l.now
		c := l.callback(p.ID, receiver)
		c.CreatedAt, c.FinishedAt = l.now, time.Time{}
		change = core.Changeset{c}
		l.callbacks = append(l.callbacks, c)
	}
	l.commit(append(change, *p))
}

// deliver ends one of the callbacks, if it waits.
func (l *ledgerOfAll) deliver() {
	l.t.Helper()
	if len(l.callbacks) == 0 {
		return
	}
	c := &l.callbacks[l.random.IntN(len(l.callbacks))]
	if c.Status != payment.Waiting {
		return
	}
	c.Version++
	c.Status, c.FinishedAt, c.NextAttemptAt = pick(l, payment.Delivered, payment.Delivered, payment.Undeliverable, payment.Skipped), l.now, time.Time{}
	l.commit(core.Changeset{*c})
}

// refresh takes everything in.
func (l *ledgerOfAll) refresh() {
	l.t.Helper()
	l.refreshAnd(func() {})
	l.same(l.now, l.until())
}

// refreshAnd does something after every step.
func (l *ledgerOfAll) refreshAnd(do func()) {
	l.t.Helper()
	for range 10_000 {
		more, err := l.store.RefreshStatistics(l.ctx, l.zone, l.now)
		l.no(err)
		do()
		if !more {
			return
		}
	}
	l.t.Fatal("refreshing does not end")
}

func (l *ledgerOfAll) until() time.Time {
	l.t.Helper()
	until, err := l.store.StatisticsUntil(l.ctx)
	l.no(err)
	return until
}

// counted is what counting every payment gives.
func (l *ledgerOfAll) counted(q report.StatisticsQuery) []report.StatisticsRow {
	sums := report.NewStatisticsSums(q)
	for _, p := range l.payments {
		var callbacks []payment.Callback
		for _, c := range l.callbacks {
			if c.PaymentID == p.ID {
				callbacks = append(callbacks, c)
			}
		}
		sums.Count(report.FactOf(p, callbacks))
	}
	return sums.Rows()
}

// agree compares every interval, several choices of dimensions, filters and ranges.
func (l *ledgerOfAll) agree(when string) {
	l.t.Helper()
	begin, end := report.Hourly.StartOf(l.now.Add(-100*24*time.Hour), l.zone), report.Hourly.After(l.now.Add(time.Hour), l.zone)
	all, edge := report.Dimensions(), report.Hourly.StartOf(l.edge, l.zone)
	for _, per := range append(report.Intervals(), "") {
		for _, q := range []report.StatisticsQuery{
			{From: begin, Until: end}, {From: begin, Until: end, GroupBy: all}, {From: begin, Until: end, GroupBy: all[:2]},
			{From: begin, Until: end, GroupBy: all[3:], ProviderID: 1},
			{From: begin, Until: end, GroupBy: all[4:], DealerID: 2, Method: payment.CreditCard, Currency: "TRY"},
			{From: begin, Until: end, GatewayID: 3, ProviderID: 1, DealerID: 1}, {From: begin, Until: end, Currency: "USD"},
			{From: report.Hourly.StartOf(l.now.Add(-50*time.Hour), l.zone), Until: end, GroupBy: all[2:3]},
			{From: begin, Until: report.Hourly.StartOf(l.now.Add(-40*24*time.Hour+7*time.Hour), l.zone), GroupBy: all[1:2]},
			{From: end, Until: begin}, {From: begin, Until: edge}, {From: edge, Until: end, GroupBy: all[:1]},
		} {
			q.Interval, q.Zone = per, l.zone
			got, err := l.store.Statistics(l.ctx, q)
			l.no(err)
			if diff := cmp.Diff(l.counted(q), got); diff != "" {
				l.t.Fatalf("%s, %+v: (-counted +statistics)\n%s", when, q, diff)
			}
		}
	}
}

// statisticsAgree lets days pass, over changes of clocks, in which payments are made, decided and reported.
func statisticsAgree(zone string, start time.Time) func(*world) {
	return func(w *world) {
		l := newLedger(w, zone, start)
		l.agree("before anything")
		for range 12 { // before there are statistics
			l.oneMore()
		}
		turns := 100
		if testing.Short() {
			turns = 40
		}
		for turn := range turns {
			l.step()
			switch {
			case turn == 20:
				l.around()
			case turn%20 == 9:
				l.refreshAnd(l.keepUp)
				l.agree(zone)
			case turn%20 == 19:
				l.refreshMany()
				l.refresh()
				l.agree(zone)
			}
		}
	}
}

// around creates payments shortly before and after clocks are changed, or else after a full hour.
func (l *ledgerOfAll) around() {
	l.t.Helper()
	l.edge = report.Hourly.StartOf(l.now.Add(3*time.Hour), l.zone)
	if _, change := l.now.In(l.zone).ZoneBounds(); !change.IsZero() && change.Before(l.now.AddDate(0, 1, 0)) {
		l.edge = change.UTC()
	}
	for _, from := range []time.Duration{-65, -50, -35, -20, -5, 0, 5, 20, 35, 50, 65, 80} {
		l.now = l.edge.Add(from * time.Minute)
		l.create()
	}
}

// wait lets some time pass.
func (l *ledgerOfAll) wait(most time.Duration) {
	l.now = l.now.Add(time.Duration(l.random.Int64N(int64(most)))).Truncate(time.Microsecond)
}

// step lets some time pass and something happen.
func (l *ledgerOfAll) step() {
	l.t.Helper()
	l.wait(pick(l, time.Minute, time.Hour, 20*time.Hour))
	switch l.random.IntN(5) {
	case 0, 1:
		l.create()
	case 2:
		l.decide()
	case 3:
		l.deliver()
	default: // a step of a refresh that goes no further
		_, err := l.store.RefreshStatistics(l.ctx, l.zone, l.now)
		l.no(err)
	}
}

// oneMore makes a payment and decides about one.
func (l *ledgerOfAll) oneMore() {
	l.t.Helper()
	l.wait(20 * time.Hour)
	l.create()
	l.decide()
	l.deliver()
}

// refreshMany has several processes refresh until nothing is left: what two take in at once is counted once.
func (l *ledgerOfAll) refreshMany() {
	l.t.Helper()
	errs := together(4, func(int) error {
		for {
			if more, err := l.store.RefreshStatistics(l.ctx, l.zone, l.now); err != nil || !more {
				return err
			}
		}
	})
	l.same(4, l.won(errs, ""))
}

func statisticsAnew(w *world) {
	l := newLedger(w, "Europe/Istanbul", time.Date(2026, time.January, 30, 3, 0, 0, 0, time.UTC))
	l.same(time.Time{}, l.until())
	l.refresh()
	l.agree("of nothing")
	for range 20 {
		l.oneMore()
	}
	l.refresh()
	for _, zone := range []string{"America/New_York", "Asia/Kolkata", "Europe/Istanbul"} {
		var err error
		l.zone, err = time.LoadLocation(zone)
		l.no(err)
		l.refresh()
		l.agree(zone)
	}
	l.no(l.store.ForgetStatistics(l.ctx))
	l.same(time.Time{}, l.until())
	l.oneMore()
	l.refresh()
	l.agree("after they were forgotten")
}

// keepUp finds what changed last until the moment that statistics name: no less, and no more payments than there are.
func (l *ledgerOfAll) keepUp() {
	l.t.Helper()
	until := l.until()
	if until.IsZero() {
		return
	}
	q := report.StatisticsQuery{
		From: report.Monthly.StartOf(l.now.Add(-100*24*time.Hour), l.zone), Until: report.Monthly.After(l.now, l.zone),
		GroupBy: []report.Dimension{report.StatusDimension}, Zone: l.zone,
	}
	rows, err := l.store.Statistics(l.ctx, q)
	l.no(err)
	left := map[payment.Status]int64{}
	for _, row := range rows {
		left[row.Key.Status] += row.Count
		left[""] += row.Count
	}
	left[""] = int64(len(l.payments)) - left[""]
	for _, p := range l.payments {
		if !p.UpdatedAt.After(until) {
			left[p.Status.Common()]--
		}
	}
	for status, n := range left {
		if n < 0 {
			l.t.Fatalf("at %v of %v, %d of status %q are missing, or there are as many too much", until, l.now, -n, status)
		}
	}
}

func statisticsTooWide(w *world) {
	l := newLedger(w, "Europe/Istanbul", epoch)
	for range 6 {
		l.now = l.now.Add(24 * time.Hour)
		l.create()
	}
	l.refresh()
	q := report.StatisticsQuery{From: report.Hourly.StartOf(epoch, l.zone), Until: report.Hourly.After(l.now, l.zone), Interval: report.Daily, Zone: l.zone, MaxRead: 5}
	_, err := l.store.Statistics(l.ctx, q)
	l.fails(fault.Invalid, err)
	q.MaxRead = 6
	rows, err := l.store.Statistics(l.ctx, q)
	l.no(err)
	l.same(6, len(rows))
}
