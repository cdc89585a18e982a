package graph

import (
	"context"

	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
	"github.com/vezne/vezne/graph/page"
)

type (
	siteResolver       struct{ Config }
	dealerResolver     struct{ Config }
	siteTokenResolver  struct{ Config }
	issuedResolver     struct{}
	testResultResolver struct{}
	ibanResolver       struct{ Config }
	customerResolver   struct{ Config }
	totalResolver      struct{}
)

func (r resolvers) Site() generated.SiteResolver                       { return siteResolver(r) }
func (r resolvers) Dealer() generated.DealerResolver                   { return dealerResolver(r) }
func (r resolvers) SiteToken() generated.SiteTokenResolver             { return siteTokenResolver(r) }
func (resolvers) IssuedCredential() generated.IssuedCredentialResolver { return issuedResolver{} }
func (resolvers) SendTestCallbackPayload() generated.SendTestCallbackPayloadResolver {
	return testResultResolver{}
}
func (r resolvers) IbanAccount() generated.IbanAccountResolver         { return ibanResolver(r) }
func (r resolvers) CustomerProfile() generated.CustomerProfileResolver { return customerResolver(r) }
func (resolvers) CustomerTotal() generated.CustomerTotalResolver       { return totalResolver{} }

// ownersOf reads a page of providers or dealers.
func ownersOf[N any](
	filter *owner.OwnerQuery, args page.Args, place func(N) int64, read func(owner.OwnerQuery) ([]N, error),
) (*page.Connection[N], error) {
	query := valueOf(filter)
	var form core.Form
	form.Text("name", core.Input{Kind: core.TextInput, Text: query.Name}, core.MaxNameChars)
	if err := form.Err("graph.ownersOf"); err != nil {
		return nil, err
	}
	return page.Read(args, page.ByNumber, place, func(p core.Paging[int64]) ([]N, error) {
		query.Paging = p
		return read(query)
	})
}

// Value is the one place where an issued key is shown.
func (issuedResolver) Value(_ context.Context, k *directory.IssuedKey) (string, error) {
	return k.Key.Reveal(), nil
}
