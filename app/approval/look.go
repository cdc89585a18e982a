package approval

import (
	"context"
	"errors"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/fault"
)

// errLooked: the changeset was looked at, and is not committed.
var errLooked = errors.New("only looked at")

// Look judges what a member of staff asks for as the gate does, and commits nothing: whoever asks through it learns what would
// happen. What it has seen is the first changeset, since nothing follows one that was not committed.
type Look struct {
	Judged core.Judged             // what would be committed, beside what is stored
	Needs  *approval.NeedsApproval // what a second person would have to approve; nil: nothing
	Seen   bool                    // whether anything would be committed at all

	gate *Gate
}

// Look returns what looks at a changeset in place of committing it.
func (g *Gate) Look() *Look { return &Look{gate: g} }

// CommitFor implements app.StaffCommitter, and never commits. Faults: those of reading, and Conflict where the changeset was decided
// from what is not stored any more.
func (l *Look) CommitFor(ctx context.Context, by app.Request, change core.Changeset) error {
	const op = "approval.Look.CommitFor"
	judged, err := l.gate.judged(ctx, by, change)
	if err != nil {
		return fault.E(op, "", err)
	}
	l.Judged, l.Seen = judged, true
	guards := judged.Guards()
	if len(guards) == 0 {
		return errLooked
	}
	rules, err := l.gate.Approvals.ApprovalRules(ctx)
	if err != nil {
		return fault.E(op, "", err)
	}
	_, err = l.gate.weigh(ctx, by, rules, guards, judged)
	if l.Needs = Needs(err); l.Needs == nil && err != nil {
		return fault.E(op, "", err)
	}
	return errLooked
}

// Err is what came of asking through the look: nil where it was stopped at the commit, as it is meant to be.
func (l *Look) Err(err error) error {
	if errors.Is(err, errLooked) {
		return nil
	}
	return err
}

// LookAt says what approving a request would do now, and does nothing. Faults: those of Approval.Decide but for OwnRequest and
// Forbidden (whoever may see a request may see what it does), ApprovalStale, those of what was asked for.
func (s *Service) LookAt(ctx context.Context, waiting approval.Approval, run Run) (*Look, error) {
	const op = "approval.LookAt"
	if waiting.StatusAt(s.UnitOfWork.Clock.Now()) != approval.Waiting {
		return nil, fault.New(op, fault.ApprovalDecided, string(waiting.StatusAt(s.UnitOfWork.Clock.Now())))
	}
	requester, err := s.requesterOf(ctx, waiting)
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	look := s.Gate.Look()
	// It reads what the decision will read.
	_, err = run(core.After(ctx, core.Latest), requester.Through(look), waiting)
	if err := look.Err(err); err != nil {
		return nil, fault.E(op, "", err)
	}
	if look.Seen && !waiting.Covers(look.Judged.Guards()) {
		return nil, fault.New(op, fault.ApprovalStale)
	}
	return look, nil
}

// requesterOf is whoever made a request, who has to be able to ask for it still. Fault: ApprovalStale.
func (s *Service) requesterOf(ctx context.Context, waiting approval.Approval) (app.Request, error) {
	const op = "approval.requesterOf"
	requester, err := s.Staff.StaffByID(ctx, waiting.RequesterID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return app.Request{}, fault.E(op, "", err)
	}
	if err != nil || requester.Require(waiting.Permission) != nil || !waiting.IsVisibleTo(requester) {
		return app.Request{}, fault.New(op, fault.ApprovalStale)
	}
	return app.Request{Staff: requester, Addr: waiting.RequesterAddr}, nil
}
