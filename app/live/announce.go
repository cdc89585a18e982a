package live

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Announce makes a committer whose commits are told to whoever watches, in any process.
func Announce(commits ports.Committer, events ports.Events) ports.Committer {
	return announcer{Committer: commits, events: events}
}

type announcer struct {
	ports.Committer
	events ports.Events
}

// Commit commits, and tells what is committed or may be: one cue too many does no harm.
func (a announcer) Commit(ctx context.Context, change core.Changeset) error {
	err := a.Committer.Commit(ctx, change)
	if err == nil || fault.Is(err, fault.Unavailable) {
		if events := change.Events(); len(events) > 0 {
			a.events.Publish(events...)
		}
	}
	return err
}
