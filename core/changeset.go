package core

import "strconv"

// Changeset is everything that one decision changes. A store commits it in one database transaction, whole or not at
// all; nothing else in the system changes state.
//
// Every versioned row (Version or LoadVersion) is saved by compare-and-set: Version 1 inserts, a greater one replaces
// the row whose version is one less. Anything else is a lost race and the commit fails with fault.Conflict.
type Changeset struct {
	Payments  []Payment
	Moves     []Move
	Callbacks []Callback
	Attempts  []Attempt
	Uses      []AccountUse
	Audit     []AuditEntry
	Credits   []Credit // see Credit; a payment that is completed without its credit fails the commit

	Operations    []Operation
	Discrepancies []Discrepancy
	GatewayCalls  []GatewayCall
	Entries       []LedgerEntry // each raises its wallet's balances; below zero the commit fails with fault.Insufficient
	BankLines     []BankLine    // of Version 1, one that is known is kept as it was, and its entry with it is left out
	Wallets       []Wallet
	Feeds         []Feed

	Reconciliations []Reconciliation

	Notifications []Notification

	// Idempotency, when set, is inserted; a record with the same key that is not older than its ReplacesBefore fails
	// the commit with fault.Duplicate.
	Idempotency *IdempotencyRecord
	// Unblocked names customers who must not be on the block list, else the commit fails with fault.Blocked.
	Unblocked []CustomerKey

	Providers  []Provider
	Sites      []Site
	Dealers    []Dealer
	SiteTokens []SiteToken
	Accounts   []Account
	Blocks     []Block       // inserted; blocking a blocked customer again keeps the first row
	Unblocks   []CustomerKey // taken off the block list before Blocks; one that is not on it fails the commit with fault.Conflict
	Staff      []Staff
	Sessions   []Session

	GatewayAccounts []GatewayAccount
	IBANClaims      []IBANClaim // beside those of new accounts and wallets: AllClaims
	RouteRules      []RouteRule

	AuditLinks    []AuditLink // inserted; one whose number or entry is taken is a lost race
	Jobs          []Job
	JobChunks     []JobChunk // inserted
	Factors       []Factors
	Passkeys      []Passkey
	Challenges    []Challenge
	Invitations   []Invitation
	Approvals     []Approval // approved and refused by a second person only, else the commit fails with fault.OwnRequest
	ApprovalRules []ApprovalRule
	RunningTotals []RunningTotal
}

// Merge puts two changesets into one, to be committed together.
func (c Changeset) Merge(other Changeset) Changeset {
	c.Payments = append(c.Payments, other.Payments...)
	c.Moves = append(c.Moves, other.Moves...)
	c.Callbacks = append(c.Callbacks, other.Callbacks...)
	c.Attempts = append(c.Attempts, other.Attempts...)
	c.Uses = append(c.Uses, other.Uses...)
	c.Audit = append(c.Audit, other.Audit...)
	c.Credits = append(c.Credits, other.Credits...)
	c.Operations = append(c.Operations, other.Operations...)
	c.Discrepancies = append(c.Discrepancies, other.Discrepancies...)
	c.GatewayCalls = append(c.GatewayCalls, other.GatewayCalls...)
	c.Notifications = append(c.Notifications, other.Notifications...)
	c.Entries = append(c.Entries, other.Entries...)
	c.BankLines = append(c.BankLines, other.BankLines...)
	c.Wallets = append(c.Wallets, other.Wallets...)
	c.Feeds = append(c.Feeds, other.Feeds...)
	c.Reconciliations = append(c.Reconciliations, other.Reconciliations...)
	c.GatewayAccounts = append(c.GatewayAccounts, other.GatewayAccounts...)
	c.IBANClaims = append(c.IBANClaims, other.IBANClaims...)
	c.RouteRules = append(c.RouteRules, other.RouteRules...)
	c.Unblocked = append(c.Unblocked, other.Unblocked...)
	if other.Idempotency != nil {
		c.Idempotency = other.Idempotency
	}
	c.Providers = append(c.Providers, other.Providers...)
	c.Sites = append(c.Sites, other.Sites...)
	c.Dealers = append(c.Dealers, other.Dealers...)
	c.SiteTokens = append(c.SiteTokens, other.SiteTokens...)
	c.Accounts = append(c.Accounts, other.Accounts...)
	c.Blocks = append(c.Blocks, other.Blocks...)
	c.Unblocks = append(c.Unblocks, other.Unblocks...)
	c.Staff = append(c.Staff, other.Staff...)
	c.Sessions = append(c.Sessions, other.Sessions...)
	c.AuditLinks = append(c.AuditLinks, other.AuditLinks...)
	c.Jobs = append(c.Jobs, other.Jobs...)
	c.JobChunks = append(c.JobChunks, other.JobChunks...)
	c.Factors = append(c.Factors, other.Factors...)
	c.Passkeys = append(c.Passkeys, other.Passkeys...)
	c.Challenges = append(c.Challenges, other.Challenges...)
	c.Invitations = append(c.Invitations, other.Invitations...)
	c.Approvals = append(c.Approvals, other.Approvals...)
	c.ApprovalRules = append(c.ApprovalRules, other.ApprovalRules...)
	c.RunningTotals = append(c.RunningTotals, other.RunningTotals...)
	return c
}

// Rings tells which bells a committed changeset wants rung: deliveries that are due and payments that will expire.
func (c Changeset) Rings() []Ring {
	var rings []Ring
	for i := range c.Callbacks {
		if cb := &c.Callbacks[i]; cb.State == Waiting {
			rings = append(rings, Ring{Kind: DeliverRing, Key: cb.Receiver, At: cb.NextAttemptAt})
		}
	}
	for i := range c.Payments {
		if p := &c.Payments[i]; p.Version == 1 && !p.ExpiresAt.IsZero() {
			rings = append(rings, Ring{Kind: ExpireRing, At: p.ExpiresAt})
		}
	}
	for i := range c.Operations {
		if o := &c.Operations[i]; !o.NextAt.IsZero() {
			rings = append(rings, Ring{Kind: OperateRing, Key: strconv.FormatInt(o.GatewayID, 10), At: o.due()})
		}
	}
	for i := range c.Notifications {
		if n := &c.Notifications[i]; n.State == NotificationWaiting {
			rings = append(rings, Ring{Kind: NotifyRing, At: n.ReceivedAt})
		}
	}
	for i := range c.Feeds {
		if f := &c.Feeds[i]; !f.NextAt.IsZero() && f.LeaseUntil.IsZero() {
			rings = append(rings, Ring{Kind: ReadRing, At: f.NextAt})
		}
	}
	for i := range c.Jobs {
		if j := &c.Jobs[i]; !j.NextAt.IsZero() && j.LeaseUntil.IsZero() {
			rings = append(rings, Ring{Kind: JobRing, At: j.NextAt})
		}
	}
	return rings
}
