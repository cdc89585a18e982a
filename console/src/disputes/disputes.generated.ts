// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type DisputeSort =
  | 'CREATED_DESC'
  | 'EVIDENCE_DUE_ASC';

export type DisputeFilter = {
  state?: Array<DisputeState> | null | undefined;
  reason?: Array<DisputeReason> | null | undefined;
  gatewayId?: string | null | undefined;
};

export type EvidenceKind =
  | 'STATEMENT'
  | 'PRODUCT'
  | 'RECEIPT'
  | 'COMMUNICATION'
  | 'SERVICE'
  | 'OTHER';

export type EvidenceOutcome =
  | 'PENDING'
  | 'SUBMITTED'
  | 'REFUSED'
  | 'MISSED';

export type DisputeState =
  | 'INQUIRY'
  | 'NEEDS_RESPONSE'
  | 'UNDER_REVIEW'
  | 'WON'
  | 'LOST'
  | 'CLOSED'
  | 'UNKNOWN';

export type DisputeReason =
  | 'FRAUD'
  | 'UNRECOGNIZED'
  | 'AUTHORIZATION'
  | 'PROCESSING_ERROR'
  | 'DUPLICATE'
  | 'NOT_RECEIVED'
  | 'NOT_AS_DESCRIBED'
  | 'CANCELED'
  | 'CREDIT_NOT_ISSUED'
  | 'OTHER';

export type AcceptDisputeInput = {
  id: string;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type SubmitDisputeEvidenceInput = {
  id: string;
  statement: string;
  product?: string | null | undefined;
  files?: Array<EvidenceFileInput> | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type EvidenceFileInput = {
  kind: EvidenceKind;
  noteId: string;
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

export type DisputesQueryVariables = Exact<{
  filter?: DisputeFilter | null | undefined;
  sort?: DisputeSort | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DisputesQuery = { disputes: { nodes: Array<{ id: string, externalId: string, trackingCode: string | null, state: DisputeState, reason: DisputeReason | null, evidenceDue: string | null, createdAt: string, amount: { amount: string, asset: string } | null, gateway: { name: string } | null, transaction: { customer: { fullname: string } } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type DisputeQueryVariables = Exact<{
  id: string;
}>;


export type DisputeQuery = { dispute: { id: string, externalId: string, trackingCode: string | null, state: DisputeState, reason: DisputeReason | null, rawReason: string | null, evidenceDue: string | null, openedAt: string | null, endedAt: string | null, createdAt: string, updatedAt: string, trouble: string | null, acceptedAt: string | null, takesEvidence: boolean, takesAcceptance: boolean, taken: string | null, returned: string | null, uncovered: string | null, amount: { amount: string, asset: string } | null, withdrawn: { amount: string, asset: string } | null, reinstated: { amount: string, asset: string } | null, fee: { amount: string, asset: string } | null, gateway: { name: string } | null, acceptedBy: { name: string | null } | null, evidence: Array<{ id: string, at: string, outcome: EvidenceOutcome, settledAt: string | null, by: { name: string | null } | null, pieces: Array<{ kind: EvidenceKind, noteId: string }> }>, transaction: { trackingCode: string, status: TransactionStatus, amount: string, currency: string, customer: { fullname: string }, provider: { name: string } | null, notes: Array<{ id: string, text: string | null, file: { name: string, type: string, size: number } | null }> | null, history: { nodes: Array<{ at: string, command: TransactionCommand, reason: string | null }> } | null } | null } | null };

export type DisputeGatewaysQueryVariables = Exact<{ [key: string]: never; }>;


export type DisputeGatewaysQuery = { gatewayAccounts: Array<{ id: string, name: string }> | null };

export type AcceptDisputeMutationVariables = Exact<{
  input: AcceptDisputeInput;
}>;


export type AcceptDisputeMutation = { acceptDispute: { dispute: { id: string } } | null };

export type SubmitDisputeEvidenceMutationVariables = Exact<{
  input: SubmitDisputeEvidenceInput;
}>;


export type SubmitDisputeEvidenceMutation = { submitDisputeEvidence: { dispute: { id: string } } | null };

export const DisputesDocument = /* @__PURE__ */ operation<DisputesQuery, DisputesQueryVariables>(
  "query Disputes($filter: DisputeFilter, $sort: DisputeSort, $first: Int, $after: String, $last: Int, $before: String) { disputes( filter: $filter sort: $sort first: $first after: $after last: $last before: $before ) { nodes { id externalId trackingCode state reason amount { amount asset } evidenceDue createdAt gateway { name } transaction { customer { fullname } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const DisputeDocument = /* @__PURE__ */ operation<DisputeQuery, DisputeQueryVariables>(
  "query Dispute($id: ID!) { dispute(id: $id) { id externalId trackingCode state reason rawReason evidenceDue openedAt endedAt createdAt updatedAt trouble acceptedAt takesEvidence takesAcceptance amount { amount asset } withdrawn { amount asset } reinstated { amount asset } fee { amount asset } taken returned uncovered gateway { name } acceptedBy { name } evidence { id at by { name } outcome settledAt pieces { kind noteId } } transaction { trackingCode status amount currency customer { fullname } provider { name } notes { id text file { name type size } } history(last: 200) { nodes { at command reason } } } } }");

export const DisputeGatewaysDocument = /* @__PURE__ */ operation<DisputeGatewaysQuery, DisputeGatewaysQueryVariables>(
  "query DisputeGateways { gatewayAccounts { id name } }");

export const AcceptDisputeDocument = /* @__PURE__ */ operation<AcceptDisputeMutation, AcceptDisputeMutationVariables>(
  "mutation AcceptDispute($input: AcceptDisputeInput!) { acceptDispute(input: $input) { dispute { id } } }", true);

export const SubmitDisputeEvidenceDocument = /* @__PURE__ */ operation<SubmitDisputeEvidenceMutation, SubmitDisputeEvidenceMutationVariables>(
  "mutation SubmitDisputeEvidence($input: SubmitDisputeEvidenceInput!) { submitDisputeEvidence(input: $input) { dispute { id } } }", true);
