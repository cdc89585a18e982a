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
		{"every field of a provider comes back", everyProviderField},
		{"saving a provider replaces every field", providerSavedWhole},
		{"every field of a site comes back", everySiteField},
		{"saving a site replaces every field", siteSavedWhole},
		{"a provider's sites come by id, none of another's", sitesByID},
		{"every field of a dealer comes back", everyDealerField},
		{"saving a dealer replaces every field", dealerSavedWhole},
		{"every field of a site token comes back", everySiteTokenField},
		{"saving a site token replaces every field", siteTokenSavedWhole},
		{"dealers are found by their key and site tokens by their token only", dealerKeys},
		{"who is on the block list is blocked, and nobody else", whoIsBlocked},
		{"who does not exist is not found", unknownOwners},
		{"what a caller does to its copy does not reach the store", noAliases},
	}
}

func everyProviderField(w *world) {
	p := full(w, w.provider())
	w.commit(core.Changeset{w.provider(), p, w.provider()})
	w.providerIs(p)
}

// providerIs reads a provider in both ways.
func (w *world) providerIs(want owner.Provider) {
	w.t.Helper()
	byID, err := w.store.Provider(w.ctx, want.ID)
	w.no(err)
	w.same(want, byID)
	byKey, err := w.store.ProviderByAPIKey(w.ctx, want.APIKey)
	w.no(err)
	w.same(want, byKey)
}

func providerSavedWhole(w *world) {
	filled := w.provider()
	bare := owner.Provider{ID: filled.ID, Version: 2, APIKey: "vzp_new", CreatedAt: epoch, UpdatedAt: epoch}
	w.commit(core.Changeset{filled}, core.Changeset{bare})
	w.providerIs(bare)
	_, err := w.store.ProviderByAPIKey(w.ctx, filled.APIKey)
	w.fails(fault.NotFound, err)
	filled.Version = 3
	w.commit(core.Changeset{filled})
	w.providerIs(filled)
}

func everySiteField(w *world) {
	s := full(w, w.site(w.provider().ID))
	w.commit(core.Changeset{w.site(1), s, w.site(s.ProviderID)})
	w.siteIs(s)
}

// siteIs reads a site in both ways.
func (w *world) siteIs(want owner.Site) {
	w.t.Helper()
	byID, err := w.store.Site(w.ctx, want.ID)
	w.no(err)
	w.same(want, byID)
	byCredential, err := w.store.SiteByCredential(w.ctx, want.CredentialFingerprint)
	w.no(err)
	w.same(want, byCredential)
}

func siteSavedWhole(w *world) {
	filled := w.site(1)
	bare := owner.Site{
		ID: filled.ID, Version: 2, ProviderID: 2, CredentialFingerprint: "new", CreatedAt: epoch, UpdatedAt: epoch,
	}
	w.commit(core.Changeset{filled}, core.Changeset{bare})
	w.siteIs(bare)
	_, err := w.store.SiteByCredential(w.ctx, filled.CredentialFingerprint)
	w.fails(fault.NotFound, err)
}

func everyDealerField(w *world) {
	d := full(w, w.dealer())
	w.commit(core.Changeset{w.dealer(), d, w.dealer()})
	w.dealerIs(d)
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

func everySiteTokenField(w *world) {
	t := full(w, w.siteToken())
	w.commit(core.Changeset{w.siteToken(), t, w.siteToken()})
	w.siteTokenIs(t)
}

func (w *world) siteTokenIs(want owner.SiteToken) {
	w.t.Helper()
	found, err := w.store.SiteTokenByToken(w.ctx, want.Token)
	w.no(err)
	w.same(want, found)
}

func siteTokenSavedWhole(w *world) {
	filled := w.siteToken()
	bare := owner.SiteToken{ID: filled.ID, Version: 2, Token: "vzt_new", CreatedAt: epoch, UpdatedAt: epoch}
	w.commit(core.Changeset{filled}, core.Changeset{bare})
	w.siteTokenIs(bare)
	_, err := w.store.SiteTokenByToken(w.ctx, filled.Token)
	w.fails(fault.NotFound, err)
	filled.Version = 3
	w.commit(core.Changeset{filled})
	w.siteTokenIs(filled)
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

func dealerSavedWhole(w *world) {
	filled := w.dealer()
	bare := owner.Dealer{ID: filled.ID, Version: 2, CreatedAt: epoch, UpdatedAt: epoch}
	w.commit(core.Changeset{filled}, core.Changeset{bare})
	w.dealerIs(bare)
	_, err := w.store.DealerByAPIKey(w.ctx, filled.APIKey)
	w.fails(fault.NotFound, err)
	filled.Version = 3
	w.commit(core.Changeset{filled})
	w.dealerIs(filled)
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
	p, d, record := w.provider(), w.dealer(), w.record()
	w.commit(core.Changeset{p, d, record})
	p.IPWhitelist[0], d.IPWhitelist[0], record.Body[0] = p.IPWhitelist[1], p.IPWhitelist[1], 'x'
	for range 2 {
		provider, err := w.store.Provider(w.ctx, p.ID)
		w.no(err)
		dealer, err := w.store.Dealer(w.ctx, d.ID)
		w.no(err)
		byKey, err := w.store.DealerByAPIKey(w.ctx, d.APIKey)
		w.no(err)
		answer := w.firstAnswer(record.IdempotencyKey)
		w.same(whitelist(), provider.IPWhitelist)
		w.same(whitelist(), dealer.IPWhitelist)
		w.same(whitelist(), byKey.IPWhitelist)
		byKey.IPWhitelist[0] = p.IPWhitelist[1]
		w.same(awkward[:1], string(answer.Body[:1]))
		provider.IPWhitelist[0], dealer.IPWhitelist[0], answer.Body[0] = p.IPWhitelist[1], p.IPWhitelist[1], 'x'
	}
}
