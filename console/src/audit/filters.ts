import { dayOf, dayRange, type Filter, type Search } from '../ui/list/filters';
import type { ActorKind } from './audit.generated';

const isActor: Record<ActorKind, true> = { STAFF: true, PROVIDER: true, DEALER: true, CUSTOMER: true, GATEWAY: true, SYSTEM: true };

export const filters = [
  { kind: 'text', name: 'target', label: 'audit.target' },
  { kind: 'text', name: 'action', label: 'audit.action', form: /^[\w.-]{1,64}$/ },
  { kind: 'choice', name: 'by', label: 'audit.by', of: 'ActorKind', values: Object.keys(isActor), isOne: true },
  { kind: 'text', name: 'id', label: 'audit.actorId', form: /^\w{1,40}$/ },
  { kind: 'days', names: ['from', 'until'], label: 'audit.days' },
] as const satisfies readonly Filter[];

/** filterOf is the filter of the API; an id alone is a staff member's. What is not narrowed is left out: the API takes no null in its place. */
export function filterOf(s: Search, zone: string) {
  const by = (s['by'] ?? (s['id'] === undefined ? undefined : 'STAFF')) as ActorKind | undefined;
  const { from, until } = dayRange(s['from'], s['until'], zone);
  return {
    ...(s['target'] !== undefined && { target: s['target'] }), ...(s['action'] !== undefined && { action: s['action'] }), ...(by && { actorKind: by }),
    ...(s['id'] !== undefined && { actorId: s['id'] }), ...(from !== null && { from }), ...(until !== null && { until }),
  };
}

/** searchOf is what narrows the list as a saved filter does; its moments are the beginnings of days. */
export function searchOf(filter: object, zone: string): Search {
  const f = filter as Record<string, string | null | undefined>;
  return {
    ...(f['target'] && { target: f['target'] }), ...(f['action'] && { action: f['action'] }), ...(f['actorKind'] && { by: f['actorKind'] }),
    ...(f['actorId'] && { id: f['actorId'] }), ...(f['from'] && { from: dayOf(f['from'], zone) }), ...(f['until'] && { until: dayOf(f['until'], zone, -1) }),
  };
}
