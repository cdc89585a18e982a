// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ApprovalRuleInput = {
  action: GuardedAction;
  isOn: boolean;
  above?: string | null | undefined;
  perDay?: string | null | undefined;
  differsBy?: string | null | undefined;
  lapseAfterMinutes?: number | null | undefined;
};

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

export type InviteStaffInput = {
  email: string;
  role: Role;
  dealerId?: string | null | undefined;
  providerId?: string | null | undefined;
};

export type UpdateStaffInput = {
  id: string;
  role?: Role | null | undefined;
  dealerId?: string | null | undefined;
  providerId?: string | null | undefined;
  isActive?: boolean | null | undefined;
};

export type RevokeInvitationInput = {
  id: string;
};

export type UnlockStaffInput = {
  id: string;
};

export type ResetStaffFactorsInput = {
  id: string;
};

export type RevokeStaffSessionsInput = {
  staffId: string;
  sessionId?: string | null | undefined;
};

export type StaffFilter = {
  role?: Role | null | undefined;
  isActive?: boolean | null | undefined;
};

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

export type MembersQueryVariables = Exact<{
  filter?: StaffFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type MembersQuery = { staff: { nodes: Array<{ id: string, email: string, role: Role, isActive: boolean, createdAt: string, dealer: { id: string, name: string } | null, provider: { id: string, name: string } | null, profile: { name: string | null } | null, secondFactors: { hasTotp: boolean, isLocked: boolean, isRequired: boolean, passkeys: Array<{ id: string }> } | null }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type MemberQueryVariables = Exact<{
  id: string;
}>;


export type MemberQuery = { staffMember: { id: string, email: string, role: Role, isActive: boolean, dealerId: string | null, providerId: string | null, permissions: Array<Permission>, createdAt: string, dealer: { id: string, name: string } | null, provider: { id: string, name: string } | null, profile: { name: string | null } | null, secondFactors: { hasTotp: boolean, isLocked: boolean, recoveryCodesLeft: number, isRequired: boolean, passkeys: Array<{ id: string, name: string, lastUsedAt: string | null }> } | null } | null, staffSessions: Array<{ id: string, address: string, userAgent: string, hasSecondFactor: boolean, createdAt: string, lastSeenAt: string, expiresAt: string, isCurrent: boolean }> | null };

export type InvitationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type InvitationsQuery = { invitations: { nodes: Array<{ id: string, email: string, role: Role, createdAt: string, expiresAt: string, acceptedAt: string | null, revokedAt: string | null, dealer: { id: string, name: string } | null, provider: { id: string, name: string } | null, invitedBy: { name: string | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null, isPartial: boolean } } | null };

export type OwnersToPickQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnersToPickQuery = { dealers: { nodes: Array<{ id: string, name: string }> } | null, providers: { nodes: Array<{ id: string, name: string }> } | null };

export type RulesQueryVariables = Exact<{ [key: string]: never; }>;


export type RulesQuery = { approvalRules: Array<{ action: GuardedAction, isOn: boolean, above: string | null, perDay: string | null, differsBy: string | null, lapseAfterMinutes: number, updatedAt: string | null }> | null };

export type InviteMutationVariables = Exact<{
  input: InviteStaffInput;
}>;


export type InviteMutation = { inviteStaff: { link: string, invitation: { id: string, email: string, expiresAt: string } } | null };

export type RevokeInvitationMutationVariables = Exact<{
  input: RevokeInvitationInput;
}>;


export type RevokeInvitationMutation = { revokeInvitation: { invitation: { id: string } } | null };

export type UpdateMemberMutationVariables = Exact<{
  input: UpdateStaffInput;
}>;


export type UpdateMemberMutation = { updateStaff: { staffMember: { id: string } } | null };

export type UnlockMemberMutationVariables = Exact<{
  input: UnlockStaffInput;
}>;


export type UnlockMemberMutation = { unlockStaff: { staffMember: { id: string } } | null };

export type ResetFactorsMutationVariables = Exact<{
  input: ResetStaffFactorsInput;
}>;


export type ResetFactorsMutation = { resetStaffFactors: { staffMember: { id: string } } | null };

export type RevokeSessionsMutationVariables = Exact<{
  input: RevokeStaffSessionsInput;
}>;


export type RevokeSessionsMutation = { revokeStaffSessions: { sessions: Array<{ id: string }> } | null };

export type SetRuleMutationVariables = Exact<{
  input: ApprovalRuleInput;
}>;


export type SetRuleMutation = { setApprovalRule: { approvalRule: { action: GuardedAction } } | null };

export type RolesQueryVariables = Exact<{ [key: string]: never; }>;


export type RolesQuery = { roles: Array<{ role: Role, permissions: Array<Permission> }> | null };

export const MembersDocument = /* @__PURE__ */ operation<MembersQuery, MembersQueryVariables>(
  "query Members($filter: StaffFilter, $first: Int, $after: String, $last: Int, $before: String) { staff( filter: $filter first: $first after: $after last: $last before: $before ) { nodes { id email role isActive dealer { id name } provider { id name } profile { name } secondFactors { hasTotp isLocked passkeys { id } isRequired } createdAt } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const MemberDocument = /* @__PURE__ */ operation<MemberQuery, MemberQueryVariables>(
  "query Member($id: ID!) { staffMember(id: $id) { id email role isActive dealerId dealer { id name } providerId provider { id name } profile { name } permissions createdAt secondFactors { hasTotp isLocked recoveryCodesLeft passkeys { id name lastUsedAt } isRequired } } staffSessions(staffId: $id) { id address userAgent hasSecondFactor createdAt lastSeenAt expiresAt isCurrent } }");

export const InvitationsDocument = /* @__PURE__ */ operation<InvitationsQuery, InvitationsQueryVariables>(
  "query Invitations($first: Int, $after: String, $last: Int, $before: String) { invitations(first: $first, after: $after, last: $last, before: $before) { nodes { id email role dealer { id name } provider { id name } invitedBy { name } createdAt expiresAt acceptedAt revokedAt } pageInfo { hasNextPage hasPreviousPage startCursor endCursor isPartial } } }");

export const OwnersToPickDocument = /* @__PURE__ */ operation<OwnersToPickQuery, OwnersToPickQueryVariables>(
  "query OwnersToPick { dealers(first: 200) { nodes { id name } } providers(first: 200) { nodes { id name } } }");

export const RulesDocument = /* @__PURE__ */ operation<RulesQuery, RulesQueryVariables>(
  "query Rules { approvalRules { action isOn above perDay differsBy lapseAfterMinutes updatedAt } }");

export const InviteDocument = /* @__PURE__ */ operation<InviteMutation, InviteMutationVariables>(
  "mutation Invite($input: InviteStaffInput!) { inviteStaff(input: $input) { link invitation { id email expiresAt } } }");

export const RevokeInvitationDocument = /* @__PURE__ */ operation<RevokeInvitationMutation, RevokeInvitationMutationVariables>(
  "mutation RevokeInvitation($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { invitation { id } } }");

export const UpdateMemberDocument = /* @__PURE__ */ operation<UpdateMemberMutation, UpdateMemberMutationVariables>(
  "mutation UpdateMember($input: UpdateStaffInput!) { updateStaff(input: $input) { staffMember { id } } }");

export const UnlockMemberDocument = /* @__PURE__ */ operation<UnlockMemberMutation, UnlockMemberMutationVariables>(
  "mutation UnlockMember($input: UnlockStaffInput!) { unlockStaff(input: $input) { staffMember { id } } }");

export const ResetFactorsDocument = /* @__PURE__ */ operation<ResetFactorsMutation, ResetFactorsMutationVariables>(
  "mutation ResetFactors($input: ResetStaffFactorsInput!) { resetStaffFactors(input: $input) { staffMember { id } } }");

export const RevokeSessionsDocument = /* @__PURE__ */ operation<RevokeSessionsMutation, RevokeSessionsMutationVariables>(
  "mutation RevokeSessions($input: RevokeStaffSessionsInput!) { revokeStaffSessions(input: $input) { sessions { id } } }");

export const SetRuleDocument = /* @__PURE__ */ operation<SetRuleMutation, SetRuleMutationVariables>(
  "mutation SetRule($input: ApprovalRuleInput!) { setApprovalRule(input: $input) { approvalRule { action } } }");

export const RolesDocument = /* @__PURE__ */ operation<RolesQuery, RolesQueryVariables>(
  "query Roles { roles { role permissions } }");
