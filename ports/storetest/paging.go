package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/ledger"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
)

func everyListTurned(w *world) {
	ctx, s, of := w.ctx, w.store, w.wallet(1)
	w.commit(core.Changeset{of})
	turned(w, "payments", func(i int) core.Row {
		p := w.payment()
		p.Amount = lira(int64(1 + i%3))
		return p
	}, report.GreatestAmounts.PlaceOf, func(p core.Paging[report.Cursor]) ([]payment.Payment, error) {
		found, err := s.SearchPayments(ctx, report.PaymentQuery{Sort: report.GreatestAmounts, Paging: p})
		return found.Payments, err
	})
	turned(w, "withdrawal desk", func(int) core.Row { return w.withdrawal(1) }, func(p payment.Payment) core.ID { return p.ID },
		func(p core.Paging[core.ID]) ([]payment.Payment, error) {
			return s.DeskWithdrawals(ctx, payment.DeskQuery{Now: epoch, Paging: p})
		})
	turned(w, "payouts to decide", func(int) core.Row { return w.waitingPayout() }, func(p payment.Payment) core.ID { return p.ID },
		func(p core.Paging[core.ID]) ([]payment.Payment, error) {
			return s.PayoutsToDecide(ctx, payment.PayoutQuery{Paging: p})
		})
	turned(w, "discrepancies", func(int) core.Row { return w.discrepancy("P") }, func(d discrepancy.Discrepancy) core.ID { return d.ID },
		func(p core.Paging[core.ID]) ([]discrepancy.Discrepancy, error) {
			return s.Discrepancies(ctx, discrepancy.Query{Statuses: discrepancy.Statuses(), Paging: p})
		})
	turned(w, "notifications", func(int) core.Row { return w.notification() }, func(n notification.Notification) core.ID { return n.ID },
		func(p core.Paging[core.ID]) ([]notification.Notification, error) {
			return s.Notifications(ctx, notification.Query{Paging: p})
		})
	turned(w, "approvals", func(int) core.Row { return w.approval() }, func(a approval.Approval) core.ID { return a.ID },
		func(p core.Paging[core.ID]) ([]approval.Approval, error) {
			return s.ListApprovals(ctx, approval.Query{Paging: p})
		})
	turned(w, "jobs", func(int) core.Row { return w.job() }, func(j report.Job) core.ID { return j.ID },
		func(p core.Paging[core.ID]) ([]report.Job, error) { return s.ListJobs(ctx, report.JobQuery{Paging: p}) })
	turned(w, "audit log", func(i int) core.Row { return w.auditAt(tomorrowAt(i)) }, func(r core.AuditRecord) core.ID { return r.ID },
		func(p core.Paging[core.ID]) ([]core.AuditRecord, error) {
			return s.AuditEntries(ctx, core.AuditQuery{Paging: p})
		})
	turned(w, "staff", func(int) core.Row { return w.staff() }, func(m staff.Staff) int64 { return m.ID },
		func(p core.Paging[int64]) ([]staff.Staff, error) { return s.ListStaff(ctx, staff.Query{Paging: p}) })
	turned(w, "invitations", func(int) core.Row { return w.invitation() }, func(i staff.Invitation) core.ID { return i.ID },
		func(p core.Paging[core.ID]) ([]staff.Invitation, error) {
			return s.ListInvitations(ctx, staff.InvitationQuery{Paging: p})
		})
	turned(w, "providers", func(int) core.Row { return w.provider() }, func(p owner.Provider) int64 { return p.ID },
		func(p core.Paging[int64]) ([]owner.Provider, error) {
			return s.Providers(ctx, owner.OwnerQuery{Paging: p})
		})
	turned(w, "dealers", func(int) core.Row { return w.dealer() }, func(d owner.Dealer) int64 { return d.ID },
		func(p core.Paging[int64]) ([]owner.Dealer, error) { return s.Dealers(ctx, owner.OwnerQuery{Paging: p}) })
	turned(w, "block list", func(i int) core.Row {
		b := w.block()
		b.BlockedAt = tomorrowAt(i / 4)
		return b
	}, owner.Block.Cursor, func(p core.Paging[owner.BlockCursor]) ([]owner.Block, error) {
		return s.Blocks(ctx, owner.BlockQuery{Paging: p})
	})
	turned(w, "bank lines", func(i int) core.Row { return w.bareLine(of.ID, tomorrowAt(i)) }, func(l wallet.BankLine) core.ID { return l.ID },
		func(p core.Paging[core.ID]) ([]wallet.BankLine, error) {
			return s.LinesIn(ctx, wallet.LineQuery{WalletID: of.ID, Paging: p})
		})
	turned(w, "ledger entries", func(int) core.Row { return w.entry(of.ID, ledger.EntryIncoming, 1) }, func(e ledger.Entry) core.ID { return e.ID },
		func(p core.Paging[core.ID]) ([]ledger.Entry, error) { return s.Entries(ctx, of.ID, p) })
	turned(w, "reconciled days", func(i int) core.Row { return w.reconciliation(int64(i%4), core.DayOf(tomorrowAt(24*(i/4)), time.UTC)) },
		wallet.Reconciliation.Cursor, func(p core.Paging[wallet.DayCursor]) ([]wallet.Reconciliation, error) {
			return s.Reconciliations(ctx, wallet.ReconciliationQuery{Paging: p})
		})
}

// turned commits some rows and turns the pages of their list.
func turned[R any, C comparable](
	w *world, name string, row func(i int) core.Row, cursor func(R) C, read func(core.Paging[C]) ([]R, error),
) {
	w.t.Run(name, func(t *testing.T) {
		w := w.in(t)
		const rows = 11
		for i := range rows {
			w.commit(core.Changeset{row(i)})
		}
		page := func(p core.Paging[C]) []R {
			w.t.Helper()
			found, err := read(p)
			w.no(err)
			return found
		}
		all := page(core.Paging[C]{Limit: rows})
		w.same(rows, len(all))
		for _, limit := range []int{-1, 0, 1, 4, rows, core.MaxPage + 1} {
			n := max(min(limit, rows), 0)
			w.same(all[:n], page(core.Paging[C]{Limit: limit}))
			w.same(all[rows-n:], page(core.Paging[C]{Limit: limit, IsLast: true}))
			for i := range all {
				behind, ahead := all[i+1:], all[:i]
				w.same(behind[:min(n, len(behind))], page(core.Paging[C]{After: cursor(all[i]), Limit: limit}))
				w.same(ahead[len(ahead)-min(n, len(ahead)):], page(core.Paging[C]{Before: cursor(all[i]), Limit: limit, IsLast: true}))
				w.same(ahead[:min(n, len(ahead))], page(core.Paging[C]{Before: cursor(all[i]), Limit: limit}))
			}
			between := all[2:8]
			w.same(between[:min(n, len(between))], page(core.Paging[C]{After: cursor(all[1]), Before: cursor(all[8]), Limit: limit}))
		}
		slices.Reverse(all)
		var turned []R
		for p := (core.Paging[C]{Limit: 3, IsLast: true}); len(turned) < rows; p = p.Beyond(cursor(turned[len(turned)-1])) {
			found := page(p)
			slices.Reverse(found)
			turned = append(turned, found...)
		}
		w.same(all, turned)
	})
}
