package restore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
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
			Kind: epoch.NotAnswered, Subject: fmt.Sprintf("gateway/%d", id), Detail: fmt.Sprintf("%d not answered; nothing of it is sent before that", waiting[id]),
		})
	}
	return found, isUndoubted, err
}

// unread are the wallets whose statement was not read since.
func (s *Service) unread(ctx context.Context, e epoch.Epoch) (found []epoch.Remain, err error) {
	feeds, banks, err := s.unreadFeeds(ctx, e)
	for _, f := range feeds {
		found = append(found, epoch.Remain{Kind: epoch.StatementNotRead, Subject: fmt.Sprintf("wallet/%d", f.WalletID), Detail: clip(banks[f.WalletID] + ": " + f.Trouble)})
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
func (s *Service) settings(ctx context.Context, e epoch.Epoch) (found []epoch.Remain, err error) {
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
	var active []string
	for _, role := range staff.Roles() {
		if roles[role] > 0 {
			active = append(active, fmt.Sprintf("%s %d", role, roles[role]))
		}
	}
	at := "as at " + e.RestoredTo.UTC().Format(time.RFC3339)
	for _, subject := range epoch.Settings() {
		r := epoch.Remain{Kind: epoch.SettingsAreOlder, Subject: subject, Detail: at}
		if subject == epoch.StaffSettings {
			r.Detail = clip(at + ", active: " + strings.Join(active, ", "))
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
					Kind: kind, Subject: "payment/" + p.TrackingCode, Detail: clip(p.Amount.String() + " " + p.Amount.Currency().Code + ", " + string(p.Status)),
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
func unlisted(subject, detail string) epoch.Remain {
	return epoch.Remain{Kind: epoch.NotListed, Subject: subject, Detail: clip(detail)}
}

// unknown are payments that gateways have and the database has not, what gateways do not list, and what people did by hand.
func (s *Service) unknown(ctx context.Context, e epoch.Epoch) (found []epoch.Remain, err error) {
	accounts, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return nil, err
	}
	from := e.RestoredTo.UTC().Format(time.RFC3339)
	found = append(found, unlisted("by-hand", "created after the backup and paid by hand; compare the bank accounts from "+from+" with providers and dealers"))
	window := gateway.Window{From: e.RestoredTo.Add(-before), To: s.UnitOfWork.Clock.Now()}
	for _, a := range accounts {
		g, gap := s.Gateways.Open(a)
		if gap == nil && (g.Descriptor.Payout != nil || g.Has(gateway.CanRefund)) {
			found = append(found, unlisted(fmt.Sprintf("gateway/%d/payouts", a.ID), a.Code+": payouts and refunds are not listed; compare its panel from "+from))
		}
		if gap == nil && g.Descriptor.Deposit != nil {
			var listed []epoch.Remain
			if listed, gap, err = s.listed(ctx, g, window); err != nil {
				return nil, err
			}
			found = append(found, listed...)
		}
		if missing := notListed(g, gap); len(missing) > 0 {
			found = append(found, unlisted(fmt.Sprintf("gateway/%d", a.ID), a.Code+": "+strings.Join(missing, ", ")))
		}
	}
	return found, nil
}

// notListed is what customers did at a gateway after the backup and nobody finds, by what its list of deposits was answered with. The
// gateway is nil where its account can't be opened.
func notListed(g *app.Gateway, deposits error) (what []string) {
	if deposits != nil {
		what = append(what, "deposits ("+reason(deposits)+")")
	}
	if g == nil {
		return what
	}
	if g.Descriptor.Deposit != nil && !g.Has(gateway.CanListDisputes) {
		what = append(what, "disputes")
	}
	return what
}

var errUnfinished = errors.New("its list has no end, or more than is read; what was read was compared")

// reason is why a gateway's list is not compared, without what only developers want to know.
func reason(err error) string {
	switch {
	case fault.Is(err, fault.GatewayUnusable):
		return "it lists no payments"
	case errors.Is(err, errUnfinished):
		return errUnfinished.Error()
	default:
		return string(gateway.ErrorOf(err).Class)
	}
}

// listed are the payments of one gateway that the database has not. Gap is why its list was not compared to the end: GatewayUnusable (it
// lists none), errUnfinished, otherwise the gateway's own error, whatever that wraps. None of these keeps what other gateways have from
// being found. The error is the store's.
func (s *Service) listed(ctx context.Context, g *app.Gateway, w gateway.Window) (found []epoch.Remain, gap, err error) {
	lister, ok := g.Gateway.(ports.DepositLister)
	if !ok {
		return nil, fault.New("restore.listed", fault.GatewayUnusable), nil
	}
	seen, until := 0, s.UnitOfWork.Clock.Now().Add(listingTime)
	for cursor := gateway.Cursor(""); ctx.Err() == nil; {
		page, gap := app.Ask(ctx, g, gateway.CanListDeposits, func(ctx context.Context) (gateway.ObservationPage, error) {
			return lister.ListDeposits(ctx, w, cursor)
		})
		if gap != nil {
			return found, gap, nil
		}
		for _, o := range page.Items {
			o = app.Sanitizer{Gateway: g}.Observation(o)
			isKnown, err := s.isKnown(ctx, g, o)
			if err != nil {
				return nil, nil, err
			}
			if !isKnown {
				found = append(found, remainOf(g, o))
			}
		}
		switch seen += len(page.Items); {
		case page.Next == "":
			return found, nil, nil
		case page.Next == cursor || seen >= maxListed || !s.UnitOfWork.Clock.Now().Before(until):
			return found, errUnfinished, nil
		}
		cursor = page.Next
	}
	return nil, nil, ctx.Err()
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
	detail := string(o.State)
	if o.Paid != nil {
		detail += ", " + o.Paid.String()
	}
	return epoch.Remain{
		Kind: epoch.UnknownPayment, Subject: clip(fmt.Sprintf("gateway/%d/%s", g.Account.ID, name)), Detail: clip(g.Account.Code + ": " + detail),
	}
}

func clip(text string) string { return app.OneLine(text, maxDetail) }
