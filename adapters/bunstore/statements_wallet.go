package bunstore

import (
	"fmt"
	"strings"

	"github.com/vezne/vezne/core/fault"
)

// written joins a row of d that names a line to that line, if it is one that this commit has inserted. A line that was
// there before has another mark.
const written = "JOIN bank_lines AS l ON l.wallet_id = d.wallet_id AND l.line_id = d.line_id AND l.mark = d.mark"

// quarters counts the lines that this commit has inserted, always in the same order, so that no two commits wait for
// each other.
func (w shapeWriter) quarters() shape {
	fields := w.table(rowType[quarterRow]()).Fields
	return shape{
		fields: fields, head: w.data(fields),
		tail: `) INSERT INTO bank_line_counts (wallet_id, quarter, lines)` +
			` SELECT d.wallet_id, d.quarter, count(*) FROM d ` + written +
			` WHERE true GROUP BY d.wallet_id, d.quarter ORDER BY d.wallet_id, d.quarter` +
			` ON CONFLICT (wallet_id, quarter) DO UPDATE SET lines = bank_line_counts.lines + excluded.lines`,
	}
}

// entries inserts those that are about no line of this commit, or about one that it has inserted.
func (w shapeWriter) entries() shape {
	t, fields := w.table(rowType[entryRow]()), w.table(rowType[markedRow]()).Fields
	s := shape{fields: fields, head: w.data(fields)}
	plain := s
	insert := fmt.Sprintf(") INSERT INTO %s (%s) SELECT %s FROM d ", t.Name, columns(t.Fields), columnsOf("d", t.Fields))
	s.tail = insert + "LEFT " + written + " WHERE d.id IS NOT NULL AND (d.mark = 0 OR l.mark IS NOT NULL)"
	plain.tail = insert + "WHERE d.id IS NOT NULL"
	s.plain = &plain
	return s
}

// changes adds up what the entries that are kept do to each wallet. The wallets are held in order, so that no two
// commits wait for each other; one that is not there is missed by the count.
func (w shapeWriter) changes() shape {
	fields := w.table(rowType[changeRow]()).Fields
	s := shape{fields: fields, head: w.data(fields), isCounted: true, isPerWallet: true, lost: fault.Conflict}
	plain := s
	s.tail = `), held AS MATERIALIZED (SELECT wallet_id FROM wallet_balances WHERE wallet_id IN (SELECT wallet_id FROM d)` +
		` ORDER BY wallet_id` + w.dialect.lock() + `), s AS (SELECT d.wallet_id, ` +
		sums("CASE WHEN d.mark = 0 OR l.mark IS NOT NULL THEN d.%s ELSE 0 END") + ` FROM d LEFT ` + written +
		` GROUP BY d.wallet_id)` + addSums + ` FROM held JOIN s ON s.wallet_id = held.wallet_id` +
		` WHERE wallet_balances.wallet_id = held.wallet_id RETURNING 1`
	plain.tail = `), s AS (SELECT d.wallet_id, ` + sums("d.%s") + ` FROM d GROUP BY d.wallet_id)` + addSums +
		` FROM s WHERE wallet_balances.wallet_id = s.wallet_id RETURNING 1`
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
