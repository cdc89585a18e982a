package bunstore_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// readings ask for what grows for ever, each for a part of it.
func readings(ctx context.Context, s *bunstore.Store, now time.Time) map[string]func() error {
	dealer := core.Scope{DealerID: 1}
	waiting := []wallet.LineStatus{wallet.LineUnmatched, wallet.LineDoubtful, wallet.LineUnbooked}
	lines := func(q wallet.LineQuery) func() error {
		q.Limit = 50
		return func() error { _, err := s.LinesIn(ctx, q); return err }
	}
	days := func(q wallet.ReconciliationQuery) func() error {
		return bothWays(&q.Paging, func() error { _, err := s.Reconciliations(ctx, q); return err })
	}
	openWork := func(scope core.Scope) func() error {
		kinds := report.OpenWorkKinds(func(staff.Permission) bool { return true })
		q := report.OpenWorkQuery{Scope: scope, Kinds: kinds, StaffID: 1, Now: now}
		return func() error { _, err := s.OpenWork(ctx, q); return err }
	}
	callbacks := func(q report.CallbackQuery) func() error {
		return bothWays(&q.Paging, func() error { _, err := s.CallbacksIn(ctx, q); return err })
	}
	givenUp := func(scope core.Scope) func() error {
		return callbacks(report.CallbackQuery{
			Scope: scope, Statuses: []payment.CallbackStatus{payment.Undeliverable, payment.Skipped}, IsReplaced: new(false),
		})
	}
	return map[string]func() error{
		"BankLine":                  func() error { _, err := s.BankLine(ctx, 1, "line 1"); return err },
		"LinesIn":                   lines(wallet.LineQuery{}),
		"LinesIn, waiting":          lines(wallet.LineQuery{Statuses: waiting, Paging: core.Paging[core.ID]{After: "01KKNTQ2CN"}}),
		"LinesIn, the last":         lines(wallet.LineQuery{Statuses: waiting, Paging: core.Paging[core.ID]{Before: "01KKNTQ2CN", IsLast: true}}),
		"LinesIn, of a dealer":      lines(wallet.LineQuery{Scope: dealer, Statuses: waiting}),
		"LinesIn, of a wallet":      lines(wallet.LineQuery{WalletID: 1}),
		"LinesIn, by words":         lines(wallet.LineQuery{Text: "ayse havale"}),
		"LinesIn, by digits":        lines(wallet.LineQuery{Scope: dealer, Text: "1326"}),
		"LinesIn, by an IBAN":       lines(wallet.LineQuery{Text: "TR330006100519786457841326"}),
		"LinesIn, by an amount":     lines(wallet.LineQuery{Amount: money.Kurus(12_345)}),
		"LinesOf":                   func() error { _, err := s.LinesOf(ctx, "P1"); return err },
		"PaidFrom":                  func() error { _, err := s.PaidFrom(ctx, senders(1), 20); return err },
		"PaidFrom, of a page":       func() error { _, err := s.PaidFrom(ctx, senders(core.MaxPage), 20); return err },
		"FeedHealth":                func() error { _, err := s.FeedHealth(ctx); return err },
		"DeskLoads":                 func() error { _, err := s.DeskLoads(ctx, core.Scope{}, now); return err },
		"DeskLoads, of a dealer":    func() error { _, err := s.DeskLoads(ctx, dealer, now); return err },
		"OpenWork":                  openWork(core.Scope{}),
		"OpenWork, of a dealer":     openWork(dealer),
		"OpenWork, a provider's":    openWork(core.Scope{ProviderID: 1}),
		"GivenUp":                   givenUp(core.Scope{}),
		"GivenUp, of a dealer":      givenUp(dealer),
		"GivenUp, a provider's":     givenUp(core.Scope{ProviderID: 1}),
		"CallbacksIn":               callbacks(report.CallbackQuery{}),
		"CallbacksIn, a dealer's":   callbacks(report.CallbackQuery{Scope: dealer}),
		"CallbacksIn, a provider's": callbacks(report.CallbackQuery{Scope: core.Scope{ProviderID: 1}}),
		"CallbacksIn, waiting":      callbacks(report.CallbackQuery{Statuses: []payment.CallbackStatus{payment.Waiting}}),
		"CallbacksIn, by answers": func() error { // the page, and where the search has stopped
			_, err := s.CallbacksIn(ctx, report.CallbackQuery{
				Answers: []report.CallbackAnswer{report.AnsweredNo}, Paging: core.Paging[core.ID]{Limit: 50},
			})
			return err
		},
		"Reconciliation":          func() error { _, err := s.Reconciliation(ctx, 1, 1, "2026-01-01"); return err },
		"Reconciliations":         days(wallet.ReconciliationQuery{Paging: core.Paging[wallet.DayCursor]{After: wallet.DayCursor{Day: "2026-02-01"}}}),
		"Reconciliations, open":   days(wallet.ReconciliationQuery{IsOpen: new(true)}),
		"Reconciliations, dealer": days(wallet.ReconciliationQuery{Scope: dealer}),
		"Reconciliations, wallet": days(wallet.ReconciliationQuery{WalletID: 1, Paging: core.Paging[wallet.DayCursor]{After: wallet.DayCursor{Day: "2026-02-01"}}}),
		"DeskWithdrawals": func() error {
			_, err := s.DeskWithdrawals(ctx, payment.DeskQuery{IsFree: new(true), Now: now, Paging: core.Paging[core.ID]{Limit: 50}})
			return err
		},
		"PayoutsToDecide": func() error {
			_, err := s.PayoutsToDecide(ctx, payment.PayoutQuery{Paging: core.Paging[core.ID]{Limit: 50}})
			return err
		},
		"Candidates": func() error {
			_, err := s.Candidates(ctx, candidateQueries(1, now)...)
			return err
		},
		"Candidates, of a page": func() error { _, err := s.Candidates(ctx, candidateQueries(core.MaxPage, now)...); return err },
		"FeedsOfAll":            func() error { _, err := s.FeedsOf(ctx, 1, 2, 3); return err },
		"GatewayCalls": func() error {
			_, err := s.GatewayCalls(ctx, operation.GatewayCallQuery{Gateways: []int64{1, 2, 3}, Limit: 100})
			return err
		},
		"ListPayments, among some": func() error {
			_, err := s.SearchPayments(ctx, report.PaymentQuery{
				Scope: dealer, IDs: []core.ID{"P1", "P2"}, Statuses: []payment.Status{payment.Showing}, ProviderID: 1, Paging: core.Paging[report.Cursor]{Limit: 50},
			})
			return err
		},
		"DuePayments, the first": func() error { _, err := s.DuePayments(ctx, now, core.DueCursor{}, 500); return err },
		"DuePayments, another":   func() error { _, err := s.DuePayments(ctx, now, core.DueCursor{At: now, ID: "P7"}, 500); return err },
		"LastWaits": func() error {
			q := report.WaitQuery{SiteID: 1, Method: payment.ManualDeposit, Since: now.AddDate(0, 0, -7), Limit: report.LastWaits}
			_, err := s.LastWaits(ctx, q)
			q.SiteID, q.DealerID = 0, 1
			_, err2 := s.LastWaits(ctx, q)
			return errors.Join(err, err2)
		},
		"DayBook":     func() error { _, _, err := s.DayBook(ctx, 1, now.AddDate(0, 0, -1), now); return err },
		"Adjustments": func() error { _, err := s.Adjustments(ctx, 1, "2027-01-01"); return err },
	}
}

// bothWays reads the first rows of a list, and the last.
func bothWays[C comparable](p *core.Paging[C], read func() error) func() error {
	p.Limit = 50
	return func() (err error) {
		for _, p.IsLast = range []bool{false, true} {
			err = errors.Join(err, read())
		}
		return err
	}
}

// candidateQueries are those of a page of lines, of four accounts.
func candidateQueries(n int, now time.Time) []wallet.CandidateQuery {
	list := make([]wallet.CandidateQuery, n)
	for i := range list {
		at := now.Add(-time.Duration(i) * time.Hour)
		list[i] = wallet.CandidateQuery{Account: owner.AccountKey{ID: int64(1 + i%4), DealerID: 1}, From: at.AddDate(0, 0, -3), Until: at, Limit: 200}
	}
	return list
}

func senders(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("TR33000610051978645784%04d", i)
	}
	return list
}

// spy keeps the queries that a store makes.
type spy struct {
	mu      sync.Mutex
	queries []string
}

func (s *spy) BeforeQuery(ctx context.Context, event *bun.QueryEvent) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queries = append(s.queries, event.Query)
	return ctx
}

func (s *spy) AfterQuery(context.Context, *bun.QueryEvent) {}

// scan is how a plan says that all is read of a table that grows with every payment, or all of a wallet.
var scan = map[string]*regexp.Regexp{
	"postgres": regexp.MustCompile(`Seq Scan on (payments|bank_lines|ledger_entries|reconciliations|gateway_calls_before)\b`),
	"sqlite": regexp.MustCompile(`(?m)SCAN (payment_row|payments|p|bank_line_row|bank_lines|l|ledger_entries|reconciliation\w+|gateway_call\w+)$` +
		`|SEARCH (bank_line_row|bank_lines|ledger_entries) USING (COVERING )?INDEX \w+ \(wallet_id=\?\)$`),
}

// TestReadsNeverScan looks at the plans, on PostgreSQL with some ten thousand rows in each table. SQLite has no
// statistics: it plans as it would with any number.
func TestReadsNeverScan(t *testing.T) {
	t.Parallel()
	for name, config := range ownDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			s, now := openStore(t, cfg), time.Unix(1_800_000_000, 0)
			explain, wallet := "EXPLAIN QUERY PLAN ", fundedWallet(t, s)
			if cfg.DatabaseURL != "" {
				explain = "EXPLAIN "
				multiply(t, s, rawDatabase(t, cfg), wallet, now)
			}
			conn, err := rawDatabase(t, cfg).Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if cfg.DatabaseURL != "" {
				if _, err := conn.ExecContext(t.Context(), "SET random_page_cost = 1.1"); err != nil { // as the store does
					t.Fatal(err)
				}
			}
			if _, err := s.PaidFrom(t.Context(), senders(1), 1); err != nil { // the key of the keyed hashes is at hand from now on
				t.Fatal(err)
			}
			seen := &spy{}
			for what, read := range readings(t.Context(), s.WithHook(seen), now) {
				seen.queries = nil
				if err := read(); err != nil && !fault.Is(err, fault.NotFound) {
					t.Fatalf("%s: %v", what, err)
				}
				for _, query := range seen.queries {
					if plan := planOf(t, conn, explain+query); scan[name].MatchString(plan) {
						t.Errorf("%s scans:\n%s\n%s", what, query, plan)
					}
				}
				if len(seen.queries) == 0 || len(seen.queries) > 2 {
					t.Errorf("%s makes %d queries", what, len(seen.queries))
				}
			}
			if plan := planOf(t, conn, explain+"SELECT count(*) FROM payments WHERE reason = ''"); !scan[name].MatchString(plan) {
				t.Errorf("a scan is not seen as one:\n%s", plan)
			}
		})
	}
}

func planOf(t *testing.T, conn *sql.Conn, explain string) string {
	t.Helper()
	rows, err := conn.QueryContext(t.Context(), explain)
	if err != nil {
		t.Fatalf("%s: %v", explain, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var plan []string
	for rows.Next() {
		values := make([]any, len(columns))
		line := &sql.NullString{}
		for i := range values {
			values[i] = new(any)
		}
		values[len(values)-1] = line // the other ones are numbers
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, line.String)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(plan, "\n")
}

// multiply makes many of one row of each kind: of forty wallets and dealers, over some hundred days.
func multiply(t *testing.T, s *bunstore.Store, db *sql.DB, w wallet.Wallet, now time.Time) {
	t.Helper()
	deposit := core.Edit(newDeposit(t), func(p *payment.Payment) {
		p.Method, p.Status, p.Account.AccountID, p.CreatedAt = payment.EIBANDeposit, payment.Expired, 1, now
	})
	deposit = append(deposit, wallet.BankLine{
		WalletID: w.ID, LineID: "line", ID: "L", Version: 1, Direction: gateway.Incoming, Status: wallet.LineMatched,
		BookedAt: now, ImportedAt: now,
	})
	deposit = append(deposit, operation.GatewayCall{ID: "00C", GatewayID: 1, At: now})
	deposit = append(deposit, wallet.Reconciliation{WalletID: w.ID, Day: "2025-01-01", Version: 1, DealerID: 1, ReconciledAt: now})
	if err := s.Commit(t.Context(), deposit); err != nil {
		t.Fatal(err)
	}
	for _, m := range []struct{ table, changes string }{
		{"payments", `'id', 'P' || n, 'tracking_code', '', 'token_fingerprint', '', 'personal', '', 'dealer_id', n % 40, 'account_id', n % 40,
			'method', (ARRAY['eiban_deposit', 'manual_deposit', 'manual_withdrawal', 'eiban_withdrawal'])[1 + n % 4],
			'status', CASE WHEN n % 100 = 2 THEN 'pending' WHEN n % 3 = 0 THEN 'expired' ELSE 'completed' END,
			'created_at', x.created_at - n * interval '10 min'`},
		{"bank_lines", `'line_id', 'line ' || n, 'id', 'L' || n, 'wallet_id', n % 40, 'payment_id', 'P' || n, 'body', '',
			'booked_at', x.booked_at - n * interval '10 min', 'party_iban', 'TR' || (n % 5000),
			'state', CASE WHEN n % 200 = 0 THEN 'doubtful' ELSE 'matched' END`},
		{"gateway_calls", `'id', '00C' || n, 'gateway_id', n % 40`},
		{"ledger_entries", `'id', lpad(to_hex(n), 26, '0'), 'wallet_id', n % 40, 'line_id', 'line ' || n,
			'kind', CASE WHEN n % 10 = 0 THEN 'post' ELSE 'incoming' END, 'payment_id', CASE WHEN n % 10 = 0 THEN 'P' || n ELSE '' END,
			'at', x.at - n * interval '10 min'`},
		{"reconciliations", `'wallet_id', 2 + n % 40, 'dealer_id', n % 40, 'day', to_char(date '2026-11-01' - n / 40, 'YYYY-MM-DD'),
			'open_count', CASE WHEN n % 300 = 0 THEN 1 ELSE 0 END`},
	} {
		execute(t, db, "INSERT INTO "+m.table+" SELECT made.* FROM "+m.table+" AS x, generate_series(1, 12000) AS n,"+
			" LATERAL jsonb_populate_record(x, jsonb_build_object("+m.changes+")) AS made")
		execute(t, db, "ANALYZE "+m.table)
	}
}
