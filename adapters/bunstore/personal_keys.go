package bunstore

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/uptrace/bun"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/note"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
)

type personalKeyRow struct {
	bun.BaseModel `bun:"table:personal_keys"`

	ID          string     `bun:"id,pk"`
	Fingerprint string     `bun:"fingerprint"`
	SealedKey   sealedText `bun:"sealed_key"` // empty: it was destroyed
}

// usedKeyRow names a key that has to be in use when what it seals is committed.
type usedKeyRow struct {
	ID string `bun:"id"`
}

type nameWordRow struct {
	bun.BaseModel `bun:"table:name_words"`

	Word string `bun:"word,pk"`
}

// indexKeyID names the key of the keyed hashes.
const indexKeyID = "index"

// keysIn are the keys with which the new rows of a changeset are sealed.
type keysIn struct {
	blinding blinding
	payments map[core.ID]dataKey // of new payments, and of the payments that new callbacks are about
	wallets  map[int64]dataKey   // of new bank lines
	prints   map[string]dataKey  // of new payments
	made     []personalKeyRow    // committed with them
	words    []string            // of names, that may not be in the vocabulary
	isPut    bool
}

// keyReads begins a query for keys: of a pool, a snapshot, or the connection of a load.
type keyReads func() *bun.SelectQuery

// keyReads reads what the store sees.
func (s *Store) keyReads() *bun.SelectQuery {
	q := s.reads.NewSelect()
	if s.snapshot != nil {
		q = q.Conn(s.snapshot)
	}
	return q
}

// keysOf returns keys by their ids.
func (s *Store) keysOf(ctx context.Context, ids []string) (map[string]dataKey, error) {
	return s.keyCache.keysByID(ctx, s.keyReads, ids)
}

// blindingOf returns the key of the keyed hashes; the first to ask makes it.
func (s *Store) blindingOf(ctx context.Context) (blinding, error) {
	return s.keyCache.blindingOf(ctx, s.reads.NewSelect, s.writes)
}

func (v *keyCache) blindingOf(ctx context.Context, reads keyReads, writes *bun.DB) (blinding, error) {
	const op = "bunstore.blindingOf"
	v.mu.Lock()
	known := v.blinding
	v.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	for {
		var row personalKeyRow
		err := reads().Model(&row).Where("id = ?", indexKeyID).Scan(ctx)
		if err == nil {
			k, err := v.openKey(row)
			if err != nil {
				return blinding{}, fault.E(op, fault.Internal, err)
			}
			v.mu.Lock()
			defer v.mu.Unlock()
			b := newBlinding(k)
			v.blinding = &b
			return b, nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return blinding{}, fail(op, err)
		}
		k := newDataKey(indexKeyID)
		row = personalKeyRow{ID: k.id, Fingerprint: k.id}
		if row.SealedKey, err = v.sealKey(k); err != nil {
			return blinding{}, fault.E(op, fault.Internal, err)
		}
		if _, err := writes.NewInsert().Model(&row).On("CONFLICT DO NOTHING").Exec(ctx); err != nil {
			return blinding{}, fail(op, err)
		}
	}
}

// keysFor finds or makes the keys for a changeset's new rows; nil: it has none that hold personal data.
func (v *keyCache) keysFor(ctx context.Context, reads keyReads, writes *bun.DB, c core.Changeset) (*keysIn, error) {
	isPaymentNew := false
	var wallets []int64
	var about []core.ID // the payments that callbacks and notes are about
	for _, row := range c {
		switch r := row.(type) {
		case payment.Payment:
			isPaymentNew = isPaymentNew || r.Version == 1
		case payment.Callback:
			if r.Version == 1 {
				about = append(about, r.PaymentID)
			}
		case note.Note:
			about = append(about, r.PaymentID)
		case note.File:
			about = append(about, r.PaymentID)
		case wallet.BankLine:
			if r.Version == 1 && !slices.Contains(wallets, r.WalletID) {
				wallets = append(wallets, r.WalletID)
			}
		}
	}
	if !isPaymentNew && len(wallets)+len(about) == 0 {
		return nil, nil //nolint:nilnil // most changesets have none
	}
	b, err := v.blindingOf(ctx, reads, writes)
	if err != nil {
		return nil, err
	}
	keys := &keysIn{blinding: b, payments: map[core.ID]dataKey{}, wallets: map[int64]dataKey{}, prints: map[string]dataKey{}}
	for p := range core.Each[payment.Payment](c) {
		if p.Version != 1 {
			continue
		}
		k, err := v.keyOfOwner(ctx, reads, keys, keyOwner(p), string(p.ID))
		if err != nil {
			return nil, err
		}
		keys.payments[p.ID] = k
		v.findWords(keys, p)
	}
	for _, id := range wallets {
		if keys.wallets[id], err = v.keyOfOwner(ctx, reads, keys, walletKey(id), walletKey(id)); err != nil {
			return nil, err
		}
	}
	for _, id := range about {
		if _, ok := keys.payments[id]; ok {
			continue
		}
		k, err := v.keyOfPayment(ctx, reads, keys, id)
		if err != nil {
			return nil, err
		}
		keys.payments[id] = k
	}
	return keys, nil
}

// keyOfOwner returns the key of somebody, or one that is made with an id.
func (v *keyCache) keyOfOwner(ctx context.Context, reads keyReads, keys *keysIn, owner, id string) (dataKey, error) {
	const op = "bunstore.keyOfOwner"
	fingerprint := keys.blinding.fingerprint(owner)
	if k, ok := keys.prints[fingerprint]; ok {
		return k, nil
	}
	v.mu.Lock()
	k, ok := v.byPrint.get(fingerprint)
	v.mu.Unlock()
	if ok {
		keys.prints[fingerprint] = k
		return k, nil
	}
	var row personalKeyRow
	err := reads().Model(&row).Where("fingerprint = ? AND fingerprint <> ''", fingerprint).Scan(ctx)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return v.makeKey(keys, fingerprint, id)
	case err != nil:
		return dataKey{}, fail(op, err)
	}
	if k, err = v.openKey(row); err != nil {
		return dataKey{}, fault.E(op, fault.Internal, err)
	}
	keys.prints[fingerprint] = k
	v.mu.Lock()
	defer v.mu.Unlock()
	v.byPrint.put(fingerprint, k)
	v.byID.put(k.id, k)
	return k, nil
}

func (v *keyCache) makeKey(keys *keysIn, fingerprint, id string) (dataKey, error) {
	k := newDataKey(id)
	sealed, err := v.sealKey(k)
	if err != nil {
		return dataKey{}, fault.E("bunstore.makeKey", fault.Internal, err)
	}
	keys.prints[fingerprint] = k
	keys.made = append(keys.made, personalKeyRow{ID: k.id, Fingerprint: fingerprint, SealedKey: sealed})
	return k, nil
}

// keyOfPayment returns the key that seals a payment. One that is not there gets a key of its own.
func (v *keyCache) keyOfPayment(ctx context.Context, reads keyReads, keys *keysIn, paymentID core.ID) (dataKey, error) {
	const op = "bunstore.keyOfPayment"
	v.mu.Lock()
	id, ok := v.ofPayment.get(paymentID)
	v.mu.Unlock()
	if !ok {
		err := reads().Table("payments").Column("key_id").Where("id = ?", paymentID).Scan(ctx, &id)
		if errors.Is(err, sql.ErrNoRows) {
			return v.keyOfOwner(ctx, reads, keys, ownKey(paymentID), string(paymentID))
		}
		if err != nil {
			return dataKey{}, fail(op, err)
		}
		v.mu.Lock()
		v.ofPayment.put(paymentID, id)
		v.mu.Unlock()
	}
	found, err := v.keysByID(ctx, reads, []string{id})
	return found[id], err
}

// keysByID returns the keys of ids: those that are not remembered in one statement. One that is not there is destroyed.
func (v *keyCache) keysByID(ctx context.Context, reads keyReads, ids []string) (map[string]dataKey, error) {
	const op = "bunstore.keysByID"
	found, missing := map[string]dataKey{}, []string(nil)
	v.mu.Lock()
	for _, id := range ids {
		if _, ok := found[id]; ok || id == "" {
			continue
		}
		k, ok := v.byID.get(id)
		if found[id] = k; !ok {
			found[id] = dataKey{id: id}
			missing = append(missing, id)
		}
	}
	v.mu.Unlock()
	if len(missing) == 0 {
		return found, nil
	}
	slices.Sort(missing)
	var rows []personalKeyRow
	if err := reads().Model(&rows).Where("id IN (?)", bun.List(missing)).Scan(ctx); err != nil {
		return nil, fail(op, err)
	}
	for _, r := range rows {
		k, err := v.openKey(r)
		if err != nil {
			return nil, fault.E(op, fault.Internal, err)
		}
		found[r.ID] = k
		v.mu.Lock()
		v.byID.put(r.ID, k)
		v.mu.Unlock()
	}
	return found, nil
}

// findWords keeps the words of a payment's name that may not be in the vocabulary.
func (v *keyCache) findWords(keys *keysIn, p payment.Payment) {
	for _, w := range report.NameWords(p.Customer.Fullname) {
		v.mu.Lock()
		_, isKnown := v.words.get(w)
		v.mu.Unlock()
		if !isKnown && !slices.Contains(keys.words, w) {
			keys.words = append(keys.words, w)
		}
	}
}

// keep remembers what was committed.
func (v *keyCache) keep(keys *keysIn) {
	if keys == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for fingerprint, k := range keys.prints {
		v.byPrint.put(fingerprint, k)
		v.byID.put(k.id, k)
	}
	for id, k := range keys.payments {
		v.ofPayment.put(id, k.id)
	}
	for _, w := range keys.words {
		v.words.put(w, struct{}{})
	}
}

// drop forgets the keys of a changeset that was not committed, and reports whether there may be others by now: another
// process may have made a customer's key, or destroyed it.
func (v *keyCache) drop(ctx context.Context, reads keyReads, keys *keysIn) (isStale bool, err error) {
	if keys == nil {
		return false, nil
	}
	v.mu.Lock()
	for fingerprint, k := range keys.prints {
		v.byPrint.drop(fingerprint)
		v.byID.drop(k.id)
	}
	v.mu.Unlock()
	for fingerprint, k := range keys.prints {
		var now []string
		err := reads().Model((*personalKeyRow)(nil)).Column("id").
			Where("fingerprint = ? AND fingerprint <> ''", fingerprint).Scan(ctx, &now)
		if err != nil {
			return false, fail("bunstore.drop", err)
		}
		isNew := slices.ContainsFunc(keys.made, func(r personalKeyRow) bool { return r.ID == k.id })
		if isNew != (len(now) == 0) || len(now) > 0 && now[0] != k.id {
			isStale = true
		}
	}
	return isStale, nil
}

// keyTemplates write new keys and words, and look whether the others are still in use.
func keyTemplates(w templateWriter) []template {
	used := w.table(rowType[usedKeyRow]()).Fields
	return []template{
		w.insert(rowType[personalKeyRow](), ""),
		w.insert(rowType[nameWordRow](), " ON CONFLICT DO NOTHING"),
		w.data(used, "SELECT pg_advisory_xact_lock_shared("+keysLock+") FROM d LIMIT 1"),
		w.data(used, "SELECT 1 FROM d JOIN personal_keys AS k ON k.id = d.id AND k.fingerprint <> ''").all(fault.Conflict),
	}
}

const keyTemplateCount = 4

// keysLock is PostgreSQL's advisory lock that commits share which seal with a key that was there, and that whoever destroys
// a key has alone: what looks whether a key is in use would otherwise not see that it is being destroyed. SQLite has one
// writer.
const keysLock = "hashtextextended('vezne personal keys in ' || current_schema(), 0)"

// putKeys writes what a changeset's keys need, once.
func (e *encoder) putKeys(at int, rows core.Changeset) {
	if e.keysIn == nil {
		return
	}
	if !e.keysIn.isPut {
		e.keysIn.isPut = true
		for _, r := range e.keysIn.made {
			e.touch("personal_keys", r.Fingerprint)
			put(e, at, r, nil)
		}
		for _, w := range e.keysIn.words {
			e.touch("name_words", w)
			put(e, at+1, nameWordRow{Word: w}, nil)
		}
	}
	var used []dataKey
	for p := range core.Each[payment.Payment](rows) {
		if k := e.keysIn.payments[p.ID]; p.Version == 1 && !slices.Contains(used, k) {
			used = append(used, k)
		}
	}
	e.putUsed(at, used...)
}

// putUsed has the commit fail with fault.Conflict unless keys that were there before are still in use.
func (e *encoder) putUsed(at int, keys ...dataKey) {
	isLocked := e.isCopy || !e.plan.isShared
	for _, k := range keys {
		isNew := slices.ContainsFunc(e.keysIn.made, func(r personalKeyRow) bool { return r.ID == k.id })
		if e.isCopy || isNew {
			continue
		}
		if !isLocked {
			isLocked = true
			put(e, at+2, usedKeyRow{ID: k.id}, nil)
		}
		put(e, at+3, usedKeyRow{ID: k.id}, nil)
	}
}
