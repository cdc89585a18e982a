// Package core is the kernel that every subject shares: identities, actors and scopes, changesets and their rows, guards,
// events and wake-ups, pages, forms and secrets. The subjects stand in folders below it, in an order that a test holds:
// ledger, staff, owner, payment, discrepancy, routing, operation, decision, wallet, report, approval; each knows those before it only.
//
// Everything in core is plain data and pure functions: no clock, no randomness, no input or output. A decision returns a
// Changeset, the plain data of everything that changes; a store commits it at once.
package core
