package graph

import (
	"context"
	"strconv"

	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
)

// Rows that name an owner by its id give the owner beside it.

type (
	deskResolver       struct{ Config }
	invitationResolver struct{ Config }
	blockResolver      struct{ Config }
)

func (r resolvers) DeskLoad() generated.DeskLoadResolver               { return deskResolver(r) }
func (r resolvers) Invitation() generated.InvitationResolver           { return invitationResolver(r) }
func (r resolvers) BlockedCustomer() generated.BlockedCustomerResolver { return blockResolver(r) }

// dealer returns a dealer for those who may know it; null for others, and of 0.
func (c Config) dealer(ctx context.Context, id int64) (*owner.Dealer, error) {
	if id == 0 || !callerOf(ctx).request.Staff.SeesInside() {
		return nil, nil //nolint:nilnil // null: there is none
	}
	d, err := c.Gateways.UnitOfWork.Directory.Dealer(ctx, id)
	return &d, err
}

// dealerID is a dealer's id for those who may know it; null for others, and of 0.
func dealerID(ctx context.Context, id int64) *core.ID {
	if id == 0 || !callerOf(ctx).request.Staff.SeesInside() {
		return nil
	}
	return new(core.ID(strconv.FormatInt(id, 10)))
}

func (transactionResolver) DealerID(ctx context.Context, p *payment.Payment) (*core.ID, error) {
	return dealerID(ctx, p.DealerID), nil
}

func (deskResolver) DealerID(ctx context.Context, l *payment.DeskLoad) (*core.ID, error) {
	return dealerID(ctx, l.DealerID), nil
}

func (discrepancyResolver) DealerID(ctx context.Context, d *discrepancy.Discrepancy) (*core.ID, error) {
	return dealerID(ctx, d.DealerID), nil
}

func (siteResolver) DealerID(ctx context.Context, s *owner.Site) (*core.ID, error) {
	return dealerID(ctx, s.DealerID), nil
}

// Reason of a block is the house's own, where the house blocked.
func (blockResolver) Reason(ctx context.Context, b *owner.Block) (*string, error) {
	if b.BlockedBy.Kind != core.ByProvider && !callerOf(ctx).request.Staff.SeesInside() {
		return nil, nil //nolint:nilnil // null: not for them
	}
	return &b.Reason, nil
}

// provider returns a provider; null of 0.
func (c Config) provider(ctx context.Context, id int64) (*owner.Provider, error) {
	if id == 0 {
		return nil, nil //nolint:nilnil // null: there is none
	}
	p, err := c.Gateways.UnitOfWork.Directory.Provider(ctx, id)
	return &p, err
}

func (t transactionResolver) Dealer(ctx context.Context, p *payment.Payment) (*owner.Dealer, error) {
	return t.dealer(ctx, p.DealerID)
}

func (r deskResolver) Dealer(ctx context.Context, l *payment.DeskLoad) (*owner.Dealer, error) {
	return r.dealer(ctx, l.DealerID)
}

func (r siteTokenResolver) Dealer(ctx context.Context, t *owner.SiteToken) (*owner.Dealer, error) {
	return r.dealer(ctx, t.DealerID)
}

func (r ibanResolver) Dealer(ctx context.Context, a *owner.DailyUsage) (*owner.Dealer, error) {
	return r.dealer(ctx, a.DealerID)
}

func (r discrepancyResolver) Dealer(ctx context.Context, d *discrepancy.Discrepancy) (*owner.Dealer, error) {
	return r.dealer(ctx, d.DealerID)
}

func (r walletResolver) Dealer(ctx context.Context, w *wallet.WalletBalance) (*owner.Dealer, error) {
	return r.dealer(ctx, w.DealerID)
}

func (r dayResolver) Dealer(ctx context.Context, day *wallet.Reconciliation) (*owner.Dealer, error) {
	return r.dealer(ctx, day.DealerID)
}

func (r invitationResolver) Dealer(ctx context.Context, i *staff.Invitation) (*owner.Dealer, error) {
	return r.dealer(ctx, i.DealerID)
}

func (r invitationResolver) Provider(ctx context.Context, i *staff.Invitation) (*owner.Provider, error) {
	return r.provider(ctx, i.ProviderID)
}

func (r staffResolver) Dealer(ctx context.Context, m *staff.Staff) (*owner.Dealer, error) {
	return r.dealer(ctx, m.DealerID)
}

func (r staffResolver) Provider(ctx context.Context, m *staff.Staff) (*owner.Provider, error) {
	return r.provider(ctx, m.ProviderID)
}

func (r siteResolver) Provider(ctx context.Context, s *owner.Site) (*owner.Provider, error) {
	return r.provider(ctx, s.ProviderID)
}

func (r blockResolver) Provider(ctx context.Context, b *owner.Block) (*owner.Provider, error) {
	return r.provider(ctx, b.ProviderID)
}

func (r customerResolver) Provider(ctx context.Context, c *directory.Customer) (*owner.Provider, error) {
	return r.provider(ctx, c.ProviderID)
}

func (r ruleResolver) Provider(ctx context.Context, rule *routing.Rule) (*owner.Provider, error) {
	return r.provider(ctx, rule.ProviderID)
}

func (r ruleResolver) Site(ctx context.Context, rule *routing.Rule) (*owner.Site, error) {
	if rule.SiteID == 0 {
		return nil, nil //nolint:nilnil // null: of all sites
	}
	s, err := r.Gateways.UnitOfWork.Directory.Site(ctx, rule.SiteID)
	return &s, err
}
