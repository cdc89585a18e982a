package audit

import (
	"context"
	"errors"
	"slices"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
)

// adoptAction is the action of the entry that says what was adopted.
const adoptAction = "adoptAuditChain"

// adoptedState is the chain in the entry's Before and After.
type adoptedState struct {
	Head     string   `json:"head,omitempty"`
	Problems []string `json:"problems,omitempty"`
	Adopted  int      `json:"adoptions"`
}

// Adopt takes an operator's word for what is wrong with the chain, and lets it go on from here: an older backup was restored,
// say. Only what is wrong at this moment is adopted, and an entry of the log says what it was, who said so and why; everything
// else goes on being noticed. It returns what was adopted. Fault: Invalid (no reason; nothing is wrong; what is wrong
// cannot be adopted).
func (s *Service) Adopt(ctx context.Context, by app.Request) ([]Break, error) {
	const op = "audit.Adopt"
	by, err := by.Checked()
	if err == nil && by.Reason == "" {
		err = fault.New("audit.Adopt: without a reason", fault.Invalid)
	}
	if err != nil {
		return nil, fault.E(op, "", err)
	}
	var found []Break
	err = s.UnitOfWork.Again(ctx, func() error {
		var report Report
		report, found, err = s.breaks(ctx)
		if err != nil {
			return err
		}
		change, checkpoint, err := s.adoption(by, report, found)
		if err != nil {
			return err
		}
		if err := s.UnitOfWork.Commit(ctx, change); err != nil {
			return err
		}
		s.note(checkpoint)
		return nil
	})
	return found, fault.E(op, "", err)
}

// breaks verifies again and again, each time as if what was found so far had been adopted.
func (s *Service) breaks(ctx context.Context) (r Report, found []Break, err error) {
	q := Question{}
	for {
		r, err = s.Verify(ctx, q)
		switch {
		case err != nil:
			return r, nil, err
		case r.Break == nil && len(found) == 0:
			return r, nil, fault.E("audit.breaks", fault.Invalid, errors.New("nothing is wrong with the chain: there is nothing to adopt"))
		case r.Break == nil:
			return r, found, nil
		case r.Break.Kind == coreaudit.BreakForgedHead:
			return r, nil, fault.E("audit.breaks", fault.Invalid, errors.New(r.Break.String()+": put it away first"))
		case len(r.adoptions) >= coreaudit.MaxAdoptions:
			return r, nil, fault.E("audit.breaks", fault.Invalid, errors.New("too much is wrong, or was adopted before"))
		}
		found = append(found, *r.Break)
		base := r.end.Link.No
		if r.Break.Kind == coreaudit.BreakHead { // heads on another branch are given up from where it is first seen
			base = min(base, r.Break.No-1)
		}
		q.adopted = append(q.adopted, coreaudit.Adoption{Base: base, Kind: r.Break.Kind, No: r.Break.No, Seen: r.Break.seen})
	}
}

// adoption is the entry, its link and the checkpoint from which the chain goes on.
func (s *Service) adoption(by app.Request, r Report, found []Break) (core.Changeset, coreaudit.Checkpoint, error) {
	now := s.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return nil, coreaudit.Checkpoint{}, fault.E("audit.adoption", fault.Internal, err)
	}
	before := adoptedState{Adopted: len(r.adoptions) - len(found)}
	if r.newest.Version > 0 {
		before.Head = r.newest.Head.String()
	}
	for _, b := range found {
		before.Problems = append(before.Problems, b.String())
	}
	entry := core.AuditEntry{
		ID: ids.Next(), At: now, Actor: by.Actor(), Action: adoptAction, Target: coreaudit.LogTarget, Reason: by.Reason,
		Before: core.AuditJSON(before),
		After:  core.AuditJSON(adoptedState{Head: r.end.Link.Head().String(), Adopted: len(r.adoptions)}),
	}
	key := s.Keys.Signer()
	link := coreaudit.NewLink(r.end.Link, entry, key)
	next := coreaudit.Checkpoint{
		Name: coreaudit.ChainName, Version: r.end.Checkpoint.Version + 1, Head: link.Head(), At: now,
		Adoptions: slices.Clone(r.adoptions),
	}.Sign(key)
	return core.Changeset{entry, link, next}, next, nil
}
