// Code generated from graph/schema and the .graphql file beside this one by `make console`. DO NOT EDIT.
import { operation } from '../api/operation';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type UpdateSiteBrandInput = {
  siteId: string;
  displayName?: string | null | undefined;
  logo?: string | null | undefined;
  color?: string | null | undefined;
  supportEmail?: string | null | undefined;
  supportPhone?: string | null | undefined;
  supportUrl?: string | null | undefined;
  termsUrl?: string | null | undefined;
  privacyUrl?: string | null | undefined;
  returnLabel?: string | null | undefined;
  homeUrl?: string | null | undefined;
};

export type UpdateSiteBrandMutationVariables = Exact<{
  input: UpdateSiteBrandInput;
}>;


export type UpdateSiteBrandMutation = { updateSiteBrand: { site: { id: string } } | null };

export const UpdateSiteBrandDocument = /* @__PURE__ */ operation<UpdateSiteBrandMutation, UpdateSiteBrandMutationVariables>(
  "mutation UpdateSiteBrand($input: UpdateSiteBrandInput!) { updateSiteBrand(input: $input) { site { id } } }");
