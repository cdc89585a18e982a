package bank

import (
	"cmp"
	"slices"
	"time"
)

// Books are what an account's statement is made of, for who keeps them beyond the life of a Bank.
type Books struct {
	AccountID string  `json:"account_id"`
	Entries   []Entry `json:"entries"` // in the order in which the bank wrote them
}

// Entry is a line with when the bank wrote it.
type Entry struct {
	Line
	EnteredAt time.Time `json:"entered_at"`
	IsHidden  bool      `json:"is_hidden,omitempty"` // left out of every listing
}

// Books returns the statements of all accounts, and how many lines they have: while that is the same, so are they.
func (b *Bank) Books() (all []Books, lines int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.accounts {
		books := Books{AccountID: a.ID, Entries: []Entry{}}
		written := slices.SortedFunc(slices.Values(a.lines), func(l, m *Line) int { return cmp.Compare(l.no, m.no) })
		for _, l := range written {
			books.Entries = append(books.Entries, Entry{Line: *l, EnteredAt: l.enteredAt, IsHidden: l.isHidden})
		}
		all, lines = append(all, books), lines+len(written)
	}
	return all, lines
}

// restore writes kept statements into the accounts of a new bank, each line when it was written: by now, whatever the clock
// of the earlier bank said. What an account can't have is left out.
func (b *Bank) restore(kept []Books) {
	now := b.now()
	for _, books := range kept {
		a, ok := b.account(books.AccountID)
		for _, e := range books.Entries {
			if !ok || e.check() != nil || a.byID[e.ID] != nil {
				b.config.Log.Warn("a kept line is left out", "account", books.AccountID, "line", e.ID)
				continue
			}
			if e.EnteredAt.After(now) {
				e.EnteredAt = now
			}
			a.book(e.Line, e.EnteredAt).isHidden = e.IsHidden
		}
	}
}
