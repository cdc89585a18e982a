// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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
  | 'GIVE_BACK'
  | 'WRITE_OFF'
  | 'LET_GO'
  | 'APPROVE_REQUEST'
  | 'REFUSE_REQUEST';

export type ActorKind =
  | 'PROVIDER'
  | 'DEALER'
  | 'CUSTOMER'
  | 'STAFF'
  | 'GATEWAY'
  | 'SYSTEM';

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
}>;


export type TransactionQuery = { transaction: { trackingCode: string, status: TransactionStatus, method: TransactionMethod, amount: string, requestedAmount: string, currency: string, createdAt: string, updatedAt: string, expiresAt: string | null, finishedAt: string | null, isOverdue: boolean, reason: string | null, iban: string | null, isIbanSuspect: boolean, customer: { userId: string, username: string, fullname: string }, account: { bankName: string, holder: string, iban: string } | null, provider: { name: string } | null, site: { name: string } | null, dealer: { name: string } | null, history: { nodes: Array<{ at: string, command: TransactionCommand, to: TransactionStatus, amount: string, reason: string | null, actor: { kind: ActorKind, name: string | null } }>, pageInfo: { hasPreviousPage: boolean } } | null } | null };

export type TransactionsChangedSubscriptionVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
}>;


export type TransactionsChangedSubscription = { transactionChanged: { hasGap: boolean, isNew: boolean } | null };

export const TransactionsDocument = /* @__PURE__ */ operation<TransactionsQuery, TransactionsQueryVariables>(
  "query Transactions($filter: TransactionFilter, $sort: TransactionSort, $first: Int, $after: String, $last: Int, $before: String) { transactions( filter: $filter sort: $sort first: $first after: $after last: $last before: $before ) { nodes { trackingCode status method amount currency createdAt isOverdue customer { username fullname } provider { name } site { name } dealer { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const TransactionDocument = /* @__PURE__ */ operation<TransactionQuery, TransactionQueryVariables>(
  "query Transaction($trackingCode: String!) { transaction(trackingCode: $trackingCode) { trackingCode status method amount requestedAmount currency createdAt updatedAt expiresAt finishedAt isOverdue reason iban isIbanSuspect customer { userId username fullname } account { bankName holder iban } provider { name } site { name } dealer { name } history(last: 100) { nodes { at command to amount reason actor { kind name } } pageInfo { hasPreviousPage } } } }");

export const TransactionsChangedDocument = /* @__PURE__ */ operation<TransactionsChangedSubscription, TransactionsChangedSubscriptionVariables>(
  "subscription TransactionsChanged($filter: TransactionFilter) { transactionChanged(filter: $filter) { hasGap isNew } }");
