package bunstore

import (
	"context"
	"sync"

	"github.com/vezne/vezne/core"
)

// nobody is the dealer of a changeset that names none, or several.
const nobody = 0

// lanes are group commits beside each other: one for all changesets, or one for each dealer's. What a lane commits at once is of one
// dealer, which a database that is distributed by dealer keeps on one node; changesets that do not say whose they are go alone.
type lanes struct {
	open    func() *committer
	byOwner bool

	mu       sync.Mutex
	of       map[int64]*committer // by dealer
	isClosed bool
}

func newLanes(byOwner bool, open func() *committer) *lanes {
	return &lanes{open: open, byOwner: byOwner, of: map[int64]*committer{}}
}

// Do commits a changeset in the lane that it belongs to.
func (l *lanes) Do(ctx context.Context, change core.Changeset, as *encoded) error {
	owner := int64(nobody)
	if l.byOwner {
		owner = dealerOf(change)
	}
	return l.lane(owner).Do(ctx, as)
}

// lane returns a dealer's lane. One that is made after Close is closed, too.
func (l *lanes) lane(owner int64) *committer {
	l.mu.Lock()
	defer l.mu.Unlock()
	c, ok := l.of[owner]
	if !ok {
		c = l.open()
		c.isEachAlone = l.byOwner && owner == nobody
		if l.isClosed {
			c.Close()
		}
		l.of[owner] = c
	}
	return c
}

// Close lets everything in the lanes be committed, refuses what comes after, and waits.
func (l *lanes) Close() {
	l.mu.Lock()
	l.isClosed = true
	l.mu.Unlock()
	for _, c := range l.of { // nobody adds to them that are still open
		c.Close()
	}
}

// dealerOf is the dealer whom the rows of a changeset name.
func dealerOf(change core.Changeset) int64 {
	dealer := int64(nobody)
	for _, row := range change {
		named, ok := row.(core.Eventful)
		if !ok {
			continue
		}
		switch id := named.Event().DealerID; {
		case id == nobody || id == dealer:
		case dealer != nobody:
			return nobody
		default:
			dealer = id
		}
	}
	return dealer
}
