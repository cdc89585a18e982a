package storetest

func sequenceSentences() []sentence {
	return []sentence{
		{"a sequence begins with 1 and rises", risesFromOne},
		{"each sequence counts for itself", sequencesAreApart},
		{"no number is given twice, however many ask at once", numbersAreUnique},
	}
}

func (w *world) nextID(name string) int64 {
	w.t.Helper()
	n, err := w.store.NextID(w.ctx, name)
	w.no(err)
	return n
}

func risesFromOne(w *world) {
	last := w.nextID("providers")
	w.same(int64(1), last)
	for range 10 {
		next := w.nextID("providers")
		if next <= last {
			w.t.Fatalf("%d follows %d", next, last)
		}
		last = next
	}
}

func sequencesAreApart(w *world) {
	for range 3 {
		w.nextID("providers")
	}
	for _, name := range []string{"sites", "dealers", "accounts", "staff"} {
		w.same(int64(1), w.nextID(name))
	}
}

func numbersAreUnique(w *world) {
	const callers = 100
	given := make([]int64, callers)
	errs := together(callers, func(i int) (err error) {
		given[i], err = w.store.NextID(w.ctx, []string{"providers", "sites"}[i%2])
		return err
	})
	w.same(callers, w.won(errs, ""))
	seen := map[[2]int64]bool{}
	for i, n := range given {
		key := [2]int64{int64(i % 2), n}
		if n < 1 || seen[key] {
			w.t.Fatalf("number %d was given twice or is below 1", n)
		}
		seen[key] = true
	}
}
