package restore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/epoch"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/ports"
)

const (
	// before is by how much earlier than the backup gateways are asked to list: their clocks may differ.
	before = time.Hour
	// maxListed bounds what one gateway is believed to have.
	maxListed = 100_000
	// maxDetail bounds what is said of one thing.
	maxDetail = 200
)

// silent counts, by gateway account, what nobody has answered yet. isUndoubted: something is not in doubt that should be.
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
	for _, id := range slices.Sorted(maps.Keys(waiting)) {
		found = append(found, epoch.Remain{
			Kind: epoch.NotAnswered, Subject: fmt.Sprintf("gateway/%d", id), Detail: fmt.Sprintf("%d not answered; nothing of it is sent before that", waiting[id]),
		})
	}
	return found, isUndoubted, err
}

// unread are the wallets whose statement was not read since.
func (s *Service) unread(ctx context.Context, e epoch.Epoch) (found []epoch.Remain, err error) {
	feeds, err := s.unreadFeeds(ctx, e)
	for _, f := range feeds {
		found = append(found, epoch.Remain{Kind: epoch.StatementNotRead, Subject: fmt.Sprintf("wallet/%d", f.WalletID), Detail: clip(f.Trouble)})
	}
	return found, err
}

func (s *Service) unreadFeeds(ctx context.Context, e epoch.Epoch) (unread []wallet.Feed, err error) {
	wallets, err := s.Wallets.WalletsOf(ctx, 0)
	if err != nil {
		return nil, err
	}
	for part := range slices.Chunk(wallets, core.MaxPage) {
		ids := make([]int64, len(part))
		for i, w := range part {
			ids[i] = w.ID
		}
		feeds, err := s.Statements.FeedsOf(ctx, ids...)
		if err != nil {
			return nil, err
		}
		for _, f := range feeds {
			if !f.NextReadAt.IsZero() && f.ReadUntil.Before(e.FrozenAt) {
				unread = append(unread, f)
			}
		}
	}
	return unread, nil
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

// unknown are payments that gateways have and the database has not, gateways that list none, and what people did by hand.
func (s *Service) unknown(ctx context.Context, e epoch.Epoch) (found []epoch.Remain, err error) {
	accounts, err := s.UnitOfWork.Directory.GatewayAccounts(ctx)
	if err != nil {
		return nil, err
	}
	from := e.RestoredTo.UTC().Format(time.RFC3339)
	found = append(found, unlisted("by-hand", "created after the backup and paid by hand; compare the bank accounts from "+from+" with providers and dealers"))
	window := gateway.Window{From: e.RestoredTo.Add(-before), To: s.UnitOfWork.Clock.Now()}
	for _, a := range accounts {
		g, err := s.Gateways.Open(a)
		if err == nil && (g.Descriptor.Payout != nil || g.Has(gateway.CanRefund)) {
			found = append(found, unlisted(fmt.Sprintf("gateway/%d/payouts", a.ID), a.Code+": payouts and refunds are not listed; compare its panel from "+from))
		}
		if err == nil && g.Descriptor.Deposit == nil {
			continue // it takes no deposits
		}
		var listed []epoch.Remain
		if err == nil {
			listed, err = s.listed(ctx, g, window)
		}
		if fault.Is(err, fault.Unavailable) || ctx.Err() != nil {
			return nil, err
		}
		found = append(found, listed...)
		if err != nil {
			found = append(found, unlisted(fmt.Sprintf("gateway/%d", a.ID), a.Code+": "+reason(err)))
		}
	}
	return found, nil
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

// listed are the payments of one gateway that the database has not. Errors: GatewayUnusable (it lists none), errUnfinished beside those
// that were found; otherwise the gateway's own error.
func (s *Service) listed(ctx context.Context, g *app.Gateway, w gateway.Window) (found []epoch.Remain, err error) {
	lister, ok := g.Gateway.(ports.DepositLister)
	if !ok {
		return nil, fault.New("restore.listed", fault.GatewayUnusable)
	}
	seen := 0
	for cursor := gateway.Cursor(""); ; {
		page, err := app.Ask(ctx, g, gateway.CanListDeposits, func(ctx context.Context) (gateway.ObservationPage, error) {
			return lister.ListDeposits(ctx, w, cursor)
		})
		if err != nil {
			return found, err
		}
		for _, o := range page.Items {
			o = app.Sanitizer{Gateway: g}.Observation(o)
			isKnown, err := s.isKnown(ctx, g, o)
			if err != nil {
				return found, err
			}
			if !isKnown {
				found = append(found, remainOf(g, o))
			}
		}
		switch seen += len(page.Items); {
		case page.Next == "":
			return found, nil
		case page.Next == cursor || seen >= maxListed:
			return found, errUnfinished
		}
		cursor = page.Next
	}
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
