package storetest_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vezne/vezne/adapters/memory"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// brokenWallets is what may be broken about wallets.
type brokenWallets struct {
	wallet  func(b *core.WalletBalance)
	booked  func(list []core.LedgerEntry) []core.LedgerEntry
	lines   func(q *core.BankLineQuery)
	total   func(lines []core.BankLine, total int) int
	token   func(t *core.SiteToken)
	keyless bool // a dealer is found by any key
}

func (b broken) WalletBy(ctx context.Context, walletID string) (core.WalletBalance, error) {
	w, err := b.Store.WalletBy(ctx, walletID)
	if b.wallet != nil && err == nil {
		b.wallet(&w)
	}
	return w, err
}

func (b broken) Entries(ctx context.Context, walletID int64, after core.ID, limit int) ([]core.LedgerEntry, error) {
	list, err := b.Store.Entries(ctx, walletID, after, limit)
	if b.booked != nil {
		list = b.booked(list)
	}
	return list, err
}

func (b broken) BankLines(ctx context.Context, q core.BankLineQuery) ([]core.BankLine, int, error) {
	if b.lines != nil {
		b.lines(&q)
	}
	lines, total, err := b.Store.BankLines(ctx, q)
	if b.total != nil {
		total = b.total(lines, total)
	}
	return lines, total, err
}

func (b broken) SiteTokenByToken(ctx context.Context, token string) (core.SiteToken, error) {
	t, err := b.Store.SiteTokenByToken(ctx, token)
	if b.token != nil {
		b.token(&t)
	}
	return t, err
}

func (b broken) DealerByAPIKey(ctx context.Context, key string) (core.Dealer, error) {
	d, err := b.Store.DealerByAPIKey(ctx, key)
	if b.keyless && fault.Is(err, fault.NotFound) {
		return d, nil
	}
	return d, err
}

func ledgerDefects() []defect {
	return []defect{
		{"overdraws", "ledger/everything that is there may be taken, and nothing more", func() broken {
			return broken{commit: overdraw}
		}},
		{"overdraws between transfers",
			"ledger concurrency/of concurrent transfers as many succeed as the balance is enough for",
			func() broken { return broken{commit: overdraw} }},
		{"looks at the balance entry by entry", "ledger/a changeset's entries are added up before a balance is looked at",
			func() broken { return broken{commit: entryByEntry} }},
		{"takes an entry that sums to something", "ledger/an entry that does not sum to zero is refused, also beside its opposite",
			func() broken { return broken{change: eachEntry(balanceOut)} }},
		{"books on any wallet", "ledger/an entry of a wallet that is not there is a conflict", func() broken {
			return broken{commit: leaveOutConflicts}
		}},
		{"reserves twice for a payment", "ledger/each kind of entry exists once for a payment", func() broken {
			return broken{change: eachEntry(func(e *core.LedgerEntry) { e.PaymentID = "" })}
		}},
		{"credits a line twice", "bank lines/a line that is known is kept as it was and its entry is left out",
			func() broken { return broken{change: eachEntry(func(e *core.LedgerEntry) { e.LineID = "" })} }},
		{"credits a line twice, seen by the property", randomly, func() broken {
			return broken{change: eachEntry(func(e *core.LedgerEntry) { e.LineID = "" })}
		}},
		{"credits what many import once each",
			"ledger concurrency/a line that many import at the same time is kept and credited once",
			func() broken { return broken{change: eachEntry(func(e *core.LedgerEntry) { e.LineID = "" })} }},
		{"refuses to import again", "bank lines/the same import again changes nothing", func() broken {
			return broken{commit: conflictOfLines}
		}},
		{"keeps one line of a name for all wallets", "bank lines/a line of one name may be in every wallet", func() broken {
			return broken{change: forgetWallets()}
		}},
	}
}

func walletReadDefects() []defect {
	return []defect{
		{"forgets what is reserved", "ledger/each kind of entry moves money as it says", func() broken {
			return broken{brokenWallets: brokenWallets{wallet: func(b *core.WalletBalance) { b.Reserved = money.Amount{} }}}
		}},
		{"gives the oldest entries first", "ledger/entries are one wallet's, newest first, page by page", func() broken {
			return broken{brokenWallets: brokenWallets{booked: func(list []core.LedgerEntry) []core.LedgerEntry {
				slices.Reverse(list)
				return list
			}}}
		}},
		{"sees a balance before its entries", "ledger concurrency/who sees a balance finds the entries that made it",
			func() broken {
				return broken{brokenWallets: brokenWallets{booked: func(list []core.LedgerEntry) []core.LedgerEntry {
					return list[min(1, len(list)):]
				}}}
			}},
		{"counts a page for the total", "bank line pages/pages cover everything once, and the total is of all", func() broken {
			return broken{brokenWallets: brokenWallets{total: func(l []core.BankLine, _ int) int { return len(l) }}}
		}},
		{"skips one line too many", "bank line pages/pages cover everything once, and the total is of all", func() broken {
			return broken{brokenWallets: brokenWallets{lines: func(q *core.BankLineQuery) {
				if q.Skip > 0 {
					q.Skip++
				}
			}}}
		}},
		{"includes the end", "bank line pages/lines are of one wallet, from included, until excluded", func() broken {
			return broken{brokenWallets: brokenWallets{lines: func(q *core.BankLineQuery) {
				q.Until = q.Until.Add(time.Microsecond)
			}}}
		}},
		{"counts by quarters of an hour only", "bank line pages/lines are of one wallet, from included, until excluded",
			func() broken {
				return broken{brokenWallets: brokenWallets{lines: func(q *core.BankLineQuery) {
					q.From = q.From.Truncate(15 * time.Minute)
				}}}
			}},
		{"gives site tokens without their secret", "directory/every field of a site token comes back", func() broken {
			return broken{brokenWallets: brokenWallets{token: func(t *core.SiteToken) { t.SecretKey = core.Secret{} }}}
		}},
		{"knows every dealer's key", "directory/dealers are found by their key and site tokens by their token only",
			func() broken { return broken{brokenWallets: brokenWallets{keyless: true}} }},
	}
}

// overdraw lends what is missing.
func overdraw(ctx context.Context, s *memory.Store, c core.Changeset) error {
	err := s.Commit(ctx, c)
	if fault.Is(err, fault.Insufficient) {
		c.Entries = nil
		err = s.Commit(ctx, c)
	}
	return err
}

func entryByEntry(ctx context.Context, s *memory.Store, c core.Changeset) error {
	if len(c.Entries) < 2 || len(c.BankLines) > 0 {
		return s.Commit(ctx, c)
	}
	entries := c.Entries
	for _, e := range entries {
		c.Entries = []core.LedgerEntry{e}
		if err := s.Commit(ctx, c); err != nil {
			return err
		}
		c = core.Changeset{}
	}
	return nil
}

// leaveOutConflicts books nothing where it can't.
func leaveOutConflicts(ctx context.Context, s *memory.Store, c core.Changeset) error {
	err := s.Commit(ctx, c)
	if fault.Is(err, fault.Conflict) && len(c.Entries) > 0 {
		c.Entries = nil
		err = s.Commit(ctx, c)
	}
	return err
}

func conflictOfLines(ctx context.Context, s *memory.Store, c core.Changeset) error {
	for _, l := range c.BankLines {
		q := core.BankLineQuery{WalletID: l.WalletID, Until: l.BookedAt.Add(time.Microsecond), Limit: core.MaxPage}
		known, _, err := s.BankLines(ctx, q)
		if err != nil || slices.ContainsFunc(known, func(k core.BankLine) bool { return k.LineID == l.LineID }) {
			return fault.E("conflictOfLines", fault.Conflict, err)
		}
	}
	return s.Commit(ctx, c)
}

// forgetWallets takes lines of one name for one line.
func forgetWallets() func(*memory.Store, *core.Changeset) {
	var mu sync.Mutex
	walletOf := map[string]int64{}
	return func(_ *memory.Store, c *core.Changeset) {
		mu.Lock()
		defer mu.Unlock()
		c.BankLines = slices.DeleteFunc(slices.Clone(c.BankLines), func(l core.BankLine) bool {
			if _, ok := walletOf[l.LineID]; !ok {
				walletOf[l.LineID] = l.WalletID
			}
			return walletOf[l.LineID] != l.WalletID
		})
	}
}

func eachEntry(change func(*core.LedgerEntry)) func(*memory.Store, *core.Changeset) {
	return func(_ *memory.Store, c *core.Changeset) {
		c.Entries = slices.Clone(c.Entries)
		for i := range c.Entries {
			change(&c.Entries[i])
		}
	}
}

func balanceOut(e *core.LedgerEntry) {
	e.Outside = money.New(-e.Available.Minor()-e.Reserved.Minor(), money.TRY)
}
