package ports

import (
	"context"

	"github.com/vezne/vezne/core"
)

// Committer is the only way in which state changes, beside the claims of workers (see the Claim methods).
type Committer interface {
	// Commit applies the whole changeset in one durable database transaction, or nothing of it. It is safe for
	// concurrent use and may put several callers' changesets into one transaction, each still whole or not at all.
	//
	// Faults: Conflict (a version or an Expect did not match: a lost race; or what must be unique is taken: an ID, a
	// tracking code, a page token, an API key, a site token, a credential's or session's fingerprint, an email, an
	// operation's reference or return token, the bank line or the operation behind a credit, a challenge's or an
	// invitation's fingerprint, a passkey's credential id, a wallet's wallet_id or its account at its gateway, a callback's
	// number within its payment, a nonce of its caller, a ledger entry's kind for its payment or for its bank line, a
	// gateway account's code or hook token, a notification's key within its account; empty ones are not compared; or a
	// bank line that is saved comes twice, or beside an import of it; or one of Unblocks is not on the block list),
	// Duplicate (the idempotency key exists and is not older than ReplacesBefore), Blocked (one of Unblocked is on the
	// block list), TooManyOpen (with the changeset's own deposits a customer or a site has more open ones than an OpenBound
	// allows; at a site whose limit is above 1,000, commits under way in more than five processes may pass it by 200 for each
	// further process), Insufficient (an entry would make its wallet's available or reserved balance negative, or does not sum
	// to zero), Uncredited (a credit is for more than its bank line or operation brought, a row of credits is changed
	// otherwise than core.Credit allows, a payment's credits do not add up to the amount that it is completed with), OwnRequest (an approval's decision is by its requester, or by nobody: see core.Approval.IsFourEyes),
	// Unavailable (the database is out of reach: whether the changeset was committed is then unknown, and committing it
	// again is safe, since its versions no longer match if it was). When several apply, any one of them is given.
	Commit(ctx context.Context, change core.Changeset) error
}

// Sequences issues the integer ids of providers, sites, dealers, accounts, wallets and staff.
type Sequences interface {
	// NextID returns the next number of a named sequence, from 1; never the same twice.
	NextID(ctx context.Context, name string) (int64, error)
}
