import type { Filter, Search } from '../ui/list/filters';

export const filters = [
  { kind: 'search', name: 'q', label: 'owners.search', hint: 'owners.search' },
  { kind: 'flag', name: 'active', label: 'owners.onlyActive' },
  { kind: 'flag', name: 'off', label: 'owners.onlyOff' },
] as const satisfies readonly Filter[];

/** filterOf is the filter of the API. */
export const filterOf = (s: Search) => ({ name: s['q'] ?? null, isActive: s['active'] !== undefined ? true : s['off'] !== undefined ? false : null });

/** searchOf is what narrows the list as a saved filter does. */
export function searchOf(filter: object): Search {
  const { name, isActive } = filter as { name?: string | null; isActive?: boolean | null };
  return { ...(name && { q: name }), ...(isActive === true && { active: 'true' }), ...(isActive === false && { off: 'true' }) };
}
