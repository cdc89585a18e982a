package bunstore

import (
	"crypto/rand"
	"encoding/binary"
	"slices"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

func (e *encoder) wallets(c core.Changeset) {
	for _, w := range c.Wallets {
		putVersion(e, newWallet, number(w.ID), w.Version, walletRowOf(w), nil)
		if w.Version == 1 {
			put(e, newBalance, balanceRow{WalletID: w.ID}, nil)
		}
	}
	for _, f := range c.Feeds {
		row, err := feedRowOf(f)
		putVersion(e, newFeed, number(f.WalletID), f.Version, row, err)
	}
	for _, r := range c.Reconciliations {
		row, err := reconciliationRowOf(r)
		putVersion(e, newReconciliation, number(r.WalletID)+"/"+string(r.Day), r.Version, row, err)
	}
	marks := e.bankLines(c.BankLines)
	for _, entry := range c.Entries {
		row, err := entryRowOf(entry)
		marked := markedRow{row, marks[lineKey{entry.WalletID, entry.LineID}]}
		put(e, entrySlot, marked, err)
		put(e, changeSlot, marked.change(), err)
		e.change(marked)
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

// bankLines inserts the lines that are new, and gives the mark of each. Of several with one name the first counts. One
// that is saved has no mark: the entries about it are kept. It comes once, and not beside an import of it.
func (e *encoder) bankLines(lines []core.BankLine) map[lineKey]int64 {
	if len(lines) == 0 {
		return nil
	}
	marks, saved, mark := map[lineKey]int64{}, map[lineKey]bool{}, newMark()
	for _, l := range lines {
		key := lineKey{l.WalletID, l.LineID}
		_, isKnown := marks[key]
		isImport := l.Version == 1
		saved[key] = saved[key] || !isImport
		switch {
		case isKnown && !saved[key]:
			continue
		case isKnown && e.err == nil:
			e.err = fault.New("bunstore.encode", fault.Conflict)
		}
		if marks[key] = 0; isImport {
			marks[key] = mark
		}
		e.bankLine(l, marks[key])
	}
	return marks
}

func (e *encoder) bankLine(l core.BankLine, mark int64) {
	id := number(l.WalletID) + "/" + l.LineID
	if l.Version != 1 {
		putVersion(e, bankLineSlot, id, l.Version, savedLineRowOf(l), nil)
		return
	}
	row, err := bankLineRowOf(l, mark)
	putVersion(e, bankLineSlot, id, l.Version, row, err)
	put(e, quarterSlot, row.quarter(), err)
}

// newMark is a number that no commit has used before for the lines that it imports.
func newMark() int64 {
	var random [8]byte
	_, _ = rand.Read(random[:])                                // never fails
	return int64(binary.NativeEndian.Uint64(random[:])>>1 | 1) //nolint:gosec // has 63 bits
}
