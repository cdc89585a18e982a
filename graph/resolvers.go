package graph

import (
	"github.com/vezne/vezne/app/owner"
	"github.com/vezne/vezne/graph/generated"
)

// resolvers answers every field that is not simply a field of its core type.
type resolvers struct{ Config }

var _ generated.ResolverRoot = resolvers{}

type (
	queryResolver       struct{ Config }
	mutationResolver    struct{ Config }
	transactionResolver struct{ Config }
	callbackResolver    struct{ Config }
	attemptResolver     struct{}
	providerResolver    struct{ Config }
	staffResolver       struct{ Config }
	sessionResolver     struct{}
	profileResolver     struct{}
	savedViewResolver   struct{}

	operationResolver       struct{ Config }
	callResolver            struct{ Config }
	discrepancyResolver     struct{ Config }
	disputeResolver         struct{ Config }
	disputeEvidenceResolver struct{ Config }
	notificationResolver    struct{ Config }
	ruleResolver            struct{ Config }
	accountResolver         struct{ admin *owner.Gateways }
	pluginResolver          struct{ Config }

	previewResolver struct{ Config }
	decidedResolver struct{ Config }
	noteResolver    struct{}

	moneyResolver         struct{}
	depositTraitsResolver struct{}
	payoutTraitsResolver  struct{}
	newAccountResolver    struct{}
	accountPatchResolver  struct{}
	rulePatchResolver     struct{}

	walletResolver      struct{ Config }
	entryResolver       struct{ Config }
	lineResolver        struct{ Config }
	dayResolver         struct{ Config }
	differenceResolver  struct{ Config }
	feedResolver        struct{}
	bankAccountResolver struct{}

	auditChainResolver   struct{}
	auditCheckResolver   struct{}
	auditEntryResolver   struct{}
	auditHeadResolver    struct{}
	queuesResolver       struct{ Config }
	restorationResolver  struct{ Config }
	remainResolver       struct{ Config }
	taskQueueResolver    struct{}
	jobResolver          struct{ Config }
	exportTotalResolver  struct{}
	actorResolver        struct{}
	subscriptionResolver struct{ Config }
)

func (r resolvers) Query() generated.QueryResolver                   { return queryResolver(r) }
func (r resolvers) Mutation() generated.MutationResolver             { return mutationResolver(r) }
func (r resolvers) Transaction() generated.TransactionResolver       { return transactionResolver(r) }
func (r resolvers) Callback() generated.CallbackResolver             { return callbackResolver(r) }
func (resolvers) CallbackAttempt() generated.CallbackAttemptResolver { return attemptResolver{} }
func (r resolvers) Provider() generated.ProviderResolver             { return providerResolver(r) }
func (r resolvers) Staff() generated.StaffResolver                   { return staffResolver(r) }
func (resolvers) Session() generated.SessionResolver                 { return sessionResolver{} }
func (resolvers) StaffProfile() generated.StaffProfileResolver       { return profileResolver{} }
func (resolvers) SavedView() generated.SavedViewResolver             { return savedViewResolver{} }

func (r resolvers) GatewayOperation() generated.GatewayOperationResolver { return operationResolver(r) }
func (r resolvers) GatewayCall() generated.GatewayCallResolver           { return callResolver(r) }
func (r resolvers) DisputeEvidence() generated.DisputeEvidenceResolver {
	return disputeEvidenceResolver(r)
}
func (r resolvers) Dispute() generated.DisputeResolver         { return disputeResolver(r) }
func (r resolvers) Discrepancy() generated.DiscrepancyResolver { return discrepancyResolver(r) }
func (r resolvers) GatewayNotification() generated.GatewayNotificationResolver {
	return notificationResolver(r)
}
func (r resolvers) RouteRule() generated.RouteRuleResolver { return ruleResolver(r) }
func (r resolvers) GatewayAccount() generated.GatewayAccountResolver {
	return accountResolver{r.Gateways}
}
func (r resolvers) GatewayPlugin() generated.GatewayPluginResolver { return pluginResolver(r) }

func (resolvers) GatewayMoney() generated.GatewayMoneyResolver { return moneyResolver{} }
func (resolvers) GatewayDepositTraits() generated.GatewayDepositTraitsResolver {
	return depositTraitsResolver{}
}
func (resolvers) GatewayPayoutTraits() generated.GatewayPayoutTraitsResolver {
	return payoutTraitsResolver{}
}
func (resolvers) CreateGatewayAccountInput() generated.CreateGatewayAccountInputResolver {
	return newAccountResolver{}
}
func (resolvers) UpdateGatewayAccountInput() generated.UpdateGatewayAccountInputResolver {
	return accountPatchResolver{}
}
func (r resolvers) Wallet() generated.WalletResolver                 { return walletResolver(r) }
func (r resolvers) LedgerEntry() generated.LedgerEntryResolver       { return entryResolver(r) }
func (r resolvers) BankLine() generated.BankLineResolver             { return lineResolver(r) }
func (r resolvers) Reconciliation() generated.ReconciliationResolver { return dayResolver(r) }
func (r resolvers) Difference() generated.DifferenceResolver         { return differenceResolver(r) }
func (resolvers) BankFeed() generated.BankFeedResolver               { return feedResolver{} }
func (resolvers) BankAccount() generated.BankAccountResolver         { return bankAccountResolver{} }

func (resolvers) RouteRuleInput() generated.RouteRuleInputResolver       { return rulePatchResolver{} }
func (resolvers) TransactionFilter() generated.TransactionFilterResolver { return filterResolver{} }
func (resolvers) Actor() generated.ActorResolver                         { return actorResolver{} }

func (resolvers) AuditChain() generated.AuditChainResolver     { return auditChainResolver{} }
func (resolvers) AuditCheck() generated.AuditCheckResolver     { return auditCheckResolver{} }
func (resolvers) AuditHead() generated.AuditHeadResolver       { return auditHeadResolver{} }
func (resolvers) AuditEntry() generated.AuditEntryResolver     { return auditEntryResolver{} }
func (r resolvers) Queues() generated.QueuesResolver           { return queuesResolver(r) }
func (r resolvers) Restoration() generated.RestorationResolver { return restorationResolver(r) }
func (r resolvers) Remain() generated.RemainResolver           { return remainResolver(r) }
func (resolvers) TaskQueue() generated.TaskQueueResolver       { return taskQueueResolver{} }
func (r resolvers) Job() generated.JobResolver                 { return jobResolver(r) }
func (resolvers) ExportTotal() generated.ExportTotalResolver   { return exportTotalResolver{} }

func (r resolvers) DecisionPreview() generated.DecisionPreviewResolver { return previewResolver(r) }
func (resolvers) Note() generated.NoteResolver                         { return noteResolver{} }
func (r resolvers) DecisionResult() generated.DecisionResultResolver   { return decidedResolver(r) }
func (r resolvers) Subscription() generated.SubscriptionResolver       { return subscriptionResolver(r) }
