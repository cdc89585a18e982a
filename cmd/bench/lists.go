package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun/driver/pgdriver"

	"github.com/vezne/vezne/core/payment"
)

// Sizes of measuring lists.
const (
	listPage    = 50  // rows
	listSamples = 20  // of each filter, each with another transaction's values
	laterPages  = 2   // behind each first page
	deepPages   = 200 // along the whole list

	sampleTimeout = 10 * time.Minute // a scan of the whole table
)

// sample is a transaction whose values filters are given.
type sample struct {
	provider, site, dealer, gateway, amount int64
	user, name, iban, code, status, method  string
	created                                 time.Time
}

// listFilters are what pages are narrowed to, by the values of a sample; another one's make combinations that are rare.
var listFilters = []struct {
	name string
	of   func(s, other sample) string
}{
	{"nothing", func(_, _ sample) string { return "" }},
	{"status", func(s, _ sample) string { return "status: " + s.status }},
	{"method", func(s, _ sample) string { return "method: " + s.method }},
	{"status, method", func(s, o sample) string { return "status: " + s.status + ", method: " + o.method }},
	{"provider", func(s, _ sample) string { return fmt.Sprint("providerId: ", s.provider) }},
	{"provider, status", func(s, o sample) string { return fmt.Sprintf("providerId: %d, status: %s", s.provider, o.status) }},
	{"provider, method", func(s, o sample) string { return fmt.Sprintf("providerId: %d, method: %s", s.provider, o.method) }},
	{"provider, dealer", func(s, o sample) string { return fmt.Sprintf("providerId: %d, dealerId: %d", s.provider, o.dealer) }},
	{"provider, amount", func(s, o sample) string { return fmt.Sprintf("providerId: %d, %s", s.provider, o.amounts()) }},
	{"provider, gateway, status", func(s, o sample) string {
		return fmt.Sprintf("providerId: %d, gatewayId: %d, status: %s", s.provider, o.gateway, o.status)
	}},
	{"site", func(s, _ sample) string { return fmt.Sprint("siteId: ", s.site) }},
	{"dealer", func(s, _ sample) string { return fmt.Sprint("dealerId: ", s.dealer) }},
	{"gateway", func(s, _ sample) string { return fmt.Sprint("gatewayId: ", s.gateway) }},
	{"amount", func(s, _ sample) string { return s.amounts() }},
	{"amount that nobody has", func(_, _ sample) string { return `minAmount: "99999999.00"` }},
	{"created on a day", func(s, _ sample) string { return s.day("created") }},
	{"created on a day, provider, status", func(s, o sample) string {
		return fmt.Sprintf("%s, providerId: %d, status: %s", s.day("created"), o.provider, o.status)
	}},
	{"changed on a day", func(s, _ sample) string { return s.day("updated") }},
	{"ended on a day", func(s, _ sample) string { return s.day("finished") }},
	{"tracking code", func(s, _ sample) string { return fmt.Sprintf("trackingCode: %q", s.code) }},
	{"order id", func(s, _ sample) string { return fmt.Sprintf("orderId: %q", strings.ReplaceAll(s.code, "-", "")) }},
	{"user", func(s, _ sample) string { return fmt.Sprintf("userId: %q", s.user) }},
	{"user, status", func(s, o sample) string { return fmt.Sprintf("userId: %q, status: %s", s.user, o.status) }},
	{"whole name", func(s, _ sample) string { return fmt.Sprintf("name: %q", s.name) }},
	{"last name", func(s, _ sample) string { return fmt.Sprintf("name: %q", s.name[strings.LastIndex(s.name, " ")+1:]) }},
	{"name, provider, status", func(s, o sample) string {
		return fmt.Sprintf("name: %q, providerId: %d, status: %s", s.name, o.provider, o.status)
	}},
	{"IBAN", func(s, _ sample) string { return fmt.Sprintf("iban: %q", s.iban) }},
	{"gateway's reference", func(s, _ sample) string {
		return fmt.Sprintf("gatewayReference: %q", strings.ReplaceAll(s.code, "-", ""))
	}},
	{"text", func(s, _ sample) string { return fmt.Sprintf("text: %q", s.name) }},
}

func (s sample) amounts() string {
	return fmt.Sprintf(`minAmount: "%d.00", maxAmount: "%d.00"`, s.amount/100+1, s.amount/50+2)
}

func (s sample) day(of string) string {
	return fmt.Sprintf("%[1]sFrom: %[2]q, %[1]sUntil: %[3]q", of, s.created.Format(time.RFC3339), s.created.AddDate(0, 0, 1).Format(time.RFC3339))
}

// lists measures pages of transactions.
func lists(ctx context.Context, o options, binary, dir string, env []string) error {
	home := filepath.Join(dir, "lists")
	v, err := start(ctx, binary, home, env)
	if err != nil {
		return err
	}
	defer v.stop()
	fmt.Println("\nlists (PostgreSQL)")
	if err := seed(ctx, binary, home, env, o.listed); err != nil {
		return err
	}
	db := sql.OpenDB(pgdriver.NewConnector(pgdriver.WithDSN(o.databaseU), pgdriver.WithTimeout(sampleTimeout)))
	defer func() { _ = db.Close() }() // nothing is left to be written
	samples, count, err := samplesOf(ctx, db)
	if err != nil {
		return err
	}
	token, err := v.signIn(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("  GraphQL, pages of %d of about %d transactions, 1 client, by filter and order; later: the %d pages behind the first\n",
		listPage, count, laterPages)
	r := reader{installation: v, token: token}
	for _, f := range listFilters {
		for _, sort := range []string{"CREATED_DESC", "AMOUNT_DESC", "UPDATED_DESC"} {
			if err := r.filtered(ctx, f.name, sort, samples, f.of); err != nil {
				return err
			}
		}
	}
	if err := r.exact(ctx, samples); err != nil {
		return err
	}
	if err := r.deep(ctx); err != nil {
		return err
	}
	if err := r.dashboard(ctx); err != nil {
		return err
	}
	return v.console(ctx, samples)
}

// seed adds transactions while nothing else runs; none are nothing to do.
func seed(ctx context.Context, binary, home string, env []string, transactions int, options ...string) error {
	if transactions == 0 {
		return nil
	}
	command := exec.CommandContext(ctx, binary, append([]string{"seed", "--transactions", fmt.Sprint(transactions), "--data-dir", home}, options...)...)
	command.Env = append(os.Environ(), env...)
	out, err := command.CombinedOutput()
	if err != nil {
		return fmt.Errorf("vezne seed: %w\n%s", err, out)
	}
	fmt.Printf("  vezne seed: %s", out)
	return nil
}

// samplesOf reads some transactions at random, and about how many there are.
func samplesOf(ctx context.Context, db *sql.DB) (samples []sample, count int64, err error) {
	if err := db.QueryRowContext(ctx, "SELECT greatest(reltuples, 1)::bigint FROM pg_class WHERE oid = 'payments'::regclass").Scan(&count); err != nil {
		return nil, 0, err
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf(`SELECT provider_id, site_id, dealer_id, greatest(gateway_id, 1), amount_minor, user_id,
		(known.words)[1 + floor(random() * cardinality(known.words))::int], 'TR330006100519786457841326', tracking_code, status, method, created_at
		FROM payments TABLESAMPLE BERNOULLI (%f), (SELECT array_agg(word) AS words FROM name_words) AS known
		WHERE provider_id <> 0 ORDER BY random() LIMIT %d`,
		min(100, float64(100*listSamples*50)/float64(count)), listSamples))
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = rows.Close() }() // read to its end
	for rows.Next() {
		var s sample
		if err := rows.Scan(&s.provider, &s.site, &s.dealer, &s.gateway, &s.amount, &s.user, &s.name, &s.iban, &s.code, &s.status, &s.method, &s.created); err != nil {
			return nil, 0, err
		}
		s.status = strings.ToUpper(string(payment.Status(s.status).Common())) // as GraphQL says it
		s.method = strings.ToUpper(s.method)
		samples = append(samples, s)
	}
	return samples, count, rows.Err()
}

// reader reads pages.
type reader struct {
	*installation
	token string
}

// listAnswer is what is read of a page.
type listAnswer struct {
	Data struct {
		Transactions struct {
			Nodes    []struct{ TrackingCode string }
			PageInfo struct {
				HasNextPage, IsPartial bool
				EndCursor              string
			}
		}
	}
}

// page reads one page, and says how long that took.
func (r reader) page(ctx context.Context, filter, sort, after string) (listAnswer, time.Duration, error) {
	if after != "" {
		after = fmt.Sprintf("after: %q, ", after)
	}
	query := fmt.Sprintf(`{ transactions(first: %d, %ssort: %s, filter: {%s}) {
		nodes { trackingCode method status amount createdAt provider { name } customer { fullname } }
		pageInfo { hasNextPage isPartial endCursor }
	} }`, listPage, after, sort, filter)
	began := time.Now()
	answer, err := r.graphql(ctx, r.token, query)
	took := time.Since(began)
	var said listAnswer
	if err == nil {
		err = json.Unmarshal(answer, &said)
	}
	return said, took, err
}

// filtered measures the first pages of a filter, and later ones. What can't be sorted, or is too vague, is told of.
func (r reader) filtered(ctx context.Context, name, sort string, samples []sample, of func(s, other sample) string) error {
	var first, later result
	partial, refused := 0, 0
	for i, s := range samples {
		filter, after := of(s, samples[(i+7)%len(samples)]), ""
		for page := range 1 + laterPages {
			said, took, err := r.page(ctx, filter, sort, after)
			if err != nil && strings.Contains(err.Error(), "INVALID") {
				refused++
				break
			}
			if err != nil {
				return err
			}
			if page == 0 {
				first.took = append(first.took, took)
			} else {
				later.took = append(later.took, took)
			}
			info := said.Data.Transactions.PageInfo
			if info.IsPartial {
				partial++
			}
			if after = info.EndCursor; !info.HasNextPage {
				break
			}
		}
	}
	slices.Sort(first.took)
	slices.Sort(later.took)
	fmt.Printf("  %-34s %-12s first: p50 %8s  p95 %8s   later: p50 %8s  p95 %8s   %d partial, %d refused\n", name, sort,
		first.percentile(50), first.percentile(95), later.percentile(50), later.percentile(95), partial, refused)
	return nil
}

// deep follows the whole list, and measures the last of the pages that it gets to.
func (r reader) deep(ctx context.Context) error {
	for _, sort := range []string{"CREATED_DESC", "AMOUNT_DESC", "UPDATED_ASC"} {
		var all result
		after := ""
		for range deepPages {
			said, took, err := r.page(ctx, "", sort, after)
			if err != nil {
				return err
			}
			all.took = append(all.took, took)
			if after = said.Data.Transactions.PageInfo.EndCursor; !said.Data.Transactions.PageInfo.HasNextPage {
				break
			}
		}
		last := result{took: all.took[len(all.took)*3/4:]}
		slices.Sort(last.took)
		fmt.Printf("  page %3d to %3d %-12s p50 %8s  p95 %8s\n", len(all.took)*3/4+1, len(all.took), sort, last.percentile(50), last.percentile(95))
	}
	return nil
}

// exact measures looking up one transaction by its tracking code.
func (r reader) exact(ctx context.Context, samples []sample) error {
	var all result
	for range 10 {
		for _, s := range samples {
			began := time.Now()
			answer, err := r.graphql(ctx, r.token, fmt.Sprintf(`{ transaction(trackingCode: %q) { trackingCode status } }`, s.code))
			if err != nil {
				return err
			}
			all.took = append(all.took, time.Since(began))
			if !strings.Contains(string(answer), s.code) {
				return fmt.Errorf("looking up %s: %s", s.code, answer)
			}
		}
	}
	slices.Sort(all.took)
	fmt.Printf("  one by its tracking code: p50 %8s  p95 %8s\n", all.percentile(50), all.percentile(95))
	return nil
}
