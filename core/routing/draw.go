package routing

import (
	"fmt"
	"hash/fnv"
)

// draw orders accounts of one priority by weighted lots. Accounts of weight 0 come last.
func draw(equals []Choice, seed string) []Choice {
	rest := append([]Choice(nil), equals...)
	sum := 0
	for _, w := range rest {
		sum += max(w.Weight, 0)
	}
	var order []Choice
	for round := 0; len(rest) > 0; round++ {
		i := pick(rest, seed, round)
		w := rest[i]
		w.Weight, w.WeightOfAll = max(w.Weight, 0), sum
		w.Why = fmt.Sprintf("%s, priority %d, weight %d of %d", w.Why, w.Priority, w.Weight, sum)
		order = append(order, w)
		rest = append(rest[:i], rest[i+1:]...)
	}
	return order
}

func pick(rest []Choice, seed string, round int) int {
	total := uint64(0)
	for _, w := range rest {
		total += uint64(max(w.Weight, 0))
	}
	if total == 0 {
		return 0
	}
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s/%d", seed, round) // a hash never fails
	lot := mix(h.Sum64()) % total
	for i, w := range rest {
		if weight := uint64(max(w.Weight, 0)); lot < weight {
			return i
		} else {
			lot -= weight
		}
	}
	return len(rest) - 1
}

// mix spreads a hash's bits: FNV's low ones alone are not even enough for small totals.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	return h ^ h>>33
}
