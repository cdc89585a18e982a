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

export type ApprovalFilter = {
  status?: Array<ApprovalStatus> | null | undefined;
  isOwn?: boolean | null | undefined;
  subject?: string | null | undefined;
};

export type RemainMissing =
  | 'DEPOSITS'
  | 'PAYOUTS'
  | 'DISPUTES'
  | 'BY_HAND'
  | 'CORRECTIONS';

export type RemainGap =
  | 'NO_LIST'
  | 'UNFINISHED'
  | 'NO_ANSWER'
  | 'NOT_OPENED';

export type GatewayDepositState =
  | 'WAITING'
  | 'PROCESSING'
  | 'AUTHORIZED'
  | 'REVIEW'
  | 'PAID'
  | 'PART_PAID'
  | 'OVER_PAID'
  | 'FAILED'
  | 'CANCELED'
  | 'EXPIRED'
  | 'REFUNDING'
  | 'REFUNDED'
  | 'PART_REFUNDED'
  | 'DISPUTED'
  | 'UNKNOWN';

export type AcknowledgeRemainsInput = {
  ids: Array<string>;
  reason: string;
};

export type ThawInput = {
  reason: string;
};

export type EpochState =
  | 'LIVE'
  | 'FROZEN';

export type FreezeCause =
  | 'RESTORED'
  | 'BEHIND'
  | 'COPIED';

export type RemainKind =
  | 'SETTINGS_ARE_OLDER'
  | 'PAID_BY_HAND'
  | 'DECIDED_BY_HAND'
  | 'NOT_ANSWERED'
  | 'UNKNOWN_PAYMENT'
  | 'NOT_LISTED'
  | 'STATEMENT_NOT_READ';

export type Role =
  | 'ADMIN'
  | 'OPERATOR'
  | 'FINANCE'
  | 'SUPPORT'
  | 'AUDITOR'
  | 'VIEWER'
  | 'DEALER'
  | 'DEALER_MANAGER'
  | 'PROVIDER'
  | 'PROVIDER_MANAGER';

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

export type RestorationQueryVariables = Exact<{
  isOpen?: boolean | null | undefined;
  after?: string | null | undefined;
}>;


export type RestorationQuery = { restoration: { state: EpochState, subject: string, cause: FreezeCause | null, restoredTo: string | null, lostUntil: string | null, frozenAt: string | null, askedAt: string | null, thawedAt: string | null, openCount: number, remains: Array<{ id: string, kind: RemainKind, subject: string, acknowledgedAt: string | null, reason: string | null, status: TransactionStatus | null, gatewayState: GatewayDepositState | null, unanswered: number | null, missing: Array<RemainMissing>, gap: RemainGap | null, bank: string | null, trouble: string | null, detail: string, gateway: { id: string, name: string } | null, acknowledgedBy: { name: string | null } | null, amount: { amount: string, asset: string } | null, active: Array<{ role: Role, count: number }> }> } | null };

export type ThawRequestsQueryVariables = Exact<{
  filter?: ApprovalFilter | null | undefined;
}>;


export type ThawRequestsQuery = { approvals: { nodes: Array<{ id: string, action: string, status: ApprovalStatus, reason: string | null, createdAt: string, expiresAt: string, decidedAt: string | null, isOwn: boolean, isForYou: boolean, requestedBy: { name: string | null }, decidedBy: { name: string | null } | null }> } | null };

export type AcknowledgeRemainsMutationVariables = Exact<{
  input: AcknowledgeRemainsInput;
}>;


export type AcknowledgeRemainsMutation = { acknowledgeRemains: { remains: Array<{ id: string }> } | null };

export type ThawMutationVariables = Exact<{
  input: ThawInput;
}>;


export type ThawMutation = { thaw: { restoration: { state: EpochState } | null } | null };

export const RestorationDocument = /* @__PURE__ */ operation<RestorationQuery, RestorationQueryVariables>(
  "query Restoration($isOpen: Boolean, $after: ID) { restoration { state subject cause restoredTo lostUntil frozenAt askedAt thawedAt openCount remains(isOpen: $isOpen, after: $after) { id kind subject gateway { id name } acknowledgedBy { name } acknowledgedAt reason amount { amount asset } status gatewayState unanswered active { role count } missing gap bank trouble detail } } }");

export const ThawRequestsDocument = /* @__PURE__ */ operation<ThawRequestsQuery, ThawRequestsQueryVariables>(
  "query ThawRequests($filter: ApprovalFilter) { approvals(filter: $filter, first: 20) { nodes { id action status requestedBy { name } reason createdAt expiresAt decidedBy { name } decidedAt isOwn isForYou } } }");

export const AcknowledgeRemainsDocument = /* @__PURE__ */ operation<AcknowledgeRemainsMutation, AcknowledgeRemainsMutationVariables>(
  "mutation AcknowledgeRemains($input: AcknowledgeRemainsInput!) { acknowledgeRemains(input: $input) { remains { id } } }");

export const ThawDocument = /* @__PURE__ */ operation<ThawMutation, ThawMutationVariables>(
  "mutation Thaw($input: ThawInput!) { thaw(input: $input) { restoration { state } } }");
