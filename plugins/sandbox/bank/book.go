package bank

import (
	"slices"
	"sort"
	"time"
)

// maxOrders bounds what a book keeps; the oldest order makes room.
const maxOrders = 50_000

// book keeps orders by reference, in the order in which they came.
type book[T any] struct {
	byRef map[string]T
	refs  []string
}

func (b *book[T]) find(ref string) (T, bool) {
	order, ok := b.byRef[ref]
	return order, ok
}

func (b *book[T]) add(ref string, order T) {
	if b.byRef == nil {
		b.byRef = map[string]T{}
	}
	if len(b.refs) >= maxOrders {
		b.forget(b.refs[0])
	}
	b.byRef[ref] = order
	b.refs = append(b.refs, ref)
}

func (b *book[T]) forget(ref string) {
	delete(b.byRef, ref)
	if i := slices.Index(b.refs, ref); i >= 0 {
		b.refs = slices.Delete(b.refs, i, i+1)
	}
}

// all returns every order, oldest first.
func (b *book[T]) all() []T {
	list := make([]T, 0, len(b.refs))
	for _, ref := range b.refs {
		list = append(list, b.byRef[ref])
	}
	return list
}

// queue keeps things by the time at which they are due; those of one moment in the order in which they came.
type queue[T any] struct{ items []due[T] }

type due[T any] struct {
	at   time.Time
	item T
}

func (q *queue[T]) push(at time.Time, item T) {
	i := sort.Search(len(q.items), func(i int) bool { return q.items[i].at.After(at) })
	q.items = slices.Insert(q.items, i, due[T]{at, item})
}

// pop takes the first thing that is due by now.
func (q *queue[T]) pop(now time.Time) (due[T], bool) {
	if len(q.items) == 0 || q.items[0].at.After(now) {
		return due[T]{}, false
	}
	first := q.items[0]
	q.items[0] = due[T]{} // let go of it
	q.items = q.items[1:]
	return first, true
}
