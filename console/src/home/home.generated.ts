// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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

export type OpenWorkQueryVariables = Exact<{ [key: string]: never; }>;


export type OpenWorkQuery = { openWork: Array<{ kind: OpenWorkKind, count: number, hasMore: boolean, oldestAt: string | null }> | null, installation: { isFrozen: boolean, frozenAt: string | null } | null };

export type WorkOfTransactionsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WorkOfTransactionsSubscription = { transactionChanged: { hasGap: boolean } | null };

export type WorkOfDiscrepanciesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WorkOfDiscrepanciesSubscription = { discrepancyChanged: { hasGap: boolean } | null };

export type WorkOfApprovalsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WorkOfApprovalsSubscription = { approvalChanged: { hasGap: boolean } | null };

export const OpenWorkDocument = /* @__PURE__ */ operation<OpenWorkQuery, OpenWorkQueryVariables>(
  "query OpenWork { openWork { kind count hasMore oldestAt } installation { isFrozen frozenAt } }");

export const WorkOfTransactionsDocument = /* @__PURE__ */ operation<WorkOfTransactionsSubscription, WorkOfTransactionsSubscriptionVariables>(
  "subscription WorkOfTransactions { transactionChanged { hasGap } }");

export const WorkOfDiscrepanciesDocument = /* @__PURE__ */ operation<WorkOfDiscrepanciesSubscription, WorkOfDiscrepanciesSubscriptionVariables>(
  "subscription WorkOfDiscrepancies { discrepancyChanged { hasGap } }");

export const WorkOfApprovalsDocument = /* @__PURE__ */ operation<WorkOfApprovalsSubscription, WorkOfApprovalsSubscriptionVariables>(
  "subscription WorkOfApprovals { approvalChanged { hasGap } }");
