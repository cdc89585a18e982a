package storetest

import (
	"slices"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/audit"
	"github.com/vezne/vezne/core/fault"
)

// auditKeys are of 32 equal bytes.
var auditKeys, _ = audit.ParseKeys("AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=")

// auditAt makes an entry whose ID is of its moment.
func (m *maker) auditAt(at time.Time) core.AuditEntry {
	e := m.audit()
	e.ID, e.At = m.idAt(at), at
	return e
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

// chain links entries behind the head and commits that.
func (w *world) chain(entries ...core.AuditEntry) []audit.Link {
	w.t.Helper()
	links := w.linked(entries...)
	w.commit(core.Rows(links))
	return links
}

func (w *world) linked(entries ...core.AuditEntry) []audit.Link {
	w.t.Helper()
	var links []audit.Link
	last := w.auditHead()
	for _, e := range entries {
		last = audit.NewLink(last, e, auditKeys.Signer())
		links = append(links, last)
	}
	return links
}

func (w *world) auditHead() audit.Link {
	w.t.Helper()
	end, err := w.store.AuditEnd(w.ctx, audit.ChainName)
	w.no(err)
	return end.Link
}

func linksComeBack(w *world) {
	entries := w.logged(5)
	slices.Reverse(entries) // a chain has an order of its own
	entries[3] = w.audit()  // is not there
	var want []audit.ChainedEntry
	for i, l := range w.chain(entries...) {
		want = append(want, audit.ChainedEntry{Link: l, Entry: entries[i], HasEntry: true})
	}
	want[3] = audit.ChainedEntry{Link: want[3].Link}
	for _, c := range []struct {
		first int64
		limit int
		want  []audit.ChainedEntry
	}{{0, 50, want}, {2, 2, want[1:3]}, {6, 5, nil}, {1, 0, nil}} {
		found, err := w.store.AuditLinks(w.ctx, c.first, c.limit)
		w.no(err)
		w.same(c.want, found)
	}
	w.same(want[4].Link, w.auditHead())
	var got []int64
	for _, r := range read(w, w.store.AuditEntries, core.AuditQuery{Paging: core.Paging[core.ID]{Limit: 9}}) {
		got = append(got, r.ChainNumber)
	}
	w.same([]int64{1, 2, 3, 0, 5}, got)
}

func chainedOnce(w *world) {
	entries := w.logged(3)
	first := w.chain(entries[0])[0]
	again := audit.NewLink(audit.Link{}, entries[1], auditKeys.Signer())
	w.refused(fault.Conflict, core.Changeset{again, audit.NewLink(again, entries[2], auditKeys.Signer())})
	w.refused(fault.Conflict, core.Changeset{audit.NewLink(first, entries[0], auditKeys.Signer())})
	w.same(first, w.auditHead())
}

func unchainedFound(w *world) {
	entries := w.logged(7)
	w.chain(entries[1], entries[4])
	for _, c := range []struct {
		after core.ID
		limit int
		want  []core.AuditEntry
		last  core.ID
	}{
		{"", 50, []core.AuditEntry{entries[0], entries[2], entries[3], entries[5], entries[6]}, entries[6].ID},
		{"", 2, entries[:1], entries[1].ID},
		{entries[1].ID, 3, entries[2:4], entries[4].ID},
		{entries[3].ID, 1, nil, entries[4].ID},
		{entries[6].ID, 5, nil, ""},
		{"", 0, nil, ""},
	} {
		found, last, err := w.store.Unchained(w.ctx, c.after, c.limit)
		w.no(err)
		w.same(c.want, found)
		w.same(c.last, last)
	}
}

// endOfOneMoment has the end of a chain replaced as it grows, and read with the link that is its end.
func endOfOneMoment(w *world) {
	end, err := w.store.AuditEnd(w.ctx, audit.ChainName)
	w.no(err)
	w.same(audit.End{}, end)
	entries := w.logged(3)
	var last audit.Checkpoint
	for i := range entries {
		link := w.linked(entries[i])[0]
		next := audit.Checkpoint{Name: audit.ChainName, Version: i + 1, Head: link.Head(), At: epoch}.Sign(auditKeys.Signer())
		w.commit(core.Changeset{link, next})
		end, err := w.store.AuditEnd(w.ctx, audit.ChainName)
		w.no(err)
		w.same(audit.End{Link: link, Checkpoint: next}, end)
		last = next
	}
	w.refused(fault.Conflict, core.Changeset{last})
	other, err := w.store.AuditEnd(w.ctx, "another")
	w.no(err)
	w.same(audit.End{Link: w.auditHead()}, other)
}
