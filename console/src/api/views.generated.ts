// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from './operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type SavedViewSharing =
  | 'PRIVATE'
  | 'ROLE'
  | 'TENANT';

export type SavedViewList =
  | 'TRANSACTIONS'
  | 'DESK_WITHDRAWALS'
  | 'BANK_LINES'
  | 'DISCREPANCIES'
  | 'DISPUTES'
  | 'RECONCILIATIONS'
  | 'APPROVALS'
  | 'JOBS'
  | 'GATEWAY_NOTIFICATIONS'
  | 'CALLBACKS'
  | 'BLOCKED_CUSTOMERS'
  | 'PROVIDERS'
  | 'DEALERS'
  | 'STAFF'
  | 'AUDIT_LOG'
  | 'STATISTICS'
  | 'WALLETS'
  | 'CUSTOMERS';

export type CreateSavedViewInput = {
  list: SavedViewList;
  name: string;
  filter: string;
  sharing?: SavedViewSharing;
};

export type RemoveSavedViewInput = {
  id: string;
};

export type SavedViewsQueryVariables = Exact<{
  list: SavedViewList;
}>;


export type SavedViewsQuery = { savedViews: { nodes: Array<{ id: string, name: string, filter: string, sharing: SavedViewSharing, owner: string, isOwn: boolean, isEditable: boolean }> } | null };

export type SaveViewMutationVariables = Exact<{
  input: CreateSavedViewInput;
}>;


export type SaveViewMutation = { createSavedView: { savedView: { id: string } } | null };

export type RemoveViewMutationVariables = Exact<{
  input: RemoveSavedViewInput;
}>;


export type RemoveViewMutation = { removeSavedView: { savedView: { id: string } } | null };

export const SavedViewsDocument = /* @__PURE__ */ operation<SavedViewsQuery, SavedViewsQueryVariables>(
  "query SavedViews($list: SavedViewList!) { savedViews(filter: {list: $list}, first: 100) { nodes { id name filter sharing owner isOwn isEditable } } }");

export const SaveViewDocument = /* @__PURE__ */ operation<SaveViewMutation, SaveViewMutationVariables>(
  "mutation SaveView($input: CreateSavedViewInput!) { createSavedView(input: $input) { savedView { id } } }");

export const RemoveViewDocument = /* @__PURE__ */ operation<RemoveViewMutation, RemoveViewMutationVariables>(
  "mutation RemoveView($input: RemoveSavedViewInput!) { removeSavedView(input: $input) { savedView { id } } }");
