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
  | 'GIVE_BACK'
  | 'WRITE_OFF'
  | 'LET_GO'
  | 'APPROVE_REQUEST'
  | 'REFUSE_REQUEST';

export type ActorKind =
  | 'PROVIDER'
  | 'DEALER'
  | 'CUSTOMER'
  | 'STAFF'
  | 'GATEWAY'
  | 'SYSTEM';

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

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { logout: { session: { id: string } } | null };

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


export type TransactionsQuery = { transactions: { nodes: Array<{ trackingCode: string, status: TransactionStatus, method: TransactionMethod, amount: string, currency: string, createdAt: string, isOverdue: boolean, customer: { username: string, fullname: string }, provider: { name: string } | null, site: { name: string } | null, dealer: { name: string } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type TransactionQueryVariables = Exact<{
  trackingCode: string;
}>;


export type TransactionQuery = { transaction: { trackingCode: string, status: TransactionStatus, method: TransactionMethod, amount: string, requestedAmount: string, currency: string, createdAt: string, updatedAt: string, expiresAt: string | null, finishedAt: string | null, isOverdue: boolean, reason: string | null, iban: string | null, isIbanSuspect: boolean, customer: { userId: string, username: string, fullname: string }, account: { bankName: string, holder: string, iban: string } | null, provider: { name: string } | null, site: { name: string } | null, dealer: { name: string } | null, history: { nodes: Array<{ at: string, command: TransactionCommand, to: TransactionStatus, amount: string, reason: string | null, actor: { kind: ActorKind, name: string | null } }>, pageInfo: { hasPreviousPage: boolean } } | null } | null };

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
export const SignOutDocument = new TypedDocumentString(`
    mutation SignOut {
  logout {
    session {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<SignOutMutation, SignOutMutationVariables>;
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
      trackingCode
      status
      method
      amount
      currency
      createdAt
      isOverdue
      customer {
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
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
      isPartial
    }
  }
}
    `) as unknown as TypedDocumentString<TransactionsQuery, TransactionsQueryVariables>;
export const TransactionDocument = new TypedDocumentString(`
    query Transaction($trackingCode: String!) {
  transaction(trackingCode: $trackingCode) {
    trackingCode
    status
    method
    amount
    requestedAmount
    currency
    createdAt
    updatedAt
    expiresAt
    finishedAt
    isOverdue
    reason
    iban
    isIbanSuspect
    customer {
      userId
      username
      fullname
    }
    account {
      bankName
      holder
      iban
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
    history(last: 100) {
      nodes {
        at
        command
        to
        amount
        reason
        actor {
          kind
          name
        }
      }
      pageInfo {
        hasPreviousPage
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TransactionQuery, TransactionQueryVariables>;