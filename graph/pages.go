package graph

import "sync"

// pages are rows that were read together, and what one of their fields is read from: once for all rows of a page, when
// the first of them asks. It is safe for concurrent use.
type pages[K comparable, R, V any] struct {
	key func(R) K

	mu sync.Mutex
	of map[K]*page[R, V]
}

// page is the rows of one.
type page[R, V any] struct {
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

// add takes the rows of a page. A row that was on another before is on this one from now on.
func (p *pages[K, R, V]) add(rows ...R) *page[R, V] {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of = map[K]*page[R, V]{}
	}
	made := &page[R, V]{rows: rows}
	for _, r := range rows {
		p.of[p.key(r)] = made
	}
	return made
}

// pageOf is the page that a row is on; nil: it is on none.
func (p *pages[K, R, V]) pageOf(row R) *page[R, V] {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of[p.key(row)]
}

// read returns what is read for the row's page, or for the row alone where it is on none.
func (p *pages[K, R, V]) read(row R, read func(rows ...R) (V, error)) (V, error) {
	on := p.pageOf(row)
	if on == nil {
		on = p.add(row)
	}
	on.once.Do(func() { on.value, on.err = read(on.rows...) })
	return on.value, on.err
}
