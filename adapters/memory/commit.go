package memory

import (
	"context"
	"maps"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/money"
)

// Commit checks everything first and then applies everything.
func (s *Store) Commit(ctx context.Context, change core.Changeset) error {
	const op = "memory.Commit"
	leave, err := s.enter(ctx, op)
	if err != nil {
		return err
	}
	defer leave()
	hasWallets := s.hasWallets(change)
	change.Entries = s.booked(change)
	ibans, isTaken, isLost := s.claimed(change.AllClaims())
	switch {
	case s.isDuplicate(change.Idempotency):
		return fault.New(op, fault.Duplicate)
	case s.isBlocked(change.Unblocked):
		return fault.New(op, fault.Blocked)
	case !isFourEyes(change.Approvals):
		return fault.New(op, fault.OwnRequest)
	case isTaken:
		return fault.New(op, fault.BankAccountTaken)
	case isLost, !s.takesRows(change), !s.takesBankLines(change.BankLines), !s.takesUses(change.Uses), !hasWallets,
		!s.takesUnblocks(change.Unblocks):
		return fault.New(op, fault.Conflict)
	case !s.takesEntries(change.Entries):
		return fault.New(op, fault.Insufficient)
	case !s.covers(change):
		return fault.New(op, fault.Uncredited)
	}
	s.putRows(change)
	s.putBalances(change.Entries)
	s.putBankLines(change.BankLines)
	s.putUses(change.Uses)
	s.deleteBlocks(change.Unblocks)
	s.putBlocks(change.Blocks)
	s.putAnswer(change.Idempotency)
	maps.Copy(s.ibans, ibans)
	return nil
}

func (s *Store) takesRows(c core.Changeset) bool {
	return s.payments.takes(c.Payments) && s.moves.takes(c.Moves) && s.callbacks.takes(c.Callbacks) &&
		s.attempts.takes(c.Attempts) && s.audit.takes(c.Audit) && s.sessions.takes(c.Sessions) &&
		s.providers.takes(c.Providers) && s.sites.takes(c.Sites) && s.dealers.takes(c.Dealers) &&
		s.siteTokens.takes(c.SiteTokens) && s.accounts.takes(c.Accounts) && s.staff.takes(c.Staff) &&
		s.operations.takes(c.Operations) && s.discrepancies.takes(c.Discrepancies) && s.credits.takes(c.Credits) &&
		s.gatewayCalls.takes(c.GatewayCalls) && s.notifications.takes(c.Notifications) &&
		s.gatewayAccounts.takes(c.GatewayAccounts) && s.routeRules.takes(c.RouteRules) &&
		s.wallets.takes(c.Wallets) && s.entries.takes(c.Entries) && s.feeds.takes(c.Feeds) &&
		s.reconciliations.takes(c.Reconciliations) && s.auditLinks.takes(c.AuditLinks) && s.jobs.takes(c.Jobs) &&
		s.jobChunks.takes(c.JobChunks) &&
		s.factors.takes(c.Factors) && s.passkeys.takes(c.Passkeys) && s.challenges.takes(c.Challenges) &&
		s.invitations.takes(c.Invitations) && s.approvals.takes(c.Approvals) &&
		s.approvalRules.takes(c.ApprovalRules) && s.runningTotals.takes(c.RunningTotals)
}

func (s *Store) putRows(c core.Changeset) {
	s.payments.put(c.Payments)
	s.moves.put(c.Moves)
	s.callbacks.put(c.Callbacks)
	s.attempts.put(c.Attempts)
	s.audit.put(c.Audit)
	s.sessions.put(c.Sessions)
	s.providers.put(c.Providers)
	s.sites.put(c.Sites)
	s.dealers.put(c.Dealers)
	s.siteTokens.put(c.SiteTokens)
	s.accounts.put(c.Accounts)
	s.staff.put(c.Staff)
	s.operations.put(c.Operations)
	s.discrepancies.put(c.Discrepancies)
	s.credits.put(c.Credits)
	s.gatewayCalls.put(c.GatewayCalls)
	s.notifications.put(c.Notifications)
	s.gatewayAccounts.put(c.GatewayAccounts)
	s.routeRules.put(c.RouteRules)
	s.wallets.put(c.Wallets)
	s.entries.put(c.Entries)
	s.feeds.put(c.Feeds)
	s.reconciliations.put(c.Reconciliations)
	s.auditLinks.put(c.AuditLinks)
	s.jobs.put(c.Jobs)
	s.jobChunks.put(c.JobChunks)
	s.factors.put(c.Factors)
	s.passkeys.put(c.Passkeys)
	s.challenges.put(c.Challenges)
	s.invitations.put(c.Invitations)
	s.approvals.put(c.Approvals)
	s.approvalRules.put(c.ApprovalRules)
	s.runningTotals.put(c.RunningTotals)
}

// takesUses tells whether every Expect holds when the uses are applied in their order, each raising the version.
func (s *Store) takesUses(uses []core.AccountUse) bool {
	made := map[loadKey]int{}
	for _, u := range uses {
		key := loadKey{u.AccountID, u.Day}
		if u.Expect >= 0 && u.Expect != s.loads[key].version+made[key] {
			return false
		}
		made[key]++
	}
	return true
}

func (s *Store) putUses(uses []core.AccountUse) {
	for _, u := range uses {
		key := loadKey{u.AccountID, u.Day}
		l := s.loads[key]
		l.used = money.New(l.used.Minor()+u.Amount.Minor(), u.Amount.Currency())
		l.count += u.Count
		l.version++
		if !u.At.IsZero() {
			l.lastOfferedAt = u.At
		}
		s.loads[key] = l
	}
}

func (s *Store) isDuplicate(record *core.IdempotencyRecord) bool {
	if record == nil {
		return false
	}
	kept, ok := s.answers[record.IdempotencyKey]
	return ok && !kept.CreatedAt.Before(record.ReplacesBefore)
}

func (s *Store) putAnswer(record *core.IdempotencyRecord) {
	if record != nil {
		s.answers[record.IdempotencyKey] = cloneAnswer(*record)
	}
}

func (s *Store) isBlocked(customers []core.CustomerKey) bool {
	for _, customer := range customers {
		if _, ok := s.blocks[customer]; ok {
			return true
		}
	}
	return false
}

func (s *Store) putBlocks(blocks []core.Block) {
	for _, b := range blocks {
		if _, ok := s.blocks[b.CustomerKey]; !ok {
			s.blocks[b.CustomerKey] = b
		}
	}
}
