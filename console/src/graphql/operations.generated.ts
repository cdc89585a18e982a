// Code generated from graph/schema and the .graphql files of this folder by `make console`. DO NOT EDIT.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type FactorKind =
  | 'TOTP'
  | 'PASSKEY'
  | 'RECOVERY_CODE';

export type Role =
  | 'ADMIN'
  | 'OPERATOR'
  | 'FINANCE'
  | 'SUPPORT'
  | 'AUDITOR'
  | 'VIEWER'
  | 'DEALER'
  | 'PROVIDER';

export type Permission =
  | 'TRANSACTIONS_READ'
  | 'DEPOSITS_DECIDE'
  | 'WITHDRAWALS_DECIDE'
  | 'PROVIDERS_EDIT'
  | 'PAYMENTS_REFUND'
  | 'DISCREPANCIES_RESOLVE'
  | 'GATEWAYS_READ'
  | 'GATEWAYS_EDIT'
  | 'WALLETS_READ'
  | 'WALLETS_EDIT'
  | 'AUDIT_READ'
  | 'QUEUES_READ'
  | 'QUEUES_ENTER'
  | 'PROVIDERS_READ'
  | 'DEALERS_READ'
  | 'DEALERS_EDIT'
  | 'ACCOUNTS_EDIT'
  | 'KEYS_ROTATE'
  | 'CALLBACKS_TEST'
  | 'CUSTOMERS_READ'
  | 'CUSTOMERS_BLOCK'
  | 'CALLBACKS_RESEND'
  | 'STAFF_READ'
  | 'STAFF_EDIT'
  | 'APPROVALS_READ'
  | 'APPROVALS_DECIDE'
  | 'APPROVALS_CONFIGURE'
  | 'STATISTICS_READ'
  | 'WALLETS_ADJUST';

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
  providerId?: string | number | null | undefined;
  siteId?: string | number | null | undefined;
  dealerId?: string | number | null | undefined;
  gatewayId?: string | number | null | undefined;
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

export type TransactionKind =
  | 'DEPOSIT'
  | 'WITHDRAWAL'
  | 'CARD'
  | 'PAYOUT'
  | 'TRANSFER';

export type SignInMutationVariables = Exact<{
  email: string;
  password: string;
}>;


export type SignInMutation = { login: { token: string | null, secondFactor: { challenge: string, kinds: Array<FactorKind> } | null } | null };

export type SignInWithCodeMutationVariables = Exact<{
  challenge: string;
  code: string;
}>;


export type SignInWithCodeMutation = { loginWithCode: { token: string | null } | null };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { email: string, role: Role, permissions: Array<Permission> } | null };

export type TransactionsQueryVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
  sort?: TransactionSort | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type TransactionsQuery = { transactions: { nodes: Array<{ trackingCode: string, status: TransactionStatus, method: TransactionMethod, kind: TransactionKind, amount: string, currency: string, createdAt: string, updatedAt: string, isOverdue: boolean, customer: { userId: string, username: string, fullname: string }, provider: { name: string } | null, site: { name: string } | null, dealer: { name: string } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type TransactionRowFragment = { trackingCode: string, status: TransactionStatus, method: TransactionMethod, kind: TransactionKind, amount: string, currency: string, createdAt: string, updatedAt: string, isOverdue: boolean, customer: { userId: string, username: string, fullname: string }, provider: { name: string } | null, site: { name: string } | null, dealer: { name: string } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const TransactionRowFragmentDoc = new TypedDocumentString(`
    fragment TransactionRow on Transaction {
  trackingCode
  status
  method
  kind
  amount
  currency
  createdAt
  updatedAt
  isOverdue
  customer {
    userId
    username
    fullname
  }
  provider {
    name
  }
  site {
    name
  }
  dealer {
    name
  }
}
    `, {"fragmentName":"TransactionRow"}) as unknown as TypedDocumentString<TransactionRowFragment, unknown>;
export const SignInDocument = new TypedDocumentString(`
    mutation SignIn($email: String!, $password: String!) {
  login(input: {email: $email, password: $password}) {
    token
    secondFactor {
      challenge
      kinds
    }
  }
}
    `) as unknown as TypedDocumentString<SignInMutation, SignInMutationVariables>;
export const SignInWithCodeDocument = new TypedDocumentString(`
    mutation SignInWithCode($challenge: String!, $code: String!) {
  loginWithCode(input: {challenge: $challenge, code: $code}) {
    token
  }
}
    `) as unknown as TypedDocumentString<SignInWithCodeMutation, SignInWithCodeMutationVariables>;
export const MeDocument = new TypedDocumentString(`
    query Me {
  me {
    email
    role
    permissions
  }
}
    `) as unknown as TypedDocumentString<MeQuery, MeQueryVariables>;
export const TransactionsDocument = new TypedDocumentString(`
    query Transactions($filter: TransactionFilter, $sort: TransactionSort, $first: Int, $after: String, $last: Int, $before: String) {
  transactions(
    filter: $filter
    sort: $sort
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    nodes {
      ...TransactionRow
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
      isPartial
    }
  }
}
    fragment TransactionRow on Transaction {
  trackingCode
  status
  method
  kind
  amount
  currency
  createdAt
  updatedAt
  isOverdue
  customer {
    userId
    username
    fullname
  }
  provider {
    name
  }
  site {
    name
  }
  dealer {
    name
  }
}`) as unknown as TypedDocumentString<TransactionsQuery, TransactionsQueryVariables>;