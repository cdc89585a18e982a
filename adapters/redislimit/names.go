package redislimit

import (
	"hash/maphash"

	"github.com/vezne/vezne/core"
)

// name is what a key and its rate are known by in memory: 64 bits of a hash with a seed of this process, which nobody outside can aim at.
// Of 65,000 two are the same once in ten thousand million processes.
type name uint64

// names makes them.
type names struct{ seed maphash.Seed }

func newNames() names { return names{maphash.MakeSeed()} }

func (n names) of(key string, rate core.Rate) name {
	return name(maphash.Comparable(n.seed, struct {
		key  string
		rate core.Rate
	}{key, rate}))
}
