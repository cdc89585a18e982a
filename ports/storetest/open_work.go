package storetest

import (
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

// openWorkOf makes a row of each kind that waits for staff since a moment, of a dealer and a provider, in the order of the kinds.
func (w *world) openWorkOf(dealerID, providerID int64, at time.Time) core.Changeset {
	w.t.Helper()
	deposit, withdrawal, payout := w.payment(), w.withdrawal(dealerID), w.payment()
	deposit.Method, deposit.Status = payment.EIBANDeposit, payment.Processing
	withdrawal.Status, withdrawal.Claim = payment.Pending, payment.Claim{}
	payout.Method, payout.Status = payment.BankWithdrawal, payment.Pending
	planned := w.operation(payout.ID)
	planned.Kind, planned.Phase, planned.NextAt = operation.PayoutOperation, operation.Planned, time.Time{}
	held := w.wallet(dealerID)
	line, day := w.lineAt(held.ID, at), w.reconciliation(held.ID, today)
	line.ImportedAt, day.ReconciledAt, day.DealerID = at, at, dealerID
	d, a, c := w.discrepancy(deposit.ID), w.approval(), w.callback(deposit.ID, "receiver")
	d.Status, d.DealerID, d.ProviderID, d.CreatedAt = discrepancy.Open, dealerID, providerID, at
	a.ExpiresAt, a.CreatedAt, a.Guards[0].DealerID = at.Add(time.Hour), at, dealerID
	c.Status, c.ProviderID, c.DealerID, c.FinishedAt, c.SupersededAt = payment.Undeliverable, providerID, dealerID, at, time.Time{}
	for _, p := range []*payment.Payment{&deposit, &withdrawal, &payout} {
		p.DealerID, p.ProviderID, p.CreatedAt = dealerID, providerID, at
	}
	disputed := w.dispute(deposit.ID)
	disputed.EvidenceDue = at.Add(time.Hour)
	disputed.State, disputed.DealerID, disputed.ProviderID, disputed.CreatedAt = gateway.DisputeNeedsResponse, dealerID, providerID, at
	return core.Changeset{deposit, withdrawal, payout, planned, held, line, day, d, disputed, a, c}.Merge(w.failingGateway(at))
}

// failingGateway is an account whose last calls met no gateway since a moment, after one that had.
func (w *world) failingGateway(at time.Time) core.Changeset {
	g := made(w.maker, owner.GatewayAccount{})
	g.IsEnabled, g.Trouble = true, ""
	change := core.Changeset{g}
	for i := range report.FailingCalls + 1 {
		c := made(w.maker, operation.GatewayCall{GatewayID: g.ID})
		c.At, c.Outcome, c.Effect = at, string(gateway.Outages()[i%len(gateway.Outages())]), "unknown"
		if i == 0 {
			c.At, c.Outcome, c.Effect = at.Add(-time.Minute), "paid", ""
		}
		change = append(change, c)
	}
	return change
}

// gatewaysThatFail: one in trouble does, one that is switched off, works, declines or has hardly been asked does not.
func gatewaysThatFail(w *world) {
	with := func(outcome string, calls int, edit func(*owner.GatewayAccount)) {
		g := made(w.maker, owner.GatewayAccount{})
		g.IsEnabled, g.Trouble, g.UpdatedAt = true, "", epoch
		edit(&g)
		change := core.Changeset{g}
		for range calls {
			c := made(w.maker, operation.GatewayCall{GatewayID: g.ID})
			c.At, c.Outcome = epoch, outcome
			change = append(change, c)
		}
		w.commit(change)
	}
	as := func(*owner.GatewayAccount) {}
	with(string(gateway.Retryable), report.FailingCalls-1, as)
	with(string(gateway.Refused), 2*report.FailingCalls, as)
	with("paid", report.FailingCalls, as)
	with(string(gateway.Retryable), report.FailingCalls, func(g *owner.GatewayAccount) { g.IsEnabled = false })
	with("", 0, func(g *owner.GatewayAccount) { g.IsEnabled, g.Trouble = false, "wrong key" })
	w.same(report.OpenWork{Kind: report.FailingGateways}, w.openWork(report.OpenWorkQuery{Now: epoch})[report.FailingGateways])
	with("", 0, func(g *owner.GatewayAccount) { g.Trouble = "wrong key" })
	w.same(report.OpenWork{Kind: report.FailingGateways, Count: 1, OldestAt: epoch}, w.openWork(report.OpenWorkQuery{Now: epoch})[report.FailingGateways])
}

func (w *world) openWork(q report.OpenWorkQuery) map[report.OpenWorkKind]report.OpenWork {
	w.t.Helper()
	q.Kinds = report.OpenWorkKinds(func(staff.Permission) bool { return true })
	list, err := w.store.OpenWork(w.ctx, q)
	w.no(err)
	byKind := map[report.OpenWorkKind]report.OpenWork{}
	for _, work := range list {
		byKind[work.Kind] = work
	}
	w.same(len(list), len(byKind))
	return byKind
}

func workThatWaitsForStaff(w *world) {
	later := epoch.Add(time.Minute)
	w.commit(w.openWorkOf(1, 11, later), w.openWorkOf(1, 12, epoch), w.openWorkOf(2, 11, epoch))
	own := w.approval()
	own.ExpiresAt, own.RequesterID = later.Add(time.Hour), 77
	lapsed := own
	lapsed.ID, lapsed.RequesterID, lapsed.ExpiresAt = w.approval().ID, 78, later
	w.commit(core.Changeset{own, lapsed})
	for what, c := range map[string]struct {
		scope  core.Scope
		count  int
		oldest time.Time
		none   []report.OpenWorkKind
	}{
		"everybody's":  {core.Scope{}, 3, epoch, nil},
		"a dealer's":   {core.Scope{DealerID: 1}, 2, epoch, []report.OpenWorkKind{report.FailingGateways}},
		"a provider's": {core.Scope{ProviderID: 11}, 2, epoch, []report.OpenWorkKind{report.BankLinesToMatch, report.RequestsToDecide, report.UnexplainedDays, report.FailingGateways}},
		"nobody's":     {core.Scope{DealerID: core.Nobody}, 0, time.Time{}, []report.OpenWorkKind{report.FailingGateways}},
	} {
		got := w.openWork(report.OpenWorkQuery{Scope: c.scope, StaffID: 77, Now: later})
		w.same(len(report.OpenWorkKinds(func(staff.Permission) bool { return true }))-len(c.none), len(got))
		for kind, work := range got {
			want := report.OpenWork{Kind: kind, Count: c.count, OldestAt: c.oldest}
			if want != work {
				w.t.Errorf("%s: %+v, want %+v", what, work, want)
			}
		}
	}
}

func workIsCountedUpToABound(w *world) {
	change := make(core.Changeset, 0, report.MaxOpenWork+1)
	for range report.MaxOpenWork + 1 {
		l := w.lineAt(1, epoch)
		l.ImportedAt, l.Status = epoch, wallet.LineDoubtful
		change = append(change, l)
	}
	w.commit(change)
	got := w.openWork(report.OpenWorkQuery{Now: epoch})
	w.same(report.OpenWork{Kind: report.BankLinesToMatch, Count: report.MaxOpenWork, HasMore: true, OldestAt: epoch}, got[report.BankLinesToMatch])
}
