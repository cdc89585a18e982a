// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ApprovalStatus =
  | 'WAITING'
  | 'APPROVED'
  | 'REFUSED'
  | 'WITHDRAWN'
  | 'LAPSED'
  | 'OBSOLETE';

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

export type DiscrepancyKind =
  | 'LATE'
  | 'SURPLUS'
  | 'SHORT'
  | 'OVER'
  | 'OTHER_CURRENCY'
  | 'REVIEW'
  | 'REVERSED'
  | 'REFUND'
  | 'DISPUTE'
  | 'RETURNED'
  | 'LATE_PAYOUT'
  | 'MISSING_PAYOUT'
  | 'UNKNOWN'
  | 'CODE_WANTED'
  | 'CREDIT_DIFFERS'
  | 'STUCK'
  | 'UNCONFIRMED';

export type DiscrepancyStatus =
  | 'OPEN'
  | 'ACCEPTED'
  | 'REFUNDING'
  | 'REFUNDED'
  | 'WRITTEN_OFF'
  | 'SETTLED';

export type DisputeState =
  | 'INQUIRY'
  | 'NEEDS_RESPONSE'
  | 'UNDER_REVIEW'
  | 'WON'
  | 'LOST'
  | 'CLOSED'
  | 'UNKNOWN';

export type AddNoteInput = {
  trackingCode: string;
  text: string;
  audience?: NoteAudience | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type NoteKind =
  | 'TEXT'
  | 'RECEIPT'
  | 'BANK_REFERENCE';

export type NoteAudience =
  | 'HOUSE'
  | 'DEALER'
  | 'ALL';

export type OperationKind =
  | 'DEPOSIT'
  | 'PAYOUT'
  | 'REFUND';

export type OperationPhase =
  | 'PLANNED'
  | 'CALLING'
  | 'OPEN'
  | 'LATE'
  | 'CLOSED';

export type CancelRefundInput = {
  operationId: string;
  reason?: string | null | undefined;
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

export type TransactionKind =
  | 'DEPOSIT'
  | 'WITHDRAWAL'
  | 'CARD'
  | 'PAYOUT'
  | 'TRANSFER';

export type CreditSource =
  | 'BANK_LINE'
  | 'OPERATION'
  | 'STAFF'
  | 'DISPUTE'
  | 'BEFORE_CREDITS';

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

export type CallbackStatus =
  | 'WAITING'
  | 'DELIVERED'
  | 'FAILED'
  | 'SKIPPED'
  | 'SUPERSEDED';

export type TransactionsQueryVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
  sort?: TransactionSort | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type TransactionsQuery = { transactions: { nodes: Array<{ trackingCode: string, status: TransactionStatus, method: TransactionMethod, amount: string, currency: string, createdAt: string, isOverdue: boolean, customer: { username: string, fullname: string }, provider: { name: string } | null, site: { name: string } | null, dealer: { name: string } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type TransactionQueryVariables = Exact<{
  trackingCode: string;
  seesApprovals: boolean;
}>;


export type TransactionQuery = { transaction: { trackingCode: string, version: number, status: TransactionStatus, method: TransactionMethod, kind: TransactionKind, amount: string, requestedAmount: string, currency: string, createdAt: string, updatedAt: string, expiresAt: string | null, finishedAt: string | null, isOverdue: boolean, reason: string | null, iban: string | null, isIbanSuspect: boolean, dealerId: string | null, orderId: string | null, refundedAmount: string | null, correctedAmount: string | null, awaitsApproval: boolean, possibleDecisions: Array<DecisionName>, customer: { userId: string, username: string, fullname: string }, account: { bankName: string, holder: string, iban: string } | null, provider: { id: string, name: string } | null, site: { name: string } | null, dealer: { name: string } | null, gateway: { name: string, code: string } | null, failure: { code: string, message: string } | null, cardPayer: { firstName: string, lastName: string, email: string, phone: string, description: string | null } | null, payee: { cryptoType: string | null, walletAddress: string | null, walletNumber: string | null, recipient: string | null, description: string | null } | null, claim: { staffName: string, until: string, isHeld: boolean, isOwn: boolean, awaitsApproval: boolean } | null, refundTerms: { takesParts: boolean, left: { amount: string, asset: string } } | null, credits: Array<{ id: string, number: number, amount: string, source: CreditSource, lineId: string | null, operationId: string | null, brought: string | null, isAwaiting: boolean, reason: string | null, at: string, actor: { kind: ActorKind, name: string | null } }>, history: { nodes: Array<{ at: string, command: TransactionCommand, from: TransactionStatus | null, to: TransactionStatus, amount: string, reason: string | null, actor: { kind: ActorKind, name: string | null, address: string | null } }>, pageInfo: { hasPreviousPage: boolean } } | null, approvals?: Array<{ id: string, status: ApprovalStatus, action: string, reason: string | null, createdAt: string, expiresAt: string, decidedAt: string | null, decisionReason: string | null, isOwn: boolean, isForYou: boolean, amount: { amount: string, asset: string } | null, requestedBy: { name: string | null }, decidedBy: { name: string | null } | null }> | null, disputes: Array<{ id: string, state: DisputeState, createdAt: string, amount: { amount: string, asset: string } | null }>, discrepancies: { nodes: Array<{ id: string, kind: DiscrepancyKind, status: DiscrepancyStatus, detail: string, createdAt: string, expected: { amount: string, asset: string } | null, seen: { amount: string, asset: string } | null }> } | null, notes: Array<{ id: string, number: number, kind: NoteKind, audience: NoteAudience, text: string | null, at: string, author: { kind: ActorKind, name: string | null }, file: { name: string, type: string, size: number } | null }> | null, callbacks: Array<{ id: string, sequence: number, kind: CallbackKind, status: CallbackStatus, receiver: string, attemptCount: number, nextAttemptAt: string | null, createdAt: string, finishedAt: string | null, supersededAt: string | null, previousAmount: string | null, body: string | null, attempts: Array<{ number: number, at: string, durationMs: number, url: string, httpStatus: number | null, error: string | null, answer: string | null }> }>, operations: Array<{ id: string, kind: OperationKind, number: number, reference: string, externalId: string | null, why: string | null, phase: OperationPhase, status: string | null, rawState: string | null, proof: string | null, confirmations: number, checks: number, nextAt: string | null, createdAt: string, startedAt: string | null, endedAt: string | null, isHeld: boolean, gateway: { name: string } | null, amount: { amount: string, asset: string }, due: { amount: string, asset: string }, paid: { amount: string, asset: string } | null, reason: { code: string | null, rawCode: string | null, rawText: string | null } | null, fields: Array<{ name: string, value: string }> }>, gatewayCalls: Array<{ id: string, name: string, at: string, durationMs: number, isOk: boolean, outcome: string, effect: string | null, detail: string | null, operationId: string | null }> } | null };

export type TransactionsChangedSubscriptionVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
}>;


export type TransactionsChangedSubscription = { transactionChanged: { hasGap: boolean, isNew: boolean } | null };

export type AddNoteMutationVariables = Exact<{
  input: AddNoteInput;
}>;


export type AddNoteMutation = { addNote: { transaction: { trackingCode: string } } | null };

export type CancelRefundMutationVariables = Exact<{
  input: CancelRefundInput;
}>;


export type CancelRefundMutation = { cancelRefund: { transaction: { trackingCode: string } } | null };

export const TransactionsDocument = /* @__PURE__ */ operation<TransactionsQuery, TransactionsQueryVariables>(
  "query Transactions($filter: TransactionFilter, $sort: TransactionSort, $first: Int, $after: String, $last: Int, $before: String) { transactions( filter: $filter sort: $sort first: $first after: $after last: $last before: $before ) { nodes { trackingCode status method amount currency createdAt isOverdue customer { username fullname } provider { name } site { name } dealer { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const TransactionDocument = /* @__PURE__ */ operation<TransactionQuery, TransactionQueryVariables>(
  "query Transaction($trackingCode: String!, $seesApprovals: Boolean!) { transaction(trackingCode: $trackingCode) { trackingCode version status method kind amount requestedAmount currency createdAt updatedAt expiresAt finishedAt isOverdue reason iban isIbanSuspect dealerId orderId refundedAmount correctedAmount awaitsApproval possibleDecisions customer { userId username fullname } account { bankName holder iban } provider { id name } site { name } dealer { name } gateway { name code } failure { code message } cardPayer { firstName lastName email phone description } payee { cryptoType walletAddress walletNumber recipient description } claim { staffName until isHeld isOwn awaitsApproval } refundTerms { left { amount asset } takesParts } credits { id number amount source lineId operationId brought isAwaiting reason actor { kind name } at } history(last: 200) { nodes { at command from to amount reason actor { kind name address } } pageInfo { hasPreviousPage } } approvals @include(if: $seesApprovals) { id status action reason createdAt expiresAt decidedAt decisionReason isOwn isForYou amount { amount asset } requestedBy { name } decidedBy { name } } disputes { id state amount { amount asset } createdAt } discrepancies(last: 50) { nodes { id kind status detail createdAt expected { amount asset } seen { amount asset } } } notes { id number kind audience text at author { kind name } file { name type size } } callbacks { id sequence kind status receiver attemptCount nextAttemptAt createdAt finishedAt supersededAt previousAmount body attempts { number at durationMs url httpStatus error answer } } operations { id kind number reference externalId why phase status rawState proof confirmations checks nextAt createdAt startedAt endedAt isHeld gateway { name } amount { amount asset } due { amount asset } paid { amount asset } reason { code rawCode rawText } fields { name value } } gatewayCalls { id name at durationMs isOk outcome effect detail operationId } } }");

export const TransactionsChangedDocument = /* @__PURE__ */ operation<TransactionsChangedSubscription, TransactionsChangedSubscriptionVariables>(
  "subscription TransactionsChanged($filter: TransactionFilter) { transactionChanged(filter: $filter) { hasGap isNew } }");

export const AddNoteDocument = /* @__PURE__ */ operation<AddNoteMutation, AddNoteMutationVariables>(
  "mutation AddNote($input: AddNoteInput!) { addNote(input: $input) { transaction { trackingCode } } }", true);

export const CancelRefundDocument = /* @__PURE__ */ operation<CancelRefundMutation, CancelRefundMutationVariables>(
  "mutation CancelRefund($input: CancelRefundInput!) { cancelRefund(input: $input) { transaction { trackingCode } } }", true);
