package coretest

import (
	"slices"

	"pgregory.net/rapid"
)

// Reads is what n reads see, one after another, of something that others change meanwhile: each the last of its states, or now and then an
// earlier one, and none an earlier one than a read before it. A decision that is made from them has to be right, or to lose its race.
func Reads[S any](t *rapid.T, states []S, n int) []S {
	at, last := make([]int, n), len(states)-1
	for i := range at {
		at[i] = last
		if rapid.IntRange(0, 3).Draw(t, "meanwhile") == 0 {
			at[i] = rapid.IntRange(0, last).Draw(t, "read")
		}
	}
	slices.Sort(at)
	seen := make([]S, n)
	for i := range seen {
		seen[i] = states[at[i]]
	}
	return seen
}

// looksBack is how many changes a decision may have missed.
const looksBack = 3

// Remember is the past of something with the state that it had before a change: as far as Reads looks back.
func Remember[S any](past []S, state S) []S {
	past = append(past, state)
	return past[max(0, len(past)-looksBack):]
}
