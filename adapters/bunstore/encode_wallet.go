package bunstore

import (
	"crypto/rand"
	"encoding/binary"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

// wallets are made with their balances.
func wallets() table {
	t := versioned(plain(walletRowOf))
	shapes, write := t.shapes, t.put
	t.shapes = func(w shapeWriter) []shape { return append(shapes(w), w.insert(rowType[balanceRow](), "")) }
	t.put = func(e *encoder, at int, rows []core.Row) {
		write(e, at, rows)
		for _, w := range core.RowsOf[wallet.Wallet](rows) {
			if w.Version == 1 {
				put(e, at+2, balanceRow{WalletID: w.ID}, nil)
			}
		}
	}
	return t
}

// ledgerEntries raise their wallets' balances. They follow the bank lines that some of them are about.
func ledgerEntries() table {
	return table{
		rows:   kinds[ledger.LedgerEntry](),
		shapes: func(w shapeWriter) []shape { return []shape{w.entries(), w.changes()} },
		put: func(e *encoder, at int, rows []core.Row) {
			for _, entry := range core.RowsOf[ledger.LedgerEntry](rows) {
				row, err := entryRowOf(entry)
				marked := markedRow{row, e.marks[lineKey{entry.WalletID, entry.LineID}]}
				put(e, at, marked, err)
				put(e, at+1, marked.change(), err)
				e.change(marked)
			}
		},
	}
}

// changed is what a changeset does to a wallet's balance. It is not known before the commit where an entry may be left
// out.
type changed struct {
	walletID            int64
	available, reserved int64
	isUnknown           bool
}

func (e *encoder) change(r markedRow) {
	i := slices.IndexFunc(e.changed, func(c changed) bool { return c.walletID == r.WalletID })
	if i < 0 {
		i = len(e.changed)
		e.changed = append(e.changed, changed{walletID: r.WalletID})
	}
	c := &e.changed[i]
	c.available += r.AvailableMinor
	c.reserved += r.ReservedMinor
	c.isUnknown = c.isUnknown || r.Mark != 0
}

// lineKey names a line of a wallet's statement.
type lineKey struct {
	walletID int64
	lineID   string
}

// bankStatements are lines that are imported, each once, and counted by the quarter of an hour in which they were booked; and saved by
// compare-and-set.
func bankStatements() table {
	return table{
		rows: kinds[wallet.BankLine](),
		shapes: func(w shapeWriter) []shape {
			return []shape{
				w.insert(rowType[bankLineRow](), " ON CONFLICT DO NOTHING"), w.save(rowType[savedLineRow]()), w.quarters(),
			}
		},
		put: func(e *encoder, at int, rows []core.Row) { e.bankLines(at, core.RowsOf[wallet.BankLine](rows)) },
	}
}

// bankLines inserts the lines that are new, and keeps the mark of each. Of several with one name the first counts. One
// that is saved has no mark: the entries about it are kept. It comes once, and not beside an import of it.
func (e *encoder) bankLines(at int, lines []wallet.BankLine) {
	e.marks = map[lineKey]int64{}
	saved, mark := map[lineKey]bool{}, newMark()
	for _, l := range lines {
		key := lineKey{l.WalletID, l.LineID}
		_, isKnown := e.marks[key]
		isImport := l.Version == 1
		saved[key] = saved[key] || !isImport
		switch {
		case isKnown && !saved[key]:
			continue
		case isKnown:
			e.fail(fault.New("bunstore.encode", fault.Conflict))
		}
		if e.marks[key] = 0; isImport {
			e.marks[key] = mark
			e.hasLines = true
		}
		e.bankLine(at, l, e.marks[key])
	}
}

func (e *encoder) bankLine(at int, l wallet.BankLine, mark int64) {
	if l.Version != 1 {
		putVersion(e, at, l.Identity(), savedLineRowOf(l), nil)
		return
	}
	row, err := bankLineRowOf(l, mark)
	putVersion(e, at, l.Identity(), row, err)
	put(e, at+2, row.quarter(), err)
}

// newMark is a number that no commit has used before for the lines that it imports.
func newMark() int64 {
	var random [8]byte
	_, _ = rand.Read(random[:])                                // never fails
	return int64(binary.NativeEndian.Uint64(random[:])>>1 | 1) //nolint:gosec // has 63 bits
}
