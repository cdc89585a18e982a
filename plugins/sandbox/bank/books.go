package bank

import (
	"cmp"
	"errors"
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
}

// Books gives the statements of all accounts, and how many lines they have: while that is the same, so are they.
func (b *Bank) Books() (all []Books, lines int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.accounts {
		books := Books{AccountID: a.ID, Entries: []Entry{}}
		written := slices.SortedFunc(slices.Values(a.lines), func(l, m *Line) int { return cmp.Compare(l.no, m.no) })
		for _, l := range written {
			books.Entries = append(books.Entries, Entry{Line: *l, EnteredAt: l.enteredAt})
		}
		all, lines = append(all, books), lines+len(written)
	}
	return all, lines
}

// restore writes kept statements into the accounts of a new bank. What is not of one of its accounts, or can't have been
// written by a bank, is left out.
func (b *Bank) restore(kept []Books) {
	now := b.now()
	for _, books := range kept {
		a, ok := b.account(books.AccountID)
		if !ok {
			b.config.Log.Warn("kept lines are left out: their account is gone", "account", books.AccountID, "lines", len(books.Entries))
			continue
		}
		for _, e := range books.Entries {
			if err := a.restore(e, now); err != nil {
				b.config.Log.Warn("a kept line is left out", "account", a.ID, "line", e.ID, "error", err)
			}
		}
	}
}

// restore writes a kept line as it was. The clock may have been moved on when it was written: by now, it was written.
func (a *account) restore(e Entry, now time.Time) error {
	err := e.check()
	switch {
	case err != nil:
	case e.ID == "" || !isText(e.ID) || e.BookedAt.IsZero() || e.EnteredAt.IsZero():
		err = errors.New("its id, or a time of it, is missing")
	case a.byID[e.ID] != nil:
		err = errors.New("there is one with its id")
	}
	if err != nil {
		a.entered++ // its number stays taken
		return err
	}
	at := e.EnteredAt
	if at.After(now) {
		at = now
	}
	a.book(e.Line, at)
	return nil
}
