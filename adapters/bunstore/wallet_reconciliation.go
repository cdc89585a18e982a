package bunstore

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/wallet"
)

// Reconciliation implements ports.Wallets.
func (s *Store) Reconciliation(ctx context.Context, dealerID, walletID int64, day core.Day) (wallet.Reconciliation, error) {
	return one(ctx, s, "bunstore.Reconciliation", reconciliationRow.reconciliation,
		"wallet_id = ? AND day = ? AND "+s.dialect.unindexed("dealer_id")+" = ?", walletID, day, dealerID)
}

// Reconciliations implements ports.Wallets.
func (s *Store) Reconciliations(ctx context.Context, query wallet.ReconciliationQuery) ([]wallet.Reconciliation, error) {
	byDay := listOrder[wallet.DayCursor]{
		columns: []string{"day", "wallet_id"}, isDescending: true,
		values: func(c wallet.DayCursor) []any { return []any{c.Day, c.WalletID} },
	}
	dealerID := "dealer_id"
	if query.WalletID != 0 {
		dealerID = s.dialect.unindexed(dealerID)
	}
	q := whereSet(whereSet(s.reads.NewSelect(), dealerID+" = ?", query.DealerID), "wallet_id = ?", query.WalletID)
	q = whereFlag(q, query.IsOpen, "open_count > 0", "open_count = 0")
	return pageOf(ctx, "bunstore.Reconciliations", reconciliationRow.reconciliation, byDay, query.Paging, q)
}

// dayBook reads lines and entries by one statement, so that they belong together. The entries made in a time are sought
// by their IDs, whose moments are near theirs. What a payment leads to is sought by it alone: +wallet_id is in no index,
// of which all the wallet would be read.
//
// ?0 wallet, ?1 from, ?2 until, ?3 and ?4 the IDs, ?5 and ?6 the columns of lines and entries, ?7 and ?8 as many nulls.
const dayBook = `WITH booked AS MATERIALIZED (
	SELECT * FROM bank_lines WHERE wallet_id = ?0 AND booked_at >= ?1 AND booked_at < ?2
), made AS MATERIALIZED (
	SELECT * FROM ledger_entries WHERE wallet_id = ?0 AND "at" >= ?1 AND "at" < ?2 AND id >= ?3 AND id < ?4
), lines AS (
	SELECT * FROM booked
	UNION
	SELECT * FROM bank_lines WHERE +wallet_id = ?0 AND payment_id <> ''
		AND payment_id IN (SELECT payment_id FROM made WHERE kind = 'post')
), entries AS (
	SELECT * FROM made
	UNION
	SELECT ledger_entries.* FROM booked CROSS JOIN ledger_entries
		WHERE ledger_entries.wallet_id = ?0 AND ledger_entries.line_id = booked.line_id AND ledger_entries.line_id <> ''
	UNION
	SELECT * FROM ledger_entries WHERE +wallet_id = ?0 AND kind = 'post' AND payment_id <> ''
		AND payment_id IN (SELECT payment_id FROM booked)
) SELECT true AS is_line, ?5, ?8 FROM lines UNION ALL SELECT false, ?7, ?6 FROM entries ORDER BY line_id, entry_id`

// dayBookRow is a line or an entry.
type dayBookRow struct {
	IsLine bool        `bun:"is_line"`
	Line   bankLineRow `bun:"embed:line_"`
	Entry  entryRow    `bun:"embed:entry_"`
}

// prefixed returns the columns of a row, each named with a prefix, and as many nulls of the same names.
func (s *Store) prefixed(prefix string, row reflect.Type) (columns, nulls bun.Safe) {
	var list, none []string
	for _, f := range s.reads.Dialect().Tables().Get(row).Fields {
		list = append(list, fmt.Sprintf("%s AS %s%s", f.SQLName, prefix, f.Name))
		none = append(none, fmt.Sprintf("NULL AS %s%s", prefix, f.Name))
	}
	return bun.Safe(strings.Join(list, ", ")), bun.Safe(strings.Join(none, ", "))
}

// DayBook implements ports.Wallets.
func (s *Store) DayBook(
	ctx context.Context, walletID int64, from, until time.Time,
) (lines []wallet.BankLine, entries []ledger.Entry, err error) {
	const op = "bunstore.DayBook"
	first, hasFirst := firstIDAt(from.Add(-maxIDDrift))
	end, hasEnd := firstIDAt(until.Add(maxIDDrift))
	if !hasFirst || !hasEnd || !from.Before(until) {
		return nil, nil, nil
	}
	lineColumns, noLine := s.prefixed("line_", rowType[bankLineRow]())
	entryColumns, noEntry := s.prefixed("entry_", rowType[entryRow]())
	var rows []dayBookRow
	err = s.reads.NewRaw(dayBook, walletID, timestamp(from), timestamp(until), first, end,
		lineColumns, entryColumns, noLine, noEntry).Scan(ctx, &rows)
	if err != nil {
		return nil, nil, fail(op, err)
	}
	var booked []bankLineRow
	for _, r := range rows {
		if !r.IsLine {
			entry, err := made(op, entryRow.entry, r.Entry)
			if err != nil {
				return nil, nil, err
			}
			entries = append(entries, entry)
			continue
		}
		booked = append(booked, r.Line)
	}
	lines, err = openAll(ctx, s, op, bankLineRow.line, booked)
	return lines, entries, err
}

// Adjustments implements ports.Wallets.
func (s *Store) Adjustments(ctx context.Context, walletID int64, day core.Day) ([]ledger.Entry, error) {
	if day == "" {
		return nil, nil
	}
	return many(ctx, s, "bunstore.Adjustments", entryRow.entry, "number", "wallet_id = ? AND day = ? AND day <> ''", walletID, day)
}
