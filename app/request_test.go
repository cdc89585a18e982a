package app_test

import (
	"context"
	"slices"
	"testing"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/staff"
)

// ways says by which ways changes were committed.
type ways []string

// Commit implements ports.Committer.
func (w *ways) Commit(context.Context, core.Changeset) error {
	*w = append(*w, "plain")
	return nil
}

// way is one for staff.
type way struct {
	name string
	to   *ways
}

// CommitFor implements app.StaffCommitter.
func (w way) CommitFor(context.Context, app.Request, core.Changeset) error {
	*w.to = append(*w.to, w.name)
	return nil
}

// TestStaffGoThroughTheRulesForThem: also with a request that says nothing, and never on the way of others.
func TestStaffGoThroughTheRulesForThem(t *testing.T) {
	t.Parallel()
	var taken ways
	d := &app.UnitOfWork{Commits: &taken, Staff: way{"rules", &taken}}
	member := app.Request{Staff: staff.Staff{ID: 1}}
	byStaff := core.Changeset{core.AuditEntry{Actor: core.Actor{Kind: core.ByStaff, ID: "1"}}}
	bySystem := core.Changeset{core.AuditEntry{Actor: core.System}}
	for name, c := range map[string]struct {
		commit func(context.Context) error
		want   ways
		fault  fault.Code
	}{
		"a member":                   {func(ctx context.Context) error { return d.CommitFor(ctx, member, byStaff) }, ways{"rules"}, ""},
		"a member whom no row names": {func(ctx context.Context) error { return d.CommitFor(ctx, member, bySystem) }, ways{"rules"}, ""},
		"an empty request":           {func(ctx context.Context) error { return d.CommitFor(ctx, app.Request{}, bySystem) }, ways{"rules"}, ""},
		"an actor of no kind":        {func(ctx context.Context) error { return d.CommitFor(ctx, app.By(core.Actor{}), bySystem) }, ways{"rules"}, ""},
		"an approved request": {func(ctx context.Context) error {
			return d.CommitFor(ctx, member.Through(way{"approved", &taken}), byStaff)
		}, ways{"approved"}, ""},
		"the system":                 {func(ctx context.Context) error { return d.CommitFor(ctx, app.BySystem, bySystem) }, ways{"plain"}, ""},
		"staff, as if it was nobody": {func(ctx context.Context) error { return d.Commit(ctx, byStaff) }, nil, fault.Internal},
		"staff, as if it was a gateway": {func(ctx context.Context) error {
			return d.CommitFor(ctx, app.By(core.Actor{Kind: core.ByGateway}), byStaff)
		}, nil, fault.Internal},
	} {
		taken = nil
		if err := c.commit(t.Context()); fault.CodeOf(err) != c.fault || !slices.Equal(taken, c.want) {
			t.Errorf("%s: %v by %v, want %q by %v", name, err, taken, c.fault, c.want)
		}
	}
}

// TestAReasonThatNobodySeesIsNone: where one is required, it is missing.
func TestAReasonThatNobodySeesIsNone(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{"\u200B \u3164": "", " seen\u200E ": "seen"} {
		if got := (app.Request{}).Because(reason).Reason; got != want {
			t.Errorf("%+q became %+q", reason, got)
		}
	}
}
