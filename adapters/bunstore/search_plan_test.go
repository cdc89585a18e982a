package bunstore_test

import (
	"crypto/rand"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
)

// manyPayments are enough for PostgreSQL to choose its plans as it would with more, where a search looks at few of them.
const (
	manyPayments = 60_000
	fewLooked    = 3_000
)

var crowdEnd = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// crowd returns payments of two months: of some owners, in all statuses and methods, with few names and customers.
func crowd(t testing.TB, count int) iter.Seq2[core.Changeset, error] {
	t.Helper()
	return func(yield func(core.Changeset, error) bool) {
		for chunk := range count / 1000 {
			var change core.Changeset
			for i := range 1000 {
				n := chunk*1000 + i
				change = append(change, crowdPayment(t, n))
				p := core.RowsOf[payment.Payment](change)[i]
				change = append(change, payment.Transition{
					ID: p.ID, PaymentID: p.ID, At: p.UpdatedAt, Actor: core.System, Command: payment.Expire, From: payment.Showing, To: p.Status, Amount: p.Amount,
				})
				change = append(change, payment.Callback{
					ID: p.ID, Version: 1, PaymentID: p.ID, Sequence: 1, Kind: payment.DepositCallback, Receiver: "site/1/deposit", Status: payment.Delivered, CreatedAt: p.UpdatedAt,
				})
				change = append(change, payment.Attempt{CallbackID: p.ID, ID: p.ID, Number: 1, At: p.UpdatedAt, HTTPStatus: 200})
				change = append(change, operation.GatewayCall{ID: p.ID, PaymentID: p.ID, Name: "x", At: p.UpdatedAt})
				if p.Gateway.GatewayID != 0 {
					change = append(change, operation.Operation{
						ID: p.ID, Version: 1, PaymentID: p.ID, Kind: operation.DepositOperation, GatewayID: p.Gateway.GatewayID,
						Phase: operation.Closed, CreatedAt: p.CreatedAt,
					})
				}
			}
			if !yield(change, nil) {
				return
			}
		}
	}
}

func crowdPayment(t testing.TB, n int) payment.Payment {
	t.Helper()
	at := crowdEnd.Add(-time.Duration(manyPayments-n) * 90 * time.Second)
	ids, err := core.NewIDs(at, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := ids.Next()
	method, statuses := payment.Methods()[n*7%12], payment.Statuses()
	p := payment.Payment{
		ID: id, Version: 1, TrackingCode: method.Prefix() + string(id[10:]), Method: method, Status: payment.Completed,
		ProviderID: int64(1 + n%3*(n%7)), SiteID: int64(1 + n%40), DealerID: int64(1 + n%5),
		Customer:        owner.Customer{UserID: fmt.Sprint("u", n%997), Fullname: crowdNames[n%len(crowdNames)] + " Yılmaz"},
		RequestedAmount: money.New(int64(n%5000*100), money.TRY), Amount: money.New(int64(n%5000*100), money.TRY),
		CreatedAt: at, UpdatedAt: at.Add(time.Duration(n%600) * time.Second),
	}
	if n%4 == 0 {
		p.Status = statuses[n/4%len(statuses)]
	}
	if n%9 == 0 {
		p.Gateway.GatewayID, p.IBAN = int64(1+n%4), fmt.Sprintf("TR%024d", n%5000)
	}
	return p
}

var crowdNames = strings.Fields("Ayşe Mehmet Mehmetcan Zeynep Işık Çağrı Ali Fatma Kerem Oya")

// listQueries are lists narrowed by each filter, and by filters together.
func listQueries() map[string]report.PaymentQuery {
	lira := func(n int64) money.Amount { return money.New(n*100, money.TRY) }
	day := crowdEnd.Add(-20 * 24 * time.Hour)
	some := []payment.Status{payment.Failed, payment.Rejected}
	return map[string]report.PaymentQuery{
		"all": {}, "status": {Statuses: some}, "method": {Methods: payment.Methods()[:1]},
		"method and status": {Methods: payment.Methods()[:2], Statuses: some}, "provider": {ProviderID: 1},
		"small provider": {ProviderID: 13}, "site": {SiteID: 7}, "dealer": {Scope: core.Scope{DealerID: 2}},
		"gateway": {GatewayID: 1}, "provider and method": {ProviderID: 1, Methods: payment.Methods()[3:4]},
		"provider and dealer": {ProviderID: 1, Scope: core.Scope{DealerID: 2}}, "nobody": {ProviderID: 99, GatewayID: 2},
		"amounts": {MinAmount: lira(4990)}, "one amount": {MinAmount: lira(17), MaxAmount: lira(17)},
		"provider and amounts": {ProviderID: 1, MinAmount: lira(4000)}, "no amounts": {MinAmount: lira(90_000)},
		"a day":               {CreatedFrom: day, CreatedUntil: day.Add(24 * time.Hour)},
		"a day of a provider": {ProviderID: 1, CreatedFrom: day, CreatedUntil: day.Add(24 * time.Hour)},
		"changed since":       {UpdatedFrom: crowdEnd.Add(-24 * time.Hour)},
		"ended on a day":      {FinishedFrom: day, FinishedUntil: day.Add(24 * time.Hour)},
		"tracking code":       {TrackingCode: "MAN-0123456789ABCDEF"}, "order id": {OrderID: "MAN0123456789ABCDEF"},
		"user": {UserID: "u7"}, "user and status": {UserID: "u7", Statuses: some}, "name": {Name: "mehmet"},
		"two words": {Name: "mehmet yil"}, "name and provider": {Name: "ayse", ProviderID: 13}, "iban": {IBAN: fmt.Sprintf("TR%024d", 9)},
		"reference": {GatewayReference: "x1"}, "text": {Text: "zeynep"}, "text that is a code": {Text: "man-0123456789abcdef"},
		"reference and name": {GatewayReference: "x1", Name: "ayse"}, "names of text and name": {Name: "ayse", Text: "yilmaz"},
		"name, text and provider": {Name: "ayse", Text: "mehmet", ProviderID: 1}, "iban and text": {IBAN: fmt.Sprintf("TR%024d", 9), Text: "u9"},
		"everything": {
			Statuses: some, Methods: payment.Methods()[:3], ProviderID: 1, SiteID: 7, Scope: core.Scope{DealerID: 2}, GatewayID: 1,
			UserID: "u7", Name: "ayse", IBAN: fmt.Sprintf("TR%024d", 9), GatewayReference: "x1", Text: "u7", MinAmount: lira(1),
			MaxAmount: lira(5000), CreatedFrom: day, UpdatedFrom: day, FinishedUntil: crowdEnd,
		},
	}
}

// scansAll matches a plan's step that reads a large table from end to end.
var scansAll = map[string]*regexp.Regexp{
	"postgres": regexp.MustCompile(`Seq Scan on (payments|payment_terms|moves|callbacks|attempts|operations|gateway_calls)\b`),
	"sqlite": regexp.MustCompile(`(?m)SCAN (p|payments|t|payment_terms|moves|c|callbacks|a|attempts|o|operations|b|bank_lines` +
		`|payment_row|move_row|operation_row|gateway_calls|discrepancy_row|bank_line_row)$`),
}

// subquery matches the reading of a subquery, which goes by the name of a table too.
var subquery = regexp.MustCompile(`(?:CO-ROUTINE|MATERIALIZE) \w+\n`)

// readsAll reports whether a plan reads a large table from end to end.
func readsAll(database, plan string) bool {
	return len(scansAll[database].FindAllString(plan, -1)) > len(subquery.FindAllString(plan, -1))
}

// maxListStatements is what a page of a list takes at most: the words that names begin with, how much there is on each way
// to it, the rows, and where a search has stopped.
const maxListStatements = 4

// TestNoListReadsALargeTable looks at the plans as TestReadsNeverScan does.
func TestNoListReadsALargeTable(t *testing.T) {
	t.Parallel()
	for name, config := range ownDatabases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t)
			plain, explain := openStore(t, cfg), "EXPLAIN QUERY PLAN "
			if name == "postgres" {
				explain = "EXPLAIN "
				if err := bunstore.Load(t.Context(), cfg, crowd(t, manyPayments)); err != nil {
					t.Fatal(err)
				}
			}
			seen := &spy{}
			raw, err := rawDatabase(t, cfg).Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = raw.Close() }()
			if name == "postgres" { // as the store sets it
				if _, err := raw.ExecContext(t.Context(), "SET random_page_cost = 1.1"); err != nil {
					t.Fatal(err)
				}
			}
			check := func(what string) {
				for _, query := range seen.queries {
					if plan := planOf(t, raw, explain+query); readsAll(name, plan) {
						t.Errorf("%s: %.900s\n%s", what, query, plan)
					}
				}
				seen.queries = nil
			}
			s := plain.WithHook(seen)
			for what, q := range listQueries() {
				for _, sort := range report.PaymentSorts() {
					q.Sort = sort
					readTwoPages(t, s, what+" "+string(sort), q, seen, check)
				}
			}
			readPages(t, s)
			check("what belongs to a page")
			if plan := planOf(t, raw, explain+"SELECT count(*) FROM payments WHERE reason = ''"); !readsAll(name, plan) {
				t.Errorf("reading all is not seen as that:\n%s", plan)
			}
		})
	}
}

func readTwoPages(t *testing.T, s *bunstore.Store, what string, q report.PaymentQuery, seen *spy, check func(string)) {
	t.Helper()
	q.Limit, q.MaxLooked = 51, fewLooked
	for page := range 2 {
		if _, err := s.SearchPayments(t.Context(), q); err != nil && !fault.Is(err, fault.Invalid) { // the keys are at hand then
			t.Fatalf("%s: %v", what, err)
		}
		check(what)
		found, err := s.SearchPayments(t.Context(), q)
		if err != nil && !fault.Is(err, fault.Invalid) {
			t.Fatalf("%s: %v", what, err)
		}
		if n := len(seen.queries); n > maxListStatements {
			t.Errorf("%s, page %d: %d statements", what, page, n)
		}
		check(what)
		if len(found.Payments) < q.Limit {
			return
		}
		q.After = q.Sort.PlaceOf(found.Payments[q.Limit-1])
	}
}

// readPages reads everything that belongs to the payments of a page.
func readPages(t *testing.T, s *bunstore.Store) {
	t.Helper()
	found, err := s.SearchPayments(t.Context(), report.PaymentQuery{Paging: core.Paging[report.Cursor]{Limit: 50}})
	if err != nil {
		t.Fatal(err)
	}
	var ids []core.ID
	var keys []payment.Key
	for _, p := range found.Payments {
		ids, keys = append(ids, p.ID), append(keys, p.Key())
	}
	page, history := core.Paging[core.ID]{Limit: 51}, core.Paging[payment.TransitionID]{Limit: 51}
	reads := map[string]func() error{
		"payments":   func() error { _, err := s.PaymentsByID(t.Context(), core.Scope{DealerID: 2}, ids); return err },
		"moves":      func() error { _, err := s.MovesOf(t.Context(), ids, history); return err },
		"callbacks":  func() error { _, err := s.CallbackLogs(t.Context(), ids...); return err },
		"operations": func() error { _, err := s.OperationsOf(t.Context(), ids...); return err },
		"calls": func() error {
			_, err := s.GatewayCalls(t.Context(), operation.GatewayCallQuery{Payments: ids, Limit: 10})
			return err
		},
		"discrepancies": func() error { _, err := s.DiscrepancyPages(t.Context(), keys, page); return err },
		"for decisions": func() error { _, err := s.DiscrepanciesOf(t.Context(), keys...); return err },
		"lines":         func() error { _, err := s.LinesOf(t.Context(), ids...); return err },
	}
	for name, read := range reads {
		if err := read(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
