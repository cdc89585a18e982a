// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ConfirmTotpInput = {
  code: string;
};

export type FinishPasskeyInput = {
  challenge: string;
  answer: string;
  name: string;
};

export type RemovePasskeyInput = {
  id: string;
};

export type ChangePasswordInput = {
  password: string;
};

export type RevokeSessionInput = {
  id: string;
};

export type Theme =
  | 'SYSTEM'
  | 'LIGHT'
  | 'DARK';

export type UpdateMyProfileInput = {
  name?: string | null | undefined;
  language?: string | null | undefined;
  theme?: Theme | null | undefined;
};

export type MySessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type MySessionsQuery = { mySessions: Array<{ id: string, address: string, userAgent: string, hasSecondFactor: boolean, createdAt: string, lastSeenAt: string, isCurrent: boolean }> | null };

export type EndSessionMutationVariables = Exact<{
  input: RevokeSessionInput;
}>;


export type EndSessionMutation = { revokeSession: { sessions: Array<{ id: string }> } | null };

export type EndOtherSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type EndOtherSessionsMutation = { revokeOtherSessions: { sessions: Array<{ id: string }> } | null };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { sessions: Array<{ id: string }> } | null };

export type UpdateMyProfileMutationVariables = Exact<{
  input: UpdateMyProfileInput;
}>;


export type UpdateMyProfileMutation = { updateMyProfile: { staffMember: { id: string } } | null };

export type BeginTotpMutationVariables = Exact<{ [key: string]: never; }>;


export type BeginTotpMutation = { beginTotp: { otpauthUrl: string } | null };

export type ConfirmTotpMutationVariables = Exact<{
  input: ConfirmTotpInput;
}>;


export type ConfirmTotpMutation = { confirmTotp: { recoveryCodes: Array<string> } | null };

export type RemoveTotpMutationVariables = Exact<{ [key: string]: never; }>;


export type RemoveTotpMutation = { removeTotp: { recoveryCodes: Array<string> } | null };

export type NewRecoveryCodesMutationVariables = Exact<{ [key: string]: never; }>;


export type NewRecoveryCodesMutation = { newRecoveryCodes: { recoveryCodes: Array<string> } | null };

export type BeginPasskeyMutationVariables = Exact<{ [key: string]: never; }>;


export type BeginPasskeyMutation = { beginPasskey: { challenge: string, options: string } | null };

export type FinishPasskeyMutationVariables = Exact<{
  input: FinishPasskeyInput;
}>;


export type FinishPasskeyMutation = { finishPasskey: { recoveryCodes: Array<string> } | null };

export type RemovePasskeyMutationVariables = Exact<{
  input: RemovePasskeyInput;
}>;


export type RemovePasskeyMutation = { removePasskey: { recoveryCodes: Array<string> } | null };

export const MySessionsDocument = /* @__PURE__ */ operation<MySessionsQuery, MySessionsQueryVariables>(
  "query MySessions { mySessions { id address userAgent hasSecondFactor createdAt lastSeenAt isCurrent } }");

export const EndSessionDocument = /* @__PURE__ */ operation<EndSessionMutation, EndSessionMutationVariables>(
  "mutation EndSession($input: RevokeSessionInput!) { revokeSession(input: $input) { sessions { id } } }");

export const EndOtherSessionsDocument = /* @__PURE__ */ operation<EndOtherSessionsMutation, EndOtherSessionsMutationVariables>(
  "mutation EndOtherSessions { revokeOtherSessions { sessions { id } } }");

export const ChangePasswordDocument = /* @__PURE__ */ operation<ChangePasswordMutation, ChangePasswordMutationVariables>(
  "mutation ChangePassword($input: ChangePasswordInput!) { changePassword(input: $input) { sessions { id } } }");

export const UpdateMyProfileDocument = /* @__PURE__ */ operation<UpdateMyProfileMutation, UpdateMyProfileMutationVariables>(
  "mutation UpdateMyProfile($input: UpdateMyProfileInput!) { updateMyProfile(input: $input) { staffMember { id } } }");

export const BeginTotpDocument = /* @__PURE__ */ operation<BeginTotpMutation, BeginTotpMutationVariables>(
  "mutation BeginTotp { beginTotp { otpauthUrl } }");

export const ConfirmTotpDocument = /* @__PURE__ */ operation<ConfirmTotpMutation, ConfirmTotpMutationVariables>(
  "mutation ConfirmTotp($input: ConfirmTotpInput!) { confirmTotp(input: $input) { recoveryCodes } }");

export const RemoveTotpDocument = /* @__PURE__ */ operation<RemoveTotpMutation, RemoveTotpMutationVariables>(
  "mutation RemoveTotp { removeTotp { recoveryCodes } }");

export const NewRecoveryCodesDocument = /* @__PURE__ */ operation<NewRecoveryCodesMutation, NewRecoveryCodesMutationVariables>(
  "mutation NewRecoveryCodes { newRecoveryCodes { recoveryCodes } }");

export const BeginPasskeyDocument = /* @__PURE__ */ operation<BeginPasskeyMutation, BeginPasskeyMutationVariables>(
  "mutation BeginPasskey { beginPasskey { challenge options } }");

export const FinishPasskeyDocument = /* @__PURE__ */ operation<FinishPasskeyMutation, FinishPasskeyMutationVariables>(
  "mutation FinishPasskey($input: FinishPasskeyInput!) { finishPasskey(input: $input) { recoveryCodes } }");

export const RemovePasskeyDocument = /* @__PURE__ */ operation<RemovePasskeyMutation, RemovePasskeyMutationVariables>(
  "mutation RemovePasskey($input: RemovePasskeyInput!) { removePasskey(input: $input) { recoveryCodes } }");
