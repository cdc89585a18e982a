package storetest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/owner"
)

// keyed is one kind of owners: the field with its key, the one with the key before, and how it is found by either.
type keyed struct {
	row         core.Row
	key, before string
	lookup      string
}

func owners(w *world) []keyed {
	return []keyed{
		{w.provider(), "APIKey", "PreviousAPIKey", "ProviderByAPIKey"}, {w.dealer(), "APIKey", "PreviousAPIKey", "DealerByAPIKey"},
		{w.site(1), "CredentialFingerprint", "PreviousCredential", "SiteByCredential"},
		{made(w.maker, owner.SiteToken{}), "Token", "PreviousToken", "SiteTokenByToken"},
	}
}

func (k keyed) make(id int64, version int, present, previous string) core.Changeset {
	before := owner.PreviousKey{Key: core.NewSecret(previous), Until: epoch}
	return core.Changeset{set(set(set(set(k.row, "ID", id), "Version", version), k.key, present), k.before, before)}
}

func (k keyed) find(w *world, key string) (id int64, err error) {
	by := lookup{method: k.lookup, fields: []string{k.key}}
	found, err := by.read(w, reflect.ValueOf(set(k.row, k.key, key)), func(core.Row) bool { return true })
	if err != nil {
		return 0, err
	}
	return reflect.ValueOf(found).FieldByName("ID").Int(), nil
}

func foundByEitherKey(w *world) {
	for _, k := range owners(w) {
		w.t.Run(k.lookup, func(t *testing.T) {
			w := w.in(t)
			finds := func(owners map[string]int64) {
				t.Helper()
				for key, want := range owners {
					id, err := k.find(w, key)
					if w.same(want, id); want == 0 {
						w.fails(fault.NotFound, err)
					}
				}
			}
			w.commit(k.make(7, 1, "new", "old"+awkward), k.make(8, 1, "other", ""))
			finds(map[string]int64{"new": 7, "old" + awkward: 7, "other": 8, "old": 0, "": 0})
			w.refused(fault.Conflict, k.make(9, 1, "third", "old"+awkward))
			w.commit(k.make(9, 1, "old"+awkward, "before"), k.make(10, 1, "fourth", ""))
			w.commit(k.make(8, 2, "next", "other"), k.make(8, 3, "last", "next"))
			finds(map[string]int64{"new": 7, "old" + awkward: 9, "before": 9, "other": 0, "next": 8, "last": 8})
			w.commit(k.make(8, 4, "last", ""))
			finds(map[string]int64{"next": 0, "last": 8})
		})
	}
}

func ownersNarrowed(w *world) {
	var providers []owner.Provider
	var dealers []owner.Dealer
	for i, name := range []string{"İstanbul Ödeme", "ISTANBUL 2", "Ankara %_", "Öde'me"} {
		p, d := w.provider(), w.dealer()
		p.Name, p.IsActive = name, i%2 == 0
		d.Name, d.IsActive = name, i%2 == 0
		providers, dealers = append(providers, p), append(dealers, d)
	}
	w.commit(core.Rows(providers[2:]), core.Rows(providers[:2]), core.Rows(dealers[2:]), core.Rows(dealers[:2]))
	for _, tt := range []struct {
		query owner.OwnerQuery
		want  []int
	}{
		{owner.OwnerQuery{}, []int{0, 1, 2, 3}},
		{owner.OwnerQuery{Name: "istanbul"}, []int{0, 1}}, {owner.OwnerQuery{Name: " ODEME "}, []int{0}},
		{owner.OwnerQuery{Name: "ödE"}, []int{0, 3}}, {owner.OwnerQuery{Name: "izmir"}, nil},
		{owner.OwnerQuery{Name: "%"}, []int{0, 1, 2, 3}}, // no letter: not compared
		{owner.OwnerQuery{IsActive: new(true)}, []int{0, 2}},
		{owner.OwnerQuery{IsActive: new(false), Name: "ist"}, []int{1}},
	} {
		var wantProviders []owner.Provider
		var wantDealers []owner.Dealer
		for _, i := range tt.want {
			wantProviders, wantDealers = append(wantProviders, providers[i]), append(wantDealers, dealers[i])
		}
		tt.query.Limit = 10
		w.same(wantProviders, read(w, w.store.Providers, tt.query))
		w.same(wantDealers, read(w, w.store.Dealers, tt.query))
	}
	mine := owner.OwnerQuery{Scope: core.Scope{DealerID: dealers[1].ID}, Paging: core.Paging[int64]{Limit: 10}}
	w.same(dealers[1:2], read(w, w.store.Dealers, mine))
	mine.After = dealers[1].ID
	w.same(0, len(read(w, w.store.Dealers, mine)))
	w.same(0, len(read(w, w.store.Dealers, owner.OwnerQuery{Scope: core.Scope{DealerID: -1}, Paging: core.Paging[int64]{Limit: 10}})))
}

func ownerBehindMany(w *world) {
	var many []owner.Dealer
	for i := range 450 {
		d := w.dealer()
		d.Name = fmt.Sprint("dealer ", i)
		many = append(many, d)
	}
	many[449].Name = "Wanted"
	w.commit(core.Rows(many))
	w.same(many[449:], read(w, w.store.Dealers, owner.OwnerQuery{Name: "wanted", Paging: core.Paging[int64]{Limit: 1}}))
	q := owner.OwnerQuery{Paging: core.Paging[int64]{Limit: core.MaxPage + 1}}
	w.same(many[:q.Limit], read(w, w.store.Dealers, q))
}

func noAliases(w *world) {
	p, d := w.provider(), w.dealer()
	w.commit(core.Changeset{p, d})
	p.IPWhitelist[0], d.IPWhitelist[0] = p.IPWhitelist[1], p.IPWhitelist[1]
	for range 2 {
		provider, byKey := read(w, w.store.Provider, p.ID), read(w, w.store.DealerByAPIKey, d.APIKey)
		w.same(whitelist(), provider.IPWhitelist)
		w.same(whitelist(), byKey.IPWhitelist)
		provider.IPWhitelist[0], byKey.IPWhitelist[0] = p.IPWhitelist[1], p.IPWhitelist[1]
	}
}
