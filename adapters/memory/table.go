package memory

// row says how a table treats rows of type R.
type row[K comparable, R any] struct {
	key     func(R) K
	version func(R) int      // always 1 for rows that are only ever inserted
	names   func(R) []string // unique texts by which a row is found; empty ones are none
	clone   func(R) R        // nil: assigning copies the whole row
}

// table holds rows by key.
type table[K comparable, R any] struct {
	row[K, R]
	rows   map[K]R
	byName map[string]K
}

func newTable[K comparable, R any](r row[K, R]) *table[K, R] {
	return &table[K, R]{row: r, rows: map[K]R{}, byName: map[string]K{}}
}

// takes tells whether put may be given the rows: each is the next version of what is stored (which is version 0 when
// there is nothing), none comes twice, and no other row has one of their names.
func (t *table[K, R]) takes(rows []R) bool {
	keys, names := map[K]bool{}, map[string]bool{}
	for _, r := range rows {
		key := t.key(r)
		if keys[key] || t.version(r) != t.versionAt(key)+1 {
			return false
		}
		keys[key] = true
		for _, name := range t.namesOf(r) {
			owner, isTaken := t.byName[name]
			if names[name] || isTaken && owner != key {
				return false
			}
			names[name] = true
		}
	}
	return true
}

func (t *table[K, R]) put(rows []R) {
	for _, r := range rows {
		key := t.key(r)
		for _, name := range t.namesOf(t.rows[key]) {
			delete(t.byName, name)
		}
		for _, name := range t.namesOf(r) {
			t.byName[name] = key
		}
		t.rows[key] = t.copyOf(r)
	}
}

func (t *table[K, R]) remove(key K) {
	for _, name := range t.namesOf(t.rows[key]) {
		delete(t.byName, name)
	}
	delete(t.rows, key)
}

func (t *table[K, R]) get(key K) (R, bool) {
	r, ok := t.rows[key]
	return t.copyOf(r), ok
}

func (t *table[K, R]) find(name string) (R, bool) {
	key, ok := t.byName[name]
	return t.copyOf(t.rows[key]), ok
}

// where gives the rows for which is holds, in no order.
func (t *table[K, R]) where(is func(R) bool) []R {
	var found []R
	for _, r := range t.rows {
		if is(r) {
			found = append(found, t.copyOf(r))
		}
	}
	return found
}

func (t *table[K, R]) versionAt(key K) int {
	r, ok := t.rows[key]
	if !ok {
		return 0
	}
	return t.version(r)
}

func (t *table[K, R]) namesOf(r R) []string {
	if t.names == nil {
		return nil
	}
	var names []string
	for _, name := range t.names(r) {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

func (t *table[K, R]) copyOf(r R) R {
	if t.clone == nil {
		return r
	}
	return t.clone(r)
}

// once is the version of rows that are only ever inserted.
func once[R any](R) int { return 1 }
