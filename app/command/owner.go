package command

import (
	"context"

	"github.com/vezne/vezne/app"
	"github.com/vezne/vezne/app/once"
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
)

// BlockCustomerInput blocks or unblocks a customer.
type BlockCustomerInput struct {
	owner.CustomerKey
	Said
}

// Issuing is what came of a command that issues credentials.
type Issuing[O any] struct {
	Owner       O
	Credentials []directory.IssuedKey
}

// The payloads of issuing credentials, by whose names gqlgen finds them.

type (
	// ProviderCredentialsPayload is a provider with its credentials.
	ProviderCredentialsPayload = Issuing[owner.Provider]
	// SiteCredentialsPayload is a site with its credentials.
	SiteCredentialsPayload = Issuing[owner.Site]
	// DealerCredentialsPayload is a dealer with its credentials.
	DealerCredentialsPayload = Issuing[owner.Dealer]
	// SiteTokenCredentialsPayload is a site token with its credentials.
	SiteTokenCredentialsPayload = Issuing[owner.SiteToken]
)

type ownerCommands struct {
	CreateProvider            Command[directory.NewProvider, ProviderCredentialsPayload]
	UpdateProvider            Command[directory.ProviderUpdate, owner.Provider]
	RotateProviderCredential  Command[directory.KeyRotation, ProviderCredentialsPayload]
	CreateSite                Command[directory.NewSite, SiteCredentialsPayload]
	UpdateSite                Command[directory.SiteUpdate, owner.Site]
	RotateSiteCredential      Command[directory.KeyRotation, SiteCredentialsPayload]
	UpdateCallbackURLs        Command[directory.CallbackURLUpdate, directory.CallbackOwner]
	UpdateSiteBrand           Command[directory.BrandUpdate, owner.Site]
	CreateDealer              Command[directory.NewDealer, DealerCredentialsPayload]
	UpdateDealer              Command[directory.DealerUpdate, owner.Dealer]
	RotateDealerCredential    Command[directory.KeyRotation, DealerCredentialsPayload]
	CreateSiteToken           Command[directory.NewSiteToken, SiteTokenCredentialsPayload]
	UpdateSiteToken           Command[directory.SiteTokenUpdate, owner.SiteToken]
	RotateSiteTokenCredential Command[directory.KeyRotation, SiteTokenCredentialsPayload]
	CreateAccount             Command[owner.NewAccount, owner.DailyUsage]
	UpdateAccount             Command[directory.AccountUpdate, owner.DailyUsage]
	BlockCustomer             Command[BlockCustomerInput, directory.Customer]
	UnblockCustomer           Command[BlockCustomerInput, directory.Customer]
	CreateGatewayAccount      Command[directory.NewAccount, owner.GatewayAccount]
	UpdateGatewayAccount      Command[directory.GatewayUpdate, owner.GatewayAccount]
	SaveRouteRule             Command[directory.RuleUpdate, routing.Rule]
}

func newOwner(s Services) ownerCommands {
	d := s.Directory
	return ownerCommands{
		CreateProvider:           issuing("createProvider", staff.EditProviders, d.AddProvider),
		UpdateProvider:           plain("updateProvider", staff.EditProviders, d.UpdateProvider),
		RotateProviderCredential: rotating("rotateProviderCredential", staff.RotateKeys, d.RotateProviderKey),

		CreateSite:           issuing("createSite", staff.EditProviders, d.AddSite),
		UpdateSite:           plain("updateSite", staff.EditProviders, d.UpdateSite),
		RotateSiteCredential: rotating("rotateSiteCredential", staff.RotateKeys, d.RotateSiteKey),

		UpdateCallbackURLs: plain("updateCallbackUrls", staff.EditCallbackURLs, d.UpdateCallbackURLs),
		UpdateSiteBrand:    plain("updateSiteBrand", staff.EditBrands, d.UpdateBrand),

		CreateDealer:           issuing("createDealer", staff.EditDealers, d.AddDealer),
		UpdateDealer:           plain("updateDealer", staff.EditDealers, d.UpdateDealer),
		RotateDealerCredential: rotating("rotateDealerCredential", staff.EditDealers, d.RotateDealerKey),

		CreateSiteToken:           issuing("createSiteToken", staff.EditDealers, d.AddSiteToken),
		UpdateSiteToken:           plain("updateSiteToken", staff.EditDealers, d.UpdateSiteToken),
		RotateSiteTokenCredential: rotating("rotateSiteTokenCredential", staff.EditDealers, d.RotateSiteTokenKey),

		CreateAccount: plain("createAccount", staff.EditAccounts, d.AddAccount),
		UpdateAccount: plain("updateAccount", staff.EditAccounts, d.UpdateAccount),

		BlockCustomer:   blocking(d, "blockCustomer", d.BlockCustomer),
		UnblockCustomer: blocking(d, "unblockCustomer", d.UnblockCustomer),

		CreateGatewayAccount: plain("createGatewayAccount", staff.EditGateways, s.Gateways.Create),
		UpdateGatewayAccount: plain("updateGatewayAccount", staff.EditGateways, s.Gateways.Update),
		SaveRouteRule:        plain("saveRouteRule", staff.EditGateways, s.Gateways.SaveRule),
	}
}

// plain is a command that a service carries out as it is asked.
func plain[I, R any](
	name string, permission staff.Permission, do func(context.Context, app.Request, I) (R, error),
) Command[I, R] {
	return Command[I, R]{Name: name, Permission: permission, Do: do}
}

// issuing is a command that makes an owner and issues its credentials.
func issuing[I, O any](
	name string, permission staff.Permission,
	do func(context.Context, app.Request, I) (O, []directory.IssuedKey, error),
) Command[I, Issuing[O]] {
	return Command[I, Issuing[O]]{
		Name: name, Permission: permission,
		Do: func(ctx context.Context, by app.Request, in I) (made Issuing[O], err error) {
			made.Owner, made.Credentials, err = do(ctx, by, in)
			return made, err
		},
		Issued: func(made Issuing[O]) []directory.IssuedKey { return made.Credentials },
	}
}

// rotating is a command that issues one credential anew.
func rotating[O any](
	name string, permission staff.Permission, do func(context.Context, app.Request, directory.KeyRotation) (O, directory.IssuedKey, error),
) Command[directory.KeyRotation, Issuing[O]] {
	return issuing(name, permission,
		func(ctx context.Context, by app.Request, in directory.KeyRotation) (O, []directory.IssuedKey, error) {
			owner, key, err := do(ctx, by, in)
			return owner, []directory.IssuedKey{key}, err
		})
}

// blocking is a command that blocks or unblocks a customer.
func blocking(
	d *directory.Directory, name string, do func(context.Context, app.Request, directory.Blocking) (directory.Customer, error),
) Command[BlockCustomerInput, directory.Customer] {
	return Command[BlockCustomerInput, directory.Customer]{
		Name: name, Permission: staff.BlockCustomers,
		Do: func(ctx context.Context, by app.Request, in BlockCustomerInput) (directory.Customer, error) {
			return do(ctx, by, directory.Blocking{CustomerKey: in.CustomerKey, Reason: in.Reason})
		},
		Again: func(ctx context.Context, by app.Request, in BlockCustomerInput, _ once.Answer) (directory.Customer, error) {
			return d.CustomerNow(ctx, by.Staff, in.CustomerKey)
		},
	}
}
