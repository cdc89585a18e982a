package apptest

import (
	"slices"
	"sync"

	"github.com/vezne/vezne/adapters/bunstore"
	"github.com/vezne/vezne/adapters/bunstore/sqlitetest"
	"github.com/vezne/vezne/core"
)

// seededFile is the file of a seeded store, with its owners and the wake-ups of seeding: those are not a test's, and not lost.
type seededFile struct {
	Seeded
	file    []byte
	wakeUps []core.WakeUp
}

var (
	seeding sync.Once
	seeded  *seededFile
)

// template seeds a store, once for all tests: that takes longer than most of them.
func template(t TB) *seededFile {
	t.Helper()
	seeding.Do(func() {
		made := seededFile{}
		file, err := sqlitetest.Make(func(store *bunstore.Store) {
			own := &ownEnd{TB: t}
			defer own.end()
			w := build(own, store)
			w.seed(own)
			made.Seeded, made.wakeUps = w.Seeded, w.Waker.Drain()
		})
		if err != nil {
			t.Fatal(err)
		}
		made.file = file
		seeded = &made
	})
	if seeded == nil {
		t.Fatal("another test could not seed the store")
	}
	return seeded
}

// ownEnd is a test in which something ends before it does.
type ownEnd struct {
	TB
	cleanups []func()
}

// Cleanup has something done at the end.
func (e *ownEnd) Cleanup(f func()) { e.cleanups = append(e.cleanups, f) }

func (e *ownEnd) end() {
	for _, f := range slices.Backward(e.cleanups) {
		f()
	}
}
