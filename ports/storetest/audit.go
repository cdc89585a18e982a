package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

func chainSentences() []sentence {
	return []sentence{
		{"links come back in their order, with their entries", linksComeBack},
		{"a link without its entry is given as such", linkWithoutEntry},
		{"a number is taken once", numberTakenOnce},
		{"an entry is chained once", entryChainedOnce},
		{"of concurrent chainers one wins", oneChainerWins},
		{"entries without a link are found, stretch by stretch", unchainedFound},
		{"a late entry is found behind those that are chained", lateEntryFound},
		{"an entry shows its number once it is chained", entryShowsNumber},
	}
}

// auditAt makes an entry whose ID is of its moment.
func (m *maker) auditAt(at time.Time) core.AuditEntry {
	_, n, _ := m.next()
	ids, err := core.NewIDs(at, strings.NewReader(fmt.Sprintf("%010d", n%10_000_000_000)))
	if err != nil {
		panic(err) // ten bytes are enough
	}
	e := m.audit()
	e.ID, e.At = ids.Next(), at
	return e
}

func (w *world) auditEntries(q core.AuditQuery) []core.AuditRecord {
	w.t.Helper()
	found, err := w.store.AuditEntries(w.ctx, q)
	w.no(err)
	return found
}

// logged commits n entries a second apart and gives them oldest first.
func (w *world) logged(n int) []core.AuditEntry {
	w.t.Helper()
	var all []core.AuditEntry
	for i := range n {
		all = append(all, w.auditAt(epoch.Add(time.Duration(i)*time.Second)))
	}
	w.commit(core.Rows(all[n/2:]), core.Rows(all[:n/2]))
	return all
}

func entryIDs(entries []core.AuditEntry) []core.ID {
	return idsOf(entries, func(e core.AuditEntry) core.ID { return e.ID })
}

// chain links entries behind the head and commits that.
func (w *world) chain(entries ...core.AuditEntry) []core.AuditLink {
	w.t.Helper()
	links := w.linked(entries...)
	w.commit(core.Rows(links))
	return links
}

func (w *world) linked(entries ...core.AuditEntry) []core.AuditLink {
	w.t.Helper()
	var links []core.AuditLink
	last := w.auditHead()
	for _, e := range entries {
		last = e.Link(last)
		links = append(links, last)
	}
	return links
}

func (w *world) auditHead() core.AuditLink {
	w.t.Helper()
	head, err := w.store.AuditHead(w.ctx)
	w.no(err)
	return head
}

func (w *world) links(first int64, limit int) []core.ChainedEntry {
	w.t.Helper()
	found, err := w.store.AuditLinks(w.ctx, first, limit)
	w.no(err)
	return found
}

func linksComeBack(w *world) {
	entries := w.logged(5)
	slices.Reverse(entries) // a chain has an order of its own
	var want []core.ChainedEntry
	for i, l := range w.chain(entries...) {
		want = append(want, core.ChainedEntry{Link: l, Entry: entries[i], HasEntry: true})
	}
	w.same(want, w.links(0, 50))
	w.same(want[1:3], w.links(2, 2))
	w.same(want[4].Link, w.auditHead())
	w.same(0, len(w.links(6, 5)))
	w.same(0, len(w.links(1, 0)))
}

func linkWithoutEntry(w *world) {
	l := w.chain(w.audit())[0]
	w.same([]core.ChainedEntry{{Link: l}}, w.links(1, 5))
}

func numberTakenOnce(w *world) {
	entries := w.logged(3)
	first := w.chain(entries[0])[0]
	again := entries[1].Link(core.AuditLink{})
	w.refused(fault.Conflict, core.Changeset{again, entries[2].Link(again)})
	w.same(first, w.auditHead())
}

func entryChainedOnce(w *world) {
	entries := w.logged(2)
	first := w.chain(entries[0])[0]
	w.refused(fault.Conflict, core.Changeset{entries[0].Link(first)})
	w.same(first, w.auditHead())
}

func oneChainerWins(w *world) {
	entries := w.logged(10)
	before := w.chain(entries[0])
	proposals := make([][]core.AuditLink, 9)
	for i := range proposals {
		proposals[i] = w.linked(entries[1 : i+2]...)
	}
	errs := together(len(proposals), func(i int) error {
		return w.store.Commit(context.WithoutCancel(w.ctx), core.Rows(proposals[i]))
	})
	w.same(1, w.won(errs, fault.Conflict))
	winner := slices.Index(errs, nil)
	var got []core.AuditLink
	for _, c := range w.links(1, 50) {
		got = append(got, c.Link)
	}
	w.same(append(before, proposals[winner]...), got)
}

func (w *world) unchained(after core.ID, limit int) ([]core.ID, core.ID) {
	w.t.Helper()
	found, last, err := w.store.Unchained(w.ctx, after, limit)
	w.no(err)
	return entryIDs(found), last
}

func unchainedFound(w *world) {
	entries := w.logged(7)
	ids := entryIDs(entries)
	w.chain(entries[1], entries[4])
	for _, c := range []struct {
		after core.ID
		limit int
		want  []core.ID
		last  core.ID
	}{
		{"", 50, []core.ID{ids[0], ids[2], ids[3], ids[5], ids[6]}, ids[6]},
		{"", 2, []core.ID{ids[0]}, ids[1]},
		{ids[1], 3, []core.ID{ids[2], ids[3]}, ids[4]},
		{ids[3], 1, []core.ID{}, ids[4]},
		{ids[6], 5, []core.ID{}, ""},
		{"", 0, []core.ID{}, ""},
	} {
		got, last := w.unchained(c.after, c.limit)
		w.same(c.want, got)
		w.same(c.last, last)
	}
	whole, _, err := w.store.Unchained(w.ctx, ids[5], 1)
	w.no(err)
	w.same(entries[6:], whole)
}

func lateEntryFound(w *world) {
	entries := w.logged(3)
	w.chain(entries...)
	late := w.auditAt(epoch.Add(1500 * time.Millisecond))
	w.commit(core.Changeset{late})
	got, _ := w.unchained("", 50)
	w.same([]core.ID{late.ID}, got)
}

func entryShowsNumber(w *world) {
	entries := w.logged(3)
	w.chain(entries[2], entries[0])
	var got []int64
	for _, r := range w.auditEntries(core.AuditQuery{Paging: core.Paging[core.ID]{Limit: 5}}) {
		got = append(got, r.ChainNumber)
	}
	w.same([]int64{1, 0, 2}, got)
}
