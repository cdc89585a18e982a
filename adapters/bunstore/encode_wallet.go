package bunstore

import (
	"crypto/rand"
	"encoding/binary"
	"slices"

	"github.com/vezne/vezne/core"
)

func (e *encoder) wallets(c core.Changeset) {
	for _, w := range c.Wallets {
		putVersion(e, newWallet, number(w.ID), w.Version, walletRowOf(w), nil)
		if w.Version == 1 {
			put(e, newBalance, balanceRow{WalletID: w.ID}, nil)
		}
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

// bankLines inserts the lines that are new, and gives the mark of each. Of several with one name the first counts.
func (e *encoder) bankLines(lines []core.BankLine) map[lineKey]int64 {
	if len(lines) == 0 {
		return nil
	}
	marks, mark := map[lineKey]int64{}, newMark()
	for _, l := range lines {
		key := lineKey{l.WalletID, l.LineID}
		if marks[key] != 0 {
			continue
		}
		marks[key] = mark
		e.touch(bankLineSlot, number(l.WalletID)+"/"+l.LineID)
		row, err := bankLineRowOf(l, mark)
		put(e, bankLineSlot, row, err)
		put(e, quarterSlot, row.quarter(), err)
	}
	return marks
}

// newMark is a number that no commit has used before for the lines that it imports.
func newMark() int64 {
	var random [8]byte
	_, _ = rand.Read(random[:])                                // never fails
	return int64(binary.NativeEndian.Uint64(random[:])>>1 | 1) //nolint:gosec // has 63 bits
}
