// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ChangeKind =
  | 'TEXT'
  | 'MONEY'
  | 'NUMBER'
  | 'YES_NO'
  | 'TIME'
  | 'ENUM'
  | 'DEALER'
  | 'PROVIDER'
  | 'GATEWAY';

export type AuditProblemKind =
  | 'CHANGED'
  | 'MISSING'
  | 'UNLINKED'
  | 'INSERTED'
  | 'UNKEYED'
  | 'UNKNOWN_KEY'
  | 'HEAD'
  | 'CHECKPOINT'
  | 'FORGED_HEAD'
  | 'DROPPED';

export type AuditFilter = {
  actorKind?: ActorKind | null | undefined;
  actorId?: string | null | undefined;
  action?: string | null | undefined;
  target?: string | null | undefined;
  from?: string | null | undefined;
  until?: string | null | undefined;
};

export type ActorKind =
  | 'PROVIDER'
  | 'DEALER'
  | 'CUSTOMER'
  | 'STAFF'
  | 'GATEWAY'
  | 'SYSTEM';

export type AuditLogQueryVariables = Exact<{
  filter?: AuditFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AuditLogQuery = { auditLog: { nodes: Array<{ id: string, at: string, actorId: string | null, action: string, actionLabel: string, target: string, reason: string | null, isChained: boolean, chainNumber: number | null, actor: { kind: ActorKind, name: string | null, address: string | null }, changes: Array<{ field: string, label: string, kind: ChangeKind, enum: string | null, isDifferent: boolean, before: string | null, after: string | null }> }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type AuditChainQueryVariables = Exact<{ [key: string]: never; }>;


export type AuditChainQuery = { auditChain: { signedAt: string | null, keptFrom: string | null, head: { number: number, hash: string, keyId: string | null } | null, lastCheck: { at: string, failingPlaces: Array<string>, verified: { number: number, hash: string } | null, problems: Array<{ kind: AuditProblemKind, number: number, entryId: string | null }> } | null } | null };

export const AuditLogDocument = /* @__PURE__ */ operation<AuditLogQuery, AuditLogQueryVariables>(
  "query AuditLog($filter: AuditFilter, $first: Int, $after: String, $last: Int, $before: String) { auditLog( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { id at actor { kind name address } actorId action actionLabel target reason changes { field label kind enum isDifferent before after } isChained chainNumber } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const AuditChainDocument = /* @__PURE__ */ operation<AuditChainQuery, AuditChainQueryVariables>(
  "query AuditChain { auditChain { head { number hash keyId } signedAt keptFrom lastCheck { at verified { number hash } problems { kind number entryId } failingPlaces } } }");
