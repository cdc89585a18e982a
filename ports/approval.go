package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
)

// Approvals reads requests that wait for a second person, the rules that make them, and the rows that guards are judged on.
type Approvals interface {
	// Approval finds a request by id; NotFound otherwise.
	Approval(ctx context.Context, id core.ID) (approval.Approval, error)
	// ListApprovals returns the query's page of requests, newest first.
	ListApprovals(ctx context.Context, query approval.Query) ([]approval.Approval, error)
	// DueApprovals returns a page of at most limit requests that wait, whose ExpiresAt is not after now, and that stand
	// behind the cursor: by ExpiresAt and then by ID. One that the store cannot open is left out and holds up no other.
	DueApprovals(ctx context.Context, now time.Time, after core.DueCursor, limit int) (core.DuePage[approval.Approval], error)
	// ApprovalRules returns the rules that were set, by action.
	ApprovalRules(ctx context.Context) (approval.Rules, error)
	// RunningTotals returns the totals of these keys that there are, by key.
	RunningTotals(ctx context.Context, keys []string) ([]approval.RunningTotal, error)
	// Stored finds the row that an identity names, whatever its version is. It is for rows that guards are judged on
	// (core.Guarded). NotFound otherwise.
	Stored(ctx context.Context, id core.Identity) (core.Row, error)
}
