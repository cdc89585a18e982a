// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type CreateDealerInput = {
  name: string;
  isCreditCardEnabled?: boolean | null | undefined;
  isEibanEnabled?: boolean | null | undefined;
  isManualIbanEnabled?: boolean | null | undefined;
  handCreditMax?: string | null | undefined;
  creditCardCallbackUrl?: string | null | undefined;
  callbackUrl?: string | null | undefined;
  withdrawalCallbackUrl?: string | null | undefined;
  callbackAcknowledgement?: CallbackAcknowledgement | null | undefined;
  returnOrigins?: Array<string> | null | undefined;
  homeUrl?: string | null | undefined;
  ipWhitelist?: Array<string> | null | undefined;
};

export type UpdateDealerInput = {
  id: string;
  name?: string | null | undefined;
  isActive?: boolean | null | undefined;
  isCreditCardEnabled?: boolean | null | undefined;
  isEibanEnabled?: boolean | null | undefined;
  isManualIbanEnabled?: boolean | null | undefined;
  handCreditMax?: string | null | undefined;
  signatureMode?: SignatureMode | null | undefined;
  isIdempotencyRequired?: boolean | null | undefined;
  creditCardCallbackUrl?: string | null | undefined;
  callbackUrl?: string | null | undefined;
  withdrawalCallbackUrl?: string | null | undefined;
  callbackAcknowledgement?: CallbackAcknowledgement | null | undefined;
  returnOrigins?: Array<string> | null | undefined;
  homeUrl?: string | null | undefined;
  brand?: BrandInput | null | undefined;
  ipWhitelist?: Array<string> | null | undefined;
};

export type BrandInput = {
  displayName?: string | null | undefined;
  logo?: string | null | undefined;
  color?: string | null | undefined;
  supportEmail?: string | null | undefined;
  supportPhone?: string | null | undefined;
  supportUrl?: string | null | undefined;
  termsUrl?: string | null | undefined;
  privacyUrl?: string | null | undefined;
  returnLabel?: string | null | undefined;
};

export type CreateSiteTokenInput = {
  dealerId: string;
  name: string;
};

export type UpdateSiteTokenInput = {
  id: string;
  name?: string | null | undefined;
  isActive?: boolean | null | undefined;
  signatureMode?: SignatureMode | null | undefined;
};

export type IbanAccountKind =
  | 'MANUAL'
  | 'EIBAN';

export type CreateAccountInput = {
  dealerId: string;
  kind: IbanAccountKind;
  iban: string;
  bankName: string;
  holder: string;
  min: string;
  max: string;
  dailyLimit?: string | null | undefined;
  dailyCount?: number | null | undefined;
};

export type UpdateAccountInput = {
  id: string;
  bankName?: string | null | undefined;
  holder?: string | null | undefined;
  isActive?: boolean | null | undefined;
  min?: string | null | undefined;
  max?: string | null | undefined;
  dailyLimit?: string | null | undefined;
  dailyCount?: number | null | undefined;
};

export type DealerFilter = {
  name?: string | null | undefined;
  isActive?: boolean | null | undefined;
};

export type UpdateProviderInput = {
  id: string;
  name?: string | null | undefined;
  isActive?: boolean | null | undefined;
  language?: string | null | undefined;
  callbackUrl?: string | null | undefined;
  depositCallbackUrl?: string | null | undefined;
  withdrawalCallbackUrl?: string | null | undefined;
  creditCardCallbackUrl?: string | null | undefined;
  ipWhitelist?: Array<string> | null | undefined;
  isCreditCardEnabled?: boolean | null | undefined;
  signatureMode?: SignatureMode | null | undefined;
  callbackAcknowledgement?: CallbackAcknowledgement | null | undefined;
};

export type CreateProviderInput = {
  name: string;
  language?: string | null | undefined;
  callbackUrl?: string | null | undefined;
  depositCallbackUrl?: string | null | undefined;
  withdrawalCallbackUrl?: string | null | undefined;
  creditCardCallbackUrl?: string | null | undefined;
  ipWhitelist?: Array<string> | null | undefined;
  isCreditCardEnabled?: boolean | null | undefined;
  callbackAcknowledgement?: CallbackAcknowledgement | null | undefined;
};

export type SignatureMode =
  | 'ACCEPTED'
  | 'REQUIRED';

export type CallbackAcknowledgement =
  | 'STATUS_200'
  | 'ANY_2XX';

export type CredentialKind =
  | 'API_KEY'
  | 'SECRET_KEY'
  | 'VERIFICATION_KEY'
  | 'WEBHOOK_SECRET'
  | 'CREDENTIAL_KEY'
  | 'SITE_TOKEN'
  | 'INVITATION_LINK';

export type RotateCredentialInput = {
  id: string;
  credential: CredentialKind;
  graceHours?: number | null | undefined;
  endsGrace?: boolean | null | undefined;
};

export type ProviderFilter = {
  name?: string | null | undefined;
  isActive?: boolean | null | undefined;
};

export type CreateSiteInput = {
  providerId: string;
  dealerId: string;
  name: string;
  isIbanStrict?: boolean | null | undefined;
  callbackUrl?: string | null | undefined;
  depositCallbackUrl?: string | null | undefined;
  withdrawalCallbackUrl?: string | null | undefined;
  creditCardCallbackUrl?: string | null | undefined;
  returnOrigins?: Array<string> | null | undefined;
  homeUrl?: string | null | undefined;
};

export type UpdateSiteInput = {
  id: string;
  name?: string | null | undefined;
  dealerId?: string | null | undefined;
  isActive?: boolean | null | undefined;
  isIbanStrict?: boolean | null | undefined;
  callbackUrl?: string | null | undefined;
  depositCallbackUrl?: string | null | undefined;
  withdrawalCallbackUrl?: string | null | undefined;
  creditCardCallbackUrl?: string | null | undefined;
  returnOrigins?: Array<string> | null | undefined;
  homeUrl?: string | null | undefined;
};

export type UpdateCallbackUrlsInput = {
  providerId?: string | null | undefined;
  siteId?: string | null | undefined;
  callbackUrl?: string | null | undefined;
  depositCallbackUrl?: string | null | undefined;
  withdrawalCallbackUrl?: string | null | undefined;
  creditCardCallbackUrl?: string | null | undefined;
  callbackAcknowledgement?: CallbackAcknowledgement | null | undefined;
  returnOrigins?: Array<string> | null | undefined;
  homeUrl?: string | null | undefined;
};

export type SendTestCallbackInput = {
  providerId?: string | null | undefined;
  siteId?: string | null | undefined;
  dealerId?: string | null | undefined;
  kind: CallbackKind;
};

export type TestCallbackWarning =
  | 'NOT_STATUS_200';

export type CallbackKind =
  | 'DEPOSIT'
  | 'EIBAN_DEPOSIT'
  | 'WITHDRAWAL'
  | 'CREDIT_CARD'
  | 'DEALER_CARD'
  | 'DEALER_DEPOSIT'
  | 'DEALER_WITHDRAWAL'
  | 'DEALER_TRANSFER';

export type ProvidersQueryVariables = Exact<{
  filter?: ProviderFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ProvidersQuery = { providers: { nodes: Array<{ id: string, name: string, isActive: boolean, isCreditCardEnabled: boolean, signatureMode: SignatureMode, callbackUrl: string | null, credentialEnding: string, createdAt: string, sites: Array<{ id: string, isActive: boolean }> | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type ProviderQueryVariables = Exact<{
  id: string;
  seesDealers: boolean;
}>;


export type ProviderQuery = { provider: { id: string, name: string, isActive: boolean, language: string, callbackUrl: string | null, depositCallbackUrl: string | null, withdrawalCallbackUrl: string | null, creditCardCallbackUrl: string | null, callbackAcknowledgement: CallbackAcknowledgement, ipWhitelist: Array<string>, isCreditCardEnabled: boolean, signatureMode: SignatureMode, credentialEnding: string, createdAt: string, updatedAt: string, oldCredentials: Array<{ credential: CredentialKind, validUntil: string, firstUsedAt: string | null }>, sites: Array<{ id: string, name: string, isActive: boolean, isIbanStrict: boolean, dealerId: string | null, callbackUrl: string | null, depositCallbackUrl: string | null, withdrawalCallbackUrl: string | null, creditCardCallbackUrl: string | null, returnOrigins: Array<string>, homeUrl: string | null, dealer?: { id: string, name: string } | null, brand: { displayName: string | null, logo: string | null, color: string | null, supportEmail: string | null, supportPhone: string | null, supportUrl: string | null, termsUrl: string | null, privacyUrl: string | null, returnLabel: string | null, onLight: { brand: string, soft: string, on: string, isAdjusted: boolean } | null, onDark: { brand: string, soft: string, on: string, isAdjusted: boolean } | null }, oldCredentials: Array<{ credential: CredentialKind, validUntil: string, firstUsedAt: string | null }> }> | null } | null };

export type DealersQueryVariables = Exact<{
  filter?: DealerFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DealersQuery = { dealers: { nodes: Array<{ id: string, name: string, isActive: boolean, isCreditCardEnabled: boolean, isEibanEnabled: boolean, isManualIbanEnabled: boolean, signatureMode: SignatureMode, credentialEnding: string, createdAt: string, accounts: Array<{ id: string, isActive: boolean }> | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type DealersToPickQueryVariables = Exact<{ [key: string]: never; }>;


export type DealersToPickQuery = { dealers: { nodes: Array<{ id: string, name: string, isActive: boolean }> } | null };

export type DealerQueryVariables = Exact<{
  id: string;
}>;


export type DealerQuery = { dealer: { id: string, name: string, isActive: boolean, isCreditCardEnabled: boolean, isEibanEnabled: boolean, isManualIbanEnabled: boolean, handCreditMax: string | null, signatureMode: SignatureMode, isIdempotencyRequired: boolean, callbackUrl: string | null, withdrawalCallbackUrl: string | null, creditCardCallbackUrl: string | null, callbackAcknowledgement: CallbackAcknowledgement, returnOrigins: Array<string>, homeUrl: string | null, ipWhitelist: Array<string>, credentialEnding: string, createdAt: string, updatedAt: string, oldCredentials: Array<{ credential: CredentialKind, validUntil: string, firstUsedAt: string | null }>, brand: { displayName: string | null, logo: string | null, color: string | null, supportEmail: string | null, supportPhone: string | null, supportUrl: string | null, termsUrl: string | null, privacyUrl: string | null, returnLabel: string | null, onLight: { brand: string, soft: string, on: string, isAdjusted: boolean } | null, onDark: { brand: string, soft: string, on: string, isAdjusted: boolean } | null }, siteTokens: Array<{ id: string, name: string, isActive: boolean, signatureMode: SignatureMode, credentialEnding: string, oldCredentials: Array<{ credential: CredentialKind, validUntil: string, firstUsedAt: string | null }> }> | null, accounts: Array<{ id: string, kind: IbanAccountKind, bankName: string, holder: string, iban: string, isActive: boolean, currency: string, min: string, max: string, dailyLimit: string | null, dailyCount: number | null, today: { usedAmount: string, offerCount: number, amountLeft: string | null, countLeft: number | null, lastOfferedAt: string | null } }> | null } | null };

export type CreateProviderMutationVariables = Exact<{
  input: CreateProviderInput;
}>;


export type CreateProviderMutation = { createProvider: { provider: { id: string, name: string }, credentials: Array<{ credential: CredentialKind, value: string }> } | null };

export type UpdateProviderMutationVariables = Exact<{
  input: UpdateProviderInput;
}>;


export type UpdateProviderMutation = { updateProvider: { provider: { id: string } } | null };

export type RotateProviderMutationVariables = Exact<{
  input: RotateCredentialInput;
}>;


export type RotateProviderMutation = { rotateProviderCredential: { provider: { id: string, name: string }, credentials: Array<{ credential: CredentialKind, value: string }> } | null };

export type CreateSiteMutationVariables = Exact<{
  input: CreateSiteInput;
}>;


export type CreateSiteMutation = { createSite: { site: { id: string, name: string }, credentials: Array<{ credential: CredentialKind, value: string }> } | null };

export type UpdateSiteMutationVariables = Exact<{
  input: UpdateSiteInput;
}>;


export type UpdateSiteMutation = { updateSite: { site: { id: string } } | null };

export type RotateSiteMutationVariables = Exact<{
  input: RotateCredentialInput;
}>;


export type RotateSiteMutation = { rotateSiteCredential: { site: { id: string, name: string }, credentials: Array<{ credential: CredentialKind, value: string }> } | null };

export type CreateDealerMutationVariables = Exact<{
  input: CreateDealerInput;
}>;


export type CreateDealerMutation = { createDealer: { dealer: { id: string, name: string }, credentials: Array<{ credential: CredentialKind, value: string }> } | null };

export type UpdateDealerMutationVariables = Exact<{
  input: UpdateDealerInput;
}>;


export type UpdateDealerMutation = { updateDealer: { dealer: { id: string } } | null };

export type RotateDealerMutationVariables = Exact<{
  input: RotateCredentialInput;
}>;


export type RotateDealerMutation = { rotateDealerCredential: { dealer: { id: string, name: string }, credentials: Array<{ credential: CredentialKind, value: string }> } | null };

export type CreateSiteTokenMutationVariables = Exact<{
  input: CreateSiteTokenInput;
}>;


export type CreateSiteTokenMutation = { createSiteToken: { siteToken: { id: string, name: string }, credentials: Array<{ credential: CredentialKind, value: string }> } | null };

export type UpdateSiteTokenMutationVariables = Exact<{
  input: UpdateSiteTokenInput;
}>;


export type UpdateSiteTokenMutation = { updateSiteToken: { siteToken: { id: string } } | null };

export type RotateSiteTokenMutationVariables = Exact<{
  input: RotateCredentialInput;
}>;


export type RotateSiteTokenMutation = { rotateSiteTokenCredential: { siteToken: { id: string, name: string }, credentials: Array<{ credential: CredentialKind, value: string }> } | null };

export type CreateAccountMutationVariables = Exact<{
  input: CreateAccountInput;
}>;


export type CreateAccountMutation = { createAccount: { ibanAccount: { id: string } } | null };

export type UpdateAccountMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type UpdateAccountMutation = { updateAccount: { ibanAccount: { id: string, isActive: boolean } } | null };

export type UpdateCallbackUrlsMutationVariables = Exact<{
  input: UpdateCallbackUrlsInput;
}>;


export type UpdateCallbackUrlsMutation = { updateCallbackUrls: { provider: { id: string } | null, site: { id: string } | null } | null };

export type SendTestCallbackMutationVariables = Exact<{
  input: SendTestCallbackInput;
}>;


export type SendTestCallbackMutation = { sendTestCallback: { trackingCode: string, url: string, body: string, isAccepted: boolean, warning: TestCallbackWarning | null, httpStatus: number | null, durationMs: number, answer: string, error: string | null } | null };

export const ProvidersDocument = /* @__PURE__ */ operation<ProvidersQuery, ProvidersQueryVariables>(
  "query Providers($filter: ProviderFilter, $first: Int, $after: String, $last: Int, $before: String) { providers( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { id name isActive isCreditCardEnabled signatureMode callbackUrl credentialEnding sites { id isActive } createdAt } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const ProviderDocument = /* @__PURE__ */ operation<ProviderQuery, ProviderQueryVariables>(
  "query Provider($id: ID!, $seesDealers: Boolean!) { provider(id: $id) { id name isActive language callbackUrl depositCallbackUrl withdrawalCallbackUrl creditCardCallbackUrl callbackAcknowledgement ipWhitelist isCreditCardEnabled signatureMode credentialEnding oldCredentials { credential validUntil firstUsedAt } createdAt updatedAt sites { id name isActive isIbanStrict dealerId dealer @include(if: $seesDealers) { id name } callbackUrl depositCallbackUrl withdrawalCallbackUrl creditCardCallbackUrl returnOrigins homeUrl brand { displayName logo color onLight { brand soft on isAdjusted } onDark { brand soft on isAdjusted } supportEmail supportPhone supportUrl termsUrl privacyUrl returnLabel } oldCredentials { credential validUntil firstUsedAt } } } }");

export const DealersDocument = /* @__PURE__ */ operation<DealersQuery, DealersQueryVariables>(
  "query Dealers($filter: DealerFilter, $first: Int, $after: String, $last: Int, $before: String) { dealers( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { id name isActive isCreditCardEnabled isEibanEnabled isManualIbanEnabled signatureMode credentialEnding accounts { id isActive } createdAt } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const DealersToPickDocument = /* @__PURE__ */ operation<DealersToPickQuery, DealersToPickQueryVariables>(
  "query DealersToPick { dealers(first: 200) { nodes { id name isActive } } }");

export const DealerDocument = /* @__PURE__ */ operation<DealerQuery, DealerQueryVariables>(
  "query Dealer($id: ID!) { dealer(id: $id) { id name isActive isCreditCardEnabled isEibanEnabled isManualIbanEnabled handCreditMax signatureMode isIdempotencyRequired callbackUrl withdrawalCallbackUrl creditCardCallbackUrl callbackAcknowledgement returnOrigins homeUrl ipWhitelist credentialEnding oldCredentials { credential validUntil firstUsedAt } createdAt updatedAt brand { displayName logo color onLight { brand soft on isAdjusted } onDark { brand soft on isAdjusted } supportEmail supportPhone supportUrl termsUrl privacyUrl returnLabel } siteTokens { id name isActive signatureMode credentialEnding oldCredentials { credential validUntil firstUsedAt } } accounts { id kind bankName holder iban isActive currency min max dailyLimit dailyCount today { usedAmount offerCount amountLeft countLeft lastOfferedAt } } } }");

export const CreateProviderDocument = /* @__PURE__ */ operation<CreateProviderMutation, CreateProviderMutationVariables>(
  "mutation CreateProvider($input: CreateProviderInput!) { createProvider(input: $input) { provider { id name } credentials { credential value } } }");

export const UpdateProviderDocument = /* @__PURE__ */ operation<UpdateProviderMutation, UpdateProviderMutationVariables>(
  "mutation UpdateProvider($input: UpdateProviderInput!) { updateProvider(input: $input) { provider { id } } }");

export const RotateProviderDocument = /* @__PURE__ */ operation<RotateProviderMutation, RotateProviderMutationVariables>(
  "mutation RotateProvider($input: RotateCredentialInput!) { rotateProviderCredential(input: $input) { provider { id name } credentials { credential value } } }");

export const CreateSiteDocument = /* @__PURE__ */ operation<CreateSiteMutation, CreateSiteMutationVariables>(
  "mutation CreateSite($input: CreateSiteInput!) { createSite(input: $input) { site { id name } credentials { credential value } } }");

export const UpdateSiteDocument = /* @__PURE__ */ operation<UpdateSiteMutation, UpdateSiteMutationVariables>(
  "mutation UpdateSite($input: UpdateSiteInput!) { updateSite(input: $input) { site { id } } }");

export const RotateSiteDocument = /* @__PURE__ */ operation<RotateSiteMutation, RotateSiteMutationVariables>(
  "mutation RotateSite($input: RotateCredentialInput!) { rotateSiteCredential(input: $input) { site { id name } credentials { credential value } } }");

export const CreateDealerDocument = /* @__PURE__ */ operation<CreateDealerMutation, CreateDealerMutationVariables>(
  "mutation CreateDealer($input: CreateDealerInput!) { createDealer(input: $input) { dealer { id name } credentials { credential value } } }");

export const UpdateDealerDocument = /* @__PURE__ */ operation<UpdateDealerMutation, UpdateDealerMutationVariables>(
  "mutation UpdateDealer($input: UpdateDealerInput!) { updateDealer(input: $input) { dealer { id } } }");

export const RotateDealerDocument = /* @__PURE__ */ operation<RotateDealerMutation, RotateDealerMutationVariables>(
  "mutation RotateDealer($input: RotateCredentialInput!) { rotateDealerCredential(input: $input) { dealer { id name } credentials { credential value } } }");

export const CreateSiteTokenDocument = /* @__PURE__ */ operation<CreateSiteTokenMutation, CreateSiteTokenMutationVariables>(
  "mutation CreateSiteToken($input: CreateSiteTokenInput!) { createSiteToken(input: $input) { siteToken { id name } credentials { credential value } } }");

export const UpdateSiteTokenDocument = /* @__PURE__ */ operation<UpdateSiteTokenMutation, UpdateSiteTokenMutationVariables>(
  "mutation UpdateSiteToken($input: UpdateSiteTokenInput!) { updateSiteToken(input: $input) { siteToken { id } } }");

export const RotateSiteTokenDocument = /* @__PURE__ */ operation<RotateSiteTokenMutation, RotateSiteTokenMutationVariables>(
  "mutation RotateSiteToken($input: RotateCredentialInput!) { rotateSiteTokenCredential(input: $input) { siteToken { id name } credentials { credential value } } }");

export const CreateAccountDocument = /* @__PURE__ */ operation<CreateAccountMutation, CreateAccountMutationVariables>(
  "mutation CreateAccount($input: CreateAccountInput!) { createAccount(input: $input) { ibanAccount { id } } }");

export const UpdateAccountDocument = /* @__PURE__ */ operation<UpdateAccountMutation, UpdateAccountMutationVariables>(
  "mutation UpdateAccount($input: UpdateAccountInput!) { updateAccount(input: $input) { ibanAccount { id isActive } } }");

export const UpdateCallbackUrlsDocument = /* @__PURE__ */ operation<UpdateCallbackUrlsMutation, UpdateCallbackUrlsMutationVariables>(
  "mutation UpdateCallbackUrls($input: UpdateCallbackUrlsInput!) { updateCallbackUrls(input: $input) { provider { id } site { id } } }");

export const SendTestCallbackDocument = /* @__PURE__ */ operation<SendTestCallbackMutation, SendTestCallbackMutationVariables>(
  "mutation SendTestCallback($input: SendTestCallbackInput!) { sendTestCallback(input: $input) { trackingCode url body isAccepted warning httpStatus durationMs answer error } }");
