package restore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/dispute"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

const (
	// before is by how much earlier than the backup gateways are asked to list: their clocks may differ.
	before = time.Hour
	// maxListed bounds what one gateway is believed to have.
	maxListed = 100_000
	// listingTime is how long one gateway is listed: one that answers slowly, or with pages that are empty and have no end, holds up nobody.
	listingTime = 5 * time.Minute
	// maxDetail bounds what is said of one thing.
	maxDetail = 200
)

// silent counts, by gateway account, what nobody has answered yet: operations, disputes, and the list of disputes. isUndoubted: something
// is not in doubt that should be.
func (s *Service) silent(ctx context.Context, e epoch.Epoch) (found []epoch.Remain, isUndoubted bool, err error) {
	waiting := map[int64]int{}
	err = s.live(ctx, func(all []operation.Operation) error {
		for _, o := range all {
			if _, isNew := o.Doubt(e.FrozenAt, e.FrozenAt, e.FrozenAt); isNew && !o.CreatedAt.After(e.FrozenAt) {
				isUndoubted = true
			}
			if o.IsCued() {
				waiting[o.GatewayID]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	err = s.liveDisputes(ctx, func(all []dispute.Dispute) error {
		for _, d := range all {
			if d.IsUnanswered(s.UnitOfWork.Clock.Now()) {
				waiting[d.GatewayID]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	listings, err := s.Disputes.DisputeListings(ctx)
	for _, l := range listings {
		if l.ListedUntil.Before(e.FrozenAt) {
			waiting[l.GatewayID]++
		}
	}
	for _, id := range slices.Sorted(maps.Keys(waiting)) {
		found = append(found, epoch.Remain{
			Kind: epoch.NotAnswered, Subject: fmt.Sprintf("gateway/%d", id), Facts: epoch.Facts{Unanswered: waiting[id]},
		})
	}
	return found, isUndoubted, err
}

// unread are the wallets whose statement was not read since.
func (s *Service) unread(ctx context.Context, e epoch.Epoch) (found []epoch.Remain, err error) {
	feeds, banks, err := s.unreadFeeds(ctx, e)
	for _, f := range feeds {
		found = append(found, epoch.Remain{
			Kind: epoch.StatementNotRead, Subject: fmt.Sprintf("wallet/%d", f.WalletID), Facts: epoch.Facts{Bank: clip(banks[f.WalletID]), Trouble: clip(f.Trouble)},
		})
	}
	return found, err
}

// unreadFeeds also returns the names of all wallets' banks.
func (s *Service) unreadFeeds(ctx context.Context, e epoch.Epoch) (unread []wallet.Feed, banks map[int64]string, err error) {
	wallets, err := s.Wallets.WalletsOf(ctx, 0)
	if err != nil {
		return nil, nil, err
	}
	banks = make(map[int64]string, len(wallets))
	for part := range slices.Chunk(wallets, core.MaxPage) {
		ids := make([]int64, len(part))
		for i, w := range part {
			ids[i], banks[w.ID] = w.ID, w.BankName
		}
		feeds, err := s.Statements.FeedsOf(ctx, ids...)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range feeds {
			if !f.NextReadAt.IsZero() && f.ReadUntil.Before(e.FrozenAt) {
				unread = append(unread, f)
			}
		}
	}
	return unread, banks, nil
}

// settings are what is as at the backup, and nobody can be asked about. Who works here is looked at first: whoever was switched off or
// got another role after the backup may sign in again.
func (s *Service) settings(ctx context.Context) (found []epoch.Remain, err error) {
	roles := map[staff.Role]int{}
	for q := (staff.Query{IsActive: new(true), Paging: core.Paging[int64]{Limit: core.MaxPage}}); ; {
		page, err := s.Staff.ListStaff(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			roles[m.Role]++
		}
		if len(page) < q.Limit {
			break
		}
		q.After = page[len(page)-1].ID
	}
	var active []epoch.RoleCount
	for _, role := range staff.Roles() {
		if roles[role] > 0 {
			active = append(active, epoch.RoleCount{Role: role, Count: roles[role]})
		}
	}
	for _, subject := range epoch.Settings() {
		r := epoch.Remain{Kind: epoch.SettingsAreOlder, Subject: subject}
		if subject == epoch.StaffSettings {
			r.Active = active
		}
		found = append(found, r)
	}
	return found, nil
}

// byHand are the payments that people decide about, and may have decided about after the backup.
func (s *Service) byHand(ctx context.Context, e epoch.Epoch) (found []epoch.Remain, err error) {
	for method, kind := range map[payment.Method]epoch.RemainKind{
		payment.ManualWithdrawal: epoch.PaidByHand, payment.EIBANWithdrawal: epoch.PaidByHand,
		payment.ManualDeposit: epoch.DecidedByHand, payment.EIBANDeposit: epoch.DecidedByHand,
	} {
		q := report.PaymentQuery{
			Methods: []payment.Method{method}, Statuses: payment.OpenStatuses(), CreatedUntil: e.FrozenAt,
			Paging: core.Paging[report.Cursor]{Limit: core.MaxPage},
		}
		for more := true; more; {
			page, err := s.Reports.SearchPayments(ctx, q)
			if err != nil {
				return nil, err
			}
			for _, p := range page.Payments {
				found = append(found, epoch.Remain{
					Kind: kind, Subject: "payment/" + p.TrackingCode, Facts: epoch.Facts{Amount: gateway.Lira(p.Amount), Status: p.Status},
				})
			}
			q, more = page.Next(q)
			more = more && len(page.Payments) > 0 || page.Stop != nil
		}
	}
	return found, nil
}

// unlisted is where payments after the backup can be, and nobody lists them: a provider that asks again for one of them would have it
// paid twice.
func unlisted(subject string, gap epoch.Gap, what ...epoch.Unlisted) epoch.Remain {
	return epoch.Remain{Kind: epoch.NotListed, Subject: subject, Facts: epoch.Facts{Missing: what, Gap: gap}}
}

// unknown are payments that gateways have and the database has not, what gateways do not list, and what people did by hand.
func (s *Service) unknown(ctx context.Context, e epoch.Epoch) (found []epoch.Remain, err error) {
	accounts, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return nil, err
	}
	found = append(found, unlisted("by-hand", "", epoch.ByHand), unlisted("corrections", "", epoch.Corrections))
	window := gateway.Window{From: e.RestoredTo.Add(-before), To: s.UnitOfWork.Clock.Now()}
	for _, a := range accounts {
		subject := fmt.Sprintf("gateway/%d", a.ID)
		g, err := s.Gateways.Open(a)
		if err != nil {
			found = append(found, unlisted(subject, epoch.NotOpened, epoch.Deposits))
			continue
		}
		if g.Descriptor.Payout != nil || g.Has(gateway.CanRefund) {
			found = append(found, unlisted(subject+"/payouts", "", epoch.Payouts))
		}
		if g.Descriptor.Deposit == nil {
			continue
		}
		listed, gap, err := s.listed(ctx, g, window)
		if err != nil {
			return nil, err
		}
		found = append(found, listed...)
		var missing []epoch.Unlisted
		if gap != "" {
			missing = append(missing, epoch.Deposits)
		}
		if !g.Has(gateway.CanListDisputes) {
			missing = append(missing, epoch.Disputes)
		}
		if len(missing) > 0 {
			found = append(found, unlisted(subject, gap, missing...))
		}
	}
	return found, nil
}

// listed are the payments of one gateway that the database has not. Gap is why its list was not compared to the end; empty: it was. None of
// these keeps what other gateways have from being found. The error is the store's, never the gateway's, whatever that wraps.
func (s *Service) listed(ctx context.Context, g *app.Gateway, w gateway.Window) (found []epoch.Remain, gap epoch.Gap, err error) {
	lister, ok := g.Gateway.(ports.DepositLister)
	if !ok {
		return nil, epoch.NoList, nil
	}
	seen, until := 0, s.UnitOfWork.Clock.Now().Add(listingTime)
	for cursor := gateway.Cursor(""); ctx.Err() == nil; {
		page, err := app.Ask(ctx, g, gateway.CanListDeposits, func(ctx context.Context) (gateway.ObservationPage, error) {
			return lister.ListDeposits(ctx, w, cursor)
		})
		if err != nil {
			s.Log.WarnContext(ctx, "a gateway does not list its deposits; what it has taken after the backup is not known", "gateway", g.Account.Code, "error", err)
			return found, epoch.NoAnswer, nil
		}
		for _, o := range page.Items {
			o = app.Sanitizer{Gateway: g}.Observation(o)
			isKnown, err := s.isKnown(ctx, g, o)
			if err != nil {
				return nil, "", err
			}
			if !isKnown {
				found = append(found, remainOf(g, o))
			}
		}
		switch seen += len(page.Items); {
		case page.Next == "":
			return found, "", nil
		case page.Next == cursor || seen >= maxListed || !s.UnitOfWork.Clock.Now().Before(until):
			return found, epoch.Unfinished, nil
		}
		cursor = page.Next
	}
	return nil, "", ctx.Err()
}

// isKnown reports whether the database has an operation by one of the names that a gateway gives to it.
func (s *Service) isKnown(ctx context.Context, g *app.Gateway, o gateway.Observation) (bool, error) {
	for _, key := range []operation.Key{{Reference: string(o.Ref)}, {GatewayID: g.Account.ID, ExternalID: o.External.ID}} {
		if key.Reference == "" && key.ExternalID == "" {
			continue
		}
		_, err := s.Operations.OperationBy(ctx, key)
		if err == nil {
			return true, nil
		}
		if !fault.Is(err, fault.NotFound) {
			return false, err
		}
	}
	return false, nil
}

func remainOf(g *app.Gateway, o gateway.Observation) epoch.Remain {
	name := string(o.Ref)
	if name == "" {
		name = o.External.ID
	}
	facts := epoch.Facts{State: o.State}
	if o.Paid != nil {
		facts.Amount = *o.Paid
	}
	return epoch.Remain{Kind: epoch.UnknownPayment, Subject: clip(fmt.Sprintf("gateway/%d/%s", g.Account.ID, name)), Facts: facts}
}

func clip(text string) string { return app.OneLine(text, maxDetail) }
