package bunstore_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// oldPayments are spread over two months, of which a refresh counts a day at a time.
const oldPayments = 300

// uncounted is a database with payments of which none was counted, and a store that counts them one by one.
type uncounted struct {
	*testing.T
	store    *bunstore.Store
	counted  *counted
	payments []payment.Payment
	now      time.Time
}

func newUncounted(t *testing.T, cfg bunstore.Config) *uncounted {
	t.Helper()
	u := &uncounted{T: t, store: openStore(t, cfg), counted: newCounted(), now: crowdEnd.Add(time.Hour)}
	var old core.Changeset
	for n := range oldPayments {
		p := crowdPayment(t, n*manyPayments/oldPayments)
		p.IBAN, p.AtGate.OperationID = "", ""
		if p.Status.IsFinal() {
			p.FinishedAt = p.UpdatedAt
		}
		old = append(old, p)
		if n%3 == 0 {
			old = append(old, payment.Callback{
				ID: p.ID, Version: 1, PaymentID: p.ID, Sequence: 1, Kind: payment.DepositCallback, Receiver: "site/1/deposit",
				State:     payment.Delivered,
				CreatedAt: p.UpdatedAt, FinishedAt: p.UpdatedAt.Add(time.Second),
			})
		}
	}
	u.payments = slices.Clone(core.RowsOf[payment.Payment](old))
	u.commit(old)
	return u
}

func (u *uncounted) commit(change core.Changeset) {
	u.Helper()
	if err := u.store.Commit(u.Context(), change); err != nil {
		u.Fatal(err)
	}
	u.counted.take(change)
}

// change ends payments otherwise, as late as now.
func (u *uncounted) change(which ...int) {
	u.Helper()
	u.now = u.now.Add(7 * time.Minute) // more than a refresh looks back for those who are slow
	var change core.Changeset
	for _, i := range which {
		p := &u.payments[i]
		p.Version++
		p.Status, p.UpdatedAt, p.FinishedAt = payment.Refunded, u.now, u.now
		change = append(change, *p)
	}
	u.commit(change)
}

// agrees compares what is counted with what counting every payment gives.
func (u *uncounted) agrees(zone *time.Location) {
	u.Helper()
	for _, per := range append(report.Intervals(), "") {
		for _, by := range [][]report.Dimension{nil, report.Dimensions()[:2], report.Dimensions()} {
			q := report.StatisticsQuery{
				From: report.Monthly.StartOf(crowdEnd.AddDate(0, -3, 0), zone), Until: report.Monthly.After(crowdEnd, zone),
				Interval: per, Zone: zone, GroupBy: by,
			}
			want := u.counted.statistics(q)
			got, err := u.store.Statistics(u.Context(), q)
			if diff := cmp.Diff(want, got); diff != "" || err != nil || len(want) == 0 {
				u.Errorf("per %q by %v: %v (-counted +statistics)\n%s", per, by, err, diff)
			}
		}
	}
}

// TestStatisticsCountWhatWasThereBeforeThem, while payments of days that were counted and of days that were not yet go on
// changing, and another process counts too.
func TestStatisticsCountWhatWasThereBeforeThem(t *testing.T) {
	t.Parallel()
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		u, zone := newUncounted(t, cfg), time.FixedZone("+03", 3*60*60)
		if until, err := u.store.StatisticsUntil(t.Context()); err != nil || !until.IsZero() {
			t.Errorf("before anything is counted everything is in until %v (%v)", until, err)
		}
		other, steps := openStore(t, cfg), 0
		for more := true; more; steps++ {
			if steps > 1000 {
				t.Fatal("counting does not end")
			}
			var err error
			if more, err = u.store.RefreshStatistics(t.Context(), zone, u.now); err != nil {
				t.Fatal(err)
			}
			if steps < oldPayments/5 { // one from the beginning, one from the end, one just where it counts
				u.change(steps, oldPayments-1-steps, oldPayments/3+steps/2)
				more = true
			}
			if steps%7 == 0 {
				if _, err := other.RefreshStatistics(t.Context(), zone, u.now); err != nil {
					t.Fatal(err)
				}
			}
		}
		if until, err := u.store.StatisticsUntil(t.Context()); err != nil || !until.Equal(u.now) || steps < 60 {
			t.Errorf("after %d steps everything is in until %v of %v (%v)", steps, until, u.now, err)
		}
		u.agrees(zone)
	})
}
