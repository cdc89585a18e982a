package graph

import "sync"

// loader reads what a field of rows says once for all rows that were read together, when the first of them asks. It is safe
// for concurrent use.
type loader[K comparable, R, V any] struct {
	key func(R) K

	mu     sync.Mutex
	groups map[K]*group[R, V]
}

// group is rows that were read together.
type group[R, V any] struct {
	rows  []R
	once  sync.Once
	value V
	err   error
}

// Rows as they were read: after a mutation what a field says is read anew.
type (
	walletMoment struct {
		id      int64
		version int
	}
	accountMoment walletMoment
	lineMoment    moment
)

// add takes rows that were read together. A row that was in another group is in this one from now on.
func (l *loader[K, R, V]) add(rows ...R) *group[R, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.groups == nil {
		l.groups = map[K]*group[R, V]{}
	}
	made := &group[R, V]{rows: rows}
	for _, r := range rows {
		l.groups[l.key(r)] = made
	}
	return made
}

// groupOf returns the group of a row; nil: it is in none.
func (l *loader[K, R, V]) groupOf(row R) *group[R, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.groups[l.key(row)]
}

// read returns what is read for the row's group, or for the row alone where it is in none.
func (l *loader[K, R, V]) read(row R, read func(rows ...R) (V, error)) (V, error) {
	of := l.groupOf(row)
	if of == nil {
		of = l.add(row)
	}
	of.once.Do(func() { of.value, of.err = read(of.rows...) })
	return of.value, of.err
}
