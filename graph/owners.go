package graph

import (
	"context"

	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
	"github.com/vezne/vezne/graph/scalar"
)

type (
	siteResolver       struct{ Config }
	brandResolver      struct{}
	dealerResolver     struct{ Config }
	siteTokenResolver  struct{ Config }
	issuedResolver     struct{}
	testResultResolver struct{}
	ibanResolver       struct{ Config }
	customerResolver   struct{ Config }
	totalResolver      struct{}
	personResolver     struct{}
)

func (r resolvers) Site() generated.SiteResolver                       { return siteResolver(r) }
func (resolvers) Brand() generated.BrandResolver                       { return brandResolver{} }
func (r resolvers) Dealer() generated.DealerResolver                   { return dealerResolver(r) }
func (r resolvers) SiteToken() generated.SiteTokenResolver             { return siteTokenResolver(r) }
func (resolvers) IssuedCredential() generated.IssuedCredentialResolver { return issuedResolver{} }
func (resolvers) SendTestCallbackPayload() generated.SendTestCallbackPayloadResolver {
	return testResultResolver{}
}
func (r resolvers) IbanAccount() generated.IbanAccountResolver         { return ibanResolver(r) }
func (r resolvers) CustomerProfile() generated.CustomerProfileResolver { return customerResolver(r) }
func (resolvers) CustomerTotal() generated.CustomerTotalResolver       { return totalResolver{} }
func (resolvers) Customer() generated.CustomerResolver                 { return personResolver{} }

// ownersOf reads a page of providers or dealers.
func ownersOf[N any](
	ctx context.Context, filter *owner.OwnerQuery, args page.Args, place func(N) int64,
	read func(context.Context, staff.Staff, owner.OwnerQuery) ([]N, error),
) (*page.Connection[N], error) {
	var form core.Form
	form.Text("name", core.Input{Kind: core.TextInput, Text: valueOf(filter).Name}, core.MaxNameChars)
	if err := form.Err("graph.ownersOf"); err != nil {
		return nil, err
	}
	return list(ctx, filter, args, page.ByNumber, place, read)
}

// byRowID reads an id and returns the row that it names.
func byRowID[N any](ctx context.Context, id core.ID, find func(context.Context, staff.Staff, int64) (N, error)) (*N, error) {
	row, err := scalar.ReadRowID("id", id)
	if err != nil {
		return nil, err
	}
	found, err := find(ctx, staffOf(ctx), row)
	return &found, err
}

// Value is the one place where an issued key is shown.
func (issuedResolver) Value(_ context.Context, k *directory.IssuedKey) (string, error) {
	return k.Key.Reveal(), nil
}
