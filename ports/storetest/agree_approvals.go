package storetest

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/payment"
)

// commitApprovals commits what is about requests alone, as commitEntries does.
func (d *duel) commitApprovals() {
	var c core.Changeset
	d.drawApprovals(&c)
	d.commitBoth(c)
}

// drawApprovals decides about requests, most often as somebody may, and sets rules.
func (d *duel) drawApprovals(c *core.Changeset) {
	draw(d, c, d.changeApproval)
	draw(d, c, func(r *approval.ApprovalRule) {
		r.IsOn, r.Above, r.LapseAfter = d.oneIn(2), lira(d.small()), time.Duration(1+d.small())*time.Minute
		r.PerDay, r.DiffersBy = lira(d.small()), lira(d.small())
	})
	draw(d, c, func(t *approval.RunningTotal) { t.Amount = lira(d.small()) })
}

func (d *duel) changeApproval(a *approval.Approval) {
	a.State = rapid.SampledFrom(approval.ApprovalStates()).Draw(d.T, "state")
	a.DecidedBy = ended(*a, a.State).DecidedBy
	if d.oneIn(20) {
		a.DecidedBy = a.RequesterID - d.small()%2
	}
	a.Guards = nil
	for range d.small() % 3 {
		a.Guards = append(a.Guards, core.Guard{
			Action: core.GuardWithdrawal, Subject: rapid.SampledFrom(d.subjects()).Draw(d.T, "subject"), DealerID: d.small() % 3,
		})
	}
	a.Input, a.Result, a.Reason, a.DecisionReason = core.NewSecret(d.text()), core.NewSecret(d.text()), d.text(), d.text()
	a.ExpiresAt, a.DecidedAt = d.moment(), d.momentOrNone()
	a.PaymentID = rapid.SampledFrom([]core.ID{"", core.RowsOf[payment.Payment](d.rows)[0].ID, core.RowsOf[payment.Payment](d.rows)[1].ID}).Draw(d.T, "payment")
}

// subjects are what the requests of this check may be about.
func (d *duel) subjects() []string {
	mine := "payment/" + string(core.RowsOf[approval.Approval](d.rows)[0].ID)
	return []string{mine + "x", mine + "y"}
}

func (d *duel) lookAtApprovals(s Store, now time.Time, note func(string, int, any, error)) {
	states := approval.ApprovalStates()
	for i, a := range core.RowsOf[approval.Approval](d.rows) {
		found, err := s.Approval(d.ctx, a.ID)
		note("approval", i, found, err)
		mine := approval.ApprovalQuery{RequesterID: a.RequesterID, Limit: 10}
		for j, narrow := range []func(q *approval.ApprovalQuery){
			func(q *approval.ApprovalQuery) { q.Limit = 1 + i },
			func(q *approval.ApprovalQuery) { q.DealerID, q.Limit = int64(i), 2 },
			func(q *approval.ApprovalQuery) { q.States = states[i : i+2] },
			func(q *approval.ApprovalQuery) { q.DealerID, q.States, q.After = 1, states[i:], a.ID },
			func(q *approval.ApprovalQuery) { q.RequesterID, q.Subject = 0, d.subjects()[i%2] },
			func(q *approval.ApprovalQuery) { q.States, q.IsOver = states[:1], true },
		} {
			q := mine
			narrow(&q)
			list, err := s.ListApprovals(d.ctx, q)
			note("approvals", 10*i+j, list, err)
		}
	}
	var keys []string
	for _, t := range core.RowsOf[approval.RunningTotal](d.rows) {
		keys = append(keys, t.Key)
	}
	totals, err := s.RunningTotals(d.ctx, keys)
	note("running totals", 0, totals, err)
	rules, err := s.ApprovalRules(d.ctx)
	note("approval rules", 0, slices.DeleteFunc(rules, func(r approval.ApprovalRule) bool {
		return !slices.ContainsFunc(core.RowsOf[approval.ApprovalRule](d.rows), func(mine approval.ApprovalRule) bool { return mine.Action == r.Action })
	}), err)
}
