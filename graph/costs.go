package graph

import (
	"time"

	directory "github.com/vezne/vezne/app/owner"
	access "github.com/vezne/vezne/app/staff"
	wallets "github.com/vezne/vezne/app/wallet"
	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/report"
	"github.com/vezne/vezne/core/routing"
	"github.com/vezne/vezne/core/staff"
	"github.com/vezne/vezne/core/wallet"
	"github.com/vezne/vezne/graph/generated"
)

// Costs, in fields: what the complexity limit counts for what costs more than reading a field.
const (
	lookUpCost      = 20  // one more SQL statement
	movesCost       = 4   // rows that a history has, about
	attemptsCost    = 5   // attempts that a callback has, about
	operateCost     = 2   // operations that a payment has, about
	callsCost       = 10  // calls that are made for a payment, about
	listCost        = 20  // plugins, gateway accounts, rules, wallets or dealers that there are, about
	linesCost       = 2   // bank lines that a payment has, about
	candidatesCost  = 3   // deposits that a bank line may belong to, about
	weighCost       = 80  // finding those
	differencesCost = 3   // of a day, about
	statisticsCost  = 200 // adding thousands of rows up
	mutationCost    = 150
	callCost        = 1_000 // asking a gateway
	loginCost       = 5_000 // hashing a password
)

func costs() generated.ComplexityRoot {
	var c generated.ComplexityRoot
	c.Query.Transactions = func(child int, _ *report.PaymentQuery, first *int, _ *string, _ *report.PaymentSort) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Transaction.History = func(child int) int { return lookUpCost + movesCost*child }
	c.Transaction.Callbacks = func(child int) int { return lookUpCost + child }
	c.Callback.Tries = func(child int) int { return lookUpCost + attemptsCost*child }
	c.Transaction.Credits = func(child int) int { return lookUpCost + child }
	c.Mutation.ApproveDeposit = func(child int, _, _ string, _, _, _ *string) int { return mutationCost + child }
	c.Mutation.CorrectCredit = func(child int, _, _, _, _ string, _ *string) int { return mutationCost + child }
	c.Mutation.CompleteWithdrawal = func(child int, _ string, _ *string) int { return mutationCost + child }
	c.Mutation.UpdateProvider = func(child int, _ core.ID, _ owner.ProviderPatch) int { return mutationCost + child }
	withReason := func(child int, _ string, _, _ *string) int { return mutationCost + child }
	c.Mutation.RejectDeposit = withReason
	c.Mutation.RejectWithdrawal, c.Mutation.FailWithdrawal, c.Mutation.CancelWithdrawal = withReason, withReason, withReason
	c.Mutation.RejectPayout, c.Mutation.CancelPayout, c.Mutation.FailPayout = withReason, withReason, withReason
	c.Mutation.CancelRefund = func(child int, _ core.ID, _, _ *string) int { return mutationCost + child }
	c.Mutation.ApprovePayout = c.Mutation.CompleteWithdrawal
	costsAtGateways(&c)
	costsOfWallets(&c)
	costsOfBankLines(&c)
	costsOfOperations(&c)
	costsOfDirectory(&c)
	costsOfJobs(&c)
	costsOfStaff(&c)
	c.Subscription.TransactionChanged = func(child int, _ *report.PaymentQuery) int { return lookUpCost + child }
	c.Subscription.DiscrepancyChanged = func(child int, _ *discrepancy.DiscrepancyQuery) int { return lookUpCost + child }
	c.Subscription.JobChanged = func(child int, _ *core.ID) int { return lookUpCost + child }
	c.Subscription.ApprovalChanged = func(child int) int { return lookUpCost + child }
	costsOfApprovals(&c)
	c.Query.Statistics = func(
		child int, _ *generated.StatisticsFilter, _ []report.Dimension, _ *report.Interval, _, _ time.Time,
	) int {
		return statisticsCost + listCost*child
	}
	return c
}

func costsAtGateways(c *generated.ComplexityRoot) {
	lookUp := func(child int) int { return lookUpCost + child }
	list := func(child int) int { return lookUpCost + listCost*child }
	c.Query.GatewayPlugins, c.Query.GatewayAccounts, c.Query.RouteRules = list, list, list
	c.Query.Discrepancies = func(child int, _ *discrepancy.DiscrepancyQuery, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Query.GatewayNotifications = func(child int, _ *operation.NotificationQuery, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.GatewayAccount.Health = lookUp
	c.Transaction.Operations = func(child int) int { return lookUpCost + operateCost*child }
	c.Transaction.GatewayCalls = func(child int) int { return lookUpCost + callsCost*child }
	c.Transaction.Discrepancies, c.Transaction.AwaitsApproval = lookUp, lookUp
	c.Mutation.RefundTransaction = func(child int, _ string, _ *string, _ []generated.NamedTextInput, _ *string, _ *string) int {
		return mutationCost + child
	}
	c.Mutation.ConfirmPayout = func(child int, _, _ string, _ *string) int { return callCost + child }
	c.Mutation.ResolveDiscrepancy = func(child int, _ core.ID, _ operation.Resolution, _, _ *string, _ *string) int {
		return mutationCost + child
	}
	c.Mutation.RefundDiscrepancy = func(child int, _ core.ID, _ []generated.NamedTextInput, _ *string, _ *string) int {
		return mutationCost + child
	}
	c.Mutation.CreateGatewayAccount = func(child int, _ directory.NewAccount) int { return mutationCost + child }
	c.Mutation.UpdateGatewayAccount = func(child int, _ core.ID, _ owner.GatewayPatch) int { return mutationCost + child }
	c.Mutation.TestGatewayAccount = func(child int, _ core.ID) int { return callCost + child }
	c.Mutation.SaveRouteRule = func(child int, _ *core.ID, _ routing.RulePatch) int { return mutationCost + child }
}

func costsOfWallets(c *generated.ComplexityRoot) {
	lookUp := func(child int) int { return lookUpCost + child }
	c.Query.Wallets = func(child int, _ *core.ID) int { return lookUpCost + listCost*child }
	c.Query.BankAccounts = func(child int, _ core.ID) int { return callCost + listCost*child }
	c.Mutation.CreateWallet = func(child int, _ wallets.NewWallet) int { return callCost + child }
	c.Mutation.SetWalletActive = func(child int, _ string, _ bool) int { return mutationCost + child }
	c.Wallet.Feed, c.LedgerEntry.Transaction = lookUp, lookUp
	c.Wallet.Entries = func(child int, first *int, _ *string) int { return lookUpCost + pageSize(first)*child }
	c.Wallet.Statement = func(child int, _, _ core.Day, _ *int) int { return 2*lookUpCost + wallets.PageSize*child }
	c.Wallet.Days = func(child int, _ *bool, first *int, _ *string) int { return lookUpCost + pageSize(first)*child }
	c.Transaction.Wallet, c.Reconciliation.Wallet, c.Difference.Transaction = lookUp, lookUp, lookUp
	c.Reconciliation.Differences = func(child int) int { return differencesCost * child }
	c.Query.Reconciliations = func(child int, _ *string, _ *bool, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Mutation.ReconcileDay = func(child int, _ string, _ core.Day) int { return 2*callCost + child }
	c.Mutation.AdjustDifference = func(child int, _ string, _ core.Day, _, _ string, _ *string) int { return 2*callCost + child }
	c.Mutation.ExplainDifference = func(
		child int, _ string, _ core.Day, _ wallet.DifferenceKind, _ *string, _ *core.ID, _ string,
	) int {
		return mutationCost + child
	}
}

func costsOfBankLines(c *generated.ComplexityRoot) {
	c.Query.BankLines = func(child int, _ *generated.BankLineFilter, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.BankLine.Wallet, c.BankLine.Transaction = c.Transaction.Wallet, c.Transaction.Wallet
	c.BankLine.Candidates = func(child int) int { return weighCost + candidatesCost*child }
	c.Transaction.BankLines = func(child int) int { return lookUpCost + linesCost*child }
	c.Mutation.CreditBankLine = func(child int, _, _, _ string, _ *string, _ *string) int { return mutationCost + child }
	c.Mutation.SetAsideBankLine = func(child int, _, _, _ string, _ *string) int { return mutationCost + child }
	c.Mutation.BringBackBankLine = c.Mutation.SetAsideBankLine
	c.Query.WithdrawalDesk = func(child int) int { return lookUpCost + listCost*child }
	c.Query.DeskWithdrawals = func(child int, _ *core.ID, _ *bool, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Mutation.ClaimWithdrawal = func(child int, _ string, _ *bool, _ *string, _ *string) int { return mutationCost + child }
	c.Mutation.ReleaseWithdrawal = c.Mutation.RejectDeposit
}

// costsOfOperations is of what concerns the service itself.
func costsOfOperations(c *generated.ComplexityRoot) {
	c.Query.AuditLog = func(child int, _ *generated.AuditFilter, first *int, _ *string) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Queues.TaskQueues = func(child int) int { return lookUpCost + listCost*child }
	c.Queues.Work = func(child int) int { return weighCost + len(core.WorkKinds())*child }
	c.Mutation.OpenQueues = func(child int) int { return mutationCost + child }
}

func costsOfStaff(c *generated.ComplexityRoot) {
	signIn := func(int, string, string) int { return loginCost }
	c.Mutation.Login, c.Mutation.LoginWithCode, c.Mutation.LoginWithPasskey, c.Mutation.AcceptInvitation = signIn, signIn, signIn, signIn
	c.Mutation.ChangePassword = func(child int, _ string) int { return loginCost + child }
	c.Mutation.StepUp = func(int, *string, *string, *generated.PasskeyAnswer) int { return loginCost }
	c.Mutation.BeginPasskeyLogin = func(int, *string) int { return callCost }
	change := func(child int) int { return mutationCost + child }
	c.Mutation.Logout, c.Mutation.BeginPasskeyStepUp, c.Mutation.BeginTotp, c.Mutation.RemoveTotp = change, change, change, change
	c.Mutation.NewRecoveryCodes, c.Mutation.BeginPasskey, c.Mutation.RevokeOtherSessions = change, change, change
	named := func(child int, _ string) int { return mutationCost + child }
	c.Mutation.ConfirmTotp = named
	c.Mutation.FinishPasskey = func(child int, _, _, _ string) int { return mutationCost + child }
	byID := func(child int, _ core.ID) int { return mutationCost + child }
	c.Mutation.RemovePasskey, c.Mutation.RevokeSession, c.Mutation.RevokeInvitation = byID, byID, byID
	c.Mutation.UnlockStaff, c.Mutation.ResetStaffFactors = byID, byID
	c.Mutation.RenamePasskey = func(child int, _ core.ID, _ string) int { return mutationCost + child }
	c.Mutation.InviteStaff = func(child int, _ access.NewInvitation) int { return mutationCost + child }
	c.Mutation.UpdateStaff = func(child int, _ core.ID, _ access.MemberPatch) int { return mutationCost + child }
	c.Mutation.RevokeStaffSessions = func(child int, _ core.ID, _ *core.ID) int { return mutationCost + child }
	list := func(child int) int { return lookUpCost + listCost*child }
	c.Query.MySessions, c.SessionsPayload.Sessions = list, list
	c.Query.MySecondFactors = func(child int) int { return 2*lookUpCost + child }
	c.Staff.SecondFactors = c.Query.MySecondFactors
	c.Query.StaffSessions = func(child int, _ core.ID) int { return list(child) }
	c.Query.StaffMember = func(child int, _ core.ID) int { return lookUpCost + child }
	c.Query.Staff = func(child int, _ *staff.Role, _ *bool, first *int, _ *core.ID) int {
		return lookUpCost + pageSize(first)*child
	}
	c.Query.Invitations = func(child int, first *int, _ *core.ID) int { return lookUpCost + pageSize(first)*child }
}
