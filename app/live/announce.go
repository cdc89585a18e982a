package live

import (
	"context"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Announce makes a committer whose commits are told to whoever watches, in any process.
func Announce(commits ports.Committer, news ports.Events) ports.Committer {
	return announcer{Committer: commits, news: news}
}

type announcer struct {
	ports.Committer
	news ports.Events
}

// Commit commits, and tells what is committed or may be: one cue too many does no harm.
func (a announcer) Commit(ctx context.Context, change core.Changeset) error {
	err := a.Committer.Commit(ctx, change)
	if err == nil || fault.Is(err, fault.Unavailable) {
		if news := change.News(); len(news) > 0 {
			a.news.Publish(news...)
		}
	}
	return err
}
