// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from './operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type FactorKind =
  | 'TOTP'
  | 'PASSKEY'
  | 'RECOVERY_CODE';

export type PasskeyAnswer = {
  challenge: string;
  answer: string;
};

export type LoginWithPasskeyInput = {
  challenge: string;
  answer: string;
};

export type StepUpInput = {
  password?: string | null | undefined;
  code?: string | null | undefined;
  passkey?: PasskeyAnswer | null | undefined;
};

export type Theme =
  | 'SYSTEM'
  | 'LIGHT'
  | 'DARK';

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
  | 'PROVIDERS_READ'
  | 'DEALERS_READ'
  | 'DEALERS_EDIT'
  | 'ACCOUNTS_EDIT'
  | 'KEYS_ROTATE'
  | 'CALLBACKS_EDIT'
  | 'CALLBACKS_TEST'
  | 'BRANDS_EDIT'
  | 'CUSTOMERS_READ'
  | 'CUSTOMERS_BLOCK'
  | 'CALLBACKS_RESEND'
  | 'STAFF_READ'
  | 'STAFF_EDIT'
  | 'APPROVALS_READ'
  | 'APPROVALS_DECIDE'
  | 'APPROVALS_CONFIGURE'
  | 'STATISTICS_READ'
  | 'WALLETS_ADJUST'
  | 'NOTES_WRITE';

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

export type SignInMutationVariables = Exact<{
  email: string;
  password: string;
}>;


export type SignInMutation = { login: { secondFactor: { challenge: string, kinds: Array<FactorKind> } | null } | null };

export type SignInWithCodeMutationVariables = Exact<{
  challenge: string;
  code: string;
}>;


export type SignInWithCodeMutation = { loginWithCode: { secondFactor: { challenge: string } | null } | null };

export type AskForPasskeyMutationVariables = Exact<{
  challenge?: string | null | undefined;
}>;


export type AskForPasskeyMutation = { beginPasskeyLogin: { challenge: string, options: string } | null };

export type SignInWithPasskeyMutationVariables = Exact<{
  input: LoginWithPasskeyInput;
}>;


export type SignInWithPasskeyMutation = { loginWithPasskey: { secondFactor: { challenge: string } | null } | null };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { logout: { session: { id: string } } | null };

export type BeginQueryVariables = Exact<{
  language: string;
}>;


export type BeginQuery = { me: { id: string, email: string, role: Role, permissions: Array<Permission>, dealerId: string | null, providerId: string | null, profile: { name: string | null, language: string | null, theme: Theme } | null } | null, mySecondFactors: { hasTotp: boolean, recoveryCodesLeft: number, isRequired: boolean, isLocked: boolean, passkeys: Array<{ id: string, name: string, createdAt: string, lastUsedAt: string | null }> } | null, installation: { version: string, isDemo: boolean, isFrozen: boolean, frozenAt: string | null, name: string, timeZone: string, currencies: Array<string>, methods: Array<TransactionMethod>, secondFactorRequiredOf: Array<Role>, stepUpAbove: string, limits: { pageRows: number, maxPageRows: number, reasonChars: number, savedViews: number, savedViewNameChars: number, sessionIdleMinutes: number, stepUpMinutes: number, claimMinutes: number } } | null, labels: Array<{ name: string, values: Array<{ value: string, label: string }> }> | null };

export type StepUpMutationVariables = Exact<{
  input: StepUpInput;
}>;


export type StepUpMutation = { stepUp: { session: { provenUntil: string } } | null };

export type AskForPasskeyProofMutationVariables = Exact<{ [key: string]: never; }>;


export type AskForPasskeyProofMutation = { beginPasskeyStepUp: { challenge: string, options: string } | null };

export const SignInDocument = /* @__PURE__ */ operation<SignInMutation, SignInMutationVariables>(
  "mutation SignIn($email: String!, $password: String!) { login(input: {email: $email, password: $password}) { secondFactor { challenge kinds } } }");

export const SignInWithCodeDocument = /* @__PURE__ */ operation<SignInWithCodeMutation, SignInWithCodeMutationVariables>(
  "mutation SignInWithCode($challenge: String!, $code: String!) { loginWithCode(input: {challenge: $challenge, code: $code}) { secondFactor { challenge } } }");

export const AskForPasskeyDocument = /* @__PURE__ */ operation<AskForPasskeyMutation, AskForPasskeyMutationVariables>(
  "mutation AskForPasskey($challenge: String) { beginPasskeyLogin(input: {challenge: $challenge}) { challenge options } }");

export const SignInWithPasskeyDocument = /* @__PURE__ */ operation<SignInWithPasskeyMutation, SignInWithPasskeyMutationVariables>(
  "mutation SignInWithPasskey($input: LoginWithPasskeyInput!) { loginWithPasskey(input: $input) { secondFactor { challenge } } }");

export const SignOutDocument = /* @__PURE__ */ operation<SignOutMutation, SignOutMutationVariables>(
  "mutation SignOut { logout { session { id } } }");

export const BeginDocument = /* @__PURE__ */ operation<BeginQuery, BeginQueryVariables>(
  "query Begin($language: String!) { me { id email role permissions dealerId providerId profile { name language theme } } mySecondFactors { hasTotp recoveryCodesLeft passkeys { id name createdAt lastUsedAt } isRequired isLocked } installation { version isDemo isFrozen frozenAt name timeZone currencies methods secondFactorRequiredOf stepUpAbove limits { pageRows maxPageRows reasonChars savedViews savedViewNameChars sessionIdleMinutes stepUpMinutes claimMinutes } } labels(language: $language) { name values { value label } } }");

export const StepUpDocument = /* @__PURE__ */ operation<StepUpMutation, StepUpMutationVariables>(
  "mutation StepUp($input: StepUpInput!) { stepUp(input: $input) { session { provenUntil } } }");

export const AskForPasskeyProofDocument = /* @__PURE__ */ operation<AskForPasskeyProofMutation, AskForPasskeyProofMutationVariables>(
  "mutation AskForPasskeyProof { beginPasskeyStepUp { challenge options } }");
