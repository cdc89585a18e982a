package storetest

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
)

// changeset draws rows of the kinds that this check is about, most of them at the version that the stores wait for. A check
// is about some of the kinds only: where everything comes together, something is wrong with nearly every changeset, and
// nothing is ever stored.
func (d *duel) changeset() core.Changeset {
	var c core.Changeset
	for i, draw := range []func(*core.Changeset){
		d.drawPayments, d.drawOwners, d.drawGates, d.drawSignIns, d.drawWallets, d.drawUses, d.drawBlocks, d.drawApprovals,
	} {
		if d.kinds&(1<<i) != 0 {
			draw(&c)
		}
	}
	if d.oneIn(3) {
		c.Idempotency = d.drawRecord()
	}
	return c
}

func (d *duel) drawBlocks(c *core.Changeset) {
	switch {
	case d.oneIn(6):
		customer := rapid.SampledFrom(d.rows.Unblocked).Draw(d.T, "blocked")
		c.Blocks = []core.Block{{CustomerKey: customer, Reason: d.text(), By: core.System, CreatedAt: d.moment()}}
	case d.oneIn(2):
		c.Unblocked = []core.CustomerKey{rapid.SampledFrom(d.rows.Unblocked).Draw(d.T, "unblocked")}
	case d.oneIn(3):
		c.Unblocks = d.drawUnblocks()
	}
}

// drawUnblocks is most often somebody who is blocked.
func (d *duel) drawUnblocks() []core.CustomerKey {
	customer := rapid.SampledFrom(d.rows.Unblocked).Draw(d.T, "unblocks")
	is, err := isBlocked(d.ctx, d.reference, customer)
	if err != nil {
		d.Fatalf("block list: %v", err)
	}
	if !is && !d.oneIn(20) {
		return nil
	}
	return []core.CustomerKey{customer}
}

// some draws a few of the rows, each changed and given a version.
func some[R any](d *duel, rows []R, key func(R) any, version func(*R) *int, change func(*R)) []R {
	var drawn []R
	for _, r := range rows {
		if !d.oneIn(4) {
			continue
		}
		change(&r)
		*version(&r) = d.versions[key(r)] + 1
		if d.oneIn(20) {
			*version(&r) += rapid.SampledFrom([]int{-1, 1}).Draw(d.T, "off")
		}
		drawn = append(drawn, r)
	}
	return drawn
}

func (d *duel) drawPayments(c *core.Changeset) {
	c.Payments = some(d, d.rows.Payments, func(p core.Payment) any { return p.ID },
		func(p *core.Payment) *int { return &p.Version }, d.changePayment)
	c.Callbacks = some(d, d.rows.Callbacks, func(x core.Callback) any { return x.ID },
		func(x *core.Callback) *int { return &x.Version }, d.changeCallback)
	for _, p := range c.Payments {
		m := d.move(p.ID)
		m.By, m.Reason = core.Actor{Kind: core.ByCustomer, Addr: d.text()}, d.text()
		c.Moves = append(c.Moves, m)
	}
	for _, x := range c.Callbacks {
		a := d.attempt(x.ID)
		a.Error, a.Answer = d.text(), d.text()
		c.Attempts = append(c.Attempts, a)
	}
	if d.oneIn(30) {
		c.Moves = append(c.Moves, d.rows.Moves[0])
	}
}

func (d *duel) changePayment(p *core.Payment) {
	p.Method = rapid.SampledFrom(core.Methods()).Draw(d.T, "method")
	p.Status = rapid.SampledFrom(core.Statuses()).Draw(d.T, "status")
	p.DealerID = d.small()
	p.Customer = core.Customer{UserID: rapid.SampledFrom([]string{"u1", "u2"}).Draw(d.T, "user"), Username: d.text()}
	p.Amount, p.Reason = lira(100*d.small()), d.text()
	p.IsIBANSuspect, p.Account.Holder = d.oneIn(2), d.text()
	if d.oneIn(2) {
		p.Payer, p.Payee = core.CardPayer{}, core.Payee{WalletNumber: d.text()}
		p.Failure, p.AtGate = core.Failure{}, core.AtGateway{}
	}
	p.ExpiresAt, p.CreatedAt, p.FinishedAt = d.momentOrNone(), d.moment(), d.momentOrNone()
	p.Account.AccountID, p.Claim = d.rows.Accounts[0].ID, core.Claim{StaffID: d.small() % 3, Until: d.momentOrNone()}
	if d.oneIn(3) {
		p.Claim.Hold = core.ClaimHold{ApprovalID: d.rows.Approvals[0].ID, StaffID: d.small(), Until: d.momentOrNone()}
	}
}

func (d *duel) changeCallback(c *core.Callback) {
	states := []core.CallbackState{core.Waiting, core.Waiting, core.Delivered, core.Undeliverable, core.Skipped}
	c.State = rapid.SampledFrom(states).Draw(d.T, "state")
	c.Attempts, c.Payload.Fullname = int(d.small()), d.text()
	c.NextAttemptAt, c.LeaseUntil, c.FinishedAt = d.moment(), d.momentOrNone(), d.momentOrNone()
	if c.State != core.Waiting {
		c.NextAttemptAt = d.momentOrNone()
	}
}

func (d *duel) drawOwners(c *core.Changeset) {
	c.Providers = some(d, d.rows.Providers, func(p core.Provider) any { return p.ID },
		func(p *core.Provider) *int { return &p.Version }, func(p *core.Provider) {
			p.Name, p.IsActive, p.SecretKey = d.text(), d.oneIn(2), core.NewSecret(d.text())
			p.IPWhitelist, p.PreviousSecret.Until = whitelist()[:d.small()], d.momentOrNone()
		})
	c.Sites = some(d, d.rows.Sites, func(x core.Site) any { return x.ID },
		func(x *core.Site) *int { return &x.Version },
		func(x *core.Site) { x.Name, x.URLs.Deposit, x.IsIBANStrict = d.text(), d.text(), d.oneIn(2) })
	c.Dealers = some(d, d.rows.Dealers, func(x core.Dealer) any { return x.ID },
		func(x *core.Dealer) *int { return &x.Version }, func(x *core.Dealer) { x.Name = d.text() })
	c.SiteTokens = some(d, d.rows.SiteTokens, func(x core.SiteToken) any { return x.ID },
		func(x *core.SiteToken) *int { return &x.Version }, func(x *core.SiteToken) { x.Name = d.text() })
	c.Accounts = some(d, d.rows.Accounts, func(a core.Account) any { return a.ID },
		func(a *core.Account) *int { return &a.Version },
		func(a *core.Account) { a.Holder, a.IsActive, a.DailyLimit = d.text(), d.oneIn(2), lira(d.small()) })
	c.Staff = some(d, d.rows.Staff, func(x core.Staff) any { return x.ID },
		func(x *core.Staff) *int { return &x.Version },
		func(x *core.Staff) { x.Role = rapid.SampledFrom(core.Roles()).Draw(d.T, "role") })
	c.Sessions = some(d, d.rows.Sessions, func(x core.Session) any { return x.ID },
		func(x *core.Session) *int { return &x.Version }, func(x *core.Session) { x.RevokedAt = d.momentOrNone() })
}

// drawUses takes from the accounts and gives some of it back.
func (d *duel) drawUses(c *core.Changeset) {
	day := rapid.SampledFrom([]core.Day{today, tomorrow}).Draw(d.T, "day")
	loads, err := d.reference.AccountLoads(d.ctx, d.rows.Accounts[0].DealerID, core.ManualAccount, day)
	if err != nil {
		d.Fatalf("loads: %v", err)
	}
	for _, l := range loads {
		if !d.oneIn(2) {
			continue
		}
		u := core.AccountUse{AccountID: l.ID, Day: day, Amount: lira(d.small()), Count: 1, Expect: l.LoadVersion}
		u.At = d.momentOrNone()
		if d.oneIn(20) {
			u.Expect++
		}
		back := core.AccountUse{AccountID: l.ID, Day: day, Amount: lira(-l.Used.Minor() / 2), Expect: core.AnyVersion}
		c.Uses = append(c.Uses, u)
		if d.oneIn(2) {
			c.Uses = append(c.Uses, back)
		}
	}
}

func (d *duel) drawRecord() *core.IdempotencyRecord {
	r := rapid.SampledFrom(d.records).Draw(d.T, "key")
	r.Status, r.Body, r.CreatedAt = int(d.small()), []byte(d.text()), d.moment()
	r.ReplacesBefore = d.moment()
	return &r
}

// query asks within this check's payments.
func (d *duel) query() core.PaymentQuery {
	q := core.PaymentQuery{ProviderID: d.rows.Payments[0].ProviderID, Limit: int(d.small()) + 1}
	if d.oneIn(3) {
		q.DealerID = d.small()
	}
	if d.oneIn(6) {
		q.Scope.ProviderID = q.ProviderID - d.small()%2
	}
	if d.oneIn(3) {
		q.Methods = core.Methods()[:d.small()]
	}
	if d.oneIn(3) {
		q.Statuses = slices.Clone(core.Statuses()[d.small():])
	}
	if d.oneIn(3) {
		q.UserID = "u1"
	}
	if d.oneIn(3) {
		q.CreatedFrom, q.CreatedUntil = d.momentOrNone(), d.momentOrNone()
	}
	if d.oneIn(3) {
		q.MinAmount, q.MaxAmount = lira(100*d.small()), lira(100*d.small())
	}
	if d.oneIn(3) {
		q.After = rapid.SampledFrom(d.rows.Payments).Draw(d.T, "after").ID
	}
	return q
}

// remember takes over the versions of what was committed.
func (d *duel) remember(c core.Changeset) {
	d.rememberSignIns(c)
	d.rememberApprovals(c)
	for _, r := range c.Payments {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Callbacks {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Providers {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Sites {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Dealers {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.SiteTokens {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Accounts {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Staff {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Sessions {
		d.versions[r.ID] = r.Version
	}
	d.rememberGates(c)
}

func (d *duel) rememberGates(c core.Changeset) {
	for _, r := range c.Operations {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Discrepancies {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Notifications {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.GatewayAccounts {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.RouteRules {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Wallets {
		d.versions[r.ID] = r.Version
	}
	for _, r := range c.Feeds {
		d.versions[feedKey(r.WalletID)] = r.Version
	}
	for _, r := range c.Reconciliations {
		d.versions[dayKey{r.WalletID, r.Day}] = r.Version
	}
	for _, l := range c.BankLines {
		key := lineKey{l.WalletID, l.LineID}
		d.lines[key] = max(d.lines[key], l.Version)
	}
}

// oneIn is true about once in n times; it shrinks to false.
func (d *duel) oneIn(n int) bool { return rapid.IntRange(0, n-1).Draw(d.T, "one in") == n-1 }

func (d *duel) small() int64 { return rapid.Int64Range(0, 4).Draw(d.T, "number") }

func (d *duel) moment() time.Time {
	return epoch.Add(time.Duration(rapid.IntRange(0, 5).Draw(d.T, "minute")) * time.Minute)
}

func (d *duel) momentOrNone() time.Time {
	if d.oneIn(3) {
		return time.Time{}
	}
	return d.moment()
}

func (d *duel) text() string {
	letters := []rune("abc ABC ışğİÜ'\"\\%_\n\t$?:{}<>🏦\u202e")
	return rapid.StringOfN(rapid.SampledFrom(letters), 0, 12, -1).Draw(d.T, "text")
}
