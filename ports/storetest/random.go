package storetest

import (
	"reflect"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
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
		c = append(c, d.drawRecord())
	}
	return c
}

func (d *duel) drawBlocks(c *core.Changeset) {
	switch {
	case d.oneIn(6):
		customer := rapid.SampledFrom(core.RowsOf[owner.NotBlocked](d.rows)).Draw(d.T, "blocked")
		*c = append(*c, owner.Block{CustomerKey: owner.CustomerKey(customer), Reason: d.text(), By: core.System, CreatedAt: d.moment()})
	case d.oneIn(2):
		*c = append(*c, rapid.SampledFrom(core.RowsOf[owner.NotBlocked](d.rows)).Draw(d.T, "unblocked"))
	case d.oneIn(3):
		add(c, d.drawUnblocks())
	}
}

// drawUnblocks is most often somebody who is blocked.
func (d *duel) drawUnblocks() []owner.Unblock {
	customer := rapid.SampledFrom(core.RowsOf[owner.NotBlocked](d.rows)).Draw(d.T, "unblocks")
	is, err := isBlocked(d.ctx, d.reference, owner.CustomerKey(customer))
	if err != nil {
		d.Fatalf("block list: %v", err)
	}
	if !is && !d.oneIn(20) {
		return nil
	}
	return []owner.Unblock{owner.Unblock(customer)}
}

// add appends rows to a changeset.
func add[R core.Row](c *core.Changeset, rows []R) { *c = c.Merge(core.Rows(rows)) }

// draw appends a few rows of a kind, each changed and given a version.
func draw[R core.Row](d *duel, c *core.Changeset, change func(*R)) {
	for _, r := range core.RowsOf[R](d.rows) {
		if !d.oneIn(4) {
			continue
		}
		change(&r)
		version := d.version(r) + 1
		if d.oneIn(20) {
			version += rapid.SampledFrom([]int{-1, 1}).Draw(d.T, "off")
		}
		reflect.ValueOf(&r).Elem().FieldByName("Version").SetInt(int64(version))
		*c = append(*c, r)
	}
}

// version is the one at which the stores have a row.
func (d *duel) version(r core.Row) int { return d.versions[unversioned(r)] }

func (d *duel) drawPayments(c *core.Changeset) {
	draw(d, c, d.changePayment)
	draw(d, c, d.changeCallback)
	for _, p := range core.RowsOf[payment.Payment](*c) {
		m := d.move(p.ID)
		m.By, m.Reason = core.Actor{Kind: core.ByCustomer, Addr: d.text()}, d.text()
		*c = append(*c, m)
	}
	for _, x := range core.RowsOf[payment.Callback](*c) {
		a := d.attempt(x.ID)
		a.Error, a.Answer = d.text(), d.text()
		*c = append(*c, a)
	}
	if d.oneIn(30) {
		*c = append(*c, core.RowsOf[payment.Move](d.rows)[0])
	}
}

func (d *duel) changePayment(p *payment.Payment) {
	p.Method = rapid.SampledFrom(payment.Methods()).Draw(d.T, "method")
	p.Status = rapid.SampledFrom(payment.Statuses()).Draw(d.T, "status")
	p.DealerID = d.small()
	p.Customer = owner.Customer{UserID: rapid.SampledFrom([]string{"u1", "u2"}).Draw(d.T, "user"), Username: d.text()}
	p.Amount, p.Reason = lira(100*d.small()), d.text()
	p.IsIBANSuspect, p.Account.Holder = d.oneIn(2), d.text()
	if d.oneIn(2) {
		p.Payer, p.Payee = payment.CardPayer{}, payment.Payee{WalletNumber: d.text()}
		p.Failure, p.AtGate = payment.Failure{}, payment.AtGateway{}
	}
	p.ExpiresAt, p.CreatedAt, p.FinishedAt = d.momentOrNone(), d.moment(), d.momentOrNone()
	p.Account.AccountID, p.Claim = core.RowsOf[owner.Account](d.rows)[0].ID, payment.Claim{StaffID: d.small() % 3, Until: d.momentOrNone()}
	if d.oneIn(3) {
		p.Claim.Hold = payment.ClaimHold{ApprovalID: core.RowsOf[approval.Approval](d.rows)[0].ID, StaffID: d.small(), Until: d.momentOrNone()}
	}
}

func (d *duel) changeCallback(c *payment.Callback) {
	states := []payment.CallbackState{payment.Waiting, payment.Waiting, payment.Delivered, payment.Undeliverable, payment.Skipped}
	c.State = rapid.SampledFrom(states).Draw(d.T, "state")
	c.Attempts, c.Payload.Fullname = int(d.small()), d.text()
	c.NextAttemptAt, c.LeaseUntil, c.FinishedAt = d.moment(), d.momentOrNone(), d.momentOrNone()
	if c.State != payment.Waiting {
		c.NextAttemptAt = d.momentOrNone()
	}
}

func (d *duel) drawOwners(c *core.Changeset) {
	draw(d, c, func(p *owner.Provider) {
		p.Name, p.IsActive, p.SecretKey = d.text(), d.oneIn(2), core.NewSecret(d.text())
		p.IPWhitelist, p.PreviousSecret.Until = whitelist()[:d.small()], d.momentOrNone()
	})
	draw(d, c, func(x *owner.Site) { x.Name, x.URLs.Deposit, x.IsIBANStrict = d.text(), d.text(), d.oneIn(2) })
	draw(d, c, func(x *owner.Dealer) { x.Name = d.text() })
	draw(d, c, func(x *owner.SiteToken) { x.Name = d.text() })
	draw(d, c, func(a *owner.Account) { a.Holder, a.IsActive, a.DailyLimit = d.text(), d.oneIn(2), lira(d.small()) })
	draw(d, c, func(x *staff.Staff) { x.Role = rapid.SampledFrom(staff.Roles()).Draw(d.T, "role") })
	draw(d, c, func(x *staff.Session) { x.RevokedAt = d.momentOrNone() })
}

// drawUses takes from the accounts and gives some of it back.
func (d *duel) drawUses(c *core.Changeset) {
	day := rapid.SampledFrom([]core.Day{today, tomorrow}).Draw(d.T, "day")
	loads, err := d.reference.AccountLoads(d.ctx, core.RowsOf[owner.Account](d.rows)[0].DealerID, owner.ManualAccount, day)
	if err != nil {
		d.Fatalf("loads: %v", err)
	}
	for _, l := range loads {
		if !d.oneIn(2) {
			continue
		}
		u := owner.AccountUse{AccountID: l.ID, Day: day, Amount: lira(d.small()), Count: 1, Expect: l.LoadVersion}
		u.At = d.momentOrNone()
		if d.oneIn(20) {
			u.Expect++
		}
		back := owner.AccountUse{AccountID: l.ID, Day: day, Amount: lira(-l.Used.Minor() / 2), Expect: owner.AnyVersion}
		*c = append(*c, u)
		if d.oneIn(2) {
			*c = append(*c, back)
		}
	}
}

func (d *duel) drawRecord() payment.IdempotencyRecord {
	r := rapid.SampledFrom(d.records).Draw(d.T, "key")
	r.Status, r.Body, r.CreatedAt = int(d.small()), []byte(d.text()), d.moment()
	r.ReplacesBefore = d.moment()
	return r
}

// query asks within this check's payments.
func (d *duel) query() report.PaymentQuery {
	q := report.PaymentQuery{ProviderID: core.RowsOf[payment.Payment](d.rows)[0].ProviderID, Limit: int(d.small()) + 1}
	if d.oneIn(3) {
		q.DealerID = d.small()
	}
	if d.oneIn(6) {
		q.Scope.ProviderID = q.ProviderID - d.small()%2
	}
	if d.oneIn(3) {
		q.Methods = payment.Methods()[:d.small()]
	}
	if d.oneIn(3) {
		q.Statuses = slices.Clone(payment.Statuses()[d.small():])
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
		q.After = rapid.SampledFrom(core.RowsOf[payment.Payment](d.rows)).Draw(d.T, "after").ID
	}
	return q
}

func unversioned(r core.Row) core.Identity {
	id := r.Identity()
	id.Version = 0
	return id
}

// remember takes over the versions of what was committed.
func (d *duel) remember(c core.Changeset) {
	for _, r := range c {
		d.versions[unversioned(r)] = max(d.version(r), r.Identity().Version)
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
