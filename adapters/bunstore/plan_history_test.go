package bunstore_test

import (
	"context"
	"crypto/rand"
	"regexp"
	"strings"
	"testing"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
)

// longPayment is a payment with so many moves, discrepancies, calls at gateways and attempts of its callback.
func longPayment(t *testing.T, rows int) (p payment.Payment, change core.Changeset) {
	t.Helper()
	p = crowdPayment(t, 1)
	ids, err := core.NewIDs(crowdEnd, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := payment.Callback{
		ID: ids.Next(), Version: 1, PaymentID: p.ID, Sequence: 1, Kind: payment.DepositCallback, Receiver: "site/1/deposit", DealerID: p.DealerID,
		Status: payment.Delivered, CreatedAt: crowdEnd, FinishedAt: crowdEnd,
	}
	change = core.Changeset{p, c}
	for range rows {
		change = append(change,
			payment.Transition{
				ID: ids.Next(), PaymentID: p.ID, At: crowdEnd, Actor: core.System, Command: payment.Offer, From: payment.Showing, To: payment.Showing,
				Amount: p.Amount,
			},
			discrepancy.Discrepancy{
				ID: ids.Next(), Version: 1, PaymentID: p.ID, DealerID: p.DealerID, TrackingCode: p.TrackingCode, Kind: discrepancy.LateMoney, Status: discrepancy.Settled,
				CreatedAt: crowdEnd, UpdatedAt: crowdEnd,
			},
			operation.GatewayCall{ID: ids.Next(), PaymentID: p.ID, Name: "x", At: crowdEnd},
			payment.Attempt{CallbackID: c.ID, ID: ids.Next(), Number: 1, At: crowdEnd, HTTPStatus: 200})
	}
	return p, change
}

// ofOnePayment are the reads of what one payment may have very much of, each of a page from somewhere in it.
func ofOnePayment(
	ctx context.Context, s *bunstore.Store, p payment.Payment, history core.Paging[payment.TransitionID],
) map[string]func() (int, error) {
	ids := []core.ID{p.ID}
	page := core.Paging[core.ID]{After: history.After.ID, Before: history.Before.ID, IsLast: history.IsLast, Limit: history.Limit}
	return map[string]func() (int, error){
		"moves": func() (int, error) { rows, err := s.MovesOf(ctx, ids, history); return len(rows), err },
		"discrepancies": func() (int, error) {
			rows, err := s.DiscrepancyPages(ctx, []payment.Key{p.Key()}, page)
			return len(rows), err
		},
		"calls": func() (int, error) {
			rows, err := s.GatewayCalls(ctx, operation.GatewayCallQuery{Payments: ids, Limit: page.Limit})
			return len(rows), err
		},
		"attempts": func() (int, error) {
			logs, err := s.CallbackLogs(ctx, ids...)
			if err != nil || len(logs) != 1 {
				return 0, err
			}
			return len(logs[0].Attempts), nil
		},
	}
}

// fromIndex is how SQLite says that it begins at a place in an index, or reads the index of one payment in its order. Attempts
// begin at a place.
var fromIndex = regexp.MustCompile(`SEARCH (moves|discrepancies|gateway_calls|a) USING INDEX \w+ \((payment_id=\?|callback_id=\? AND id>\?)`)

// TestOnePaymentIsReadInPages: however much one payment has come to have, a page of it is what is read of it. PostgreSQL says how
// many rows that is. SQLite reads in the order of an index, and so no more than it returns, where it sorts only what it returns.
func TestOnePaymentIsReadInPages(t *testing.T) {
	t.Parallel()
	const rows, limit = 3000, payment.MaxLoggedAttempts
	forEachOwn(t, func(t *testing.T, cfg bunstore.Config) {
		t.Helper()
		s, db := openStore(t, cfg), rawDatabase(t, cfg)
		p, change := longPayment(t, rows)
		if err := s.Commit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		explain, isPostgres := "EXPLAIN QUERY PLAN ", cfg.DatabaseURL != ""
		if isPostgres {
			explain = "EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) "
			for _, set := range []string{"ANALYZE moves, discrepancies, gateway_calls, attempts", "SET random_page_cost = 1.1", "SET jit = off"} {
				if _, err := conn.ExecContext(t.Context(), set); err != nil {
					t.Fatal(err)
				}
			}
		}
		moves := core.RowsOf[payment.Transition](change)
		seen := &spy{}
		for _, page := range []core.Paging[payment.TransitionID]{
			{Limit: limit}, {Limit: limit, IsLast: true},
			{Limit: limit, After: moves[rows/2].Place()}, {Limit: limit, Before: moves[rows/2].Place(), IsLast: true},
		} {
			for what, read := range ofOnePayment(t.Context(), s.WithHook(seen), p, page) {
				seen.queries = nil
				if n, err := read(); err != nil || n != limit {
					t.Fatalf("%s, %+v: %d rows, %v", what, page, n, err)
				}
				if len(seen.queries) != 1 {
					t.Fatalf("%s: %d statements", what, len(seen.queries))
				}
				plan := planOf(t, conn, explain+seen.queries[0])
				isOrdered := strings.Count(plan, "TEMP B-TREE") <= 1 && fromIndex.MatchString(plan)
				if read := rowsRead(plan); isPostgres && (read < limit || read > 3*limit) || !isPostgres && !isOrdered {
					t.Errorf("%s, %+v, reads %d rows:\n%s\n%s", what, page, read, seen.queries[0], plan)
				}
			}
		}
	})
}
