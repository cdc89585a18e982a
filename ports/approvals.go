package ports

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/staff"
)

// Approvals reads requests that wait for a second person, and the rules that make them.
type Approvals interface {
	// Approval finds a request by id; NotFound otherwise.
	Approval(ctx context.Context, id core.ID) (approval.Approval, error)
	// Approvals gives at most query.Limit requests, newest first.
	Approvals(ctx context.Context, query approval.ApprovalQuery) ([]approval.Approval, error)
	// DueApprovals returns a page of at most limit requests that wait, whose ExpiresAt is not after now, and that stand
	// behind the cursor: by ExpiresAt and then by ID. One that the store cannot open is left out and holds up no other.
	DueApprovals(ctx context.Context, now time.Time, after core.DueCursor, limit int) (core.DuePage[approval.Approval], error)
	// ApprovalRules gives the rules that were set, by action.
	ApprovalRules(ctx context.Context) (approval.ApprovalRules, error)
	// RunningTotals gives the totals of these keys that there are, by key.
	RunningTotals(ctx context.Context, keys []string) ([]approval.RunningTotal, error)
	// StaffByID finds a staff member; NotFound otherwise.
	StaffByID(ctx context.Context, id int64) (staff.Staff, error)
}
