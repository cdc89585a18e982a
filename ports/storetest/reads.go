package storetest

import (
	"context"
	"time"

	"github.com/vezne/vezne/core"
	"github.com/vezne/vezne/core/approval"
	"github.com/vezne/vezne/core/discrepancy"
	"github.com/vezne/vezne/core/operation"
	"github.com/vezne/vezne/core/owner"
	"github.com/vezne/vezne/core/payment"
	"github.com/vezne/vezne/core/wallet"
)

func paymentReads(ctx context.Context, w *world) map[string]error {
	errs := map[string]error{}
	s, id, now := w.store, w.payment().ID, epoch
	_, errs["PaymentByTrackingCode"] = s.PaymentByTrackingCode(ctx, "MAN-1")
	_, errs["PaymentByToken"] = s.PaymentByToken(ctx, "token")
	_, errs["MovesOf"] = s.MovesOf(ctx, id)
	_, errs["DueApprovals"] = s.DueApprovals(ctx, now, core.DueCursor{}, 1)
	_, errs["DuePayments"] = s.DuePayments(ctx, now, core.DueCursor{}, 1)
	_, errs["ClaimCallbacks"] = s.ClaimCallbacks(ctx, receiver, now, now.Add(time.Minute), 1)
	_, errs["DueReceivers"] = s.DueReceivers(ctx, now, "", 1)
	_, errs["CallbacksOf"] = s.CallbacksOf(ctx, id)
	_, errs["CallbackLogs"] = s.CallbackLogs(ctx, id)
	_, errs["Backlog"] = s.Backlog(ctx, now)
	return errs
}

func otherReads(ctx context.Context, w *world) map[string]error {
	errs := map[string]error{}
	s := w.store
	_, errs["ProviderByAPIKey"] = s.ProviderByAPIKey(ctx, "vzp_1")
	_, errs["Provider"] = s.Provider(ctx, 1)
	_, errs["SiteByCredential"] = s.SiteByCredential(ctx, "fingerprint")
	_, errs["Site"] = s.Site(ctx, 1)
	_, errs["Sites"] = s.Sites(ctx, 1)
	_, errs["AccountLoads"] = s.AccountLoads(ctx, 1, owner.ManualAccount, today)
	_, errs["FirstAnswer"] = s.FirstAnswer(ctx, payment.IdempotencyKey{Caller: "provider/1", Endpoint: "E3", Key: "k"})
	_, errs["ForgetAnswers"] = s.ForgetAnswers(ctx, epoch, 1)
	_, errs["StaffByEmail"] = s.StaffByEmail(ctx, "a@example.com")
	_, _, errs["SessionByFingerprint"] = s.SessionByFingerprint(ctx, "fingerprint")
	signInReads(ctx, s, errs)
	_, errs["NextID"] = s.NextID(ctx, "sites")
	return errs
}

func gatewayReads(ctx context.Context, w *world) map[string]error {
	errs := map[string]error{}
	s, id, now := w.store, w.payment().ID, epoch
	_, errs["Dealer"] = s.Dealer(ctx, 1)
	_, errs["PaymentByID"] = s.PaymentByID(ctx, id)
	_, errs["OperationsOf"] = s.OperationsOf(ctx, id)
	_, errs["OperationBy"] = s.OperationBy(ctx, operation.OperationKey{Ref: "R"})
	_, errs["ClaimOperations"] = s.ClaimOperations(ctx, 1, now, now.Add(time.Minute), 1)
	_, errs["DueGateways"] = s.DueGateways(ctx, now)
	_, errs["DiscrepanciesOf"] = s.DiscrepanciesOf(ctx, id)
	_, errs["Discrepancies"] = s.Discrepancies(ctx, discrepancy.DiscrepancyQuery{Limit: 1})
	_, errs["GatewayCalls"] = s.GatewayCalls(ctx, operation.GatewayCallQuery{Payments: []core.ID{id}, Limit: 1})
	_, errs["ClaimNotifications"] = s.ClaimNotifications(ctx, now, now.Add(time.Minute), 1)
	_, errs["Notifications"] = s.Notifications(ctx, operation.NotificationQuery{Limit: 1})
	_, errs["GatewayAccounts"] = s.GatewayAccounts(ctx)
	_, errs["RouteRules"] = s.RouteRules(ctx)
	return errs
}

func walletReads(ctx context.Context, w *world) map[string]error {
	errs := map[string]error{}
	s := w.store
	_, errs["DealerByAPIKey"] = s.DealerByAPIKey(ctx, "vzd_1")
	_, errs["SiteTokenByToken"] = s.SiteTokenByToken(ctx, "vzt_1")
	_, errs["WalletsOf"] = s.WalletsOf(ctx, 1)
	_, errs["WalletBy"] = s.WalletBy(ctx, "W-1")
	_, errs["Entries"] = s.Entries(ctx, 1, "", 1)
	_, _, errs["BankLines"] = s.BankLines(ctx, wallet.BankLineQuery{WalletID: 1, From: epoch, Until: tomorrowAt(9), Limit: 1})
	return errs
}

func statementReads(ctx context.Context, w *world) map[string]error {
	errs := map[string]error{}
	s, id, now := w.store, w.payment().ID, epoch
	_, errs["Wallet"] = s.Wallet(ctx, 1)
	_, errs["ClaimFeeds"] = s.ClaimFeeds(ctx, now, now.Add(time.Minute), 1)
	_, errs["Feed"] = s.Feed(ctx, 1)
	_, errs["FeedsOf"] = s.FeedsAt(ctx, 1)
	_, errs["FeedHealth"] = s.FeedHealth(ctx)
	_, errs["AddUpLedger"] = s.AddUpLedger(ctx, 1)
	_, errs["BankLine"] = s.BankLine(ctx, 1, "1")
	_, errs["LinesIn"] = s.LinesIn(ctx, wallet.LineQuery{Limit: 1})
	_, errs["LinesOf"] = s.LinesOf(ctx, id)
	_, errs["PaidFrom"] = s.PaidFrom(ctx, []string{senderIBAN}, 1)
	_, errs["Candidates"] = s.Candidates(ctx, wallet.CandidateQuery{AccountID: 1, From: epoch, Until: tomorrowAt(9), Limit: 1})
	_, errs["FeedsOfAll"] = s.FeedsOf(ctx, 1)
	_, errs["Reconciliation"] = s.Reconciliation(ctx, 1, today)
	_, errs["Reconciliations"] = s.Reconciliations(ctx, wallet.ReconciliationQuery{Limit: 1})
	_, _, errs["DayBook"] = s.DayBook(ctx, 1, epoch, tomorrowAt(9))
	_, errs["Adjustments"] = s.Adjustments(ctx, 1, today)
	_, errs["DeskLoads"] = s.DeskLoads(ctx, core.Scope{}, now)
	_, errs["Approval"] = s.Approval(ctx, id)
	_, errs["Approvals"] = s.ListApprovals(ctx, approval.ApprovalQuery{Limit: 1})
	_, errs["ApprovalRules"] = s.ApprovalRules(ctx)
	_, errs["RunningTotals"] = s.RunningTotals(ctx, []string{"staff/1"})
	_, errs["StaffByID"] = s.StaffByID(ctx, 1)
	_, errs["DeskWithdrawals"] = s.DeskWithdrawals(ctx, payment.DeskQuery{Now: now, Limit: 1})
	return errs
}
