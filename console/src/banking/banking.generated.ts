// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type GuardedAction =
  | 'WITHDRAWAL'
  | 'COMPLETION'
  | 'REFUND'
  | 'IBAN'
  | 'CALLBACK_URL'
  | 'LIMITS'
  | 'KEYS'
  | 'RULES'
  | 'STAFF'
  | 'WALLET_ADJUSTMENT'
  | 'CREDIT'
  | 'CORRECTION'
  | 'THAW'
  | 'ROUTING';

export type ApprovalStatus =
  | 'WAITING'
  | 'APPROVED'
  | 'REFUSED'
  | 'WITHDRAWN'
  | 'LAPSED'
  | 'OBSOLETE';

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

export type ApproveRequestInput = {
  id: string;
  reason?: string | null | undefined;
};

export type RefuseRequestInput = {
  id: string;
  reason?: string | null | undefined;
};

export type WithdrawRequestInput = {
  id: string;
};

export type TakeApprovalResultInput = {
  id: string;
};

export type ApprovalFilter = {
  status?: Array<ApprovalStatus> | null | undefined;
  isOwn?: boolean | null | undefined;
  subject?: string | null | undefined;
};

export type AuditFilter = {
  actorKind?: ActorKind | null | undefined;
  actorId?: string | null | undefined;
  action?: string | null | undefined;
  target?: string | null | undefined;
  from?: string | null | undefined;
  until?: string | null | undefined;
};

export type BankLineFilter = {
  walletId?: string | null | undefined;
  status?: Array<BankLineStatus> | null | undefined;
  direction?: BankLineDirection | null | undefined;
  text?: string | null | undefined;
  amount?: string | null | undefined;
  minAmount?: string | null | undefined;
  maxAmount?: string | null | undefined;
  bookedFrom?: string | null | undefined;
  bookedUntil?: string | null | undefined;
};

export type BankLineDirection =
  | 'INCOMING'
  | 'OUTGOING';

export type BankLineStatus =
  | 'MATCHED'
  | 'UNMATCHED'
  | 'DOUBTFUL'
  | 'SET_ASIDE'
  | 'UNBOOKED'
  | 'REVERSED';

export type MatchEvidence =
  | 'TRACKING_CODE'
  | 'AMOUNT'
  | 'NAME'
  | 'SIMILAR_NAME'
  | 'KNOWN_IBAN'
  | 'IN_TIME'
  | 'SAID_PAID';

export type CreditBankLineInput = {
  walletId: string;
  lineId: string;
  trackingCode: string;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type SetAsideBankLineInput = {
  walletId: string;
  lineId: string;
  reason: string;
  idempotencyKey?: string | null | undefined;
};

export type BringBackBankLineInput = {
  walletId: string;
  lineId: string;
  reason: string;
  idempotencyKey?: string | null | undefined;
};

export type NamedTextInput = {
  name: string;
  value: string;
};

export type CustomerFilter = {
  text?: string | null | undefined;
  providerId?: string | null | undefined;
};

export type BlockCustomerInput = {
  providerId: string;
  userId: string;
  reason: string;
  idempotencyKey?: string | null | undefined;
};

export type UnblockCustomerInput = {
  providerId: string;
  userId: string;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type DiscrepancyFilter = {
  status?: Array<DiscrepancyStatus> | null | undefined;
  kind?: Array<DiscrepancyKind> | null | undefined;
  gatewayId?: string | null | undefined;
  createdFrom?: string | null | undefined;
  createdUntil?: string | null | undefined;
};

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

export type Resolution =
  | 'ACCEPT'
  | 'WRITE_OFF';

export type ResolveDiscrepancyInput = {
  id: string;
  resolution: Resolution;
  amount?: string | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type RefundDiscrepancyInput = {
  id: string;
  target?: Array<NamedTextInput> | null | undefined;
  reason?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type ExportFormat =
  | 'CSV'
  | 'XLSX';

export type ExportSubject =
  | 'STATEMENT'
  | 'LEDGER'
  | 'BANK_LINES'
  | 'STATISTICS'
  | 'AUDIT';

export type ExportListInput = {
  list: ExportSubject;
  walletId?: string | null | undefined;
  from?: string | null | undefined;
  until?: string | null | undefined;
  bankLines?: BankLineFilter | null | undefined;
  audit?: AuditFilter | null | undefined;
  statistics?: StatisticsFilter | null | undefined;
  by?: Array<StatisticsDimension> | null | undefined;
  per?: StatisticsInterval | null | undefined;
  format: ExportFormat;
  bom?: boolean | null | undefined;
  language?: string | null | undefined;
  idempotencyKey?: string | null | undefined;
};

export type CredentialKind =
  | 'API_KEY'
  | 'SECRET_KEY'
  | 'VERIFICATION_KEY'
  | 'WEBHOOK_SECRET'
  | 'CREDENTIAL_KEY'
  | 'SITE_TOKEN'
  | 'INVITATION_LINK';

export type ReconciliationStatus =
  | 'AGREED'
  | 'OPEN'
  | 'EXPLAINED';

export type DifferenceKind =
  | 'MISSING_HERE'
  | 'MISSING_THERE'
  | 'AMOUNT_DIFFERS'
  | 'BALANCE_DIFFERS';

export type ReconcileDayInput = {
  walletId: string;
  day: string;
};

export type ExplainDifferenceInput = {
  walletId: string;
  day: string;
  kind: DifferenceKind;
  lineId?: string | null | undefined;
  entryId?: string | null | undefined;
  reason: string;
};

export type AdjustDifferenceInput = {
  walletId: string;
  day: string;
  amount: string;
  reason: string;
  idempotencyKey?: string | null | undefined;
};

export type StatisticsFilter = {
  method?: Array<TransactionMethod> | null | undefined;
  providerId?: Array<string> | null | undefined;
  siteId?: string | null | undefined;
  dealerId?: string | null | undefined;
  gatewayId?: string | null | undefined;
  currency?: string | null | undefined;
};

export type StatisticsDimension =
  | 'METHOD'
  | 'PROVIDER'
  | 'SITE'
  | 'DEALER'
  | 'GATEWAY'
  | 'STATUS';

export type StatisticsInterval =
  | 'HOUR'
  | 'DAY'
  | 'MONTH';

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

export type ActorKind =
  | 'PROVIDER'
  | 'DEALER'
  | 'CUSTOMER'
  | 'STAFF'
  | 'GATEWAY'
  | 'SYSTEM';

export type WalletFilter = {
  text?: string | null | undefined;
  dealerId?: string | null | undefined;
  isActive?: boolean | null | undefined;
};

export type LedgerEntryKind =
  | 'INCOMING'
  | 'RESERVE'
  | 'POST'
  | 'RELEASE'
  | 'RETURN'
  | 'OUTGOING'
  | 'OPENING'
  | 'ADJUSTMENT';

export type BankLinesQueryVariables = Exact<{
  filter?: BankLineFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type BankLinesQuery = { bankLines: { nodes: Array<{ lineId: string, direction: BankLineDirection, amount: string, currency: string, bookedAt: string, counterpartyName: string | null, counterpartyIban: string | null, text: string | null, status: BankLineStatus, wallet: { id: string, bankName: string, iban: string } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type BankLineQueryVariables = Exact<{
  walletId: string;
  lineId: string;
}>;


export type BankLineQuery = { bankLine: { lineId: string, direction: BankLineDirection, amount: string, currency: string, bookedAt: string, importedAt: string, counterpartyName: string | null, counterpartyIban: string | null, text: string | null, status: BankLineStatus, note: string | null, reversedByLineId: string | null, endToEndId: string | null, wallet: { id: string, bankName: string, iban: string, holder: string }, transaction: { trackingCode: string, status: TransactionStatus, amount: string, currency: string } | null, candidates: Array<{ score: number, evidence: Array<MatchEvidence>, transaction: { trackingCode: string, status: TransactionStatus, amount: string, currency: string, createdAt: string, customer: { userId: string, fullname: string }, provider: { name: string } | null } }> } | null };

export type CreditBankLineMutationVariables = Exact<{
  input: CreditBankLineInput;
}>;


export type CreditBankLineMutation = { creditBankLine: { bankLine: { lineId: string, status: BankLineStatus } } | null };

export type SetAsideBankLineMutationVariables = Exact<{
  input: SetAsideBankLineInput;
}>;


export type SetAsideBankLineMutation = { setAsideBankLine: { bankLine: { lineId: string, status: BankLineStatus } } | null };

export type BringBackBankLineMutationVariables = Exact<{
  input: BringBackBankLineInput;
}>;


export type BringBackBankLineMutation = { bringBackBankLine: { bankLine: { lineId: string, status: BankLineStatus } } | null };

export type BankWalletsQueryVariables = Exact<{
  filter?: WalletFilter | null | undefined;
}>;


export type BankWalletsQuery = { wallets: Array<{ id: string, bankName: string, iban: string, holder: string, isActive: boolean, balance: string, availableBalance: string, reserved: string, currency: string, dealer: { name: string } | null, feed: { readUntil: string, trouble: string | null, bankBalance: string | null, bankBalanceAt: string | null, isLedgerOff: boolean, reconciledTo: string | null, failureCount: number } | null }> | null };

export type ApprovalsQueryVariables = Exact<{
  filter?: ApprovalFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ApprovalsQuery = { approvals: { nodes: Array<{ id: string, status: ApprovalStatus, subject: string, createdAt: string, expiresAt: string, isOwn: boolean, isForYou: boolean, hasResult: boolean, amount: { amount: string, asset: string } | null, guards: Array<{ action: GuardedAction }>, requestedBy: { name: string | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type ApprovalQueryVariables = Exact<{
  id: string;
}>;


export type ApprovalQuery = { approval: { id: string, status: ApprovalStatus, actionLabel: string, subject: string, reason: string | null, createdAt: string, expiresAt: string, isOwn: boolean, isForYou: boolean, hasResult: boolean, decidedAt: string | null, decisionReason: string | null, amount: { amount: string, asset: string } | null, requestedBy: { name: string | null, address: string | null }, decidedBy: { name: string | null } | null, guards: Array<{ action: GuardedAction, subject: string, isAlways: boolean, why: string | null, amount: { amount: string, asset: string } | null, differsBy: { amount: string, asset: string } | null }>, changes: Array<{ field: string, label: string, kind: ChangeKind, enum: string | null, isDifferent: boolean, before: string | null, after: string | null }> } | null };

export type ApproveRequestMutationVariables = Exact<{
  input: ApproveRequestInput;
}>;


export type ApproveRequestMutation = { approveRequest: { approval: { id: string, status: ApprovalStatus } } | null };

export type RefuseRequestMutationVariables = Exact<{
  input: RefuseRequestInput;
}>;


export type RefuseRequestMutation = { refuseRequest: { approval: { id: string, status: ApprovalStatus } } | null };

export type WithdrawRequestMutationVariables = Exact<{
  input: WithdrawRequestInput;
}>;


export type WithdrawRequestMutation = { withdrawRequest: { approval: { id: string, status: ApprovalStatus } } | null };

export type TakeResultMutationVariables = Exact<{
  input: TakeApprovalResultInput;
}>;


export type TakeResultMutation = { takeApprovalResult: { credentials: Array<{ credential: CredentialKind, value: string }> } | null };

export type DiscrepanciesQueryVariables = Exact<{
  filter?: DiscrepancyFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DiscrepanciesQuery = { discrepancies: { nodes: Array<{ id: string, trackingCode: string, kind: DiscrepancyKind, status: DiscrepancyStatus, createdAt: string, lineId: string | null, expected: { amount: string, asset: string } | null, seen: { amount: string, asset: string } | null, gateway: { name: string } | null, transaction: { customer: { fullname: string } } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type DiscrepancyQueryVariables = Exact<{
  id: string;
}>;


export type DiscrepancyQuery = { discrepancy: { id: string, trackingCode: string, kind: DiscrepancyKind, status: DiscrepancyStatus, detail: string, createdAt: string, updatedAt: string, lineId: string | null, reason: string | null, operationId: string | null, refundId: string | null, expected: { amount: string, asset: string } | null, seen: { amount: string, asset: string } | null, gateway: { name: string } | null, resolvedBy: { name: string | null } | null, transaction: { trackingCode: string, status: TransactionStatus, method: TransactionMethod, amount: string, requestedAmount: string, refundedAmount: string | null, currency: string, customer: { userId: string, fullname: string }, provider: { name: string } | null } | null } | null };

export type ResolveDiscrepancyMutationVariables = Exact<{
  input: ResolveDiscrepancyInput;
}>;


export type ResolveDiscrepancyMutation = { resolveDiscrepancy: { discrepancy: { id: string, status: DiscrepancyStatus } } | null };

export type RefundDiscrepancyMutationVariables = Exact<{
  input: RefundDiscrepancyInput;
}>;


export type RefundDiscrepancyMutation = { refundDiscrepancy: { discrepancy: { id: string, status: DiscrepancyStatus } } | null };

export type WalletDaysQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
}>;


export type WalletDaysQuery = { wallet: { id: string, bankName: string, iban: string, holder: string, isActive: boolean, balance: string, availableBalance: string, reserved: string, currency: string, dealer: { name: string } | null, feed: { openedAt: string, readUntil: string, nextReadAt: string | null, trouble: string | null, bankBalance: string | null, bankBalanceAt: string | null, isLedgerOff: boolean, reconciledTo: string | null, failureCount: number } | null, days: { nodes: Array<{ day: string, status: ReconciliationStatus, reconciledAt: string, matchedCount: number, openCount: number, ledgerIn: string, ledgerOut: string, adjusted: string, ledgerClosing: string, bankIn: string, bankOut: string, bankClosing: string | null, isCut: boolean, differences: Array<{ kind: DifferenceKind, lineId: string | null, entryId: string | null, ours: string, theirs: string, reason: string | null, explainedAt: string | null, explainedBy: { name: string | null } | null, transaction: { trackingCode: string } | null }> }> } | null, entries: { nodes: Array<{ id: string, kind: LedgerEntryKind, at: string, available: string, reserved: string, lineId: string | null, note: string | null, transaction: { trackingCode: string } | null, bookedBy: { name: string | null } | null }> } | null } | null };

export type AdjustmentPreviewQueryVariables = Exact<{
  walletId: string;
  day: string;
}>;


export type AdjustmentPreviewQuery = { adjustmentPreview: { amount: string, ledgerClosing: string, bankClosing: string, laterDays: number, obstacle: string | null } | null };

export type ReconcileDayMutationVariables = Exact<{
  input: ReconcileDayInput;
}>;


export type ReconcileDayMutation = { reconcileDay: { reconciliation: { day: string, status: ReconciliationStatus } } | null };

export type ExplainDifferenceMutationVariables = Exact<{
  input: ExplainDifferenceInput;
}>;


export type ExplainDifferenceMutation = { explainDifference: { reconciliation: { day: string, status: ReconciliationStatus } } | null };

export type AdjustDifferenceMutationVariables = Exact<{
  input: AdjustDifferenceInput;
}>;


export type AdjustDifferenceMutation = { adjustDifference: { reconciliation: { day: string, status: ReconciliationStatus } } | null };

export type FindCustomersQueryVariables = Exact<{
  filter?: CustomerFilter | null | undefined;
}>;


export type FindCustomersQuery = { customers: { hasMore: boolean, nodes: Array<{ providerId: string, userId: string, username: string, fullname: string, lastSeenAt: string, provider: { name: string } | null }> } | null };

export type CustomerQueryVariables = Exact<{
  providerId: string;
  userId: string;
}>;


export type CustomerQuery = { customer: { providerId: string, userId: string, firstSeenAt: string | null, lastSeenAt: string | null, paymentCount: number, hasMore: boolean, provider: { name: string } | null, names: Array<{ username: string, fullname: string, count: number, lastSeenAt: string }>, totals: Array<{ method: TransactionMethod, status: TransactionStatus, count: number, amount: string, currency: string }>, block: { reason: string | null, blockedAt: string, blockedBy: { kind: ActorKind, name: string | null } } | null, transactions: { nodes: Array<{ trackingCode: string, method: TransactionMethod, status: TransactionStatus, amount: string, currency: string, createdAt: string, isOverdue: boolean }> } | null } | null };

export type BlockCustomerMutationVariables = Exact<{
  input: BlockCustomerInput;
}>;


export type BlockCustomerMutation = { blockCustomer: { customer: { userId: string } } | null };

export type UnblockCustomerMutationVariables = Exact<{
  input: UnblockCustomerInput;
}>;


export type UnblockCustomerMutation = { unblockCustomer: { customer: { userId: string } } | null };

export type FiguresQueryVariables = Exact<{
  filter?: StatisticsFilter | null | undefined;
  by?: Array<StatisticsDimension> | StatisticsDimension | null | undefined;
  per?: StatisticsInterval | null | undefined;
  from: string;
  until: string;
}>;


export type FiguresQuery = { statistics: { countedUntil: string | null, timeZone: string, rows: Array<{ from: string, method: TransactionMethod | null, status: TransactionStatus | null, currency: string, count: number, endedCount: number, approvedCount: number, approvalRate: number | null, requestedAmount: string, approvedAmount: string, medianDecisionMs: number | null, p90DecisionMs: number | null, p99DecisionMs: number | null, deliveredCallbackCount: number, failedCallbackCount: number, medianCallbackDelayMs: number | null, p90CallbackDelayMs: number | null, p99CallbackDelayMs: number | null, provider: { id: string, name: string } | null, site: { id: string, name: string } | null, dealer: { id: string, name: string } | null, gateway: { id: string, name: string } | null }> } | null };

export type ExportListMutationVariables = Exact<{
  input: ExportListInput;
}>;


export type ExportListMutation = { exportList: { job: { id: string } } | null };

export type LinesChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type LinesChangedSubscription = { bankLineChanged: { isNew: boolean, hasGap: boolean } | null };

export type ApprovalsChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type ApprovalsChangedSubscription = { approvalChanged: { isNew: boolean, hasGap: boolean } | null };

export type DiscrepanciesChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type DiscrepanciesChangedSubscription = { discrepancyChanged: { isNew: boolean, hasGap: boolean } | null };

export type DeskAgesQueryVariables = Exact<{ [key: string]: never; }>;


export type DeskAgesQuery = { withdrawalDesk: Array<{ dealerId: string | null, waitingCount: number, claimedCount: number, lapsedCount: number, oldestAt: string | null, oldestFreeAt: string | null, dealer: { name: string } | null }> | null };

export const BankLinesDocument = /* @__PURE__ */ operation<BankLinesQuery, BankLinesQueryVariables>(
  "query BankLines($filter: BankLineFilter, $first: Int, $after: String, $last: Int, $before: String) { bankLines( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { lineId wallet { id bankName iban } direction amount currency bookedAt counterpartyName counterpartyIban text status } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const BankLineDocument = /* @__PURE__ */ operation<BankLineQuery, BankLineQueryVariables>(
  "query BankLine($walletId: String!, $lineId: String!) { bankLine(walletId: $walletId, lineId: $lineId) { lineId wallet { id bankName iban holder } direction amount currency bookedAt importedAt counterpartyName counterpartyIban text status note reversedByLineId endToEndId transaction { trackingCode status amount currency } candidates { score evidence transaction { trackingCode status amount currency createdAt customer { userId fullname } provider { name } } } } }");

export const CreditBankLineDocument = /* @__PURE__ */ operation<CreditBankLineMutation, CreditBankLineMutationVariables>(
  "mutation CreditBankLine($input: CreditBankLineInput!) { creditBankLine(input: $input) { bankLine { lineId status } } }", true);

export const SetAsideBankLineDocument = /* @__PURE__ */ operation<SetAsideBankLineMutation, SetAsideBankLineMutationVariables>(
  "mutation SetAsideBankLine($input: SetAsideBankLineInput!) { setAsideBankLine(input: $input) { bankLine { lineId status } } }", true);

export const BringBackBankLineDocument = /* @__PURE__ */ operation<BringBackBankLineMutation, BringBackBankLineMutationVariables>(
  "mutation BringBackBankLine($input: BringBackBankLineInput!) { bringBackBankLine(input: $input) { bankLine { lineId status } } }", true);

export const BankWalletsDocument = /* @__PURE__ */ operation<BankWalletsQuery, BankWalletsQueryVariables>(
  "query BankWallets($filter: WalletFilter) { wallets(filter: $filter) { id bankName iban holder dealer { name } isActive balance availableBalance reserved currency feed { readUntil trouble bankBalance bankBalanceAt isLedgerOff reconciledTo failureCount } } }");

export const ApprovalsDocument = /* @__PURE__ */ operation<ApprovalsQuery, ApprovalsQueryVariables>(
  "query Approvals($filter: ApprovalFilter, $first: Int, $after: String, $last: Int, $before: String) { approvals( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { id status subject amount { amount asset } guards { action } requestedBy { name } createdAt expiresAt isOwn isForYou hasResult } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const ApprovalDocument = /* @__PURE__ */ operation<ApprovalQuery, ApprovalQueryVariables>(
  "query Approval($id: ID!) { approval(id: $id) { id status actionLabel subject amount { amount asset } reason createdAt expiresAt isOwn isForYou hasResult decidedAt decisionReason requestedBy { name address } decidedBy { name } guards { action subject amount { amount asset } differsBy { amount asset } isAlways why } changes { field label kind enum isDifferent before after } } }");

export const ApproveRequestDocument = /* @__PURE__ */ operation<ApproveRequestMutation, ApproveRequestMutationVariables>(
  "mutation ApproveRequest($input: ApproveRequestInput!) { approveRequest(input: $input) { approval { id status } } }");

export const RefuseRequestDocument = /* @__PURE__ */ operation<RefuseRequestMutation, RefuseRequestMutationVariables>(
  "mutation RefuseRequest($input: RefuseRequestInput!) { refuseRequest(input: $input) { approval { id status } } }");

export const WithdrawRequestDocument = /* @__PURE__ */ operation<WithdrawRequestMutation, WithdrawRequestMutationVariables>(
  "mutation WithdrawRequest($input: WithdrawRequestInput!) { withdrawRequest(input: $input) { approval { id status } } }");

export const TakeResultDocument = /* @__PURE__ */ operation<TakeResultMutation, TakeResultMutationVariables>(
  "mutation TakeResult($input: TakeApprovalResultInput!) { takeApprovalResult(input: $input) { credentials { credential value } } }");

export const DiscrepanciesDocument = /* @__PURE__ */ operation<DiscrepanciesQuery, DiscrepanciesQueryVariables>(
  "query Discrepancies($filter: DiscrepancyFilter, $first: Int, $after: String, $last: Int, $before: String) { discrepancies( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { id trackingCode kind status expected { amount asset } seen { amount asset } createdAt gateway { name } lineId transaction { customer { fullname } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const DiscrepancyDocument = /* @__PURE__ */ operation<DiscrepancyQuery, DiscrepancyQueryVariables>(
  "query Discrepancy($id: ID!) { discrepancy(id: $id) { id trackingCode kind status detail expected { amount asset } seen { amount asset } createdAt updatedAt gateway { name } lineId reason operationId refundId resolvedBy { name } transaction { trackingCode status method amount requestedAmount refundedAmount currency customer { userId fullname } provider { name } } } }");

export const ResolveDiscrepancyDocument = /* @__PURE__ */ operation<ResolveDiscrepancyMutation, ResolveDiscrepancyMutationVariables>(
  "mutation ResolveDiscrepancy($input: ResolveDiscrepancyInput!) { resolveDiscrepancy(input: $input) { discrepancy { id status } } }", true);

export const RefundDiscrepancyDocument = /* @__PURE__ */ operation<RefundDiscrepancyMutation, RefundDiscrepancyMutationVariables>(
  "mutation RefundDiscrepancy($input: RefundDiscrepancyInput!) { refundDiscrepancy(input: $input) { discrepancy { id status } } }", true);

export const WalletDaysDocument = /* @__PURE__ */ operation<WalletDaysQuery, WalletDaysQueryVariables>(
  "query WalletDays($id: ID!, $first: Int) { wallet(id: $id) { id bankName iban holder isActive balance availableBalance reserved currency dealer { name } feed { openedAt readUntil nextReadAt trouble bankBalance bankBalanceAt isLedgerOff reconciledTo failureCount } days(first: $first) { nodes { day status reconciledAt matchedCount openCount ledgerIn ledgerOut adjusted ledgerClosing bankIn bankOut bankClosing isCut differences { kind lineId entryId ours theirs reason explainedAt explainedBy { name } transaction { trackingCode } } } } entries(first: 20) { nodes { id kind at available reserved lineId note transaction { trackingCode } bookedBy { name } } } } }");

export const AdjustmentPreviewDocument = /* @__PURE__ */ operation<AdjustmentPreviewQuery, AdjustmentPreviewQueryVariables>(
  "query AdjustmentPreview($walletId: String!, $day: Date!) { adjustmentPreview(walletId: $walletId, day: $day) { amount ledgerClosing bankClosing laterDays obstacle } }");

export const ReconcileDayDocument = /* @__PURE__ */ operation<ReconcileDayMutation, ReconcileDayMutationVariables>(
  "mutation ReconcileDay($input: ReconcileDayInput!) { reconcileDay(input: $input) { reconciliation { day status } } }");

export const ExplainDifferenceDocument = /* @__PURE__ */ operation<ExplainDifferenceMutation, ExplainDifferenceMutationVariables>(
  "mutation ExplainDifference($input: ExplainDifferenceInput!) { explainDifference(input: $input) { reconciliation { day status } } }");

export const AdjustDifferenceDocument = /* @__PURE__ */ operation<AdjustDifferenceMutation, AdjustDifferenceMutationVariables>(
  "mutation AdjustDifference($input: AdjustDifferenceInput!) { adjustDifference(input: $input) { reconciliation { day status } } }", true);

export const FindCustomersDocument = /* @__PURE__ */ operation<FindCustomersQuery, FindCustomersQueryVariables>(
  "query FindCustomers($filter: CustomerFilter) { customers(filter: $filter) { nodes { providerId provider { name } userId username fullname lastSeenAt } hasMore } }");

export const CustomerDocument = /* @__PURE__ */ operation<CustomerQuery, CustomerQueryVariables>(
  "query Customer($providerId: ID!, $userId: String!) { customer(providerId: $providerId, userId: $userId) { providerId userId provider { name } firstSeenAt lastSeenAt paymentCount hasMore names { username fullname count lastSeenAt } totals { method status count amount currency } block { reason blockedAt blockedBy { kind name } } transactions(first: 20) { nodes { trackingCode method status amount currency createdAt isOverdue } } } }");

export const BlockCustomerDocument = /* @__PURE__ */ operation<BlockCustomerMutation, BlockCustomerMutationVariables>(
  "mutation BlockCustomer($input: BlockCustomerInput!) { blockCustomer(input: $input) { customer { userId } } }", true);

export const UnblockCustomerDocument = /* @__PURE__ */ operation<UnblockCustomerMutation, UnblockCustomerMutationVariables>(
  "mutation UnblockCustomer($input: UnblockCustomerInput!) { unblockCustomer(input: $input) { customer { userId } } }", true);

export const FiguresDocument = /* @__PURE__ */ operation<FiguresQuery, FiguresQueryVariables>(
  "query Figures($filter: StatisticsFilter, $by: [StatisticsDimension!], $per: StatisticsInterval, $from: DateTime!, $until: DateTime!) { statistics(filter: $filter, by: $by, per: $per, from: $from, until: $until) { countedUntil timeZone rows { from method provider { id name } site { id name } dealer { id name } gateway { id name } status currency count endedCount approvedCount approvalRate requestedAmount approvedAmount medianDecisionMs p90DecisionMs p99DecisionMs deliveredCallbackCount failedCallbackCount medianCallbackDelayMs p90CallbackDelayMs p99CallbackDelayMs } } }");

export const ExportListDocument = /* @__PURE__ */ operation<ExportListMutation, ExportListMutationVariables>(
  "mutation ExportList($input: ExportListInput!) { exportList(input: $input) { job { id } } }", true);

export const LinesChangedDocument = /* @__PURE__ */ operation<LinesChangedSubscription, LinesChangedSubscriptionVariables>(
  "subscription LinesChanged { bankLineChanged { isNew hasGap } }");

export const ApprovalsChangedDocument = /* @__PURE__ */ operation<ApprovalsChangedSubscription, ApprovalsChangedSubscriptionVariables>(
  "subscription ApprovalsChanged { approvalChanged { isNew hasGap } }");

export const DiscrepanciesChangedDocument = /* @__PURE__ */ operation<DiscrepanciesChangedSubscription, DiscrepanciesChangedSubscriptionVariables>(
  "subscription DiscrepanciesChanged { discrepancyChanged { isNew hasGap } }");

export const DeskAgesDocument = /* @__PURE__ */ operation<DeskAgesQuery, DeskAgesQueryVariables>(
  "query DeskAges { withdrawalDesk { dealerId dealer { name } waitingCount claimedCount lapsedCount oldestAt oldestFreeAt } }");
