package graph

import (
	directory "github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/graph/generated"
)

const (
	sitesCost   = 5   // sites of a provider, about
	tokensCost  = 3   // site tokens of a dealer, about
	accountCost = 5   // IBAN accounts of a dealer, about
	namesCost   = 3   // names that a customer had, about
	totalsCost  = 10  // methods and statuses of payments that are added up, about
	historyCost = 300 // adding up a customer's payments
)

func costsOfDirectory(c *generated.ComplexityRoot) {
	lookUp := func(child int) int { return lookUpCost + child }
	c.Query.Providers = func(child int, _ *string, _ *bool, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Query.Dealers = c.Query.Providers
	c.Provider.Sites = func(child int) int { return lookUpCost + sitesCost*child }
	c.Dealer.SiteTokens = func(child int) int { return lookUpCost + tokensCost*child }
	c.Dealer.Accounts = func(child int, _ *owner.AccountKind) int { return 2*lookUpCost + accountCost*child }
	c.Site.Dealer = lookUp
	c.Mutation.CreateProvider = func(child int, _ directory.NewProvider) int { return mutationCost + child }
	c.Mutation.CreateSite = func(child int, _ directory.NewSite) int { return mutationCost + child }
	c.Mutation.UpdateSite = func(child int, _ core.ID, _ owner.SitePatch) int { return mutationCost + child }
	c.Mutation.CreateDealer = func(child int, _ directory.NewDealer) int { return mutationCost + child }
	c.Mutation.UpdateDealer = func(child int, _ core.ID, _ owner.DealerPatch) int { return mutationCost + child }
	c.Mutation.CreateSiteToken = func(child int, _ directory.NewSiteToken) int { return mutationCost + child }
	c.Mutation.UpdateSiteToken = func(child int, _ core.ID, _ owner.SiteTokenPatch) int { return mutationCost + child }
	c.Mutation.CreateAccount = func(child int, _ owner.NewAccount) int { return mutationCost + child }
	c.Mutation.UpdateAccount = func(child int, _ core.ID, _ owner.AccountPatch) int { return mutationCost + child }
	rotate := func(child int, _ directory.KeyRotation) int { return mutationCost + child }
	c.Mutation.RotateProviderCredential, c.Mutation.RotateSiteCredential = rotate, rotate
	c.Mutation.RotateDealerCredential, c.Mutation.RotateSiteTokenCredential = rotate, rotate
	c.Mutation.SendTestCallback = func(child int, _ directory.TestCallback) int { return callCost + child }
	costsOfCustomers(c)
}

func costsOfCustomers(c *generated.ComplexityRoot) {
	c.Query.Customer = func(child int, _ core.ID, _ string) int { return historyCost + child }
	c.Query.BlockedCustomers = func(child int, _ *core.ID, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.CustomerProfile.Names = func(child int) int { return namesCost * child }
	c.CustomerProfile.Totals = func(child int) int { return totalsCost * child }
	c.CustomerProfile.Transactions = func(child int, first *int, _ *string) int { return lookUpCost + pageSize(first)*child }
	c.Mutation.BlockCustomer = func(child int, _ core.ID, _, _ string, _ *string) int { return mutationCost + historyCost + child }
	c.Mutation.UnblockCustomer = func(child int, _ core.ID, _ string, _ *string, _ *string) int {
		return mutationCost + historyCost + child
	}
}
