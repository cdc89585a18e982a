package bunstore_test

import (
	"context"
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
var withoutDealer = map[string]string{}

var (
	// ofDealers finds the tables that have the dealer in a statement that does not insert into them.
	ofDealers = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE) "?(payments|callbacks|credits|discrepancies|disputes|approvals|wallets|accounts|reconciliations)\b`)
	// namesDealer finds a condition on the dealer.
	namesDealer = regexp.MustCompile(`(?s)\b(?:WHERE|ON|AND)\b.*\bdealer_id"?\)? (?:=|IN)`)
	ofStore     = regexp.MustCompile(`/bunstore\.\(\*(?:Store|snapshot|refresh)\)\.([A-Z]\w*)$`)
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

// prepared takes in what a store has prepared: each is called by the table that it is about and by its last condition.
func (s *statementsSeen) prepared(store *bunstore.Store) {
	for _, text := range store.Prepared() {
		if table := ofDealers.FindStringSubmatch(text); table != nil {
			_, condition, _ := strings.Cut(text, " WHERE ")
			condition, _, _ = strings.Cut(condition, ") SELECT vezne_expect")
			s.add(strings.TrimSpace(table[1]+": "+condition), text)
		}
	}
}

// areKnown compares what was seen with what has a reason.
func (s *statementsSeen) areKnown(t *testing.T) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, by := range slices.Sorted(maps.Keys(s.of)) {
		if withoutDealer[by] == "" {
			t.Errorf("names no dealer: %q: %s", by, s.of[by])
		}
	}
	for by := range withoutDealer {
		if s.of[by] == "" {
			t.Errorf("%q always names the dealer now, or is no more: take it off the list", by)
		}
	}
}
