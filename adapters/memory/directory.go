package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/money"
)

// ProviderByAPIKey implements ports.Callers.
func (s *Store) ProviderByAPIKey(ctx context.Context, apiKey string) (core.Provider, error) {
	return read(ctx, s, "memory.ProviderByAPIKey", func() (core.Provider, bool) { return findKey(s.providers, apiKey) })
}

// Provider implements ports.Directory.
func (s *Store) Provider(ctx context.Context, id int64) (core.Provider, error) {
	return read(ctx, s, "memory.Provider", func() (core.Provider, bool) { return s.providers.get(id) })
}

// SiteByCredential implements ports.Callers.
func (s *Store) SiteByCredential(ctx context.Context, fingerprint string) (core.Site, error) {
	return read(ctx, s, "memory.SiteByCredential", func() (core.Site, bool) { return findKey(s.sites, fingerprint) })
}

// Site implements ports.Directory.
func (s *Store) Site(ctx context.Context, id int64) (core.Site, error) {
	return read(ctx, s, "memory.Site", func() (core.Site, bool) { return s.sites.get(id) })
}

// DealerByAPIKey implements ports.Callers.
func (s *Store) DealerByAPIKey(ctx context.Context, apiKey string) (core.Dealer, error) {
	return read(ctx, s, "memory.DealerByAPIKey", func() (core.Dealer, bool) { return findKey(s.dealers, apiKey) })
}

// SiteTokenByToken implements ports.Callers.
func (s *Store) SiteTokenByToken(ctx context.Context, token string) (core.SiteToken, error) {
	return read(ctx, s, "memory.SiteTokenByToken", func() (core.SiteToken, bool) { return findKey(s.siteTokens, token) })
}

// Dealer implements ports.Directory.
func (s *Store) Dealer(ctx context.Context, id int64) (core.Dealer, error) {
	return read(ctx, s, "memory.Dealer", func() (core.Dealer, bool) { return s.dealers.get(id) })
}

// Sites implements ports.Directory.
func (s *Store) Sites(ctx context.Context, providerID int64) ([]core.Site, error) {
	return list(ctx, s, "memory.Sites", func() []core.Site {
		found := s.sites.where(func(x core.Site) bool { return x.ProviderID == providerID })
		slices.SortFunc(found, func(a, b core.Site) int { return cmp.Compare(a.ID, b.ID) })
		return found
	})
}

// AccountLoads implements ports.Accounts.
func (s *Store) AccountLoads(
	ctx context.Context, dealerID int64, kind core.AccountKind, day core.Day,
) ([]core.AccountLoad, error) {
	return list(ctx, s, "memory.AccountLoads", func() []core.AccountLoad {
		var loads []core.AccountLoad
		for _, a := range s.accounts.where(func(a core.Account) bool { return a.DealerID == dealerID && a.Kind == kind }) {
			l := s.loads[loadKey{a.ID, day}]
			loads = append(loads, core.AccountLoad{
				Account: a, Day: day, Used: money.New(l.used.Minor(), a.Min.Currency()), Count: l.count,
				LoadVersion: l.version, LastOfferedAt: l.lastOfferedAt,
			})
		}
		slices.SortFunc(loads, func(a, b core.AccountLoad) int { return cmp.Compare(a.ID, b.ID) })
		return loads
	})
}

// FirstAnswer implements ports.Idempotency.
func (s *Store) FirstAnswer(ctx context.Context, key core.IdempotencyKey) (core.IdempotencyRecord, error) {
	return read(ctx, s, "memory.FirstAnswer", func() (core.IdempotencyRecord, bool) {
		r, ok := s.answers[key]
		return cloneAnswer(r), ok
	})
}

// ForgetAnswers implements ports.Idempotency.
func (s *Store) ForgetAnswers(ctx context.Context, before time.Time, limit int) (int, error) {
	return read(ctx, s, "memory.ForgetAnswers", func() (int, bool) {
		forgotten := 0
		for key, r := range s.answers {
			if forgotten < limit && r.CreatedAt.Before(before) {
				delete(s.answers, key)
				forgotten++
			}
		}
		return forgotten, true
	})
}

// StaffByEmail implements ports.StaffDirectory.
func (s *Store) StaffByEmail(ctx context.Context, email string) (core.Staff, error) {
	return read(ctx, s, "memory.StaffByEmail", func() (core.Staff, bool) { return s.staff.find(email) })
}

// SessionByFingerprint implements ports.StaffDirectory.
func (s *Store) SessionByFingerprint(ctx context.Context, fingerprint string) (core.Session, core.Staff, error) {
	type pair struct {
		session core.Session
		staff   core.Staff
	}
	found, err := read(ctx, s, "memory.SessionByFingerprint", func() (pair, bool) {
		session, hasSession := s.sessions.find(fingerprint)
		staff, hasStaff := s.staff.get(session.StaffID)
		return pair{session, staff}, hasSession && hasStaff
	})
	return found.session, found.staff, err
}

// NextID implements ports.Sequences.
func (s *Store) NextID(ctx context.Context, name string) (int64, error) {
	return read(ctx, s, "memory.NextID", func() (int64, bool) {
		s.sequences[name]++
		return s.sequences[name], true
	})
}
