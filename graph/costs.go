package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/graph/page"
)

// Costs, in fields: what the complexity limit counts for what costs more than reading a field.
const (
	lookUpCost     = 20  // one more SQL statement
	weighCost      = 80  // finding the deposits that a bank line may belong to
	statisticsCost = 200 // adding thousands of rows up
	historyCost    = 300 // adding up a customer's payments
	mutationCost   = 150
	previewCost    = 100   // deciding without doing it
	orderCost      = 5_000 // counting what a job would do
	callCost       = 1_000 // asking a gateway
	loginCost      = 5_000 // hashing a password
)

// Rows that a field has, about.
const (
	foundCustomers          = 50
	listRows                = 20    // plugins, gateway accounts, rules, wallets or dealers
	labelEnums, labelValues = 50, 6 // enums of the schema, and values of one

	totalRows = 10 // methods and statuses of payments that are added up
)

// cost is what a field costs: once, and for each of its rows what is selected of a row.
type cost struct{ once, rows int }

// ofPage stands for as many rows as the argument `first` or `last` says.
const ofPage = -1

// ofDecisions stands for as many rows as decisions are asked for.
const ofDecisions = -2

var (
	lookUp   = cost{lookUpCost, 1}
	aList    = cost{lookUpCost, listRows}
	aPage    = cost{lookUpCost, ofPage}
	mutation = cost{mutationCost, 1}
	signIn   = cost{loginCost, 0}
)

// costs are of the fields that cost more than reading one. A mutation that is not among them costs mutationCost.
var costs = map[string]cost{
	"Query.approvals":            aPage,
	"Query.approvalRules":        {lookUpCost, 14},
	"Query.auditChain":           {2 * lookUpCost, 1},
	"Query.auditLog":             aPage,
	"Query.restoration":          {2 * lookUpCost, 1},
	"Restoration.remains":        {lookUpCost, core.MaxPage},
	"Query.bankAccounts":         {callCost, listRows},
	"Query.bankLines":            aPage,
	"Query.blockedCustomers":     aPage,
	"Query.callbacks":            aPage,
	"Query.decisionPreview":      {previewCost, 1},
	"Query.customer":             {historyCost, 1},
	"Query.dealers":              aPage,
	"Query.deskWithdrawals":      aPage,
	"Query.bankLine":             lookUp,
	"Query.adjustmentPreview":    {2 * lookUpCost, 1},
	"Query.customers":            {historyCost, 1},
	"Query.discrepancies":        aPage,
	"Query.discrepancy":          lookUp,
	"Query.disputes":             aPage,
	"Query.dispute":              lookUp,
	"Query.gatewayAccounts":      aList,
	"Query.gatewayNotifications": aPage,
	"Query.gatewayPlugins":       aList,
	"Query.invitations":          aPage,
	"Query.job":                  lookUp,
	"Query.labels":               {0, labelEnums},
	"Query.jobs":                 aPage,
	"Query.mySecondFactors":      {2 * lookUpCost, 1},
	"Query.mySessions":           aList,
	"Query.payoutsToDecide":      aPage,
	"Query.providers":            aPage,
	"Query.reconciliations":      aPage,
	"Query.roles":                {0, 8},
	"Query.routePreview":         {previewCost, 1},
	"Query.routeRules":           aList,
	"Query.savedViews":           aPage,
	"Query.staff":                aPage,
	"Query.staffMember":          lookUp,
	"Query.staffSessions":        aList,
	"Query.statistics":           {statisticsCost, listRows},
	"Query.transactions":         aPage,
	"Query.wallets":              {lookUpCost, listRows},
	"Query.withdrawalDesk":       aList,

	"Approval.preview":             {previewCost, 1},
	"BankLine.candidates":          {weighCost, 3},
	"BankLine.transaction":         lookUp,
	"BankLine.wallet":              lookUp,
	"Callback.attempts":            {lookUpCost, 5},
	"CustomerSearch.nodes":         {0, foundCustomers},
	"CustomerProfile.names":        {0, 3},
	"CustomerProfile.totals":       {0, totalRows},
	"CustomerProfile.transactions": aPage,
	"Dealer.accounts":              {2 * lookUpCost, 5},
	"Dealer.siteTokens":            {lookUpCost, 3},
	"Difference.transaction":       lookUp,
	"Discrepancy.transaction":      lookUp,
	"Dispute.transaction":          lookUp,
	"ValueLabels.values":           {0, labelValues},
	"GatewayAccount.health":        lookUp,
	"GatewayHealth.calls":          {0, listRows},
	"Job.failures":                 {0, totalRows},
	"Job.skips":                    {0, len(report.SkipReasons())},
	"Job.totals":                   {0, totalRows},
	"LedgerEntry.transaction":      lookUp,
	"Provider.sites":               {lookUpCost, 5},
	"RoutePreview.order":           {0, listRows},
	"RoutePreview.others":          {0, listRows},
	"Queues.taskQueues":            aList,
	"Queues.work":                  {weighCost, len(report.WorkKinds())},
	"Reconciliation.differences":   {0, 3},
	"Reconciliation.wallet":        lookUp,
	"SessionsPayload.sessions":     aList,
	"Site.dealer":                  lookUp,
	"Staff.profile":                lookUp,
	"Staff.secondFactors":          {2 * lookUpCost, 1},
	"Transaction.approvals":        lookUp,
	"Transaction.awaitsApproval":   lookUp,
	"Transaction.bankLines":        {lookUpCost, 2},
	"Transaction.callbacks":        lookUp,
	"Transaction.credits":          lookUp,
	"Transaction.discrepancies":    aPage,
	"Transaction.disputes":         {lookUpCost, 2},
	"Transaction.gatewayCalls":     {lookUpCost, 10},
	"Transaction.history":          aPage,
	"Transaction.notes":            {lookUpCost, 3},
	"Transaction.operations":       {lookUpCost, 2},
	"Transaction.wallet":           lookUp,
	"Wallet.days":                  aPage,
	"Wallet.entries":               aPage,
	"Wallet.feed":                  lookUp,
	"Wallet.statement":             {2 * lookUpCost, wallets.PageSize},

	"Transaction.possibleDecisions": {5 * previewCost, 1},
	"Transaction.refundTerms":       {previewCost, 1},

	"Mutation.acceptInvitation":   signIn,
	"Mutation.adjustDifference":   {2 * callCost, 1},
	"Mutation.approveRequest":     {callCost, 1},
	"Mutation.beginPasskeyLogin":  {callCost, 0},
	"Mutation.blockCustomer":      {mutationCost + historyCost, 1},
	"Mutation.decideMany":         {0, ofDecisions},
	"Mutation.changePassword":     {loginCost, 1},
	"Mutation.approveHeldDeposit": {callCost, 1},
	"Mutation.confirmPayout":      {callCost, 1},
	"Mutation.declineHeldDeposit": {callCost, 1},
	"Mutation.createWallet":       {callCost, 1},
	"Mutation.exportList":         {orderCost, 1},
	"Mutation.login":              signIn,
	"Mutation.loginWithCode":      signIn,
	"Mutation.loginWithPasskey":   signIn,
	"Mutation.reconcileDay":       {2 * callCost, 1},
	"Mutation.resendCallbacks":    {orderCost, 1},
	"Mutation.sendTestCallback":   {callCost, 1},
	"Mutation.startExport":        {orderCost, 1},
	"Mutation.stepUp":             signIn,
	"Mutation.testGatewayAccount": {callCost, 1},
	"Mutation.unblockCustomer":    {mutationCost + historyCost, 1},

	"Subscription.approvalChanged":    lookUp,
	"Subscription.bankLineChanged":    lookUp,
	"Subscription.callbackChanged":    lookUp,
	"Subscription.discrepancyChanged": lookUp,
	"Subscription.jobChanged":         lookUp,
	"Subscription.transactionChanged": lookUp,
}

// priced is the schema with what its fields cost.
type priced struct{ graphql.ExecutableSchema }

// Complexity implements graphql.ExecutableSchema.
func (p priced) Complexity(_ context.Context, typeName, field string, child int, args map[string]any) (int, bool) {
	c, isKnown := costs[typeName+"."+field]
	switch {
	case !isKnown && typeName == "Mutation":
		c = mutation
	case !isKnown:
		return 0, false
	case c.rows == ofDecisions:
		input, _ := args["input"].(map[string]any)
		decisions, _ := input["decisions"].([]any)
		n := max(len(decisions), 1)
		return n * (previewCost + child), true
	case c.rows == ofPage:
		number := func(name string) *int {
			if n, err := graphql.UnmarshalInt(args[name]); err == nil && args[name] != nil {
				return &n
			}
			return nil
		}
		c.rows = page.Of(number("first"), nil, number("last"), nil).Rows()
	}
	return c.once + c.rows*child, true
}
