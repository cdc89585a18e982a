package audit

import (
	"context"
	"sync"

	"github.com/vezne/vezne/core"
	coreaudit "github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/ports"
)

// extend chains entries behind the chain's end. The checkpoint moves with them as long as it agrees with the end: where
// somebody has cut the chain or put an older state back, it stays as it is and says so, until an operator adopts that.
func (s *Service) extend(end coreaudit.End, found []core.AuditEntry) (core.Changeset, coreaudit.Checkpoint) {
	last, key := end.Link, s.Keys.Signer()
	var change core.Changeset
	for _, e := range found {
		last = coreaudit.NewLink(last, e, key)
		change = append(change, last)
	}
	if !s.trusts(end) {
		return change, coreaudit.Checkpoint{}
	}
	next := coreaudit.Checkpoint{
		Name: coreaudit.ChainName, Version: end.Checkpoint.Version + 1, Head: last.Head(), At: s.UnitOfWork.Clock.Now(),
		Adoptions: end.Checkpoint.Adoptions,
	}.Sign(key)
	return append(change, next), next
}

// trusts reports whether the chain's end is what its checkpoint says, and not behind what this process has seen.
func (s *Service) trusts(end coreaudit.End) bool {
	newest := s.newestSeen()
	return end.IsSound(s.Keys) && !end.Checkpoint.IsBefore(newest) && !end.Checkpoint.Contradicts(newest)
}

func (s *Service) newestSeen() coreaudit.Checkpoint {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.newest
}

// note remembers the newest checkpoint.
func (s *Service) note(c coreaudit.Checkpoint) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.newest.IsBefore(c) {
		s.newest = c
	}
}

// recall remembers the newest head that was kept outside the database: a process that starts on a database from before it
// must not go on as if nothing were wrong.
func (s *Service) recall(ctx context.Context) {
	if s.Kept == nil {
		return
	}
	err := s.Kept.Heads(ctx, func(h ports.KeptHead) error {
		if h.IsReadable && h.Name == coreaudit.ChainName && h.IsSigned(s.Keys) {
			s.note(h.Checkpoint)
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		s.Log.Error("reading the heads of the audit log that were kept", "error", err)
	}
}

// Publish writes the chain's head to the places outside, to each that has not got it yet. A place that fails is tried again
// the next time, and keeps nothing else from going on. A head that is in doubt is written nowhere: what is kept outside must
// not contradict itself.
func (s *Service) Publish(ctx context.Context) {
	if len(s.Keys) == 0 {
		return
	}
	end, err := s.Store.AuditEnd(ctx, coreaudit.ChainName)
	if err != nil {
		if ctx.Err() == nil {
			s.Log.Error("reading the audit log's head", "error", err)
		}
		return
	}
	isTrusted := s.trusts(end)
	if s.turned(isTrusted) {
		select {
		case s.turns() <- struct{}{}:
		default: // a check is about to begin
		}
	}
	if !isTrusted || end.Checkpoint.Version == 0 {
		return
	}
	s.note(end.Checkpoint)
	var writing sync.WaitGroup
	for _, place := range s.Places {
		writing.Go(func() { s.writeTo(ctx, place, end.Checkpoint) })
	}
	writing.Wait()
}

// turns is for Watch: something is to be checked at once.
func (s *Service) turns() chan struct{} {
	s.once.Do(func() { s.toCheck = make(chan struct{}, 1) })
	return s.toCheck
}

// turned reports whether the end is trusted and was not before, or the other way round.
func (s *Service) turned(isTrusted bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	hasTurned := s.isInDoubt == isTrusted
	s.isInDoubt = !isTrusted
	return hasTurned
}

func (s *Service) writeTo(ctx context.Context, place ports.AuditPlace, c coreaudit.Checkpoint) {
	name := place.Name()
	s.mu.Lock()
	last, wasFailing := s.written[name], s.failing[name]
	s.mu.Unlock()
	if last.Version == c.Version && last.Signature == c.Signature && !place.HasNone() {
		return
	}
	err := place.Write(ctx, c)
	if err != nil && ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	if s.failing == nil {
		s.failing, s.written = map[string]bool{}, map[string]coreaudit.Checkpoint{}
	}
	s.failing[name] = err != nil
	if err == nil {
		s.written[name] = c
	}
	s.mu.Unlock()
	if err != nil && !wasFailing {
		s.Log.Error("writing the audit log's head to a place outside; it is tried again every minute", "place", name, "error", err)
	}
	if err == nil && wasFailing {
		s.Log.Info("the audit log's head is written to the place outside again", "place", name)
	}
	if s.Published != nil {
		s.Published(name, err)
	}
}
