package payment

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/payment"
)

// keepTimeout bounds the commit of outcomes.
const keepTimeout = 15 * time.Second

// keep commits outcomes in groups: whatever has come while the last group was being committed is the next one. The store
// would group them, too; but one commit of each receiver at a time keeps the backlog of many out of its bounded queue.
func (s *Callbacks) keep(ctx context.Context, outcomes <-chan core.Changeset) {
	for first := range outcomes {
		group := []core.Changeset{first}
		for open := true; open && len(group) < maxBatch; {
			select {
			case next, ok := <-outcomes:
				if open = ok; ok {
					group = append(group, next)
				}
			default:
				open = false
			}
		}
		s.keepGroup(ctx, group)
	}
}

func (s *Callbacks) keepGroup(ctx context.Context, group []core.Changeset) {
	var all core.Changeset
	for _, change := range group {
		all = all.Merge(change)
	}
	err := s.commit(ctx, all)
	if err == nil {
		return
	}
	if len(group) > 1 {
		for _, change := range group { // one lost lease must not cost the others their outcome
			s.keepGroup(ctx, []core.Changeset{change})
		}
		return
	}
	s.keepLate(ctx, group[0], err)
}

// keepLate handles one outcome that could not be committed. Of a lost lease the attempt is still logged: it was made.
// Of anything else the lease runs out and the callback is sent again: at least once, never zero times.
func (s *Callbacks) keepLate(ctx context.Context, change core.Changeset, err error) {
	if fault.Is(err, fault.Conflict) {
		err = s.commit(ctx, core.Rows(core.RowsOf[payment.Attempt](change)))
	}
	if err != nil && core.Has[payment.Callback](change) {
		s.Log.Error("keeping a callback's outcome", "callback", core.RowsOf[payment.Callback](change)[0].ID, "error", err)
	}
}

func (s *Callbacks) commit(ctx context.Context, change core.Changeset) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTimeout)
	defer cancel()
	return s.UnitOfWork.Commit(ctx, change)
}
