package bunstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/ports"
)

// Bounds of Rekey. A batch is one statement, which holds its rows for as long as it runs; a row that has more bytes goes alone.
const (
	sealedPageRows = 1000
	rekeyRows      = 100
	rekeyBytes     = 1 << 20
	rekeyPasses    = 5
	rekeyTries     = 10
	rekeyWait      = 100 * time.Millisecond
)

// RekeyOptions are how Rekey goes about it.
type RekeyOptions struct {
	// Pause is between two batches, so that the service has the database in between.
	Pause time.Duration
	// Progress is told after each page of a table. Nil: nobody is told.
	Progress func(RekeyProgress)
}

// RekeyProgress is how far Rekey is with a table.
type RekeyProgress struct {
	Pass   int // from 1
	Table  string
	Looked int  // rows of the table that it has looked at in this pass
	Sealed int  // of them, those that it has sealed anew
	IsDone bool // with the table, in this pass
}

// Rekeyed is what Rekey has come to.
type Rekeyed struct {
	Sealed  int          // rows that were sealed anew
	Counts  SealedCounts // what there was in its last pass, in which it had nothing to do but for what cannot be opened
	Damaged []Unopened   // the first of what cannot be opened; it stays as it is
}

// Unopened is a sealed text that does not open.
type Unopened struct {
	SealedColumn

	Key string // of its row
	Err error
}

// maxRekeyDamaged bounds what Rekeyed.Damaged names.
const maxRekeyDamaged = 10

// Rekey seals anew under the first key whatever another key has sealed. The service may run meanwhile, and any number of these. It
// keeps no state: it passes over all tables, from the newest row to the oldest, until a pass finds nothing to do, so that one that
// was interrupted is simply begun again. A row is written where its texts are still those that were read: what somebody else
// writes meanwhile stays, and is looked at in the next pass. Versions stay as they are, so that no decision under way is lost.
func (s *Store) Rekey(ctx context.Context, o RekeyOptions) (Rekeyed, error) {
	const op = "bunstore.Rekey"
	ring, err := s.keyring()
	if err != nil {
		return Rekeyed{}, fail(op, err)
	}
	r := &rekeying{store: s, ring: ring, first: ring.KeyIDs()[0], options: o}
	for r.pass = 1; r.pass <= rekeyPasses; r.pass++ {
		before := r.result.Sealed
		r.result.Counts, r.result.Damaged, r.lost = SealedCounts{}, nil, 0
		for _, t := range sealedTables(s.reads.Dialect()) {
			if err := r.table(ctx, t); err != nil {
				return r.result, fail(op, err)
			}
		}
		if r.result.Sealed == before && r.lost == 0 {
			return r.result, nil
		}
	}
	r.result.Counts, err = s.CountSealed(ctx) // somebody else was quicker again and again, or seals under another key
	return r.result, err
}

// rekeying is one Rekey.
type rekeying struct {
	store   *Store
	ring    ports.Keyring
	first   string
	options RekeyOptions
	pass    int
	lost    int // rows of this pass that somebody else has written meanwhile, or was writing
	result  Rekeyed
}

// isStale reports whether another key has sealed a text. What no key has sealed is not: there is nothing to open.
func (r *rekeying) isStale(text string) bool {
	id := r.ring.KeyIDOf(text)
	return id != "" && id != r.first
}

// table passes over a table.
func (r *rekeying) table(ctx context.Context, t sealedTable) error {
	progress := RekeyProgress{Pass: r.pass, Table: t.name}
	before := r.result.Sealed
	var last *sealedRow
	for !progress.IsDone {
		rows, err := r.store.sealedPage(ctx, t, newestSealed, last)
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			last = &rows[len(rows)-1]
		}
		if err := r.page(ctx, t, rows); err != nil {
			return err
		}
		progress.Looked += len(rows)
		progress.Sealed = r.result.Sealed - before
		progress.IsDone = len(rows) < sealedPageRows
		if r.options.Progress != nil {
			r.options.Progress(progress)
		}
	}
	return nil
}

// page counts what a page has, and seals anew what is stale.
func (r *rekeying) page(ctx context.Context, t sealedTable, rows []sealedRow) error {
	r.result.Counts.tally(r.ring, t, rows)
	var stale []sealedRow
	for _, row := range rows {
		if slices.ContainsFunc(row.texts, r.isStale) {
			stale = append(stale, row)
		}
	}
	for len(stale) > 0 {
		n, size := 0, 0
		for n < len(stale) && n < rekeyRows && (n == 0 || size+stale[n].bytes <= rekeyBytes) {
			size += stale[n].bytes
			n++
		}
		if err := r.batch(ctx, t, stale[:n]); err != nil {
			return err
		}
		stale = stale[n:]
		if err := pause(ctx, r.options.Pause); err != nil {
			return err
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// batch seals rows anew by one statement.
func (r *rekeying) batch(ctx context.Context, t sealedTable, stale []sealedRow) error {
	old, err := r.whole(ctx, t, stale)
	if err != nil {
		return err
	}
	r.lost += len(stale) - len(old) // deleted meanwhile
	var values [][]any
	for _, row := range old {
		fresh, ok := r.seal(t, row)
		if !ok {
			continue
		}
		value := slices.Clone(row.key)
		for i := range t.columns {
			value = append(value, row.texts[i], fresh[i])
		}
		values = append(values, value)
	}
	if len(values) == 0 {
		return nil
	}
	done, err := r.save(ctx, t, values)
	for tries := 1; err != nil && isPassing(err) && tries < rekeyTries; tries++ {
		if err := pause(ctx, rekeyWait); err != nil {
			return err
		}
		done, err = r.save(ctx, t, values)
	}
	r.result.Sealed += done
	r.lost += len(values) - done
	return err
}

// isPassing reports whether a statement may succeed when it is tried again: the database was busy with somebody else.
func isPassing(err error) bool {
	return errors.Is(undone(err), errUndone) || fault.Is(fail("", err), fault.Unavailable)
}

// whole reads the whole texts of rows.
func (r *rekeying) whole(ctx context.Context, t sealedTable, rows []sealedRow) ([]sealedRow, error) {
	keys := make([][]any, len(rows))
	for i, row := range rows {
		keys[i] = row.key
	}
	q := r.store.reads.NewSelect().TableExpr(t.name).ColumnExpr(strings.Join(t.keys, ", ")+", "+strings.Join(t.columns, ", ")).
		Where("("+strings.Join(t.keys, ", ")+") IN (VALUES ?)", valuesOf(keys))
	return r.store.sealedRows(ctx, t, q, false)
}

// valuesOf writes rows of values as a VALUES list has them.
func valuesOf(rows [][]any) any {
	list := make([]any, len(rows))
	for i, row := range rows {
		list[i] = bun.Tuple(row)
	}
	return bun.List(list)
}

// seal returns the row's texts as the first key seals them. What is damaged is kept in mind and left alone; the row's other texts
// are sealed anew all the same.
func (r *rekeying) seal(t sealedTable, row sealedRow) (fresh []string, ok bool) {
	v := newRowSealer(r.store.sealer, t.name, row.id()...)
	fresh = slices.Clone(row.texts)
	for i, text := range row.texts {
		if !r.isStale(text) {
			continue
		}
		plain, err := r.store.sealer.Open(text, v.context(t.columns[i]))
		if err == nil {
			fresh[i], err = r.store.sealer.Seal(plain, v.context(t.columns[i]))
		}
		if err != nil {
			if len(r.result.Damaged) < maxRekeyDamaged {
				column := SealedColumn{t.name, t.columns[i]}
				r.result.Damaged = append(r.result.Damaged, Unopened{column, strings.Join(row.id(), "/"), err})
			}
			fresh[i] = text
			continue
		}
		ok = true
	}
	return fresh, ok
}

// save writes rows whose texts are still as they were, and returns how many. It waits for nobody: what is being written by somebody
// else is left to the next pass.
func (r *rekeying) save(ctx context.Context, t sealedTable, values [][]any) (int, error) {
	var names, set, same, key []string
	for _, k := range t.keys {
		names = append(names, k)
		key = append(key, fmt.Sprintf("t.%[1]s = d.%[1]s", k))
	}
	for _, c := range t.columns {
		names = append(names, "old_"+c, "new_"+c)
		set = append(set, fmt.Sprintf("%[1]s = d.new_%[1]s", c))
		same = append(same, fmt.Sprintf("t.%[1]s = d.old_%[1]s", c))
	}
	is := strings.Join(slices.Concat(key, same), " AND ")
	text := "WITH d (" + strings.Join(names, ", ") + ") AS (VALUES ?), free AS (SELECT t." + strings.Join(t.keys, ", t.") +
		" FROM " + t.name + " AS t JOIN d ON " + is + r.store.dialect.lockClaimed() + ")" +
		" UPDATE " + t.name + " AS t SET " + strings.Join(set, ", ") + " FROM d WHERE " + is +
		" AND (d." + strings.Join(t.keys, ", d.") + ") IN (SELECT " + strings.Join(t.keys, ", ") + " FROM free)"
	result, err := r.store.background.NewRaw(text, valuesOf(values)).Exec(ctx)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}
