import type { Role } from '../api/session.generated';
import type { Filter, Search } from '../ui/list/filters';

const isRole: Record<Role, true> = { ADMIN: true, OPERATOR: true, FINANCE: true, SUPPORT: true, AUDITOR: true, VIEWER: true, DEALER: true, DEALER_MANAGER: true,
  PROVIDER: true, PROVIDER_MANAGER: true };
export const roles = Object.keys(isRole) as Role[];

/** Whose staff are of the role: one dealer's, one provider's. */
export const isDealers = (role: Role | '') => role === 'DEALER' || role === 'DEALER_MANAGER';
export const isProviders = (role: Role | '') => role === 'PROVIDER' || role === 'PROVIDER_MANAGER';

export const filters = [
  { kind: 'choice', name: 'role', label: 'staff.role', of: 'Role', values: roles, isOne: true },
  { kind: 'flag', name: 'active', label: 'staff.onlyActive' },
  { kind: 'flag', name: 'off', label: 'staff.onlyOff' },
] as const satisfies readonly Filter[];

// What is not narrowed is left out: the API takes no null in place of a word.
export const filterOf = (s: Search) => ({
  ...(s['role'] !== undefined && { role: s['role'] as Role }), isActive: s['active'] !== undefined ? true : s['off'] !== undefined ? false : null,
});

export function searchOf(filter: object): Search {
  const { role, isActive } = filter as { role?: string | null; isActive?: boolean | null };
  return { ...(role && { role }), ...(isActive === true && { active: 'true' }), ...(isActive === false && { off: 'true' }) };
}
