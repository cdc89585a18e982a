package redislimit

import "time"

// recent is a map that forgets what was not used for as long as anything in it matters. It keeps at least the size keys that were used
// last until then, and at most twice as many.
type recent[K comparable, V any] struct {
	size       int
	young, old map[K]V
	began      time.Time     // when young was made
	life       time.Duration // the longest for which anything matters
}

func newRecent[K comparable, V any](size int) recent[K, V] {
	return recent[K, V]{size: size, young: map[K]V{}, began: time.Now()}
}

func (r *recent[K, V]) get(key K) (V, bool) {
	if value, ok := r.young[key]; ok {
		return value, true
	}
	value, ok := r.old[key]
	if ok {
		r.put(key, value, 0)
	}
	return value, ok
}

// put keeps a value that matters for so long after it was used.
func (r *recent[K, V]) put(key K, value V, life time.Duration) {
	r.life = max(r.life, life)
	if now := time.Now(); len(r.young) >= r.size || now.Sub(r.began) >= r.life {
		r.young, r.old, r.began = map[K]V{}, r.young, now
	}
	r.young[key] = value
}
