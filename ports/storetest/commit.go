package storetest

import (
	"context"
	"testing"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
)

func commitSentences() []sentence {
	return []sentence{
		{"the database answers a ping", func(w *world) { w.no(w.store.Ping(w.ctx)) }},
		{"an empty changeset is no fault", func(w *world) { w.commit(core.Changeset{}) }},
		{"a changeset may have a row of every kind", func(w *world) { w.commit(w.everything()) }},
		{"a changeset that fails anywhere leaves nothing of itself", failingLeavesNothing},
		{"a row that is only ever inserted is a conflict the second time", insertedOnce},
		{"what must be unique is a conflict when it is taken", takenNames},
		{"payments without a page token are as many as wanted", withoutToken},
		{"a name that its row gave up may be taken by another", givenUpName},
		{"a large changeset is committed like any other", largeChangeset},
		{"a blocked customer's changeset is refused", blockedCustomer},
		{"one blocked customer among several is enough", blockedAmongSeveral},
		{"a block holds for one provider's customer only", blockIsPerProvider},
		{"blocking a blocked customer again is no fault", blockedAgain},
		{"a context that is over is an error and never a hang", canceled},
	}
}

// failures are changes that each break a changeset which was fine, in its first part, its last part and between.
func failures(w *world) map[string]func(*core.Changeset) {
	taken := w.everything()
	w.commit(taken)
	account := taken.Accounts[0].ID
	return map[string]func(*core.Changeset){
		"payment":         func(c *core.Changeset) { c.Payments = append(c.Payments, taken.Payments...) },
		"move":            func(c *core.Changeset) { c.Moves = append(c.Moves, taken.Moves...) },
		"callback":        func(c *core.Changeset) { c.Callbacks = append(c.Callbacks, taken.Callbacks...) },
		"attempt":         func(c *core.Changeset) { c.Attempts = append(c.Attempts, taken.Attempts...) },
		"use":             func(c *core.Changeset) { c.Uses = append(c.Uses, use(account, 0)) },
		"audit":           func(c *core.Changeset) { c.Audit = append(c.Audit, taken.Audit...) },
		"idempotency":     func(c *core.Changeset) { c.Idempotency = taken.Idempotency },
		"unblock":         func(c *core.Changeset) { c.Unblocks = append(c.Unblocks, w.block().CustomerKey) },
		"blocked":         func(c *core.Changeset) { c.Unblocked = append(c.Unblocked, taken.Blocks[0].CustomerKey) },
		"provider":        func(c *core.Changeset) { c.Providers = append(c.Providers, taken.Providers...) },
		"site":            func(c *core.Changeset) { c.Sites = append(c.Sites, taken.Sites...) },
		"dealer":          func(c *core.Changeset) { c.Dealers = append(c.Dealers, taken.Dealers...) },
		"site token":      func(c *core.Changeset) { c.SiteTokens = append(c.SiteTokens, taken.SiteTokens...) },
		"account":         func(c *core.Changeset) { c.Accounts = append(c.Accounts, taken.Accounts...) },
		"staff":           func(c *core.Changeset) { c.Staff = append(c.Staff, taken.Staff...) },
		"session":         func(c *core.Changeset) { c.Sessions = append(c.Sessions, taken.Sessions...) },
		"factors":         func(c *core.Changeset) { c.Factors = append(c.Factors, taken.Factors...) },
		"passkey":         func(c *core.Changeset) { c.Passkeys = append(c.Passkeys, taken.Passkeys...) },
		"challenge":       func(c *core.Changeset) { c.Challenges = append(c.Challenges, taken.Challenges...) },
		"invitation":      func(c *core.Changeset) { c.Invitations = append(c.Invitations, taken.Invitations...) },
		"operation":       func(c *core.Changeset) { c.Operations = append(c.Operations, taken.Operations...) },
		"discrepancy":     func(c *core.Changeset) { c.Discrepancies = append(c.Discrepancies, taken.Discrepancies...) },
		"gateway call":    func(c *core.Changeset) { c.GatewayCalls = append(c.GatewayCalls, taken.GatewayCalls...) },
		"notification":    func(c *core.Changeset) { c.Notifications = append(c.Notifications, taken.Notifications...) },
		"gateway account": func(c *core.Changeset) { c.GatewayAccounts = append(c.GatewayAccounts, taken.GatewayAccounts...) },
		"route rule":      func(c *core.Changeset) { c.RouteRules = append(c.RouteRules, taken.RouteRules...) },
		"wallet":          func(c *core.Changeset) { c.Wallets = append(c.Wallets, taken.Wallets...) },
		"feed":            func(c *core.Changeset) { c.Feeds = append(c.Feeds, taken.Feeds...) },
		"reconciliation":  func(c *core.Changeset) { c.Reconciliations = append(c.Reconciliations, taken.Reconciliations...) },
		"approval":        func(c *core.Changeset) { c.Approvals = append(c.Approvals, taken.Approvals...) },
		"approval rule":   func(c *core.Changeset) { c.ApprovalRules = append(c.ApprovalRules, taken.ApprovalRules...) },
		"running total":   func(c *core.Changeset) { c.RunningTotals = append(c.RunningTotals, taken.RunningTotals...) },
		"entry":           func(c *core.Changeset) { c.Entries = append(c.Entries, taken.Entries...) },
		"job":             func(c *core.Changeset) { c.Jobs = append(c.Jobs, taken.Jobs...) },
		"job chunk":       func(c *core.Changeset) { c.JobChunks = append(c.JobChunks, taken.JobChunks...) },
		"saved line": func(c *core.Changeset) {
			line := c.BankLines[0]
			line.Version = 2
			c.BankLines = append(c.BankLines, line)
		},
		"balance": func(c *core.Changeset) {
			c.Entries = append(c.Entries, w.entry(c.Wallets[0].ID, core.EntryOutgoing, lineMinor))
		},
	}
}

// failingLeavesNothing looks in two ways: no read finds anything, and the same changeset without what broke it is
// accepted, which it could not be if one of its rows, its use or its idempotency record had stayed.
func failingLeavesNothing(w *world) {
	codes := map[string]fault.Code{
		"idempotency": fault.Duplicate, "blocked": fault.Blocked, "balance": fault.Insufficient,
	}
	for name, breaks := range failures(w) {
		w.t.Run(name, func(t *testing.T) {
			w := w.in(t)
			whole := w.everything()
			broken := whole
			breaks(&broken)
			code, ok := codes[name]
			if !ok {
				code = fault.Conflict
			}
			w.refused(code, broken)
			w.nothingOf(whole)
			w.commit(core.Changeset{Unblocked: []core.CustomerKey{whole.Blocks[0].CustomerKey}}, whole)
		})
	}
}

func (w *world) nothingOf(c core.Changeset) {
	w.t.Helper()
	w.nothingAtGatesOf(c)
	w.nothingInWalletsOf(c)
	w.nothingOfJobs(c)
	p := c.Payments[0]
	_, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
	w.fails(fault.NotFound, err)
	_, err = w.store.FirstAnswer(w.ctx, c.Idempotency.IdempotencyKey)
	w.fails(fault.NotFound, err)
	_, err = w.store.Provider(w.ctx, c.Providers[0].ID)
	w.fails(fault.NotFound, err)
	_, err = w.store.Site(w.ctx, c.Sites[0].ID)
	w.fails(fault.NotFound, err)
	_, err = w.store.StaffByEmail(w.ctx, c.Staff[0].Email)
	w.fails(fault.NotFound, err)
	_, _, err = w.store.SessionByFingerprint(w.ctx, c.Sessions[0].Fingerprint)
	w.fails(fault.NotFound, err)
	loads, err := w.store.AccountLoads(w.ctx, c.Accounts[0].DealerID, c.Accounts[0].Kind, today)
	w.no(err)
	if n := len(w.moves(p.ID)) + len(w.callbacksOf(p.ID)) + len(w.attemptsOf(c.Callbacks[0].ID)) + len(loads); n > 0 {
		w.t.Fatalf("%d rows of a changeset that failed are there", n)
	}
}

func (w *world) nothingOfJobs(c core.Changeset) {
	w.t.Helper()
	_, err := w.store.Job(w.ctx, c.Jobs[0].ID)
	w.fails(fault.NotFound, err)
	_, err = w.store.JobChunk(w.ctx, c.JobChunks[0].JobID, 1)
	w.fails(fault.NotFound, err)
}

func (w *world) nothingAtGatesOf(c core.Changeset) {
	w.t.Helper()
	for _, key := range keysOf(c.Operations[0]) {
		_, err := w.store.OperationBy(w.ctx, key)
		w.fails(fault.NotFound, err)
	}
	_, err := w.store.Dealer(w.ctx, c.Dealers[0].ID)
	w.fails(fault.NotFound, err)
	is, err := isBlocked(w.ctx, w.store, c.Blocks[0].CustomerKey)
	w.no(err)
	n := len(w.operationsOf(c.Payments[0].ID)) + len(w.discrepanciesOf(c.Payments[0].ID))
	n += len(w.gatewayCalls(core.GatewayCallQuery{Payments: []core.ID{c.Payments[0].ID}, Limit: 1}))
	n += len(w.notifications(core.NotificationQuery{GatewayID: c.Notifications[0].GatewayID, Limit: 1}))
	for _, a := range w.gatewayAccounts() {
		if a.ID == c.GatewayAccounts[0].ID {
			n++
		}
	}
	for _, r := range w.routeRules() {
		if r.ID == c.RouteRules[0].ID {
			n++
		}
	}
	if n > 0 || is {
		w.t.Fatalf("%d rows of a changeset that failed are there, blocked: %t", n, is)
	}
}

func (w *world) nothingInWalletsOf(c core.Changeset) {
	w.t.Helper()
	wallet := c.Wallets[0]
	_, err := w.store.WalletBy(w.ctx, wallet.WalletID)
	w.fails(fault.NotFound, err)
	_, err = w.store.Feed(w.ctx, wallet.ID)
	w.fails(fault.NotFound, err)
	_, err = w.store.Reconciliation(w.ctx, wallet.ID, today)
	w.fails(fault.NotFound, err)
	if n := len(w.allLines(wallet.ID)) + len(w.entries(wallet.ID)); n > 0 {
		w.t.Fatalf("%d rows of a changeset that failed are there", n)
	}
}

func insertedOnce(w *world) {
	first := w.everything()
	w.commit(first)
	w.refused(fault.Conflict, core.Changeset{Moves: first.Moves})
	w.refused(fault.Conflict, core.Changeset{Attempts: first.Attempts})
	w.refused(fault.Conflict, core.Changeset{Audit: first.Audit})
	w.refused(fault.Conflict, core.Changeset{GatewayCalls: first.GatewayCalls})
	w.refused(fault.Conflict, core.Changeset{Entries: first.Entries})
}

func takenNames(w *world) {
	taken := w.everything()
	w.commit(taken)
	changes := map[string]func(*core.Changeset){
		"tracking code":          func(c *core.Changeset) { c.Payments[0].TrackingCode = taken.Payments[0].TrackingCode },
		"page token":             func(c *core.Changeset) { c.Payments[0].Token = taken.Payments[0].Token },
		"provider's API key":     func(c *core.Changeset) { c.Providers[0].APIKey = taken.Providers[0].APIKey },
		"dealer's API key":       func(c *core.Changeset) { c.Dealers[0].APIKey = taken.Dealers[0].APIKey },
		"site token":             func(c *core.Changeset) { c.SiteTokens[0].Token = taken.SiteTokens[0].Token },
		"credential":             func(c *core.Changeset) { c.Sites[0].CredentialFingerprint = taken.Sites[0].CredentialFingerprint },
		"email":                  func(c *core.Changeset) { c.Staff[0].Email = taken.Staff[0].Email },
		"session fingerprint":    func(c *core.Changeset) { c.Sessions[0].Fingerprint = taken.Sessions[0].Fingerprint },
		"operation's reference":  func(c *core.Changeset) { c.Operations[0].Ref = taken.Operations[0].Ref },
		"return token":           func(c *core.Changeset) { c.Operations[0].ReturnToken = taken.Operations[0].ReturnToken },
		"gateway account's code": func(c *core.Changeset) { c.GatewayAccounts[0].Code = taken.GatewayAccounts[0].Code },
		"hook token":             func(c *core.Changeset) { c.GatewayAccounts[0].HookToken = taken.GatewayAccounts[0].HookToken },
		"notification's key": func(c *core.Changeset) {
			n := taken.Notifications[0]
			c.Notifications[0].GatewayID, c.Notifications[0].Key = n.GatewayID, n.Key
		},
		"wallet's bank account": func(c *core.Changeset) {
			c.Wallets[0].GatewayID, c.Wallets[0].BankAccount = taken.Wallets[0].GatewayID, taken.Wallets[0].BankAccount
		},
		"wallet's wallet_id": func(c *core.Changeset) { c.Wallets[0].WalletID = taken.Wallets[0].WalletID },
		"entry's kind for its payment": func(c *core.Changeset) {
			c.Entries[1].Kind, c.Entries[1].PaymentID = taken.Entries[1].Kind, taken.Entries[1].PaymentID
		},
		"entry's bank line": func(c *core.Changeset) {
			c.Entries[1].WalletID, c.Entries[1].LineID = taken.Wallets[0].ID, taken.Entries[0].LineID
		},
	}
	for name, take := range changes {
		w.t.Run(name, func(t *testing.T) {
			w := w.in(t)
			change := w.everything()
			take(&change)
			w.refused(fault.Conflict, change)
		})
	}
}

func withoutToken(w *world) {
	one, other := w.barePayment(), w.barePayment()
	w.commit(core.Changeset{Payments: []core.Payment{one, other}})
	w.commit(core.Changeset{Payments: []core.Payment{w.barePayment()}})
	_, err := w.store.PaymentByToken(w.ctx, "")
	w.fails(fault.NotFound, err)
}

func givenUpName(w *world) {
	before, after := w.provider(), w.provider()
	w.commit(core.Changeset{Providers: []core.Provider{before}})
	oldKey := before.APIKey
	before.Version, before.APIKey = 2, "vzp_rotated"
	after.APIKey = oldKey
	w.commit(core.Changeset{Providers: []core.Provider{before}}, core.Changeset{Providers: []core.Provider{after}})
	found, err := w.store.ProviderByAPIKey(w.ctx, oldKey)
	w.no(err)
	w.same(after, found)
}

// largeChangeset has more values than one SQL statement takes parameters, and more text than some take.
func largeChangeset(w *world) {
	const rows = 1000
	var change core.Changeset
	for range rows {
		p := w.payment()
		change.Payments = append(change.Payments, p)
		change.Moves = append(change.Moves, w.move(p.ID))
		change.Callbacks = append(change.Callbacks, w.callback(p.ID, "site/1/deposit"))
	}
	w.commit(change)
	last := change.Payments[rows-1]
	w.same(last, w.byCode(last.TrackingCode))
	w.same(change.Moves[rows-1:], w.moves(last.ID))
	w.same(change.Callbacks[rows-1:], w.callbacksOf(last.ID))
	w.refused(fault.Conflict, core.Changeset{Payments: change.Payments})
}

func blockedCustomer(w *world) {
	blocked, p := w.block(), w.payment()
	change := core.Changeset{Payments: []core.Payment{p}, Unblocked: []core.CustomerKey{blocked.CustomerKey}}
	w.commit(core.Changeset{Blocks: []core.Block{blocked}})
	w.refused(fault.Blocked, change)
	_, err := w.store.PaymentByTrackingCode(w.ctx, p.TrackingCode)
	w.fails(fault.NotFound, err)
}

func blockedAmongSeveral(w *world) {
	blocked := w.block()
	w.commit(core.Changeset{Blocks: []core.Block{blocked}})
	free, alsoFree := w.block().CustomerKey, w.block().CustomerKey
	w.refused(fault.Blocked, core.Changeset{Unblocked: []core.CustomerKey{free, blocked.CustomerKey, alsoFree}})
}

func blockIsPerProvider(w *world) {
	blocked := w.block()
	w.commit(core.Changeset{Blocks: []core.Block{blocked}})
	w.commit(core.Changeset{Unblocked: []core.CustomerKey{
		{ProviderID: blocked.ProviderID + 1, UserID: blocked.UserID},
		{ProviderID: blocked.ProviderID, UserID: blocked.UserID + " "},
		{ProviderID: blocked.ProviderID, UserID: ""},
	}})
}

func blockedAgain(w *world) {
	first := w.block()
	again := w.block()
	again.CustomerKey = first.CustomerKey
	w.commit(core.Changeset{Blocks: []core.Block{first}}, core.Changeset{Blocks: []core.Block{again}})
	w.refused(fault.Blocked, core.Changeset{Unblocked: []core.CustomerKey{first.CustomerKey}})
}

// canceled also refuses NotFound: nobody has looked.
func canceled(w *world) {
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	for _, reads := range []map[string]error{
		paymentReads(ctx, w), otherReads(ctx, w), gatewayReads(ctx, w), walletReads(ctx, w), statementReads(ctx, w),
	} {
		for name, err := range reads {
			if err == nil || fault.Is(err, fault.NotFound) {
				w.t.Errorf("%s gave %v", name, err)
			}
		}
	}
}
