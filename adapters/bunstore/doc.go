// Package bunstore keeps everything in PostgreSQL or SQLite: one code for both over bun, with what differs between them
// in dialect.go.
//
// Commit is a group commit: changesets of concurrent callers travel in one database transaction, each still whole or not
// at all (committer.go). A changeset is turned into SQL in its caller's goroutine (encode.go); a batch only puts these
// pieces together (statements.go).
package bunstore
