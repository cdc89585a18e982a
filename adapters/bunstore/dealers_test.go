package bunstore_test

import (
	"context"
	"flag"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/adapters/bunstore"
)

// withoutDealer are the statements about tables that have the dealer (docs/distributing.md, "Table by table") which do not name one, or
// not always, under the reason why: by the method of the store that runs them, or, where they are prepared, by their table and how their
// condition begins. What is added here is one more statement that a database that is distributed by dealer has to ask of every node: see
// whether whoever calls knows the dealer.
var withoutDealer = map[string][]string{
	"a name is all that the caller has": {
		"payments: (id = (SELECT id FROM payment_terms WHERE term = $1 ORDER BY i", // the caller's own reference
		"payments: (token_fingerprint = ANY($1) AND token_fingerprint <> '')",
		"payments: (tracking_code = ANY($1) AND tracking_code <> '')",
		"disputes: (gateway_id = $1 AND external_id = $2) LIMIT 1",
		"PaidFrom", // an IBAN, and its customers of all dealers
	},
	"an ID is all that the caller has: operations, notifications, wake-ups, feeds and links of staff have no dealer": {
		"payments: (id = ANY($1) AND id <> '')", "callbacks: (id = $1) LIMIT 1", "disputes: (id = $1) LIMIT 1", "approvals: (id = $1) LIMIT 1",
		"accounts: (id = $1) LIMIT 1", "Wallet",
		"accounts: (\"id\" = $1) LIMIT 1", "disputes: (\"id\" = $1) LIMIT 1", "wallets: (\"id\" = $1) LIMIT 1", // Stored: what an approval shows
		"Commit", // the key of a payment of which a callback or a note is written, where the process does not have it
	},
	"the house's staff see all dealers, and a provider's those who serve it": {
		"CallbacksIn", "CustomerHistory", "DeskWithdrawals", "Discrepancies", "DisputesByDeadline", "ListApprovals", "ListDisputes", "PaymentsByID",
		"PayoutsToDecide", "Reconciliations", "SearchPayments", "WalletBy", "WalletsOf", "DeskLoads", "OpenWork", "Statistics",
	},
	"a callback has the dealer who is told, and not that of its payment": {
		"callbacks: callbacks.\"id\" = d.\"id\" AND callbacks.version = d.version - 1", "CallbacksOf", "CallbackLogs",
	},
	"a dispute has no dealer until its payment is found": {
		"disputes: disputes.\"id\" = d.\"id\" AND disputes.version = d.version - 1 RE",
	},
	"a site's open deposits are counted whoever serves it": {
		"payments: per_customer > 0 UNION SELECT hashtextextended('vezne open at ", "LastWaits",
	},
	"it looks for what is due or old, whosever it is": {
		"callbacks: receiver = $3 AND state = 'waiting' AND next_attempt_at <= $4", "disputes: gateway_id = $4 AND next_at <= $3 AND (lease_until IS NULL OR ",
		"DueApprovals", "DueDisputeGateways", "DuePayments", "DueReceivers", "DueWork", "LiveDisputes", "Prune",
	},
	"it is about the whole installation": {
		"CheckCredits", "FeedHealth", "OldestOpen", "RefreshStatistics", "IsEmpty", "MarkDemo",
	},
}

var (
	// ofDealers finds the tables that have the dealer in a statement that does not insert into them.
	ofDealers = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE) "?(payments|callbacks|credits|discrepancies|disputes|approvals|wallets|accounts|reconciliations)\b`)
	// namesDealer finds a condition on the dealer.
	namesDealer = regexp.MustCompile(`(?s)\b(?:WHERE|ON|AND)\b.*\bdealer_id"?\)?(?: \+ 0)? (?:=|IN)`)
	// ofStore is a method of the store, or a function that it runs beside itself.
	ofStore = regexp.MustCompile(`/bunstore\.(?:\(\*?\w+\)\.)?(\w+)`)
)

// statementsSeen are statements without a dealer, by what runs them.
type statementsSeen struct {
	mu sync.Mutex
	of map[string]string
}

func (s *statementsSeen) add(by, statement string) {
	if !ofDealers.MatchString(statement) || namesDealer.MatchString(statement) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[by] = statement
}

// BeforeQuery implements bun.QueryHook: a statement is its method's.
func (s *statementsSeen) BeforeQuery(ctx context.Context, event *bun.QueryEvent) context.Context {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	by := ""
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		if found := ofStore.FindStringSubmatch(frame.Function); found != nil {
			by = found[1]
		}
	}
	s.add(by, event.Query)
	return ctx
}

// AfterQuery implements bun.QueryHook.
func (*statementsSeen) AfterQuery(context.Context, *bun.QueryEvent) {}

// prepared takes in what a store has prepared: each is called by the table that it is about and by how its condition begins.
func (s *statementsSeen) prepared(store *bunstore.Store) {
	for _, text := range store.Prepared() {
		if table := ofDealers.FindStringSubmatch(text); table != nil {
			_, condition, _ := strings.Cut(text, " WHERE ")
			by := table[1] + ": " + strings.Join(strings.Fields(condition), " ")
			s.add(by[:min(len(by), 72)], text)
		}
	}
}

// areKnown compares what was seen with what has a reason. Where only part of the kit has run, what was not seen may still be.
func (s *statementsSeen) areKnown(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	known := slices.Concat(slices.Collect(maps.Values(withoutDealer))...)
	for _, by := range slices.Sorted(maps.Keys(s.of)) {
		if !slices.Contains(known, by) {
			t.Errorf("names no dealer: %q: %s", by, s.of[by])
		}
	}
	isWhole := flag.Lookup("test.skip").Value.String() == "" && !strings.Contains(flag.Lookup("test.run").Value.String(), "/")
	for _, by := range known {
		if isWhole && s.of[by] == "" {
			t.Errorf("%q always names the dealer now, or is no more: take it off the list", by)
		}
	}
}
