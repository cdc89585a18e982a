// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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

export type JobKind =
  | 'RESEND'
  | 'EXPORT'
  | 'EXPORT_STATEMENT'
  | 'EXPORT_LEDGER'
  | 'EXPORT_BANK_LINES'
  | 'EXPORT_STATISTICS'
  | 'EXPORT_AUDIT';

export type JobStatus =
  | 'QUEUED'
  | 'RUNNING'
  | 'DONE'
  | 'FAILED'
  | 'CANCELED';

export type SkipReason =
  | 'WAITING'
  | 'REFUNDED'
  | 'OTHER_STATE';

export type ExportFormat =
  | 'CSV'
  | 'XLSX';

export type ExportColumn =
  | 'TRACKING_CODE'
  | 'METHOD'
  | 'STATUS'
  | 'PROVIDER_ID'
  | 'PROVIDER'
  | 'SITE_ID'
  | 'SITE_NAME'
  | 'DEALER_ID'
  | 'DEALER'
  | 'USER_ID'
  | 'USERNAME'
  | 'FULLNAME'
  | 'REQUESTED_AMOUNT'
  | 'AMOUNT'
  | 'REFUNDED_AMOUNT'
  | 'CORRECTED_AMOUNT'
  | 'CURRENCY'
  | 'IBAN'
  | 'ACCOUNT_IBAN'
  | 'ACCOUNT_BANK'
  | 'GATEWAY_ID'
  | 'GATEWAY'
  | 'ORDER_ID'
  | 'RECIPIENT'
  | 'REASON'
  | 'CREATED_AT'
  | 'UPDATED_AT'
  | 'FINISHED_AT';

export type StartExportInput = {
  filter?: TransactionFilter | null | undefined;
  format: ExportFormat;
  columns?: Array<ExportColumn> | null | undefined;
  bom?: boolean | null | undefined;
  language?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type ExportDownloadInput = {
  jobId: string;
};

export type CancelJobInput = {
  id: string;
};

export type JobFilter = {
  kind?: Array<JobKind> | null | undefined;
  status?: Array<JobStatus> | null | undefined;
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

export type JobsQueryVariables = Exact<{
  filter?: JobFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type JobsQuery = { jobs: { nodes: Array<{ id: string, kind: JobKind, status: JobStatus, total: number, isTotalExact: boolean, percent: number, done: number, skipped: number, failed: number, format: ExportFormat | null, hasFile: boolean, createdAt: string, finishedAt: string | null, error: string | null, startedBy: { name: string | null }, skips: Array<{ reason: SkipReason, count: number }>, failures: Array<{ trackingCode: string, code: ErrorCode }> }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type JobsChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type JobsChangedSubscription = { jobChanged: { hasGap: boolean } | null };

export type StartExportMutationVariables = Exact<{
  input: StartExportInput;
}>;


export type StartExportMutation = { startExport: { job: { id: string } } | null };

export type ExportJobQueryVariables = Exact<{
  id: string;
}>;


export type ExportJobQuery = { job: { id: string, status: JobStatus, done: number, error: string | null, hasFile: boolean } | null };

export type ExportDownloadMutationVariables = Exact<{
  input: ExportDownloadInput;
}>;


export type ExportDownloadMutation = { exportDownload: { path: string, fileName: string } | null };

export type CancelJobMutationVariables = Exact<{
  input: CancelJobInput;
}>;


export type CancelJobMutation = { cancelJob: { job: { id: string, status: JobStatus } } | null };

export const JobsDocument = /* @__PURE__ */ operation<JobsQuery, JobsQueryVariables>(
  "query Jobs($filter: JobFilter, $first: Int, $after: String, $last: Int, $before: String) { jobs( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { id kind status total isTotalExact percent done skipped failed format hasFile createdAt finishedAt error startedBy { name } skips { reason count } failures { trackingCode code } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const JobsChangedDocument = /* @__PURE__ */ operation<JobsChangedSubscription, JobsChangedSubscriptionVariables>(
  "subscription JobsChanged { jobChanged { hasGap } }");

export const StartExportDocument = /* @__PURE__ */ operation<StartExportMutation, StartExportMutationVariables>(
  "mutation StartExport($input: StartExportInput!) { startExport(input: $input) { job { id } } }", true);

export const ExportJobDocument = /* @__PURE__ */ operation<ExportJobQuery, ExportJobQueryVariables>(
  "query ExportJob($id: ID!) { job(id: $id) { id status done error hasFile } }");

export const ExportDownloadDocument = /* @__PURE__ */ operation<ExportDownloadMutation, ExportDownloadMutationVariables>(
  "mutation ExportDownload($input: ExportDownloadInput!) { exportDownload(input: $input) { path fileName } }");

export const CancelJobDocument = /* @__PURE__ */ operation<CancelJobMutation, CancelJobMutationVariables>(
  "mutation CancelJob($input: CancelJobInput!) { cancelJob(input: $input) { job { id status } } }");
