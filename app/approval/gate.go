// Package approval keeps four eyes on what an installation says two people have to do: a gate at the commit, which
// nothing that staff do goes round, and the requests that wait for a second person. The command line is not held up: whoever
// has the server and its keys has the installation.
package approval

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/ports"
)

// Gate holds up what a second person has to approve. It judges a changeset by what it changes, so that it does not matter
// which mutation made it.
type Gate struct {
	Next ports.Committer
	// What the gate reads must not come from a cache: it is compared with what is to be saved.
	Approvals  ports.Approvals
	Staff      ports.Staff
	Operations ports.Operations
	Clock      ports.Clock
	Random     io.Reader
	Zone       *time.Location // whose calendar days count

	staffLocks app.KeyedLock // by staff member: what one of them does is counted in rows of the day, which many commits at once would fight for
}

var _ app.StaffCommitter = (*Gate)(nil)

// CommitFor implements app.StaffCommitter. Faults beyond those of ports.Committer: ApprovalNeeded (errors.As finds a *core.NeedsApproval in it),
// ApprovalStale (what is being approved is not what the changeset does), ApprovalDecided (somebody was faster).
func (g *Gate) CommitFor(ctx context.Context, by app.Request, change core.Changeset) error {
	return g.commit(ctx, by, nil, change)
}

// commit commits what a member of staff asks for, alone or, where it is being approved, with what grants it.
func (g *Gate) commit(ctx context.Context, by app.Request, granted *grant, change core.Changeset) error {
	const op = "approval.Gate.CommitFor"
	if !change.IsGuarded() {
		return g.Next.Commit(ctx, change)
	}
	for {
		err := g.judge(ctx, by, granted, change)
		if !errors.Is(err, errMoved) || ctx.Err() != nil {
			return fault.E(op, "", err)
		}
	}
}

// judge commits a changeset, alone or with the end of the request that is being approved. Cause errMoved: it is to be judged
// anew; somebody else's commit got through meanwhile.
func (g *Gate) judge(ctx context.Context, by app.Request, granted *grant, change core.Changeset) error {
	judged, err := g.judged(ctx, by, change)
	if err != nil {
		return err
	}
	guards := judged.Guards()
	if judged.Changeset, err = g.released(ctx, granted, judged); err != nil {
		return err
	}
	if len(guards) == 0 {
		if err := granted.check(ctx, g.Approvals); err != nil {
			return err
		}
		return g.Next.Commit(ctx, judged.Changeset)
	}
	if granted != nil {
		return granted.commit(ctx, by, g, guards, judged)
	}
	return g.pass(ctx, by, guards, judged)
}

// pass commits what no rule holds up, and counts it.
func (g *Gate) pass(ctx context.Context, by app.Request, guards []core.Guard, judged core.Judged) error {
	const op = "approval.Gate.pass"
	change := judged.Changeset
	rules, err := g.Approvals.ApprovalRules(ctx)
	if err != nil {
		return fault.E(op, "", err)
	}
	member := by.Staff.ID
	if len(rules.Counted(guards)) > 0 {
		end, err := g.staffLocks.Lock(ctx, member)
		if err != nil {
			return fault.E(op, fault.Unavailable, err)
		}
		defer end()
	}
	today, err := g.weigh(ctx, by, rules, guards, judged)
	if err != nil {
		return err
	}
	change = change.Merge(core.Rows(today.totals(g.Clock.Now())))
	err = g.Next.Commit(ctx, change)
	if !fault.Is(err, fault.Conflict) || len(today.adds) == 0 {
		return err
	}
	if moved, failed := today.hasMoved(ctx, g.Approvals); failed == nil && moved {
		return fault.E(op, fault.Conflict, errMoved)
	}
	return err
}

// weigh holds up what a second person has to approve, and returns the day of whoever asks. Fault: ApprovalNeeded.
func (g *Gate) weigh(
	ctx context.Context, by app.Request, rules approval.Rules, guards []core.Guard, judged core.Judged,
) (day, error) {
	today, err := g.dayOf(ctx, rules, guards, by.Staff.ID)
	if err != nil {
		return today, err
	}
	refunded, err := g.refundedAlone(ctx, judged)
	if err != nil {
		return today, err
	}
	active, lapse := rules.Active(guards, approval.Alone{OfSubject: refunded, OfDay: today.sums()})
	if len(active) == 0 {
		return today, nil
	}
	isFirst, err := g.isFirst(ctx, rules, active, by.Staff.ID)
	if err == nil && !isFirst {
		err = needed(guards, lapse, judged)
	}
	return today, fault.E("approval.Gate.weigh", "", err)
}

// isFirst reports whether the member who makes a changeset about who works here is the only one who could approve it, and may
// make it alone therefore.
func (g *Gate) isFirst(ctx context.Context, rules approval.Rules, active []core.Guard, member int64) (bool, error) {
	if !rules.LetsFirst(active) {
		return false, nil
	}
	err := checkSecond(ctx, g.Staff, approval.AboutStaff(member))
	if fault.Is(err, fault.NoSecondPerson) {
		return true, nil
	}
	return false, err
}

// needed is the fault that says that a second person has to approve a changeset.
func needed(guards []core.Guard, lapse time.Duration, judged core.Judged) error {
	needs := &approval.NeedsApproval{Guards: guards, LapseAfter: lapse}
	for _, e := range core.RowsOf[core.AuditEntry](judged.Changeset) {
		if e.Before != "" || e.After != "" {
			needs.Before, needs.After = e.Before, e.After
		}
	}
	about(guards, judged, needs)
	return &fault.Error{
		Op: "approval.Gate.needed", Code: fault.ApprovalNeeded, Args: []any{guards[0].Subject}, Err: needs,
	}
}

// judged puts a changeset beside what is stored. A row that is not what the changeset was decided from is a lost race.
func (g *Gate) judged(ctx context.Context, by app.Request, change core.Changeset) (core.Judged, error) {
	const op = "approval.Gate.judged"
	var stored []core.Row
	for _, id := range change.Beside() {
		row, err := g.Approvals.Stored(ctx, id)
		switch isRelated := id.Version == 0; {
		case isRelated && fault.Is(err, fault.NotFound):
			continue
		case fault.Is(err, fault.NotFound), err == nil && !isRelated && row.Identity().Version != id.Version:
			return core.Judged{}, fault.New(op, fault.Conflict)
		case err != nil:
			return core.Judged{}, fault.E(op, "", err)
		}
		stored = append(stored, row)
	}
	judged := core.Judge(change, stored)
	judged.IsByTenant = !by.Staff.IsOfHouse()
	return judged, nil
}

// grant is a request that is being approved. It lets one changeset through, in which it ends.
type grant struct {
	mu       sync.Mutex
	waiting  approval.Approval
	approved approval.Approval
	outcome  core.Changeset // the audit rows of it, and what its payments are told
	isUsed   bool
}

// approving commits what is done for a request that is being approved. Whoever approves has proven themself, and whoever
// asked did when asking.
type approving struct {
	gate    *Gate
	granted *grant
}

// CommitFor implements app.StaffCommitter.
func (a approving) CommitFor(ctx context.Context, by app.Request, change core.Changeset) error {
	return a.gate.commit(ctx, by, a.granted, change)
}

// check refuses what is done for a request that somebody else has decided meanwhile: what there was to approve may be done
// already, so that nothing of it needs an approval any more. Fault: ApprovalDecided.
func (g *grant) check(ctx context.Context, reads ports.Approvals) error {
	const op = "approval.grant.check"
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isUsed {
		return nil
	}
	now, err := reads.Approval(ctx, g.waiting.ID)
	if err == nil && now.Version != g.waiting.Version {
		err = fault.New(op, fault.ApprovalDecided, string(now.Status))
	}
	return fault.E(op, "", err)
}

// commit commits a changeset together with the end of the request that asked for it, if it is what was asked for.
func (g *grant) commit(ctx context.Context, by app.Request, gate *Gate, guards []core.Guard, judged core.Judged) error {
	const op = "approval.grant.commit"
	change := judged.Changeset
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.isUsed {
		return gate.pass(ctx, by, guards, judged)
	}
	if !g.waiting.Covers(guards) {
		return fault.New(op, fault.ApprovalStale)
	}
	if slices.ContainsFunc(guards, func(g core.Guard) bool { return g.Action == core.GuardWithdrawal }) {
		change = payment.ApprovedWithdrawals(change, g.waiting.ID)
	}
	change = change.Merge(core.Rows(approvedTotals(judged))).Merge(core.Changeset{g.approved}).Merge(g.outcome)
	err := gate.Next.Commit(ctx, change)
	if err == nil {
		g.isUsed = true
		return nil
	}
	return decidedMeanwhile(ctx, gate.Approvals, g.waiting, err)
}

// decidedMeanwhile says of a lost race that somebody else has decided about the request, if that was it. Fault: ApprovalDecided.
func decidedMeanwhile(ctx context.Context, reads ports.Approvals, waiting approval.Approval, err error) error {
	if !fault.Is(err, fault.Conflict) {
		return err
	}
	now, again := reads.Approval(ctx, waiting.ID)
	if again == nil && now.Version != waiting.Version {
		return fault.New("approval.decidedMeanwhile", fault.ApprovalDecided, string(now.Status))
	}
	return err
}
