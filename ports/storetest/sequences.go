package storetest

func numbersRise(w *world) {
	const callers = 100
	names := []string{"providers", "sites"}
	seen := map[string]map[int64]bool{"providers": {}, "sites": {}}
	for _, name := range names {
		last := read(w, w.store.NextID, name)
		w.same(int64(1), last)
		for range 3 {
			seen[name][last] = true
			next := read(w, w.store.NextID, name)
			if next <= last {
				w.t.Fatalf("%d follows %d", next, last)
			}
			last = next
		}
		seen[name][last] = true
	}
	given := make([]int64, callers)
	errs := together(callers, func(i int) (err error) {
		given[i], err = w.store.NextID(w.ctx, names[i%2])
		return err
	})
	w.same(callers, w.won(errs, ""))
	for i, n := range given {
		if n < 1 || seen[names[i%2]][n] {
			w.t.Fatalf("number %d was given twice", n)
		}
		seen[names[i%2]][n] = true
	}
}
