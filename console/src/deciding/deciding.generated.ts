// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type NamedTextInput = {
  name: string;
  value: string;
};

export type DecisionInput = {
  approveDeposit?: ApproveDepositInput | null | undefined;
  rejectDeposit?: RejectDepositInput | null | undefined;
  correctCredit?: CorrectCreditInput | null | undefined;
  claimWithdrawal?: ClaimWithdrawalInput | null | undefined;
  releaseWithdrawal?: ReleaseWithdrawalInput | null | undefined;
  completeWithdrawal?: CompleteWithdrawalInput | null | undefined;
  rejectWithdrawal?: RejectWithdrawalInput | null | undefined;
  failWithdrawal?: FailWithdrawalInput | null | undefined;
  cancelWithdrawal?: CancelWithdrawalInput | null | undefined;
  approvePayout?: ApprovePayoutInput | null | undefined;
  rejectPayout?: RejectPayoutInput | null | undefined;
  failPayout?: FailPayoutInput | null | undefined;
  cancelPayout?: CancelPayoutInput | null | undefined;
  refundTransaction?: RefundTransactionInput | null | undefined;
  resolveDiscrepancy?: ResolveDiscrepancyInput | null | undefined;
  refundDiscrepancy?: RefundDiscrepancyInput | null | undefined;
};

export type DecisionWarning =
  | 'AMOUNT_DIFFERS'
  | 'NO_ACCOUNT_SHOWN'
  | 'NO_MONEY_REPORTED'
  | 'OVER_MULTIPLE'
  | 'OVER_MAXIMUM'
  | 'OVER_DEALER_CAP'
  | 'HAD_ENDED'
  | 'SUSPECT_IBAN'
  | 'TAKES_OVER'
  | 'MAY_HAVE_LEFT'
  | 'PAID_ALREADY'
  | 'NO_CALLBACK_URL'
  | 'REPORTED_BEFORE';

export type DecideManyInput = {
  decisions: Array<DecisionInput>;
};

export type DecisionName =
  | 'APPROVE_DEPOSIT'
  | 'REJECT_DEPOSIT'
  | 'CORRECT_CREDIT'
  | 'CLAIM_WITHDRAWAL'
  | 'COMPLETE_WITHDRAWAL'
  | 'RELEASE_WITHDRAWAL'
  | 'REJECT_WITHDRAWAL'
  | 'FAIL_WITHDRAWAL'
  | 'CANCEL_WITHDRAWAL'
  | 'APPROVE_PAYOUT'
  | 'CONFIRM_PAYOUT'
  | 'REJECT_PAYOUT'
  | 'FAIL_PAYOUT'
  | 'CANCEL_PAYOUT'
  | 'REFUND_TRANSACTION'
  | 'APPROVE_HELD_DEPOSIT'
  | 'DECLINE_HELD_DEPOSIT';

export type ClaimWithdrawalInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  takeOver?: boolean | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type ReleaseWithdrawalInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type DeskFilter = {
  dealerId?: string | null | undefined;
  isMine?: boolean | null | undefined;
  awaitsApproval?: boolean | null | undefined;
  isFree?: boolean | null | undefined;
};

export type DiscrepancyStatus =
  | 'OPEN'
  | 'ACCEPTED'
  | 'REFUNDING'
  | 'REFUNDED'
  | 'WRITTEN_OFF'
  | 'SETTLED';

export type Resolution =
  | 'ACCEPT'
  | 'WRITE_OFF';

export type ResolveDiscrepancyInput = {
  id: string;
  resolution: Resolution;
  amount?: string | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type RefundDiscrepancyInput = {
  id: string;
  target?: Array<NamedTextInput> | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_LOGIN'
  | 'BAD_CODE'
  | 'CHALLENGE_OVER'
  | 'RATE_LIMITED'
  | 'FROZEN'
  | 'SECOND_FACTOR_REQUIRED'
  | 'STEP_UP_NEEDED'
  | 'INVITATION_INVALID'
  | 'LAST_ADMIN'
  | 'APPROVAL_NEEDED'
  | 'NO_SECOND_PERSON'
  | 'AWAITS_APPROVAL'
  | 'OWN_REQUEST'
  | 'APPROVAL_DECIDED'
  | 'APPROVAL_STALE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INVALID'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'ALREADY_FINAL'
  | 'NOT_ALLOWED_IN_STATUS'
  | 'WRONG_METHOD'
  | 'AMOUNT_CHANGED'
  | 'CHANGED_MEANWHILE'
  | 'MORE_THAN_SEEN'
  | 'CLAIMED'
  | 'NOT_CLAIMED'
  | 'CLAIM_LAPSED'
  | 'LINE_REVERSED'
  | 'LINE_OF_ORDER'
  | 'LINE_AWAITED'
  | 'BANK_ACCOUNT_TAKEN'
  | 'NOT_ADJUSTABLE'
  | 'GATEWAY_UNUSABLE'
  | 'GATEWAY_FAILED'
  | 'NO_CALLBACK'
  | 'CALLBACK_REPLACED'
  | 'CALLBACK_OUTDATED'
  | 'EXPORT_NOT_READY'
  | 'TOO_MANY_ROWS'
  | 'TOO_SLOW'
  | 'TOO_MANY_SUBSCRIPTIONS'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'INVALID_JSON'
  | 'BODY_TOO_LARGE'
  | 'METHOD_NOT_ALLOWED'
  | 'CROSS_SITE_REQUEST'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'INSUFFICIENT_BALANCE';

export type RefundTransactionInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  amount?: string | null | undefined;
  target?: Array<NamedTextInput> | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type ApprovePayoutInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type RejectPayoutInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type CancelPayoutInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type FailPayoutInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type ApproveHeldDepositInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type DeclineHeldDepositInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type ConfirmPayoutInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  code: string;
  idempotencyKey?: string | null | undefined;
};

export type TransactionSort =
  | 'CREATED_DESC'
  | 'CREATED_ASC'
  | 'UPDATED_DESC'
  | 'UPDATED_ASC'
  | 'AMOUNT_DESC'
  | 'AMOUNT_ASC';

export type TransactionFilter = {
  status?: Array<TransactionStatus> | null | undefined;
  method?: Array<TransactionMethod> | null | undefined;
  providerId?: string | null | undefined;
  siteId?: string | null | undefined;
  dealerId?: string | null | undefined;
  gatewayId?: string | null | undefined;
  trackingCode?: string | null | undefined;
  userId?: string | null | undefined;
  orderId?: string | null | undefined;
  name?: string | null | undefined;
  iban?: string | null | undefined;
  gatewayReference?: string | null | undefined;
  text?: string | null | undefined;
  createdFrom?: string | null | undefined;
  createdUntil?: string | null | undefined;
  updatedFrom?: string | null | undefined;
  updatedUntil?: string | null | undefined;
  finishedFrom?: string | null | undefined;
  finishedUntil?: string | null | undefined;
  minAmount?: string | null | undefined;
  maxAmount?: string | null | undefined;
};

export type TransactionStatus =
  | 'SHOWING'
  | 'PENDING'
  | 'PROCESSING'
  | 'COMPLETED'
  | 'CANCELED'
  | 'EXPIRED'
  | 'REJECTED'
  | 'FAILED'
  | 'REFUNDED';

export type TransactionMethod =
  | 'MANUAL_DEPOSIT'
  | 'MANUAL_WITHDRAWAL'
  | 'EIBAN_DEPOSIT'
  | 'EIBAN_WITHDRAWAL'
  | 'CREDIT_CARD'
  | 'THIRD_PARTY_BANK_DEPOSIT'
  | 'THIRD_PARTY_BANK_WITHDRAWAL'
  | 'THIRD_PARTY_CRYPTO_DEPOSIT'
  | 'THIRD_PARTY_CRYPTO_WITHDRAWAL'
  | 'THIRD_PARTY_WALLET_DEPOSIT'
  | 'THIRD_PARTY_WALLET_WITHDRAWAL'
  | 'EIBAN_TRANSFER';

export type TransactionCommand =
  | 'CREATE'
  | 'OFFER'
  | 'CLAIM_PAID'
  | 'APPROVE'
  | 'REJECT'
  | 'CANCEL'
  | 'EXPIRE'
  | 'TAKE'
  | 'RELEASE'
  | 'COMPLETE'
  | 'FAIL'
  | 'BEGIN'
  | 'GIVE_UP'
  | 'SEE_MONEY'
  | 'SUCCEED'
  | 'SEND'
  | 'REFUND'
  | 'ACCEPT'
  | 'CORRECT'
  | 'DISPUTE'
  | 'GIVE_BACK'
  | 'WRITE_OFF'
  | 'LET_GO'
  | 'APPROVE_HELD'
  | 'DECLINE_HELD'
  | 'APPROVE_REQUEST'
  | 'REFUSE_REQUEST';

export type ActorKind =
  | 'PROVIDER'
  | 'DEALER'
  | 'CUSTOMER'
  | 'STAFF'
  | 'GATEWAY'
  | 'SYSTEM';

export type CallbackKind =
  | 'DEPOSIT'
  | 'EIBAN_DEPOSIT'
  | 'WITHDRAWAL'
  | 'CREDIT_CARD'
  | 'DEALER_CARD'
  | 'DEALER_DEPOSIT'
  | 'DEALER_WITHDRAWAL'
  | 'DEALER_TRANSFER';

export type ApproveDepositInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  expectedAmount: string;
  amount?: string | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type CorrectCreditInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  amount: string;
  expectedAmount: string;
  reason: string;
  idempotencyKey?: string | null | undefined;
};

export type RejectDepositInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type CompleteWithdrawalInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  bankReference?: string | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type RejectWithdrawalInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type FailWithdrawalInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type CancelWithdrawalInput = {
  trackingCode: string;
  expectedVersion?: number | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type DecisionSubjectQueryVariables = Exact<{
  trackingCode: string;
}>;


export type DecisionSubjectQuery = { transaction: { trackingCode: string, version: number, status: TransactionStatus, method: TransactionMethod, amount: string, requestedAmount: string, currency: string, isOverdue: boolean, iban: string | null, isIbanSuspect: boolean, dealerId: string | null, awaitsApproval: boolean, possibleDecisions: Array<DecisionName>, customer: { userId: string, username: string, fullname: string }, account: { bankName: string, holder: string, iban: string } | null, provider: { name: string } | null, site: { name: string } | null, payee: { cryptoType: string | null, walletAddress: string | null, walletNumber: string | null, recipient: string | null } | null, claim: { staffName: string, until: string, isHeld: boolean, isOwn: boolean, awaitsApproval: boolean } | null, refundTerms: { takesParts: boolean, left: { amount: string, asset: string }, needs: Array<{ name: string, label: string, isOptional: boolean }> } | null, history: { nodes: Array<{ at: string, command: TransactionCommand, to: TransactionStatus, reason: string | null, actor: { kind: ActorKind, name: string | null } }> } | null } | null };

export type DecisionSubjectChangedSubscriptionVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
}>;


export type DecisionSubjectChangedSubscription = { transactionChanged: { hasGap: boolean } | null };

export type DecisionPreviewQueryVariables = Exact<{
  decision: DecisionInput;
}>;


export type DecisionPreviewQuery = { decisionPreview: { isChange: boolean, status: TransactionStatus, amount: string, credited: string | null, discrepancyStatus: DiscrepancyStatus | null, needsSecondPerson: boolean, warnings: Array<DecisionWarning>, sent: { amount: string, asset: string } | null, refunded: { amount: string, asset: string } | null, leftToRefund: { amount: string, asset: string } | null, callbacks: Array<{ kind: CallbackKind, receiver: string | null, status: TransactionStatus, amount: string, previousAmount: string | null }>, transaction: { status: TransactionStatus, amount: string, currency: string } } | null };

export type ApproveDepositMutationVariables = Exact<{
  input: ApproveDepositInput;
}>;


export type ApproveDepositMutation = { approveDeposit: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type RejectDepositMutationVariables = Exact<{
  input: RejectDepositInput;
}>;


export type RejectDepositMutation = { rejectDeposit: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type CorrectCreditMutationVariables = Exact<{
  input: CorrectCreditInput;
}>;


export type CorrectCreditMutation = { correctCredit: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type ClaimWithdrawalMutationVariables = Exact<{
  input: ClaimWithdrawalInput;
}>;


export type ClaimWithdrawalMutation = { claimWithdrawal: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type CompleteWithdrawalMutationVariables = Exact<{
  input: CompleteWithdrawalInput;
}>;


export type CompleteWithdrawalMutation = { completeWithdrawal: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type ReleaseWithdrawalMutationVariables = Exact<{
  input: ReleaseWithdrawalInput;
}>;


export type ReleaseWithdrawalMutation = { releaseWithdrawal: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type RejectWithdrawalMutationVariables = Exact<{
  input: RejectWithdrawalInput;
}>;


export type RejectWithdrawalMutation = { rejectWithdrawal: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type FailWithdrawalMutationVariables = Exact<{
  input: FailWithdrawalInput;
}>;


export type FailWithdrawalMutation = { failWithdrawal: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type CancelWithdrawalMutationVariables = Exact<{
  input: CancelWithdrawalInput;
}>;


export type CancelWithdrawalMutation = { cancelWithdrawal: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type ApprovePayoutMutationVariables = Exact<{
  input: ApprovePayoutInput;
}>;


export type ApprovePayoutMutation = { approvePayout: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type ConfirmPayoutMutationVariables = Exact<{
  input: ConfirmPayoutInput;
}>;


export type ConfirmPayoutMutation = { confirmPayout: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type RejectPayoutMutationVariables = Exact<{
  input: RejectPayoutInput;
}>;


export type RejectPayoutMutation = { rejectPayout: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type FailPayoutMutationVariables = Exact<{
  input: FailPayoutInput;
}>;


export type FailPayoutMutation = { failPayout: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type CancelPayoutMutationVariables = Exact<{
  input: CancelPayoutInput;
}>;


export type CancelPayoutMutation = { cancelPayout: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type ApproveHeldDepositMutationVariables = Exact<{
  input: ApproveHeldDepositInput;
}>;


export type ApproveHeldDepositMutation = { approveHeldDeposit: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type DeclineHeldDepositMutationVariables = Exact<{
  input: DeclineHeldDepositInput;
}>;


export type DeclineHeldDepositMutation = { declineHeldDeposit: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type RefundTransactionMutationVariables = Exact<{
  input: RefundTransactionInput;
}>;


export type RefundTransactionMutation = { refundTransaction: { transaction: { trackingCode: string, status: TransactionStatus } } | null };

export type DecideManyMutationVariables = Exact<{
  input: DecideManyInput;
}>;


export type DecideManyMutation = { decideMany: { results: Array<{ subject: string, isDone: boolean, code: ErrorCode | null, message: string | null, approvalId: string | null }> } | null };

export type DepositsToDecideQueryVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
  sort?: TransactionSort | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DepositsToDecideQuery = { transactions: { nodes: Array<{ trackingCode: string, version: number, status: TransactionStatus, method: TransactionMethod, amount: string, requestedAmount: string, currency: string, createdAt: string, updatedAt: string, isOverdue: boolean, customer: { username: string, fullname: string }, account: { bankName: string, holder: string, iban: string } | null, provider: { name: string } | null, dealer: { name: string } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type DepositsChangedSubscriptionVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
}>;


export type DepositsChangedSubscription = { transactionChanged: { hasGap: boolean, isNew: boolean } | null };

export type DeskQueryVariables = Exact<{
  filter?: DeskFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DeskQuery = { deskWithdrawals: { nodes: Array<{ trackingCode: string, version: number, status: TransactionStatus, method: TransactionMethod, amount: string, currency: string, createdAt: string, iban: string | null, isIbanSuspect: boolean, customer: { username: string, fullname: string }, provider: { name: string } | null, dealer: { id: string, name: string } | null, claim: { staffName: string, until: string, isHeld: boolean, isOwn: boolean, awaitsApproval: boolean } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type DeskLoadsQueryVariables = Exact<{ [key: string]: never; }>;


export type DeskLoadsQuery = { withdrawalDesk: Array<{ dealerId: string | null, waitingCount: number, claimedCount: number, lapsedCount: number, awaitingApprovalCount: number, amount: string, oldestFreeAt: string | null, dealer: { name: string } | null }> | null };

export type PayoutsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type PayoutsQuery = { payoutsToDecide: { nodes: Array<{ trackingCode: string, version: number, status: TransactionStatus, method: TransactionMethod, amount: string, currency: string, createdAt: string, iban: string | null, awaitsApproval: boolean, customer: { username: string, fullname: string }, provider: { name: string } | null, gateway: { name: string } | null, payee: { cryptoType: string | null, walletAddress: string | null, walletNumber: string | null, recipient: string | null } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type DealersToPickQueryVariables = Exact<{ [key: string]: never; }>;


export type DealersToPickQuery = { dealers: { nodes: Array<{ id: string, name: string }> } | null };

export type RefundRequestsQueryVariables = Exact<{ [key: string]: never; }>;


export type RefundRequestsQuery = { approvals: { nodes: Array<{ id: string, action: string, subject: string, createdAt: string, reason: string | null, isOwn: boolean, isForYou: boolean, amount: { amount: string, asset: string } | null, requestedBy: { name: string | null }, preview: { transaction: { trackingCode: string, amount: string, currency: string, customer: { fullname: string } }, leftToRefund: { amount: string, asset: string } | null } | null }> } | null };

export type RefundRequestsChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type RefundRequestsChangedSubscription = { approvalChanged: { hasGap: boolean } | null };

export const DecisionSubjectDocument = /* @__PURE__ */ operation<DecisionSubjectQuery, DecisionSubjectQueryVariables>(
  "query DecisionSubject($trackingCode: String!) { transaction(trackingCode: $trackingCode) { trackingCode version status method amount requestedAmount currency isOverdue iban isIbanSuspect dealerId awaitsApproval customer { userId username fullname } account { bankName holder iban } provider { name } site { name } payee { cryptoType walletAddress walletNumber recipient } claim { staffName until isHeld isOwn awaitsApproval } possibleDecisions refundTerms { left { amount asset } takesParts needs { name label isOptional } } history(last: 1) { nodes { at command to reason actor { kind name } } } } }");

export const DecisionSubjectChangedDocument = /* @__PURE__ */ operation<DecisionSubjectChangedSubscription, DecisionSubjectChangedSubscriptionVariables>(
  "subscription DecisionSubjectChanged($filter: TransactionFilter) { transactionChanged(filter: $filter) { hasGap } }");

export const DecisionPreviewDocument = /* @__PURE__ */ operation<DecisionPreviewQuery, DecisionPreviewQueryVariables>(
  "query DecisionPreview($decision: DecisionInput!) { decisionPreview(decision: $decision) { isChange status amount credited sent { amount asset } refunded { amount asset } leftToRefund { amount asset } discrepancyStatus callbacks { kind receiver status amount previousAmount } needsSecondPerson warnings transaction { status amount currency } } }");

export const ApproveDepositDocument = /* @__PURE__ */ operation<ApproveDepositMutation, ApproveDepositMutationVariables>(
  "mutation ApproveDeposit($input: ApproveDepositInput!) { approveDeposit(input: $input) { transaction { trackingCode status } } }", true);

export const RejectDepositDocument = /* @__PURE__ */ operation<RejectDepositMutation, RejectDepositMutationVariables>(
  "mutation RejectDeposit($input: RejectDepositInput!) { rejectDeposit(input: $input) { transaction { trackingCode status } } }", true);

export const CorrectCreditDocument = /* @__PURE__ */ operation<CorrectCreditMutation, CorrectCreditMutationVariables>(
  "mutation CorrectCredit($input: CorrectCreditInput!) { correctCredit(input: $input) { transaction { trackingCode status } } }", true);

export const ClaimWithdrawalDocument = /* @__PURE__ */ operation<ClaimWithdrawalMutation, ClaimWithdrawalMutationVariables>(
  "mutation ClaimWithdrawal($input: ClaimWithdrawalInput!) { claimWithdrawal(input: $input) { transaction { trackingCode status } } }", true);

export const CompleteWithdrawalDocument = /* @__PURE__ */ operation<CompleteWithdrawalMutation, CompleteWithdrawalMutationVariables>(
  "mutation CompleteWithdrawal($input: CompleteWithdrawalInput!) { completeWithdrawal(input: $input) { transaction { trackingCode status } } }", true);

export const ReleaseWithdrawalDocument = /* @__PURE__ */ operation<ReleaseWithdrawalMutation, ReleaseWithdrawalMutationVariables>(
  "mutation ReleaseWithdrawal($input: ReleaseWithdrawalInput!) { releaseWithdrawal(input: $input) { transaction { trackingCode status } } }", true);

export const RejectWithdrawalDocument = /* @__PURE__ */ operation<RejectWithdrawalMutation, RejectWithdrawalMutationVariables>(
  "mutation RejectWithdrawal($input: RejectWithdrawalInput!) { rejectWithdrawal(input: $input) { transaction { trackingCode status } } }", true);

export const FailWithdrawalDocument = /* @__PURE__ */ operation<FailWithdrawalMutation, FailWithdrawalMutationVariables>(
  "mutation FailWithdrawal($input: FailWithdrawalInput!) { failWithdrawal(input: $input) { transaction { trackingCode status } } }", true);

export const CancelWithdrawalDocument = /* @__PURE__ */ operation<CancelWithdrawalMutation, CancelWithdrawalMutationVariables>(
  "mutation CancelWithdrawal($input: CancelWithdrawalInput!) { cancelWithdrawal(input: $input) { transaction { trackingCode status } } }", true);

export const ApprovePayoutDocument = /* @__PURE__ */ operation<ApprovePayoutMutation, ApprovePayoutMutationVariables>(
  "mutation ApprovePayout($input: ApprovePayoutInput!) { approvePayout(input: $input) { transaction { trackingCode status } } }", true);

export const ConfirmPayoutDocument = /* @__PURE__ */ operation<ConfirmPayoutMutation, ConfirmPayoutMutationVariables>(
  "mutation ConfirmPayout($input: ConfirmPayoutInput!) { confirmPayout(input: $input) { transaction { trackingCode status } } }", true);

export const RejectPayoutDocument = /* @__PURE__ */ operation<RejectPayoutMutation, RejectPayoutMutationVariables>(
  "mutation RejectPayout($input: RejectPayoutInput!) { rejectPayout(input: $input) { transaction { trackingCode status } } }", true);

export const FailPayoutDocument = /* @__PURE__ */ operation<FailPayoutMutation, FailPayoutMutationVariables>(
  "mutation FailPayout($input: FailPayoutInput!) { failPayout(input: $input) { transaction { trackingCode status } } }", true);

export const CancelPayoutDocument = /* @__PURE__ */ operation<CancelPayoutMutation, CancelPayoutMutationVariables>(
  "mutation CancelPayout($input: CancelPayoutInput!) { cancelPayout(input: $input) { transaction { trackingCode status } } }", true);

export const ApproveHeldDepositDocument = /* @__PURE__ */ operation<ApproveHeldDepositMutation, ApproveHeldDepositMutationVariables>(
  "mutation ApproveHeldDeposit($input: ApproveHeldDepositInput!) { approveHeldDeposit(input: $input) { transaction { trackingCode status } } }", true);

export const DeclineHeldDepositDocument = /* @__PURE__ */ operation<DeclineHeldDepositMutation, DeclineHeldDepositMutationVariables>(
  "mutation DeclineHeldDeposit($input: DeclineHeldDepositInput!) { declineHeldDeposit(input: $input) { transaction { trackingCode status } } }", true);

export const RefundTransactionDocument = /* @__PURE__ */ operation<RefundTransactionMutation, RefundTransactionMutationVariables>(
  "mutation RefundTransaction($input: RefundTransactionInput!) { refundTransaction(input: $input) { transaction { trackingCode status } } }", true);

export const DecideManyDocument = /* @__PURE__ */ operation<DecideManyMutation, DecideManyMutationVariables>(
  "mutation DecideMany($input: DecideManyInput!) { decideMany(input: $input) { results { subject isDone code message approvalId } } }", true);

export const DepositsToDecideDocument = /* @__PURE__ */ operation<DepositsToDecideQuery, DepositsToDecideQueryVariables>(
  "query DepositsToDecide($filter: TransactionFilter, $sort: TransactionSort, $first: Int, $after: String, $last: Int, $before: String) { transactions( filter: $filter sort: $sort first: $first after: $after last: $last before: $before ) { nodes { trackingCode version status method amount requestedAmount currency createdAt updatedAt isOverdue customer { username fullname } account { bankName holder iban } provider { name } dealer { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const DepositsChangedDocument = /* @__PURE__ */ operation<DepositsChangedSubscription, DepositsChangedSubscriptionVariables>(
  "subscription DepositsChanged($filter: TransactionFilter) { transactionChanged(filter: $filter) { hasGap isNew } }");

export const DeskDocument = /* @__PURE__ */ operation<DeskQuery, DeskQueryVariables>(
  "query Desk($filter: DeskFilter, $first: Int, $after: String, $last: Int, $before: String) { deskWithdrawals( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { trackingCode version status method amount currency createdAt iban isIbanSuspect customer { username fullname } provider { name } dealer { id name } claim { staffName until isHeld isOwn awaitsApproval } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const DeskLoadsDocument = /* @__PURE__ */ operation<DeskLoadsQuery, DeskLoadsQueryVariables>(
  "query DeskLoads { withdrawalDesk { dealerId dealer { name } waitingCount claimedCount lapsedCount awaitingApprovalCount amount oldestFreeAt } }");

export const PayoutsDocument = /* @__PURE__ */ operation<PayoutsQuery, PayoutsQueryVariables>(
  "query Payouts($first: Int, $after: String, $last: Int, $before: String) { payoutsToDecide(first: $first, after: $after, last: $last, before: $before) { nodes { trackingCode version status method amount currency createdAt iban awaitsApproval customer { username fullname } provider { name } gateway { name } payee { cryptoType walletAddress walletNumber recipient } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const DealersToPickDocument = /* @__PURE__ */ operation<DealersToPickQuery, DealersToPickQueryVariables>(
  "query DealersToPick { dealers(first: 200) { nodes { id name } } }");

export const RefundRequestsDocument = /* @__PURE__ */ operation<RefundRequestsQuery, RefundRequestsQueryVariables>(
  "query RefundRequests { approvals(filter: {status: [WAITING]}, first: 100) { nodes { id action subject createdAt reason isOwn isForYou amount { amount asset } requestedBy { name } preview { transaction { trackingCode amount currency customer { fullname } } leftToRefund { amount asset } } } } }");

export const RefundRequestsChangedDocument = /* @__PURE__ */ operation<RefundRequestsChangedSubscription, RefundRequestsChangedSubscriptionVariables>(
  "subscription RefundRequestsChanged { approvalChanged { hasGap } }");
