package graph

import (
	"context"
	"encoding/base64"
	"strconv"

	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
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
	filter *owner.OwnerQuery, first *int, after *string, read func(owner.OwnerQuery) ([]N, error),
) ([]N, bool, error) {
	query := valueOf(filter)
	var form core.Form
	form.Text("name", core.Input{Kind: core.TextInput, Text: query.Name}, core.MaxNameChars)
	if err := form.Err("graph.ownersOf"); err != nil {
		return nil, false, err
	}
	var err error
	if query.After, err = readRowCursor(after); err != nil {
		return nil, false, err
	}
	return rowsOf(first, func(limit int) ([]N, error) {
		query.Limit = limit
		return read(query)
	})
}

// rowCursor is the place of a row in a list by id.
func rowCursor(id int64) core.ID { return core.ID(strconv.FormatInt(id, 10)) }

func readRowCursor(text *string) (int64, error) {
	if text == nil {
		return 0, nil
	}
	plain, err := base64.RawURLEncoding.DecodeString(*text)
	if err != nil {
		return 0, badCursor()
	}
	id, err := strconv.ParseInt(string(plain), 10, 64)
	if err != nil || id < 1 {
		return 0, badCursor()
	}
	return id, nil
}

// Value is the one place where an issued key is shown.
func (issuedResolver) Value(_ context.Context, k *directory.IssuedKey) (string, error) {
	return k.Key.Reveal(), nil
}
