package storetest

import (
	"fmt"
	"reflect"
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

// keyed is one kind of owners: the field with its key, the one with the key before, and how it is found by either.
type keyed struct {
	row         core.Row
	key, before string
	way         string
}

func owners(w *world) []keyed {
	return []keyed{
		{w.provider(), "APIKey", "PreviousAPIKey", "ProviderByAPIKey"}, {w.dealer(), "APIKey", "PreviousAPIKey", "DealerByAPIKey"},
		{w.site(1), "CredentialFingerprint", "PreviousCredential", "SiteByCredential"},
		{w.siteToken(), "Token", "PreviousToken", "SiteTokenByToken"},
	}
}

func (k keyed) make(id int64, version int, present, previous string) core.Changeset {
	before := owner.PreviousKey{Key: core.NewSecret(previous), Until: epoch}
	return core.Changeset{set(set(set(set(k.row, "ID", id), "Version", version), k.key, present), k.before, before)}
}

func (k keyed) find(w *world, key string) (id int64, err error) {
	found, err := way{method: k.way, fields: []string{k.key}}.read(w, reflect.ValueOf(set(k.row, k.key, key)), func(core.Row) bool { return true })
	if err != nil {
		return 0, err
	}
	return reflect.ValueOf(found).FieldByName("ID").Int(), nil
}

// forEachOwner tests every kind of owner that is found by a key.
func forEachOwner(test func(w *world, k keyed)) func(w *world) {
	return func(w *world) {
		for _, k := range owners(w) {
			w.t.Run(k.way, func(t *testing.T) { test(w.in(t), k) })
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
		w.commit(k.make(7, 1, "new", "old"+awkward), k.make(8, 1, "other", ""))
		w.finds(k, "new", 7)
		w.finds(k, "old"+awkward, 7)
		w.finds(k, "other", 8)
		w.finds(k, "old", 0)
		w.finds(k, "", 0)
	})(w)
}

func presentGoesFirst(w *world) {
	forEachOwner(func(w *world, k keyed) {
		w.commit(k.make(7, 1, "a", "b"), k.make(8, 1, "b", "c"))
		w.finds(k, "b", 8)
		w.finds(k, "a", 7)
		w.finds(k, "c", 8)
	})(w)
}

func pushedOutKey(w *world) {
	forEachOwner(func(w *world, k keyed) {
		w.commit(k.make(7, 1, "a", ""), k.make(7, 2, "b", "a"), k.make(7, 3, "c", "b"))
		w.finds(k, "a", 0)
		w.finds(k, "b", 7)
		w.commit(k.make(7, 4, "c", ""))
		w.finds(k, "b", 0)
	})(w)
}

func previousIsOnes(w *world) {
	forEachOwner(func(w *world, k keyed) {
		w.commit(k.make(7, 1, "a", "old"))
		w.refused(fault.Conflict, k.make(8, 1, "b", "old"))
		w.commit(k.make(7, 2, "a", ""), k.make(8, 1, "b", "old"), k.make(9, 1, "c", ""))
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
	w.same([]owner.Provider{first, second, third}, w.providers(owner.OwnerQuery{Paging: core.Paging[int64]{Limit: 10}}))
	w.same([]owner.Provider{first, second}, w.providers(owner.OwnerQuery{Paging: core.Paging[int64]{Limit: 2}}))
	w.same([]owner.Provider{third}, w.providers(owner.OwnerQuery{Paging: core.Paging[int64]{After: second.ID, Limit: 2}}))
	w.same(0, len(w.providers(owner.OwnerQuery{Paging: core.Paging[int64]{After: third.ID, Limit: 2}})))
	w.same(0, len(w.providers(owner.OwnerQuery{})))
}

func dealersByID(w *world) {
	first, second, third := w.dealer(), w.dealer(), w.dealer()
	w.commit(core.Changeset{third, first, second})
	w.same([]owner.Dealer{first, second, third}, w.dealers(owner.OwnerQuery{Paging: core.Paging[int64]{Limit: 10}}))
	w.same([]owner.Dealer{second}, w.dealers(owner.OwnerQuery{Paging: core.Paging[int64]{After: first.ID, Limit: 1}}))
	mine := core.Scope{DealerID: second.ID}
	w.same([]owner.Dealer{second}, w.dealers(owner.OwnerQuery{Scope: mine, Paging: core.Paging[int64]{Limit: 1}}))
	w.same(0, len(w.dealers(owner.OwnerQuery{Scope: mine, Paging: core.Paging[int64]{After: second.ID, Limit: 10}})))
	w.same(0, len(w.dealers(owner.OwnerQuery{Scope: core.Scope{DealerID: -1}, Paging: core.Paging[int64]{Limit: 10}})))
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
	w.same([]owner.Dealer{*last}, w.dealers(owner.OwnerQuery{Name: "wanted", Paging: core.Paging[int64]{Limit: 1}}))
	var seen []int64
	for after := int64(0); ; {
		page := w.dealers(owner.OwnerQuery{Paging: core.Paging[int64]{After: after, Limit: core.MaxPage}})
		if len(page) == 0 {
			break
		}
		for _, d := range page {
			after, seen = d.ID, append(seen, d.ID)
		}
	}
	w.same(len(many), len(slices.Compact(seen)))
}
