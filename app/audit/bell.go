package audit

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/ports"
)

// Bell tells the service of this process that entries were committed, so that they are chained at once and not only with the
// next period: an entry that is not chained yet can be deleted without a trace.
type Bell struct{ c chan struct{} }

// NewBell returns a bell.
func NewBell() *Bell { return &Bell{c: make(chan struct{}, 1)} }

// Commits returns a committer that rings when it has committed entries.
func (b *Bell) Commits(next ports.Committer) ports.Committer { return ringing{next, b} }

func (b *Bell) rings() <-chan struct{} {
	if b == nil {
		return nil
	}
	return b.c
}

type ringing struct {
	ports.Committer
	bell *Bell
}

// Commit implements ports.Committer.
func (r ringing) Commit(ctx context.Context, c core.Changeset) error {
	if err := r.Committer.Commit(ctx, c); err != nil || !core.Has[core.AuditEntry](c) {
		return err
	}
	select {
	case r.bell.c <- struct{}{}:
	default: // it rings already
	}
	return nil
}
