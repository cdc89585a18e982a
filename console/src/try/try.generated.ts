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

export type BankLineStatus =
  | 'MATCHED'
  | 'UNMATCHED'
  | 'DOUBTFUL'
  | 'SET_ASIDE'
  | 'UNBOOKED'
  | 'REVERSED';

export type ExportFormat =
  | 'CSV'
  | 'XLSX';

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

export type OpenWorkKind =
  | 'DEPOSITS'
  | 'WITHDRAWALS'
  | 'PAYOUTS'
  | 'BANK_LINES'
  | 'DISCREPANCIES'
  | 'DISPUTES'
  | 'APPROVALS'
  | 'CALLBACKS'
  | 'DAYS'
  | 'GATEWAYS';

export type TryPaymentsQueryVariables = Exact<{ [key: string]: never; }>;


export type TryPaymentsQuery = { deposit: { nodes: Array<{ trackingCode: string, status: TransactionStatus, amount: string, currency: string }> } | null, withdrawal: { nodes: Array<{ trackingCode: string, status: TransactionStatus, amount: string, currency: string }> } | null };

export type TryLineQueryVariables = Exact<{ [key: string]: never; }>;


export type TryLineQuery = { bankLines: { nodes: Array<{ status: BankLineStatus, amount: string, currency: string }> } | null };

export type TryApprovalsQueryVariables = Exact<{ [key: string]: never; }>;


export type TryApprovalsQuery = { approvals: { nodes: Array<{ id: string, status: ApprovalStatus, isOwn: boolean }> } | null };

export type TryExportsQueryVariables = Exact<{ [key: string]: never; }>;


export type TryExportsQuery = { jobs: { nodes: Array<{ id: string, format: ExportFormat | null, total: number }> } | null };

export type TryProvidersQueryVariables = Exact<{ [key: string]: never; }>;


export type TryProvidersQuery = { providers: { nodes: Array<{ id: string, name: string }> } | null };

export type TryCallbacksQueryVariables = Exact<{ [key: string]: never; }>;


export type TryCallbacksQuery = { openWork: Array<{ kind: OpenWorkKind, count: number }> | null };

export type TryGatewaysQueryVariables = Exact<{ [key: string]: never; }>;


export type TryGatewaysQuery = { gatewayAccounts: Array<{ id: string, name: string, isEnabled: boolean }> | null };

export type TryTransactionsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type TryTransactionsSubscription = { transactionChanged: { hasGap: boolean } | null };

export type TryLinesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type TryLinesSubscription = { bankLineChanged: { hasGap: boolean } | null };

export type TryRequestsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type TryRequestsSubscription = { approvalChanged: { hasGap: boolean } | null };

export type TryJobsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type TryJobsSubscription = { jobChanged: { hasGap: boolean } | null };

export const TryPaymentsDocument = /* @__PURE__ */ operation<TryPaymentsQuery, TryPaymentsQueryVariables>(
  "query TryPayments { deposit: transactions( filter: {text: \"Elif Karaca\", method: [MANUAL_DEPOSIT]} first: 1 ) { nodes { trackingCode status amount currency } } withdrawal: transactions( filter: {text: \"Tolga Er\", method: [MANUAL_WITHDRAWAL]} first: 1 ) { nodes { trackingCode status amount currency } } }");

export const TryLineDocument = /* @__PURE__ */ operation<TryLineQuery, TryLineQueryVariables>(
  "query TryLine { bankLines(filter: {text: \"Hakan Yavuz\"}, first: 1) { nodes { status amount currency } } }");

export const TryApprovalsDocument = /* @__PURE__ */ operation<TryApprovalsQuery, TryApprovalsQueryVariables>(
  "query TryApprovals { approvals(first: 20) { nodes { id status isOwn } } }");

export const TryExportsDocument = /* @__PURE__ */ operation<TryExportsQuery, TryExportsQueryVariables>(
  "query TryExports { jobs(filter: {kind: [EXPORT], status: [DONE]}, first: 20) { nodes { id format total } } }");

export const TryProvidersDocument = /* @__PURE__ */ operation<TryProvidersQuery, TryProvidersQueryVariables>(
  "query TryProviders { providers(first: 100) { nodes { id name } } }");

export const TryCallbacksDocument = /* @__PURE__ */ operation<TryCallbacksQuery, TryCallbacksQueryVariables>(
  "query TryCallbacks { openWork { kind count } }");

export const TryGatewaysDocument = /* @__PURE__ */ operation<TryGatewaysQuery, TryGatewaysQueryVariables>(
  "query TryGateways { gatewayAccounts { id name isEnabled } }");

export const TryTransactionsDocument = /* @__PURE__ */ operation<TryTransactionsSubscription, TryTransactionsSubscriptionVariables>(
  "subscription TryTransactions { transactionChanged { hasGap } }");

export const TryLinesDocument = /* @__PURE__ */ operation<TryLinesSubscription, TryLinesSubscriptionVariables>(
  "subscription TryLines { bankLineChanged { hasGap } }");

export const TryRequestsDocument = /* @__PURE__ */ operation<TryRequestsSubscription, TryRequestsSubscriptionVariables>(
  "subscription TryRequests { approvalChanged { hasGap } }");

export const TryJobsDocument = /* @__PURE__ */ operation<TryJobsSubscription, TryJobsSubscriptionVariables>(
  "subscription TryJobs { jobChanged { hasGap } }");
