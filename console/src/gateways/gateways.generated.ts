// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type NamedTextInput = {
  name: string;
  value: string;
};

export type GatewayMaturity =
  | 'DRAFT'
  | 'EXPERIMENTAL'
  | 'BETA'
  | 'STABLE';

export type GatewayKind =
  | 'CARD'
  | 'BANK'
  | 'CRYPTO'
  | 'WALLET'
  | 'ACCOUNT';

export type GatewayEnvironment =
  | 'SANDBOX'
  | 'PRODUCTION';

export type GatewayConfigType =
  | 'TEXT'
  | 'SECRET'
  | 'URL'
  | 'INT'
  | 'BOOL'
  | 'CHOICE'
  | 'LIST'
  | 'DECIMAL';

export type GatewayCapability =
  | 'START_DEPOSIT'
  | 'READ_DEPOSIT'
  | 'FINISH_RETURN'
  | 'LIST_DEPOSITS'
  | 'CANCEL_DEPOSIT'
  | 'REVIEW_DEPOSIT'
  | 'REFUND'
  | 'QUOTE'
  | 'LIST_OPTIONS'
  | 'READ_NOTIFICATION'
  | 'PAY_OUT'
  | 'CHECK_PAYOUT'
  | 'APPROVE_PAYOUT'
  | 'CANCEL_PAYOUT'
  | 'READ_ACCOUNTS'
  | 'READ_STATEMENT'
  | 'TRANSFER'
  | 'READ_DISPUTE'
  | 'LIST_DISPUTES'
  | 'ACCEPT_DISPUTE'
  | 'ANSWER_DISPUTE';

export type CreateGatewayAccountInput = {
  plugin: string;
  environment: GatewayEnvironment;
  code: string;
  name: string;
  description?: string | null | undefined;
  isEnabled?: boolean | null | undefined;
  priority?: number | null | undefined;
  weight?: number | null | undefined;
  min?: string | null | undefined;
  max?: string | null | undefined;
  approvalFrom?: string | null | undefined;
  config?: Array<NamedTextInput> | null | undefined;
};

export type UpdateGatewayAccountInput = {
  id: string;
  code?: string | null | undefined;
  name?: string | null | undefined;
  description?: string | null | undefined;
  isEnabled?: boolean | null | undefined;
  priority?: number | null | undefined;
  weight?: number | null | undefined;
  min?: string | null | undefined;
  max?: string | null | undefined;
  approvalFrom?: string | null | undefined;
  config?: Array<NamedTextInput> | null | undefined;
};

export type TestGatewayAccountInput = {
  id: string;
};

export type RouteRuleInput = {
  id?: string | null | undefined;
  name?: string | null | undefined;
  isActive?: boolean | null | undefined;
  kind?: GatewayKind | null | undefined;
  providerId?: string | null | undefined;
  siteId?: string | null | undefined;
  min?: string | null | undefined;
  max?: string | null | undefined;
  gatewayId?: string | null | undefined;
  priority?: number | null | undefined;
  weight?: number | null | undefined;
};

export type RoutePreviewInput = {
  siteId?: string | null | undefined;
  method: TransactionMethod;
  kind?: GatewayKind | null | undefined;
  amount: string;
  trackingCode?: string | null | undefined;
};

export type RouteObstacle =
  | 'OFF'
  | 'OTHER_KIND'
  | 'NO_RULE'
  | 'TROUBLE'
  | 'UNUSABLE'
  | 'LIMITS'
  | 'NOT_ANSWERING';

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

export type GatewaysQueryVariables = Exact<{
  from: string;
  until: string;
}>;


export type GatewaysQuery = { gatewayAccounts: Array<{ id: string, code: string, name: string, description: string | null, plugin: string, environment: GatewayEnvironment, isEnabled: boolean, priority: number, weight: number, min: string | null, max: string | null, trouble: string | null, health: { callCount: number, failedCount: number, lastOkAt: string | null, isFailing: boolean, lastError: { at: string, outcome: string, detail: string | null } | null, calls: Array<{ id: string, at: string, isOk: boolean, outcome: string }> } }> | null, statistics: { rows: Array<{ endedCount: number, approvedCount: number, gateway: { id: string } | null }> } | null };

export type GatewayQueryVariables = Exact<{
  id: string;
  language: string;
  from: string;
  until: string;
}>;


export type GatewayQuery = { statistics: { rows: Array<{ endedCount: number, approvedCount: number }> } | null, gatewayAccount: { id: string, code: string, name: string, description: string | null, plugin: string, environment: GatewayEnvironment, isEnabled: boolean, priority: number, weight: number, min: string | null, max: string | null, approvalFrom: string | null, trouble: string | null, collectingIbans: Array<string> | null, createdAt: string, updatedAt: string, config: Array<{ name: string, label: string, type: GatewayConfigType, isSet: boolean, value: string | null }>, health: { callCount: number, failedCount: number, lastOkAt: string | null, isFailing: boolean, lastError: { at: string, name: string, outcome: string, effect: string | null, detail: string | null } | null, calls: Array<{ id: string, name: string, at: string, durationMs: number, isOk: boolean, outcome: string, detail: string | null }> } } | null };

export type NotificationAddressQueryVariables = Exact<{
  id: string;
}>;


export type NotificationAddressQuery = { gatewayAccount: { notificationUrl: string | null } | null };

export type GatewayPluginsQueryVariables = Exact<{
  language: string;
}>;


export type GatewayPluginsQuery = { gatewayPlugins: Array<{ code: string, title: string, version: string, maturity: GatewayMaturity, kinds: Array<GatewayKind>, notice: string | null, isSimulator: boolean, capabilities: Array<GatewayCapability>, environments: Array<{ name: GatewayEnvironment }>, setup: Array<{ title: string, text: string }>, config: Array<{ name: string, label: string, help: string | null, type: GatewayConfigType, isRequired: boolean, default: string | null, choices: Array<string>, pattern: string | null, isRotating: boolean }>, deposit: { min: string | null, max: string | null, assets: Array<string> } | null, payout: { min: string | null, max: string | null, assets: Array<string> } | null }> | null };

export type RoutesQueryVariables = Exact<{ [key: string]: never; }>;


export type RoutesQuery = { routeRules: Array<{ id: string, name: string, isActive: boolean, kind: GatewayKind | null, providerId: string | null, siteId: string | null, min: string | null, max: string | null, gatewayId: string, priority: number, weight: number, provider: { id: string, name: string } | null, site: { id: string, name: string } | null, gateway: { id: string, name: string } | null }> | null, gatewayAccounts: Array<{ id: string, name: string, isEnabled: boolean, trouble: string | null, health: { isFailing: boolean } }> | null };

export type SitesToPickQueryVariables = Exact<{ [key: string]: never; }>;


export type SitesToPickQuery = { providers: { nodes: Array<{ id: string, name: string, sites: Array<{ id: string, name: string }> | null }> } | null };

export type WhoWouldGetQueryVariables = Exact<{
  input: RoutePreviewInput;
}>;


export type WhoWouldGetQuery = { routePreview: { kind: GatewayKind, order: Array<{ priority: number, weight: number, weightOfAll: number, gateway: { id: string, name: string }, rule: { id: string, name: string } | null }>, others: Array<{ obstacle: RouteObstacle, detail: string | null, gateway: { id: string, name: string } }> } | null };

export type CreateGatewayMutationVariables = Exact<{
  input: CreateGatewayAccountInput;
}>;


export type CreateGatewayMutation = { createGatewayAccount: { gatewayAccount: { id: string } } | null };

export type UpdateGatewayMutationVariables = Exact<{
  input: UpdateGatewayAccountInput;
}>;


export type UpdateGatewayMutation = { updateGatewayAccount: { gatewayAccount: { id: string, isEnabled: boolean } } | null };

export type TestGatewayMutationVariables = Exact<{
  input: TestGatewayAccountInput;
}>;


export type TestGatewayMutation = { testGatewayAccount: { isOk: boolean, checks: Array<{ name: string, isOk: boolean, detail: string | null, failure: string | null }> } | null };

export type SaveRouteMutationVariables = Exact<{
  input: RouteRuleInput;
}>;


export type SaveRouteMutation = { saveRouteRule: { routeRule: { id: string } } | null };

export const GatewaysDocument = /* @__PURE__ */ operation<GatewaysQuery, GatewaysQueryVariables>(
  "query Gateways($from: DateTime!, $until: DateTime!) { gatewayAccounts { id code name description plugin environment isEnabled priority weight min max trouble health { callCount failedCount lastOkAt isFailing lastError { at outcome detail } calls { id at isOk outcome } } } statistics(by: [GATEWAY], from: $from, until: $until) { rows { gateway { id } endedCount approvedCount } } }");

export const GatewayDocument = /* @__PURE__ */ operation<GatewayQuery, GatewayQueryVariables>(
  "query Gateway($id: ID!, $language: String!, $from: DateTime!, $until: DateTime!) { statistics(filter: {gatewayId: $id}, by: [], from: $from, until: $until) { rows { endedCount approvedCount } } gatewayAccount(id: $id) { id code name description plugin environment isEnabled priority weight min max approvalFrom trouble collectingIbans createdAt updatedAt config(language: $language) { name label type isSet value } health { callCount failedCount lastOkAt isFailing lastError { at name outcome effect detail } calls { id name at durationMs isOk outcome detail } } } }");

export const NotificationAddressDocument = /* @__PURE__ */ operation<NotificationAddressQuery, NotificationAddressQueryVariables>(
  "query NotificationAddress($id: ID!) { gatewayAccount(id: $id) { notificationUrl } }");

export const GatewayPluginsDocument = /* @__PURE__ */ operation<GatewayPluginsQuery, GatewayPluginsQueryVariables>(
  "query GatewayPlugins($language: String!) { gatewayPlugins(language: $language) { code title version maturity kinds notice isSimulator environments { name } setup { title text } config { name label help type isRequired default choices pattern isRotating } capabilities deposit { min max assets } payout { min max assets } } }");

export const RoutesDocument = /* @__PURE__ */ operation<RoutesQuery, RoutesQueryVariables>(
  "query Routes { routeRules { id name isActive kind providerId siteId provider { id name } site { id name } min max gatewayId gateway { id name } priority weight } gatewayAccounts { id name isEnabled trouble health { isFailing } } }");

export const SitesToPickDocument = /* @__PURE__ */ operation<SitesToPickQuery, SitesToPickQueryVariables>(
  "query SitesToPick { providers(first: 100) { nodes { id name sites { id name } } } }");

export const WhoWouldGetDocument = /* @__PURE__ */ operation<WhoWouldGetQuery, WhoWouldGetQueryVariables>(
  "query WhoWouldGet($input: RoutePreviewInput!) { routePreview(input: $input) { kind order { gateway { id name } rule { id name } priority weight weightOfAll } others { gateway { id name } obstacle detail } } }");

export const CreateGatewayDocument = /* @__PURE__ */ operation<CreateGatewayMutation, CreateGatewayMutationVariables>(
  "mutation CreateGateway($input: CreateGatewayAccountInput!) { createGatewayAccount(input: $input) { gatewayAccount { id } } }");

export const UpdateGatewayDocument = /* @__PURE__ */ operation<UpdateGatewayMutation, UpdateGatewayMutationVariables>(
  "mutation UpdateGateway($input: UpdateGatewayAccountInput!) { updateGatewayAccount(input: $input) { gatewayAccount { id isEnabled } } }");

export const TestGatewayDocument = /* @__PURE__ */ operation<TestGatewayMutation, TestGatewayMutationVariables>(
  "mutation TestGateway($input: TestGatewayAccountInput!) { testGatewayAccount(input: $input) { isOk checks { name isOk detail failure } } }");

export const SaveRouteDocument = /* @__PURE__ */ operation<SaveRouteMutation, SaveRouteMutationVariables>(
  "mutation SaveRoute($input: RouteRuleInput!) { saveRouteRule(input: $input) { routeRule { id } } }");
