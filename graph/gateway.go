package graph

import (
	"context"
	"strings"

	"github.com/vezne/vezne/app/command"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/fault"
	"github.com/vezne/vezne/core/gateway"
	"github.com/vezne/vezne/core/lang"
	"github.com/vezne/vezne/core/notification"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
	"github.com/vezne/vezne/graph/scalar"
)

func (q queryResolver) GatewayPlugins(ctx context.Context, language *string) ([]gateway.Descriptor, error) {
	tag, err := languageOf(ctx, lang.Tag(valueOf(language)))
	if err != nil {
		return nil, err
	}
	return listed(q.Gateways.Plugins(ctx, staffOf(ctx), tag))
}

func (q queryResolver) GatewayAccounts(ctx context.Context) ([]owner.GatewayAccount, error) {
	list, err := q.Gateways.Accounts(ctx, staffOf(ctx))
	batchesOf(ctx).health.add(list...)
	return append([]owner.GatewayAccount{}, list...), err
}

func (q queryResolver) GatewayAccount(ctx context.Context, id core.ID) (*owner.GatewayAccount, error) {
	row, err := scalar.ReadRowID("id", id)
	if err != nil {
		return nil, err
	}
	list, err := q.Gateways.Accounts(ctx, staffOf(ctx))
	if err != nil {
		return nil, err
	}
	if found := accountOf(list, row); found != nil {
		return found, nil
	}
	return nil, fault.New("graph.GatewayAccount", fault.NotFound)
}

func accountOf(list []owner.GatewayAccount, id int64) *owner.GatewayAccount {
	for i := range list {
		if list[i].ID == id {
			return &list[i]
		}
	}
	return nil
}

func (q queryResolver) GatewayNotifications(
	ctx context.Context, filter *notification.Query, first *int, after *string, last *int, before *string,
) (*page.GatewayNotificationConnection, error) {
	place := func(n notification.Notification) core.ID { return n.ID }
	return list(ctx, filter, page.Of(first, after, last, before), page.ByID, place, q.Gateways.Notifications)
}

func (m mutationResolver) CreateGatewayAccount(ctx context.Context, input directory.NewAccount) (*generated.GatewayAccountPayload, error) {
	g, err := run(ctx, m, m.Commands.CreateGatewayAccount, input)
	return &generated.GatewayAccountPayload{GatewayAccount: g}, err
}

func (m mutationResolver) UpdateGatewayAccount(ctx context.Context, input directory.GatewayUpdate) (*generated.GatewayAccountPayload, error) {
	g, err := run(ctx, m, m.Commands.UpdateGatewayAccount, input)
	return &generated.GatewayAccountPayload{GatewayAccount: g}, err
}

func (m mutationResolver) TestGatewayAccount(ctx context.Context, input generated.TestGatewayAccountInput) (*gateway.ProbeReport, error) {
	row, err := scalar.ReadRowID("id", input.ID)
	if err != nil {
		return nil, err
	}
	report, err := m.Gateways.Test(ctx, acting(ctx), row)
	return &report, err
}

func (newAccountResolver) Config(
	_ context.Context, a *directory.NewAccount, list []command.NamedTextInput,
) (err error) {
	a.Config, err = command.TextsByName("config", list)
	return err
}

func (accountPatchResolver) Config(_ context.Context, p *directory.GatewayUpdate, list []command.NamedTextInput) (err error) {
	p.Config, err = command.TextsByName("config", list)
	return err
}

// gateway finds a gateway account, whose name everybody sees who may see what it did; null: there is none.
func (c Config) gateway(ctx context.Context, id int64) (*owner.GatewayAccount, error) {
	if id == 0 {
		return nil, nil //nolint:nilnil // null: there is none
	}
	list, err := c.Gateways.UnitOfWork.Directory.GatewayAccounts(ctx)
	found := accountOf(list, id)
	if health := &batchesOf(ctx).health; found != nil && health.groupOf(*found) == nil {
		health.add(list...) // other rows name others
	}
	return found, err
}

func (r notificationResolver) Gateway(ctx context.Context, n *notification.Notification) (*owner.GatewayAccount, error) {
	return r.gateway(ctx, n.GatewayID)
}

func (notificationResolver) TrackingCodes(_ context.Context, n *notification.Notification) ([]string, error) {
	return strings.Fields(n.TrackCodes), nil
}

func (r accountResolver) Config(ctx context.Context, a *owner.GatewayAccount, language *string) ([]directory.ConfigValue, error) {
	tag, err := languageOf(ctx, lang.Tag(valueOf(language)))
	if err != nil {
		return nil, err
	}
	return r.admin.Config(ctx, staffOf(ctx), *a, tag)
}

func (r accountResolver) Health(ctx context.Context, a *owner.GatewayAccount) (*directory.Health, error) {
	all, err := batchesOf(ctx).health.read(*a, func(rows ...owner.GatewayAccount) (map[int64]directory.Health, error) {
		return r.admin.Health(ctx, staffOf(ctx), rows...)
	})
	h := all[a.ID]
	return &h, err
}

func (r accountResolver) NotificationURL(ctx context.Context, a *owner.GatewayAccount) (*string, error) {
	url, err := r.admin.NotificationURL(staffOf(ctx), *a)
	return &url, err
}

func (r pluginResolver) Capabilities(_ context.Context, d *gateway.Descriptor) ([]gateway.Capability, error) {
	var list []gateway.Capability
	plugin, ok := r.Gateways.Gateways.Plugins.Plugin(d.Code)
	for _, c := range gateway.Capabilities() {
		if ok && plugin.Has(c) {
			list = append(list, c)
		}
	}
	return list, nil
}

func (depositTraitsResolver) Assets(_ context.Context, d *gateway.DepositTraits) ([]string, error) {
	return assetNames(d.Assets), nil
}

func (depositTraitsResolver) RefundsParts(_ context.Context, d *gateway.DepositTraits) (bool, error) {
	return d.Refund.Partial, nil
}

func (depositTraitsResolver) RefundNeeds(_ context.Context, d *gateway.DepositTraits) ([]gateway.FieldSpec, error) {
	return d.Refund.NeedsTarget, nil
}

func (payoutTraitsResolver) Assets(_ context.Context, p *gateway.PayoutTraits) ([]string, error) {
	return assetNames(p.Assets), nil
}

// assetNames are assets as the contract writes them.
func assetNames(assets []gateway.Asset) []string {
	names := make([]string, len(assets))
	for i, a := range assets {
		names[i] = a.String()
	}
	return names
}
