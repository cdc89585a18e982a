package audit

import (
	"context"
	"fmt"
	"time"

	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
)

// dropBatch is how many entries are deleted at once, where they are not deleted by months.
const dropBatch = 1000

// old is the first ID of the month, in UTC, in which entries were made that are as old as they are kept: those before it are old. It is empty
// where entries are kept for ever, and while nothing may be deleted.
func (s *Service) old(now time.Time) core.ID {
	if s.KeepYears == 0 || s.UnitOfWork.MayMove() != nil { // asked after the time was read: what is deleted by a wrong one is gone
		return ""
	}
	at := now.UTC().AddDate(-s.KeepYears, 0, 0)
	return core.FirstID(time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC))
}

// drop deletes entries that are old, after the whole chain was found to be as it was made. First the log says which: an entry, chained as
// every other, has a signed statement of where the chain was whole and of the links of what is going to be missing. What was said and not
// deleted yet, because a process ended in between, is deleted now. An entry that is not chained yet is not dropped: isDone is false.
func (s *Service) drop(ctx context.Context, r Report, old core.ID) (isDone bool, err error) {
	if old == "" {
		return true, nil
	}
	said := r.Dropped
	isChained := len(r.Waiting) == 0 || r.Waiting[0].ID >= old
	if r.isOldKept && isChained {
		said = coreaudit.Dropped{Until: old, Through: r.Last, Links: r.old.Links, Digest: r.old.Digest()}.Sign(s.Keys.Signer())
		if err := s.UnitOfWork.Again(ctx, func() error { return s.say(ctx, said) }); err != nil {
			return false, fault.E("audit.drop", "", err)
		}
	}
	for n := dropBatch; said.Until != "" && n == dropBatch; {
		if n, err = s.Rows.Prune(ctx, core.AuditEntries, said.Before(), dropBatch); err != nil {
			return false, fault.E("audit.drop", "", err)
		}
	}
	return isChained, nil
}

// say chains the entry that says what is dropped.
func (s *Service) say(ctx context.Context, d coreaudit.Dropped) error {
	now := s.UnitOfWork.Clock.Now()
	ids, err := core.NewIDs(now, s.UnitOfWork.Random)
	if err != nil {
		return fault.E("audit.say", fault.Internal, err)
	}
	end, err := s.Store.AuditEnd(ctx, coreaudit.ChainName)
	if err != nil {
		return err
	}
	entry := core.AuditEntry{
		ID: ids.Next(), At: now, Actor: core.Actor{Kind: core.BySystem, Name: "retention"}, Action: coreaudit.DropAction, Target: coreaudit.LogTarget,
		Reason: fmt.Sprintf("kept for %d years", s.KeepYears), After: d.State(),
	}
	change, checkpoint := s.extend(end, []core.AuditEntry{entry})
	if err := s.UnitOfWork.Commit(ctx, append(core.Changeset{entry}, change...)); err != nil {
		return err
	}
	s.note(checkpoint)
	return nil
}

// dropped is the last signed statement of what is kept no longer; zero: there is none. One that is not signed says nothing: whoever can write
// the table can write it, and the chain is made of whatever is in the table.
func (s *Service) dropped(ctx context.Context) (coreaudit.Dropped, error) {
	return s.said(ctx, func(d coreaudit.Dropped) bool { return d.IsSigned(s.Keys) })
}

// said is the last statement that is believed.
func (s *Service) said(ctx context.Context, isBelieved func(coreaudit.Dropped) bool) (coreaudit.Dropped, error) {
	q := core.AuditQuery{Action: coreaudit.DropAction, Target: coreaudit.LogTarget, Paging: core.Paging[core.ID]{Limit: core.MaxPage}}
	for {
		page, err := s.Store.AuditEntries(ctx, q)
		if err != nil || len(page) == 0 {
			return coreaudit.Dropped{}, err
		}
		for _, e := range page {
			if d, err := coreaudit.ParseDropped(e.After); err == nil && isBelieved(d) {
				return d, nil
			}
		}
		q.Paging = q.Beyond(page[len(page)-1].ID)
	}
}
