package storetest

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

func directorySentences() []sentence {
	return []sentence{
		{"a provider's sites come by id, none of another's", sitesByID},
		{"dealers are found by their key and site tokens by their token only", dealerKeys},
		{"who is on the block list is blocked, and nobody else", whoIsBlocked},
		{"who does not exist is not found", unknownOwners},
		{"what a caller does to its copy does not reach the store", noAliases},
	}
}

func (w *world) dealerIs(want owner.Dealer) {
	w.t.Helper()
	found, err := w.store.Dealer(w.ctx, want.ID)
	w.no(err)
	w.same(want, found)
	if want.APIKey != "" {
		found, err = w.store.DealerByAPIKey(w.ctx, want.APIKey)
		w.no(err)
		w.same(want, found)
	}
}

func (w *world) siteTokenIs(want owner.SiteToken) {
	w.t.Helper()
	found, err := w.store.SiteTokenByToken(w.ctx, want.Token)
	w.no(err)
	w.same(want, found)
}

func dealerKeys(w *world) {
	provider, dealer, other, token := w.provider(), w.dealer(), w.dealer(), w.siteToken()
	dealer.IsActive, token.IsActive, other.APIKey = false, false, ""
	w.commit(core.Changeset{
		provider,
		dealer,
		other,
		token,
	})
	w.dealerIs(dealer)
	w.siteTokenIs(token)
	for _, key := range []string{"", provider.APIKey, token.Token, dealer.APIKey + " ", awkward} {
		_, err := w.store.DealerByAPIKey(w.ctx, key)
		w.fails(fault.NotFound, err)
	}
	for _, key := range []string{"", dealer.APIKey, token.Token + " ", awkward} {
		_, err := w.store.SiteTokenByToken(w.ctx, key)
		w.fails(fault.NotFound, err)
	}
}

func whoIsBlocked(w *world) {
	b := w.block()
	w.commit(core.Changeset{w.block(), b})
	for customer, want := range map[owner.CustomerKey]bool{
		b.CustomerKey:              true,
		{}:                         false,
		{ProviderID: b.ProviderID}: false,
		{ProviderID: b.ProviderID, UserID: b.UserID + " "}: false,
		{ProviderID: firstNumber * 2, UserID: b.UserID}:    false,
		{ProviderID: b.ProviderID, UserID: "user"}:         false,
	} {
		is, err := isBlocked(w.ctx, w.store, customer)
		w.no(err)
		if is != want {
			w.t.Errorf("%+v is blocked: %t", customer, is)
		}
	}
}

// isBlocked tells whether a customer is on the block list.
func isBlocked(ctx context.Context, s Store, customer owner.CustomerKey) (bool, error) {
	_, err := s.BlockOf(ctx, customer)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return err == nil, err
}

func sitesByID(w *world) {
	first, second, third := w.site(7), w.site(7), w.site(7)
	second.UpdatedAt = epoch.Add(-time.Hour)
	w.commit(
		core.Changeset{third, w.site(8)},
		core.Changeset{second, first},
	)
	sites, err := w.store.Sites(w.ctx, 7)
	w.no(err)
	w.same([]owner.Site{first, second, third}, sites)
	none, err := w.store.Sites(w.ctx, 9)
	w.no(err)
	w.same(0, len(none))
}

func unknownOwners(w *world) {
	w.commit(core.Changeset{w.provider(), w.site(1)})
	for _, text := range []string{"", "vzp_unknown", awkward} {
		_, err := w.store.ProviderByAPIKey(w.ctx, text)
		w.fails(fault.NotFound, err)
		_, err = w.store.SiteByCredential(w.ctx, text)
		w.fails(fault.NotFound, err)
	}
	for _, id := range []int64{0, -1, 1} {
		_, err := w.store.Provider(w.ctx, id)
		w.fails(fault.NotFound, err)
		_, err = w.store.Site(w.ctx, id)
		w.fails(fault.NotFound, err)
		_, err = w.store.Dealer(w.ctx, id)
		w.fails(fault.NotFound, err)
	}
}

func noAliases(w *world) {
	p, d := w.provider(), w.dealer()
	w.commit(core.Changeset{p, d})
	p.IPWhitelist[0], d.IPWhitelist[0] = p.IPWhitelist[1], p.IPWhitelist[1]
	for range 2 {
		provider, err := w.store.Provider(w.ctx, p.ID)
		w.no(err)
		byKey, err := w.store.DealerByAPIKey(w.ctx, d.APIKey)
		w.no(err)
		w.same(whitelist(), provider.IPWhitelist)
		w.same(whitelist(), byKey.IPWhitelist)
		provider.IPWhitelist[0], byKey.IPWhitelist[0] = p.IPWhitelist[1], p.IPWhitelist[1]
	}
}
