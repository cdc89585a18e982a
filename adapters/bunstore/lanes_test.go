package bunstore_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// TestALaneIsOfOneDealer has two dealers commit while the first transaction of all is under way: apart, the other dealer's begins
// beside it, what waits is of one dealer, and what is of none or of several goes alone; together, all of it waits for one transaction.
func TestALaneIsOfOneDealer(t *testing.T) {
	t.Parallel()
	for byDealer, want := range map[bool][][]int64{
		true:  {{7}, {8}, {7, 7}, {8, 8}, {0}, {0}, {0}},
		false: {{7}, {8, 0, 7, 8, 0, 7, 8, 0}},
	} {
		t.Run(fmt.Sprintf("apart %t", byDealer), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				dealers := map[*bunstore.Change]int64{}
				var mu sync.Mutex
				var begun [][]int64
				hold := make(chan struct{})
				l := bunstore.NewLanes(byDealer, func() *bunstore.Committer {
					return bunstore.NewCommitter(1, func(_ context.Context, batch []*bunstore.Change) error {
						mu.Lock()
						var of []int64
						for _, c := range batch {
							of = append(of, dealers[c])
						}
						begun = append(begun, of)
						mu.Unlock()
						<-hold
						return nil
					}, nil)
				})
				var all sync.WaitGroup
				for i, dealer := range []int64{7, 8, 0, 7, 8, 0, 7, 8, 0} {
					c := bunstore.NewChange(1, i)
					mu.Lock()
					dealers[c] = dealer
					mu.Unlock()
					all.Go(func() {
						change := core.Changeset{payment.Transition{}, payment.Payment{DealerID: dealer}, payment.Callback{DealerID: dealer}}
						if dealer == 0 { // of several, as of none
							change = core.Changeset{payment.Payment{DealerID: 7}, payment.Payment{DealerID: 8}}
						}
						if err := l.Do(t.Context(), change, c); err != nil {
							t.Error(err)
						}
					})
					synctest.Wait()
				}
				close(hold)
				all.Wait()
				l.Close()
				slices.SortFunc(begun, slices.Compare)
				slices.SortFunc(want, slices.Compare)
				if fmt.Sprint(begun) != fmt.Sprint(want) {
					t.Errorf("transactions of the dealers %v, want %v", begun, want)
				}
				for _, dealer := range []int64{7, 9} {
					change := core.Changeset{payment.Payment{DealerID: dealer}}
					if err := l.Do(t.Context(), change, bunstore.NewChange(1, 1)); !fault.Is(err, fault.Unavailable) {
						t.Errorf("after Close: %v", err)
					}
				}
			})
		})
	}
}

// TestATransactionIsOfOneDealer asks PostgreSQL which rows came in one transaction.
func TestATransactionIsOfOneDealer(t *testing.T) {
	t.Parallel()
	cfg := postgresConfig(t)
	cfg.IsByDealer = true
	s := openStore(t, cfg)
	var all sync.WaitGroup
	for i := range 120 {
		p := payment.Payment{
			ID: core.ID(fmt.Sprintf("P%03d", i)), Version: 1, Method: payment.ManualDeposit, Status: payment.Showing, DealerID: int64(1 + i%3),
			TrackingCode: fmt.Sprintf("T%03d", i), CreatedAt: time.Now(), UpdatedAt: time.Now(),
		}
		all.Go(func() {
			if err := s.Commit(t.Context(), core.Changeset{p}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var payments, transactions, mixed int
	row := rawDatabase(t, cfg).QueryRowContext(t.Context(), `SELECT COALESCE(sum(n), 0), count(*), count(*) FILTER (WHERE dealers > 1)
		FROM (SELECT count(*) AS n, count(DISTINCT dealer_id) AS dealers FROM payments GROUP BY xmin::text) AS t`)
	if err := row.Scan(&payments, &transactions, &mixed); err != nil {
		t.Fatal(err)
	}
	if payments != 120 || mixed != 0 {
		t.Errorf("%d payments in %d transactions, %d of which hold several dealers' payments", payments, transactions, mixed)
	}
}
