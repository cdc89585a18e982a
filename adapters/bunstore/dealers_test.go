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
// not always, by the method of the store that runs them or by what they are, and why. What is added here is one more statement that a
// database that is distributed by dealer has to ask of every node: see whether whoever calls knows the dealer.
var withoutDealer = map[string]string{
	// A payment or a wallet is found by its name, which is all that is known: the table of names would lead to the dealer.
	"payments: (id = (SELECT id FROM payment_terms WHERE term = $1 ORDER BY i": "the owner's reference",
	"payments: (id = ANY($1) AND id <> '')":                                    "the ID, of what lies in a queue or in a link",
	"payments: (token_fingerprint = ANY($1) AND token_fingerprint <> '')":      "the token of a payment's page",
	"payments: (tracking_code = ANY($1) AND tracking_code <> '')":              "the tracking code",
	"PaymentsByID": "the IDs, of a page of another list",
	"disputes: (gateway_id = $1 AND external_id = $2) LIMIT 1": "the gateway's name of a dispute",
	"Wallet":   "a wallet's number, which bank lines, ledgers and feeds have",
	"WalletBy": "a wallet's name",
	"reconciliations: (wallet_id = $1 AND day = $2) LIMIT 1": "a wallet's number, as above",
	"Candidates":      "an account's number, which a bank line's wallet has",
	"AwaitingCredits": "accounts' numbers, as above",
	"PaidFrom":        "who has paid from an IBAN, to whomever",
	"Commit":          "the key of a payment that a callback or a note is written about, which processes remember",

	// By ID: staff look at one row, a worker at one that it was woken for, or an approval at what it replaces.
	"accounts: (\"id\" = $1) LIMIT 1": "an approval",
	"accounts: (id = $1) LIMIT 1":     "staff",
	"approvals: (id = $1) LIMIT 1":    "staff",
	"callbacks: (id = $1) LIMIT 1":    "a worker",
	"disputes: (\"id\" = $1) LIMIT 1": "an approval",
	"disputes: (id = $1) LIMIT 1":     "a worker",
	"wallets: (\"id\" = $1) LIMIT 1":  "an approval",

	"disputes: disputes.\"id\" = d.\"id\" AND disputes.version = d.version - 1 RE": "a dispute that nobody knows a payment of has no dealer, and gets one when its payment is found",
	"payments: per_customer > 0 UNION SELECT hashtextextended('vezne open at ":     "open deposits of a site are counted over all of its dealers",

	// What is due, over all dealers: nodes are asked one by one.
	"callbacks: receiver = $3 AND state = 'waiting' AND next_attempt_at <= $4": "due",
	"disputes: gateway_id = $4 AND next_at <= $3 AND (lease_until IS NULL OR ": "due",
	"DueApprovals": "due", "DueDisputeGateways": "due", "DuePayments": "due", "DueReceivers": "due", "DueWork": "due", "Prune": "what is old",

	// Lists and figures of all dealers or of a provider. Where a dealer is asked for, they name it.
	"CallbacksIn": "a list", "CustomerHistory": "a list", "DeskWithdrawals": "a list", "Discrepancies": "a list", "DisputesByDeadline": "a list",
	"ListApprovals": "a list", "ListDisputes": "a list", "PayoutsToDecide": "a list", "Reconciliations": "a list", "SearchPayments": "a list", "WalletsOf": "a list",
	"CheckCredits": "figures", "DeskLoads": "figures", "FeedHealth": "figures", "LastWaits": "figures of a site", "OldestOpen": "figures",
	"OpenWork": "figures", "RefreshStatistics": "figures", "Statistics": "figures",
	"IsEmpty": "whether there is any", "MarkDemo": "whether there is any",
}

var (
	// ofDealers finds the tables that have the dealer in a statement that does not insert into them.
	ofDealers = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE) "?(payments|callbacks|credits|discrepancies|disputes|approvals|wallets|accounts|reconciliations)\b`)
	// namesDealer finds a condition on the dealer.
	namesDealer = regexp.MustCompile(`(?s)\b(?:WHERE|ON|AND)\b.*\bdealer_id"?\)? (?:=|IN)`)
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
	for _, by := range slices.Sorted(maps.Keys(s.of)) {
		if withoutDealer[by] == "" {
			t.Errorf("names no dealer: %q: %s", by, s.of[by])
		}
	}
	isWhole := flag.Lookup("test.skip").Value.String() == "" && !strings.Contains(flag.Lookup("test.run").Value.String(), "/")
	for by := range withoutDealer {
		if isWhole && s.of[by] == "" {
			t.Errorf("%q always names the dealer now, or is no more: take it off the list", by)
		}
	}
}
