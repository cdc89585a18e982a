// Package core is Vezne's vocabulary and its rules: payments and their status tables, callbacks and their retry ladder,
// accounts, owners, staff. Everything here is plain data and pure functions: no clock, no randomness, no input or
// output. A decision returns a Changeset, the plain data of everything that changes; a store commits it at once.
package core
