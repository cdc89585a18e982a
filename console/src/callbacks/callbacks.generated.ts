// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CallbackFilter = {
  status?: Array<CallbackStatus> | null | undefined;
  answer?: Array<CallbackAnswer> | null | undefined;
  providerId?: string | null | undefined;
  siteId?: string | null | undefined;
  dealerId?: string | null | undefined;
  isReplaced?: boolean | null | undefined;
  createdFrom?: string | null | undefined;
  createdUntil?: string | null | undefined;
};

export type CallbackAnswer =
  | 'SUCCESS'
  | 'REDIRECT'
  | 'CLIENT_ERROR'
  | 'SERVER_ERROR'
  | 'NO_ANSWER'
  | 'NO_ATTEMPT';

export type ResendCallbackInput = {
  callbackId: string;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type ResendCallbacksInput = {
  trackingCodes?: Array<string> | null | undefined;
  filter?: TransactionFilter | null | undefined;
  callbacks?: CallbackFilter | null | undefined;
  status?: Array<CallbackStatus> | null | undefined;
  dryRun?: boolean | null | undefined;
  idempotencyKey?: string | null | undefined;
};

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

export type CallbacksQueryVariables = Exact<{
  filter?: CallbackFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type CallbacksQuery = { callbacks: { nodes: Array<{ id: string, kind: CallbackKind, status: CallbackStatus, receiver: string, attemptCount: number, createdAt: string, finishedAt: string | null, nextAttemptAt: string | null, supersededAt: string | null, body: string | null, attempts: Array<{ number: number, at: string, url: string, httpStatus: number | null, durationMs: number, error: string | null, answer: string | null }>, transaction: { trackingCode: string, amount: string, currency: string, provider: { name: string } | null, dealer: { name: string } | null, site: { name: string } | null } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type ProvidersToPickQueryVariables = Exact<{ [key: string]: never; }>;


export type ProvidersToPickQuery = { providers: { nodes: Array<{ id: string, name: string }> } | null };

export type CallbackSitesQueryVariables = Exact<{ [key: string]: never; }>;


export type CallbackSitesQuery = { providers: { nodes: Array<{ sites: Array<{ id: string, name: string }> | null }> } | null };

export type ResendCallbackMutationVariables = Exact<{
  input: ResendCallbackInput;
}>;


export type ResendCallbackMutation = { resendCallback: { callback: { id: string, status: CallbackStatus } } | null };

export type ResendCallbacksMutationVariables = Exact<{
  input: ResendCallbacksInput;
}>;


export type ResendCallbacksMutation = { resendCallbacks: { count: number, isExact: boolean, job: { id: string } | null } | null };

export type CallbacksChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type CallbacksChangedSubscription = { callbackChanged: { hasGap: boolean } | null };

export const CallbacksDocument = /* @__PURE__ */ operation<CallbacksQuery, CallbacksQueryVariables>(
  "query Callbacks($filter: CallbackFilter, $first: Int, $after: String, $last: Int, $before: String) { callbacks( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { id kind status receiver attemptCount createdAt finishedAt nextAttemptAt supersededAt body attempts { number at url httpStatus durationMs error answer } transaction { trackingCode amount currency provider { name } dealer { name } site { name } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const ProvidersToPickDocument = /* @__PURE__ */ operation<ProvidersToPickQuery, ProvidersToPickQueryVariables>(
  "query ProvidersToPick { providers(first: 200) { nodes { id name } } }");

export const CallbackSitesDocument = /* @__PURE__ */ operation<CallbackSitesQuery, CallbackSitesQueryVariables>(
  "query CallbackSites { providers(first: 100) { nodes { sites { id name } } } }");

export const ResendCallbackDocument = /* @__PURE__ */ operation<ResendCallbackMutation, ResendCallbackMutationVariables>(
  "mutation ResendCallback($input: ResendCallbackInput!) { resendCallback(input: $input) { callback { id status } } }", true);

export const ResendCallbacksDocument = /* @__PURE__ */ operation<ResendCallbacksMutation, ResendCallbacksMutationVariables>(
  "mutation ResendCallbacks($input: ResendCallbacksInput!) { resendCallbacks(input: $input) { count isExact job { id } } }", true);

export const CallbacksChangedDocument = /* @__PURE__ */ operation<CallbacksChangedSubscription, CallbacksChangedSubscriptionVariables>(
  "subscription CallbacksChanged { callbackChanged { hasGap } }");
