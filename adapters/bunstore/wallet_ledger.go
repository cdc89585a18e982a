package bunstore

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

// wallets are made with their balances.
func wallets() table {
	t := versioned(plain(walletRowOf))
	templates, write := t.templates, t.put
	t.templates = func(w templateWriter) []template { return append(templates(w), w.insert(rowType[balanceRow](), "")) }
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
		rows:      kinds[ledger.Entry](),
		templates: func(w templateWriter) []template { return []template{w.entries(), w.changes()} },
		put: func(e *encoder, at int, rows []core.Row) {
			for _, entry := range core.RowsOf[ledger.Entry](rows) {
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
		templates: func(w templateWriter) []template {
			return append(keyTemplates(w),
				w.insert(rowType[bankLineRow](), " ON CONFLICT DO NOTHING"), w.save(rowType[savedLineRow]()), w.quarters(), w.lineTerms())
		},
		put: func(e *encoder, at int, rows []core.Row) {
			e.putKeys(at, nil)
			e.bankLines(at+keyTemplateCount, core.RowsOf[wallet.BankLine](rows))
		},
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
	row, err := bankLineRowOf(l, mark, e.keysIn)
	putVersion(e, at, l.Identity(), row, err)
	put(e, at+2, row.quarter(), err)
	for _, term := range e.keysIn.blinding.lineTerms(l) {
		put(e, at+3, lineTermRow{WalletID: l.WalletID, LineID: l.LineID, Mark: mark, Term: term}, err)
	}
}

// newMark is a number that no commit has used before for the lines that it imports.
func newMark() int64 {
	var random [8]byte
	_, _ = rand.Read(random[:])                                // never fails
	return int64(binary.NativeEndian.Uint64(random[:])>>1 | 1) //nolint:gosec // has 63 bits
}

// written joins a row of d that names a line to that line, if it is one that this commit has inserted. A line that was
// there before has another mark.
const written = "JOIN bank_lines AS l ON l.wallet_id = d.wallet_id AND l.line_id = d.line_id AND l.mark = d.mark"

// quarters counts the lines that this commit has inserted, always in the same order, so that no two commits wait for
// each other.
func (w templateWriter) quarters() template {
	return w.data(w.table(rowType[quarterRow]()).Fields,
		`INSERT INTO bank_line_counts (wallet_id, quarter, lines)`+
			` SELECT d.wallet_id, d.quarter, count(*) FROM d `+written+
			` WHERE true GROUP BY d.wallet_id, d.quarter ORDER BY d.wallet_id, d.quarter`+
			` ON CONFLICT (wallet_id, quarter) DO UPDATE SET lines = bank_line_counts.lines + excluded.lines`)
}

// lineTerms keeps what the lines that this commit has inserted are found by.
func (w templateWriter) lineTerms() template {
	return w.data(w.table(rowType[lineTermRow]()).Fields,
		`INSERT INTO bank_line_terms (term, id) SELECT d.term, l.id FROM d `+written+` WHERE true ORDER BY d.term, l.id`)
}

// entries inserts those that are about no line of this commit, or about one that it has inserted.
func (w templateWriter) entries() template {
	t, fields := w.table(rowType[entryRow]()), w.table(rowType[markedRow]()).Fields
	insert := fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM d ", t.Name, columns(t.Fields), columnsOf("d", t.Fields))
	s := w.data(fields, insert+"LEFT "+written+" WHERE d.id IS NOT NULL AND (d.mark = 0 OR l.mark IS NOT NULL)")
	plain := w.data(fields, insert+"WHERE d.id IS NOT NULL")
	s.plain = &plain
	return s
}

// changes adds up what the entries that are kept do to each wallet. The wallets are held in order, so that no two
// commits wait for each other; one that is not there is missed by the count.
func (w templateWriter) changes() template {
	fields := w.table(rowType[changeRow]()).Fields
	s := w.data(fields, `, held AS MATERIALIZED (SELECT wallet_id FROM wallet_balances WHERE wallet_id IN (SELECT wallet_id FROM d)`+
		` ORDER BY wallet_id`+w.dialect.lock()+`), s AS (SELECT d.wallet_id, `+
		sums("CASE WHEN d.mark = 0 OR l.mark IS NOT NULL THEN d.%s ELSE 0 END")+` FROM d LEFT `+written+
		` GROUP BY d.wallet_id)`+addSums+` FROM held JOIN s ON s.wallet_id = held.wallet_id`+
		` WHERE wallet_balances.wallet_id = held.wallet_id RETURNING 1`).all(fault.Conflict)
	plain := w.data(fields, `, s AS (SELECT d.wallet_id, `+sums("d.%s")+` FROM d GROUP BY d.wallet_id)`+addSums+
		` FROM s WHERE wallet_balances.wallet_id = s.wallet_id RETURNING 1`).all(fault.Conflict)
	s.isPerWallet, plain.isPerWallet = true, true
	s.plain = &plain
	return s
}

const addSums = ` UPDATE wallet_balances SET available_minor = wallet_balances.available_minor + s.available_minor,` +
	` reserved_minor = wallet_balances.reserved_minor + s.reserved_minor,` +
	` outside_minor = wallet_balances.outside_minor + s.outside_minor`

// sums adds up an expression for each of a wallet's accounts.
func sums(expression string) string {
	var list []string
	for _, account := range []string{"available_minor", "reserved_minor", "outside_minor"} {
		list = append(list, fmt.Sprintf("sum("+expression+") AS %[1]s", account))
	}
	return strings.Join(list, ", ")
}

// walletsIn counts the wallets whose balances a batch changes, each once. isPlain: one at most, and no lines come along.
func walletsIn(batch []*encoded) (n int, isPlain bool) {
	wallets := map[int64]struct{}{}
	isPlain = true
	for _, change := range batch {
		isPlain = isPlain && !change.hasLines
		for _, c := range change.changed {
			wallets[c.walletID] = struct{}{}
		}
	}
	return len(wallets), isPlain && len(wallets) < 2
}
