package redislimit

// recent is a map that forgets: it keeps at least the size keys that were used last, and at most twice as many.
type recent[K comparable, V any] struct {
	size       int
	young, old map[K]V
}

func newRecent[K comparable, V any](size int) recent[K, V] {
	return recent[K, V]{size: size, young: map[K]V{}}
}

func (r *recent[K, V]) get(key K) (V, bool) {
	if value, ok := r.young[key]; ok {
		return value, true
	}
	value, ok := r.old[key]
	if ok {
		r.put(key, value)
	}
	return value, ok
}

func (r *recent[K, V]) put(key K, value V) {
	if len(r.young) >= r.size {
		r.young, r.old = map[K]V{}, r.young
	}
	r.young[key] = value
}
