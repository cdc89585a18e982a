package storetest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

func previousKeySentences() []sentence {
	return []sentence{
		{"an owner is found by its key from before a rotation too, whether or not that is still taken", foundByPrevious},
		{"whoever has a key now is found by it, not who had it before", presentGoesFirst},
		{"a key that was pushed out finds nobody", pushedOutKey},
		{"a previous key is had by one", previousIsOnes},
	}
}

// keyed is one kind of owners: how its keys are set, and how it is found by one.
type keyed struct {
	make func(w *world, id int64, version int, present, previous string) core.Changeset
	find func(w *world, key string) (id int64, err error)
}

func previousOf(key string) owner.PreviousKey {
	return owner.PreviousKey{Key: core.NewSecret(key), Until: epoch}
}

func owners() map[string]keyed {
	return map[string]keyed{
		"provider": {func(w *world, id int64, version int, present, previous string) core.Changeset {
			p := w.provider()
			p.ID, p.Version, p.APIKey, p.PreviousAPIKey = id, version, present, previousOf(previous)
			return core.Changeset{p}
		}, func(w *world, key string) (int64, error) {
			p, err := w.store.ProviderByAPIKey(w.ctx, key)
			return p.ID, err
		}},
		"dealer": {func(w *world, id int64, version int, present, previous string) core.Changeset {
			d := w.dealer()
			d.ID, d.Version, d.APIKey, d.PreviousAPIKey = id, version, present, previousOf(previous)
			return core.Changeset{d}
		}, func(w *world, key string) (int64, error) {
			d, err := w.store.DealerByAPIKey(w.ctx, key)
			return d.ID, err
		}},
		"site": {func(w *world, id int64, version int, present, previous string) core.Changeset {
			s := w.site(1)
			s.ID, s.Version, s.CredentialFingerprint, s.PreviousCredential = id, version, present, previousOf(previous)
			return core.Changeset{s}
		}, func(w *world, key string) (int64, error) {
			s, err := w.store.SiteByCredential(w.ctx, key)
			return s.ID, err
		}},
		"site token": {func(w *world, id int64, version int, present, previous string) core.Changeset {
			t := w.siteToken()
			t.ID, t.Version, t.Token, t.PreviousToken = id, version, present, previousOf(previous)
			return core.Changeset{t}
		}, func(w *world, key string) (int64, error) {
			t, err := w.store.SiteTokenByToken(w.ctx, key)
			return t.ID, err
		}},
	}
}

// forEachOwner tests every kind of owner that is found by a key.
func forEachOwner(test func(w *world, k keyed)) func(w *world) {
	return func(w *world) {
		for name, k := range owners() {
			w.t.Run(name, func(t *testing.T) { test(w.in(t), k) })
		}
	}
}

func (w *world) finds(k keyed, key string, want int64) {
	w.t.Helper()
	id, err := k.find(w, key)
	if want == 0 {
		w.fails(fault.NotFound, err)
		return
	}
	w.no(err)
	w.same(want, id)
}

func foundByPrevious(w *world) {
	forEachOwner(func(w *world, k keyed) {
		w.commit(k.make(w, 7, 1, "new", "old"+awkward), k.make(w, 8, 1, "other", ""))
		w.finds(k, "new", 7)
		w.finds(k, "old"+awkward, 7)
		w.finds(k, "other", 8)
		w.finds(k, "old", 0)
		w.finds(k, "", 0)
	})(w)
}

func presentGoesFirst(w *world) {
	forEachOwner(func(w *world, k keyed) {
		w.commit(k.make(w, 7, 1, "a", "b"), k.make(w, 8, 1, "b", "c"))
		w.finds(k, "b", 8)
		w.finds(k, "a", 7)
		w.finds(k, "c", 8)
	})(w)
}

func pushedOutKey(w *world) {
	forEachOwner(func(w *world, k keyed) {
		w.commit(k.make(w, 7, 1, "a", ""), k.make(w, 7, 2, "b", "a"), k.make(w, 7, 3, "c", "b"))
		w.finds(k, "a", 0)
		w.finds(k, "b", 7)
		w.commit(k.make(w, 7, 4, "c", ""))
		w.finds(k, "b", 0)
	})(w)
}

func previousIsOnes(w *world) {
	forEachOwner(func(w *world, k keyed) {
		w.commit(k.make(w, 7, 1, "a", "old"))
		w.refused(fault.Conflict, k.make(w, 8, 1, "b", "old"))
		w.commit(k.make(w, 7, 2, "a", ""), k.make(w, 8, 1, "b", "old"), k.make(w, 9, 1, "c", ""))
	})(w)
}

func ownerListSentences() []sentence {
	return []sentence{
		{"providers come by id, at most as many as asked for", providersByID},
		{"dealers come by id, and only those of the scope", dealersByID},
		{"owners are narrowed by a part of the name, as names are compared, and by their switch", ownersNarrowed},
		{"a name is found behind more owners than are read at once", ownerBehindMany},
	}
}

func idsOfProviders(list []owner.Provider) []int64 {
	ids := make([]int64, len(list))
	for i, p := range list {
		ids[i] = p.ID
	}
	return ids
}

func (w *world) providers(q owner.OwnerQuery) []owner.Provider {
	w.t.Helper()
	list, err := w.store.Providers(w.ctx, q)
	w.no(err)
	return list
}

func (w *world) dealers(q owner.OwnerQuery) []owner.Dealer {
	w.t.Helper()
	list, err := w.store.Dealers(w.ctx, q)
	w.no(err)
	return list
}

func providersByID(w *world) {
	first, second, third := w.provider(), w.provider(), w.provider()
	second.IsActive = false
	w.commit(core.Changeset{third, first}, core.Changeset{second})
	w.same([]owner.Provider{first, second, third}, w.providers(owner.OwnerQuery{Limit: 10}))
	w.same([]owner.Provider{first, second}, w.providers(owner.OwnerQuery{Limit: 2}))
	w.same([]owner.Provider{third}, w.providers(owner.OwnerQuery{After: second.ID, Limit: 2}))
	w.same(0, len(w.providers(owner.OwnerQuery{After: third.ID, Limit: 2})))
	w.same(0, len(w.providers(owner.OwnerQuery{})))
}

func dealersByID(w *world) {
	first, second, third := w.dealer(), w.dealer(), w.dealer()
	w.commit(core.Changeset{third, first, second})
	w.same([]owner.Dealer{first, second, third}, w.dealers(owner.OwnerQuery{Limit: 10}))
	w.same([]owner.Dealer{second}, w.dealers(owner.OwnerQuery{After: first.ID, Limit: 1}))
	mine := core.Scope{DealerID: second.ID}
	w.same([]owner.Dealer{second}, w.dealers(owner.OwnerQuery{Scope: mine, Limit: 1}))
	w.same(0, len(w.dealers(owner.OwnerQuery{Scope: mine, After: second.ID, Limit: 10})))
	w.same(0, len(w.dealers(owner.OwnerQuery{Scope: core.Scope{DealerID: -1}, Limit: 10})))
}

func ownersNarrowed(w *world) {
	var providers []owner.Provider
	for i, name := range []string{"İstanbul Ödeme", "ISTANBUL 2", "Ankara %_", "Öde'me"} {
		p := w.provider()
		p.Name, p.IsActive = name, i%2 == 0
		providers = append(providers, p)
	}
	w.commit(core.Rows(providers))
	yes, no := true, false
	for _, tt := range []struct {
		query owner.OwnerQuery
		want  []int64
	}{
		{owner.OwnerQuery{Name: "istanbul"}, []int64{providers[0].ID, providers[1].ID}},
		{owner.OwnerQuery{Name: " ODEME "}, []int64{providers[0].ID}},
		{owner.OwnerQuery{Name: "ödE"}, []int64{providers[0].ID, providers[3].ID}},
		{owner.OwnerQuery{Name: "%"}, idsOfProviders(providers)}, // no letter: not compared
		{owner.OwnerQuery{Name: "izmir"}, nil},
		{owner.OwnerQuery{IsActive: &yes}, []int64{providers[0].ID, providers[2].ID}},
		{owner.OwnerQuery{IsActive: &no, Name: "ist"}, []int64{providers[1].ID}},
	} {
		tt.query.Limit = 10
		w.same(tt.want, idsOfProviders(w.providers(tt.query)))
	}
}

func ownerBehindMany(w *world) {
	var many []owner.Dealer
	for i := range 450 {
		d := w.dealer()
		d.Name = fmt.Sprint("dealer ", i)
		many = append(many, d)
	}
	last := &many[449]
	last.Name = "Wanted"
	w.commit(core.Rows(many))
	w.same([]owner.Dealer{*last}, w.dealers(owner.OwnerQuery{Name: "wanted", Limit: 1}))
	var seen []int64
	for after := int64(0); ; {
		page := w.dealers(owner.OwnerQuery{After: after, Limit: core.MaxPage})
		if len(page) == 0 {
			break
		}
		for _, d := range page {
			after, seen = d.ID, append(seen, d.ID)
		}
	}
	w.same(len(many), len(slices.Compact(seen)))
}
